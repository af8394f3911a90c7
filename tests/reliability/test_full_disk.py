"""R11: a disk that is full after any byte; the system itself writes short and then refuses."""

from __future__ import annotations

import os
import resource
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from ink_tui.errors import StoreError
from ink_tui.store.journal import read_journal
from tests.reliability.trials import EndTrial, trial_of
from tests.reliability.works import HOLDS, WORKS, content_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row
    from tests.reliability.trials import Trial

_WORKS = {
    "repair": ("repair",),
    "salvage": ("salvage",),
    "rename": ("rename",),
    "export": ("export md", "export over"),
    "state": ("state",),
}
_LEAST = {"repair": 2_000, "salvage": 1_200, "rename": 650, "export": 1_200, "state": 140}
_STEP = {"rename": 3, "export": 3}
"""Bytes from one trial to the next, where that is not one."""


@contextmanager
def room_for(octets: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes; Python ignores the signal."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (octets, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


def _try_with(row: Row, trial: Trial, room: int) -> bool:
    """Do the work with so much room; return whether it was refused for want of it."""
    said = ""
    with room_for(room):
        try:
            WORKS[trial.work](trial.path, trial.state)
        except StoreError as error:
            said = str(error)
    if said:
        row.trial()
        why = "File too large" in said or "bytes were written" in said
        row.check(why and said.endswith("."), room, said)
    trial.check(row, (trial.work, room), "failed" if said else "done")
    return bool(said)


@pytest.mark.parametrize("name", list(_WORKS))
def test_a_full_disk(ledger: Ledger, memory: Path, name: str) -> None:
    which = "every third byte" if name in _STEP else "any byte"
    what = f"{name} with the disk full after {which}: {HOLDS.get(name, HOLDS['annotate'])}"
    row_id = "R11" if name == "repair" else f"R11 {name}"
    with ledger.row(row_id, what, least=_LEAST[name]) as row:
        for work in _WORKS[name]:
            trial = trial_of(memory / work.replace(" ", "-"), work, content_for(work))
            room = 0
            while _try_with(row, trial, room):
                if isinstance(trial, EndTrial):
                    _no_copy(row, trial, room)
                room += _STEP.get(name, 1)
                assert room < 20_000, "it is never done"
            row.note("bytes", room)


def _no_copy(row: Row, trial: Trial, room: int) -> None:
    """While there is no room for the copy there is no part of one, and the journal is silent."""
    copies = list(trial.state.glob("backups/*"))
    if room < len(trial.old):
        row.check(not copies, room, "a part of a copy is left")
        row.check(not read_journal(trial.state), room, "the journal names it")
    elif copies:
        # The copy had room, what came after it had none: the journal would grow with each trial.
        shutil.rmtree(trial.state)


def test_a_part_of_a_copy_that_cannot_be_removed(
    ledger: Ledger, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    what = "the disk full and nothing can be removed: no part of a copy is taken for a session"

    def refuse(*_arguments: object, **_more: object) -> None:
        raise OSError(30, "Read-only file system")

    with ledger.row("R11 leftovers", what, least=240) as row:
        trial = trial_of(memory / "salvage", "salvage", content_for("salvage"))
        for room in range(0, 5 * row.least, 5):
            with monkeypatch.context() as patch:
                patch.setattr(os, "unlink", refuse)
                row.check(_try_with(row, trial, room), room, "was not refused")
            left = [item for item in trial.path.parent.iterdir() if item != trial.path]
            row.check(len(left) == 1, room, "left behind", left)
            left[0].unlink()
