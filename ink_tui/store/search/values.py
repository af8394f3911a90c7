"""What a search is given and what it answers: immutable values, safe to hand to another thread."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.passages import Kind
    from ink_tui.model.snippets import Snippet


@dataclass(frozen=True, slots=True)
class SearchTarget:
    """One session file to be searched."""

    path: str
    row: SessionRow | None = None
    """What is known of the session; the file is read for what a filter needs beyond it."""
    child_by_place: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """One text that answers a query."""

    entry_id: str | None
    """Identity of its record, as it stands in the file; `None` for the session's own texts."""
    line: int
    """Physical line of its record, 1-based."""
    offset: int
    """First byte of its record."""
    kind: Kind
    tool: str
    """Name of the tool of a call or a result, cleaned; else empty."""
    time_ms: int | None
    snippet: Snippet
    count: int
    """How often words and patterns stand in the text; 0 where only filters were asked."""
    call_id: str = ""
    """Id of the call that is called or answered, as the file holds it; empty for other texts."""
    kept: bool = False
    """A copy that a compaction kept; its original is a hit of its own, where it can be read."""
    starts: tuple[int, ...] = ()
    """Where words and patterns start in a long text, in characters; only where that was asked."""
    words: tuple[str, ...] = ()
    """What was found, each once; only where that was asked."""


@dataclass(frozen=True, slots=True)
class FoundIn:
    """The hits of one session, in file order."""

    path: str
    session_id: str | None
    cwd: str
    hits: tuple[Hit, ...]
    more: int = 0
    """Hits beyond those kept."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come."""

    searched: int
    """Session files done."""
    total: int


class TroubleKind(StrEnum):
    """Why a session was not, or not wholly, searched."""

    UNREADABLE = "unreadable"
    SLOW_PATTERN = "slow-pattern"
    """The pattern took longer in it than its time for one file."""
    NO_TIME_LEFT = "no-time-left"
    """The pattern's time for the whole query was over before."""
    PATTERN_ENDED = "pattern-ended"
    """The program that runs patterns has ended by itself."""
    LONG_LINE = "long-line"
    """It has lines that are too long to be decoded."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A session that was not, or not wholly, searched."""

    path: str
    kind: TroubleKind
    reason: str
    """Why, in a few words, cleaned."""


SearchEvent: TypeAlias = FoundIn | Progress | Trouble
