"""What is wrong in a session file, as values with a place (`trust.md` 2.3, `formats/ink.md` 14)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ink_tui.model.entries import Span


class Severity(StrEnum):
    """How much a fault matters to somebody who wants to go on with the session."""

    INFO = "info"
    """Worth knowing, nothing to settle."""
    DECIDE = "decide"
    """Must be settled before the session is continued; a repair exists."""
    DAMAGE = "damage"
    """Readable but damaged; can be shown and forked, not repaired."""
    REFUSED = "refused"
    """The agent refuses the file."""


class FaultCode(StrEnum):
    """Stable names of faults; scripts and tests rely on them."""

    EMPTY_FILE = "empty-file"
    BAD_HEADER = "bad-header"
    UNSUPPORTED_VERSION = "unsupported-version"
    INVALID_JSON = "invalid-json"
    INVALID_RECORD = "invalid-record"
    UNKNOWN_ENTRY_TYPE = "unknown-entry-type"
    TORN_FRAGMENT = "torn-fragment"
    UNTERMINATED = "unterminated"
    INVALID_TAIL = "invalid-tail"
    FOREIGN_TAIL = "foreign-tail"
    MISSING_PARENT = "missing-parent"
    CYCLE = "cycle"
    DUPLICATE_ID = "duplicate-id"
    NOT_CONNECTED = "not-connected"
    STALE_POSITION = "stale-position"
    MALFORMED_COMPACTION = "malformed-compaction"
    OPEN_CALLS = "open-calls"
    GAP = "gap-not-at-tail"
    DUPLICATE_CALL = "duplicate-call-id"
    ORPHAN_RESULT = "orphan-result"
    DUPLICATE_RESULT = "duplicate-result"
    UNREADABLE = "unreadable"


class TailState(StrEnum):
    """The state of the last line of the file."""

    OK = "ok"
    UNTERMINATED = "unterminated"
    """The last record is whole, only its newline is missing."""
    TORN_FRAGMENT = "torn-fragment"
    """The last line is not a JSON value."""
    INVALID_TAIL = "invalid-tail"
    """Whole JSON, but not a valid record: never cut without asking."""
    FOREIGN_TAIL = "foreign-tail"
    """A record of an unknown type: never cut without asking."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, and where."""

    code: FaultCode
    severity: Severity
    span: Span | None
    """The line it is about; `None` when it is about the file or the tree as a whole."""
    detail: str = ""
    """Facts in a few words, cleaned: an id, a parser's message, a count."""
    count: int = 1
    """How many records or calls it stands for."""


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of the file and what a repair would do to it."""

    state: TailState
    torn: str
    """`none`, `truncated` (a repair would cut the last line) or `unterminated`."""
    torn_bytes: int
    """Bytes a repair cuts, or 1 for the newline it adds; 0 when nothing is wrong."""
    span: Span | None = None
    """The last line, when something is wrong with it."""
    offset: int = 0
    """Byte at which a repair cuts or appends."""
