"""What is seen of a tree: filters on their keys, said, remembered; jumps that say why not."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.outline_rows import RowKind
from ink_tui.model.tree_choice import FilterMode, TreeChoice, TreeColumn
from ink_tui.store.view_file import read_view
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.head_lines import Tab
from tests.all_records import all_records
from tests.every_kind import TORN
from tests.list_and_tree_host import Host
from tests.pilot.app import (
    LARGE,
    app_on,
    browser_of,
    rows_fit,
    running,
    screen_lines,
    screen_text,
    settled,
)
from tests.sessions import answer, session, user

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from ink_tui.tui.screens.browser import BrowserScreen
    from tests.pilot.app import AppPilot
    from tests.pilot.conftest import Notes

KEYS = {
    "f4": FilterMode.NO_TOOLS,
    "f5": FilterMode.USER_ONLY,
    "f6": FilterMode.LABELLED,
    "f7": FilterMode.PROBLEMS,
    "f8": FilterMode.ALL,
}
SIZES = [(60, 20), (80, 24), LARGE, (200, 60)]
sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with one session of every kind of record, and one of two."""
    folder = tmp_path / "sessions" / "p"
    folder.mkdir(parents=True)
    (folder / "a.jsonl").write_bytes(all_records())
    other = all_records().replace(b"11111111-1111", b"22222222-1111", 1)
    (folder / "b.jsonl").write_bytes(other)
    return tmp_path


@asynccontextmanager
async def at_tree(
    place: Path, size: tuple[int, int] = LARGE, glyphs: Glyphs = UNICODE, name: str = "a"
) -> AsyncIterator[AppPilot]:
    wanted = place / "sessions" / "p" / f"{name}.jsonl"
    app = app_on(
        place / "sessions", home=place, state_dir=place / "state", wanted=str(wanted), glyphs=glyphs
    )
    async with running(app, size) as pilot:
        await settled(pilot)
        yield pilot


async def press(pilot: AppPilot, *keys: str) -> BrowserScreen:
    await pilot.press(*keys)
    await settled(pilot)
    rows_fit(pilot)
    return browser_of(pilot)


@sizes
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
async def test_each_filter_has_its_key_and_is_said_with_what_is_seen(
    place: Path, size: tuple[int, int], glyphs: Glyphs
) -> None:
    async with at_tree(place, size, glyphs) as pilot:
        for key, mode in KEYS.items():
            tree = (await press(pilot, key)).session.tree_view
            assert tree.mode is mode
            head = "".join(screen_lines(pilot)[:5])
            count, total = len(tree.seen), len(tree.outline.rows)
            said = f"{count} of {total} {glyphs.separator} {mode}"
            short = (f"{count}/{total}", f" {mode} ")
            assert said in head or any(each in head for each in short)
            if size[0] == 200:
                assert said in head
            assert (await press(pilot, "2")).session.active is Tab.TRANSCRIPT
            assert f"{count}/{total}" not in "".join(screen_lines(pilot)[:5])
            await press(pilot, "1")
        await press(pilot, "f3")
        assert " of " not in screen_lines(pilot)[3]


async def test_the_last_column_changes_in_turn_and_is_remembered(place: Path) -> None:
    async with at_tree(place) as pilot:
        for said, column in (
            ("durations", TreeColumn.DURATIONS),
            ("durations and times", TreeColumn.BOTH),
            ("tokens in and out", TreeColumn.TOKENS),
        ):
            browser = await press(pilot, "t")
            assert browser.session.tree_view.choice.column is column
            assert screen_lines(pilot)[3].rstrip().endswith(said)
        assert "900 →    40" in screen_text(pilot)
    assert read_view(place / "state").tree == TreeChoice(column=TreeColumn.TOKENS)
    async with at_tree(place) as pilot:
        assert "900 →    40" in screen_text(pilot)
        browser = await press(pilot, "t")
        assert browser.session.tree_view.choice == TreeChoice()
        assert "900 →    40" not in screen_text(pilot)


