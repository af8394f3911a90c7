"""A compaction beside what it replaced, and one message by itself: keys, mouse, sizes, texts."""

from __future__ import annotations

import threading
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, cast

import pytest

from ink_tui.model.entries import CompactionEntry, EntryId
from ink_tui.model.transcript import TextBody
from ink_tui.store import whole_records
from ink_tui.store.whole_messages import whole_node
from ink_tui.tui.render.glyphs import ASCII
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.screens.browser import BrowserScreen
from ink_tui.tui.screens.compaction import CompactionScreen
from ink_tui.tui.screens.message import MessageScreen
from tests.pilot.app import (
    LARGE,
    MIDDLE,
    SMALL,
    app_on,
    click_on,
    place_of,
    rows_fit,
    running,
    settled,
)
from tests.pilot.lens_places import at_message, at_sides, in_context, in_transcript, in_tree
from tests.pilot.run import CLEAN, Run, run_on_demo
from tests.sessions import answer, entry, results, session, user

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from ink_tui.store.demo import Demo
    from tests.pilot.conftest import Notes

WIDE = (200, 60)
sizes = pytest.mark.parametrize(
    "size", [SMALL, MIDDLE, LARGE, WIDE], ids=lambda size: f"{size[0]}x{size[1]}"
)
HOSTILE = "\x1b]0;own\x07\x1b[31m[red]危险[/red] \u202eabc\u2066 end"


def hostile() -> bytes:
    """Return a session with a compaction whose texts would act on a terminal, or as markup."""
    return session(
        user("u1", None, f"问题 {HOSTILE}"),
        answer("a1", "u1", HOSTILE, (("c1", "bash", {"command": f"echo {HOSTILE}"}),)),
        results("r1", "a1", ("c1", "bash", f"{HOSTILE}\n" * 60)),
        user("u2", "r1", "还有"),
        entry(
            "compaction",
            "k1",
            "u2",
            summary=f"# 目标\n\n{HOSTILE}\n\n```py\nprint('[bold]x')\n```\n" + "长文本 " * 5_000,
            retainedTail=[{"role": "user", "content": "还有"}],
            tokensBefore=118_000,
        ),
        user("u3", "k1", "weiter"),
    )


def sides_of(run: Run) -> CompactionScreen:
    assert isinstance(run.screen, CompactionScreen)
    return run.screen


@asynccontextmanager
async def on_hostile(folder: Path, size: tuple[int, int]) -> AsyncIterator[Run]:
    """Run the program on that session alone."""
    root = folder / ".ink" / "sessions"
    (root / "demo").mkdir(parents=True)
    (root / "demo" / "session.jsonl").write_bytes(hostile())
    async with running(app_on(root, home=folder), size) as pilot:
        yield Run(pilot, cast("Demo", None))


@sizes
async def test_texts_that_would_act_are_only_text(size: tuple[int, int], tmp_path: Path) -> None:
    async with on_hostile(tmp_path, size) as run:
        await run.press("enter", "3", "b")
        for keys in ((), ("tab",), ("end",), ("tab", "down", "enter"), ("right",), ("right",)):
            await run.press(*keys)
            rows_fit(run.pilot)
            assert not any(char in run.text for char in "\x1b\x07\u202e\u2066")
        assert isinstance(run.screen, MessageScreen)
        await run.press("left", "home")
        assert "[red]" in run.text


async def test_ascii_alone(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path, glyphs=ASCII) as run:
        await run.select("compacted twice")
        await run.press("3", "b", "C")
        assert run.text.replace("检查分页与游标", "").isascii()
        await run.press("enter")
        assert isinstance(run.screen, MessageScreen)


