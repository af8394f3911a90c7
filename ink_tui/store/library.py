"""The one door between the screens and the session files.

Every method may read files and must be called from a worker; results are immutable values. The
library never writes.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.model.listing import SessionRow, row_of
from ink_tui.model.liveness import NOBODY, Freshness, Holder, freshness
from ink_tui.model.verdict import Verdict
from ink_tui.store.discover import (
    FoundFile,
    find_session_files,
    is_session_place,
    look_at,
    root_exists,
)
from ink_tui.store.files import Fingerprint, UnreadableError
from ink_tui.store.quick import quick_row
from ink_tui.store.reader import SessionReader, read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ink_tui.model.verdict import Diagnosis

_READERS = 8
"""Files whose parsers are kept, so that an append is read alone."""


def system_clock() -> int:
    """Return the present in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Listing:
    """All sessions of a library at one moment."""

    rows: tuple[SessionRow, ...]
    """Newest activity first, ties by path."""
    roots: tuple[str, ...]
    missing_roots: tuple[str, ...]
    """Roots that do not exist."""
    pending: int
    """Rows that are not complete yet."""


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


class Library:
    """Sessions below some roots, kept up to date by small reads."""

    def __init__(
        self,
        roots: Sequence[str],
        *,
        clock: Callable[[], int] = system_clock,
        holder_of: Callable[[SessionRow], Holder] | None = None,
    ) -> None:
        self.roots = tuple(roots)
        self.bytes_read = 0
        """Bytes read through kept readers so far, for proofs."""
        self._clock = clock
        self._holder_of = holder_of
        self._lock = threading.RLock()
        self._found: dict[str, FoundFile] = {}
        self._rows: dict[str, SessionRow] = {}
        self._readers: OrderedDict[str, SessionReader] = OrderedDict()
        self._opened: dict[str, OpenedSession] = {}
        self._folders: dict[str, bool] = {}
        self._shown: str | None = None

    def scan(self, *, quick: bool = True) -> Listing:
        """Look for all session files and return their rows.

        Args:
            quick: Read only the two ends of files that are new or changed; else read them whole.
        """
        with self._lock:
            self._folders.clear()
            found = {item.path: item for item in find_session_files(self.roots)}
            for path in self._rows.keys() - found.keys():
                del self._rows[path]
            for path, item in found.items():
                self._update(path, item, quick=quick)
            self._found = found
            return self._listing()

    def complete(self, limit: int = 50) -> Listing:
        """Read whole up to `limit` sessions whose rows are not complete, newest first."""
        with self._lock:
            waiting = [row for row in self._ordered() if not row.complete]
            for row in waiting[:limit]:
                found = self._found.get(row.path)
                if found is not None:
                    self._rows[row.path] = self._whole_row(found)
            return self._listing()

    def refresh(self, paths: Iterable[str]) -> Listing:
        """Look again at some session files: changed, new or gone."""
        with self._lock:
            for path in paths:
                if not is_session_place(path, self.roots):
                    continue
                item = look_at(path, child=self._is_child(path))
                if item.error_kind == "vanished":
                    self._found.pop(path, None)
                    self._rows.pop(path, None)
                    continue
                self._update(path, item, quick=False)
                self._found[path] = item
            return self._listing()

    def listing(self) -> Listing:
        """Return the rows as last read, with freshness judged anew."""
        with self._lock:
            return self._listing()

    def open(self, path: str) -> OpenedSession:
        """Return a session as its file stands now, or its last state when the file is gone.

        Raises:
            UnreadableError: It cannot be read and never was.
        """
        with self._lock:
            self._shown = path
            reader = self._reader(path)
            before = reader.bytes_read
            try:
                diagnosis = reader.read()
                if self._rests(reader):
                    reader.verify()
                    diagnosis = reader.read()
            except UnreadableError as error:
                last = self._opened.get(path)
                if last is None:
                    raise
                return replace(last, gone=error.kind == "vanished", trouble=error.reason)
            finally:
                self.bytes_read += reader.bytes_read - before
            assert reader.state is not None
            row = row_of(diagnosis, path, child_by_place=self._is_child(path))
            holder = self._holder_of(row) if self._holder_of is not None else NOBODY
            row = replace(row, changed_ms=reader.state.changed_ms, holder=holder)
            row = self._judged(row)
            opened = OpenedSession(path, diagnosis, row, reader.state, changed_at=reader.changed_at)
            self._opened[path] = opened
            while len(self._opened) > _READERS:
                del self._opened[next(iter(self._opened))]
            return opened

    def forget(self, path: str) -> None:
        """Take a session for one never read: what changed it was asked for."""
        with self._lock:
            self._readers.pop(path, None)

    def _rests(self, reader: SessionReader) -> bool:
        """Whether a session has not been written for a while, so that a long read is no loss."""
        assert reader.state is not None
        return freshness(self._clock(), reader.state.changed_ms) is Freshness.COLD

    def last(self, path: str) -> OpenedSession | None:
        """Return a session as it was last opened, without a look at its file."""
        return self._opened.get(path)

    def read_bytes(self, path: str, offset: int, length: int) -> bytes:
        """Return some raw bytes of a session file.

        Raises:
            UnreadableError: The file cannot be read.
        """
        return read_bytes(path, offset, length)

    def _update(self, path: str, item: FoundFile, *, quick: bool) -> None:
        known = self._found.get(path)
        row = self._rows.get(path)
        if known == item and row is not None and (row.complete or quick):
            return
        if item.error_kind is not None:
            self._rows[path] = _unreadable_row(item)
        elif quick:
            try:
                self._rows[path] = quick_row(item)
            except UnreadableError as error:
                self._rows[path] = _unreadable_row(item, error)
        else:
            self._rows[path] = self._whole_row(item)

    def _whole_row(self, item: FoundFile) -> SessionRow:
        # A file that was looked at before and has grown is likely to grow again: its parser is
        # kept. A file read for the first time is not, or a scan would hold every session.
        keep = item.path in self._rows and self._rows[item.path].complete
        reader = self._reader(item.path) if keep or item.path in self._readers else None
        reader = reader or SessionReader(item.path)
        before = reader.bytes_read
        try:
            diagnosis = reader.read()
        except UnreadableError as error:
            return _unreadable_row(item, error)
        finally:
            self.bytes_read += reader.bytes_read - before
        assert reader.state is not None
        row = row_of(diagnosis, item.path, child_by_place=item.child_by_place)
        return replace(row, changed_ms=reader.state.changed_ms)

    def _reader(self, path: str) -> SessionReader:
        reader = self._readers.get(path) or SessionReader(path)
        self._readers[path] = reader
        self._readers.move_to_end(path)
        while len(self._readers) > _READERS:
            # However many others grow meanwhile: the session that is looked at is kept.
            del self._readers[next(path for path in self._readers if path != self._shown)]
        return reader

    def _is_child(self, path: str) -> bool:
        place = Path(path).parent
        return place.name == "children" and str(place.parent) not in self.roots

    def _judged(self, row: SessionRow) -> SessionRow:
        """Return a row with the facts of the moment: freshness, working directory."""
        fresh = Freshness.COLD
        if row.changed_ms is not None:
            fresh = freshness(self._clock(), row.changed_ms)
        missing = bool(row.cwd) and not self._folder_exists(row.cwd)
        if (fresh, missing) == (row.freshness, row.cwd_missing):
            return row
        return replace(row, freshness=fresh, cwd_missing=missing)

    def _folder_exists(self, cwd: str) -> bool:
        known = self._folders.get(cwd)
        if known is None:
            try:
                known = Path(cwd).is_dir()
            except (OSError, ValueError):
                known = False
            self._folders[cwd] = known
        return known

    def _ordered(self) -> list[SessionRow]:
        rows = self._rows.values()
        return sorted(rows, key=lambda row: (-(row.last_ms or row.changed_ms or 0), row.path))

    def _listing(self) -> Listing:
        for path, row in self._rows.items():
            self._rows[path] = self._judged(row)
        rows = tuple(self._ordered())
        return Listing(
            rows=rows,
            roots=self.roots,
            missing_roots=tuple(root for root in self.roots if not root_exists(root)),
            pending=sum(1 for row in rows if not row.complete),
        )


def _unreadable_row(item: FoundFile, error: UnreadableError | None = None) -> SessionRow:
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
