"""Scope of the list: what lies in a folder or a repository, guests, and what is counted outside."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ink_tui.model.groups import OUTSIDE_KEY, ItemKind, Listing, ListQuery, arrange
from ink_tui.model.marks import Marks, SessionMarks
from ink_tui.model.scope import Reach, Repository, Scope, parts_of
from tests.session_rows import API, CHILD, DEMO, NO_RIGHTS, PLAIN, ROWS, SHAPED, TORN, session_row

FOLDER = ListQuery(scope=Scope.FOLDER, current_cwd=DEMO)


def titles(listing: Listing) -> list[str]:
    return [item.title for item in listing.items if item.row is not None]


def outside(listing: Listing) -> list[tuple[str, int, int]]:
    found = [item for item in listing.items if item.kind is ItemKind.OUTSIDE]
    assert all(item.key == OUTSIDE_KEY for item in found)
    return [(item.title, item.count, item.attention) for item in found]


@pytest.mark.parametrize(
    ("cwd", "held"),
    [
        ("/a/b", True),
        ("/a/b/", True),
        ("/a/b/c/d", True),
        ("//a/./b/c", True),
        ("/a/c/../b/x", True),
        ("/a/b/..", False),
        ("/a/b/../c", False),
        ("/a/bc", False),
        ("/a", False),
        ("/", False),
        ("a/b", False),
        ("", False),
        ("/A/b", False),
        ("/../../a/b", True),
        ("/x/y\0z", False),
        ("/a/b/\udc80\n[red]", True),
    ],
)
def test_a_folder_holds_itself_and_what_lies_below(cwd: str, held: bool) -> None:
    reach = Reach(["/a/b", "relative", ""])
    assert reach.holds(cwd) is held
    assert reach.holds(cwd) is held


def test_the_root_holds_everything_that_is_absolute() -> None:
    assert parts_of("/") == ()
    assert Reach(["/"]).holds("/any/where")
    assert not Reach(["/"]).holds("any/where")
    assert not Reach([]).holds("/")


def test_all_leaves_nothing_out() -> None:
    listing = arrange(ROWS, ListQuery(current_cwd=DEMO))
    assert (listing.scope, listing.outside, outside(listing)) == (Scope.ALL, 0, [])


def test_this_folder_shows_its_sessions_and_counts_the_others() -> None:
    listing = arrange([*ROWS, session_row("deep", f"{DEMO}/sub", 1)], FOLDER)
    assert {item.row.cwd for item in listing.items if item.row} == {DEMO, f"{DEMO}/sub"}
    assert (listing.sessions, listing.folders, listing.attention) == (5, 2, 1)
    # Of those outside four need a person; the file that cannot be opened lies in no folder.
    assert NO_RIGHTS.path in {row.path for row in ROWS}
    assert listing.outside == 6
    assert outside(listing) == [("6 outside this folder", 6, 4)]
    assert listing.items[-1].kind is ItemKind.OUTSIDE


def test_a_folder_that_is_not_known_holds_nothing() -> None:
    listing = arrange(ROWS, replace(FOLDER, current_cwd=""))
    assert (listing.sessions, listing.outside) == (0, 10)


def test_a_repository_is_all_its_working_trees() -> None:
    query = ListQuery(scope=Scope.REPOSITORY, repository=Repository((DEMO, "/gone/wt")))
    rows = [TORN, SHAPED, session_row("in a worktree", "/gone/wt/x", 1)]
    listing = arrange(rows, query)
    assert set(titles(listing)) == {TORN.title, "in a worktree"}
    assert outside(listing) == [("1 outside this repository", 1, 0)]
    nothing = arrange(rows, replace(query, repository=Repository()))
    assert (nothing.sessions, nothing.outside) == (0, 3)


def test_a_family_is_within_as_soon_as_one_of_it_is() -> None:
    child = replace(CHILD, cwd=f"{DEMO}/tool")
    listing = arrange([SHAPED, child, PLAIN], FOLDER)
    assert titles(listing) == [PLAIN.title, SHAPED.title, f"task: {CHILD.title}"]
    assert listing.outside == 0
    assert not any(item.outside for item in listing.items)
    away = arrange([SHAPED, CHILD, PLAIN], FOLDER)
    assert titles(away) == [PLAIN.title]
    assert outside(away) == [("1 outside this folder", 1, 0)]


def test_a_sub_agent_whose_parent_is_gone_is_counted_as_well() -> None:
    assert outside(arrange([CHILD, PLAIN], FOLDER)) == [("1 outside this folder", 1, 0)]


@pytest.mark.parametrize("asked", [SHAPED.path, CHILD.path])
def test_what_was_asked_for_by_name_is_shown_and_said_to_lie_outside(asked: str) -> None:
    listing = arrange(ROWS, replace(FOLDER, asked=frozenset({asked})))
    guests = [item.title for item in listing.items if item.outside]
    assert guests == [SHAPED.title, f"task: {CHILD.title}"]
    assert listing.outside == 5
    # The same question changes nothing where nothing is left out.
    everywhere = arrange(ROWS, ListQuery(current_cwd=DEMO, asked=frozenset({asked})))
    assert not any(item.outside for item in everywhere.items)


def test_archived_and_empty_sessions_outside_are_counted_apart() -> None:
    rows = [PLAIN, session_row("a", API, 1), session_row("b", API, 2, empty=True, title="")]
    marks = Marks({"a": SessionMarks(archived=True)})
    listing = arrange(rows, replace(FOLDER, marks=marks))
    assert outside(listing) == [("2 hidden outside this folder", 2, 0)]
    assert (listing.outside, listing.archived, listing.hidden) == (0, 0, 0)
    rows.append(session_row("c", API, 3))
    listing = arrange(rows, replace(FOLDER, marks=marks))
    assert outside(listing) == [("1 outside this folder, 2 more hidden", 3, 0)]
    shown = arrange(rows, replace(FOLDER, marks=marks, show_hidden=True))
    assert (shown.outside, outside(shown)) == (3, [("3 outside this folder", 3, 0)])


def test_a_filter_counts_what_it_finds_outside() -> None:
    assert outside(arrange(ROWS, replace(FOLDER, filter="rate"))) == [
        ("1 outside this folder", 1, 0)
    ]
    # A sub-agent session is found with its parent.
    assert outside(arrange(ROWS, replace(FOLDER, filter="openapi"))) == [
        ("1 outside this folder", 1, 0)
    ]
    assert outside(arrange(ROWS, replace(FOLDER, filter="rename"))) == []
    assert arrange(ROWS, replace(FOLDER, filter="rename")).outside == 6
