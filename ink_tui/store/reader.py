"""Reading one session file, again and again, by what was appended.

A grown file continues at the saved offset after a look at the 64 KB before it; anything else
(shrunk, replaced, rewritten) is read from the start. So a view kept by small reads equals a fresh
load (`cases/README.md`, steps). What those small reads cannot see, a byte changed farther back, is
found by `verify`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.formats.registry import INK
from ink_tui.model.verdict import Diagnosis, diagnose
from ink_tui.model.verdict_growth import grown_diagnosis
from ink_tui.store.files import Fingerprint, open_for_reading, read_range
from ink_tui.store.history import History

if TYPE_CHECKING:
    from ink_tui.formats.base import SessionFormat

CHECKED_BYTES = 65_536
"""Bytes before the saved offset that must still be the same for a file to count as grown."""

_PIECE_BYTES = 8 << 20


class SessionReader:
    """Keeps one session file's parser, so that an append costs what was appended."""

    def __init__(
        self,
        path: str,
        session_format: SessionFormat = INK,
        *,
        seen: History | None = None,
        skimming: bool = False,
    ) -> None:
        """Make a reader that has read nothing.

        Args:
            path: The file.
            session_format: How its bytes are read.
            seen: What the file held when it was read before this program started.
            skimming: Read no more than a list row tells.
        """
        self.path = path
        self.bytes_read = 0
        """Bytes read from the file so far, for proofs; what `verify` reads does not count."""
        self.verified = False
        """Whether all that is known was read from the file as it was at one moment."""
        self.changed_at: int | None = None
        """Where the file was found to differ from what had been read (0-based), if it was."""
        self._new_parser = session_format.skimmer if skimming else session_format.parser
        self._parser = self._new_parser()
        self._state: Fingerprint | None = None
        self._offset = 0
        self._before = b""
        self._history = seen or History()
        self._diagnosis: Diagnosis | None = None

    @property
    def state(self) -> Fingerprint | None:
        """The file as it was at the last read."""
        return self._state

    @property
    def history(self) -> History:
        """Digests of what was read."""
        return self._history

    def read(self) -> Diagnosis:
        """Return the session as the file stands now.

        Raises:
            UnreadableError: The file cannot be read; what was read before is kept.
        """
        with open_for_reading(self.path) as (descriptor, state):
            if self._diagnosis is not None and state == self._state:
                return self._diagnosis
            continues = self._continues(descriptor, state)
            last = self._diagnosis if continues else None
            self.verified = not continues
            if self.verified:
                self._compare(descriptor)
                self._parser = self._new_parser()
                self._offset = 0
                self._before = b""
                self._history = History()
            self._feed(descriptor, state.size)
        self._state = state
        session = self._parser.session()
        grown = grown_diagnosis(last, session) if last is not None else None
        self._diagnosis = grown or diagnose(session)
        return self._diagnosis

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

    def _compare(self, descriptor: int) -> bool:
        """Note where the file differs from what was read; return whether it does."""
        changed = self._history.first_change(descriptor)
        if changed is not None:
            self.changed_at = changed
        return changed is not None

    def _feed(self, descriptor: int, size: int) -> None:
        while self._offset < size:
            piece = read_range(descriptor, self._offset, min(_PIECE_BYTES, size - self._offset))
            if not piece:
                break
            self.bytes_read += len(piece)
            self._parser.feed(piece)
            self._history.feed(piece)
            self._offset += len(piece)
            self._before = (self._before + piece[-CHECKED_BYTES:])[-CHECKED_BYTES:]

    def _continues(self, descriptor: int, state: Fingerprint) -> bool:
        """Whether the file is the one read before with bytes appended."""
        if self._state is None or not state.same_file(self._state) or state.size <= self._offset:
            return False
        length = len(self._before)
        before = read_range(descriptor, self._offset - length, length)
        self.bytes_read += len(before)
        return before == self._before


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
