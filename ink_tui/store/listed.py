"""All sessions of some roots as lines to print, for a command that shows none of them.

What is known is printed as it was kept, without a row being made of it; what has to be read is
shared by two processes, which hand over what is to be printed and kept, not values.
"""

from __future__ import annotations

import marshal
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.liveness import RECENT_MS, freshness
from ink_tui.store.discover import find_session_files
from ink_tui.store.files import UnreadableError
from ink_tui.store.findings import Job
from ink_tui.store.row_lines import RowLine, line_of
from ink_tui.store.rows import recalled, unreadable_row
from ink_tui.store.shares import shared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ink_tui.model.liveness import Freshness
    from ink_tui.store.cache import Entry, RowCache
    from ink_tui.store.discover import FoundFile

_KEPT_AT_ONCE = 500
"""Sessions read whole that are kept in one transaction: what was read is not lost with the rest."""


@dataclass(slots=True)
class Known:
    """What the cache says of the files that are there."""

    lines: dict[str, RowLine]
    """Of files that are as they were when they were read whole."""
    stale: list[str]
    """Files that are known and have changed."""
    gone: list[str]
    """Files below the roots that are no longer there."""


@dataclass(frozen=True, slots=True)
class Listed:
    """All sessions of some roots."""

    lines: list[RowLine]
    """Newest activity first, ties by path."""
    fresh: Mapping[str, Freshness]
    """How fresh the files are that changed not long ago, by path; all others are cold."""


def listed(
    roots: Sequence[str], cache: RowCache | None, *, quick: bool, clock: Callable[[], int]
) -> Listed:
    """Return the lines of all sessions.

    Args:
        roots: Session roots.
        cache: What earlier starts found out; what is read whole is kept there.
        quick: Read no more than the two ends of files that are not known; else read them whole.
        clock: The present in milliseconds since 1970.
    """
    found = {item.path: item for item in find_session_files(roots)}
    known = _known(roots, cache, found) if cache is not None else Known({}, [], [])
    others = [item for path, item in found.items() if path not in known.lines]
    lines = list(known.lines.values())
    if cache is not None:
        cache.drop(known.gone)
    readable = [item for item in others if item.state is not None]
    lines += [line_of(unreadable_row(item)) for item in others if item.state is None]
    if quick:
        lines += _glanced(readable, known, cache)
    else:
        lines += _read(readable, known, cache)
    lines.sort()
    return Listed(lines, _fresh(found, clock()))


def _known(roots: Sequence[str], cache: RowCache, found: Mapping[str, FoundFile]) -> Known:
    """Compare what is kept with the files that are there."""
    known = Known({}, [], [])
    below = tuple(root.rstrip("/") + "/" for root in roots)
    for line, state in cache.lines():
        item = found.get(line.path)
        if item is None:
            if line.path.startswith(below):
                known.gone.append(line.path)
        elif item.state == state and line.left_out >= item.child_by_place:
            known.lines[line.path] = line
        else:
            known.stale.append(line.path)
    return known


def _glanced(items: Sequence[FoundFile], known: Known, cache: RowCache | None) -> Iterator[RowLine]:
    """Yield the lines of files of which no more than the two ends is read."""
    if not items:
        return
    from ink_tui.store.glance import glance_row  # where all is known it is never needed

    provisional = cache.load(known.stale) if cache is not None else {}

    def glance(number: int) -> bytes:
        item = items[number]
        cached = provisional.get(item.path)
        try:
            if cached is not None and item.state is not None:
                row = recalled(cached, item.state, child=item.child_by_place)
            else:
                row = glance_row(item)
        except UnreadableError as error:
            if error.kind == "vanished":
                return b""
            row = unreadable_row(item, error)
        return marshal.dumps((*line_of(row),))

    for _number, answer in shared(len(items), glance):
        if answer:
            yield RowLine(*marshal.loads(answer))


def _read(items: Sequence[FoundFile], known: Known, cache: RowCache | None) -> Iterator[RowLine]:
    """Yield the lines of files that are read whole, those written last first, and keep them."""
    if not items:
        return
    from ink_tui.store.cache import entry_of
    from ink_tui.store.whole import read_whole

    newest = sorted(items, key=lambda item: -(item.state.mtime_ns if item.state else 0))
    seen = cache.histories(known.stale) if cache is not None else {}

    def read(number: int) -> bytes:
        item = newest[number]
        job = Job(item.path, item.child_by_place, seen.get(item.path, b""))
        try:
            finding = read_whole(job.path, child=job.child, seen=job.seen)
        except UnreadableError as error:
            if error.kind == "vanished":
                return b""
            return marshal.dumps(((*line_of(unreadable_row(item, error)),), None))
        line, (row, kept) = line_of(finding.row), entry_of(item.path, finding)
        return marshal.dumps(((*line,), (row, kept)))

    entries: list[Entry] = []
    for _number, answer in shared(len(newest), read):
        if not answer:
            continue
        line, entry = marshal.loads(answer)
        if entry is not None:
            entries.append(entry)
        if cache is not None and len(entries) >= _KEPT_AT_ONCE:
            cache.keep_entries(entries)
            entries.clear()
        yield RowLine(*line)
    if cache is not None:
        cache.keep_entries(entries)


def _fresh(found: Mapping[str, FoundFile], now_ms: int) -> dict[str, Freshness]:
    since_ns = (now_ms - RECENT_MS) * 1_000_000
    return {
        path: freshness(now_ms, item.state.changed_ms)
        for path, item in found.items()
        if item.state is not None and item.state.mtime_ns > since_ns
    }