async def test_a_filter_holds_for_the_next_session_and_the_next_start(place: Path) -> None:
    async with at_tree(place) as pilot:
        browser = await press(pilot, "f5")
        browser.list.select(str(place / "sessions" / "p" / "b.jsonl"))
        browser.open_session(str(place / "sessions" / "p" / "b.jsonl"))
        await settled(pilot)
        assert browser.session.path is not None
        assert browser.session.path.endswith("b.jsonl")
        assert browser.session.tree_view.mode is FilterMode.USER_ONLY
    assert read_view(place / "state").tree == TreeChoice(FilterMode.USER_ONLY)
    async with at_tree(place) as pilot:
        browser = browser_of(pilot)
        assert browser.session.tree_view.mode is FilterMode.USER_ONLY
        assert all(row.kind.value != "assistant" for row in browser.session.tree_view.seen)
        await press(pilot, "f3")
    assert read_view(place / "state").tree == TreeChoice()


async def test_what_a_jump_had_to_show_is_not_remembered(place: Path) -> None:
    async with at_tree(place) as pilot:
        browser = await press(pilot, "f5", "home", "p")
        # A problem is reached whatever the filter: the first is an unknown record, never shown.
        tree = browser.session.tree_view
        assert tree.highlighted is not None
        assert tree.highlighted.problem
        assert tree.choice == TreeChoice(FilterMode.USER_ONLY)
    assert read_view(place / "state").tree == TreeChoice(FilterMode.USER_ONLY)


async def test_a_jump_that_leads_nowhere_says_why(place: Path, notes: Notes) -> None:
    async with at_tree(place) as pilot:
        await press(pilot, "home", "c", "c")
        assert not notes.said
        await press(pilot, "c")
        assert notes.said[-1] == "There is no further compaction below."
        await press(pilot, "home", "left_square_bracket")
        await press(pilot, "left_square_bracket")
        assert notes.said[-1] == "There is no further user turn above."
        await press(pilot, "f6", "home", "left_square_bracket", "right_curly_bracket")
        assert notes.said[-1] == "The next branch point is hidden: the tree shows labelled."


async def test_a_sound_session_says_that_there_is_nothing_of_a_kind(
    tmp_path: Path, notes: Notes
) -> None:
    folder = tmp_path / "sessions" / "p"
    folder.mkdir(parents=True)
    (folder / "a.jsonl").write_bytes(session(user("a", None, "hi"), answer("b", "a", "ho")))
    async with at_tree(tmp_path) as pilot:
        for key, word in (
            ("p", "problem"),
            ("c", "compaction"),
            ("right_curly_bracket", "branch point"),
        ):
            await press(pilot, key)
            assert notes.said[-1] == f"There is no {word}."


async def test_the_selection_comes_back_with_the_filter_unless_it_was_moved() -> None:
    app = Host()
    async with app.run_test(size=LARGE) as pilot:
        app.show(all_records())
        tree = app.tree_view
        await pilot.pause()
        call = next(row for row in tree.seen if row.text == "npm test" and row.failed)
        tree.select(call.key)
        tree.show_mode(FilterMode.USER_ONLY)
        assert tree.highlighted is not None
        assert tree.highlighted.text == "run the tests"
        tree.show_mode(FilterMode.LABELLED)
        assert tree.highlighted.text == "run the tests"
        tree.show_mode(FilterMode.DEFAULT)
        assert tree.selected == call.key
        tree.show_mode(FilterMode.USER_ONLY)
        tree.action_row_up()
        moved = tree.selected
        tree.show_mode(FilterMode.DEFAULT)
        assert tree.selected == moved


async def test_a_hidden_branch_stays_hidden_in_a_grown_file_and_at_the_next_start(
    place: Path,
) -> None:
    def counted(pilot: AppPilot) -> list[int]:
        seen = browser_of(pilot).session.tree_view.seen
        assert not any(row.text == "another way" for row in seen)
        return [row.count for row in seen if row.kind is RowKind.HIDDEN]

    path = place / "sessions" / "p" / "a.jsonl"
    async with at_tree(place) as pilot:
        tree = browser_of(pilot).session.tree_view
        tree.select(next(row.key for row in tree.seen if row.text == "another way"))
        browser = await press(pilot, "backspace")
        assert counted(pilot) == [1]
        whole = path.read_bytes().removesuffix(TORN)
        path.write_bytes(whole + user("b9", "b2", "deeper", 90) + user("u9", "a4", "later", 91))
        browser.files_changed(frozenset({str(path)}))
        await settled(pilot)
        assert counted(pilot) == [1]
    async with at_tree(place) as pilot:
        assert counted(pilot) == [1]
        browser = await press(pilot, "full_stop")
        assert any(row.text == "another way" for row in browser.session.tree_view.seen)
