"""Where a session can be forked, and what a fork copies (`design.md` section 6)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ink_tui.model.entries import EntryId, LabelEntry, Node
    from ink_tui.model.messages import ToolCall
    from ink_tui.model.verdict import Diagnosis


class ForkHow(StrEnum):
    """Where a copy ends, seen from the entry that was chosen."""

    BEFORE = "before"
    """Everything before a user message; its text goes into the new prompt."""
    THROUGH = "through"
    """Everything through the entry, with the results of its calls."""


@dataclass(frozen=True, slots=True)
class ForkPoint:
    """One entry at which a fork is offered."""

    entry_id: EntryId
    how: ForkHow
    end: EntryId
    """The last entry that is copied."""
    records: int
    """How many entries are copied, the header and labels not counted."""
    closes: int
    """How many open calls are closed in the copy."""
    moved: bool
    """The copy ends earlier than asked for, because the rest cannot be continued."""


@dataclass(frozen=True, slots=True)
class ForkPlan:
    """What goes into a copy, or why there cannot be one."""

    entry_id: EntryId | None
    """The entry that was asked for; `None` when the file has none."""
    how: ForkHow
    entries: tuple[Node, ...]
    """Entries that are copied, in path order; empty when refused."""
    labels: tuple[LabelEntry, ...]
    """Labels on them, in file order."""
    closing: tuple[ToolCall, ...]
    """Open calls that the copy closes with an error result of unknown outcome."""
    prompt: str
    """Text of the user message that was chosen, cleaned; empty otherwise."""
    moved: bool
    sentence: str
    """What is copied, which entry was taken when it had to be another one, or why nothing is."""
    refusal: str | None
    """Short stable word; `None` when the copy can be made."""

    @property
    def allowed(self) -> bool:
        """Whether the copy can be made."""
        return self.refusal is None

    @property
    def end(self) -> EntryId | None:
        """The last entry that is copied."""
        return self.entries[-1].id if self.entries else None


def fork_points(diagnosis: Diagnosis) -> tuple[ForkPoint, ...]:
    """Return the entries at which a fork is offered, in file order."""
    raise NotImplementedError


def fork_plan_at(diagnosis: Diagnosis, entry_id: EntryId) -> ForkPlan:
    """Return what a fork at an entry copies, or why it cannot be made."""
    raise NotImplementedError


def fork_plan(diagnosis: Diagnosis) -> ForkPlan:
    """Return what a fork of the whole session copies: through the resume point or near it."""
    raise NotImplementedError
