"""Reading one session file, again and again, by what was appended.

A grown file continues at the saved offset after a look at the 64 KB before it; anything else
(shrunk, replaced, rewritten) is read from the start. So a view kept by small reads equals a fresh
load (`cases/README.md`, steps). What those small reads cannot see, a byte changed farther back, is
found by `verify`.
"""

from __future__ import annotations

import gc
import threading
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Protocol, TypeAlias

from ink_tui.formats.registry import INK
from ink_tui.model.verdict import Diagnosis, diagnose
from ink_tui.model.verdict_growth import grown_diagnosis
from ink_tui.store.files import Fingerprint, UnreadableError, open_for_reading, read_range
from ink_tui.store.history import History

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ink_tui.formats.base import FarLines, SessionFormat, SessionParser
    from ink_tui.model.entries import Record, Span
    from ink_tui.model.listing import SessionRow

CHECKED_BYTES = 65_536
"""Bytes before the saved offset that must still be the same for a file to count as grown."""

_PIECE_BYTES = 8 << 20

LONG_BYTES = 1 << 19
"""Files of more bytes are shown from their end first; others are read whole in 10 ms."""

ADVANCE_BYTES = 4 << 20
"""Bytes of a long file that are read before somebody is told, and may end it."""

Told: TypeAlias = "Callable[[int, int], None]"
"""Takes how many bytes have been read, and how many there are."""


class FarReader(Protocol):
    """Reads very long lines of files elsewhere."""

    def of(self, path: str) -> FarLines:
        """Return what reads the lines of a file for a parser."""

    def record(self, path: str, span: Span) -> Record | None:
        """Return one record with all of its texts; `None` where there is none."""

    def close(self) -> None:
        """End what reads."""


