"""Laid-out pieces to the strips that Textual draws, with the last look at what is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.strip import Strip

from ink_tui.model.text import one_line
from ink_tui.tui.render.rows import Ground, line_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.tui.render.palette import Palette
    from ink_tui.tui.render.rows import Piece


def to_strip(pieces: Sequence[Piece], palette: Palette, ground: Ground = Ground.PLAIN) -> Strip:
    """Return the strip of a line that `fit` or `lay_out` has brought to its width.

    Foreign text is cleaned where it is read. Should any have come past that, it is cleaned here
    and the line keeps its width (`trust.md` 2.7).
    """
    segments = [Segment(piece.text, palette.style(piece, ground)) for piece in pieces]
    cells = line_width(pieces)
    if is_clean(pieces):
        return Strip(segments, cells)
    cleaned = [Segment(one_line(segment.text), segment.style) for segment in segments]
    return Strip(cleaned).adjust_cell_length(cells)


def is_clean(pieces: Sequence[Piece]) -> bool:
    """Return whether a line is as `one_line` leaves it.

    As a whole: a joiner or a selector may stand first in a piece and belong to the one before.
    """
    line = "".join([piece.text for piece in pieces])
    return one_line(line) == line
