"""S9: however the program ends, the terminal is as it was, and no session text is printed."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from tests.e2e import tour
from tests.e2e.terminal import ScreenError
from tests.e2e.tracing import FolderState
from tests.reliability.dying import (
    AT_START,
    IN_AGENT,
    MOMENTS,
    WORKERS,
    Failure,
    agents_of,
    broken,
    check_after,
    go,
    handlers,
    installed,
    make_store,
    started,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row

pytestmark = pytest.mark.e2e

_ENDINGS = ("SIGTERM", "SIGHUP", "closed")
_SHORT = ("list", "tree", "help", "filter", "preflight")
_SIZES = ((100, 30), (60, 20))


def _end(row: Row, folder: Path, name: str, ending: str, size: tuple[int, int]) -> None:
    """End the program from outside in a moment."""
    words = f"{name}, {ending}, {size[0]}x{size[1]}"
    with started(row, folder, ending, installed(folder / "store"), size) as terminal:
        go(terminal, MOMENTS[name])
        if ending == "closed":
            row.check(terminal.hang_up(), words, "still runs")
        else:
            terminal.kill(getattr(signal, ending)).wait_exit()
            check_after(row, terminal, words)


def _break(row: Row, folder: Path, failure: Failure) -> None:
    """Let one function of ours raise: at the start, or by a key in a moment."""
    words = f"{failure.module}.{failure.name} {failure.moment} {failure.key}"
    argv = broken(folder / "store", failure.module, failure.name)
    with started(row, folder, "ended", argv) as terminal:
        if failure.moment:
            with suppress(ScreenError):  # the way there may need what raises
                go(terminal, MOMENTS[failure.moment])
                terminal.send(failure.key)
        status = terminal.wait_exit()
        row.check(status == 3, words, "status", status)
        check_after(row, terminal, words)
        printed = bytes(terminal.raw).rpartition(b"\x1b[?1049l")[2]
        row.check(b"line " in printed or b"report" in printed, words, printed[-300:])


def _kill_agent(row: Row, folder: Path, name: str, number: int, size: tuple[int, int]) -> None:
    """Kill the agent of a pane: the program goes on, and ends as it should."""
    words = f"{name}, agent killed by {signal.Signals(number).name}, {size[0]}x{size[1]}"
    with started(row, folder, "agent killed", installed(folder / "store"), size) as terminal:
        go(terminal, MOMENTS[name])
        for pid in agents_of(terminal):
            os.kill(pid, number)
        terminal.wait_for(lambda seen: not agents_of(seen))
        tour.settle(terminal, 0.3, 3)
        tour.press(terminal, "escape escape ctrl+q")
        row.check(terminal.wait_exit() == 0, words, "did not end by itself")
        check_after(row, terminal, words)


def _check_store(row: Row, before: FolderState, folder: Path) -> None:
    for difference in before.differences(FolderState.of(folder / "store")):
        row.check(False, difference)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a store and the home that goes with it."""
    make_store(tmp_path)
    return tmp_path


def test_ended_by_a_signal(ledger: Ledger, folder: Path) -> None:
    what = "SIGTERM, SIGHUP or a closed terminal in any screen: terminal as before, store untouched"
    before = FolderState.of(folder / "store")
    with ledger.row("S9 signals", what, least=15) as row:
        for name in _SHORT:
            for ending in _ENDINGS:
                _end(row, folder, name, ending, _SIZES[0])
        _check_store(row, before, folder)


@pytest.mark.long
@pytest.mark.parametrize("size", _SIZES)
def test_ended_by_a_signal_anywhere(ledger: Ledger, folder: Path, size: tuple[int, int]) -> None:
    what = "the same in every screen and dialog, wide and narrow"
    before = FolderState.of(folder / "store")
    with ledger.row(f"S9 signals {size[0]}x{size[1]}", what, least=80, part="long") as row:
        for name in MOMENTS:
            for ending in _ENDINGS:
                _end(row, folder, name, ending, size)
        _check_store(row, before, folder)


def test_ended_by_an_error(ledger: Ledger, folder: Path) -> None:
    what = "an error of our own anywhere: terminal as before, places printed, no session text"
    before = FolderState.of(folder / "store")
    with ledger.row("S9 errors", what, least=8) as row:
        for failure in AT_START:
            _break(row, folder, failure)
        _check_store(row, before, folder)


@pytest.mark.long
def test_ended_by_an_error_anywhere(ledger: Ledger, folder: Path) -> None:
    what = "the same in every handler of a key, every worker, and what is drawn"
    before = FolderState.of(folder / "store")
    with ledger.row("S9 errors", what, least=100, part="long") as row:
        for failure in (*AT_START, *WORKERS, *handlers()):
            _break(row, folder, failure)
        _check_store(row, before, folder)


@pytest.mark.long
def test_the_agent_is_killed(ledger: Ledger, folder: Path) -> None:
    what = "the agent of the pane is killed in any moment: the program goes on, and ends well"
    before = FolderState.of(folder / "store")
    with ledger.row("S9 agent killed", what, least=20, part="long") as row:
        for name in IN_AGENT:
            for number in (signal.SIGKILL, signal.SIGSEGV):
                for size in _SIZES:
                    _kill_agent(row, folder, name, number, size)
        _check_store(row, before, folder)
