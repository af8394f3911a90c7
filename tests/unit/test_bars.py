"""Header and footer as text, at each width."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ink_tui.keymap import DEFAULT_KEYMAP, FOOTER_LIMIT, Context
from ink_tui.model.scope import Scope
from ink_tui.tui.render.bars import HeaderFacts, footer_line, header_line
from ink_tui.tui.render.glyphs import ASCII, UNICODE
from ink_tui.tui.render.rows import Piece, line_width

FACTS = HeaderFacts("~/.ink/sessions", 42, 7, 3, "watching", clock="12:04")
HELP = DEFAULT_KEYMAP.action("help")


def text(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in pieces)


@pytest.mark.parametrize(
    ("cells", "left", "right"),
    [
        (
            120,
            " ink   ~/.ink/sessions   42 sessions in 7 folders   ! 3 need attention ",
            "◉ watching   12:04 ",
        ),
        (90, " ink   ~/.ink/sessions   42 sessions   ! 3 need attention ", "◉ watching   12:04 "),
        (80, " ink   42 sessions   ! 3 need attention ", "◉ watching   12:04 "),
        (60, " ink  42 sessions  ! 3 ", " ◉ 12:04 "),
        (28, " ink  42 sessions  ! 3 ", " ◉ "),
        (24, " ink  42 sessions  ! 3 ", " "),
        (14, " ink  42 ses… ", " "),
    ],
)
def test_the_header_drops_its_parts_in_order(cells: int, left: str, right: str) -> None:
    shown = text(header_line(FACTS, cells, UNICODE))
    assert shown.startswith(left)
    assert shown.endswith(right)


def test_one_session_that_needs_attention_is_said_so() -> None:
    facts = HeaderFacts(sessions=1, folders=1, attention=1)
    assert text(header_line(facts, 80, UNICODE)).strip() == (
        "ink   1 session in 1 folder   ! 1 needs attention"
    )


SCOPED = HeaderFacts("~/x", 3, 2, 1, "watching", clock="12:04", scope=Scope.REPOSITORY, outside=39)


@pytest.mark.parametrize(
    ("cells", "left"),
    [
        (120, " ink   ~/x   3 of 42 sessions · this repository   ! 1 needs attention "),
        (90, " ink   3 of 42 sessions · this repository   ! 1 needs attention "),
        (80, " ink   3 of 42 sessions   ! 1 needs attention "),
        (60, " ink  3 of 42 sessions  ! 1 "),
    ],
)
def test_a_scope_is_said_with_what_it_leaves_out(cells: int, left: str) -> None:
    shown = text(header_line(SCOPED, cells, UNICODE))
    assert shown.startswith(left)
    assert shown.endswith(" 12:04 ")


@given(
    st.text(max_size=200),
    st.integers(0, 10**6),
    st.integers(0, 10**4),
    st.text(max_size=60),
    st.integers(0, 220),
)
def test_the_header_is_as_wide_as_the_screen(
    root: str, sessions: int, attention: int, watch: str, cells: int
) -> None:
    facts = HeaderFacts(root, sessions, 3, attention, watch, clock="12:04")
    assert line_width(header_line(facts, cells, UNICODE)) == cells


@given(st.sampled_from(list(Context)), st.integers(0, 220), st.sampled_from([ASCII, UNICODE]))
def test_the_footer_shows_whole_entries_only(context: Context, cells: int, glyphs: object) -> None:
    chosen = ASCII if glyphs is ASCII else UNICODE
    entries = DEFAULT_KEYMAP.footer(context)
    pieces = footer_line(entries, cells, chosen, HELP)
    assert line_width(pieces) == cells
    whole = {f" {entry.label}" for entry in entries} | {" ", " help"}
    assert {p.text for p in pieces if p.part and p.text.startswith(" ")} <= whole
    if chosen is ASCII:
        assert text(pieces).isascii()


def test_the_footers_of_the_pictures() -> None:
    entries = DEFAULT_KEYMAP.footer(Context.LIST)
    assert len(entries) <= FOOTER_LIMIT
    assert text(footer_line(entries, 120, UNICODE, HELP)).startswith(
        " enter open   r resume   f fork   / filter   ctrl+f search all   s sections   S scope   "
    )
    assert text(footer_line(entries, 60, UNICODE, HELP)).endswith("   ? help ")
    replay = text(footer_line(DEFAULT_KEYMAP.footer(Context.REPLAY), 120, UNICODE, HELP))
    assert replay.strip().startswith(
        "space pause   ← → record   [ ] turn   p problem   esc stop replay   v as the model saw it"
    )
    tree = DEFAULT_KEYMAP.footer(Context.TREE, lead=("back",))
    assert text(footer_line(tree, 60, UNICODE, HELP)).startswith(" esc back   enter open")
