"""The list rows of a store, made in three looks (`performance.md` section 5).

First names and states of all files, with the rows that are known from an earlier start. Then the
two ends of those that are new, newest first. Then every session whole, in the background. Nothing
here waits for a lock while it reads.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from ink_tui.formats.file_names import FILE_SUFFIX
from ink_tui.model.faults import TailState
from ink_tui.model.listing import SessionRow, at_moment
from ink_tui.model.liveness import Freshness, freshness
from ink_tui.model.row_fields import moment_of
from ink_tui.model.verdict_kinds import Verdict
from ink_tui.store.discover import FoundFile, find_session_files
from ink_tui.store.files import UnreadableError
from ink_tui.store.findings import Job

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ink_tui.store.cache import CachedRow, RowCache
    from ink_tui.store.files import Fingerprint
    from ink_tui.store.findings import Finding


@dataclass(frozen=True, slots=True)
class Waiting:
    """How much is still to be read."""

    unseen: int
    """Files of which nothing but the name is known; they have no row yet."""
    unread: int
    """Rows of sessions that have not been read whole."""


class Rows:
    """One row for each session file that was looked at. Thread safe."""

    def __init__(
        self, roots: Sequence[str], clock: Callable[[], int], cache: RowCache | None = None
    ) -> None:
        """Make it; nothing is looked at yet.

        Args:
            roots: Session roots.
            clock: The present in milliseconds since 1970.
            cache: What earlier starts found out.
        """
        self._roots = tuple(roots)
        self._clock = clock
        self._cache = cache
        self._lock = threading.RLock()
        self._found: dict[str, FoundFile] = {}
        self._rows: dict[str, SessionRow] = {}
        self._unkept: dict[str, Finding] = {}
        self._folders: dict[str, bool] = {}
        self._barred: frozenset[str] = frozenset()

    # What is known

    def ordered(self) -> tuple[SessionRow, ...]:
        """Return all rows, newest activity first, ties by path, judged for this moment."""
        with self._lock:
            now = self._clock()
            for path, row in self._rows.items():
                self._rows[path] = self._judged(row, now)
            return tuple(sorted(self._rows.values(), key=_newest_first))

    def get(self, path: str) -> SessionRow | None:
        """Return the row of a file."""
        return self._rows.get(path)

    def is_known_whole(self, path: str) -> bool:
        """Whether a session was read whole before."""
        row = self._rows.get(path)
        return row is not None and row.complete

    @property
    def waiting(self) -> Waiting:
        """How much is still to be read."""
        with self._lock:
            unseen = sum(1 for path in self._found if path not in self._rows)
            return Waiting(unseen, sum(1 for row in self._rows.values() if not row.complete))

    def judged(self, row: SessionRow) -> SessionRow:
        """Return a row with the facts of the moment: freshness, working folder."""
        with self._lock:
            return self._judged(row, self._clock())

    # The first look: names and states

    def look(self) -> frozenset[str]:
        """Look for all session files and return those that are not as they were.

        New ones get a row if an earlier start knew them.
        """
        found = {item.path: item for item in find_session_files(self._roots)}
        with self._lock:
            first = not self._found
            self._folders.clear()
            gone = (self._rows.keys() | self._found.keys()) - found.keys()
            for path in gone:
                self._rows.pop(path, None)
                self._unkept.pop(path, None)
            others = [item for path, item in found.items() if self._found.get(path) != item]
            for item in others:
                self._changed(item)
            self._found = found
            self._barred = frozenset(
                path for path, item in found.items() if not path.endswith(FILE_SUFFIX)
            )
        if first:
            self._recall()
        elif gone and self._cache is not None:
            self._cache.drop(gone)
        return frozenset(gone).union(item.path for item in others)

    def is_barred(self, path: str) -> bool:
        """Whether a file lies in a folder that cannot be listed, so that no look would find it."""
        barred = self._barred
        return bool(barred) and any(str(folder) in barred for folder in PurePath(path).parents)

    def _changed(self, item: FoundFile) -> None:
        """Keep what can still be said of a file that is another than before."""
        known = self._rows.pop(item.path, None)
        if item.state is None:
            self._rows[item.path] = unreadable_row(item)
        elif known is not None and known.session_id is not None:
            row = replace(known, changed_ms=item.state.changed_ms)
            self._rows[item.path] = as_provisional(row, item.state.size)

    def _recall(self) -> None:
        """Take over the rows of an earlier start, and forget those of files that are gone."""
        if self._cache is None:
            return
        known = self._cache.load()
        with self._lock:
            for path, cached in known.items():
                item = self._found.get(path)
                if item is None or item.state is None or path in self._rows:
                    continue
                self._rows[path] = recalled(cached, item.state, child=item.child_by_place)
            below = tuple(root.rstrip("/") + "/" for root in self._roots)
            gone = [path for path in known if path.startswith(below) and path not in self._found]
        self._cache.drop(gone)

    # The second look: the two ends

    def glance(self, limit: int | None = None) -> None:
        """Look at the two ends of files that have no row yet, those written last first.

        Args:
            limit: Most files; all when left out.
        """
        with self._lock:
            unseen = [item for path, item in self._found.items() if path not in self._rows]
        if not unseen:
            return
        from ink_tui.store.glance import glance_row  # where all is known it is never needed

        unseen.sort(key=lambda item: -(item.state.mtime_ns if item.state is not None else 0))
        for item in unseen[:limit]:
            try:
                row: SessionRow | UnreadableError = glance_row(item)
            except UnreadableError as error:
                row = error
            with self._lock:
                if self._found.get(item.path) != item:
                    continue
                if isinstance(row, UnreadableError):
                    self._put_unreadable(item, row)
                else:
                    self._rows[item.path] = row

    # The third look: whole sessions

    def jobs(self, limit: int | None = None) -> list[tuple[FoundFile, Job]]:
        """Return the sessions that have not been read whole, newest first."""
        with self._lock:
            waiting = [row for row in self._rows.values() if not row.complete]
            waiting.sort(key=_newest_first)
            items = [self._found[row.path] for row in waiting[:limit] if row.path in self._found]
        known = self.histories([item.path for item in items])
        return [
            (item, Job(item.path, item.child_by_place, known.get(item.path, b""))) for item in items
        ]

    def take_in(self, findings: Mapping[str, tuple[FoundFile, Finding | UnreadableError]]) -> None:
        """Put rows of sessions that were read whole in place, and keep them."""
        kept: dict[str, Finding] = {}
        with self._lock:
            for path, (item, found) in findings.items():
                if self._found.get(path) != item:
                    continue  # it changed meanwhile, or is gone
                if isinstance(found, UnreadableError):
                    self._put_unreadable(item, found)
                else:
                    self._rows[path] = found.row
                    self._unkept.pop(path, None)
                    kept[path] = found
        if self._cache is not None:
            self._cache.keep(kept)

    # One file

    def is_as_seen(self, item: FoundFile) -> bool:
        """Whether a file is as it was when its row was made from the whole of it."""
        with self._lock:
            return self._found.get(item.path) == item and self.is_known_whole(item.path)

    def put(self, item: FoundFile, found: Finding | UnreadableError) -> None:
        """Put the row of a file that was read whole in place; it is kept when the file rests."""
        with self._lock:
            self._found[item.path] = item
            if isinstance(found, UnreadableError):
                self._put_unreadable(item, found)
            else:
                self._rows[item.path] = found.row
                self._unkept[item.path] = found

    def _put_unreadable(self, item: FoundFile, error: UnreadableError) -> None:
        """Say why a file cannot be read; one that went while it was looked at was never there.

        When it comes back as it was, it must not count as seen.
        """
        if error.kind == "vanished":
            self._found.pop(item.path, None)
            self._rows.pop(item.path, None)
        else:
            self._rows[item.path] = unreadable_row(item, error)

    def put_off(self, item: FoundFile) -> None:
        """Leave a changed file to the reading in the background; its row says what it can."""
        with self._lock:
            self._changed(item)
            self._found[item.path] = item
        if item.path not in self._rows:
            self.glance()

    def remove(self, path: str) -> None:
        """Forget a file that is gone."""
        with self._lock:
            self._found.pop(path, None)
            self._rows.pop(path, None)
            self._unkept.pop(path, None)
        if self._cache is not None:
            self._cache.drop([path])

    def forget_history(self, path: str) -> None:
        """Take a file for one never read: what changed it was asked for."""
        with self._lock:
            self._unkept.pop(path, None)
        if self._cache is not None:
            self._cache.drop([path])

    def told(self, path: str) -> None:
        """Take down that a person was shown where lines of a session had changed."""
        with self._lock:
            row = self._rows.get(path)
            if row is None or row.rewritten_at is None:
                return
            self._rows[path] = replace(row, rewritten_at=None)
        self.forget_history(path)  # or the next start would say it again

    def keep(self, *, all_of_them: bool = False) -> None:
        """Keep the rows of sessions that rest.

        Args:
            all_of_them: Those too that are being written.
        """
        if self._cache is None:
            return
        with self._lock:
            resting = {
                path: found
                for path, found in self._unkept.items()
                if all_of_them or self._rows[path].freshness is Freshness.COLD
            }
            for path in resting:
                del self._unkept[path]
        self._cache.keep(resting)

    def history(self, path: str) -> bytes:
        """Return digests of what a file held when it was read last; empty when not known."""
        return self.histories([path]).get(path, b"")

    def histories(self, paths: Sequence[str]) -> dict[str, bytes]:
        """Return such digests of many files; those of which none are known are left out."""
        with self._lock:
            found = {path: self._unkept[path].history for path in paths if path in self._unkept}
        if self._cache is not None:
            found |= self._cache.histories([path for path in paths if path not in found])
        return found

    def _judged(self, row: SessionRow, now_ms: int) -> SessionRow:
        fresh = Freshness.COLD
        if row.changed_ms is not None:
            fresh = freshness(now_ms, row.changed_ms)
        missing = bool(row.cwd) and not self._folder_exists(row.cwd)
        return at_moment(row, fresh, cwd_missing=missing)

    def _folder_exists(self, cwd: str) -> bool:
        known = self._folders.get(cwd)
        if known is None:
            try:
                known = Path(cwd).is_dir()
            except (OSError, ValueError):
                known = False
            self._folders[cwd] = known
        return known


def _newest_first(row: SessionRow) -> tuple[int, str]:
    return (-moment_of(row), row.path)


def recalled(cached: CachedRow, state: Fingerprint, *, child: bool) -> SessionRow:
    """Return what a row that was kept says of its file as it stands now.

    Args:
        cached: The row.
        state: The file as it stands now.
        child: Whether it lies in a folder of sub-agent sessions.
    """
    row = cached.row
    child, changed_ms = row.child or child, state.changed_ms
    if (child, changed_ms) != (row.child, row.changed_ms):
        row = replace(row, child=child, changed_ms=changed_ms)
    return row if state == cached.state else as_provisional(row, state.size)


def as_provisional(row: SessionRow, size: int) -> SessionRow:
    """Return the row of a session that was known before its file changed: its verdict is open."""
    return replace(
        row,
        size=size,
        verdict=None,
        error_kind=None,
        reason="",
        error_line=None,
        error_offset=None,
        refusal=None,
        tail_state=TailState.OK,
        open_calls=0,
        torn_bytes=0,
        tail_known=False,
        complete=False,
    )


def unreadable_row(item: FoundFile, error: UnreadableError | None = None) -> SessionRow:
    """Return the row of a file that cannot be read: it is listed with its reason."""
    return SessionRow(
        path=item.path,
        title="",
        last_ms=item.state.changed_ms if item.state else None,
        size=item.state.size if item.state else 0,
        child=item.child_by_place,
        verdict=Verdict.REFUSE,
        error_kind=error.kind if error else item.error_kind,
        reason=error.reason if error else item.reason,
    )
