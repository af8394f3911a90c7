"""`u`: it names what it takes back, and asks first where the session may be in use."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.changes import ChangeKind
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.preflight_rows import PreflightView, preflight_rows
from ink_tui.tui.screens.preflight import PreflightScreen
from ink_tui.tui.screens.question import QuestionScreen
from tests.pilot.app import (
    LARGE,
    MIDDLE,
    NOW_MS,
    SIZES,
    rows_fit,
    screen_text,
    settled,
    shown,
    until,
)
from tests.pilot.run import CLEAN, Run, path_of, run_on_demo, typed
from tests.preflights import preflight

if TYPE_CHECKING:
    from pathlib import Path

    from tests.pilot.app import AppPilot
    from tests.pilot.conftest import Notes


async def named(pilot: AppPilot, run: Run, notes: Notes) -> tuple[Path, bytes]:
    """Name the clean session; return its file and what it held before."""
    await run.select(CLEAN)
    path = path_of(run)
    before = path.read_bytes()
    await typed(pilot, "f2", "my name")
    await until(pilot, partial(notes.end_with, "u undoes it"), "named")
    await settled(pilot)
    return path, before


@pytest.mark.parametrize("size", [LARGE, MIDDLE])
async def test_the_preflight_names_what_an_undo_takes_back(
    size: tuple[int, int], tmp_path: Path, notes: Notes
) -> None:
    async with run_on_demo(tmp_path, size) as run:
        pilot = run.pilot
        path, before = await named(pilot, run, notes)
        await run.at_preflight()
        assert "u undo the name" in screen_text(pilot)
        rows_fit(pilot)
        await pilot.press("u")
        await until(pilot, lambda: "Undone: the name" in screen_text(pilot), "undone")
        assert "u undo the name" not in screen_text(pilot)
        assert path.read_bytes() == before
        assert isinstance(pilot.app.screen, PreflightScreen)


@pytest.mark.parametrize("size", SIZES)
async def test_an_undo_in_doubt_asks_first(
    size: tuple[int, int], tmp_path: Path, notes: Notes
) -> None:
    async with run_on_demo(tmp_path, size) as run:
        pilot = run.pilot
        path, before = await named(pilot, run, notes)
        changed = path.read_bytes()
        stamp = (NOW_MS - 20_000) * 1_000_000
        os.utime(path, ns=(stamp, stamp))
        for keys, wanted in (("enter", changed), ("escape", changed), ("up enter", before)):
            await pilot.press("u")
            await shown(pilot, QuestionScreen)
            text = screen_text(pilot)
            assert "Undo the name all the same?" in text
            assert "The file changed 20 s ago" in text
            rows_fit(pilot)
            await pilot.press(*keys.split())
            await until(pilot, lambda: pilot.app.screen is run.browser, "answered")
            await settled(pilot)
            assert path.read_bytes() == wanted
        assert notes.end_with("Undone: the name")


@pytest.mark.parametrize("kind", ChangeKind)
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("size", SIZES)
def test_every_kind_has_its_words(kind: ChangeKind, glyphs: Glyphs, size: tuple[int, int]) -> None:
    value = replace(preflight(), undo=kind)
    rows = preflight_rows(value, size, value.default.value, PreflightView(), glyphs)
    last = "".join(piece.text for piece in rows.foot[-1].text)
    assert f"u undo {kind.words}" in last
