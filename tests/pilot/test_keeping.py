"""Pinning sessions in the list, and putting them away after a question."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.store.trash import folder_as_trash
from ink_tui.tui.screens.question import QuestionScreen
from tests.pilot.app import (
    LARGE,
    app_on_demo,
    demo_in,
    fake_agent,
    running,
    screen_text,
    settled,
    until,
)
from tests.pilot.run import CLEAN, Run

if TYPE_CHECKING:
    from ink_tui.store.demo import Demo
    from ink_tui.tui.app import InkTuiApp
    from tests.pilot.app import AppPilot
    from tests.pilot.conftest import Notes


def app_with_trash(demo: Demo, folder: Path) -> InkTuiApp:
    app = app_on_demo(demo)
    app.services = replace(app.services, trash=folder_as_trash(folder))
    return app


def names(demo: Demo) -> set[str]:
    return {str(path) for path in demo.root.rglob("*.jsonl")}


async def asked(pilot: AppPilot) -> None:
    await pilot.press("delete")
    await until(pilot, lambda: isinstance(pilot.app.screen, QuestionScreen), "the question")


async def test_a_session_goes_to_the_trash_and_the_next_one_is_shown(
    tmp_path: Path, notes: Notes
) -> None:
    trash = tmp_path / "trash"
    with demo_in(tmp_path) as demo:
        async with running(app_with_trash(demo, trash), LARGE) as pilot:
            run = Run(pilot, demo)
            await run.select(CLEAN)
            gone = run.browser.list.selected_path
            assert gone is not None
            await asked(pilot)
            await pilot.press("enter")  # the answer that is selected first keeps it
            await settled(pilot)
            assert gone in names(demo)
            await asked(pilot)
            await pilot.press("up", "enter")
            await until(
                pilot, partial(notes.end_with, "Moved to the trash: the session."), "the note"
            )
            await settled(pilot)
            assert gone not in names(demo)
            assert [path.name for path in trash.iterdir()] == [Path(gone).name]
            selected = run.browser.list.selected_path
            assert selected is not None
            assert selected != gone
            assert run.browser.session.path == selected
            assert not any(row.path == gone for row in run.browser.list._rows)


async def test_sub_agent_sessions_are_named_in_the_question_and_go_along(
    tmp_path: Path, notes: Notes
) -> None:
    trash = tmp_path / "trash"
    with demo_in(tmp_path) as demo:
        async with running(app_with_trash(demo, trash), LARGE) as pilot:
            run = Run(pilot, demo)
            rows = run.browser.list._rows
            child = next(row for row in rows if row.child)
            parent = next(row for row in rows if row.session_id == child.parent_id)
            number = len([row for row in rows if row.parent_id == parent.session_id])
            assert run.browser.list.select(parent.path)
            await settled(pilot)
            await asked(pilot)
            assert f"the session and its {number} sub-agent session" in screen_text(pilot)
            await pilot.press("up", "enter")
            await until(pilot, partial(notes.end_with, "Moved to the trash"), "the note")
            await settled(pilot)
            assert len(list(trash.iterdir())) == number + 1
            left = {row.path for row in run.browser.list._rows}
            assert not left & {child.path, parent.path}


async def test_a_session_that_an_agent_runs_in_is_kept(tmp_path: Path, notes: Notes) -> None:
    trash = tmp_path / "trash"
    with demo_in(tmp_path) as demo:
        app = app_on_demo(demo, agents=[fake_agent(demo.home)])
        app.services = replace(app.services, trash=folder_as_trash(trash))
        async with running(app, LARGE) as pilot:
            run = Run(pilot, demo)
            await run.beside_agent()
            await pilot.press("escape")
            await settled(pilot)
            await pilot.press("delete")
            await until(pilot, partial(notes.end_with, "in use by the agent in pane 1"), "the note")
            assert not trash.exists()


async def test_the_key_does_nothing_outside_the_list(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_with_trash(demo, tmp_path / "trash"), LARGE) as pilot:
            await pilot.press("enter")
            await settled(pilot)
            await pilot.press("delete")
            await settled(pilot)
            assert not isinstance(pilot.app.screen, QuestionScreen)


def move(path: str) -> None:
    Path(path).rename(Path(path).with_name("renamed.jsonl"))


def titles(run: Run) -> list[str]:
    return [item.title for item in run.browser.list.listing.items if item.row is not None]


async def test_a_pinned_session_stands_first_in_its_folder_and_stays_so(
    tmp_path: Path, notes: Notes
) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            before = titles(run)
            await run.select(CLEAN)
            await run.press("asterisk")
            assert notes.end_with("Pinned: it stands first in its folder")
            assert titles(run)[0].startswith(CLEAN)
            assert sorted(titles(run)) == sorted(before)
            row = run.browser.list.selected_row
            assert row is not None
            assert row.title.startswith(CLEAN)
            path = row.path
        move(path)
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            assert titles(run)[0].startswith(CLEAN)
            await run.press("asterisk")
            assert notes.end_with("No longer pinned")
            assert titles(run) == before


async def test_two_presses_are_two_changes(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            await run.select(CLEAN)
            await pilot.press("asterisk", "asterisk")
            await settled(pilot)
            assert run.browser.list.asked.pinned == frozenset()
            await pilot.press("asterisk", "asterisk", "asterisk")
            await settled(pilot)
            assert len(run.browser.list.asked.pinned) == 1


async def test_a_session_without_an_id_cannot_be_pinned(tmp_path: Path, notes: Notes) -> None:
    with demo_in(tmp_path) as demo:
        demo.first.write_bytes(b"no session\n")
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            assert run.browser.list.select(str(demo.first))
            await run.press("asterisk")
            assert notes.end_with("cannot be pinned")
            assert run.browser.list.asked.pinned == frozenset()


async def test_damaged_pins_never_stop_a_start(tmp_path: Path, notes: Notes) -> None:
    with demo_in(tmp_path) as demo:
        demo.state_dir.mkdir(parents=True, exist_ok=True)
        (demo.state_dir / "pins.json").write_bytes(b"{")
        async with running(app_on_demo(demo), LARGE) as pilot:
            assert Run(pilot, demo).browser.session.path == str(demo.first)
            assert notes.end_with("pins.json is damaged")
