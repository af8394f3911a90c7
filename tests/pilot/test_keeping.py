"""Putting sessions in the trash after a question."""

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
