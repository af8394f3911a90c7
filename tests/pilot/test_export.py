"""Exporting from the browser: asked first, a new file in the current folder, never over another."""

from __future__ import annotations

import stat
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ink_tui.tui.screens.question import QuestionScreen
from tests.pilot.app import (
    LARGE,
    app_on_demo,
    browser_of,
    demo_in,
    running,
    settled,
    until,
)

if TYPE_CHECKING:
    from ink_tui.store.demo import Demo
    from tests.pilot.app import AppPilot
    from tests.pilot.conftest import Notes


def exported(demo: Demo) -> list[Path]:
    return sorted(Path(demo.cwd).glob("ink-*"))


async def asked(pilot: AppPilot) -> None:
    """Press the key and wait for the question."""
    await pilot.press("x")
    await until(pilot, lambda: isinstance(pilot.app.screen, QuestionScreen), "the question")


@pytest.mark.parametrize(("steps", "form"), [(0, "md"), (1, "html"), (2, "jsonl"), (3, "cast")])
async def test_each_format_becomes_a_new_private_file(
    steps: int, form: str, tmp_path: Path, notes: Notes
) -> None:
    with demo_in(tmp_path) as demo:
        before = demo.first.read_bytes()
        async with running(app_on_demo(demo), LARGE) as pilot:
            for end in (f".{form}: no secret", f"-2.{form}: no secret"):
                await asked(pilot)
                await pilot.press(*["down"] * steps, "enter")
                await until(pilot, partial(notes.end_with, end), end)
        made = exported(demo)
        assert len(made) == 2
        assert {path.suffix for path in made} == {f".{form}"}
        assert {stat.S_IMODE(path.stat().st_mode) for path in made} == {0o600}
        assert made[0].read_bytes() == made[1].read_bytes()
        assert str(demo.home).encode() not in made[0].read_bytes()
        assert demo.first.read_bytes() == before


async def test_escape_writes_nothing(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            await asked(pilot)
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.screen is browser_of(pilot), "closed")
            await settled(pilot)
        assert exported(demo) == []


async def test_a_refusal_is_told_in_a_sentence(tmp_path: Path, notes: Notes) -> None:
    with demo_in(tmp_path) as demo:
        app = app_on_demo(demo)
        async with running(app, LARGE) as pilot:
            await asked(pilot)
            demo.first.rename(demo.first.with_suffix(".gone"))
            await pilot.press("enter")
            await until(pilot, partial(notes.end_with, "cannot be read"), "the sentence")
        assert exported(demo) == []
