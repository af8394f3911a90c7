"""Each visible control by a click, at three sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ink_tui.keymap import display_key
from ink_tui.model.groups import Arrangement
from ink_tui.model.scope import Scope
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.browser import BrowserScreen
from ink_tui.tui.screens.commands import CommandsScreen
from ink_tui.tui.screens.help import HelpScreen
from ink_tui.tui.screens.preflight import PreflightScreen
from ink_tui.tui.screens.search import SearchScreen
from tests.pilot.app import (
    LARGE,
    SIZES,
    click_on,
    place_of,
    rows_fit,
    screen_lines,
    settled,
    shown,
    until,
)
from tests.pilot.run import CLEAN, Run, run_on_demo

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

sizes = pytest.mark.parametrize("size", SIZES, ids=[f"{c}x{r}" for c, r in SIZES])


def _run(folder: Path, size: tuple[int, int]) -> AbstractAsyncContextManager[Run]:
    return run_on_demo(folder, size, agents=("fake", "other"))


def _footer(run: Run) -> str:
    return screen_lines(run.pilot)[-1]


@sizes
async def test_the_header_count_orders_by_urgency_and_back(
    size: tuple[int, int], tmp_path: Path
) -> None:
    async with _run(tmp_path, size) as run:
        count = next(line for line in screen_lines(run.pilot) if " ink " in line)
        assert "! 4" in count
        await click_on(run.pilot, "! 4", right=2)
        assert run.arrangement() is Arrangement.URGENCY
        rows_fit(run.pilot)
        await click_on(run.pilot, "! 4")
        assert run.arrangement() is Arrangement.FOLDER
        rows_fit(run.pilot)


@sizes
async def test_each_footer_entry_does_what_its_key_does(
    size: tuple[int, int], tmp_path: Path
) -> None:
    async with _run(tmp_path, size) as run:
        shown_ids = [
            action
            for action in (
                "open",
                "resume",
                "fork",
                "filter",
                "search",
                "sections",
                "scope",
                "commands",
            )
            if _entry(run, action) in _footer(run)
        ]
    assert shown_ids[:4] == ["open", "resume", "fork", "filter"]
    for number, action in enumerate([*shown_ids, "help"]):
        folder = tmp_path / str(number)
        folder.mkdir()
        async with _run(folder, size) as run:
            x, y = place_of(run.pilot, _entry(run, action), last=True)
            assert y == size[1] - 1
            await run.pilot.click(offset=(x + 2, y))
            if action in ("resume", "fork"):
                await shown(run.pilot, PreflightScreen)
            await settled(run.pilot)
            assert _happened(run, action), f"{action}\n{run.text}"
            rows_fit(run.pilot)


def _entry(run: Run, action: str) -> str:
    entry = run.browser.keymap.action(action)
    return f" {display_key(entry.keys[0])} {entry.label}"


def _happened(run: Run, action: str) -> bool:
    browser, top = run.browser, run.on_top()
    return {
        "open": browser.place is Place.SESSION,
        "resume": top is PreflightScreen,
        "fork": top is PreflightScreen,
        "sections": run.arrangement() is Arrangement.URGENCY,
        "scope": browser.list.asked.scope is Scope.FOLDER,
        "filter": browser.list.field.input.has_focus,
        "search": top is SearchScreen,
        "commands": top is CommandsScreen,
        "help": top is HelpScreen,
    }[action]


@sizes
async def test_rows_of_the_list_select_open_and_fold(size: tuple[int, int], tmp_path: Path) -> None:
    async with _run(tmp_path, size) as run:
        await click_on(run.pilot, CLEAN, last=True, right=3)
        row = run.browser.list.selected_row
        assert row is not None
        assert row.title is not None
        assert row.title.startswith(CLEAN)
        assert run.place() is Place.LIST
        rows_fit(run.pilot)
        lines = len(run.rows.rows)
        await click_on(run.pilot, "~/work/api", right=2)  # the heading folds its group
        assert len(run.rows.rows) < lines
        assert "▸ ~/work/api" in run.text
        await click_on(run.pilot, "▸ ~/work/api")
        assert len(run.rows.rows) == lines
        x, y = place_of(run.pilot, CLEAN, last=True)
        await run.pilot.click(offset=(x, y), times=2)
        await settled(run.pilot)
        assert run.place() is Place.SESSION
        assert run.browser.session.path == row.path
        rows_fit(run.pilot)


@sizes
async def test_tabs_the_way_back_and_the_splitter(size: tuple[int, int], tmp_path: Path) -> None:
    async with _run(tmp_path, size) as run:
        await run.press("enter")
        for title, tab in (
            ("Transcript", Tab.TRANSCRIPT),
            ("Context", Tab.CONTEXT),
            ("Health", Tab.HEALTH),
            ("Tree", Tab.TREE),
        ):
            await click_on(run.pilot, title)
            assert run.tab() is tab
            assert run.place() is Place.SESSION
            rows_fit(run.pilot)
        if size != LARGE:
            await click_on(run.pilot, "‹")
            assert run.place() is Place.LIST
            return
        assert "‹" not in run.text
        width = run.browser.list.size.width
        edge = run.browser.splitters[0].region
        await run.pilot.mouse_down(offset=(edge.x, 10))
        await run.pilot.hover(offset=(edge.x + 5, 10))
        await run.pilot.mouse_up(offset=(edge.x + 5, 10))
        await settled(run.pilot)
        assert run.browser.list.size.width == width + 5
        rows_fit(run.pilot)
        await run.pilot.click(offset=(edge.x + 5, 10), times=2)
        await settled(run.pilot)
        assert run.browser.list.size.width == width


@sizes
async def test_triangles_and_stubs_of_the_tree(size: tuple[int, int], tmp_path: Path) -> None:
    async with _run(tmp_path, size) as run:
        await run.press("enter")
        before = len(run.tree.seen)
        await click_on(run.pilot, "├╴▸", right=2)
        assert len(run.tree.seen) > before
        assert "├╴▾" in run.text
        rows_fit(run.pilot)
        await click_on(run.pilot, "├╴▾", right=2)
        assert len(run.tree.seen) == before
        await run.press("home")
        await click_on(run.pilot, "▸ 23 more", right=5)
        assert len(run.tree.seen) == before
        await click_on(run.pilot, "▸ 23 more")
        assert len(run.tree.seen) > before
        rows_fit(run.pilot)


@sizes
async def test_triangles_of_the_transcript_and_its_timeline(
    size: tuple[int, int], tmp_path: Path
) -> None:
    async with _run(tmp_path, size) as run:
        await run.press("2", "home")
        height = run.transcript.virtual_size.height
        await click_on(run.pilot, "▸ thinking")
        assert run.transcript.virtual_size.height > height
        rows_fit(run.pilot)
        await run.press("space", "space")
        bar = run.browser.session.transcript.bar.region
        await run.pilot.click(offset=(bar.x + bar.width // 3, bar.bottom - 1))
        await settled(run.pilot)
        assert 1 < run.position < 40
        rows_fit(run.pilot)


@sizes
async def test_options_and_hints_of_the_preflight(size: tuple[int, int], tmp_path: Path) -> None:
    async with _run(tmp_path, size) as run:
        await run.at_preflight()
        rows_fit(run.pilot)
        details = run.preflight._view.details
        await click_on(run.pilot, "d details")
        assert run.preflight._view.details is not details
        rows_fit(run.pilot)
        await click_on(run.pilot, "Fork and resume")
        assert run.preflight.selected == "fork"
        await click_on(run.pilot, "Cancel")
        assert run.preflight.selected == "cancel"
        rows_fit(run.pilot)
        await click_on(run.pilot, "Cancel")
        assert run.on_top() is BrowserScreen
        assert not run.browser.area.runs


@sizes
async def test_rows_of_the_palette(size: tuple[int, int], tmp_path: Path) -> None:
    async with _run(tmp_path, size) as run:
        await run.press("enter")
        await run.at_palette()
        await run.press(*"damaged")
        await click_on(run.pilot, "Show what is damaged")
        assert run.on_top() is CommandsScreen
        rows_fit(run.pilot)
        await click_on(run.pilot, "Show what is damaged")
        assert run.on_top() is BrowserScreen
        assert run.tab() is Tab.HEALTH


@sizes
async def test_the_rest_of_a_group(size: tuple[int, int], tmp_path: Path) -> None:
    """Five of a group's sessions are shown where another group is the selected one."""
    async with _run(tmp_path, size) as run:
        folder = next(run.demo.root.glob("*api*"))
        source = next(path for path in folder.glob("*.jsonl"))
        for number in range(8):
            copy = source.with_name(f"2026-01-0{number + 1}T00-00-00-000Z_copy{number}.jsonl")
            copy.write_bytes(source.read_bytes())
        await run.press("ctrl+r")
        run.rows.scroll_to(y=12, animate=False, force=True)
        await settled(run.pilot)
        before = run.browser.list.listing.items
        await click_on(run.pilot, "6 more", right=2)
        assert len(run.browser.list.listing.items) == len(before) + 5
        assert "6 more" not in run.text
        rows_fit(run.pilot)


@sizes
async def test_agent_tabs_and_the_keys_of_an_ended_agent(
    size: tuple[int, int], tmp_path: Path
) -> None:
    async with _run(tmp_path, size) as run:
        await run.at_agent()
        rows_fit(run.pilot)
        await run.press("ctrl+right_square_bracket", "b")
        assert run.place() is Place.SESSION
        if size == LARGE:
            await click_on(run.pilot, "1 fake", right=2)
            assert run.place() is Place.AGENT
        else:
            await run.press("ctrl+right_square_bracket")
        await run.pilot.press("enter", "enter")
        await run.ended()
        rows_fit(run.pilot)
        await click_on(run.pilot, " r resume", right=2)
        await shown(run.pilot, PreflightScreen)
        await run.press("escape")
        await click_on(run.pilot, " x close", right=2)
        await until(run.pilot, lambda: not run.browser.area.runs, "the tab is gone")
        rows_fit(run.pilot)
