"""The last column of the tree: times, durations, both or tokens (`ui.md` 5.1, key `t`)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.model.outline_rows import RowKind
from ink_tui.model.tree_choice import TreeColumn
from ink_tui.tui.render import figures
from ink_tui.tui.render.cells import width
from ink_tui.tui.render.rows import Cut, Piece, Role, Row
from ink_tui.tui.render.state_pieces import own_words
from ink_tui.tui.render.transcript_look import took
from ink_tui.tui.render.tree_rows import FOLD, tree_columns, tree_row

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ink_tui.model.outline_rows import OutlineRow
    from ink_tui.model.tree_figures import RowFigures
    from ink_tui.tui.render.rows import Columns
    from ink_tui.tui.render.transcript_look import Look

_DURATION = 7
"""Cells of the widest duration below a hundred days, `12d 05h`."""
_GAP = 2
_TOKENS = 5
"""Cells of the widest count of tokens below ten millions, `21.4k`."""


def columns_with(rows: Iterable[OutlineRow], look: Look, column: TreeColumn) -> Columns:
    """Return the columns of a tree: the last is as wide for all rows.

    Args:
        rows: The rows that are seen.
        look: How they are drawn.
        column: What stands in the last column.
    """
    if column is TreeColumn.DURATIONS:
        return replace(tree_columns((), look), time=_DURATION)
    if column is TreeColumn.TOKENS:
        return replace(tree_columns((), look), time=2 * _TOKENS + width(_arrow(look)))
    columns = tree_columns(rows, look)
    if column is TreeColumn.BOTH:
        return replace(columns, time=_DURATION + _GAP + columns.time)
    return columns


def row_with(
    row: OutlineRow, look: Look, column: TreeColumn, columns: Columns, known: RowFigures
) -> Row:
    """Return what is drawn for a row: its figures in the last column, and whether it unfolds.

    Args:
        row: The row.
        look: How it is drawn.
        column: What stands in the last column.
        columns: The columns that `columns_with` found.
        known: The figures of the row.
    """
    drawn = _in_column(row, look, column, columns, known)
    if not row.hosts:
        return drawn
    glyph = look.glyphs.opened if row.opened else look.glyphs.folded
    role = Role.DIM if row.dim else Role.MUTED
    return replace(drawn, text=(Piece(f"{glyph} ", role, cut=Cut.NEVER, part=FOLD), *drawn.text))


def _in_column(
    row: OutlineRow, look: Look, column: TreeColumn, columns: Columns, known: RowFigures
) -> Row:
    if column is TreeColumn.TIMES or row.kind is RowKind.HEADING:
        return tree_row(row, look)
    if column is TreeColumn.TOKENS:
        return replace(tree_row(row, look), time=_tokens(known, look))
    # Said in its own column, a duration is no note.
    drawn = tree_row(replace(row, duration_ms=None), look)
    lasted = took(known.took_ms)
    if not lasted:
        return drawn if column is TreeColumn.BOTH else replace(drawn, time=())
    if column is TreeColumn.DURATIONS:
        return replace(drawn, time=(Piece(lasted, Role.MUTED),))
    room = columns.time - _DURATION - sum(width(piece.text) for piece in drawn.time)
    return replace(
        drawn, time=(Piece(lasted, Role.MUTED), Piece(" " * max(_GAP, room)), *drawn.time)
    )


def _arrow(look: Look) -> str:
    return own_words(" → ", look.glyphs)


def _tokens(known: RowFigures, look: Look) -> tuple[Piece, ...]:
    """Return `21.4k → 310`: what the model read and what it wrote."""
    if known.tokens_in is None and known.tokens_out is None:
        return ()
    read = "?" if known.tokens_in is None else figures.tokens(known.tokens_in)
    wrote = "?" if known.tokens_out is None else figures.tokens(known.tokens_out)
    return (Piece(read, Role.MUTED), Piece(f"{_arrow(look)}{wrote:>{_TOKENS}}", Role.DIM))
