"""How agents end: the right words, and the last screen stays."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from ink_tui.agent.exit_state import ExitState
from tests.pane_host import PaneHost, python, until

if TYPE_CHECKING:
    from pathlib import Path

KILLED_BY_ITSELF = "import os; os.write(1, b'hello'); os.kill(os.getpid(), {})"

ENDS: dict[str, tuple[list[str], str, str]] = {
    "exit 0": (python("import os; os.write(1, b'hello')"), "exited 0", "exited 0 after "),
    "exit 3": (
        python("import os; os.write(1, b'hello'); os._exit(3)"),
        "exited 3",
        "exited 3 after ",
    ),
    "segmentation fault": (
        python(KILLED_BY_ITSELF.format(int(signal.SIGSEGV))),
        "killed",
        "killed by SIGSEGV after ",
    ),
    "kill -9": (
        python(KILLED_BY_ITSELF.format(int(signal.SIGKILL))),
        "killed",
        "killed by SIGKILL after ",
    ),
}


def exited(host: PaneHost) -> list[ExitState]:
    return [state for _, state in host.heard if isinstance(state, ExitState)]


@pytest.mark.parametrize("name", ENDS)
async def test_words_and_last_screen(name: str) -> None:
    argv, words, sentence = ENDS[name]
    host = PaneHost(argv)
    async with host.run_test(size=(60, 15)):
        await until(lambda: exited(host))
        (state,) = exited(host)
        assert state.words() == words
        assert state.sentence().startswith(sentence)
        assert state.ok is (name == "exit 0")
        await host.shown("hello")
        assert host.pane.exit_state == state
        assert host.pane.keyboard == "released"


@pytest.mark.parametrize(
    ("program", "reason"),
    [("no-such-program-anywhere", "No such file or directory"), ("/etc/passwd", "Permission")],
)
async def test_a_program_that_cannot_be_run(program: str, reason: str) -> None:
    host = PaneHost([program, "--resume"])
    async with host.run_test(size=(60, 15)):
        await until(lambda: exited(host))
        (state,) = exited(host)
        assert state.kind == "exec-failed"
        assert state.words() == "not started"
        assert reason in state.message


async def test_a_missing_folder_is_told_apart(tmp_path: Path) -> None:
    host = PaneHost(python("pass"), cwd=tmp_path / "gone")
    async with host.run_test(size=(60, 15)):
        await until(lambda: exited(host))
        (state,) = exited(host)
        assert state.kind == "cwd-missing"
        assert state.words() == "folder missing"
        assert "No such file or directory" in state.sentence()


async def test_exit_while_a_grandchild_holds_the_terminal() -> None:
    script = """
        import os, signal, time
        told, tell = os.pipe()
        if os.fork() == 0:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            os.write(1, b"grandchild ")
            os.write(tell, b"x")
            time.sleep(60)
        os.read(told, 1)
        os.write(1, b"last words")
        os._exit(4)
    """
    host = PaneHost(python(script))
    async with host.run_test(size=(60, 15)):
        await until(lambda: exited(host))
        assert exited(host)[0].words() == "exited 4"
        await host.shown("last words")
        assert "grandchild" in host.pane.screen_text()


async def test_end_of_output_is_not_an_exit(tmp_path: Path) -> None:
    script = """
        import os, sys, time
        os.write(1, b"before ")
        for fd in (0, 1, 2):
            os.close(fd)
        while not os.path.exists(sys.argv[1]):
            time.sleep(0.01)
        again = os.open("/dev/tty", os.O_RDWR)
        os.write(again, b"and after")
        os._exit(0)
    """
    go_on = tmp_path / "go-on"
    host = PaneHost(python(script, str(go_on)))
    async with host.run_test(size=(60, 15)):
        await host.shown("before")
        await until(lambda: "reopen" in host.process._timers, "the terminal is seen closed")
        assert exited(host) == []
        assert host.process.running
        go_on.touch()
        await until(lambda: exited(host))
        assert exited(host)[0].words() == "exited 0"
        await host.shown("before and after")


async def test_a_lost_guard_is_an_end_too() -> None:
    host = PaneHost(python("import os, time; os.write(1, b'hello'); time.sleep(60)"))
    async with host.run_test(size=(60, 15)):
        await host.shown("hello")
        assert host.process._guard is not None
        host.process._guard.kill()
        await until(lambda: exited(host))
        assert exited(host)[0].words() == "killed"


async def test_keys_after_the_exit_go_to_the_browser() -> None:
    host = PaneHost(python("import os; os.write(1, b'one\\r\\n' * 100)"))
    async with host.run_test(size=(60, 15)) as pilot:
        await until(lambda: exited(host))
        await pilot.press("r", "ctrl+right_square_bracket")
        assert host.pane.keyboard == "released"
        assert "InputRefused" not in host.names()
        host.pane.start_scroll()
        await pilot.press("home")
        await until(lambda: "more below" in host.pane.render_line(13).text)
        await pilot.press("escape")
        assert host.pane.keyboard == "released"
        await until(lambda: "more below" not in host.pane.render_line(13).text)


async def test_stopping_tells_how_it_ended() -> None:
    host = PaneHost(python("import os, time; os.write(1, b'hello'); time.sleep(60)"))
    async with host.run_test(size=(60, 15)):
        await host.shown("hello")
        host.process.terminate()
        await until(lambda: exited(host))
        assert exited(host)[0].sentence().startswith("killed by SIGHUP after ")


async def test_leaving_the_app_ends_the_agent() -> None:
    host = PaneHost(python("import os, time; os.write(1, b'hello'); time.sleep(60)"))
    async with host.run_test(size=(60, 15)):
        await host.shown("hello")
    assert host.process.exit_state is not None
    assert host.process.exit_state.kind == "killed"


async def test_scroll_back_stays_while_output_goes_on() -> None:
    script = """
        import os, tty
        tty.setraw(0)
        for number in range(200):
            os.write(1, b"row %d\\r\\n" % number)
        os.read(0, 1)
        os.write(1, b"new row\\r\\n" * 5)
        os.read(0, 1)
    """
    host = PaneHost(python(script))
    async with host.run_test(size=(60, 15)) as pilot:
        await host.shown("row 199")
        await pilot.press("ctrl+right_square_bracket", "s", "pageup")
        await until(lambda: "13 more below" in host.pane.render_line(13).text)
        top = host.pane.render_line(0).text
        host.process.write(b"x")
        await until(lambda: "18 more below" in host.pane.render_line(13).text)
        assert host.pane.render_line(0).text == top
        await pilot.press("q")
        await host.shown("new row")
        assert host.pane.keyboard == "captured"
