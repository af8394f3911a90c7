"""The built-in agent in a real pseudo-terminal, started by the installed command."""

from __future__ import annotations

import contextlib
import signal
import time
from typing import TYPE_CHECKING, Any

import orjson
import pexpect
import pytest

from ink_tui.formats.ink.constants import UNKNOWN_OUTCOME
from ink_tui.formats.ink.encode import encode_line
from ink_tui.formats.registry import INK
from ink_tui.model.faults import TailState
from ink_tui.model.verdict import Diagnosis, Verdict, diagnose
from ink_tui.store.demo import Demo, create_demo
from tests.e2e.terminal import Terminal, default_environment, installed_command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.e2e

PROMPT = "\u203a"
READY = "ctrl+d leaves"
"""The last words of the opening."""


def judged(path: Path) -> Diagnosis:
    parser = INK.parser()
    parser.feed(path.read_bytes())
    return diagnose(parser.session())


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    with create_demo(int(time.time() * 1_000), tmp_path / "home") as made:
        yield made


class Session:
    """One session of the demo, its bytes before, and the agent on it."""

    def __init__(self, demo: Demo, title: str, *options: str, **env: str) -> None:
        self.path = next(p for p in demo.root.rglob("*.jsonl") if title in judged(p).title)
        self.before = self.path.read_bytes()
        header = judged(self.path).session.header
        assert header is not None
        self.terminal = Terminal.start(
            [
                *(installed_command(), "agent", "--resume", header.id),
                *("--sessions-dir", str(demo.root), *options),
            ],
            env={**default_environment(), "HOME": str(demo.home), **env},
            size=(100, 40),
        )

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.terminal.close()

    def type(self, line: str) -> None:
        self.terminal.write(line).send("enter")

    def wait_for_prompt(self, mark: str = PROMPT) -> Terminal:
        """Wait until the line editor takes keys: before, ctrl+d is the terminal's own."""
        return self.terminal.wait_for(
            lambda terminal: [row for row in terminal.screen if row][-1:] == [mark]
        )

    def added(self) -> list[dict[str, Any]]:
        """The records appended so far; everything before must be as it was."""
        now = self.path.read_bytes()
        assert now.startswith(self.before)
        lines = now[len(self.before) :].splitlines(keepends=True)
        records = [orjson.loads(line) for line in lines]
        # Exactly as Ink writes: the bytes are those of the encoder, line by line.
        assert [encode_line(record) for record in records] == lines
        return records

    def wait_for_records(self, number: int) -> list[dict[str, Any]]:
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            if self.path.read_bytes()[len(self.before) :].count(b"\n") >= number:
                return self.added()
            with contextlib.suppress(AssertionError):
                self.terminal.wait_for("never shown", timeout=0.02)
        raise AssertionError(f"{number} records never came\n{self.terminal.picture()}")


def test_a_session_is_resumed_and_grows_record_by_record(demo: Demo) -> None:
    with Session(demo, "CRLF") as session:
        terminal = session.terminal.wait_for(READY)
        assert "给解析器加上 CRLF 支持 🚀 with tests" in terminal.text
        assert "~/work/demo" in terminal.text
        assert "No model is configured" in terminal.text
        session.type("run echo hi; pwd")
        terminal.wait_for("exit 0")
        session.type("read package.json")
        terminal.wait_for("5 lines")
        session.type("谢谢 👍")
        terminal.wait_for("so nobody answers")
        session.wait_for_prompt().send("ctrl+d")
        assert terminal.wait_exit() == 0
        assert terminal.left_on() == []
        assert terminal.processes() == []
        records = session.added()
    roles = [record["message"]["role"] for record in records]
    assert roles == ["user", "assistant", "toolResult"] * 2 + ["user"]
    outputs = [r["message"]["results"][0] for r in records if "results" in r["message"]]
    assert outputs[0]["content"] == f"stdout:\nhi\n{demo.cwd}"
    assert outputs[1]["content"] == (demo.cwd / "package.json").read_text(encoding="utf-8")
    assert records[-1]["message"] == {"role": "user", "content": "谢谢 👍"}
    assert not any("model" in record["message"] for record in records)
    chain = [judged(session.path).branch.entries[-8].id, *(record["id"] for record in records)]
    assert [record["parentId"] for record in records] == chain[:-1]
    assert judged(session.path).verdict is Verdict.CLEAN


