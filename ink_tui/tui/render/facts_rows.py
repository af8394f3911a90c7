"""The facts of a session as rows, with bars for sizes and times. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.keymap import DEFAULT_KEYMAP, Keymap
from ink_tui.tui.render.cells import width
from ink_tui.tui.render.dialog_rows import RAISED_BLANK, DialogRows, own_words, paragraph, raised
from ink_tui.tui.render.rows import Piece, Role, fit
from ink_tui.tui.render.scrolling_rows import scrolling_rows, text_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ink_tui.model.facts_words import FactLine, Section
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.rows import Row

FACTS_WIDTH = 120
"""Cells that the facts take where there is room for them."""
_GAP = 2
_BAR_FROM = 50
"""Fewer cells have no bars."""


def facts_rows(
    title: str,
    sections: Sequence[Section] | None,
    screen: tuple[int, int],
    glyphs: Glyphs,
    keymap: Keymap = DEFAULT_KEYMAP,
    *,
    trouble: str = "",
) -> DialogRows:
    """Return the facts of a session, laid out for a screen.

    Args:
        title: Title of the session.
        sections: The facts; `None` while the session is read.
        screen: Width and height of the screen in cells.
        glyphs: The set to draw with.
        keymap: The table with the user's keys.
        trouble: Why there are none, in a sentence; empty for no reason.
    """
    cells = text_cells(screen[0], FACTS_WIDTH)
    if trouble:
        body = paragraph(trouble, cells, Role.WARNING)
    elif sections is None:
        body = paragraph("Reading the session ...", cells, Role.MUTED)
    else:
        body = tuple(_body(sections, cells, glyphs))
    return scrolling_rows("Facts", title, body, screen, FACTS_WIDTH, glyphs, keymap)


def bar(share: float, cells: int, glyphs: Glyphs) -> tuple[Piece, ...]:
    """Return a bar of so many cells.

    Args:
        share: How much of it is full, 0 to 1; anything above nothing fills a cell.
        cells: Width over all.
        glyphs: The set to draw with.
    """
    full = min(cells, max(1, round(share * cells))) if share > 0 else 0
    return (
        Piece(glyphs.bar_full * full, Role.ACCENT),
        Piece(glyphs.bar_rest * (cells - full), Role.DIM),
    )


def _body(sections: Sequence[Section], cells: int, glyphs: Glyphs) -> Iterator[Row]:
    for number, section in enumerate(sections):
        if number:
            yield RAISED_BLANK
        yield raised(Piece(section.title, Role.MUTED, bold=True))
        yield from _lines(section.lines, cells, glyphs)


def _lines(lines: Sequence[FactLine], cells: int, glyphs: Glyphs) -> Iterator[Row]:
    """Yield the rows of one kind: names, bars, figures, each in a column of its own."""
    names = max(width(line.name) for line in lines)
    figures = min(max(width(line.figure) for line in lines), cells * 3 // 5)
    bars = 0
    if cells >= _BAR_FROM and any(line.share is not None for line in lines):
        bars = max(cells // 6, cells // 2 - figures - 2 * _GAP)
    names = min(names, max(8, cells - figures - _GAP - (bars + _GAP if bars else 0)))
    for line in lines:
        pieces = [*fit((Piece(line.name),), names, glyphs.ellipsis), Piece(" " * _GAP)]
        if bars:
            drawn = bar(line.share, bars, glyphs) if line.share is not None else ()
            pieces += [*(drawn or (Piece(" " * bars),)), Piece(" " * _GAP)]
        role = Role.WARNING if line.loud else Role.MUTED
        yield raised(*pieces, Piece(own_words(line.figure, glyphs), role))
