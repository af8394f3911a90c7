"""Sub-agents and copies unfolded in the tree of the running program."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.outline_rows import OutlineRow, RowKind
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.tree_rows import FOLD
from ink_tui.tui.widgets.rows_view import RowsView
from tests.guest_sessions import FILES
from tests.pilot.app import LARGE, app_on, browser_of, rows_fit, running, screen_text, settled
from tests.sessions import user

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from ink_tui.tui.screens.browser import BrowserScreen
    from ink_tui.tui.widgets.session_tree import SessionTree
    from tests.pilot.app import AppPilot

SIZES = [(60, 20), (80, 24), LARGE, (200, 60)]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions" / "p"
    folder.mkdir(parents=True)
    for name, content in FILES.items():
        (folder / name).write_bytes(content())
    return tmp_path


def file(place: Path, name: str) -> Path:
    return place / "sessions" / "p" / f"{name}.jsonl"


@asynccontextmanager
async def at_parent(
    place: Path, size: tuple[int, int] = LARGE, glyphs: Glyphs = UNICODE
) -> AsyncIterator[AppPilot]:
    wanted = str(file(place, "parent"))
    app = app_on(place / "sessions", home=place, wanted=wanted, glyphs=glyphs)
    async with running(app, size) as pilot:
        await settled(pilot)
        yield pilot


async def press(pilot: AppPilot, *keys: str) -> BrowserScreen:
    await pilot.press(*keys)
    await settled(pilot)
    rows_fit(pilot)
    return browser_of(pilot)


def tree_of(pilot: AppPilot) -> SessionTree:
    return browser_of(pilot).session.tree_view


def select(pilot: AppPilot, kind: RowKind, *, guest: bool = False) -> OutlineRow:
    row = next(row for row in tree_of(pilot).seen if row.hosts and row.kind is kind
               and row.guest is guest)  # fmt: skip
    assert tree_of(pilot).select(row.key)
    return row


def guests(pilot: AppPilot) -> list[str]:
    return [f"{row.depth} {row.text}" for row in tree_of(pilot).seen if row.guest]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
async def test_a_sub_agent_unfolds_with_its_own_and_folds_away(
    place: Path, size: tuple[int, int], glyphs: Glyphs
) -> None:
    async with at_parent(place, size, glyphs) as pilot:
        before = tree_of(pilot).outline
        select(pilot, RowKind.CALL)
        await press(pilot, "right")
        assert [text[:6] for text in guests(pilot)] == [
            *("1 检查 i", "1 [red", "1 look", "1 make"),
        ]
        select(pilot, RowKind.CALL, guest=True)
        await press(pilot, "l")
        assert "2 deepest of all" in guests(pilot)
        assert "deepest of all" in screen_text(pilot)
        # From the innermost out: to its host, which folds, to the next, which takes all along.
        await press(pilot, "down", "left")
        row = tree_of(pilot).highlighted
        assert row is not None
        assert (row.text, row.guest) == ("look deeper", True)
        await press(pilot, "left", "left", "h")
        assert not guests(pilot)
        row = tree_of(pilot).highlighted
        assert row is not None
        assert row.text == "check it"
        assert tree_of(pilot).outline == before


async def test_a_copy_unfolds_to_what_it_added_and_opens_there(place: Path) -> None:
    async with at_parent(place) as pilot:
        select(pilot, RowKind.FORK)
        await press(pilot, "right")
        assert guests(pilot) == ["1 rather stop", "1 stopped"]
        await press(pilot, "down", "down")
        assert "enter open its session" in " ".join(screen_text(pilot).split())
        browser = await press(pilot, "enter")
        assert browser.session.path == str(file(place, "copy"))
        row = tree_of(pilot).highlighted
        assert row is not None
        assert (row.text, row.guest) == ("stopped", False)


async def test_the_triangle_unfolds_and_folds_and_enter_opens_the_record(place: Path) -> None:
    async with at_parent(place) as pilot:
        tree = tree_of(pilot)
        host = select(pilot, RowKind.CALL)
        for count in (4, 0, 4):
            tree.post_message(RowsView.PartClicked(tree, host.key, FOLD))
            await settled(pilot)
            assert len(guests(pilot)) == count
        assert any("▾ check it" in line for line in screen_text(pilot).splitlines())
        await press(pilot, "enter")
        assert browser_of(pilot).session.active.value == "transcript"


async def test_a_record_of_a_sub_agent_is_none_of_the_session(place: Path) -> None:
    """What acts on the selected record finds none; the file of the child is not touched."""
    content = file(place, "child").read_bytes()
    async with at_parent(place) as pilot:
        select(pilot, RowKind.CALL)
        browser = await press(pilot, "right", "down", "down")
        assert browser.session.entry_id is None
        await press(pilot, "plus", "m")
        assert tree_of(pilot).highlighted is not None
        assert browser.marking.marks.of("child-1").stars == browser.marking.marks.of("x").stars
    assert file(place, "child").read_bytes() == content


async def test_what_is_unfolded_grows_with_its_file(place: Path) -> None:
    async with at_parent(place) as pilot:
        select(pilot, RowKind.CALL)
        browser = await press(pilot, "right")
        with file(place, "child").open("ab") as grown:
            grown.write(user("c6", "c5", "and one more", 60))
        browser.files_changed(frozenset({str(file(place, "child"))}))
        await settled(pilot)
        assert guests(pilot)[-1] == "1 and one more"
        # The session itself is read again: what is unfolded stays.
        with file(place, "parent").open("ab") as grown:
            grown.write(user("u2", "a2", "thanks", 61))
        browser.files_changed(frozenset({str(file(place, "parent"))}))
        await settled(pilot)
        assert guests(pilot)[-1] == "1 and one more"
        assert "thanks" in screen_text(pilot)


async def test_what_cannot_be_read_is_said_in_its_place(place: Path) -> None:
    async with at_parent(place) as pilot:
        select(pilot, RowKind.CALL)
        file(place, "child").unlink()
        await press(pilot, "right")
        (only,) = guests(pilot)
        assert only.startswith("1 cannot be read: ")
        await press(pilot, "left")
        assert not guests(pilot)


async def test_another_session_has_nothing_unfolded(place: Path) -> None:
    async with at_parent(place) as pilot:
        select(pilot, RowKind.CALL)
        browser = await press(pilot, "right")
        assert guests(pilot)
        for name in ("copy", "parent"):
            browser.open_session(str(file(place, name)))
            await settled(pilot)
            assert not guests(pilot)
