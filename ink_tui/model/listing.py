"""Rows of the session list as values."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from operator import attrgetter

from ink_tui.model.faults import FaultCode, TailState
from ink_tui.model.gist import NOTHING_SAID, Gist
from ink_tui.model.liveness import NOBODY, Freshness, Holder
from ink_tui.model.verdict_kinds import Verdict


@dataclass(frozen=True, slots=True)
class SessionRow:
    """What the list says about one session file; unknown facts are `None`, never zero."""

    path: str
    """Path of the file, exactly as the system gives it (may hold half surrogates)."""
    session_id: str | None = None
    cwd: str = ""
    """Working directory from the header, exactly as written; empty when there is none."""
    title: str = ""
    """Whole, cleaned; empty when the session has none."""
    last_ms: int | None = None
    """Newest time stamp in the file, else the file's own time."""
    started_ms: int | None = None
    size: int = 0
    child: bool = False
    """A sub-agent session, by its place or its header."""
    parent_id: str | None = None
    launch_parent_id: str | None = None
    """Session id of the parent in a sub-agent's launch record; `None` without a valid one."""
    forked_from: str | None = None
    """Session id that this one was copied from."""
    forked_at: str | None = None
    """Id of the last record that was copied."""
    empty: bool = False
    message_seen: bool = False
    """A message stands in what has been read, be that only the ends of the file."""
    verdict: Verdict | None = None
    error_kind: str | None = None
    """A `FaultCode`, or why the file cannot be read: `permission-denied`, `not-regular`, ..."""
    reason: str = ""
    """The fact behind `error_kind` in a few words, cleaned."""
    error_line: int | None = None
    error_offset: int | None = None
    tail_state: TailState = TailState.OK
    torn_bytes: int = 0
    open_calls: int = 0
    """Calls of the context without a result."""
    refusal: FaultCode | None = None
    not_connected: int = 0
    """Records that no root leads to, or whose parent was never written."""
    records: int | None = None
    messages: int | None = None
    """Messages of the current branch."""
    branches: int | None = None
    compactions: int | None = None
    model_id: str | None = None
    gist: Gist = NOTHING_SAID
    rewritten_at: int | None = field(default=None, compare=False)
    """Byte (0-based) at which lines read at an earlier time have changed, or the file's end if
    lines are gone; `None` while only appends were seen. It is no part of the session's state."""
    changed_ms: int | None = None
    """Time of the file's last change, in milliseconds since 1970."""
    freshness: Freshness = Freshness.COLD
    holder: Holder = NOBODY
    cwd_missing: bool = False
    """The working directory no longer exists on this machine."""
    tail_known: bool = True
    """False while the last line has not been judged: `tail_state` and `torn_bytes` are open."""
    complete: bool = True
    """False while only the head and the end of the file have been read."""

    @property
    def needs_attention(self) -> bool:
        """Whether the row carries a mark that a person must settle."""
        if self.empty and self.error_kind is None:
            return False
        return self.verdict is not None and self.verdict is not Verdict.CLEAN


_NAMES = tuple(field.name for field in fields(SessionRow))
_values_of = attrgetter(*_NAMES)
_FRESHNESS, _CWD_MISSING = _NAMES.index("freshness"), _NAMES.index("cwd_missing")


def at_moment(row: SessionRow, fresh: Freshness, *, cwd_missing: bool) -> SessionRow:
    """Return a row with the facts of the moment; a tenth of the work of `dataclasses.replace`.

    Args:
        row: The row.
        fresh: How fresh its file is.
        cwd_missing: Whether its working directory no longer exists.
    """
    if row.freshness is fresh and row.cwd_missing is cwd_missing:
        return row
    values = list(_values_of(row))
    values[_FRESHNESS], values[_CWD_MISSING] = fresh, cwd_missing
    return SessionRow(*values)
