"""The main story, told by the installed command in a real pseudo-terminal.

Browse the demo, see what a crash left, repair and resume it, lose the agent in the middle of a
call, repair and resume again, and leave: the terminal as before, no process and no file behind.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ink_tui.formats.registry import INK
from ink_tui.model.verdict import Diagnosis, Verdict, diagnose
from ink_tui.store.demo import Demo, create_demo
from tests.e2e.terminal import Terminal, default_environment, installed_command
from tests.e2e.tracing import FolderState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.e2e

TITLE = "fix the sum function, keep the interface"
MAY_HAVE_RUN = "no result saved; may have run"
CLOSED = re.compile(r"bash +closed: unknown whether it r.*\d\d:\d\d")


def judged(path: Path) -> Diagnosis:
    parser = INK.parser()
    parser.feed(path.read_bytes())
    return diagnose(parser.session())


@dataclass(frozen=True, slots=True)
class Running:
    """The browser on the demo, and where the demo lies."""

    terminal: Terminal
    scratch: Path
    """The folder for temporary files; nothing else may appear outside the home."""

    @property
    def sessions(self) -> list[Path]:
        return sorted(self.scratch.glob("ink-tui-demo-*/.ink/sessions/*/*.jsonl"))

    @property
    def interrupted(self) -> Path:
        return next(path for path in self.sessions if judged(path).title == TITLE)

    def agents(self) -> list[int]:
        """Processes of the built-in agent, their guards left out.

        So is what an agent is about to start: until then it has the agent's own command line.
        """
        agents = [pid for pid in self.terminal.processes() if _is_agent(pid)]
        return [pid for pid in agents if _parent_of(pid) not in agents]

    def wait_until(self, question: Callable[[], object]) -> None:
        """Wait for something that is no text on the screen."""
        deadline = time.monotonic() + 20
        while not question():
            assert time.monotonic() < deadline, self.terminal.picture()
            with contextlib.suppress(AssertionError):
                self.terminal.wait_for("\0never shown", timeout=0.05)

    def to_the_browser(self) -> None:
        """Leave the agent's pane by the chord."""
        self.terminal.send("ctrl+]").wait_for("b browser   s scroll back")
        self.terminal.send("b").wait_for("esc back   enter open")


def _parent_of(pid: int) -> int:
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[1])
    return 0


def _is_agent(pid: int) -> bool:
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        return words[2:4] == [b"agent", b"--resume"]
    return False


@pytest.fixture
def home(tmp_path: Path) -> Path:
    path = tmp_path / "home"
    path.mkdir()
    return path


