"""A record's bytes as lines of text: what cannot be drawn is escaped, nothing is left out. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.tui.render import figures
from ink_tui.tui.render.cells import chop
from ink_tui.tui.render.hex_rows import text_of
from ink_tui.tui.render.lines import Line
from ink_tui.tui.render.rows import Ground, Piece, Role

if TYPE_CHECKING:
    from ink_tui.tui.render.transcript_look import Look

_FRONT = Piece("  ")

RAW_BYTES = 16_000
"""Bytes of a record that are shown; the rest is counted."""


def raw_lines(data: bytes, length: int, look: Look, end: bytes = b"") -> list[Line]:
    """Return the lines of a record.

    Args:
        data: The start of the record's line in the file.
        length: Bytes of the whole line.
        end: Its last bytes, if it is longer than what is shown of its start.
        look: Place and glyphs.
    """
    shown = data[:RAW_BYTES]
    text = text_of(shown, b"", data[RAW_BYTES : RAW_BYTES + 3], look.glyphs)
    found = _chopped(text, look)
    rest = length - len(shown)
    if rest > 0:
        last = end[-min(len(end), rest) :] if end else b""
        left = f"{figures.size(rest - len(last))} more of this record"
        if rest > len(last):
            found.append(Line((_FRONT, Piece(left, Role.DIM)), Ground.RAISED))
        found.extend(_chopped(text_of(last, b"", b"", look.glyphs), look) if last else [])
    return found


def _chopped(text: str, look: Look) -> list[Line]:
    return [
        Line((_FRONT, Piece(piece, Role.MUTED)), Ground.RAISED)
        for piece in chop(text, max(8, look.cells - 4))
    ]
