"""What the library hands out: the list at one moment, and a session."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.files import Fingerprint


@dataclass(frozen=True, slots=True)
class Listing:
    """All sessions of a library at one moment."""

    rows: tuple[SessionRow, ...]
    """Newest activity first, ties by path."""
    roots: tuple[str, ...]
    missing_roots: tuple[str, ...]
    """Roots that do not exist."""
    pending: int
    """Sessions that have not been read whole yet; some may have no row."""
    notice: str = ""
    """Why nothing is kept for the next start, in a sentence; empty while all is well."""


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """One session read whole, with what is known of its file."""

    path: str
    diagnosis: Diagnosis
    row: SessionRow
    state: Fingerprint
    gone: bool = False
    """The file has disappeared; this is the last state that was read."""
    trouble: str = ""
    """Why the file cannot be read now, in words; empty when it can."""
    changed_at: int | None = field(default=None, compare=False)
    """Byte (0-based) at which lines read earlier were found changed, or the file's end if lines
    are gone; `None` while only appends were seen. It is no part of the session's state."""
