"""Digests of what was read of a session file, so that a change behind one's back is noticed.

An append is read alone, with a look at the 64 KB before it; a byte that changes farther back would
go unseen. So the digest of each 64 KB is kept, 16 bytes a block, and compared later, when the file
rests (`trust.md` 2.9, R5). Only whole lines count: the rest after the last newline may still be
being written, and is what a repair cuts.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from ink_tui.store.files import read_range

if TYPE_CHECKING:
    from collections.abc import Callable

BLOCK_BYTES = 65_536
_DIGEST_BYTES = 16
_READ_BLOCKS = 64
"""Blocks that are read at a time while comparing."""


class History:
    """What a file held up to its last newline when it was read."""

    def __init__(self) -> None:
        self.length = 0
        """Bytes up to and with the last newline that was fed."""
        self._blocks: list[bytes] = []
        """Digests of the blocks that were fed whole."""
        self._open = _hash()
        self._opened = 0
        """Bytes of the block that is not whole yet."""
        self._last = b""
        """Digest of the part of the last block up to `length`."""

    def feed(self, piece: bytes) -> None:
        """Take in the next bytes of the file."""
        newline = piece.rfind(b"\n") + 1
        if newline:
            self._add(piece[:newline])
            self.length = len(self._blocks) * BLOCK_BYTES + self._opened
            self._last = self._open.copy().digest()
        self._add(piece[newline:])

    def _add(self, piece: bytes) -> None:
        view = memoryview(piece)
        while view:
            part = view[: BLOCK_BYTES - self._opened]
            view = view[len(part) :]
            self._open.update(part)
            self._opened += len(part)
            if self._opened == BLOCK_BYTES:
                self._blocks.append(self._open.digest())
                self._open = _hash()
                self._opened = 0

    def to_bytes(self) -> bytes:
        """Return the digests of the whole lines, to be kept and compared later."""
        whole = self.length // BLOCK_BYTES
        return b"".join(
            (self.length.to_bytes(8, "big"), *self._blocks[:whole], self._last or _hash().digest())
        )

    @classmethod
    def from_bytes(cls, content: bytes) -> History:
        """Return what `to_bytes` gave; it can be compared, not continued.

        Raises:
            ValueError: The bytes are none of `to_bytes`.
        """
        made = cls()
        made.length = int.from_bytes(content[:8], "big")
        digests = content[8:]
        pieces = [digests[at : at + _DIGEST_BYTES] for at in range(0, len(digests), _DIGEST_BYTES)]
        if len(digests) != (made.length // BLOCK_BYTES + 1) * _DIGEST_BYTES:
            raise ValueError("not the digests of a history")
        made._last = pieces.pop()
        made._blocks = pieces
        return made

    def first_change(
        self, descriptor: int, between: Callable[[], None] | None = None
    ) -> int | None:
        """Return where a file differs from what was read of it, `None` if nowhere.

        The place is the first byte of the block that differs (0-based), or the end of a file that
        has become shorter. It raises what the system raises.

        Args:
            descriptor: The file, open for reading.
            between: Called before each read; it may raise to end the comparison.
        """
        whole = self.length // BLOCK_BYTES
        for first in range(0, whole, _READ_BLOCKS):
            if between is not None:
                between()
            number = min(_READ_BLOCKS, whole - first)
            content = read_range(descriptor, first * BLOCK_BYTES, number * BLOCK_BYTES)
            for block in range(number):
                part = content[block * BLOCK_BYTES : (block + 1) * BLOCK_BYTES]
                at = (first + block) * BLOCK_BYTES
                if len(part) < BLOCK_BYTES:
                    return at + len(part)
                if _hash(part).digest() != self._blocks[first + block]:
                    return at
        at, rest = whole * BLOCK_BYTES, self.length % BLOCK_BYTES
        if not rest:
            return None
        part = read_range(descriptor, at, rest)
        if len(part) < rest:
            return at + len(part)
        return None if _hash(part).digest() == self._last else at


def history_of(content: bytes) -> History | None:
    """Return the history that `History.to_bytes` gave; `None` if the bytes are none."""
    if not content:
        return None
    try:
        return History.from_bytes(content)
    except ValueError:
        return None


def _hash(content: bytes = b"") -> hashlib.blake2b:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES)
