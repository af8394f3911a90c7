"""Records of a session file (`formats/ink.md` section 3).

Nodes of the tree are all entries with an id except labels. Markers (`PositionMarker`,
`ModelMarker`) have no id and are not in the tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NewType, TypeAlias

from ink_tui.model.ids import EntryId as EntryId  # noqa: TC001 - taken from here as well

if TYPE_CHECKING:
    from ink_tui.model.messages import Cut, Message, Usage

SessionId = NewType("SessionId", str)
"""Header id of a session, exactly as it stands in the file (not cleaned)."""


UNCOUNTED = -(1 << 60)
"""Where the numbers of lines start while those before them have not been counted."""


OVERSIZED_BYTES = 64 << 20
"""Lines longer than this are oversized: their texts are never kept, only where they start."""


@dataclass(frozen=True, slots=True)
class Span:
    """Where a line stands in its file."""

    offset: int
    """First byte of the line, 0-based."""
    length: int
    """Bytes of the line, its newline included when there is one."""
    line: int
    """Physical line number as an editor counts, 1-based; far below where it is not known."""
    agent_line: int
    """The same line as Ink counts it, blank lines left out, 1-based; 0 for a blank line."""

    @property
    def oversized(self) -> bool:
        """Whether the line is too long for its texts to be kept or shown whole."""
        return self.length > OVERSIZED_BYTES

    @property
    def place(self) -> str:
        """The line in words, as `line 1,204`; empty where its number is not known."""
        return f"line {self.line:,}" if self.line > 0 else ""


@dataclass(frozen=True, slots=True)
class MessageEntry:
    """One message of the conversation."""

    id: EntryId
    parent_id: EntryId | None
    timestamp: str
    time_ms: int | None
    span: Span
    message: Message


@dataclass(frozen=True, slots=True)
class CompactionEntry:
    """Older messages were replaced by a summary; the retained tail was copied word for word."""

    id: EntryId
    parent_id: EntryId | None
    timestamp: str
    time_ms: int | None
    span: Span
    summary: str
    retained_tail: tuple[Message, ...] | None
    """`None` when the field is missing or not a list: the context cannot be rebuilt from it."""
    tokens_before: int | None
    usage: Usage | None = None
    model: str | None = None
    cut: Cut | None = None
    """Set where `summary` is only the start."""


@dataclass(frozen=True, slots=True)
class BranchSummaryEntry:
    """A summary of a branch that the user left."""

    id: EntryId
    parent_id: EntryId | None
    timestamp: str
    time_ms: int | None
    span: Span
    summary: str
    cut: Cut | None = None
    """Set where `summary` is only the start."""


@dataclass(frozen=True, slots=True)
class ThinkingLevelEntry:
    """The user changed how much the model thinks."""

    id: EntryId
    parent_id: EntryId | None
    timestamp: str
    time_ms: int | None
    span: Span
    level: str


@dataclass(frozen=True, slots=True)
class InfoEntry:
    """The user named the session; an empty name clears it."""

    id: EntryId
    parent_id: EntryId | None
    timestamp: str
    time_ms: int | None
    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class LabelEntry:
    """A label on another entry; never a node of the tree, never the leaf."""

    id: EntryId
    parent_id: EntryId | None
    timestamp: str
    time_ms: int | None
    span: Span
    target_id: EntryId
    label: str
    """Empty removes the label."""


@dataclass(frozen=True, slots=True)
class UnknownEntry:
    """Whole JSON of a kind that is not known, or that fails the agent's checks; kept and shown.

    It is a node of the tree when it has a usable id, and counts as a bad line all the same.
    """

    id: EntryId | None
    parent_id: EntryId | None
    timestamp: str
    time_ms: int | None
    span: Span
    type_name: str
    preview: str


@dataclass(frozen=True, slots=True)
class PositionMarker:
    """The user moved the write position without appending (`/fork`, `/tree`)."""

    span: Span
    leaf_id: EntryId | None
    valid: bool
    """False when `leafId` is neither a string nor null: the agent accepts and ignores the line."""


@dataclass(frozen=True, slots=True)
class ModelMarker:
    """The model in force from here on, whatever the branch."""

    span: Span
    provider: str
    model_id: str
    explicit: bool


Node: TypeAlias = (
    MessageEntry
    | CompactionEntry
    | BranchSummaryEntry
    | ThinkingLevelEntry
    | InfoEntry
    | UnknownEntry
)
"""Entries that can stand in the tree."""

Entry: TypeAlias = Node | LabelEntry
Record: TypeAlias = Entry | PositionMarker | ModelMarker