@pytest.fixture
def environment(tmp_path: Path, home: Path) -> dict[str, str]:
    """An environment whose home and temporary folder are empty and our own."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    env = {k: v for k, v in default_environment().items() if not k.startswith("XDG_")}
    return {**env, "HOME": str(home), "TMPDIR": str(scratch)}


@pytest.fixture
def demo(environment: dict[str, str], tmp_path: Path) -> Iterator[Running]:
    argv = [installed_command(), "--demo"]
    with Terminal.start(argv, env=environment, size=(120, 36), cwd=tmp_path) as terminal:
        terminal.wait_for("compacted").wait_for(MAY_HAVE_RUN)
        yield Running(terminal, Path(environment["TMPDIR"]))


def test_the_whole_story(demo: Running, home: Path) -> None:
    terminal, path = demo.terminal, demo.interrupted
    before = FolderState.of(home)
    _see_what_the_crash_left(terminal)
    _repair_and_resume(demo)
    assert judged(path).verdict is Verdict.CLEAN

    terminal.write("run sleep 30").send("enter")
    terminal.wait_for(re.compile(r"◉ bash +sleep 30 +running"))  # in the tree, and by no key
    (agent,) = demo.agents()
    os.kill(agent, signal.SIGKILL)
    terminal.wait_for(re.compile(rf"! bash .*{MAY_HAVE_RUN[:9]}"))
    terminal.wait_for("✗ killed").wait_for("1 call has no saved result")
    found = judged(path)
    assert found.verdict is Verdict.REPAIRABLE
    assert [call.call.tool for call in found.open_calls] == ["bash"]

    terminal.send("r").wait_for("› Repair and resume").wait_for("1 error result")
    terminal.send("enter").wait_for(re.compile(r"2 built-in · demo +waiting for you"))
    terminal.wait_for(lambda t: len(CLOSED.findall(t.text)) == 2)  # one of each repair
    terminal.write("and this was said later").send("enter")
    terminal.wait_for(re.compile(r"┃ user +and this was said later +\d\d:\d\d"))
    found = judged(path)
    assert found.verdict is Verdict.CLEAN
    assert found.open_calls == ()
    assert path.read_bytes().count(b"[ink-tui] No result was saved for this call") == 3

    demo.to_the_browser()
    _stop_and_quit(terminal)
    assert "The demo copy was removed" in terminal.text
    assert terminal.left_on() == []
    assert terminal.processes() == []
    assert list(demo.scratch.iterdir()) == []
    assert before.differences(FolderState.of(home)) == []


def _see_what_the_crash_left(terminal: Terminal) -> None:
    terminal.wait_for("torn tail · 2 calls without result")
    assert terminal.text.count(MAY_HAVE_RUN) == 2
    assert re.search(r"compacted +118k → ~\d+ tokens, 2 messages kept", terminal.text)
    assert "more summarised away, no longer in the context" in terminal.text
    assert "torn tail 221 bytes, not a complete record" in terminal.text


def _repair_and_resume(demo: Running) -> None:
    """Resume the interrupted session by its default: the repair that the preflight lists."""
    terminal = demo.terminal
    terminal.send("r").wait_for("› Repair and resume")
    for said in ("− 221 bytes", "+ 1 record", "agent --resume", "nobody for", "built-in"):
        assert said in terminal.text, terminal.picture()
    terminal.send("enter").wait_for(re.compile(r"1 built-in · demo +waiting for you"))
    terminal.wait_for(CLOSED).wait_for("ctrl+] leave")
    assert len(demo.agents()) == 1


def _stop_and_quit(terminal: Terminal) -> None:
    terminal.send("q").wait_for("1 agent is running").wait_for("› Stay")
    terminal.send("up").wait_for("› Stop it and quit")
    terminal.send("enter")
    assert terminal.wait_exit() == 0


def test_staying_keeps_the_agent(demo: Running) -> None:
    _repair_and_resume(demo)
    demo.to_the_browser()
    demo.terminal.send("q").wait_for("› Stay").send("enter").wait_gone("› Stay")
    assert len(demo.agents()) == 1


def test_a_record_is_forked_into_a_new_session(demo: Running) -> None:
    terminal, original = demo.terminal, demo.interrupted
    files, before = demo.sessions, original.read_bytes()
    terminal.click_text("what about -0?").wait_for(re.compile(r"│ user +\d\d:\d\d:\d\d · line "))
    terminal.send("f").wait_for("› Fork and resume")
    assert "everything before your message" in terminal.text, terminal.picture()
    terminal.send("enter").wait_for("waiting for you")
    (made,) = set(demo.sessions) - set(files)
    header = judged(made).session.header
    source = judged(original).session.header
    assert header is not None
    assert source is not None
    assert header.forked_from is not None
    assert header.forked_from[0] == source.id
    assert "what about -0?" not in made.read_text("utf-8")  # the fork ends before that message
    assert judged(made).verdict is Verdict.CLEAN
    assert original.read_bytes() == before


def test_undo_gives_back_every_byte(demo: Running) -> None:
    terminal, path = demo.terminal, demo.interrupted
    before, times = path.read_bytes(), path.stat().st_mtime_ns
    _repair_and_resume(demo)
    assert path.read_bytes() != before
    terminal.send("ctrl+]").wait_for("k stop").send("k").wait_for("✗ killed")
    demo.wait_until(lambda: not demo.agents())
    terminal.send("b").wait_for("esc back   enter open")
    terminal.send("u").wait_for("torn tail 221 bytes").wait_for("! no result saved")
    assert path.read_bytes() == before
    assert path.stat().st_mtime_ns == times
    terminal.send("q")
    assert terminal.wait_exit() == 0


def test_this_terminal_is_handed_to_the_agent_and_the_demo_removed(demo: Running) -> None:
    terminal = demo.terminal
    terminal.send("r").wait_for("› Repair and resume").send("t")
    terminal.wait_for("ctrl+d leaves").wait_for("\n›")
    assert 1049 not in terminal.emulator.modes
    terminal.send("ctrl+d")
    assert terminal.wait_exit() == 0
    assert terminal.left_on() == []
    assert terminal.processes() == []
    assert list(demo.scratch.iterdir()) == []


def test_outside_the_demo_ink_tui_becomes_the_agent(
    environment: dict[str, str], tmp_path: Path
) -> None:
    with create_demo(int(time.time() * 1_000), tmp_path / "store") as made:
        terminal = _browser_on(made, environment, tmp_path)
        with terminal:
            terminal.wait_for(MAY_HAVE_RUN).send("r").wait_for("› Repair and resume").send("t")
            terminal.wait_for("ctrl+d leaves").wait_for("\n›")
            assert terminal.processes() == [terminal.pid]
            assert _is_agent(terminal.pid)
            assert Path(f"/proc/{terminal.pid}/cwd").resolve() == made.cwd.resolve()
            terminal.send("ctrl+d")
            assert terminal.wait_exit() == 0
            assert terminal.left_on() == []


def _browser_on(made: Demo, environment: dict[str, str], cwd: Path) -> Terminal:
    argv = [installed_command(), "--sessions-dir", str(made.root)]
    return Terminal.start(argv, env=environment, size=(120, 36), cwd=cwd)
