"""Rows of the session tree as values (`ui.md` section 4, "Tree row")."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.tree_choice import FilterMode as FilterMode  # known by this name as well
from ink_tui.model.words import Mark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.entries import EntryId, Span
    from ink_tui.model.messages import ToolCall, ToolResult

INDENT_CELLS = 2
"""How far the rows of an opened branch stand to the right of their branch point."""

MAX_INDENT = 12
"""Deeper rows stand no farther to the right; they are marked instead."""

FOLD_ABOVE = 8
"""More summarised rows than this fold to one."""


HEADING_KEY = "heading:"
"""Start of the keys of headings."""

EARLIER_KEY = f"{HEADING_KEY}earlier"
"""Key of the heading that stands for records which have not been read yet."""


class RowKind(StrEnum):
    """What a row stands for."""

    USER = "user"
    ASSISTANT = "assistant"
    THINKING = "thinking"
    CALL = "call"
    """A tool call, merged with its result."""
    RESULT = "result"
    """A result that no call of its line asks for."""
    COMPACTION = "compaction"
    SUMMARY = "summary"
    """The summary of a branch that was left."""
    LEVEL = "level"
    MODEL = "model"
    NAME = "name"
    UNKNOWN = "unknown"
    FOLD = "fold"
    """Stands for summarised rows."""
    RESUME = "resume"
    TAIL = "tail"
    """What is wrong with the last line."""
    BAD_LINE = "bad-line"
    HEADING = "heading"
    """Heads a section; cannot be selected."""
    POSITION = "position"
    LABEL = "label"
    """A label as a record of its own: where its target is missing, or where all is shown."""
    HIDDEN = "hidden"
    """Stands for the branches of a branch point that the user has hidden."""
    FORK = "fork"
    """Leads to a session that was copied from here."""
    ASIDE = "aside"
    """Says something in the place of records of another session."""


class Rail(StrEnum):
    """What stands at the left edge of a row."""

    NONE = "none"
    TRUNK = "trunk"
    """On the branch that will be continued, in the context."""
    GONE = "gone"
    """On it, summarised away."""
    RESUME = "resume"
    """The resume point itself."""


class CallLook(StrEnum):
    """What the tree says of a call that has no result."""

    NONE = "none"
    """Not a call, or one with a result."""
    OPEN = "open"
    """Loud: in the context of the current branch; may have run."""
    GAP = "gap"
    """Loud: the chat went on after it."""
    RUNNING = "running"
    """An agent writes here: the result is still to come."""
    BEFORE = "before"
    """Quiet: before the compaction."""
    LEFT = "left"
    """Quiet: on a branch that was left."""


LOUD = frozenset({CallLook.OPEN, CallLook.GAP, CallLook.RUNNING})
"""Calls without a result that are never folded and never hidden by a filter."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What a compaction did to the size of the context."""

    before: int | None
    """Tokens as the record says; `None` when it does not."""
    after: int | None
    """Estimated tokens of summary and kept messages; `None` when they are malformed."""
    kept: int
    """Messages copied word for word past it."""


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """One row of the tree."""

    key: str
    """Identity inside the file, unique; stays when the file grows."""
    kind: RowKind
    word: str
    """The kind as it is written: `user`, a tool's name, `torn tail`."""
    text: str = ""
    """Cleaned, on one line, bounded; the whole stands in the record."""
    entry_id: EntryId | None = None
    result_id: EntryId | None = None
    """The entry that holds the call's result."""
    result_span: Span | None = None
    """Its line."""
    notes: tuple[str, ...] = ()
    """Words at the right, most important first."""
    failed: bool = False
    """Whether the notes tell of a failure."""
    duration_ms: int | None = None
    """From the call to its result; `None` where that is not the call's own time."""
    child_id: str | None = None
    """Header id of the sub-agent session of a call."""
    child_records: int | None = None
    time_ms: int | None = None
    span: Span | None = None
    """The line of the record itself."""
    label: str = ""
    mark: Mark = Mark.NONE
    rail: Rail = Rail.NONE
    depth: int = 0
    """How many branches it is away from the trunk."""
    dim: bool = False
    kept: bool = False
    """Copied into the context past the compaction."""
    bold: bool = False
    stub: bool = False
    """First row of a branch that hangs from its branch point."""
    last_stub: bool = False
    """The last stub of its branch point."""
    foldable: bool = False
    opened: bool = False
    count: int = 0
    """What is inside: records of a branch, rows of a fold."""
    inside: str | None = None
    """Key of the foldable row that must be open for this one to be seen."""
    look: CallLook = CallLook.NONE
    changes: tuple[int, int] | None = None
    """Lines that a call adds and removes, as its arguments say."""
    call: ToolCall | None = None
    result: ToolResult | None = None
    sizes: Sizes | None = None
    thin: bool = False
    """A compaction that a later one has made a thin line."""
    only_all: bool = False
    """Seen only where all records are shown."""
    starred: bool = False
    user_note: str = ""
    """What the user wrote about the record, as it was typed."""
    opens: str = ""
    """Path of the session that it leads to; empty for none."""
    guest: bool = False
    """Shows a record of that session, not of the one whose tree it stands in."""
    at_entry: EntryId | None = None
    """That record."""

    @property
    def hosts(self) -> bool:
        """Whether it can be unfolded to records of another session that is known."""
        if self.stub:
            return False
        return self.child_records is not None or (self.kind is RowKind.FORK and bool(self.opens))

    @property
    def problem(self) -> bool:
        """Whether it asks for a person."""
        return self.mark in (Mark.DECIDE, Mark.DAMAGED, Mark.FAILED)

    @property
    def indent(self) -> int:
        """Cells that the row stands to the right."""
        return min(self.depth * INDENT_CELLS, MAX_INDENT)

    @property
    def deeper(self) -> bool:
        """Whether it is deeper than the indent can show."""
        return self.depth * INDENT_CELLS > MAX_INDENT


@dataclass(frozen=True, slots=True)
class Outline:
    """All rows of a session's tree, everything unfolded, containers before what they hold."""

    rows: tuple[OutlineRow, ...]
    places: Mapping[str, int]
    """Index of a row by its key."""
    by_entry: Mapping[EntryId, str]
    """Key of the first row that shows an entry, results with the row of their call."""
    branch_points: frozenset[str]
    """Keys of the last row of each entry that stubs hang from."""
    resume_key: str | None
    empty: bool
    """Whether the session has no record to show."""
    kept: int = field(default=0, compare=False)
    """How many first rows are the very same values as in the outline that this one goes on from."""
    closed: tuple[OutlineRow, ...] | None = field(default=None, compare=False)
    """The rows that are seen while nothing is unfolded; `None` where they were not looked for."""

    def row(self, key: str) -> OutlineRow | None:
        """Return the row of a key."""
        at = self.places.get(key)
        return None if at is None else self.rows[at]


NO_OUTLINE = Outline((), {}, {}, frozenset(), None, True)
