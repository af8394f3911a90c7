"""What the line of the filter says of the list at each width, and what an empty list says."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ink_tui.model.groups import Arrangement, ListQuery, arrange
from ink_tui.model.marks import Marks, SessionMarks
from ink_tui.model.scope import Scope
from ink_tui.tui.render.glyphs import ASCII, UNICODE
from ink_tui.tui.render.list_rows import list_rows, nothing_rows
from ink_tui.tui.render.rows import line_width
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.render.view_words import view_words
from tests.conftest import NOON
from tests.session_rows import DEMO, ROWS, session_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.listing import SessionRow

LOOK = Look(60, UNICODE, NOON, UTC)
FOLDER = ListQuery(scope=Scope.FOLDER, current_cwd=DEMO)


@pytest.mark.parametrize(
    ("query", "cells", "said"),
    [
        (ListQuery(), 60, "by folder · all folders "),
        (ListQuery(), 24, "by folder · all folders "),
        (ListQuery(), 23, "folder · all folders "),
        (ListQuery(), 20, "all folders "),
        (ListQuery(), 11, ""),
        (ListQuery(), -3, ""),
        (ListQuery(arrangement=Arrangement.TIME), 60, "by time · all folders "),
        (ListQuery(scope=Scope.REPOSITORY), 28, "by folder · this repository "),
        (ListQuery(scope=Scope.REPOSITORY), 25, "folder · this repository "),
        (ListQuery(show_hidden=True), 60, "by folder · all folders · with hidden ones "),
        (ListQuery(show_hidden=True), 40, "by folder · all folders · with hidden "),
        (ListQuery(show_hidden=True), 28, "all folders · with hidden "),
    ],
)
def test_words_that_have_no_room_are_left_out_or_shortened(
    query: ListQuery, cells: int, said: str
) -> None:
    assert "".join(piece.text for piece in view_words(query, cells, UNICODE)) == said


@given(
    st.builds(
        ListQuery,
        arrangement=st.sampled_from(Arrangement),
        scope=st.sampled_from(Scope),
        show_hidden=st.booleans(),
    ),
    st.integers(-5, 80),
    st.booleans(),
)
def test_the_words_fit_and_each_does_what_it_says(
    query: ListQuery, cells: int, ascii_only: bool
) -> None:
    pieces = view_words(query, cells, ASCII if ascii_only else UNICODE)
    assert line_width(pieces) <= max(0, cells)
    assert {piece.part for piece in pieces} <= {"", "sections", "scope", "show-hidden"}
    if ascii_only:
        assert all(piece.text.isascii() for piece in pieces)


def said(query: ListQuery, rows: Sequence[SessionRow] = ROWS) -> list[str]:
    listing = arrange(rows, query)
    found = nothing_rows(listing, query.filter, LOOK)
    assert not any(row.selectable for row in found)
    return ["".join(piece.text for piece in row.text) for row in found]


def test_an_empty_list_says_why_and_what_can_be_done() -> None:
    assert said(FOLDER) == []
    assert said(replace(FOLDER, current_cwd="/new")) == [
        "No session in this folder.",
        "enter shows all folders",
    ]
    assert said(replace(FOLDER, current_cwd="/new"), []) == ["No session in this folder."]
    assert said(replace(FOLDER, filter="rate")) == [
        "Nothing matches “rate” in this folder.",
        "esc clears the filter",
        "ctrl+f searches inside sessions",
        "enter shows all folders",
    ]
    assert said(replace(FOLDER, filter="no such")) == [
        "Nothing matches “no such” in this folder.",
        "esc clears the filter",
        "ctrl+f searches inside sessions",
    ]
    assert said(ListQuery(filter="no such")) == [
        "Nothing matches “no such”.",
        "esc clears the filter",
        "ctrl+f searches inside sessions",
    ]


def test_what_is_archived_or_empty_in_a_scope_is_said_there() -> None:
    empty = [session_row("e", DEMO, 1, empty=True, title="")]
    assert said(FOLDER, empty) == [
        "1 session without a message is hidden in this folder.",
        ". shows them",
    ]
    archived = replace(FOLDER, marks=Marks({"x": SessionMarks(archived=True)}))
    rows = [session_row("x", DEMO, 1)]
    assert said(archived, rows) == ["No session in this folder."]
    assert said(replace(archived, filter="x"), rows) == []


def test_the_row_of_what_lies_outside_stands_last_and_can_be_chosen() -> None:
    rows = list_rows(arrange(ROWS, FOLDER), LOOK)
    assert rows[-1].key == "outside:"
    assert rows[-1].selectable
    assert "".join(piece.text for piece in rows[-1].note) == "! 4"
