"""What stands over the results of a search beside its field: the title, and the lines below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.tui.render.rows import fit
from ink_tui.tui.render.search_lines import top_line
from ink_tui.tui.widgets.line_bar import LineBar
from ink_tui.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.keymap import Keymap
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.rows import Piece


class SearchTop(LineBar):
    """The title and the way back."""

    def __init__(self, *, glyphs: Glyphs, keymap: Keymap) -> None:
        """Make it.

        Args:
            glyphs: The set to draw with.
            keymap: The table with the user's keys.
        """
        super().__init__(glyphs=glyphs, id="search-top")
        self._keymap = keymap

    def line(self, cells: int) -> tuple[Piece, ...]:
        """Return the line at a width."""
        return top_line(cells, self.glyphs, self._keymap)


class BelowField(Lines):
    """Two lines under the field: what can be typed, what fits, or what is wrong."""

    DEFAULT_CSS = """
    BelowField { height: 2; }
    """

    def __init__(self, *, glyphs: Glyphs) -> None:
        """Make it empty.

        Args:
            glyphs: The set to draw with.
        """
        super().__init__(glyphs=glyphs, id="search-below")
        self._shown: tuple[tuple[Piece, ...], ...] = ()

    def show(self, lines: tuple[tuple[Piece, ...], ...]) -> None:
        """Show other lines."""
        if lines != self._shown:
            self._shown = lines
            self.refresh()

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        """Return the lines at a width."""
        return [fit(line, cells, self.glyphs.ellipsis) for line in self._shown]
