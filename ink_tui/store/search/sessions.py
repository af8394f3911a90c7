"""What a search must know of a session beyond its texts: which it is, when it was last active.

Cheap facts come from the first line and from the last time stamp near the end of the file; what a
filter asks beyond them is read from the whole file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ink_tui.formats.decode import NotJson, decode
from ink_tui.formats.ink.records import BadHeader, read_header
from ink_tui.formats.ink.values import time_ms
from ink_tui.model.entries import Span
from ink_tui.model.listing import SessionRow
from ink_tui.model.liveness import NOBODY, freshness
from ink_tui.model.row_making import row_of
from ink_tui.store.discover import FoundFile, find_session_files
from ink_tui.store.files import UnreadableError, open_for_reading, read_range
from ink_tui.store.reader import read_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ink_tui.model.liveness import Holder
    from ink_tui.model.session import Header
    from ink_tui.store.search.values import SearchTarget

_HEAD_BYTES = 65_536
_TAIL_BYTES = (4_096, 65_536)
"""How much of the end is looked at for a time stamp: first little, then more."""

_STAMP = re.compile(rb'"timestamp":"([0-9TZ:.+-]{10,40})"')
_NOWHERE = Span(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Ordered:
    """Session files in the order in which they are searched, and those that cannot be read."""

    files: tuple[FoundFile, ...]
    """Newest activity first, ties by path."""
    unreadable: tuple[FoundFile, ...]


def newest_first(roots: Iterable[str]) -> Ordered:
    """Return the session files below some roots by their newest time stamp near the end.

    Where none is found, the time of the file counts (`design.md` section 6).
    """
    found = find_session_files(roots)
    moments: list[tuple[int, str, FoundFile]] = []
    for item in found:
        if item.state is None:
            continue
        moment = item.state.changed_ms
        try:
            with open_for_reading(item.path) as (descriptor, state):
                stamp = last_stamp(descriptor, state.size)
            moment = moment if stamp is None else stamp
        except UnreadableError:
            pass  # the search itself will say so
        moments.append((-moment, item.path, item))
    moments.sort(key=lambda each: each[:2])
    return Ordered(
        files=tuple(item for _moment, _path, item in moments),
        unreadable=tuple(item for item in found if item.state is None),
    )


def last_stamp(descriptor: int, size: int) -> int | None:
    """Return the last time stamp near the end of a file, in milliseconds since 1970."""
    for length in _TAIL_BYTES:
        end = read_range(descriptor, max(0, size - length), length)
        for match in reversed(list(_STAMP.finditer(end))):
            moment = time_ms(match.group(1).decode("ascii"))
            if moment is not None:
                return moment
        if length >= size:
            break
    return None


def header_of(path: str) -> Header | None:
    """Return the header of a session file, or `None` when its first line is none.

    Raises:
        UnreadableError: The file cannot be read.
    """
    with open_for_reading(path) as (descriptor, _state):
        return _header(descriptor)


def light_row(target: SearchTarget, *, now_ms: int, holder: Holder = NOBODY) -> SessionRow:
    """Return what the two ends of a file tell of its session; never complete.

    Raises:
        UnreadableError: The file cannot be read.
    """
    with open_for_reading(target.path) as (descriptor, state):
        header = _header(descriptor)
        stamp = last_stamp(descriptor, state.size)
    fork = header.forked_from if header is not None else None
    return SessionRow(
        path=target.path,
        session_id=header.id if header else None,
        cwd=header.cwd if header else "",
        last_ms=state.changed_ms if stamp is None else stamp,
        size=state.size,
        child=target.child_by_place or (header is not None and header.parent_id is not None),
        parent_id=header.parent_id if header else None,
        forked_from=fork[0] if fork else None,
        changed_ms=state.changed_ms,
        freshness=freshness(now_ms, state.changed_ms),
        holder=holder,
        complete=False,
    )


def whole_row(
    target: SearchTarget, *, now_ms: int, holder_of: Callable[[SessionRow], Holder] | None
) -> SessionRow:
    """Return the row of a session from its whole file.

    Raises:
        UnreadableError: The file cannot be read.
    """
    diagnosis, state = read_session(target.path)
    row = row_of(diagnosis, target.path, child_by_place=target.child_by_place)
    row = replace(
        row,
        changed_ms=state.changed_ms,
        freshness=freshness(now_ms, state.changed_ms),
    )
    return replace(row, holder=holder_of(row)) if holder_of is not None else row


def _header(descriptor: int) -> Header | None:
    head = read_range(descriptor, 0, _HEAD_BYTES).lstrip(b"\r\n\t ")
    value = decode(head.partition(b"\n")[0])
    if isinstance(value, NotJson):
        return None
    header = read_header(value, _NOWHERE)
    return header.header if isinstance(header, BadHeader) else header
