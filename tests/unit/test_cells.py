"""Rows of cells: never wider than the terminal, nothing lost, nothing torn that is drawn as one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth, wcwidth

from ink_tui.model.cells import broken, cell_width
from ink_tui.model.text import one_line

FAMILY = "👨\u200d👩\u200d👧"


@pytest.mark.parametrize(
    ("line", "columns", "rows"),
    [
        ("", 20, [""]),
        ("a" * 20, 20, ["a" * 20]),
        ("a" * 21, 20, ["a" * 20, "a"]),
        ("one two three four five", 20, ["one two three four", "five"]),
        ("  one two three four five", 20, ["  one two three four", "  five"]),
        ("a " + "b" * 30, 20, ["a " + "b" * 18, "b" * 12]),
        ("数" * 11, 20, ["数" * 10, "数"]),
        ("a" + "数" * 10, 20, ["a" + "数" * 9, "数"]),
        ("a" * 19 + "e\u0301" + "b", 20, ["a" * 19 + "e\u0301", "b"]),
        ("a" * 15 + FAMILY, 20, ["a" * 15, FAMILY]),
        ("a" * 18 + "🇩🇪", 20, ["a" * 18, "🇩🇪"]),
        ("a" * 19 + "❤\ufe0f", 20, ["a" * 19, "❤\ufe0f"]),
        ("a" * 18 + "👍🏽", 20, ["a" * 18, "👍🏽"]),
        (FAMILY[:-1] * 9, 20, [FAMILY[:-1] * 5] * 1 + [FAMILY[:-1] * 4]),
        ("\tx", 20, ["    x"]),
    ],
)
def test_where_rows_end(line: str, columns: int, rows: list[str]) -> None:
    assert list(broken(line, columns)) == rows


def test_a_deep_indent_is_not_repeated() -> None:
    assert list(broken(" " * 15 + "abcdefgh", 20)) == [" " * 15 + "abcde", "fgh"]


@given(st.text(max_size=80), st.integers(4, 40))
def test_any_text_fits_and_is_whole(text: str, columns: int) -> None:
    line = one_line(text)
    rows = list(broken(line, columns))
    for row in rows:
        assert cell_width(row) <= columns
        assert max(wcswidth(row), sum(max(0, wcwidth(char)) for char in row)) <= columns
    assert "".join("".join(rows).split()) == "".join(line.split())


@given(st.text("ab 数é👍\u200d\ufe0f🏽🇩🇪", max_size=80), st.integers(8, 40))
def test_joined_text_fits_too(text: str, columns: int) -> None:
    line = one_line(text)
    rows = list(broken(line, columns))
    assert all(wcswidth(row) <= columns for row in rows)
    assert "".join("".join(rows).split()) == "".join(line.split())


def test_a_long_line_is_walked_once() -> None:
    line = "数据 " * 40_000
    assert sum(1 for _row in broken(line, 100)) < 2_500
