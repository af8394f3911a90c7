"""The environment, the input queue, the words and the launch of an agent process."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ink_tui.agent import pty_process
from ink_tui.agent.environment import child_environment
from ink_tui.agent.exit_state import ExitState, duration, signal_name
from ink_tui.agent.input_queue import (
    MAX_INPUT_BYTES,
    MAX_REPLY_BYTES,
    PIECE_BYTES,
    InputQueue,
    pieces,
)
from ink_tui.agent.pty_process import PtyProcess, launcher
from ink_tui.errors import LaunchError
from tests.pane_host import python, until


def test_environment_names_our_terminal_and_forgets_the_outer_one() -> None:
    outer = {
        "PATH": "/bin",
        "LANG": "de_DE.UTF-8",
        "LC_ALL": "C",
        "TERM": "screen",
        "TMUX": "x",
        "TMUX_PANE": "%1",
        "STY": "x",
        "COLUMNS": "80",
        "LINES": "24",
        "KITTY_WINDOW_ID": "1",
        "WEZTERM_PANE": "1",
        "TERM_PROGRAM_VERSION": "9",
    }
    assert child_environment(outer) == {
        "PATH": "/bin",
        "LANG": "de_DE.UTF-8",
        "LC_ALL": "C",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "TERM_PROGRAM": "ink-tui",
    }
    assert outer["TERM"] == "screen"


def test_environment_changes_come_last() -> None:
    made = child_environment({"A": "1", "B": "2"}, {"A": None, "TERM": "dumb", "C": "3"})
    assert "A" not in made
    assert (made["B"], made["C"], made["TERM"]) == ("2", "3", "dumb")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.04, "0.0 s"), (8.23, "8.2 s"), (59.96, "1m 0s"), (192.4, "3m 12s"), (7500, "2h 5m")],
)
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_words_of_an_end() -> None:
    killed = ExitState("killed", signal=signal.SIGKILL, seconds=192)
    assert (killed.words(), killed.sentence()) == ("killed", "killed by SIGKILL after 3m 12s")
    assert ExitState("exited", code=2).words() == "exited 2"
    assert ExitState("killed", seconds=1).sentence() == "killed after 1.0 s"
    assert signal_name(99) == "signal 99"


@given(st.text(alphabet="aé持👩\x1b[", min_size=0, max_size=3 * PIECE_BYTES))
def test_pieces_keep_everything_and_split_no_character(text: str) -> None:
    data = text.encode()
    parts = pieces(data)
    assert b"".join(parts) == data
    assert all(len(part) <= PIECE_BYTES for part in parts)
    assert "".join(part.decode() for part in parts) == text


def test_pieces_do_not_split_the_end_of_a_paste() -> None:
    for length in range(PIECE_BYTES - 10, PIECE_BYTES + 1):
        parts = pieces(b"x" * length + b"\x1b[201~")
        assert sum(b"\x1b[201~" in part for part in parts) == 1


def test_answers_go_ahead_of_input_but_not_into_a_begun_piece() -> None:
    queue = InputQueue()
    queue.add_input(b"a" * PIECE_BYTES + b"b")
    assert queue.head() == b"a" * PIECE_BYTES
    queue.written(10)
    queue.add_reply(b"reply")
    assert queue.head() == b"a" * (PIECE_BYTES - 10)
    queue.written(PIECE_BYTES - 10)
    assert queue.head() == b"reply"
    queue.written(5)
    assert queue.input_bytes == 1
    assert queue.head() == b"b"
    queue.written(1)
    assert not queue


def test_the_queue_is_capped() -> None:
    queue = InputQueue()
    assert queue.add_input(b"x" * (1 << 20))
    assert not queue.add_input(b"x" * (1 << 20))
    assert queue.input_bytes <= MAX_INPUT_BYTES
    assert queue.add_reply(b"x" * MAX_REPLY_BYTES)
    assert not queue.add_reply(b"x")
    queue.clear()
    assert not queue
    assert queue.head() == b""


async def test_answers_reach_a_child_that_is_slow_to_read() -> None:
    seen = bytearray()
    ends: list[ExitState] = []
    script = """
        import os, tty
        tty.setraw(0)
        os.write(1, b"ready")
        data = b""
        while b"END" not in data:
            data += os.read(0, 65536)
        os.write(1, b" reply after %d of %d" % (data.index(b"REPLY"), len(data)))
    """
    start = launcher(python(script), None, child_environment(os.environ))
    process = start(80, 24, on_output=seen.extend, on_exit=ends.append)
    await until(lambda: b"ready" in seen)
    process.send_signal(signal.SIGSTOP)
    assert process.write(b"x" * 500_000 + b"END")
    assert process.reply(b"REPLY")
    assert process.pending_input > 400_000
    process.send_signal(signal.SIGCONT)
    await asyncio.wait_for(process.wait(), 10)
    await process.close()
    words = seen.decode().split()
    assert int(words[-1]) == 500_008
    assert int(words[-3]) < 100_000
    assert not process.write(b"late")
    assert ends == [process.exit_state]


async def test_the_locale_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = bytearray()
    env = {"PATH": os.environ["PATH"]}
    for extra in ({}, {"LC_CTYPE": "C"}):
        process = launcher(["env"], None, env | extra)(
            80, 24, on_output=seen.extend, on_exit=lambda _state: None
        )
        await process.wait()
        await process.close()
    assert seen.decode().split() == [f"PATH={env['PATH']}", f"PATH={env['PATH']}", "LC_CTYPE=C"]


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_no_terminal_left_is_a_launch_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    before = open_descriptors()
    monkeypatch.setattr(pty_process, "_prepare_terminal", refuse)
    with pytest.raises(LaunchError, match="temporarily unavailable") as caught:
        launcher(["true"], None, {})(80, 24, on_output=print, on_exit=print)
    assert caught.value.kind == "spawn-failed"
    assert open_descriptors() == before


async def test_a_process_is_started_once() -> None:
    process = PtyProcess(["true"], None, {}, 80, 24, on_output=print, on_exit=print)
    assert not process.running
    await process.close()
    empty = PtyProcess([], None, {}, 80, 24, on_output=print, on_exit=print)
    with pytest.raises(LaunchError):
        empty.start()
