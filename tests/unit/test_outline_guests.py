"""Records of other sessions among the rows of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ink_tui.model.entries import EntryId
from ink_tui.model.jumps import Jump
from ink_tui.model.lineage import ForkLink
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_guests import MOST_ROWS, aside, guest_rows, with_guests
from ink_tui.model.outline_rows import FilterMode, Outline, OutlineRow, RowKind
from ink_tui.model.outline_view import jump, nearest_visible, visible_rows
from tests.all_records import all_outline, all_records
from tests.guest_sessions import child, copy, grandchild, parent
from tests.properties.test_outlines import FILES
from tests.sessions import read, session, user

if TYPE_CHECKING:
    from random import Random

KNOWN = {"child-1": 6, "grand-1": 1}


def outline_of(data: bytes) -> Outline:
    forks = {EntryId("a1"): (ForkLink("/s/copy.jsonl", "the copy", None),)}
    return build_outline(read(data), child_records=KNOWN, forks=forks)


def hosts(outline: Outline) -> list[OutlineRow]:
    return [row for row in outline.rows if row.hosts]


def said(rows: tuple[OutlineRow, ...]) -> list[str]:
    return [f"{row.depth} {row.word} {row.text}".strip() for row in rows]


def test_a_sub_agent_and_its_own_stand_under_their_calls() -> None:
    outline = outline_of(parent())
    task = next(row for row in hosts(outline) if row.kind is RowKind.CALL)
    first = guest_rows(outline_of(child()), "/s/child.jsonl")
    once = with_guests(outline, {task.key: first})
    nested = next(row for row in hosts(once) if row.guest)
    inner = guest_rows(outline_of(grandchild()), "/s/grand.jsonl")
    twice = with_guests(outline, {task.key: first, nested.key: inner})
    seen = visible_rows(twice, {task.key, nested.key})
    assert said(seen) == [
        "0 user please check",
        "0 assistant on it",
        "0 task check it",
        "1 user 检查 it, all of it",
        "1 assistant [red]evil[/] ␛[31m <U+202E>gnp.exe",
        "1 task look deeper",
        "2 user deepest of all",
        "1 bash make",
        "0 fork the copy",
        "0 assistant checked",
        "0 resume point the next turn is attached here",
    ]
    assert {row.opens for row in seen if row.guest} == {"/s/child.jsonl", "/s/grand.jsonl"}
    folded = visible_rows(twice, {nested.key})
    assert not [row for row in folded if row.guest]


def test_a_copy_unfolds_to_what_it_has_added() -> None:
    rows = guest_rows(outline_of(copy()), "/s/copy.jsonl", EntryId("a1"))
    assert [row.text for row in rows] == ["rather stop", "stopped"]
    bare = copy()[: copy().index(b'{"type":"message","id":"n1"')]
    (row,) = guest_rows(outline_of(bare), "/s/copy.jsonl", EntryId("a1"))
    assert (row.kind, row.text) == (RowKind.ASIDE, "nothing was added to the copy")


def test_of_a_long_session_both_ends_are_shown_and_the_rest_is_counted() -> None:
    turns = [user("n0", None, "turn 0")]
    turns += [user(f"n{n}", f"n{n - 1}", f"turn {n}", n) for n in range(1, 1_300)]
    rows = guest_rows(outline_of(session(*turns)), "/s/x.jsonl")
    assert len(rows) == MOST_ROWS + 1
    assert (rows[0].text, rows[-1].text) == ("turn 0", "turn 1299")
    assert rows[MOST_ROWS // 2].text == "1,100 more rows; enter opens the session"


def test_guests_lead_to_nothing_of_the_session_that_is_shown() -> None:
    for row in guest_rows(all_outline(), "/s/a.jsonl"):
        assert row.guest
        assert row.entry_id is None
        assert row.result_id is None
        assert row.span is None
        assert row.result_span is None
        assert row.opens == "/s/a.jsonl"


@pytest.mark.parametrize("kind", Jump)
def test_jumps_pass_guests_by(kind: Jump) -> None:
    outline = all_outline()
    guests = guest_rows(read_outline(all_records()), "/s/b.jsonl")
    filled = with_guests(outline, {row.key: guests for row in hosts(outline)})
    assert len(filled.rows) > len(outline.rows)
    for start in (None, *(row.key for row in outline.rows)):
        for step in (1, -1):
            assert jump(filled, start, kind, step) == jump(outline, start, kind, step)


def read_outline(data: bytes) -> Outline:
    return build_outline(read(data))


@given(FILES, FILES, st.sampled_from(FilterMode), st.randoms(use_true_random=False))
def test_guests_change_nothing_else(
    data: bytes, other: bytes, mode: FilterMode, dice: Random
) -> None:
    """Whatever stands inside whatever row: the others stay as they are, in their order."""
    outline = read_outline(data)
    assert with_guests(outline, {}) is outline
    guests: dict[str, Any] = {
        row.key: guest_rows(read_outline(other), "/o")
        for row in outline.rows
        if not (row.foldable or row.stub or row.kind is RowKind.HEADING) and dice.random() < 0.3
    }
    guests["nowhere"] = aside("x", "")
    filled = with_guests(outline, guests)
    assert [row.key for row in filled.rows if not row.guest] == [row.key for row in outline.rows]
    assert all(filled.rows[at].key == key for key, at in filled.places.items())
    assert len(filled.places) == len(filled.rows)
    opened = {row.key for row in outline.rows if row.foldable and dice.random() < 0.5}
    plain = [row.key for row in visible_rows(outline, opened, mode)]
    shown = visible_rows(filled, opened, mode)
    assert [row.key for row in shown] == plain
    seen = visible_rows(filled, opened | guests.keys(), mode)
    assert [row.key for row in seen if not row.guest] == plain
    keys = {row.key for row in seen}
    for row in filled.rows:
        near = nearest_visible(filled, keys, row.key)
        assert near is None or near in keys
        if row.guest and row.inside in keys and row.key not in keys:
            assert near == row.inside
