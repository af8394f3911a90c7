"""The drawn copy of a terminal: strips, text cursor, and how many rows lie below the view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.strip import Strip

from ink_tui.tui.render.terminal_rows import RowPainter, with_cursor

if TYPE_CHECKING:
    from ink_tui.agent.engine import Cursor, TermEngine


class TerminalScreen:
    """What was last taken from an engine, in the form the screen draws."""

    def __init__(self) -> None:
        self.cursor: Cursor | None = None
        self.below = 0
        self._painter = RowPainter()
        self._strips: dict[int, Strip] = {}
        self._rows = 0

    def take(self, engine: TermEngine) -> set[int]:
        """Take what has changed in an engine and return the rows to be drawn again."""
        changed = engine.dirty_rows()
        for y, row in changed.items():
            self._strips[y] = self._painter.strip(row, engine.columns)
        rows = set(changed)
        cursor = engine.cursor()
        if cursor != self.cursor:
            rows |= {known.row for known in (cursor, self.cursor) if known is not None}
            self.cursor = cursor
        below = engine.view().below
        if below != self.below or engine.rows != self._rows:
            rows.add(engine.rows - 1)
            self.below, self._rows = below, engine.rows
        return rows

    def line(self, y: int, width: int, cursor_look: str) -> Strip:
        """Return one row, exactly `width` cells wide.

        Args:
            y: The row, from 0.
            width: Columns of the pane, which may differ from the terminal's for a moment.
            cursor_look: `block`, `line`, or empty for no text cursor.
        """
        strip = self._strips.get(y) or Strip.blank(width)
        cursor = self.cursor
        if cursor_look and cursor is not None and cursor.visible and cursor.row == y:
            look = "line" if cursor.shape == "underline" else cursor_look
            strip = with_cursor(strip, cursor.column, look)
        strip = strip.adjust_cell_length(width)
        if self.below and y == self._rows - 1:
            mark = f" {self.below} more below "[:width]
            strip = Strip.join([strip.crop(0, width - len(mark)), Strip([Segment(mark)])])
        return strip

    def text(self) -> str:
        """Return all rows as plain text, without the blanks at their ends."""
        rows = (self._strips.get(y) for y in range(self._rows))
        return "\n".join(strip.text.rstrip() if strip else "" for strip in rows)
