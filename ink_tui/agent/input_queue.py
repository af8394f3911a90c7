"""What is on its way to an agent: answers of the terminal first, then keys and pastes."""

from __future__ import annotations

from collections import deque

MAX_INPUT_BYTES = (1 << 20) + (1 << 12)
"""Bytes of typed and pasted input that may wait: a paste of 1 MiB, its brackets and some keys."""

MAX_REPLY_BYTES = 1 << 16
"""Bytes of terminal answers that may wait; a child that asks without reading gets no more."""

PIECE_BYTES = 4096
"""A long input is cut into pieces of at most this size, so that an answer can go in between."""


class InputQueue:
    """Bytes to be written, in order within each of two classes, answers ahead of input.

    A piece that has been begun is always finished first, so that no key sequence is ever split by
    an answer.
    """

    def __init__(self) -> None:
        self._replies: deque[bytes] = deque()
        self._inputs: deque[bytes] = deque()
        self._begun = b""
        self._reply_bytes = 0
        self._input_bytes = 0

    def __bool__(self) -> bool:
        return bool(self._begun or self._replies or self._inputs)

    @property
    def input_bytes(self) -> int:
        """How many bytes of typed and pasted input wait."""
        return self._input_bytes

    def add_reply(self, data: bytes) -> bool:
        """Queue an answer of the terminal; False if too many wait already."""
        if not data or self._reply_bytes + len(data) > MAX_REPLY_BYTES:
            return not data
        self._replies.append(data)
        self._reply_bytes += len(data)
        return True

    def add_input(self, data: bytes) -> bool:
        """Queue keys or a paste, whole or not at all; False if it does not fit."""
        if not data or self._input_bytes + len(data) > MAX_INPUT_BYTES:
            return not data
        self._inputs.extend(pieces(data))
        self._input_bytes += len(data)
        return True

    def head(self) -> bytes:
        """Return the bytes to be written next; empty when nothing waits."""
        if not self._begun:
            if self._replies:
                self._begun = self._replies.popleft()
                self._reply_bytes -= len(self._begun)
            elif self._inputs:
                self._begun = self._inputs.popleft()
                self._input_bytes -= len(self._begun)
        return self._begun

    def written(self, count: int) -> None:
        """Take note that the first `count` bytes of `head` were written."""
        self._begun = self._begun[count:]

    def clear(self) -> None:
        """Forget everything that waits."""
        self._replies.clear()
        self._inputs.clear()
        self._begun = b""
        self._reply_bytes = self._input_bytes = 0


def pieces(data: bytes) -> list[bytes]:
    """Cut input into pieces, never inside a UTF-8 character nor inside a short escape sequence."""
    parts: list[bytes] = []
    start = 0
    while len(data) - start > PIECE_BYTES:
        end = start + PIECE_BYTES
        while end > start and data[end] & 0xC0 == 0x80:
            end -= 1
        escape = data.rfind(b"\x1b", max(end - 8, start + 1), end)
        if escape > 0:
            end = escape
        if end == start:
            end = start + PIECE_BYTES
        parts.append(data[start:end])
        start = end
    parts.append(data[start:])
    return parts