class SessionReader:
    """Keeps one session file's parser, so that an append costs what was appended."""

    def __init__(
        self,
        path: str,
        session_format: SessionFormat = INK,
        *,
        seen: History | None = None,
        skimming: bool = False,
        light_above: int | None = None,
        far: FarReader | None = None,
    ) -> None:
        """Make a reader that has read nothing.

        Args:
            path: The file.
            session_format: How its bytes are read.
            seen: What the file held when it was read before this program started.
            skimming: Read no more than a list row tells.
            light_above: Bytes of a file above which only the start of long texts is kept; all
                texts are kept when left out.
            far: Reads very long lines elsewhere.
        """
        self.path = path
        self.bytes_read = 0
        """Bytes read from the file so far, for proofs; what `verify` reads does not count."""
        self.verified = False
        """Whether all that is known was read from the file as it was at one moment."""
        self.changed_at: int | None = None
        """Where the file was found to differ from what had been read (0-based), if it was."""
        self.light = False
        """Whether only the start of long texts is kept (`ink_tui.model.light`)."""
        self.far = far
        self._format = session_format
        self._skimming = skimming
        self._light_above = light_above
        self._parser = self._new_parser(0)
        self._state: Fingerprint | None = None
        self._offset = 0
        self._before = b""
        self._history = seen or History()
        self._diagnosis: Diagnosis | None = None
        self._judged = 0
        """Bytes that the diagnosis is about."""
        self.row: tuple[SessionRow, Diagnosis] | None = None
        """The list row that was made last, and of what; kept here by those who make it."""
        self.busy = False
        """Whether somebody is reading all of a long file, which takes a while."""
        self.lock = threading.Lock()
        """To be held by whoever uses the reader while others may."""

    @property
    def state(self) -> Fingerprint | None:
        """The file as it was at the last read."""
        return self._state

    @property
    def history(self) -> History:
        """Digests of what was read."""
        return self._history

    def left(self, size: int) -> int:
        """Return how many bytes of a file of some size have not been read."""
        return max(0, size - self._offset)

    def advance(self, most: int, between: Callable[[], None] | None = None) -> tuple[int, int]:
        """Read on by some bytes; return how many have been read, and how many there are.

        Args:
            most: Bytes after which to return.
            between: Called now and then while what was read earlier is compared; it may raise.

        Raises:
            UnreadableError: The file cannot be read; what was read before is kept.
        """
        with open_for_reading(self.path) as (descriptor, state):
            self._take_up(descriptor, state, between)
            self._feed(descriptor, min(state.size, self._offset + most))
        self._state = state
        return self._offset, state.size

    def advance_in_pieces(self, told: Told) -> None:
        """Read a file as long as it is now, and tell between the pieces how far that is.

        What `told` raises ends the reading; it goes on from there the next time.

        Args:
            told: Takes the bytes read so far, and those there are; twice 0 while what was read
                earlier is compared.

        Raises:
            UnreadableError: The file cannot be read; what was read before is kept.
        """
        done, size = self.advance(ADVANCE_BYTES, lambda: told(0, 0))
        end = size  # what is appended meanwhile is left to `read`: it may never end
        while done < min(end, size):
            told(done, size)
            before = done
            done, size = self.advance(ADVANCE_BYTES)
            if done <= before:
                return  # it was cut or replaced meanwhile, which `read` finds out
        told(done, size)

    def read(self) -> Diagnosis:
        """Return the session as the file stands now.

        Raises:
            UnreadableError: The file cannot be read; what was read before is kept.
        """
        with open_for_reading(self.path) as (descriptor, state):
            known = self._diagnosis
            if known is not None and state == self._state and self._judged == self._offset:
                return known
            self._take_up(descriptor, state)
            self._feed(descriptor, state.size)
        self._state = state
        session = self._parser.session()
        last = self._diagnosis
        grown = grown_diagnosis(last, session) if last is not None else None
        self._diagnosis, self._judged = grown or diagnose(session), self._offset
        return self._diagnosis

    def _take_up(
        self, descriptor: int, state: Fingerprint, between: Callable[[], None] | None = None
    ) -> None:
        """Stand behind what has been read where the file has only grown, else at its start."""
        if state == self._state:
            return
        continues = self._continues(descriptor, state)
        self.verified = not continues
        if continues:
            return
        self._compare(descriptor, between)
        self._parser = self._new_parser(state.size)
        self._offset = self._judged = 0
        self._before = b""
        self._history = History()
        self._diagnosis = None

    def _new_parser(self, size: int) -> SessionParser:
        """Return a parser for a file of some bytes."""
        if self._skimming:
            return self._format.skimmer()
        self.light = self._light_above is not None and size > self._light_above
        far = self.far.of(self.path) if self.far is not None else None
        return self._format.parser(light=self.light, far=far)

    def verify(self) -> None:
        """Compare all that was read with the file; where it differs, the next read begins anew.

        Raises:
            UnreadableError: The file cannot be read.
        """
        if self.verified:
            return
        with open_for_reading(self.path) as (descriptor, _state):
            self.verified = not self._compare(descriptor)
        if not self.verified:
            self._state = None

    def _compare(self, descriptor: int, between: Callable[[], None] | None = None) -> bool:
        """Note where the file differs from what was read; return whether it does."""
        changed = self._history.first_change(descriptor, between)
        if changed is not None:
            self.changed_at = changed
        return changed is not None

    def _feed(self, descriptor: int, size: int) -> None:
        while self._offset < size:
            piece = read_range(descriptor, self._offset, min(_PIECE_BYTES, size - self._offset))
            if not piece:
                break
            self.bytes_read += len(piece)
            try:
                with _unsearched() if self._of_many_values else nullcontext():
                    self._parser.feed(piece)
            except UnreadableError:  # of a line read elsewhere: what was taken of the piece is lost
                self._state = self._diagnosis = None
                raise
            self._history.feed(piece)
            self._offset += len(piece)
            self._before = (self._before + piece[-CHECKED_BYTES:])[-CHECKED_BYTES:]

    @property
    def _of_many_values(self) -> bool:
        """Whether what is read may be a part of millions of values, beside a screen or in a row."""
        return self._skimming or (self.light and self.far is not None)

    def _continues(self, descriptor: int, state: Fingerprint) -> bool:
        """Whether the file is the one read before with bytes appended."""
        if self._state is None or not state.same_file(self._state) or state.size <= self._offset:
            return False
        if self._light_above is not None and not self.light and state.size > 2 * self._light_above:
            return False  # it has become so big that its texts are no longer kept
        length = len(self._before)
        before = read_range(descriptor, self._offset - length, length)
        self.bytes_read += len(before)
        return before == self._before


@contextmanager
def _unsearched() -> Iterator[None]:
    """Keep what is made meanwhile out of Python's search for garbage in rings, for good.

    Of a session of a gigabyte there are millions of values, among which there is no ring. Each
    search through all of them would let the whole program stand still.
    """
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if searching:
            gc.enable()


def read_session(path: str) -> tuple[Diagnosis, Fingerprint]:
    """Return a session read whole and the state of its file.

    Raises:
        UnreadableError: The file cannot be read.
    """
    reader = SessionReader(path)
    diagnosis = reader.read()
    assert reader.state is not None
    return diagnosis, reader.state


def read_bytes(path: str, offset: int, length: int) -> bytes:
    """Return some bytes of a session file, for the byte view.

    Raises:
        UnreadableError: The file cannot be read.
    """
    with open_for_reading(path) as (descriptor, _state):
        return read_range(descriptor, offset, length)
