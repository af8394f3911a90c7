"""The key `o`: what stands beside the tree where there is room for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ink_tui.tui.widgets.beside_pane import Beside
from tests.pilot.app import LARGE, browser_of, rows_fit, screen_text, settled
from tests.pilot.run import CLEAN, run_on_demo

if TYPE_CHECKING:
    from pathlib import Path

    from tests.pilot.conftest import Notes

WIDE = (200, 60)


async def test_the_column_shows_one_thing_after_the_other(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path, WIDE) as run:
        await run.press("enter")
        beside = browser_of(run.pilot).session.beside
        assert "Transcript   follows the tree" in run.text
        await run.press("o")
        assert beside.context_view.display
        assert "Ink compacts at" in run.text
        rows_fit(run.pilot)
        await run.press("o")
        assert "a repair cuts here, at byte" in run.text
        rows_fit(run.pilot)
        await run.press("o")
        assert not beside.display
        assert run.tree.size.width > 140
        rows_fit(run.pilot)
        await run.press("o")
        assert "Transcript   follows the tree" in run.text


async def test_the_choice_holds_for_other_sessions_and_the_focus_stays(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path, WIDE) as run:
        await run.press("enter", "o", "o")
        assert run.tree.has_focus
        await run.select(CLEAN)
        beside = browser_of(run.pilot).session.beside
        assert beside.shows is Beside.HEALTH
        assert "Nothing to settle." in run.text
        await run.press("o", "o")
        await run.press("home", "down")
        selected = beside.view.selected
        assert selected is not None
        assert selected.entry_id == browser_of(run.pilot).session.entry_id


async def test_a_click_in_the_column_moves_nothing_else(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path, WIDE) as run:
        await run.press("enter", "o")
        beside = browser_of(run.pilot).session.beside
        before = run.tree.selected
        region = beside.context_view.region
        await run.pilot.click(offset=(region.x + 10, region.y + 8), times=2)
        await settled(run.pilot)
        assert run.tree.selected == before
        assert run.tree.has_focus
        rows_fit(run.pilot)


@pytest.mark.parametrize("keys", [(), ("2",)])
async def test_without_room_it_is_said(tmp_path: Path, notes: Notes, keys: tuple[str, ...]) -> None:
    size = WIDE if keys else LARGE
    async with run_on_demo(tmp_path, size) as run:
        await run.press("enter", *keys, "o")
        assert notes.end_with("The third column stands beside the tree")
        assert browser_of(run.pilot).session.beside.shows is Beside.TRANSCRIPT
        assert "Tree   Transcript" in screen_text(run.pilot)
