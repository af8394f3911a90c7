"""What is typed into a find, and its marks in rows and in the lines of a block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ink_tui.model.find import NOTHING, FoundText, Spot, find_query, placed
from ink_tui.model.passages import Kind
from ink_tui.model.query import PatternTerm, ProblemKind, WordTerm
from ink_tui.tui.render.find_marks import Marking, is_current, mark_block, mark_row, marking_of
from ink_tui.tui.render.lines import Line
from ink_tui.tui.render.rows import Piece, Role, Row
from ink_tui.tui.render.timeline import with_hits

if TYPE_CHECKING:
    from collections.abc import Sequence


def text_of(pieces: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def marked(pieces: Sequence[Piece]) -> list[str]:
    return [piece.text for piece in pieces if piece.underline]


def lines(*texts: str, lead: str = "  ") -> list[Line]:
    return [Line((Piece(lead), Piece(text))) for text in texts]


@pytest.mark.parametrize(
    "typed", ["two words", 'say "this"', "tool:bash", "-word", "re", "is:live", " a", "\\"]
)
def test_what_is_typed_is_looked_for_as_it_is(typed: str) -> None:
    assert find_query(typed).terms == (WordTerm(typed),)
    assert find_query(typed).problem is None


@pytest.mark.parametrize("typed", ["", "  ", "\t", "re:"])
def test_nothing_is_looked_for_where_nothing_is_typed(typed: str) -> None:
    assert find_query(typed).terms == ()
    assert find_query(typed).problem is None


@pytest.mark.parametrize("pattern", ["a b", '"', r'\d+ "x', "a|b", " x", r"\\", "修+"])
def test_what_stands_behind_re_is_one_pattern(pattern: str) -> None:
    assert find_query(f"re:{pattern}").terms == (PatternTerm(pattern),)


def test_a_wrong_pattern_has_a_problem() -> None:
    problem = find_query("re:(").problem
    assert problem is not None
    assert problem.kind is ProblemKind.BAD_PATTERN


def test_places_are_underlined_and_nothing_else_changes() -> None:
    head = (Piece("a sum", bold=True), Piece(" and SUM"))
    under = lines("no", "summary of sums", "[red]sum[/]")
    new_head, new_lines = mark_block(head, under, Marking(("sum", "SUM")))
    assert marked(new_head) == ["sum", "SUM"]
    assert [marked(line.pieces) for line in new_lines] == [[], ["sum", "sum"], ["sum"]]
    assert [text_of(line.pieces) for line in new_lines] == [text_of(line.pieces) for line in under]
    assert text_of(new_head) == text_of(head)
    assert all(piece.role is Role.WARNING for piece in new_head if piece.underline)
    assert [piece.bold for piece in new_head] == [True, True, False, False]


@pytest.mark.parametrize(
    ("texts", "word", "parts"),
    [
        (("see the big", "world"), "big world", [["big"], ["world"]]),
        (("一二三四", "五六七"), "四五", [["四"], ["五"]]),
        (("nothing goes", "over"), "goes out", [[], []]),
        (("aba", "ba"), "aba", [["aba"], []]),
    ],
)
def test_what_goes_on_in_the_next_line_is_found(
    texts: tuple[str, ...], word: str, parts: list[list[str]]
) -> None:
    for lead in ("  ", "┃ "):
        found = mark_block((), lines(*texts, lead=lead), Marking((word,), 0))[1]
        assert [marked(line.pieces) for line in found] == parts
        assert [is_current(line.pieces) for line in found] == [bool(part) for part in parts]


def test_the_current_place_is_the_one_that_is_counted() -> None:
    under = lines("x", "x x", "x")
    for nth, where in enumerate((0, 1, 1, 2)):
        found = mark_block((), under, Marking(("x",), nth))[1]
        assert [number for number, line in enumerate(found) if is_current(line.pieces)] == [where]
    found = mark_block((), under, Marking(("x",), 0, of_end=1))[1]
    assert is_current(found[2].pieces)
    # There may be fewer places than the text has: what is cut away is not drawn.
    assert is_current(mark_block((), under, Marking(("x",), 9))[1][2].pieces)


def test_places_in_a_later_part_of_a_long_text_are_counted_in_that_part() -> None:
    text = FoundText(Kind.RESULT, None, 0, 1, 3, starts=(10, 16_010, 16_020), words=("x",))
    assert marking_of(("x",), Spot(text, 0), 16_000) == Marking(("x",), 0, 1)
    assert marking_of(("x",), Spot(text, 2), 16_000) == Marking(("x",), 1, 2)
    assert marking_of(("x",), None, 16_000) == Marking(("x",))


def test_a_row_tells_what_its_text_does_not_show() -> None:
    row = Row("k", text=(Piece("the sum"),), note=(Piece("3 lines"),))
    own = mark_row(row, ("sum",), 1, 0, "·")
    assert (marked(own.text), text_of(own.note)) == (["sum"], "3 lines")
    more = mark_row(row, ("sum",), 4, 0, "·")
    assert (marked(more.text), text_of(more.note)) == (["sum"], "3 lines · 4 found")
    inside = mark_row(row, (), 0, 1_200, "·")
    assert (marked(inside.text), marked(inside.note)) == ([], ["1,200 found inside"])


def test_hits_stand_on_the_timeline_under_its_marks() -> None:
    marks = (Piece(" "), Piece("!"), Piece(" "), Piece(" "))
    cells = with_hits(marks, (2, 4, 99), 4)
    assert [cell.text for cell in cells] == [" ", "!", " ", "_"]
    assert [cell.underline for cell in cells] == [False, True, False, True]
    assert with_hits((), (1,), 1) == ()


def test_nothing_found_has_no_spot() -> None:
    assert placed(()).total == NOTHING.total == 0
    with pytest.raises(IndexError):
        NOTHING.spot(0)
