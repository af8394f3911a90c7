"""Colours of tool outputs: what sets them, what stays visible, and how they are drawn."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.color import Color

from ink_tui.model.sgr import MOST_RUNS, StyledRun, has_sgr, styled_runs
from ink_tui.model.text import clean
from ink_tui.tui.render.contrast import contrast
from ink_tui.tui.render.lines import dimmed
from ink_tui.tui.render.output_rows import preview_lines, whole_lines
from ink_tui.tui.render.palette import Palette
from ink_tui.tui.render.rows import Ground, Piece, Role
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.themes import INK, INK_LIGHT

SEEN = re.compile(r"(?:␛\[|<U\+009B>)(?:[0-;][0-?]*)?m")


def runs(raw: str) -> list[StyledRun]:
    return list(styled_runs(clean(raw)))


@pytest.mark.parametrize(
    ("sequence", "look"),
    [
        ("\x1b[31m", StyledRun("x", 1)),
        ("\x9b31m", StyledRun("x", 1)),
        ("\x1b[1;3;4;92m", StyledRun("x", 10, bold=True, italic=True, underline=True)),
        ("\x1b[97m", StyledRun("x", 15)),
        ("\x1b[1m\x1b[31m", StyledRun("x", 1, bold=True)),
        ("\x1b[31;1m\x1b[0m", StyledRun("x")),
        ("\x1b[31;1m\x1b[m", StyledRun("x")),
        ("\x1b[31;1m\x1b[;32m", StyledRun("x", 2)),
        ("\x1b[1;3;4m\x1b[22;23;24m", StyledRun("x")),
        ("\x1b[31m\x1b[39m", StyledRun("x")),
        ("\x1b[4:0m", StyledRun("x")),
        ("\x1b[4:3m", StyledRun("x", underline=True)),
        ("\x1b[38;5;9m", StyledRun("x", 9)),
        ("\x1b[38;5;196m", StyledRun("x", 9)),
        ("\x1b[38;5;250m", StyledRun("x", 7)),
        ("\x1b[38;2;250;10;10m", StyledRun("x", 9)),
        ("\x1b[38:2:250:10:10m", StyledRun("x", 9)),
        ("\x1b[38:2::250:10:10m", StyledRun("x", 9)),
        ("\x1b[38;5;9;1m", StyledRun("x", 9, bold=True)),
        ("\x1b[48;5;9;31m", StyledRun("x", 1)),
        ("\x1b[38;5m", StyledRun("x")),
        ("\x1b[38;5;999m", StyledRun("x")),
        ("\x1b[38;2;300;0;0m", StyledRun("x")),
        ("\x1b[41;7;8;9;5m", StyledRun("x")),
        ("\x1b[99999999999999999999m", StyledRun("x")),
        ("\x1b[1:2:3:4;38:9m", StyledRun("x", bold=True)),
    ],
)
def test_a_sequence_sets_the_look(sequence: str, look: StyledRun) -> None:
    assert runs(f"{sequence}x") == [look]


@pytest.mark.parametrize(
    "sequence",
    [
        "\x1b[2J",
        "\x1b]0;title\x07",
        "\x1b[>4;2m",
        "\x1b[?25l",
        "\x1b[1 m",
        "\x1b[31",
        "\x1b[3!m",
        "\x9b2J",
        "\x1bm",
        "\x1b[31\nm",
        "\x00",
        "\u202e",
    ],
)
def test_everything_else_stays_as_it_is_seen(sequence: str) -> None:
    text = clean(f"a{sequence}b")
    assert not has_sgr(text)
    assert [run.text for run in styled_runs(text)] == [text]


@given(
    st.lists(
        st.one_of(
            st.sampled_from(["\x1b[", "\x9b", "m", "31", ";", ":", "38", "5", "2", "0", "\n", "?"]),
            st.text(max_size=4),
        ),
        max_size=40,
    ).map("".join)
)
def test_only_the_sequences_are_taken_out(raw: str) -> None:
    text = clean(raw)
    found = styled_runs(text)
    assert "".join(run.text for run in found) == SEEN.sub("", text)
    assert all(run.text for run in found)
    assert all(run.colour is None or 0 <= run.colour < 16 for run in found)


def test_runs_are_bounded_and_nothing_is_lost() -> None:
    text = clean("\x1b[31ma\x1b[32mb" * MOST_RUNS)
    found = styled_runs(text)
    assert len(found) == MOST_RUNS
    last = found[-1].text
    assert "␛[32m" in last
    assert text.endswith(last)
    assert "".join(run.text for run in found[:-1]) == "ab" * (MOST_RUNS // 2 - 1) + "a"


COLOURS = Look(40, colours=True)
OUTPUT = clean("\x1b[32mok\x1b[0m one\n\x1b[31mfail\ted\x1b[m two\nlast")


def said(pieces: tuple[Piece, ...]) -> list[tuple[str, int | None]]:
    return [(piece.text, piece.ansi) for piece in pieces]


def test_an_output_is_drawn_in_its_colours() -> None:
    wanted = [
        [("ok", 2), (" one", None)],
        [("fail    ed", 1), (" two", None)],
        [("last", None)],
    ]
    whole = whole_lines(OUTPUT, 0, COLOURS, 30, Role.MUTED)
    assert [said(line.pieces) for line in whole] == wanted
    assert [said(line.pieces) for line in preview_lines(OUTPUT, 3, colours=True)] == wanted


def test_without_the_setting_the_sequences_are_seen() -> None:
    for lines in (
        whole_lines(OUTPUT, 0, Look(40), 30, Role.MUTED),
        preview_lines(OUTPUT, 3),
    ):
        assert all(piece.ansi is None for line in lines for piece in line.pieces)
        assert "␛[32mok␛[0m one" in "".join(piece.text for piece in lines[0].pieces)


def test_long_lines_wrap_in_their_colours() -> None:
    text = clean("\x1b[31m" + "r" * 25 + "\x1b[34m" + "b" * 25)
    lines = whole_lines(text, 0, COLOURS, 20, Role.MUTED)
    assert [said(line.pieces) for line in lines] == [
        [("r" * 20, 1)],
        [("r" * 5, 1), ("b" * 15, 4)],
        [("b" * 10, 4)],
    ]


def test_dimmed_text_has_no_colour() -> None:
    (line, *_rest) = dimmed(whole_lines(OUTPUT, 0, COLOURS, 30, Role.MUTED))
    assert {piece.ansi for piece in line.pieces} == {None}


@pytest.mark.parametrize("theme", [INK, INK_LIGHT], ids=lambda theme: theme.name)
@pytest.mark.parametrize("ground", list(Ground))
def test_every_colour_can_be_read_on_every_ground(theme: object, ground: Ground) -> None:
    chosen = INK if theme is INK else INK_LIGHT
    palette = Palette(chosen.to_color_system().generate(), monochrome=False)
    for number in range(16):
        style = palette.style(Piece("x", Role.MUTED, ansi=number), ground)
        assert style.color is not None
        colour = palette.terminal_colour(number, ground)
        assert style.color == colour.rich_color
        assert contrast(colour, palette.ground(ground)) >= 4.4
    reds = {palette.terminal_colour(number) for number in (1, 2, 4)}
    assert len(reds) == 3


def test_no_color_draws_none() -> None:
    palette = Palette(INK.to_color_system().generate(), monochrome=True)
    coloured, plain = Piece("x", ansi=1), Piece("x")
    assert palette.style(coloured) == palette.style(plain)
    assert palette.terminal_colour(1) != Color.parse("black")
