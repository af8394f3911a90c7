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

RAW_BYTES = 16_000
"""Bytes of a record that are shown; the rest is counted."""


def raw_lines(data: bytes, length: int, look: Look) -> list[Line]:
    """Return the lines of a record.

    Args:
        data: The start of the record's line in the file.
        length: Bytes of the whole line.
        look: Place and glyphs.
    """
    shown = data[:RAW_BYTES]
    text = text_of(shown, b"", data[RAW_BYTES : RAW_BYTES + 3], look.glyphs)
    front = Piece("  ")
    found = [
        Line((front, Piece(piece, Role.MUTED)), Ground.RAISED)
        for piece in chop(text, max(8, look.cells - 4))
    ]
    if length > len(shown):
        left = f"{figures.size(length - len(shown))} more of this record"
        found.append(Line((front, Piece(left, Role.DIM)), Ground.RAISED))
    return found
