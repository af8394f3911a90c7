"""What a repair of an Ink file would do, byte for byte, before anything is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ink_tui.model.liveness import NOBODY, Freshness, Holder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.file_state import FileState


@dataclass(frozen=True, slots=True)
class CutTail:
    """Cut the unfinished last record."""

    offset: int
    """First byte that goes, 0-based."""
    count: int
    """Bytes that go: all from `offset` to the end of the file."""
    preview: str
    """Their beginning, cleaned, on one line, cut to a bounded length."""


@dataclass(frozen=True, slots=True)
class AddNewline:
    """Add the newline that the last record lacks: one byte."""

    offset: int
    """Where the byte goes: the size of the file."""


@dataclass(frozen=True, slots=True)
class CloseCalls:
    """Append one record that closes the open calls with an error result of unknown outcome."""

    offset: int
    """Where the record goes, 0-based, after the other steps."""
    line: bytes
    """The exact bytes, newline included."""
    call_ids: tuple[str, ...]
    """Exactly as they stand in the file, in order."""
    tools: tuple[str, ...]
    """Names of the tools, cleaned, in the same order."""


RepairStep: TypeAlias = CutTail | AddNewline | CloseCalls


@dataclass(frozen=True, slots=True)
class RepairPlan:
    """A repair that can be shown, and done only while the file is as it was (`trust.md` 2.5)."""

    path: Path
    state: FileState | None
    """`None` when the file could not be looked at."""
    steps: tuple[RepairStep, ...]
    """In the order in which they are done; empty when nothing needs to be done."""
    backup_name: str
    """Name of the copy in our own state folder; empty when nothing is to be done."""
    allowed: bool
    refusal_kind: str | None
    """Short stable word, for example `in-use`, `foreign-tail`, `symlink`; `None` when allowed."""
    sentence: str
    """What will be done, or why nothing is: in full words."""
    needs_confirmation: bool
    """The file changed lately or somebody may use it: ask a second, explicit time."""
    freshness: Freshness = Freshness.COLD
    holder: Holder = NOBODY
    entries_after: int = 0
    """Records with an id that the file must hold afterwards."""

    @property
    def needed(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.steps)


def plan_repair(
    path: Path,
    *,
    now_ms: int,
    holder: Holder = NOBODY,
    own_pane_ended: bool = False,
    new_id: Callable[[], str] | None = None,
) -> RepairPlan:
    """Look at a file and return the plan of its repair; never raises, never writes.

    Args:
        path: The session file.
        now_ms: The present, in milliseconds since 1970; also the time stamp of an added record.
        holder: Who holds the session (`ink_tui.store.holders.find_holder`).
        own_pane_ended: Our own pane was the last writer and its agent has exited: then a file
            that changed a moment ago counts as cold.
        new_id: Source of entry ids; the default draws random ones.
    """
    raise NotImplementedError


def read_diagnosis(path: Path) -> tuple[Diagnosis, FileState]:
    """Read a session file whole by the strict rules of a repair and return its state.

    Raises:
        RefusedError: Not a plain file of ours: `symlink`, `not-regular`, `hard-link`, ...
        StoreError: The system refuses.
    """
    raise NotImplementedError
