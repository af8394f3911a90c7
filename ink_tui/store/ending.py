"""Reading the end of a long session file before the rest, so that it is shown at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ink_tui.formats.ink.ending import ending_of
from ink_tui.model.ending import diagnosed_ending
from ink_tui.store.files import open_for_reading, read_range
from ink_tui.store.glance import glance_row

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.liveness import Holder
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.discover import FoundFile
    from ink_tui.store.files import Fingerprint

_HEAD_BYTES = 65_536
LAST_BYTES = (262_144, 1 << 20, 4 << 20)
"""How much of the end is read, more and more until enough is known of the branch."""

_ENOUGH = 80
"""Records of the branch that fill any screen."""


@dataclass(frozen=True, slots=True)
class OpenedEnding:
    """The end of a session whose whole has not been read."""

    path: str
    row: SessionRow
    """What the list says of it; its counts are those of the file as it is now, or not known."""
    diagnosis: Diagnosis | None
    """The known end of the branch (`ink_tui.model.ending`); `None` where that is not known."""
    state: Fingerprint


def open_ending(
    item: FoundFile, known: SessionRow | None, holder_of: Callable[[SessionRow], Holder] | None
) -> OpenedEnding:
    """Return the end of a session.

    Args:
        item: Its file.
        known: Its row in the list, which counts if it is about the file as it is now.
        holder_of: Tells who holds a session; asked where a call is open.

    Raises:
        UnreadableError: It cannot be read.
    """
    diagnosis, state = read_ending(item.path)
    row = known
    now = (state.size, state.changed_ms)
    if row is None or not row.complete or (row.size, row.changed_ms) != now:
        row = glance_row(item)
    if holder_of is not None and diagnosis is not None and diagnosis.open_calls:
        row = replace(row, holder=holder_of(row))
    return OpenedEnding(item.path, row, diagnosis, state)


def read_ending(path: str) -> tuple[Diagnosis | None, Fingerprint]:
    """Return the known end of a session's branch, and the state of its file.

    Raises:
        UnreadableError: The file cannot be read.
    """
    with open_for_reading(path) as (descriptor, state):
        head = read_range(descriptor, 0, min(_HEAD_BYTES, state.size))
        best: Diagnosis | None = None
        for length in LAST_BYTES:
            first = max(0, state.size - length)
            found = _read(head, read_range(descriptor, first, length), first)
            best = found or best
            if first == 0 or (best is not None and len(best.branch.entries) >= _ENOUGH):
                break
        return best, state


def _read(head: bytes, piece: bytes, first: int) -> Diagnosis | None:
    """Return what the whole lines at the end of a piece of the file tell.

    Args:
        head: The first bytes of the file.
        piece: Its last ones.
        first: Where they start (0-based).
    """
    start = piece.find(b"\n") + 1
    if not start:
        return None
    session = ending_of(head, piece[start:], first + start)
    return diagnosed_ending(session) if session is not None else None
