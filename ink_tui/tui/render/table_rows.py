"""A table of Markdown as lines: columns aligned, cells wrapped; records where columns are too many.

Pure. Widths are those of what is drawn; a column gives way only as far as its words stay readable.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from ink_tui.tui.render.cells import width
from ink_tui.tui.render.lines import wrap_pieces
from ink_tui.tui.render.rows import Piece, Role, line_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.tui.render.glyphs import Glyphs

Cell: TypeAlias = "tuple[Piece, ...]"

LEAST_COLUMN = 8
"""Cells that a column keeps where its words need as many; with less each row becomes a record."""
CELL_LINES = 12
"""Lines of one cell that are shown; what is left out is marked."""
_GAP = "  "


def table_lines(
    rows: Sequence[Sequence[Cell]], aligned: Sequence[str], room: int, glyphs: Glyphs
) -> list[Cell]:
    """Return the lines of a table, none wider than its place.

    Args:
        rows: Its rows, the head first; a row may be shorter than the head.
        aligned: `left`, `center` or `right` of each column.
        room: Cells of the place.
        glyphs: Where the rule and the mark of a cut come from.
    """
    widths = _column_widths(rows, room)
    if widths is None:
        return _as_records(rows, room)
    found: list[Cell] = []
    for number, row in enumerate(rows):
        bold = number == 0
        cells = [_wrapped(cell, each, glyphs, bold=bold) for cell, each in _pairs(row, widths)]
        lines = range(max((len(cell) for cell in cells), default=0))
        found += [_joined([cell[at : at + 1] for cell in cells], widths, aligned) for at in lines]
        if bold:
            rule = _GAP.join(glyphs.rule * each for each in widths)
            found.append((Piece(rule, Role.HAIR),))
    return found


def _pairs(row: Sequence[Cell], widths: Sequence[int]) -> list[tuple[Cell, int]]:
    return list(zip(row, widths, strict=False))


def _wrapped(cell: Cell, cells: int, glyphs: Glyphs, *, bold: bool) -> list[Cell]:
    pieces = [replace(piece, bold=True) for piece in cell] if bold else list(cell)
    lines: list[Cell] = wrap_pieces(pieces, cells) if pieces else [()]
    if len(lines) > CELL_LINES:
        lines = [*lines[: CELL_LINES - 1], (Piece(glyphs.ellipsis, Role.MUTED),)]
    return lines


def _joined(parts: list[list[Cell]], widths: Sequence[int], aligned: Sequence[str]) -> Cell:
    """Return one line of a row; nothing stands behind its last word."""
    found: list[Piece] = []
    blank = 0
    for at, (part, cells) in enumerate(zip(parts, widths, strict=False)):
        line = part[0] if part else ()
        left = max(0, cells - line_width(line))
        before = {"right": left, "center": left // 2}.get(aligned[at] if at < len(aligned) else "")
        front = blank + (before or 0)
        if line and front:
            found.append(Piece(" " * front))
        found.extend(line)
        used = (before or 0) + line_width(line)
        blank = cells - used + len(_GAP) if line else blank + cells + len(_GAP)
    return tuple(found)


def _column_widths(rows: Sequence[Sequence[Cell]], room: int) -> list[int] | None:
    """Return widths that fit together, the widest made narrower first; `None` where none do."""
    count = max((len(row) for row in rows), default=0)
    wanted = [
        max(1, *(min(room, _widest(row[at])) for row in rows if at < len(row)), 1)
        for at in range(count)
    ]
    free = room - len(_GAP) * (count - 1)
    if sum(wanted) <= free:
        return wanted
    if sum(min(each, LEAST_COLUMN) for each in wanted) > free:
        return None
    most = max(wanted)
    while sum(min(each, most) for each in wanted) > free:
        most -= 1
    widths = [min(each, most) for each in wanted]
    spare = free - sum(widths)
    for at, each in enumerate(wanted):  # what is left over goes to the first that want it
        if spare and each > widths[at]:
            widths[at] += 1
            spare -= 1
    return widths


def _widest(cell: Cell) -> int:
    """Return the width of the widest line of a cell."""
    return max(width(line) for line in "".join(piece.text for piece in cell).split("\n"))


def _as_records(rows: Sequence[Sequence[Cell]], room: int) -> list[Cell]:
    """Return each row as lines of name and value, a blank line between two rows."""
    head, *others = rows if rows else [[]]
    found: list[Cell] = []
    for row in others or [head]:
        if found:
            found.append(())
        for at, cell in enumerate(row):
            named = head[at] if others and at < len(head) else ()
            front = [replace(piece, role=Role.MUTED, bold=True) for piece in named]
            if front:
                front.append(Piece(_GAP))
            found.extend(wrap_pieces([*front, *cell], room))
    return found
