"""The one door between the screens and the session files.

Every method may read files and must be called from a worker; results are immutable values. The
library never writes below a session root; what it finds out is kept in our cache folder.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.model.liveness import NOBODY, Freshness, Holder, freshness
from ink_tui.store.clock import system_clock as system_clock  # known by this name as well
from ink_tui.store.discover import FoundFile, is_session_place, look_at, root_exists
from ink_tui.store.files import UnreadableError
from ink_tui.store.findings import Finding
from ink_tui.store.opened import Listing as Listing
from ink_tui.store.opened import OpenedSession as OpenedSession
from ink_tui.store.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.cache import RowCache
    from ink_tui.store.ending import OpenedEnding
    from ink_tui.store.findings import WholeReader
    from ink_tui.store.reader import FarReader, SessionReader, Told

_READERS = 8
"""Files whose parsers are kept, so that an append is read alone."""


class Library:
    """Sessions below some roots, kept up to date by small reads."""

    def __init__(
        self,
        roots: Sequence[str],
        *,
        clock: Callable[[], int] = system_clock,
        holder_of: Callable[[SessionRow], Holder] | None = None,
        cache: RowCache | None = None,
        whole: WholeReader | None = None,
        far: FarReader | None = None,
    ) -> None:
        """Make it; nothing is looked at yet.

        Args:
            roots: Session roots.
            clock: The present in milliseconds since 1970.
            holder_of: Tells who holds a session that is opened.
            cache: Where findings are kept from one start to the next; nowhere when left out.
            whole: Reads sessions whole for their rows; in the calling thread when left out.
            far: Reads very long lines elsewhere; they are read in the calling thread when left out.
        """
        self.roots = tuple(roots)
        self.bytes_read = 0
        """Bytes read through kept readers so far, for proofs."""
        self.far = far
        self._clock = clock
        self._holder_of = holder_of
        self._cache = cache
        self._whole = whole
        self._rows = Rows(self.roots, clock, cache)
        self._lock = threading.Lock()
        """Held for a moment, while what is kept changes; never while a file is read."""
        self._refreshing = threading.Lock()
        self._reading = threading.Lock()
        """Held by whoever reads whole sessions, which may take long; nothing else waits for it."""
        self._readers: OrderedDict[str, SessionReader] = OrderedDict()
        self._opened: dict[str, OpenedSession] = {}
        self._rewritten: dict[str, int] = {}
        self._shown: str | None = None

    # Rows

    def look(self) -> frozenset[str]:
        """Look for all session files and return those that are not as they were; none is read."""
        return self._rows.look()

    def scan(self, *, quick: bool = True, limit: int | None = None) -> Listing:
        """Look for all session files and return their rows.

        Args:
            quick: Read only the two ends of files that are not known; else read them whole.
            limit: Most files whose ends are read, those written last; all when left out.
        """
        self._rows.look()
        self._rows.glance(limit)
        return self.listing() if quick else self.complete()

    def glance(self, limit: int) -> Listing:
        """Read the two ends of more files that have no row yet, those written last first."""
        self._rows.glance(limit)
        return self.listing()

    def complete(self, limit: int | None = None, seconds: float | None = None) -> Listing:
        """Read sessions whole that have not been, newest first, and return all rows.

        Other calls are answered meanwhile.

        Args:
            limit: Most sessions; all when left out.
            seconds: Time after which no other session is begun.
        """
        with self._reading:
            jobs = self._rows.jobs(limit)
            if not jobs:
                return self.listing()
            items = {job.path: item for item, job in jobs}
            found: dict[str, tuple[FoundFile, Finding | UnreadableError]] = {}
            begun = time.monotonic()
            for job, finding in self._whole_reader().read(job for _item, job in jobs):
                found[job.path] = (items[job.path], finding)
                if seconds is not None and time.monotonic() - begun > seconds:
                    break
            self._rows.take_in(found)
        return self.listing()

    def _whole_reader(self) -> WholeReader:
        if self._whole is None:
            from ink_tui.store.deep import ReaderHere

            self._whole = ReaderHere()
        return self._whole

    def refresh(self, paths: Iterable[str], at_most: int | None = None) -> Listing:
        """Look again at some session files: changed, new or gone.

        Args:
            paths: The files.
            at_most: Bytes above which a file that must be read whole is left to `complete`.
        """
        for path in paths:
            self._refresh(path, at_most)
        return self.listing()

    def take_in(self, paths: Sequence[str], at_most: int, enough: int) -> Sequence[str]:
        """Look again at some session files until enough was read, and return those left over.

        Args:
            paths: The files, the most urgent first; at least one is taken in.
            at_most: Bytes above which a file that must be read whole is left to `complete`.
            enough: Bytes after which no other file is begun.
        """
        taken = 0
        for number, path in enumerate(paths, start=1):
            taken += self._refresh(path, at_most)
            if taken >= enough:
                return paths[number:]
        return ()

    def _refresh(self, path: str, at_most: int | None) -> int:
        """Look again at one file and return how many bytes were read of it."""
        if not is_session_place(path, self.roots):
            return 0
        with self._refreshing:  # one file at a time; a session that is opened does not wait
            item = look_at(path, child=self._is_child(path))
            if item.error_kind == "vanished" or self._rows.is_barred(path):
                self._rows.remove(path)
            elif self._rows.is_as_seen(item):
                pass
            elif item.state is None or self._takes_long(path, item.state.size, at_most):
                self._rows.put_off(item)
            else:
                return self._put(item)
            return 0

    def _takes_long(self, path: str, size: int, at_most: int | None) -> bool:
        """Whether a file is left to those who read in the background, or is being read now."""
        with self._lock:
            reader = self._readers.get(path)
        if reader is not None and reader.busy:
            return True
        return at_most is not None and (reader.left(size) if reader else size) > at_most

    def listing(self) -> Listing:
        """Return the rows as last read, with freshness judged anew."""
        rows = self._rows.ordered()
        self._rows.keep()
        waiting = self._rows.waiting
        return Listing(
            rows=rows,
            roots=self.roots,
            missing_roots=tuple(root for root in self.roots if not root_exists(root)),
            pending=waiting.unseen + waiting.unread,
            notice=self._cache.notice if self._cache is not None else "",
        )

    @property
    def shown(self) -> str | None:
        """The session that was opened last."""
        return self._shown

    @property
    def unseen(self) -> int:
        """Files that have no row yet."""
        return self._rows.waiting.unseen

    def close(self) -> None:
        """Keep what was found out, and end what reads in the background."""
        if self._whole is not None:
            self._whole.close()
        if self.far is not None:
            self.far.close()
        self._rows.keep(all_of_them=True)

    # One session

    def open(self, path: str, told: Told | None = None) -> OpenedSession:
        """Return a session as its file stands now, or its last state when the file is gone.

        Args:
            path: Its file.
            told: Called between pieces of a long file with the bytes read and those there are;
                what it raises ends the reading, which goes on from there the next time.

        Raises:
            UnreadableError: It cannot be read and never was.
        """
        with self._lock:
            self._shown = path
            reader = self._reader(path)
        with reader.lock:
            try:
                diagnosis = self._read(reader, told)
            except UnreadableError as error:
                last = self._opened.get(path)
                if last is None:
                    raise
                return replace(last, gone=error.kind == "vanished", trouble=error.reason)
            assert reader.state is not None
            row = _row_of_read(reader, diagnosis, child_by_place=self._is_child(path))
            holder = self._holder_of(row) if self._holder_of is not None else NOBODY
            row = replace(row, changed_ms=reader.state.changed_ms, holder=holder)
            opened = OpenedSession(
                path,
                diagnosis,
                self._rows.judged(row),
                reader.state,
                changed_at=self._where_changed(path, reader),
            )
        with self._lock:
            self._opened[path] = opened
            while len(self._opened) > _READERS:
                del self._opened[next(iter(self._opened))]
        return opened

    def _read(self, reader: SessionReader, told: Told | None) -> Diagnosis:
        """Return what a session says, read in pieces where somebody wants to be told of them."""
        before = reader.bytes_read
        try:
            if told is not None:
                from ink_tui.store.reader import LONG_BYTES  # came with the reader

                state = look_at(reader.path).state
                reader.busy = state is not None and reader.left(state.size) > LONG_BYTES
                reader.advance_in_pieces(told)
            diagnosis = reader.read()
            if self._rests(reader):
                reader.verify()
                diagnosis = reader.read()
            return diagnosis
        finally:
            reader.busy = False
            with self._lock:
                self.bytes_read += reader.bytes_read - before

    def ending(self, path: str) -> OpenedEnding | None:
        """Return the end of a long session, where reading all of it would take a while.

        Raises:
            UnreadableError: It cannot be read.
        """
        from ink_tui.store.ending import open_ending  # a list does not need it
        from ink_tui.store.reader import LONG_BYTES

        item = look_at(path, child=self._is_child(path))
        if item.state is None or item.state.size <= LONG_BYTES:
            return None
        with self._lock:
            reader = self._readers.get(path)
        if reader is not None and not reader.busy and reader.left(item.state.size) <= LONG_BYTES:
            return None
        found = open_ending(item, self._rows.get(path), self._holder_of)
        return replace(found, row=self._rows.judged(found.row))

    def _where_changed(self, path: str, reader: SessionReader) -> int | None:
        """Return where lines read earlier have changed, in this run of the program or before."""
        known = self._rows.get(path)
        at = reader.changed_at
        if at is None and known is not None:
            at = known.rewritten_at
        if at is not None:
            self._rewritten[path] = at
            self._rows.told(path)
        return self._rewritten.get(path)

    def forget(self, path: str) -> None:
        """Take a session for one never read: what changed it was asked for."""
        with self._lock:
            self._readers.pop(path, None)
            self._rewritten.pop(path, None)
        self._rows.forget_history(path)

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
        from ink_tui.store.reader import read_bytes

        return read_bytes(path, offset, length)

    def _put(self, item: FoundFile) -> int:
        """Read a file for its row and return how many bytes were read of it."""
        # A file that was looked at before and has grown is likely to grow again: its parser is
        # kept. A file read for the first time is not, or a scan would hold every session.
        with self._lock:
            keep = item.path in self._readers or self._rows.is_known_whole(item.path)
            reader = self._reader(item.path) if keep else self._new_reader(item.path)
        with reader.lock:
            before = reader.bytes_read
            self._rows.put(item, _finding(item, reader))
            taken = reader.bytes_read - before
        with self._lock:
            self.bytes_read += taken
        return taken

    def _new_reader(self, path: str) -> SessionReader:
        # What reads sessions is loaded with the first one: rows that are known need none of it.
        from ink_tui.store.whole_records import light_reader

        return light_reader(path, self._rows.history(path), self.far)

    def _reader(self, path: str) -> SessionReader:
        reader = self._readers.get(path) or self._new_reader(path)
        self._readers[path] = reader
        self._readers.move_to_end(path)
        while len(self._readers) > _READERS:
            # However many others grow meanwhile: the session that is looked at is kept.
            del self._readers[next(path for path in self._readers if path != self._shown)]
        return reader

    def _is_child(self, path: str) -> bool:
        place = Path(path).parent
        return place.name == "children" and str(place.parent) not in self.roots


def _finding(item: FoundFile, reader: SessionReader) -> Finding | UnreadableError:
    """Return the row of a session that is read whole, or why it cannot be read."""
    try:
        diagnosis = reader.read()
    except UnreadableError as error:
        return error
    assert reader.state is not None
    row = _row_of_read(reader, diagnosis, child_by_place=item.child_by_place)
    row = replace(row, changed_ms=reader.state.changed_ms, rewritten_at=reader.changed_at)
    return Finding(reader.state, row, reader.history.to_bytes())


def _row_of_read(
    reader: SessionReader, diagnosis: Diagnosis, *, child_by_place: bool
) -> SessionRow:
    from ink_tui.store.whole_records import row_of_read  # came with the reader

    return row_of_read(reader, diagnosis, child_by_place=child_by_place)
