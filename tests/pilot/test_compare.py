"""Comparing branches, copies and originals: the keys, the mouse, the question, each size."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ink_tui.tui.render.cells import width
from ink_tui.tui.render.compare_lines import Page
from ink_tui.tui.render.compare_rows import COMMON
from ink_tui.tui.render.glyphs import ASCII
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.browser import BrowserScreen
from ink_tui.tui.screens.commands import CommandsScreen
from ink_tui.tui.screens.compare import CompareScreen
from ink_tui.tui.screens.comparing import NO_OTHER
from ink_tui.tui.screens.help import HelpScreen
from ink_tui.tui.screens.question import QuestionScreen
from tests.pilot.app import (
    LARGE,
    app_on,
    click_on,
    place_of,
    rows_fit,
    running,
    screen_lines,
    screen_text,
    settled,
    shown,
    until,
)
from tests.pilot.compare_places import COPY, at_compare, comparison, on_other_branch, page, side
from tests.pilot.run import CLEAN, DAMAGED, path_of, run_on_demo
from tests.sessions import answer, session, user

if TYPE_CHECKING:
    from pathlib import Path


WIDE = (200, 60)
ALL_SIZES = [(60, 20), (80, 24), LARGE, WIDE]


@pytest.mark.parametrize("size", [*ALL_SIZES, (40, 10)])
async def test_it_fits_on_every_page_and_side(size: tuple[int, int], tmp_path: Path) -> None:
    async with run_on_demo(tmp_path, size) as run:
        await at_compare(run)
        for key in ("tab", "end", "home", "enter", "pagedown", "2", "end", "tab", "1"):
            await run.press(key)
            rows_fit(run.pilot)


async def test_a_branch_is_compared_with_the_current_one(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await at_compare(run)
        views = comparison(run).views
        assert views is not None
        assert views.comparison.left.current
        assert "37 records in common" in run.text
        for text in ("what about -0?", "try a lookup table instead", "current branch"):
            assert text in run.text, text
        await run.press("enter")
        await shown(run.pilot, BrowserScreen)


async def test_the_common_records_unfold_on_both_sides_and_scroll_as_one(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await at_compare(run)
        screen = comparison(run)
        left, right = screen.columns
        closed = len(left.rows)
        await run.press("right", "home", "enter")
        assert screen.views is not None
        common = len(screen.views.columns[0].common)
        assert len(left.rows) == len(right.rows) == closed + common
        assert left.selected == right.selected == COMMON
        await run.press("end")
        assert left.scroll_offset == right.scroll_offset
        assert left.scroll_offset.y > 0
        await run.press("left")
        assert side(run) == 0
        assert left.scroll_offset == right.scroll_offset
        x, y = place_of(run.pilot, "current branch")
        await run.pilot._post_mouse_events([_wheel()], offset=(x + 4, y + 6))
        await settled(run.pilot)
        assert left.scroll_offset == right.scroll_offset


def _wheel() -> type:
    from textual.events import MouseScrollUp

    return MouseScrollUp


async def test_a_record_of_either_side_is_opened_in_its_session(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await at_compare(run)
        await run.press("tab", "end")
        row = comparison(run).column.record
        assert row is not None
        await run.press("enter")
        await until(run.pilot, lambda: run.browser.session.entry_id == row.entry_id, "the record")
        assert run.place() is Place.SESSION


async def test_a_copy_is_compared_with_its_original_and_that_is_opened(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await run.select(COPY)
        copy = run.browser.list.selected_path
        await run.press("equals_sign")
        await shown(run.pilot, CompareScreen)
        await settled(run.pilot)
        assert "this copy" in run.text
        assert "original" in run.text
        await run.press("right", "end", "enter")
        await until(run.pilot, lambda: run.on_top() is BrowserScreen, "the browser")
        await settled(run.pilot)
        assert run.browser.session.path not in (None, copy)
        assert run.browser.list.selected_path == run.browser.session.path


async def test_a_copy_is_compared_from_its_row_in_the_tree(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await run.select(CLEAN)
        await run.press("enter")
        tree = run.tree
        fork = next(row for row in tree.seen if row.opens)
        assert tree.select(fork.key)
        await run.press("equals_sign")
        await shown(run.pilot, CompareScreen)
        await settled(run.pilot)
        views = comparison(run).views
        assert views is not None
        assert views.paths[1] == fork.opens
        assert [name.word for name in views.names] == ["original", "copy"]


async def test_where_several_fit_it_is_asked(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await run.select(DAMAGED)
        await run.press("equals_sign")
        await shown(run.pilot, QuestionScreen)
        rows_fit(run.pilot)
        assert "Compare with" in run.text
        await run.press("escape")
        await shown(run.pilot, BrowserScreen)
        await run.press("equals_sign")
        await shown(run.pilot, QuestionScreen)
        await run.press("down", "enter")
        await shown(run.pilot, CompareScreen)
        await settled(run.pilot)
        assert "try a lookup table" in run.text


async def test_a_session_alone_says_that_it_is(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await run.select("an unreadable line")
        await run.press("equals_sign")
        notes = run.pilot.app._notifications
        await until(run.pilot, lambda: NO_OTHER in [note.message for note in notes], "the note")


async def test_the_other_tab_and_the_mouse(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await at_compare(run)
        screen = comparison(run)
        await click_on(run.pilot, "Files, commands")
        assert page(run) is Page.DONE
        for text in ("tokens read", "src/sum.ts", "node bench/table.js"):
            assert text in run.text, text
        await click_on(run.pilot, "Records")
        assert page(run) is Page.RECORDS
        await click_on(run.pilot, "other branch")
        assert side(run) == 1
        await click_on(run.pilot, "what about -0?")
        assert side(run) == 0
        await click_on(run.pilot, "▸ 37 records")
        assert screen.columns[0].selected == COMMON
        assert len(screen.columns[0].rows) > 30
        await click_on(run.pilot, "esc back")
        await shown(run.pilot, BrowserScreen)


async def test_a_second_click_opens(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await at_compare(run)
        x, y = place_of(run.pilot, "node bench")
        await run.pilot.click(offset=(x, y), times=2)
        await until(run.pilot, lambda: run.on_top() is BrowserScreen, "the browser")
        await settled(run.pilot)
        row = run.tree.highlighted
        assert row is not None
        assert row.text == "node bench/table.js"


@pytest.mark.parametrize("size", [(80, 24), LARGE])
async def test_one_side_at_a_time_where_it_is_narrow(size: tuple[int, int], tmp_path: Path) -> None:
    async with run_on_demo(tmp_path, size) as run:
        await at_compare(run)
        narrow = size[0] < 100
        assert ("1 of 2" in run.text) is narrow
        assert ("try a lookup table instead" in run.text) is not narrow
        await run.press("tab")
        assert "try a lookup table instead" in run.text
        assert ("what about -0?" in run.text) is not narrow


async def test_a_new_size_keeps_side_and_selection(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await at_compare(run)
        await run.press("tab", "end")
        selected = comparison(run).column.selected
        for size in ((80, 24), (60, 20), WIDE):
            await run.pilot.resize_terminal(*size)
            await settled(run.pilot)
            assert {width(line) for line in screen_lines(run.pilot)} == {size[0]}
            assert comparison(run).side == 1
            assert comparison(run).column.selected == selected


async def test_ascii_and_its_palette_and_help(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path, glyphs=ASCII) as run:
        await at_compare(run)
        own = [line for line in run.text.splitlines() if "what about" not in line]
        assert "\n".join(own).isascii()
        await run.press("question_mark")
        await shown(run.pilot, HelpScreen)
        assert "other side" in run.text.lower()
        await run.press("escape")
        await run.pilot.press("ctrl+p")
        await shown(run.pilot, CommandsScreen)
        await run.press(*"files, commands", "enter")
        await until(run.pilot, lambda: comparison(run).page is Page.DONE, "the other page")
        await run.press("ctrl+r")
        assert "tokens read" in run.text


@pytest.mark.parametrize(
    "hostile", ["\x1b[31mred [red]x[/] \u202egnp.exe", "世界 " * 60], ids=["ill", "wide"]
)
async def test_foreign_text_is_drawn_as_text(hostile: str, tmp_path: Path) -> None:
    async with run_on_demo(tmp_path, WIDE) as run:
        await run.select(CLEAN)
        _append_branch(path_of(run), hostile)
        await run.press("ctrl+r")
        await on_other_branch(run, hostile.split()[-1][:2] if "世" in hostile else "[red]")
        await run.press("equals_sign")
        await shown(run.pilot, CompareScreen)
        await settled(run.pilot)
        rows_fit(run.pilot)
        assert "\x1b" not in run.text
        assert "\u202e" not in run.text
        assert ("[red]x[/]" in run.text) or ("世界" in run.text)
        await run.press("tab", "2")
        rows_fit(run.pilot)


def _append_branch(path: Path, text: str) -> None:
    """Put a short branch whose text and command are of ill will into a session."""
    lines = path.read_text("utf-8").splitlines()
    first_entry = json.loads(lines[1])
    leaf = json.loads(lines[-1])["id"]
    call = {"type": "toolCall", "id": "cx", "name": "bash", "arguments": {"command": text}}
    stamp = first_entry["timestamp"]
    made = [
        {"type": "message", "id": "x1", "parentId": first_entry["id"], "timestamp": stamp,
         "message": {"role": "user", "content": text}},
        {"type": "message", "id": "x2", "parentId": "x1", "timestamp": stamp,
         "message": {"role": "assistant", "blocks": [call], "stopReason": "tool_use",
                     "usage": {"inputTokens": 1, "outputTokens": 1}}},
        {"type": "position", "leafId": leaf},
    ]  # fmt: skip
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(each, ensure_ascii=True) + "\n" for each in made)


async def test_it_comes_back_to_the_tab_it_was_asked_from(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await run.select(DAMAGED)
        await run.press("2", "equals_sign")
        await shown(run.pilot, QuestionScreen)
        await run.press("enter")
        await shown(run.pilot, CompareScreen)
        await run.press("escape")
        await shown(run.pilot, BrowserScreen)
        assert run.tab() is Tab.TRANSCRIPT


async def test_of_very_many_records_those_on_the_screen_are_drawn(tmp_path: Path) -> None:
    file = tmp_path / ".ink" / "sessions" / "demo" / "s.jsonl"
    file.parent.mkdir(parents=True)
    file.write_bytes(_long_branches(3_000))
    async with running(app_on(file.parents[1], home=tmp_path), LARGE) as pilot:
        await pilot.press("equals_sign")
        await shown(pilot, CompareScreen)
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, CompareScreen)
        assert len(screen.columns[0].rows) == 3_001
        await pilot.press("end", "home", "tab", "pagedown")
        await settled(pilot)
        assert all(column.laid_out_rows < 300 for column in screen.columns)


def _long_branches(records: int) -> bytes:
    """Return a session of two branches of so many records each."""
    made = [user("r", None, "go", 0)]
    for branch in ("b", "d"):
        parent = "r"
        for number in range(records):
            entry_id = f"{branch}{number}"
            made.append(answer(entry_id, parent, f"step {number}", second=number % 3_000))
            parent = entry_id
    return session(*made)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (40, 12)])
async def test_the_nearest_of_very_many_branches_are_offered(
    size: tuple[int, int], tmp_path: Path
) -> None:
    file = tmp_path / ".ink" / "sessions" / "demo" / "s.jsonl"
    file.parent.mkdir(parents=True)
    words = "很长的第一句话 and more of it to come " * 3
    tips = (user(f"t{n}", "r", f"{n} {words}", second=n + 1) for n in range(40))
    file.write_bytes(session(user("r", None, "go", 0), *tips))
    async with running(app_on(file.parents[1], home=tmp_path), size) as pilot:
        await pilot.press("equals_sign")
        await shown(pilot, QuestionScreen)
        await settled(pilot)
        rows_fit(pilot)
        text = screen_text(pilot)
        assert "Compare with" in text
        assert "38 很长" in text
        await pilot.press("down", "enter")
        await shown(pilot, CompareScreen)
        await settled(pilot)
        rows_fit(pilot)


async def test_a_session_that_has_gone_is_told(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await run.select(CLEAN)
        original = path_of(run)
        await run.select(COPY)
        original.unlink()
        await run.press("equals_sign")
        await shown(run.pilot, CompareScreen)
        await until(run.pilot, lambda: "is no longer there" in run.text, "the reason")
        await run.press("down", "enter", "tab", "2", "1", "right_square_bracket")
        rows_fit(run.pilot)
        await run.press("escape")
        await shown(run.pilot, BrowserScreen)
