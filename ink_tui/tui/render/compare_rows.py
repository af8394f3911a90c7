"""The rows of a comparison: records in two columns, and what each side did. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from ink_tui.model.compare_words import BOTH
from ink_tui.model.words import counted
from ink_tui.tui.render.rows import BLANK, Cut, Ground, Piece, Role, Row, fit
from ink_tui.tui.render.state_pieces import own_words
from ink_tui.tui.render.tree_rows import FOLD

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ink_tui.model.compare_lines import ComparedLines, RowPair
    from ink_tui.model.compare_words import ComparedFact, ComparedSection, SideFact
    from ink_tui.model.outline_rows import OutlineRow
    from ink_tui.tui.render.glyphs import Glyphs

COMMON = "common"
"""Key of the row that stands for the records that both sides have."""
END = "end"
"""Key of the row that says that a side has nothing of its own."""
END_ROW = Row(END, text=(Piece("nothing after it", Role.DIM),))
"""The row of a side that has nothing of its own."""
_EMPTY = Row("", selectable=False)
_GAP = 2
_MARK_CELLS = 5
"""Cells of the mark of files that both sides have changed, its gap included."""


@dataclass(frozen=True, slots=True)
class ColumnRows:
    """The rows of one column: a view draws the few that are on the screen."""

    side: int
    """0 for the left one, 1 for the right one."""
    drawn: Mapping[str, OutlineRow]
    """What each row tells of, by its key."""
    common: tuple[Row, ...]
    """Rows without content for what both sides have: one for each line, empty ones among them."""
    own: tuple[Row, ...]
    """The same for what this side alone has."""


def column_rows(lines: ComparedLines, side: int) -> ColumnRows:
    """Return the rows of one column; for very many lines call it from a worker.

    Args:
        lines: The rows of the comparison.
        side: 0 for the left column, 1 for the right one.
    """
    own = _bare(lines.own, side)
    if not any(row.selectable for row in own):
        own = (END_ROW, *own[1:])
    pairs = (*lines.common, *lines.own)
    drawn = {row.key: row for pair in pairs if (row := pair[side]) is not None}
    return ColumnRows(side, drawn, _bare(lines.common, side), own)


def _bare(pairs: Iterable[RowPair], side: int) -> tuple[Row, ...]:
    return tuple(_EMPTY if (row := pair[side]) is None else Row(row.key) for pair in pairs)


def common_row(records: int, glyphs: Glyphs, *, opened: bool) -> Row:
    """Return the row that stands for what both sides have."""
    if not records:
        return Row(COMMON, text=(Piece("nothing in common", Role.DIM),))
    glyph = glyphs.opened if opened else glyphs.folded
    text = (
        Piece(f"{glyph} ", Role.MUTED, part=FOLD),
        Piece(f"{counted(records, 'record')} in common", Role.MUTED),
    )
    return Row(COMMON, text=text, ground=Ground.BAND)


class DoneLines:
    """What both sides did, line by line; a line is drawn when it is seen."""

    def __init__(self, sections: Sequence[ComparedSection]) -> None:
        """Make it from the sections in words."""
        self.sections = tuple(sections)
        self._starts = list(accumulate((len(each.lines) for each in self.sections), initial=0))

    def rows(self) -> list[Row]:
        """Return the rows without content; headings stand between them with theirs."""
        found: list[Row] = []
        for number, section in enumerate(self.sections):
            if number:
                found.append(BLANK)
            title = (Piece(section.title, Role.MUTED, bold=True),)
            found.append(Row(f"title:{number}", text=title, selectable=False))
            found += [Row(f"{number}:{at}") for at in range(len(section.lines))]
        return found

    def row(
        self, key: str, cells: int, glyphs: Glyphs, *, middle: int = 0, side: int = 0
    ) -> Row | None:
        """Return a line with its content; `None` for a heading.

        Args:
            key: Key of its row.
            cells: Width of its text.
            glyphs: The set to draw with.
            middle: Where the right side begins; 0 where one side is shown.
            side: The one side that is shown.
        """
        number, _, at = key.partition(":")
        if not at or not number.isdecimal():
            return None
        section = self.sections[int(number)]
        line = section.lines[int(at)]
        sides = (line.left, line.right)
        if not middle:
            return Row(key, text=_half(line, sides[side], section, cells, cells // 2, glyphs))
        left = _half(line, sides[0], section, max(0, middle - _GAP), middle // 2, glyphs)
        gap = Piece(" " * min(_GAP, middle))
        right = _said(sides[1], max(0, cells - middle), glyphs)
        return Row(key, text=(*left, gap, *right))


def _half(
    line: ComparedFact,
    fact: SideFact,
    section: ComparedSection,
    cells: int,
    names: int,
    glyphs: Glyphs,
) -> tuple[Piece, ...]:
    """Return a name with what one side has to say of it."""
    if not line.name:
        return _said(fact, cells, glyphs)
    mark = _MARK_CELLS if section.paths else 0
    cut = Cut.PATH if section.paths else Cut.END
    name = fit((Piece(line.name, cut=cut),), max(1, names - mark - _GAP), glyphs.ellipsis)
    both = fit((Piece(f" {BOTH}" if line.both else "", Role.WARNING),), mark)
    return (*name, *both, Piece(" " * _GAP), *_said(fact, max(0, cells - names), glyphs))


def _said(fact: SideFact, cells: int, glyphs: Glyphs) -> tuple[Piece, ...]:
    role = Role.WARNING if fact.loud else Role.MUTED
    figure = own_words(fact.figure, glyphs)
    if not fact.text:
        return fit((Piece(figure, role),), cells, glyphs.ellipsis)
    said = Piece(f"  {figure}" if figure else "", role, cut=Cut.NEVER)
    return fit((Piece(fact.text), said), cells, glyphs.ellipsis)
