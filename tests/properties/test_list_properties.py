"""The list: whatever the sessions and the question, none is lost and none is there twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta, timezone
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from ink_tui.model.groups import Arrangement, ItemKind, Listing, ListQuery, arrange
from ink_tui.model.marks import Marks, SessionMarks
from ink_tui.model.scope import Repository, Scope
from tests.session_rows import session_row

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow

FOLDERS = st.sampled_from(["/a", "/a/b", "/a/b/c", "/ab", "/x", "/", "", "a/b", "/a/../x", "/wt/1"])
IDS = [f"s{number}" for number in range(8)]
TIMES = st.none() | st.integers(-(10**13), 10**13) | st.sampled_from([10**18, -(10**18), 0])


@st.composite
def sessions(draw: st.DrawFn) -> list[SessionRow]:
    names = draw(st.lists(st.sampled_from(IDS), unique=True))
    return [
        replace(
            session_row(name, draw(FOLDERS), 0),
            last_ms=draw(TIMES),
            parent_id=draw(st.none() | st.sampled_from(IDS)),
            child=draw(st.booleans()),
            empty=draw(st.booleans()),
            session_id=name if draw(st.booleans()) else None,
        )
        for name in names
    ]


QUERIES = st.builds(
    ListQuery,
    filter=st.sampled_from(["", "s1", "a", "archived"]),
    show_hidden=st.booleans(),
    arrangement=st.sampled_from(Arrangement),
    scope=st.sampled_from(Scope),
    current_cwd=FOLDERS,
    repository=st.builds(Repository, st.lists(FOLDERS, max_size=2).map(tuple)),
    now_ms=st.integers(0, 10**13),
    today_ms=st.integers(0, 10**13),
    zone=st.integers(-14, 14).map(lambda hours: timezone(timedelta(hours=hours))),
    marks=st.sets(st.sampled_from(IDS)).map(
        lambda ids: Marks({each: SessionMarks(archived=True) for each in ids})
    ),
    asked=st.frozensets(st.sampled_from([f"/store/{name}.jsonl" for name in IDS]), max_size=2),
)


def shown(listing: Listing) -> Counter[str]:
    return Counter(item.row.path for item in listing.items if item.row is not None)


def whole(query: ListQuery, rows: list[SessionRow]) -> ListQuery:
    """The same question with everything that is folded opened."""
    first = arrange(rows, query)
    groups = {item.group for item in first.items}
    children = {f"children:{path}" for path in (f"/store/{name}.jsonl" for name in IDS)}
    return replace(query, opened=frozenset(groups | children))


@given(sessions(), QUERIES)
def test_each_session_stands_in_one_section_or_is_counted(
    rows: list[SessionRow], query: ListQuery
) -> None:
    query = replace(query, filter="")
    listing = arrange(rows, whole(query, rows))
    seen = shown(listing)
    assert set(seen.values()) <= {1}
    headed = sum(item.count for item in listing.items if item.kind is ItemKind.GROUP)
    tops = [item for item in listing.items if item.row is not None and not item.depth]
    assert headed == len(tops)
    within = arrange(rows, whole(replace(query, show_hidden=True), rows))
    put_away = set(shown(within)) - set(seen)
    assert set(seen) <= set(shown(within))
    # What lies outside the scope is counted exactly, see below; an archived family counts once.
    assert listing.hidden + listing.archived <= len(put_away)
    assert bool(put_away) == bool(listing.hidden + listing.archived)
    everything = arrange(rows, whole(replace(query, show_hidden=True, scope=Scope.ALL), rows))
    assert set(shown(everything)) == {row.path for row in rows}


@given(sessions(), QUERIES)
def test_a_scope_only_takes_away_and_says_how_many(
    rows: list[SessionRow], query: ListQuery
) -> None:
    query = replace(query, show_hidden=True, filter="")
    within = arrange(rows, whole(query, rows))
    everywhere = arrange(rows, whole(replace(query, scope=Scope.ALL), rows))
    assert set(shown(within)) <= set(shown(everywhere))
    assert within.sessions + within.outside == everywhere.sessions
    assert (everywhere.outside, everywhere.scope) == (0, Scope.ALL)
    outside = [item.count for item in within.items if item.kind is ItemKind.OUTSIDE]
    sections = [item.count for item in within.items if item.kind is ItemKind.GROUP]
    all_sections = [item.count for item in everywhere.items if item.kind is ItemKind.GROUP]
    assert sum(sections) + sum(outside) == sum(all_sections)


@given(sessions(), QUERIES)
def test_the_order_of_the_rows_given_and_the_sections_change_nothing_else(
    rows: list[SessionRow], query: ListQuery
) -> None:
    first = arrange(rows, query)
    assert arrange(rows[::-1], query) == first
    figures = (first.sessions, first.folders, first.attention, first.hidden, first.archived)
    for arrangement in Arrangement:
        other = arrange(rows, replace(query, arrangement=arrangement))
        assert figures == (
            *(other.sessions, other.folders, other.attention, other.hidden, other.archived),
        )
        assert other.outside == first.outside
