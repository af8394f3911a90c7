"""Markdown as rows: structure, literal HTML and markup, widths, hostile input."""

from __future__ import annotations

import pytest

from ink_tui.tui.render.code_lines import code_pieces
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.lines import wrap_pieces
from ink_tui.tui.render.markdown import MARKDOWN_CHARS, markdown_lines
from ink_tui.tui.render.rows import Ground, Piece, Role, line_width


def texts(source: str, cells: int = 40, glyphs: Glyphs = UNICODE) -> list[str]:
    lines = markdown_lines(source, cells, glyphs)
    return ["".join(piece.text for piece in line.pieces) for line in lines]


def pieces(source: str) -> list[Piece]:
    return [piece for line in markdown_lines(source, 60, UNICODE) for piece in line.pieces]


@pytest.mark.parametrize(
    ("source", "drawn"),
    [
        ("# Title\ntext", ["Title", "", "text"]),
        ("one\n\ntwo", ["one", "", "two"]),
        ("- a\n- b\n  - c", ["• a", "• b", "  • c"]),
        ("3. x\n4. y", ["3. x", "4. y"]),
        ("- a\n\n1. b", ["• a", "", "1. b"]),
        ("> q\n>\n> r", ["│ q", "│ ", "│ r"]),
        ("a `b` c", ["a b c"]),
        ("<b>bold</b> &lt;", ["<b>bold</b> <"]),
        ("<div>\nx\n</div>", ["<div> x </div>"]),
        ("[t](http://x.y)", ["t (http://x.y)"]),
        ("<http://x.y>", ["http://x.y"]),
        ("[t](javascript:alert(1))", ["[t](javascript:alert(1))"]),
        ("![alt](a.png)", ["[image: alt] (a.png)"]),
        ("a  \nb", ["a", "b"]),
        ("-\n- x", ["• ", "• x"]),
        ("|a|b|\n|-|-|\n|1|世界|", ["a  b", "─  ────", "1  世界"]),
        ("[bold red]not markup[/]", ["[bold red]not markup[/]"]),
    ],
)
def test_what_is_drawn(source: str, drawn: list[str]) -> None:
    assert texts(source) == drawn


def test_entities_cannot_bring_in_controls() -> None:
    assert texts("&#x202e;x &#x7;") == ["<U+202E>x \ufffd"]
    assert all(char.isprintable() for text in texts("`a\x00` &#27;[2J") for char in text)


def test_code_has_its_ground_and_its_line_numbers() -> None:
    lines = markdown_lines("```py\nx = 1\n\nreturn x\n```", 40, UNICODE)
    assert [line.ground for line in lines] == [Ground.RAISED] * 3
    assert texts("```py\nx = 1\n\nreturn x\n```") == ["1  x = 1", "2  ", "3  return x"]
    assert any(p.role is Role.ACCENT and p.text == "return" for line in lines for p in line.pieces)


def test_emphasis_is_bold_and_italics_are_left_to_thinking() -> None:
    assert [p.bold for p in pieces("a **b** *c*") if p.text.strip()] == [False, True, True]
    assert not any(p.italic for p in pieces("*c* _d_"))


def test_an_unknown_language_and_long_code_are_drawn_plain() -> None:
    assert code_pieces("let x", "no-such-language") == [(Piece("let x"),)]
    long = "return 1\n" * 2_000
    assert all(p.role is Role.TEXT for line in code_pieces(long, "python") for p in line)


@pytest.mark.parametrize("cells", [8, 20, 60, 140])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_no_line_is_wider_than_its_place(cells: int, glyphs: Glyphs) -> None:
    source = (
        "# A heading that is long enough to wrap\n\n"
        "- 给解析器加上 CRLF 支持 🚀 with `code` and **bold text** that goes on\n"
        "  1. nested\n\n> quoted text that is longer than the place it has\n\n"
        "```\n" + "x" * 300 + "\n```\n\n|a|b|c|\n|-|-|-|\n|" + "y" * 80 + "|2|世界世界世界世界|\n"
    )
    for line in markdown_lines(source, cells, glyphs):
        assert line_width(line.pieces) <= max(cells, 30)
    if cells >= 20:
        assert all(line_width(ln.pieces) <= cells for ln in markdown_lines(source, cells, glyphs))


def test_running_text_is_not_set_wider_than_a_hundred_cells() -> None:
    assert max(len(text) for text in texts("word " * 100, cells=180)) <= 100


@pytest.mark.parametrize(
    "source",
    ["[" * 5_000, "*" * 5_000 + "a", "> " * 2_000 + "x", "- " * 500 + "x", "|" * 4_000 + "\n|-|-|"],
    ids=["brackets", "stars", "quotes", "lists", "pipes"],
)
def test_hostile_nesting_ends_and_nothing_vanishes(source: str) -> None:
    shown = "".join(texts(source))
    assert shown
    assert source[-1] in shown


def test_very_long_text_is_not_parsed() -> None:
    source = "**x** " * (MARKDOWN_CHARS // 6 + 1)
    assert texts(source)[0].startswith("**x**")


def test_wrapping_keeps_each_character_in_its_look() -> None:
    lines = wrap_pieces([Piece("one "), Piece("two three", Role.ACCENT), Piece(" 四五六")], 9)
    assert ["".join(p.text for p in line) for line in lines] == ["one two", "three", "四五六"]
    assert [p.role for line in lines for p in line] == [
        Role.TEXT, Role.ACCENT, Role.ACCENT, Role.TEXT,
    ]  # fmt: skip
