"""Widths in cells: results are as wide as asked for, and no cluster is cut in half."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ink_tui.model.text import clean, one_line
from ink_tui.tui.render import cells
from ink_tui.tui.render.cells import graphemes, width

TRICKY = st.sampled_from(
    [
        "给解析器",
        "🚀",
        "👩‍👩‍👧",
        "❤️",
        "e\u0301\u0308",
        "日本語プロ",
        "क्ष",
        "🇩🇪",
        "1️⃣",
        "…",
        "  ",
        "\u0301",
        "a/b",
    ]
)
LINES = st.one_of(
    st.text(max_size=80), st.lists(st.one_of(TRICKY, st.text(max_size=6))).map("".join)
).map(one_line)
WIDTHS = st.integers(-1, 60)
MARKS = st.sampled_from(["…", "~"])


def clusters(text: str) -> list[str]:
    return [cluster for cluster, _ in graphemes(text)]


@given(LINES)
def test_clusters_make_up_the_text_and_its_width(text: str) -> None:
    assert "".join(clusters(text)) == text
    assert sum(w for _, w in graphemes(text)) == width(text) == cell_len(text)


@given(LINES, WIDTHS, MARKS)
def test_padding_gives_exactly_the_width(text: str, asked: int, mark: str) -> None:
    for shown in (cells.pad(text, asked, mark), cells.pad_left(text, asked, mark)):
        assert cell_len(shown) == max(0, asked)


@given(LINES, WIDTHS, MARKS)
def test_a_cut_keeps_whole_clusters_of_the_start(text: str, asked: int, mark: str) -> None:
    shown = cells.cut(text, asked, mark)
    assert cell_len(shown) <= max(0, asked)
    if cell_len(text) <= asked:
        assert shown == text
    elif asked > 0:
        assert shown.endswith(mark)
        kept = clusters(shown[: -len(mark)])
        assert kept == clusters(text)[: len(kept)]
        # No more would have fitted; clusters without width cost nothing.
        left = [w for _, w in graphemes(text)][len(kept)]
        assert cell_len("".join(kept)) + left > asked - 1


@given(LINES, WIDTHS)
def test_head_and_tail_are_the_longest_that_fit(text: str, asked: int) -> None:
    all_clusters = graphemes(text)
    start, end = cells.head(text, asked), cells.tail(text, asked)
    assert text.startswith(start)
    assert text.endswith(end)
    for part, ordered in ((start, all_clusters), (end, all_clusters[::-1])):
        count = len(graphemes(part))
        assert sum(w for _, w in ordered[:count]) == cell_len(part) <= max(0, asked)
        if count < len(ordered) and asked > 0:
            assert cell_len(part) + ordered[count][1] > asked


@given(LINES, WIDTHS, MARKS)
def test_a_cut_in_the_middle_keeps_both_ends(text: str, asked: int, mark: str) -> None:
    shown = cells.cut_middle(text, asked, mark)
    assert cell_len(shown) <= max(0, asked)
    if cell_len(text) > asked >= 6:
        start, end = shown.split(mark, 1) if mark not in text else (shown[:1], shown[-1:])
        assert text.startswith(start)
        assert text.endswith(end)


@given(LINES, WIDTHS, MARKS)
def test_a_path_never_gets_wider(text: str, asked: int, mark: str) -> None:
    shown = cells.cut_path(text, asked, mark)
    assert cell_len(shown) <= max(0, asked)


def test_a_path_keeps_its_last_part() -> None:
    path = "/home/mira/work/给解析器/src/parser/index.ts"
    assert cells.cut_path(path, 60) == path
    assert cells.cut_path(path, 24).endswith("…/index.ts")
    assert width(cells.cut_path(path, 24)) == 24
    assert cells.cut_path(path, 10) == "…/index.ts"
    assert cells.cut_path(path, 7) == "ind….ts"
    assert cells.cut_path("C:\\Users\\mira\\tide", 12) == "C:\\Use…\\tide"
    assert cells.cut_path("/", 0) == ""


@given(LINES, st.data(), st.integers(1, 60), MARKS)
def test_a_snippet_fits_and_shows_the_start_of_its_hit(
    text: str, data: st.DataObject, asked: int, mark: str
) -> None:
    parts = clusters(text)
    at = data.draw(st.integers(0, max(0, len(parts) - 1)))
    start = len("".join(parts[:at]))
    end = start + len(parts[at]) if parts else 0
    shown = cells.cut_around(text, start, asked, mark)
    assert cell_len(shown) <= asked
    if asked >= 10:
        assert text[start:end] in shown


def test_a_snippet_puts_its_hit_at_two_fifths() -> None:
    text = "x" * 100 + "HIT" + "y" * 100
    shown = cells.cut_around(text, 100, 50)
    assert shown == "…" + "x" * 19 + "HIT" + "y" * 26 + "…"
    assert cells.cut_around(text, 0, 10) == "x" * 9 + "…"
    assert cells.cut_around("a" * 100 + "end", 100, 10) == "…" + "a" * 6 + "end"


@given(LINES, st.integers(1, 40))
def test_chopping_loses_nothing_but_what_is_wider_than_a_line(text: str, asked: int) -> None:
    pieces = cells.chop(text, asked)
    assert all(0 <= cell_len(piece) <= asked and piece for piece in pieces)
    whole = "".join(c if w <= asked else "?" for c, w in graphemes(text))
    assert "".join(pieces) == whole


@given(st.lists(st.one_of(TRICKY, st.text(max_size=12))).map("\n ".join).map(clean), WIDTHS)
def test_wrapping_keeps_every_character_but_blanks(text: str, asked: int) -> None:
    text = text.replace("\t", " ")
    lines = cells.wrap(text, asked)
    assert all(cell_len(line) <= max(0, asked) for line in lines)
    assert all("\n" not in line for line in lines)
    if asked >= 2:
        assert "".join(lines).replace(" ", "") == text.replace(" ", "").replace("\n", "")


def test_wrapping_breaks_at_spaces_and_in_writing_without_them() -> None:
    assert cells.wrap("one two three", 7) == ["one two", "three"]
    assert cells.wrap("  indented text here", 10) == ["  indented", "text here"]
    assert cells.wrap("修复求和函数并保持接口", 9) == ["修复求和", "函数并保", "持接口"]
    assert cells.wrap("a\n\nb", 5) == ["a", "", "b"]
    assert cells.wrap("npm test -- --runInBand", 12) == ["npm test --", "--runInBand"]
