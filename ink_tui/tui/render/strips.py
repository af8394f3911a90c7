"""Laid-out pieces to the strips that Textual draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.strip import Strip

from ink_tui.tui.render.rows import Ground, line_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.tui.render.palette import Palette
    from ink_tui.tui.render.rows import Piece


def to_strip(pieces: Sequence[Piece], palette: Palette, ground: Ground = Ground.PLAIN) -> Strip:
    """Return the strip of a line that `fit` or `lay_out` has brought to its width."""
    return Strip(
        [Segment(piece.text, palette.style(piece, ground)) for piece in pieces],
        line_width(pieces),
    )
