"""Tables of Markdown: aligned, wrapped in their cells, as records where there is no room."""

from __future__ import annotations

import pytest

from ink_tui.tui.render.glyphs import UNICODE
from ink_tui.tui.render.markdown import markdown_lines
from ink_tui.tui.render.rows import Role, line_width
from ink_tui.tui.render.table_rows import CELL_LINES

TABLE = (
    "| name | 说明 | n |\n|:--|:-:|--:|\n| `sum` | 求和 | 1 |\n| long | of three words | 12,345 |"
)


def drawn(source: str, cells: int) -> list[str]:
    lines = markdown_lines(source, cells, UNICODE)
    return ["".join(piece.text for piece in line.pieces) for line in lines]


def test_columns_are_aligned_as_asked() -> None:
    assert drawn(TABLE, 60) == [
        "name       说明            n",
        "────  ──────────────  ──────",
        "sum        求和            1",
        "long  of three words  12,345",
    ]


def test_cells_keep_their_looks_and_the_head_is_bold() -> None:
    head, _rule, first, *_ = markdown_lines(TABLE, 60, UNICODE)
    assert all(piece.bold for piece in head.pieces if piece.text.strip())
    assert first.pieces[0].role is Role.WARNING
    assert first.pieces[0].text == "sum"


def test_long_cells_are_wrapped_each_in_its_column() -> None:
    assert drawn(TABLE, 24) == [
        "name     说明          n",
        "────  ──────────  ──────",
        "sum      求和          1",
        "long   of three   12,345",
        "        words",
    ]


def test_too_many_columns_become_records() -> None:
    table = "|alpha column|beta column|gamma column|\n|-|-|-|\n|one|two words here|3|\n|x|y|z|"
    assert drawn(table, 20) == [
        "alpha column  one",
        "beta column  two",
        "words here",
        "gamma column  3",
        "",
        "alpha column  x",
        "beta column  y",
        "gamma column  z",
    ]


def test_a_cell_without_end_is_cut() -> None:
    table = f"|a|b|\n|-|-|\n|{'word ' * 200}|{'x' * 40}|"
    lines = drawn(table, 30)
    assert len(lines) == CELL_LINES + 2
    assert lines[-1].startswith("…")


@pytest.mark.parametrize("cells", [8, 12, 20, 33, 60, 100])
@pytest.mark.parametrize(
    "row", ["|一二三四五六七八九十|👨‍👩‍👧 x|", "|a|", "||", "|a|b|c|d|", "|[red]x[/]|\\||"]
)
def test_no_line_is_wider_than_its_place(row: str, cells: int) -> None:
    table = f"|名字 name|second column|\n|:-:|--:|\n{row}\n{row}"
    for line in markdown_lines(table, cells, UNICODE):
        assert line_width(line.pieces) <= cells