def test_output_is_shown_while_the_command_runs(demo: Demo) -> None:
    with Session(demo, "CRLF") as session:
        session.terminal.wait_for(READY)
        session.type("run echo early; while [ ! -e go ]; do sleep 0.02; done; echo late")
        session.terminal.wait_for("\nearly\n")
        assert "\nlate" not in session.terminal.text
        assert len(session.added()) == 2
        (demo.cwd / "go").touch()
        session.terminal.wait_for("\nlate\n")
        session.terminal.wait_for("exit 0")
        assert len(session.added()) == 3


def test_ctrl_c_stops_the_command_and_closes_its_call(demo: Demo) -> None:
    with Session(demo, "CRLF") as session:
        session.terminal.wait_for(READY)
        session.type("run echo $$; sleep 30")
        session.wait_for_records(2)
        session.terminal.wait_for(lambda terminal: any(row.isdigit() for row in terminal.screen))
        session.terminal.send("ctrl+c").wait_for("unknown whether it ran")
        assert len(session.terminal.processes()) == 1
        session.type("still here")
        session.terminal.wait_for("so nobody answers")
        session.type("/exit")
        assert session.terminal.wait_exit() == 0
        records = session.added()
    assert records[2]["message"]["results"][0]["content"] == UNKNOWN_OUTCOME
    assert records[2]["message"]["results"][0]["isError"] is True
    assert records[3]["message"]["content"] == "still here"
    assert judged(session.path).verdict is Verdict.CLEAN


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_in_a_command_closes_the_call_and_ends(demo: Demo, number: int) -> None:
    with Session(demo, "CRLF") as session:
        session.terminal.wait_for(READY)
        session.type("run echo started; sleep 30")
        session.terminal.wait_for("\nstarted\n")
        session.terminal.kill(number)
        assert session.terminal.wait_exit() == 128 + number
        assert session.terminal.processes() == []
        records = session.added()
    assert len(records) == 3
    assert records[2]["message"]["results"][0]["content"] == UNKNOWN_OUTCOME
    assert judged(session.path).verdict is Verdict.CLEAN


def test_a_signal_at_the_prompt_writes_nothing(demo: Demo) -> None:
    with Session(demo, "CRLF") as session:
        session.terminal.wait_for(READY).wait_for("\n›")
        session.terminal.kill(signal.SIGTERM)
        assert session.terminal.wait_exit() == 128 + signal.SIGTERM
        assert session.terminal.left_on() == []
        assert session.added() == []


def test_kill_9_leaves_exactly_one_open_call(demo: Demo) -> None:
    with Session(demo, "CRLF") as session:
        session.terminal.wait_for(READY)
        session.type("run echo started; sleep 30")
        session.terminal.wait_for("\nstarted\n")
        session.terminal.kill(signal.SIGKILL)
        assert len(session.added()) == 2
    found = judged(session.path)
    assert found.verdict is Verdict.REPAIRABLE
    assert found.session.tail.state is TailState.OK
    assert [call.call.tool for call in found.open_calls] == ["bash"]
    assert found.to_close == found.open_calls
    with Session(demo, "CRLF") as again:
        again.terminal.wait_for("ink-tui repair")
        assert "1 call has no saved result (bash)" in " ".join(again.terminal.text.split())
        assert again.terminal.wait_exit() == 1
        assert again.added() == []


def test_a_torn_tail_is_refused_and_not_touched(demo: Demo) -> None:
    with Session(demo, "fix the sum") as session:
        session.terminal.wait_for("not a complete record")
        session.terminal.wait_for("ink-tui repair")
        assert session.terminal.wait_exit() == 1
        assert session.path.read_bytes() == session.before


