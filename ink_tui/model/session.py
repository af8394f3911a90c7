"""A session: one conversation with everything its file says, good or bad."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.entries import EntryId, LabelEntry, Node, Record, SessionId, Span
    from ink_tui.model.faults import Fault, FaultCode, Tail
    from ink_tui.model.recovered import RecoveredRecord


@dataclass(frozen=True, slots=True)
class Header:
    """The first record of a session file (`formats/ink.md` section 2)."""

    id: SessionId
    version: int | str | None
    timestamp: str
    time_ms: int | None
    cwd: str
    """Working directory exactly as written (not cleaned); empty when the header has none."""
    parent_id: SessionId | None
    """Header id of the parent: its presence marks a sub-agent session."""
    has_launch: bool
    provider: str | None
    model_id: str | None
    forked_from: tuple[str, str | None] | None
    """Our own field: session id and entry id that this session was copied from."""
    span: Span
    launch_parent_id: SessionId | None = None
    """Session id of the parent in a launch record that Ink would use (2.1); else `None`."""


@dataclass(frozen=True, slots=True)
class Session:
    """Everything one session file says; built only by a format adapter.

    Invariants: `records` stand in file order, all lines that can be read are among them;
    `nodes` are the tree's entries in file order with the last one winning where an id stands
    twice; `bad_lines` are physical line numbers.
    """

    format_name: str
    header: Header | None
    """`None` when the first line is not a usable header of this format."""
    records: tuple[Record, ...]
    nodes: Mapping[EntryId, Node]
    """Entries of the tree by id; where an id stands more than once, the last one."""
    labels: Mapping[EntryId, str]
    """Labels in force by target id, cleaned; file-wide, the last one wins."""
    faults: tuple[Fault, ...]
    """Faults of lines and header, in file order; tree and call faults are found by `verdict`."""
    tail: Tail
    error_kind: FaultCode | None
    """Why the agent's own loader refuses the file; `None` when it opens it."""
    error_line: int | None
    error_line_agent: int | None
    bad_lines: tuple[int, ...]
    size: int
    """Bytes of the file that this value describes."""
    lines: int
    """Physical lines, a last one without newline included."""
    last_time_ms: int | None
    """Newest readable time stamp in the file."""
    duplicates: Mapping[EntryId, int] = field(default_factory=dict)
    """Ids that stand more than once, with their number."""
    label_entries: tuple[LabelEntry, ...] = ()
    recovered: tuple[RecoveredRecord, ...] = ()
    """Whole records on bad lines, in file order; among neither `records` nor `nodes`."""
    recovered_header: Header | None = None
    """The header that stands whole on a first line which cannot be read."""

    @property
    def readable(self) -> bool:
        """Whether the agent's own loader opens the file."""
        return self.error_kind is None
