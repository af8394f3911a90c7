"""A bar of one line, drawn from pieces: the base of header and footer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.tui.render.rows import Ground
from ink_tui.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.tui.render.rows import Piece


class LineBar(Lines):
    """One line on one ground."""

    DEFAULT_CSS = """
    LineBar { height: 1; }
    """
    GROUND = Ground.PLAIN

    def line(self, cells: int) -> tuple[Piece, ...]:
        """Return what is shown, exactly so many cells wide."""
        raise NotImplementedError

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        """Return the one line."""
        return (self.line(cells),)

    def ground(self, line: int) -> Ground:
        """Return what lies under it."""
        return self.GROUND