def test_another_writer_ends_it_with_a_sentence(demo: Demo) -> None:
    with Session(demo, "CRLF") as session:
        session.terminal.wait_for(READY)
        with session.path.open("ab") as stream:
            stream.write(b'{"type":"position","leafId":null}\n')
        session.type("too late")
        session.terminal.wait_for("Another program has changed")
        assert session.terminal.wait_exit() == 1
        assert b"too late" not in session.path.read_bytes()


def test_outside_the_demo_it_asks_unless_told(demo: Demo) -> None:
    (demo.root / ".ink-tui-demo").rename(demo.root / ".kept")
    try:
        with Session(demo, "CRLF") as session:
            session.terminal.wait_for("Continue it in place? [y/N]").send("enter")
            session.terminal.wait_for("Nothing was written")
            assert session.terminal.wait_exit() == 1
            assert session.added() == []
        with Session(demo, "fork: rename") as session:
            session.terminal.wait_for(READY)
            assert "[y/N]" not in session.terminal.text
        with Session(demo, "CRLF", "--yes-in-place") as session:
            session.terminal.wait_for(READY)
            session.type("hello")
            session.terminal.wait_for("so nobody answers")
            assert len(session.added()) == 1
    finally:
        (demo.root / ".kept").rename(demo.root / ".ink-tui-demo")


def test_two_at_once_are_refused_and_the_lock_stays_in_the_demo(demo: Demo) -> None:
    with Session(demo, "CRLF") as session:
        session.wait_for_prompt()
        locks = demo.home / ".local" / "state" / "ink-tui" / "locks"
        assert [path.suffix for path in locks.glob("*.lock")] == [".lock"]
        with Session(demo, "CRLF") as second:
            assert second.terminal.wait_exit() == 1
            assert "in use by ink-tui (agent)" in "".join(second.terminal.screen)
        session.terminal.send("ctrl+d")
        assert session.terminal.wait_exit() == 0
        assert list(locks.glob("*.lock")) == []


def test_a_terminal_that_goes_away_closes_the_call(demo: Demo) -> None:
    path = next(p for p in demo.root.rglob("*.jsonl") if "CRLF" in judged(p).title)
    child = pexpect.spawn(
        installed_command(),
        ["agent", "--resume", str(path), "--sessions-dir", str(demo.root)],
        env={**default_environment(), "HOME": str(demo.home)},
        timeout=10,
    )
    child.expect_exact(READY)
    child.sendline("run echo sta''rted; sleep 30")
    child.expect_exact("started")
    child.ptyproc.fileobj.close()
    assert child.ptyproc.wait() == 128 + signal.SIGHUP
    assert judged(path).verdict is Verdict.CLEAN
    assert UNKNOWN_OUTCOME.encode() in path.read_bytes()


def test_an_unknown_id_is_a_clear_sentence(demo: Demo) -> None:
    argv = [installed_command(), "agent", "--resume", "nope", "--sessions-dir", str(demo.root)]
    with Terminal.start(argv) as terminal:
        terminal.wait_for("no session fits “nope”")
        assert terminal.wait_exit() == 1


def test_without_colour_and_without_unicode(demo: Demo) -> None:
    quiet = {"NO_COLOR": "1", "LANG": "C", "LC_ALL": "C"}
    quiet |= {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    with Session(demo, "rename the module", **quiet) as session:
        session.terminal.wait_for(READY)
        session.type("run echo hi")
        session.terminal.wait_for("exit 0 -")
        session.wait_for_prompt(">").send("ctrl+d")
        assert session.terminal.wait_exit() == 0
        shown = bytes(session.terminal.raw)
    assert shown.isascii()
    assert b"\x1b[3" not in shown


def test_the_session_is_a_file_of_its_owner_alone_and_keeps_its_mode(demo: Demo) -> None:
    with Session(demo, "CRLF") as session:
        session.terminal.wait_for(READY)
        mode = session.path.stat().st_mode
        session.type("x")
        session.terminal.wait_for("so nobody answers")
        assert session.path.stat().st_mode == mode
        assert list(session.path.parent.glob("*.lock")) == []
