"""Cutting bytes into lines: on the newline byte alone, with exact offsets.

`str.splitlines` and text mode must not be used: U+2028, U+0085 and form feeds stand raw inside
JSON strings (`formats/ink.md` 7.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.text import JS_BLANKS

if TYPE_CHECKING:
    from collections.abc import Iterator

_ASCII_BLANKS = b"\t\n\x0b\x0c\r "


@dataclass(frozen=True, slots=True)
class Line:
    """One physical line."""

    offset: int
    """First byte, 0-based, in the file."""
    content: bytes
    """The bytes without the newline."""
    terminated: bool
    """Whether a newline byte follows."""

    @property
    def length(self) -> int:
        """Bytes of the line, its newline included when there is one."""
        return len(self.content) + self.terminated


def split_lines(piece: bytes, offset: int) -> Iterator[Line]:
    """Yield the physical lines of some bytes; only the last one may be unterminated.

    Args:
        piece: The bytes.
        offset: Where they stand in the file.
    """
    start = 0
    end = len(piece)
    while start < end:
        newline = piece.find(b"\n", start)
        if newline < 0:
            yield Line(offset + start, piece[start:], terminated=False)
            return
        yield Line(offset + start, piece[start:newline], terminated=True)
        start = newline + 1


def is_blank(content: bytes) -> bool:
    """Return whether a line is blank as JavaScript's `trim` sees it; zero bytes are not blank."""
    stripped = content.strip(_ASCII_BLANKS)
    if not stripped:
        return True
    if stripped[0] < 0x80:
        return False
    return not stripped.decode("utf-8", "replace").strip(JS_BLANKS)
