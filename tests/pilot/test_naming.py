"""Naming a session and labelling a record from the keyboard, and taking it back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from textual import events
from textual.widgets import Input

from ink_tui.store.repair_plan import diagnosis_of
from ink_tui.tui.render.glyphs import UNICODE
from ink_tui.tui.screens.field import FieldScreen
from ink_tui.tui.screens.folder import FolderScreen
from tests.pilot.app import (
    LARGE,
    SIZES,
    app_on_demo,
    demo_in,
    fake_agent,
    rows_fit,
    running,
    screen_text,
    settled,
    shown,
    until,
)
from tests.pilot.run import CLEAN, Run, path_of, run_on_demo, typed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.pilot.conftest import Notes


@pytest.mark.parametrize("size", SIZES)
async def test_a_name_is_written_shown_and_taken_back(
    size: tuple[int, int], tmp_path: Path, notes: Notes
) -> None:
    async with run_on_demo(tmp_path, size) as run:
        pilot = run.pilot
        await run.select(CLEAN)
        path = path_of(run)
        before = path.read_bytes()
        await typed(pilot, "f2", "my name")
        await until(pilot, partial(notes.end_with, "Renamed to “my name”, u undoes it"), "note")
        await settled(pilot)
        assert diagnosis_of(path.read_bytes()).title == "my name"
        assert "my name" in screen_text(pilot)
        row = run.browser.list.selected_row
        assert row is not None
        assert row.title == "my name"
        await run.press("u")
        await until(pilot, partial(notes.end_with, "Undone"), "undone")
        await settled(pilot)
        assert path.read_bytes() == before
        assert "my name" not in screen_text(pilot)


async def test_a_label_is_written_shown_and_taken_off(tmp_path: Path, notes: Notes) -> None:
    async with run_on_demo(tmp_path) as run:
        pilot = run.pilot
        await run.select(CLEAN)
        await run.press("enter", "home")
        path = path_of(run)
        target = run.browser.session.entry_id
        leaf = diagnosis_of(path.read_bytes()).leaf
        await typed(pilot, "m", "begun")
        await until(pilot, partial(notes.end_with, "Labelled “begun”, u undoes it"), "note")
        await settled(pilot)
        after = diagnosis_of(path.read_bytes())
        assert after.session.labels == {target: "begun"}
        assert after.leaf == leaf
        assert "begun" in screen_text(pilot)
        assert run.browser.session.entry_id == target
        await typed(pilot, "m", "")
        await until(pilot, partial(notes.end_with, "Label taken off"), "note")
        await settled(pilot)
        assert "begun" not in screen_text(pilot)


@pytest.mark.parametrize("key", ["f2", "m"])
async def test_escape_and_the_same_words_write_nothing(key: str, tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        pilot = run.pilot
        await run.select(CLEAN)
        await run.press("enter", "home")
        path = path_of(run)
        before = path.read_bytes()
        for last in ("escape", "enter"):
            await pilot.press(key)
            await shown(pilot, FieldScreen)
            await pilot.press(*(("x", "escape") if last == "escape" else ("enter",)))
            await until(pilot, lambda: pilot.app.screen is run.browser, "closed")
            await settled(pilot)
        assert path.read_bytes() == before


@pytest.mark.parametrize("key", ["f2", "m"])
async def test_a_damaged_session_is_refused_before_anything_is_typed(
    key: str, tmp_path: Path, notes: Notes
) -> None:
    with demo_in(tmp_path) as demo:
        before = demo.first.read_bytes()
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            await run.press("enter", "home", key)
            await until(pilot, partial(notes.end_with, "Repair or fork it first"), "the sentence")
            assert pilot.app.screen is run.browser
        assert demo.first.read_bytes() == before


async def test_a_session_that_an_agent_runs_in_is_refused(tmp_path: Path, notes: Notes) -> None:
    with demo_in(tmp_path) as demo:
        app = app_on_demo(demo, agents=[fake_agent(demo.home)])
        async with running(app, LARGE) as pilot:
            run = Run(pilot, demo)
            await run.beside_agent()
            await pilot.press("f2")
            await until(pilot, partial(notes.end_with, "In use by the agent in pane 1"), "refused")


async def test_a_store_of_the_predecessor_is_only_read(tmp_path: Path, notes: Notes) -> None:
    async with run_on_demo(tmp_path) as run:
        pilot = run.pilot
        await run.select(CLEAN)
        old = run.demo.home / ".imp" / "sessions" / "x" / path_of(run).name
        run.browser.naming.ask_name(str(old))
        await until(pilot, partial(notes.end_with, "it is only read"), "refused")


async def test_what_changed_while_one_typed_is_not_written_over(
    tmp_path: Path, notes: Notes
) -> None:
    async with run_on_demo(tmp_path) as run:
        pilot = run.pilot
        await run.select(CLEAN)
        path = path_of(run)
        await pilot.press("f2")
        await shown(pilot, FieldScreen)
        grown = path.read_bytes() + b'{"type":"position","leafId":null}\n'
        path.write_bytes(grown)
        await pilot.press("x", "enter")
        await until(pilot, partial(notes.end_with, "changed since"), "refused")
        assert path.read_bytes() == grown


async def test_the_folder_of_a_relocation_is_checked_as_before(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            found: list[str | None] = []
            dialog = FolderScreen(str(tmp_path / "none"), glyphs=UNICODE)
            pilot.app.push_screen(dialog, found.append)
            await shown(pilot, FolderScreen)
            await pilot.press("enter")
            await until(pilot, lambda: "no such folder" in screen_text(pilot), "trouble")
            dialog.query_one(Input).value = str(tmp_path)
            await pilot.press("enter")
            await until(pilot, lambda: found == [str(tmp_path)], "the folder")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("pasted", [False, True], ids=["typed", "pasted"])
async def test_a_joined_emoji_stays_whole(
    size: tuple[int, int], pasted: bool, tmp_path: Path, notes: Notes
) -> None:
    family = "👨\u200d👩\u200d👧"
    async with run_on_demo(tmp_path, size) as run:
        pilot = run.pilot
        await run.select(CLEAN)
        path = path_of(run)
        await pilot.press("f2")
        await shown(pilot, FieldScreen)
        await pilot.press("end", "ctrl+u")
        field = pilot.app.screen.query_one(Input)
        if pasted:
            field.post_message(events.Paste(f"{family} x"))
        else:
            for char in f"{family} x":
                field.post_message(events.Key(char, char))
        await until(pilot, lambda: field.value == f"{family} x", "typed")
        assert "left out" not in screen_text(pilot)
        rows_fit(pilot)
        await pilot.press("enter")
        await until(pilot, partial(notes.end_with, f"Renamed to “{family} x”, u"), "note")
        await settled(pilot)
        assert diagnosis_of(path.read_bytes()).title == f"{family} x"


async def test_what_cannot_be_seen_is_told_while_one_types(tmp_path: Path, notes: Notes) -> None:
    async with run_on_demo(tmp_path) as run:
        pilot = run.pilot
        await run.select(CLEAN)
        await pilot.press("f2")
        await shown(pilot, FieldScreen)
        await pilot.press("end", "ctrl+u")
        field = pilot.app.screen.query_one(Input)
        field.post_message(events.Paste("a\u202eb\u200b"))
        warned = "left out: U+202E, U+200B"
        await until(pilot, lambda: warned in screen_text(pilot), "warned")
        rows_fit(pilot)
        await pilot.press("backspace")
        await until(pilot, lambda: "left out: U+202E" in screen_text(pilot), "one less")
        assert warned not in screen_text(pilot)
        await pilot.press("enter")
        said = "Renamed to “ab” without U+202E, which cannot be seen"
        await until(pilot, partial(notes.end_with, said), "note")
