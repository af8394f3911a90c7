"""Cells of the `bittty` engine as neutral rows, and the rows that have left its screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bittty.terminals.scrollback import MemoryScrollback, ScrollbackLine

from ink_tui.agent.engine import PLAIN, Attribute, CellStyle, Color, Row, Run
from ink_tui.agent.engine_text import UNDRAWABLE, drawable_cluster, is_disputed

if TYPE_CHECKING:
    from collections.abc import Sequence

SCROLLBACK_LINES = 10_000
SCROLLBACK_CELLS = 250_000
"""Both limits hold, whichever is met first: 10,000 short lines, 1,700 full ones of 144 columns.

A kept cell costs about 10 bytes, but up to 300 if a child gives every cell a colour of its own.
"""

MAX_CACHED_STYLES = 5_000

_ATTRIBUTES = tuple(
    (name, int(bit))
    for name, bit in (
        ("bold", Attribute.BOLD),
        ("dim", Attribute.FAINT),
        ("italic", Attribute.ITALIC),
        ("underline", Attribute.UNDERLINE),
        ("blink", Attribute.BLINK),
        ("reverse", Attribute.INVERSE),
        ("conceal", Attribute.INVISIBLE),
        ("strike", Attribute.STRIKE),
        ("overline", Attribute.OVERLINE),
    )
)


class RowReader:
    """Turns cells into runs; remembers what each style means."""

    def __init__(self) -> None:
        self._styles: dict[Any, CellStyle] = {}

    def row(self, cells: Sequence[tuple[Any, str]], columns: int) -> Row:
        """Return the runs of a row of cells, cut or filled to so many columns."""
        runs: list[Run] = []
        texts: list[str] = []
        width = 0
        current: Any = None
        style = PLAIN
        alone = in_wide = False
        for cell_style, text in cells[:columns]:
            if not text and in_wide:
                # The right half of a wide character.
                width, in_wide = width + 1, False
                continue
            text = text or " "
            stands_alone = not text.isascii() and (len(text) > 1 or is_disputed(ord(text)))
            if cell_style is not current or alone or stands_alone:
                found = style if cell_style is current else self._style(cell_style)
                if width and (alone or stands_alone or found != style):
                    runs.append(_run(texts, width, style, alone=alone))
                    texts, width = [], 0
                current, style = cell_style, found
            alone = stands_alone
            in_wide = not text.isascii()
            texts.append(text)
            width += 1
        if width:
            runs.append(_run(texts, width, style, alone=alone))
        if len(cells) < columns:
            missing = columns - len(cells)
            runs.append(Run(" " * missing, missing))
        return tuple(runs)

    def _style(self, style: Any) -> CellStyle:
        found = self._styles.get(style)
        if found is None:
            if len(self._styles) >= MAX_CACHED_STYLES:
                self._styles.clear()
            found = self._styles[style] = _style_of(style)
        return found


def _run(texts: list[str], columns: int, style: CellStyle, *, alone: bool) -> Run:
    text = "".join(texts)
    if not text.isascii():
        text = drawable_cluster(text) if alone and len(text) > 1 else UNDRAWABLE.sub(" ", text)
    return Run(text, columns, style)


def _style_of(style: Any) -> CellStyle:
    attributes = 0
    for name, bit in _ATTRIBUTES:
        if getattr(style, name):
            attributes |= bit
    found = CellStyle(_color_of(style.fg), _color_of(style.bg), attributes)
    return PLAIN if found == PLAIN else found


def _color_of(color: Any) -> Color:
    if color is None or color.mode == "default":
        return None
    value: Color = color.value
    return value


class History:
    """The rows that have scrolled off the main screen, wrapped anew at any width."""

    def __init__(self) -> None:
        self._store = MemoryScrollback(SCROLLBACK_CELLS)

    def take(self, lines: Sequence[Any]) -> None:
        """Keep rows that leave the screen, oldest first."""
        store = self._store
        for line in lines:
            # The store counts cells alone. One cell below what it holds makes it give up
            # the oldest line for the next.
            full = store.end - store.first >= SCROLLBACK_LINES
            store.max_cells = min(SCROLLBACK_CELLS, store.cells - 1) if full else SCROLLBACK_CELLS
            kept = ScrollbackLine.of(line.cells, trim=not line.wrapped)
            store.append(kept, wrapped=line.wrapped)

    def clear(self) -> None:
        """Forget all rows."""
        self._store.clear()

    def count(self, columns: int) -> int:
        """Return how many rows of so many columns are kept."""
        return len(self._store.width(columns))

    def cells(self, row: int, columns: int) -> Sequence[tuple[Any, str]]:
        """Return the cells of a row, 0 the oldest."""
        cells: Sequence[tuple[Any, str]] = self._store.width(columns)[row]
        return cells

    def place(self, row: int, columns: int) -> tuple[int, int]:
        """Return the line of a row and the row inside it: a place that stays when rows move."""
        line, within = self._store.width(columns).line_at(row)
        return line, within

    def row_at(self, place: tuple[int, int], columns: int) -> int:
        """Return the row of a place, or the nearest that is left."""
        line, within = place
        if line < self._store.first:
            return 0
        if line >= self._store.end:
            return self.count(columns)
        row: int = self._store.width(columns).row_for(line)
        return min(row + within, self.count(columns))
