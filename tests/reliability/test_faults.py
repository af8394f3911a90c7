"""R9, R10 and R11: killed at any system call, refused any system call, and disks that fill up."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from tests.e2e.tracing import TracingError, strace_works
from tests.reliability.trials import Ended, trial_of
from tests.reliability.victim import MUTE, REFUSED, Victim
from tests.reliability.works import HOLDS, ROWS, TORN, content_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row

_ERRORS = ("EIO", "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EINTR")
_INTERRUPTIBLE = {"openat", "read", "pread64", "write", "fsync", "ftruncate", "flock", "close"}
"""Calls that the kernel may break off (EINTR)."""
_ENDED: dict[int, Ended] = {MUTE: "done", -signal.SIGKILL: "killed"}
_LEAST = {
    "repair": 135,
    "undo": 125,
    "fork": 28,
    "salvage": 28,
    "annotate": 250,
    "in place": 125,
    "export": 80,
    "state": 25,
    "trash": 60,
    "cache": 60,
}
"""System calls on files that they make at least."""
_LARGE = ("repair", "undo", "fork", "salvage")
"""Rows that are also tried on larger sessions: those that read or copy them whole."""
_SIZES = (8_192, 65_536 - len(TORN), 70_000, 1_000_000)
"""Bytes: small, one whose end is the edge of what the digest covers, beyond it, and large."""


@pytest.fixture
def victim(memory: Path) -> Iterator[Victim]:
    if not strace_works():
        if os.environ.get("CI") == "true":
            raise TracingError("strace is missing or may not trace here; in CI it is required")
        pytest.skip("strace is missing: install it (apt install strace)")
    process = Victim(memory)
    yield process
    process.close()


def _every_call(
    row: Row, victim: Victim, folder: Path, work: str, content: bytes, faults: tuple[str, ...]
) -> None:
    """Hit every call that undisturbed work makes, one a trial, with the faults in turn."""
    whole = trial_of(folder / "whole", work, content)
    counts = victim.calls(work, whole.path, whole.state)
    whole.close()
    places = [(call, step + 1) for call, count in counts.items() for step in range(count)]
    for number, (call, step) in enumerate(places):
        name = faults[number % len(faults)]
        if name == "EINTR" and call not in _INTERRUPTIBLE:
            name = "EIO"
        inject = f"signal={name}" if name == "SIGKILL" else f"error={name}"
        trial = trial_of(folder / f"{work}-{name}-{number}", work, content)
        status, said, hit = victim.order(
            work, trial.path, trial.state, inject=inject, when=step, calls=call
        )
        words = (work, name, call, step, victim.last_call()[:120])
        row.trial()
        row.check(hit, words, "was not hit")
        trial.check(row, words, _ENDED.get(status, "failed"))
        if name != "SIGKILL":
            row.check(status in (MUTE, REFUSED), words, status, said)
            sentence = status == MUTE or said.rstrip(")").endswith(".")
            row.check(sentence, words, "not a sentence:", said)
            row.check(status == MUTE or name != "EINTR", words, "EINTR was visible:", said)
        if number % 4 == 0 or name == "SIGKILL":
            trial.check_next(row, words)
        trial.close()


@pytest.mark.parametrize("name", list(ROWS))
def test_killed_at_every_call(ledger: Ledger, victim: Victim, memory: Path, name: str) -> None:
    what = f"{name} killed at every file system call: {HOLDS[name]}"
    with ledger.row(f"R9 {name}", what, least=_LEAST[name]) as row:
        for work in ROWS[name]:
            _every_call(row, victim, memory, work, content_for(work), ("SIGKILL",))


@pytest.mark.parametrize("name", ["repair", "salvage"])
def test_killed_at_every_call_of_a_larger_file(
    ledger: Ledger, victim: Victim, memory: Path, name: str
) -> None:
    what = f"{name} of 64 KiB killed at every call: {HOLDS[name]}"
    with ledger.row(f"R9 {name} 64 KiB", what, least=_LEAST[name]) as row:
        for work in ROWS[name]:
            _every_call(row, victim, memory, work, content_for(work, _SIZES[1]), ("SIGKILL",))


@pytest.mark.long
@pytest.mark.parametrize("name", _LARGE)
def test_killed_at_every_call_of_larger_files(
    ledger: Ledger, victim: Victim, memory: Path, name: str
) -> None:
    what = f"{name} of 8 KB, 64 KiB, 70 KB and 1 MB killed at every call: {HOLDS[name]}"
    with ledger.row(f"R9 {name}", what, least=len(_SIZES) * _LEAST[name], part="long") as row:
        for size in _SIZES:
            for work in ROWS[name]:
                _every_call(row, victim, memory, work, content_for(work, size), ("SIGKILL",))


@pytest.mark.parametrize("name", list(ROWS))
def test_every_call_refused(ledger: Ledger, victim: Victim, memory: Path, name: str) -> None:
    what = f"{name} with an error at every system call: {HOLDS[name]}, a sentence"
    with ledger.row(f"R10 {name}", what, least=_LEAST[name]) as row:
        for work in ROWS[name]:
            _every_call(row, victim, memory, work, content_for(work), _ERRORS)


@pytest.mark.long
@pytest.mark.parametrize("name", list(ROWS))
def test_every_call_refused_in_every_way(
    ledger: Ledger, victim: Victim, memory: Path, name: str
) -> None:
    what = f"{name} with {len(_ERRORS)} errors at every system call: the same"
    with ledger.row(f"R10 {name}", what, least=5 * _LEAST[name], part="long") as row:
        for error in _ERRORS:
            for work in ROWS[name]:
                _every_call(row, victim, memory, work, content_for(work), (error,))
