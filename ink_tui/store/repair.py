"""Repairing the end of an Ink file in place, with a backup, a journal and an undo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.liveness import NOBODY, Holder
from ink_tui.store.repair_plan import (
    AddNewline,
    CloseCalls,
    CutTail,
    RepairPlan,
    RepairStep,
    plan_repair,
)

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.store.file_state import FileState

__all__ = [
    "AddNewline",
    "CloseCalls",
    "CutTail",
    "RepairOutcome",
    "RepairPlan",
    "RepairStep",
    "apply_repair",
    "plan_repair",
    "undo_last",
]


@dataclass(frozen=True, slots=True)
class RepairOutcome:
    """What a repair, or its undo, has done."""

    path: Path
    state: FileState
    """The file afterwards."""
    backup: Path
    """Copy of the file as it was before, in our own state folder."""
    cut_bytes: int
    added_bytes: int
    closed: tuple[str, ...]
    """Ids of the calls that were closed."""
    sentence: str
    """The result in words, for example "Repaired: 213 bytes saved aside, u undoes it"."""


def apply_repair(
    plan: RepairPlan,
    *,
    state_dir: Path,
    now_ms: int,
    holder: Holder = NOBODY,
    confirmed: bool = False,
) -> RepairOutcome:
    """Do what a plan says, by the eight steps of `trust.md` 2.5.

    Args:
        plan: The plan that was shown.
        state_dir: Our own state folder: backups, journal and locks live below it.
        now_ms: The present, in milliseconds since 1970.
        holder: Who holds the session now, looked up again just before.
        confirmed: The user was asked a second time.

    Raises:
        RefusedError: Nothing was changed: the plan is not allowed, the file changed since, ...
        StoreError: The system refused; the sentence says what state the file is in.
    """
    raise NotImplementedError


def undo_last(
    path: Path, *, state_dir: Path, now_ms: int, holder: Holder = NOBODY
) -> RepairOutcome:
    """Reverse our last repair of a file, while nothing was written since.

    Args:
        path: The session file.
        state_dir: Our own state folder.
        now_ms: The present, in milliseconds since 1970.
        holder: Who holds the session now.

    Raises:
        RefusedError: `nothing-to-undo`, `changed-since` (the sentence names the backup), `in-use`.
        StoreError: The system refused.
    """
    raise NotImplementedError