async def test_the_tree_opens_its_compaction_and_leads_back(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await in_tree(run)
        session = run.browser.session.views
        assert session is not None
        nodes = session.opened.diagnosis.session.nodes
        found = [key for key, node in nodes.items() if isinstance(node, CompactionEntry)]
        for number, entry_id in enumerate(found, 1):
            assert run.tree.select_entry(entry_id)
            await run.press("enter")
            shown = sides_of(run).shown
            assert shown is not None
            assert (shown.sides.entry.id, shown.sides.number) == (entry_id, number)
            assert f"{number} of 2" in run.text
            await run.press("escape")
            assert run.tab() is Tab.TREE
            assert run.browser.session.entry_id == entry_id


async def test_a_click_on_the_band_of_the_tree_opens_it_too(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await in_tree(run)
        await run.pilot.click(offset=place_of(run.pilot, "compacted  120k"), times=2)
        await settled(run.pilot)
        assert "Before and after a compaction" in run.text
        await click_on(run.pilot, "back")
        assert run.screen is run.browser


async def test_the_context_leads_to_both_sides(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await in_context(run)
        view = run.browser.session.context_view
        assert view.select("sides")
        await run.press("enter")
        assert "Before  11 messages" in run.text
        assert "After  3 messages" in run.text
        assert "9 left out, about" in run.text
        assert "the summary and 2 kept messages" in run.text


@pytest.mark.parametrize("size", [SMALL, MIDDLE])
async def test_one_side_at_a_time_where_there_is_no_room(
    size: tuple[int, int], tmp_path: Path
) -> None:
    async with run_on_demo(tmp_path, size) as run:
        await at_sides(run)
        assert "Before  11 messages" in run.text
        assert "After" not in run.text.replace("Before and after", "")
        await run.press("tab")
        assert "After  3 messages" in run.text
        assert "Before  11" not in run.text
        await run.pilot.resize_terminal(*LARGE)
        await settled(run.pilot)
        assert "Before  11 messages" in run.text
        assert "After  3 messages" in run.text
        assert sides_of(run).after.has_focus


async def test_both_sides_by_mouse(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await at_sides(run)
        await click_on(run.pilot, "After")
        assert sides_of(run).after.has_focus
        await click_on(run.pilot, "Before  11")
        assert sides_of(run).before.has_focus
        await run.pilot.click(offset=place_of(run.pilot, "write the bucket"), times=2)
        await settled(run.pilot)
        screen = run.screen
        assert isinstance(screen, MessageScreen)
        assert screen.at == 3
        await click_on(run.pilot, "→")
        assert "message 5 of 11" in run.text
        await click_on(run.pilot, "close")
        await click_on(run.pilot, "c compaction")
        await click_on(run.pilot, "back", last=True)
        assert run.screen is run.browser


async def test_messages_are_read_one_after_the_other(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await at_message(run)
        assert "message 2 of 7" in run.text
        assert "kept copy" in run.text
        await run.press("left", "left")
        assert "message 1 of 7" in run.text
        assert "in a frame that calls it a conversation summary" in run.text
        await run.press(*["right"] * 9)
        assert "message 7 of 7" in run.text
        screen = run.screen
        assert isinstance(screen, MessageScreen)
        await click_on(run.pilot, "to its record")
        assert run.on_top() is BrowserScreen
        assert run.browser.session.entry_id == screen.item.entry_id


async def test_a_message_that_was_there_leads_to_its_record(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await at_sides(run)
        await run.press(*["down"] * 7, "enter")
        screen = run.screen
        assert isinstance(screen, MessageScreen)
        wanted = screen.item.entry_id
        await run.press("t")
        assert run.screen is run.browser
        assert run.browser.session.entry_id == wanted


async def test_keys_of_everywhere(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await at_sides(run)
        await run.press("question_mark")
        assert "a compaction" in run.text
        await run.press("escape")
        await run.press("ctrl+p")
        await run.press(*"stands", "space", *"for")
        await run.press("enter")
        assert sides_of(run).after.has_focus
        await run.press("ctrl+f")
        assert "Search everywhere" in run.text


async def test_there_is_none_to_show(tmp_path: Path, notes: Notes) -> None:
    async with run_on_demo(tmp_path) as run:
        await run.select(CLEAN)
        await run.press("2", "b")
        assert run.screen is run.browser
        assert notes.end_with("never compacted")
        await in_transcript(run)
        await run.press("b", "c")
        assert notes.end_with("the last compaction")
        await run.press("C", "C")
        assert notes.end_with("the first compaction")


async def test_only_what_is_seen_is_laid_out(tmp_path: Path) -> None:
    async with on_hostile(tmp_path, LARGE) as run:
        await run.press("enter", "3", "b", "tab")
        view = sides_of(run).after
        assert view.laid_out_lines < 1_000
        assert view.virtual_size.height < 800


async def test_a_long_session_is_read_from_its_file_in_a_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_records, "LIGHT_ABOVE", 1_000)
    threads: list[int] = []

    def noted(*asked: Any) -> Any:
        threads.append(threading.get_ident())
        return whole_node(*asked)

    monkeypatch.setattr("ink_tui.tui.screens.compaction.whole_node", noted)
    async with on_hostile(tmp_path, LARGE) as run:
        await run.press("enter", "3", "b", "tab", "end")
        diagnosis = sides_of(run).diagnosis
        node = diagnosis.session.nodes[EntryId("k1")]
        assert isinstance(node, CompactionEntry)
        assert node.cut is not None
        assert "only the start" not in run.text
        shown = sides_of(run).shown
        assert shown is not None
        body = shown.after.blocks[0].body
        assert isinstance(body, TextBody)
        assert len(body.text) > 16_000
        assert threads
        assert threading.get_ident() not in threads
