"""The list with marks: pins first, stars and notes, and the archive that is never lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ink_tui.model.archive import still_asked
from ink_tui.model.entries import EntryId
from ink_tui.model.groups import (
    ARCHIVED_KEY,
    Arrangement,
    ItemKind,
    Listing,
    ListItem,
    ListQuery,
    arrange,
)
from ink_tui.model.list_walk import next_needing
from ink_tui.model.listing import SessionRow
from ink_tui.model.liveness import Freshness, Holder, HolderKind
from ink_tui.model.marks import NO_SESSION_MARKS, Marks, RecordMarks, SessionMarks
from ink_tui.model.row_words import Activity
from ink_tui.model.scope import Scope
from ink_tui.model.verdict import Verdict
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.list_rows import list_rows
from ink_tui.tui.render.session_detail import session_detail
from ink_tui.tui.render.transcript_look import Look
from tests.conftest import NOON


def row(name: str, minute: int, **facts: Any) -> SessionRow:
    return SessionRow(
        path=f"/s/{name}.jsonl",
        session_id=name,
        cwd=facts.pop("cwd", "/w/a"),
        title=name,
        last_ms=minute * 60_000,
        **facts,
    )


def child(name: str, minute: int, parent: str, **facts: Any) -> SessionRow:
    return row(name, minute, child=True, parent_id=parent, **facts)


TORN: dict[str, Any] = {"open_calls": 1, "verdict": Verdict.REPAIRABLE}
ROWS = [row(f"a{number}", number) for number in range(1, 9)] + [row("b1", 20, cwd="/w/b")]
FAMILY = [
    *(row("top", 30), child("kid", 29, "top", **TORN), child("grandkid", 28, "kid")),
    row("other", 10, **TORN),
]


def marks(**own: SessionMarks) -> Marks:
    return Marks(own)


def pinned(*names: str) -> Marks:
    return Marks({name: SessionMarks(pinned=True) for name in names})


def archived(*names: str) -> Marks:
    return Marks({name: SessionMarks(archived=True) for name in names})


def sessions(listing: Listing) -> list[ListItem]:
    return [item for item in listing.items if item.kind is ItemKind.SESSION]


def titles(rows: list[SessionRow], query: ListQuery) -> list[str]:
    return [item.title for item in sessions(arrange(rows, query))]


def counts(listing: Listing) -> list[str]:
    return [item.title for item in listing.items if item.kind is ItemKind.ARCHIVED]


# Pins


def test_pinned_sessions_stand_first_in_their_folder_and_folders_stay() -> None:
    assert titles(ROWS, ListQuery()) == ["b1", "a8", "a7", "a6", "a5", "a4"]
    query = ListQuery(marks=pinned("a2", "a5"))
    assert titles(ROWS, query) == ["b1", "a5", "a2", "a8", "a7", "a6"]


def test_by_urgency_the_order_is_the_urgency() -> None:
    query = ListQuery(arrangement=Arrangement.URGENCY, opened=frozenset({"urgency:older"}))
    plain = arrange(ROWS, query).items
    with_pin = arrange(ROWS, replace(query, marks=pinned("a7"))).items
    assert [item.key for item in plain] == [item.key for item in with_pin]
    assert [item.title for item in with_pin if item.marks.pinned] == ["a7"]


@pytest.mark.parametrize(
    "own",
    [
        SessionMarks(pinned=True),
        SessionMarks(starred=True),
        SessionMarks(note="keep"),
        NO_SESSION_MARKS.with_record(EntryId("e"), RecordMarks(starred=True)),
    ],
)
def test_a_marked_session_without_a_message_is_not_hidden(own: SessionMarks) -> None:
    rows = [*ROWS, row("e", 1, cwd="/w/b", empty=True)]
    assert arrange(rows, ListQuery()).hidden == 1
    shown = arrange(rows, ListQuery(marks=marks(e=own)))
    assert shown.hidden == 0
    assert "e" in [item.title for item in sessions(shown)]


# The archive


def test_an_archived_session_leaves_with_its_sub_agents_and_is_counted() -> None:
    before = arrange(FAMILY, ListQuery())
    assert (before.sessions, before.attention, before.archived) == (2, 2, 0)
    assert counts(before) == []
    after = arrange(FAMILY, ListQuery(marks=archived("top")))
    assert [item.title for item in sessions(after)] == ["other"]
    assert (after.sessions, after.attention, after.archived, after.hidden) == (1, 1, 1, 0)
    assert counts(after) == ["1 archived"]
    assert after.items[-1].key == ARCHIVED_KEY


def test_hidden_rows_are_shown_in_their_place_and_still_ask_for_nobody() -> None:
    shown = arrange(FAMILY, ListQuery(marks=archived("top"), show_hidden=True))
    found = sessions(shown)
    assert [item.title for item in found] == ["top", "task: kid", "task: grandkid", "other"]
    assert [item.rests for item in found] == [True, True, True, False]
    assert (shown.archived, shown.attention) == (0, 1)
    assert counts(shown) == []
    assert next_needing(shown, None, 1, {}) == "/s/other.jsonl"
    assert next_needing(shown, "/s/other.jsonl", 1, {}) is None
    by_urgency = ListQuery(
        marks=archived("top"), show_hidden=True, arrangement=Arrangement.URGENCY, today_ms=1
    )
    groups = {item.title: item.group for item in sessions(arrange(FAMILY, by_urgency))}
    assert groups["other"] == "urgency:needs you"
    assert groups["top"] == "urgency:today"


def test_a_sub_agent_alone_can_be_archived() -> None:
    shown = arrange(FAMILY, ListQuery(marks=archived("kid")))
    assert [item.title for item in sessions(shown)] == ["top", "other"]
    assert shown.archived == 1


LIVE = [
    {"holder": Holder(HolderKind.CERTAIN)},
    {"freshness": Freshness.WRITING},
]


@pytest.mark.parametrize("facts", LIVE)
@pytest.mark.parametrize("who", ["top", "kid", "grandkid"])
def test_a_family_in_which_anybody_writes_is_shown(who: str, facts: dict[str, Any]) -> None:
    rows = [replace(each, **facts) if each.session_id == who else each for each in FAMILY]
    shown = arrange(rows, ListQuery(marks=archived("top")))
    assert [item.title for item in sessions(shown)][:3] == ["top", "task: kid", "task: grandkid"]
    assert not any(item.rests for item in sessions(shown))
    assert shown.archived == 0


def test_a_session_in_which_an_agent_of_ours_runs_is_shown() -> None:
    query = ListQuery(marks=archived("other"), activities={"/s/other.jsonl": Activity("bash")})
    assert "other" in titles(FAMILY, query)


def test_what_is_asked_for_by_name_is_shown_with_its_family() -> None:
    asked = frozenset({"/s/grandkid.jsonl"})
    query = ListQuery(marks=archived("top", "other"), asked=asked, selected="/s/grandkid.jsonl")
    shown = arrange(FAMILY, query)
    assert [item.title for item in sessions(shown)] == ["top", "task: kid", "task: grandkid"]
    assert shown.archived == 1
    rows = {each.path: each for each in FAMILY}
    assert still_asked(asked, rows, frozenset({"other"})) == asked
    assert still_asked(asked, rows, frozenset({"kid"})) == frozenset()
    assert still_asked(frozenset({"/gone"}), rows, frozenset()) == frozenset()


def test_a_ring_of_parents_does_no_harm() -> None:
    rows = [child("x", 2, "y"), child("y", 1, "x")]
    shown = arrange(rows, ListQuery(marks=archived("x")))
    assert sessions(shown) == []
    assert shown.archived == 1


def test_all_archived_leaves_the_count_alone() -> None:
    shown = arrange(ROWS, ListQuery(marks=archived(*(each.title for each in ROWS))))
    assert [item.title for item in shown.items] == ["9 archived"]


# The filter


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("starred", ["a1"]),
        ("pinned", ["a2"]),
        ("archived", ["a3"]),
        ("retry loop", ["a1"]),
        ("why", ["a2"]),
        ("later", []),
    ],
)
def test_the_filter_finds_marks_and_words_of_notes(words: str, found: list[str]) -> None:
    own = marks(
        a1=SessionMarks(starred=True, note="the Retry loop"),
        a2=SessionMarks(pinned=True, records={EntryId("x"): RecordMarks(note="why?")}),
        a3=SessionMarks(archived=True, note="later"),
    )
    assert titles(ROWS, ListQuery(marks=own, filter=words)) == found


def test_a_filter_counts_the_archived_that_it_finds() -> None:
    own = archived("a1", "a2", "b1")
    assert counts(arrange(ROWS, ListQuery(marks=own, filter="a"))) == ["3 archived"]
    assert counts(arrange(ROWS, ListQuery(marks=own, filter="b1"))) == ["1 archived"]
    assert counts(arrange(ROWS, ListQuery(marks=own, filter="nothing"))) == []


# How it looks


def look(glyphs: Glyphs = UNICODE) -> Look:
    return Look(42, glyphs, NOON)


def drawn(own: SessionMarks, glyphs: Glyphs = UNICODE, **facts: Any) -> tuple[str, str, str]:
    """Return text, note and second line of a row."""
    shown = arrange([row("s", 1, **facts)], ListQuery(marks=Marks({"s": own}), show_hidden=True))
    found = next(
        each for each in list_rows(shown, look(glyphs)) if each.key == "session:/s/s.jsonl"
    )
    below = "".join(piece.text for piece in found.below or ())
    texts = ["".join(piece.text for piece in part) for part in (found.text, found.note)]
    return texts[0], texts[1], below


def test_a_star_is_a_glyph_and_the_others_are_words() -> None:
    assert drawn(SessionMarks(starred=True)) == ("✭ s", "", "")
    assert drawn(SessionMarks(starred=True), ASCII) == ("* s", "", "")
    assert drawn(SessionMarks(pinned=True, archived=True)) == ("s", "pinned  archived", "")


def test_the_note_is_the_second_line_where_nothing_presses() -> None:
    own = SessionMarks(note="look\nagain\x1b[31m")
    assert drawn(own)[2] == "note: look again␛[31m"
    assert drawn(own, compactions=1, forked_from="x")[2] == "note: look again␛[31m"
    assert "call without result" in drawn(own, **TORN)[2]
    assert drawn(own, freshness=Freshness.WRITING)[2] == "writing"


def test_the_detail_tells_all_marks() -> None:
    own = SessionMarks(pinned=True, starred=True, archived=True, note="look again " * 40)
    lines = session_detail(row("s", 1), look(), 7, marks=own)
    said = ["".join(piece.text for piece in line.pieces) for line in lines]
    assert said[0] == "✭ s  s  pinned  starred  archived"
    assert said[2].startswith("note           look again")
    assert len([line for line in said if "look again" in line]) == 2


def test_what_rests_under_an_archived_session_outside_the_scope_is_counted() -> None:
    # It names itself as its parent: nothing stands under it in the list.
    above = row("above", 1, cwd="/w/a", parent_id="above")
    below = row("below", 2, cwd="/w/b", parent_id="above")
    query = ListQuery(
        scope=Scope.FOLDER,
        current_cwd="/w/b",
        marks=Marks({"above": SessionMarks(archived=True)}),
    )
    listing = arrange([above, below], query)
    assert [item.row for item in listing.items if item.row is not None] == []
    assert listing.archived == 1
