"""Places that draw comparisons: the lines over them, both columns, what each side did."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.keymap import DEFAULT_KEYMAP
from ink_tui.model.compare_choices import Other, OtherKind, other_branches
from ink_tui.model.text import one_line
from ink_tui.tui.render.compare_lines import HeadState, page_lines, side_lines, title_line
from ink_tui.tui.render.compare_rows import DoneLines
from ink_tui.tui.render.compare_views import load_comparison
from ink_tui.tui.render.glyphs import UNICODE
from ink_tui.tui.render.question_rows import compare_question, question_rows
from ink_tui.tui.render.rows import PLAIN_COLUMNS, lay_out
from ink_tui.tui.render.tree_rows import tree_columns, tree_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ink_tui.tui.render.compare_views import CompareViews
    from ink_tui.tui.render.rows import Piece
    from tests.reliability.subject import Subject

    Drawn = tuple[tuple[Piece, ...], int]


def _views(subject: Subject) -> Iterator[CompareViews]:
    """Compare with each other branch, and with nothing: then every record is the left side's."""
    nothing = Other(OtherKind.BRANCH, "", None, one_line(subject.text), None, None)
    for other in (nothing, *other_branches(subject.diagnosis)):
        yield load_comparison(str(subject.path), other, (), subject.diagnosis)


def _lines(lines: Iterable[Sequence[Piece]], cells: int) -> Iterator[Drawn]:
    for line in lines:
        yield tuple(line), cells


def _head(subject: Subject) -> Iterator[Drawn]:
    cells = subject.cells
    for views in _views(subject):
        yield title_line(views, cells, UNICODE, DEFAULT_KEYMAP), cells
        for narrow in (True, False):
            state = HeadState(narrow=narrow)
            yield from _lines(page_lines(state, cells, UNICODE), cells)
            for side in (0, 1):
                yield from _lines(side_lines(views, side, state, subject.look), cells)


def _records(subject: Subject) -> Iterator[Drawn]:
    for views in _views(subject):
        for column in views.columns:
            columns = tree_columns(column.drawn.values(), subject.look)
            for row in column.drawn.values():
                drawn = lay_out(tree_row(row, subject.look), subject.cells, columns)
                yield from _lines(drawn, subject.cells)


def _done(subject: Subject) -> Iterator[Drawn]:
    cells = subject.cells
    for views in _views(subject):
        done = DoneLines(views.sections)
        for bare in done.rows():
            for middle in (0, cells // 2):
                row = done.row(bare.key, cells - 2, UNICODE, middle=middle) or bare
                yield from _lines(lay_out(row, cells, PLAIN_COLUMNS), cells)


def _question(subject: Subject) -> Iterator[Drawn]:
    others = other_branches(subject.diagnosis)
    foreign = one_line(subject.text)
    others += (Other(OtherKind.FORK, "/x", None, foreign, None, None),)
    title, sentences, choices = compare_question(others, subject.look, 40)
    dialog = question_rows(title, sentences, choices, choices[0].id, (subject.cells, 40), UNICODE)
    cells = dialog.width - 2 * dialog.side
    for row in (*dialog.head, *dialog.body):
        yield from _lines(lay_out(row, cells, replace(PLAIN_COLUMNS, pad=0)), cells)
    for row in dialog.foot:
        yield from _lines(lay_out(row, cells, dialog.foot_columns), cells)


COMPARE_DRAWN: dict[str, Callable[[Subject], Iterator[Drawn]]] = {
    "comparison, head": _head,
    "comparison, records": _records,
    "comparison, what was done": _done,
    "question, compare": _question,
}
