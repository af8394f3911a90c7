"""Rows of a terminal engine as strips of the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size, split_graphemes
from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from ink_tui.agent.engine import PLAIN, Attribute, CellStyle, Color, Row

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_STYLES = 4_096
"""Styles remembered; an agent that paints gradients uses a new colour in every cell."""

REPLACEMENT = "\ufffd"
_INVISIBLE = int(Attribute.INVISIBLE)
CURSOR_STYLES = {"block": Style(reverse=True), "line": Style(underline=True)}


class RowPainter:
    """Turns rows into strips; remembers the styles it has made, up to a limit."""

    def __init__(self) -> None:
        self._styles: dict[CellStyle, Style | None] = {PLAIN: None}

    @property
    def style_count(self) -> int:
        """How many styles are remembered."""
        return len(self._styles)

    def strip(self, row: Row, columns: int) -> Strip:
        """Return a row as a strip of exactly `columns` cells.

        A run whose text the screen would measure otherwise than the engine did is cut or padded
        to its columns, so that what follows stands where the agent put it.
        """
        segments: list[Segment] = []
        width = 0
        for run in row:
            text = run.text
            if run.style.attributes & _INVISIBLE:
                text = " " * run.columns
            elif not text.isascii() and cell_len(text) != run.columns:
                text = _fitted(text, run.columns)
            segments.append(Segment(text, self.style(run.style)))
            width += run.columns
        strip = Strip(segments, width)
        return strip if width == columns else strip.adjust_cell_length(columns)

    def style(self, cell_style: CellStyle) -> Style | None:
        """Return the style of a run; None leaves it to the pane's own colours."""
        try:
            return self._styles[cell_style]
        except KeyError:
            if len(self._styles) >= MAX_STYLES:
                self._styles = {PLAIN: None}
            style = self._styles[cell_style] = _rich_style(cell_style)
            return style


def _fitted(text: str, columns: int) -> str:
    """Return text cut or padded to its columns, or a replacement if it cannot be."""
    fitted = set_cell_size(text, columns)
    return fitted if cell_len(fitted) == columns else REPLACEMENT.ljust(columns)


def with_cursor(strip: Strip, column: int, look: str) -> Strip:
    """Return a strip with the text cursor on one of its cells.

    Args:
        strip: A row of the terminal.
        column: The cell, from 0; a cursor beyond the row is put on its last cell.
        look: `block` or `line`.
    """
    width = strip.cell_length
    if not width:
        return strip
    column = min(max(column, 0), width - 1)
    # A wide character is taken whole: half of it cannot be drawn.
    end = column + max(_width_at(strip, column), 1)
    before, under, after = strip.crop(0, column), strip.crop(column, end), strip.crop(end, width)
    return Strip.join([before, under.apply_style(CURSOR_STYLES[look]), after])


def spans(rows: Iterable[int], height: int) -> list[tuple[int, int]]:
    """Return rows inside `height` as pairs of first row and count, neighbours together."""
    found: list[tuple[int, int]] = []
    for row in sorted({row for row in rows if 0 <= row < height}):
        if found and sum(found[-1]) == row:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((row, 1))
    return found


def _width_at(strip: Strip, column: int) -> int:
    """Return the cells of the character that begins at a column, 1 in the middle of one."""
    clusters, _ = split_graphemes(strip.crop(column, min(column + 2, strip.cell_length)).text)
    return clusters[0][2] if clusters else 1


def _rich_style(cell_style: CellStyle) -> Style:
    attributes = Attribute(cell_style.attributes)

    def has(attribute: Attribute) -> bool | None:
        return True if attribute in attributes else None

    # Blinking is left out: nothing on our screen blinks (`ui.md` 5.5).
    return Style(
        color=_rich_color(cell_style.foreground),
        bgcolor=_rich_color(cell_style.background),
        bold=has(Attribute.BOLD),
        dim=has(Attribute.FAINT),
        italic=has(Attribute.ITALIC),
        underline=has(Attribute.UNDERLINE),
        reverse=has(Attribute.INVERSE),
        strike=has(Attribute.STRIKE),
        overline=has(Attribute.OVERLINE),
    )


def _rich_color(color: Color) -> RichColor | None:
    if color is None:
        return None
    if isinstance(color, int):
        return RichColor.from_ansi(color)
    return RichColor.from_rgb(*color)
