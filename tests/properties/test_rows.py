"""Rows: exact widths whatever the text, columns that stay, and nothing a terminal could act on."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from ink_tui.tui.render.cells import width
from ink_tui.tui.render.row_index import RowIndex
from ink_tui.tui.render.rows import (
    LIST_COLUMNS,
    PLAIN_COLUMNS,
    TREE_COLUMNS,
    Cut,
    Ground,
    Piece,
    Role,
    Row,
    filtered,
    fit,
    lay_out,
    line_width,
    part_at,
)

HOSTILE = st.text(st.characters(exclude_categories=()), max_size=30) | st.sampled_from(
    [
        "\x1b]0;owned\x07",
        "\x9b31m",
        "[bold]x[/]",
        "\u202eabc",
        "a\nb\tc\rd",
        "\ud83d",
        "e" + "\u0301" * 40,
    ]
)
PIECES = st.lists(
    st.builds(
        Piece,
        HOSTILE,
        st.sampled_from(Role),
        st.booleans(),
        cut=st.sampled_from(Cut),
        part=st.sampled_from(["", "fold"]),
    ),
    max_size=4,
).map(tuple)
ROWS = st.builds(
    Row,
    st.text(max_size=3),
    text=PIECES,
    mark=PIECES,
    kind=PIECES,
    note=PIECES,
    note_short=st.none() | PIECES,
    time=PIECES,
    below=st.none() | PIECES,
    fill=st.none() | st.builds(Piece, st.sampled_from(["╌", "-", "", "口"])),
    indent=st.integers(0, 12),
    selectable=st.booleans(),
    ground=st.sampled_from(Ground),
)
COLUMNS = st.sampled_from([LIST_COLUMNS, TREE_COLUMNS, PLAIN_COLUMNS])
WIDTHS = st.integers(0, 160)


def text(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in pieces)


@given(ROWS, WIDTHS, COLUMNS, st.sampled_from(["…", "~"]))
def test_every_line_is_exactly_as_wide_as_asked(
    row: Row, cells: int, columns: object, mark: str
) -> None:
    assert columns in (LIST_COLUMNS, TREE_COLUMNS, PLAIN_COLUMNS)
    chosen = next(c for c in (LIST_COLUMNS, TREE_COLUMNS, PLAIN_COLUMNS) if c == columns)
    lines = lay_out(row, cells, chosen, mark)
    assert len(lines) == row.height
    for line in lines:
        assert line_width(line) == cells


@given(ROWS, WIDTHS, COLUMNS)
def test_nothing_drawn_can_act_on_a_terminal(row: Row, cells: int, columns: object) -> None:
    assert columns is not None
    for line in lay_out(row, cells, TREE_COLUMNS):
        for char in text(line):
            assert unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp"), hex(ord(char))
            assert not 0x202A <= ord(char) <= 0x202E
            assert not 0x2066 <= ord(char) <= 0x2069


@given(PIECES, WIDTHS)
def test_pieces_that_fit_are_whole_and_others_fill_the_width(
    pieces: tuple[Piece, ...], cells: int
) -> None:
    shown = fit(pieces, cells)
    assert line_width(shown) == cells
    whole = "".join(filtered(piece.text, cells) for piece in pieces)
    if width(whole) <= cells:
        assert text(shown).rstrip(" ") == whole.rstrip(" ")
        assert text(fit(pieces, cells, right=True)).lstrip(" ") == whole.lstrip(" ")


def piece(*texts: str) -> tuple[Piece, ...]:
    return tuple(Piece(each) for each in texts)


def test_columns_stand_still_whatever_the_writing() -> None:
    for title in (
        "fix the sum function",
        "给解析器加上 CRLF 支持 🚀 with tests and more",
        "",
        "x" * 500,
    ):
        row = Row(
            "k",
            mark=piece("!"),
            kind=piece("edit"),
            text=piece(title),
            note=piece("exit 1 · 8.2 s"),
            time=piece("09:45"),
        )
        line = text(lay_out(row, 78, TREE_COLUMNS)[0])
        assert line.startswith(" ! edit      ")
        assert line.endswith("  exit 1 · 8.2 s  09:45 ")


def test_a_narrow_pane_takes_the_short_note_and_cuts_the_text() -> None:
    row = Row(
        "k",
        mark=piece("!"),
        kind=piece("bash"),
        text=piece("npm test -- --runInBand"),
        note=piece("! no result saved; may have run"),
        note_short=piece("! no result saved"),
        time=piece("09:45"),
    )
    assert "may have run" in text(lay_out(row, 76, TREE_COLUMNS)[0])
    assert text(lay_out(row, 60, TREE_COLUMNS)[0]) == (
        " ! bash      npm test -- --runIn…  ! no result saved  09:45 "
    )
    assert text(lay_out(row, 24, TREE_COLUMNS)[0]).endswith("  09:45 ")


def test_a_second_line_stands_under_the_text() -> None:
    row = Row("k", mark=piece("!"), text=piece("title"), time=piece("2m"), below=piece("torn tail"))
    first, second = lay_out(row, 20)
    assert text(first) == " ! title         2m "
    assert text(second) == "   torn tail        "


def test_a_band_is_filled_up_to_the_time() -> None:
    row = Row("c", mark=piece("--"), text=piece("compacted"), fill=Piece("-"), time=piece("09:41"))
    assert text(lay_out(row, 32, TREE_COLUMNS)[0]) == " --compacted -----------  09:41 "


def test_a_piece_never_to_be_cut_outlives_the_others() -> None:
    folder = Piece("~/work/some/folder", cut=Cut.PATH)
    missing = Piece("  folder missing", cut=Cut.NEVER)
    assert text(fit((folder, missing), 26)) == "~/…/folder  folder missing"
    assert text(fit((folder, missing), 20)).endswith("…  folder missing")
    assert text(fit((folder, missing), 12)).endswith("…")


def test_blanks_at_the_end_go_without_a_mark() -> None:
    assert text(fit(piece("--", "  ", " "), 3)) == "-- "
    assert text(fit(piece("abc "), 3)) == "abc"
    assert text(fit(piece("abc d "), 4)) == "abc…"


def test_looking_at_a_huge_text_costs_what_is_seen() -> None:
    assert len(filtered("x" * 50_000_000, 80)) < 2_000


def test_parts_are_found_by_their_cells() -> None:
    line = (Piece("给", part="one"), Piece("ab"), Piece("c", part="two"))
    assert [part_at(line, cell) for cell in range(6)] == ["one", "one", "", "", "two", ""]


@given(
    st.lists(st.tuples(st.integers(0, 30), st.booleans(), st.booleans()), max_size=30), st.data()
)
def test_the_selection_goes_to_the_nearest_row_that_is_left(
    made: list[tuple[int, bool, bool]], data: st.DataObject
) -> None:
    def rows(of: list[tuple[int, bool, bool]]) -> list[Row]:
        return [Row(f"{at}", selectable=pick, below=() if tall else None) for at, pick, tall in of]

    unique = list({at: (at, pick, tall) for at, pick, tall in made}.values())
    old = RowIndex(rows(unique))
    assert old.lines == sum(row.height for row in old.rows)
    for line in range(old.lines):
        index = old.at_line(line)
        assert old.top(index) <= line < old.top(index + 1)
    choices = [at for at, row in enumerate(old.rows) if row.selectable]
    if not choices:
        assert old.first is None
        assert old.last is None
        return
    cursor = data.draw(st.sampled_from(choices))
    kept = [each for each in unique if data.draw(st.booleans())]
    new = RowIndex(rows(kept))
    found = new.nearest(old, cursor)
    left = [at for at in choices if new.find(old.rows[at].key) is not None]
    if not left:
        assert found == new.first
        return
    assert found is not None
    distance = abs(next(a for a in left if old.rows[a].key == new.rows[found].key) - cursor)
    assert distance == min(abs(at - cursor) for at in left)
