"""The session list as values: sections, order, nesting, folds, filter, second lines, marks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.faults import FaultCode, TailState
from ink_tui.model.groups import Arrangement, ItemKind, Listing, ListQuery, arrange
from ink_tui.model.row_words import (
    Activity,
    FactClass,
    mark_of,
    needs_attention,
    second_line,
    title_words,
)
from ink_tui.model.sections import group_of
from ink_tui.model.verdict import Verdict
from ink_tui.model.words import Mark
from tests.conftest import NOON
from tests.session_rows import (
    ACTIVITIES,
    API,
    CHILD,
    DAY,
    DEMO,
    EMPTY,
    FORK,
    GAP,
    LIVE,
    MISSING,
    NEWER,
    NO_RIGHTS,
    NOON_MS,
    PLAIN,
    ROWS,
    SHAPED,
    TORN,
    UNREADABLE,
    WRITING,
    session_row,
)

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow

QUERY = ListQuery(now_ms=NOON_MS, today_ms=NOON_MS - DAY // 2, activities=ACTIVITIES)


def drawn(listing: Listing) -> list[str]:
    """Items by kind, depth and title."""
    signs = {ItemKind.GROUP: "#", ItemKind.MORE: "+", ItemKind.MORE_CHILDREN: "+"}
    return [f"{signs.get(item.kind, '-')}{'>' * item.depth} {item.title}" for item in listing.items]


def many(count: int, cwd: str) -> list[SessionRow]:
    return [session_row(f"{cwd} {number}", cwd, number * 1000) for number in range(count)]


def test_the_moment_of_the_rows_is_noon() -> None:
    assert NOON.timestamp() * 1000 == NOON_MS


def test_sections_are_the_folders_of_the_headers_newest_first() -> None:
    assert drawn(arrange(ROWS, QUERY)) == [
        f"# {DEMO}",
        f"- {LIVE.title}",
        f"- {TORN.title}",
        f"- {PLAIN.title}",
        f"- {FORK.title}",
        f"# {API}",
        f"- {SHAPED.title}",
        f"-> task: {CHILD.title}",
        f"- {UNREADABLE.title}",
        f"- {GAP.title}",
        f"# {NEWER.cwd}",
        "- 01933f1c.jsonl",
        f"# {MISSING.cwd}",
        f"- {MISSING.title}",
        "# /store/home-u-x",
        "- locked.jsonl",
    ]


def test_the_order_of_the_rows_given_does_not_matter_and_ties_go_by_path() -> None:
    tied = [session_row(name, DEMO, 5) for name in ("b", "a", "c")]
    assert drawn(arrange(tied, QUERY))[1:] == ["- a", "- b", "- c"]
    assert arrange(tied[::-1], QUERY) == arrange(tied, QUERY)
    assert arrange(ROWS[::-1], QUERY) == arrange(ROWS, QUERY)


def test_the_current_folder_stands_first_and_a_folder_name_decides_nothing() -> None:
    query = replace(QUERY, current_cwd=f"{API}/")
    assert drawn(arrange(ROWS, query))[0] == f"# {API}"
    one = session_row("x", "/a/b:c", 1, path="/s/a-b-c/1.jsonl")
    two = session_row("y", "/a/b/c", 2, path="/s/a-b-c/2.jsonl")
    assert group_of(one) != group_of(two)
    assert group_of(NO_RIGHTS) == "store:/store/home-u-x"


def test_figures_count_what_can_be_shown_and_who_needs_a_person() -> None:
    listing = arrange(ROWS, QUERY)
    assert (listing.sessions, listing.folders, listing.hidden) == (10, 5, 1)
    assert listing.attention == len([TORN, UNREADABLE, NEWER, GAP, NO_RIGHTS])
    group = listing.items[0]
    assert (group.count, group.attention) == (4, 1)
    assert [item.folder_missing for item in listing.items if item.title == MISSING.cwd] == [True]


def test_sessions_without_a_message_are_hidden_behind_a_switch() -> None:
    shown = arrange(ROWS, replace(QUERY, show_hidden=True))
    assert shown.hidden == 0
    assert "- (no message yet)" in drawn(shown)
    assert mark_of(EMPTY) is Mark.NONE
    damaged = replace(EMPTY, tail_state=TailState.TORN_FRAGMENT, verdict=Verdict.REPAIRABLE)
    assert len(arrange([damaged], QUERY).items) == 2


def test_five_rows_of_other_folders_and_the_rest_on_request() -> None:
    rows = many(7, "/a") + many(6, "/b")
    listing = arrange(rows, replace(QUERY, current_cwd="/b"))
    assert len([item for item in listing.items if item.group == "cwd:/b"]) == 7
    assert drawn(listing)[-1] == "+ 2 more"
    assert len(arrange(rows, replace(QUERY, opened=frozenset({"cwd:/a"}))).items) == 15
    hidden = rows[6]
    chosen = arrange(rows, replace(QUERY, selected=hidden.path))
    assert hidden.path in [item.row.path for item in chosen.items if item.row is not None]
    folded = arrange(rows, replace(QUERY, folded=frozenset({"cwd:/a"})))
    assert drawn(folded)[:2] == ["# /a", "# /b"]
    assert [item.opened for item in folded.items[:2]] == [False, True]


def test_sub_agents_fold_beyond_three_and_lost_ones_say_so() -> None:
    parent = session_row("p", API, 9_000)
    rows = [parent] + [
        session_row(f"c{number}", "/elsewhere", number, child=True, parent_id="p")
        for number in range(5)
    ]
    rows.append(session_row("deep", API, 1, child=True, parent_id="c0"))
    assert drawn(arrange(rows, QUERY)) == [
        f"# {API}",
        "- p",
        "-> task: c0",
        "->> task: deep",
        "-> task: c1",
        "-> task: c2",
        "+> 2 more",
    ]
    whole = arrange(rows, replace(QUERY, opened=frozenset({f"children:{parent.path}"})))
    assert len(whole.items) == 8
    lost = arrange([session_row("o", API, 1, child=True, parent_id="gone")], QUERY)
    assert lost.items[1].line is not None
    assert lost.items[1].line.words == "its parent session is not here"


def test_parents_that_name_each_other_end_nowhere_else_than_at_the_top() -> None:
    rows = [
        session_row("a", API, 1, child=True, parent_id="b"),
        session_row("b", API, 2, child=True, parent_id="a"),
        session_row("self", API, 3, child=True, parent_id="self"),
    ]
    assert len([item for item in arrange(rows, QUERY).items if item.row is not None]) == 3


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("crlf 支持", [LIVE]),
        ("支持", [LIVE]),
        ("SUM interface", [TORN]),
        ("torn", [TORN]),
        ("run tests fix", [TORN]),
        ("work/api unreadable", [UNREADABLE]),
        ("openapi", [SHAPED, CHILD]),
        ("日本語", [NEWER]),
        ("01933f1c", [NEWER]),
        ("denied", [NO_RIGHTS]),
        ("nothing at all", []),
    ],
)
def test_every_word_of_the_filter_must_occur(words: str, found: list[SessionRow]) -> None:
    listing = arrange(ROWS, replace(QUERY, filter=words))
    assert [item.row for item in listing.items if item.row is not None] == found


def test_a_filter_unfolds_and_shows_all_it_finds() -> None:
    rows = many(9, "/a")
    query = replace(QUERY, filter="/a", folded=frozenset({"cwd:/a"}))
    assert len(arrange(rows, query).items) == 10


def test_by_urgency() -> None:
    listing = arrange((*ROWS, WRITING), replace(QUERY, arrangement=Arrangement.URGENCY))
    sections = {item.title: item.count for item in listing.items if item.kind is ItemKind.GROUP}
    assert sections == {"needs you": 5, "live": 2, "today": 2, "this week": 1, "older": 1}
    assert list(sections) == ["needs you", "live", "today", "this week", "older"]
    assert not listing.items[-1].opened
    assert {item.folder for item in listing.items if item.row is TORN} == {"demo"}


def test_by_urgency_where_all_is_old_the_newest_is_seen() -> None:
    rows = [session_row(f"s{n}", "/w", (30 + n) * DAY) for n in range(3)]
    listing = arrange(rows, replace(QUERY, arrangement=Arrangement.URGENCY))
    assert [item.title for item in listing.items] == ["older", "s0", "s1", "s2"]


SECOND_LINES = [
    (TORN, None, FactClass.PROBLEM, "torn tail · 2 calls without result", Mark.DECIDE),
    (UNREADABLE, None, FactClass.PROBLEM, "line 212 unreadable · byte 190,112", Mark.DAMAGED),
    (NEWER, None, FactClass.PROBLEM, "written by a newer Ink, version 2", Mark.FAILED),
    (NO_RIGHTS, None, FactClass.PROBLEM, "cannot be read: permission denied", Mark.FAILED),
    (GAP, None, FactClass.PROBLEM, "call without result, later messages exist", Mark.DECIDE),
    (LIVE, ACTIVITIES[LIVE.path], FactClass.LIVE, "live · bash npm test, 14 s", Mark.LIVE),
    (LIVE, None, FactClass.LIVE, "live", Mark.LIVE),
    (WRITING, None, FactClass.LIVE, "writing", Mark.LIVE),
    (LIVE, Activity(waiting=True), FactClass.WAITING, "live · waiting for you", Mark.LIVE),
    (MISSING, None, FactClass.FOLDER, "folder missing", Mark.NONE),
    (FORK, None, FactClass.FORKED, "forked from “rename the module”", Mark.NONE),
    (SHAPED, None, FactClass.SHAPE, "compacted twice · 3 branches", Mark.NONE),
    (
        session_row("o", API, 1, not_connected=2),
        None,
        FactClass.PROBLEM,
        "2 records not connected",
        Mark.DAMAGED,
    ),
    (
        session_row("s", API, 1, verdict=Verdict.INSPECT),
        None,
        FactClass.PROBLEM,
        "Ink will continue elsewhere",
        Mark.DECIDE,
    ),
    (
        session_row("n", API, 1, tail_state=TailState.UNTERMINATED, verdict=Verdict.REPAIRABLE),
        None,
        FactClass.PROBLEM,
        "last newline missing",
        Mark.DECIDE,
    ),
]


@pytest.mark.parametrize(("row", "activity", "fact", "said", "mark"), SECOND_LINES)
def test_second_lines(
    row: SessionRow, activity: Activity | None, fact: FactClass, said: str, mark: Mark
) -> None:
    line = second_line(row, activity, now_ms=NOON_MS, forked_title="rename the module")
    assert line is not None
    assert (line.fact, line.words, line.mark) == (fact, said, mark)
    assert mark_of(row, activity) is mark


def test_a_sound_session_has_neither_mark_nor_second_line() -> None:
    assert second_line(PLAIN) is None
    assert mark_of(PLAIN) is Mark.NONE
    assert not needs_attention(PLAIN)


def test_a_problem_outranks_everything_but_a_half_written_end_while_live() -> None:
    both = replace(UNREADABLE, cwd_missing=True, forked_from="x", compactions=1)
    line = second_line(both, Activity("bash x"))
    assert line is not None
    assert line.fact is FactClass.PROBLEM
    assert second_line(replace(TORN, cwd_missing=True), Activity("bash x")) is not None
    assert mark_of(TORN, Activity("bash x")) is Mark.LIVE
    assert not needs_attention(TORN, Activity("bash x"))


@pytest.mark.parametrize("code", [code for code in FaultCode if code is not FaultCode.UNREADABLE])
def test_every_refusal_and_error_has_words_of_its_own(code: FaultCode) -> None:
    as_error = second_line(session_row("x", API, 1, error_kind=code.value, verdict=Verdict.REFUSE))
    assert as_error is not None
    assert as_error.words
    assert "cannot be read:" not in as_error.words
    assert "{" not in as_error.words


def test_titles_are_whole_cleaned_and_never_empty() -> None:
    assert title_words(replace(PLAIN, title="a\x1b[31m\nb")) == "a␛[31m b"
    assert title_words(replace(NO_RIGHTS, path="/x/bad\udce9.jsonl")) == "bad\ufffd.jsonl"
    assert title_words(replace(PLAIN, title="  ")) == "(no title)"
    assert title_words(CHILD) == "task: read the OpenAPI spec"


def test_a_loose_record_is_said_only_where_nothing_presses() -> None:
    both = second_line(replace(TORN, not_connected=1))
    assert both is not None
    assert both.words == "torn tail · 2 calls without result"
    assert second_line(NEWER) == second_line(replace(NEWER, error_line=1, error_offset=0))
