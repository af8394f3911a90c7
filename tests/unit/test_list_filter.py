"""The filter of the list speaks the query language; plain words keep finding in any case."""

from __future__ import annotations

import pytest

from ink_tui.model.groups import ListQuery, arrange
from ink_tui.model.list_filter import read_filter
from ink_tui.model.query import FilterTerm, WordTerm
from ink_tui.tui.render.list_rows import trouble_rows
from ink_tui.tui.render.transcript_look import Look
from tests.session_rows import HOUR, NOON_MS, session_row

ROWS = [
    session_row("alpha", "/home/u/work/demo", HOUR, title="Fix the Parser", compactions=1),
    session_row("beta", "/home/u/work/api", 60 * HOUR, title="the PARSER again"),
    session_row("gamma", "/home/u/work/api", HOUR, title="notes"),
]


def found(text: str) -> set[str]:
    query = ListQuery(filter=text, now_ms=NOON_MS, home="/home/u", current_cwd="/home/u/work/demo")
    return {item.row.session_id or "" for item in arrange(ROWS, query).items if item.row}


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("parser", {"alpha", "beta"}),
        ("PARSER the", {"alpha", "beta"}),
        ("Parser Fix", {"alpha"}),
        ('"the parser"', {"alpha", "beta"}),
        ("parser -again", {"alpha"}),
        ("dir:api", {"beta", "gamma"}),
        ("dir:~/work/api parser", {"beta"}),
        ("dir:.", {"alpha"}),
        ("has:compaction", {"alpha"}),
        ("date:<2d", {"alpha", "gamma"}),
        ("verdict:refuse", set()),
        ("tool:bash", set()),
        ("", {"alpha", "beta", "gamma"}),
    ],
)
def test_the_list_answers_by_its_rows(text: str, ids: set[str]) -> None:
    assert found(text) == ids


@pytest.mark.parametrize("text", ["parser toll:x", "dir:", '"parser', "re:(", "is:asleep"])
def test_a_mistake_filters_nothing_away_and_is_told(text: str) -> None:
    assert found(text) == {"alpha", "beta", "gamma"}
    trouble = read_filter(text).trouble
    assert trouble
    rows = trouble_rows(trouble, Look(42))
    said = " ".join(piece.text for row in rows for piece in row.text)
    assert said == trouble
    assert not any(row.selectable for row in rows)


def test_archived_sessions_are_asked_for_by_word_and_by_filter() -> None:
    assert read_filter("archived").asks_for_archived
    assert read_filter("is:archived x").asks_for_archived
    assert not read_filter("-archived").asks_for_archived
    assert not read_filter("dir:archived").asks_for_archived


def test_words_lose_their_case_and_filters_keep_it() -> None:
    terms = read_filter("ABC model:GLM").query.terms
    assert isinstance(terms[0], WordTerm)
    assert terms[0].text == "abc"
    assert isinstance(terms[1], FilterTerm)
    assert terms[1].value == "GLM"
