"""The facts of a session over the screen: read in a thread, seen to their end, closed."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.session_facts import SessionFacts, session_facts
from ink_tui.store.reader import read_session
from ink_tui.tui.render.glyphs import ASCII
from ink_tui.tui.screens import facts
from ink_tui.tui.screens.facts import FactsScreen
from tests.cases import CASES_DIR
from tests.dialog_host import SIZES, Host, assert_fits, click_on, screen_lines, screen_text
from tests.pilot.app import LARGE, app_on_demo, browser_of, demo_in, running, until

if TYPE_CHECKING:
    from pathlib import Path

    from textual.pilot import Pilot

    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.files import Fingerprint

TURNS = 2_000
CASE = str(next(CASES_DIR.glob("49-*/session.jsonl")))


async def shown(pilot: Pilot[None], text: str) -> None:
    """Wait for a text that a thread brings."""
    for _ in range(TURNS):
        await pilot.pause()
        if text in screen_text(pilot.app):
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{text!r} did not come:\n{screen_text(pilot.app)}")


@pytest.mark.parametrize("size", [*SIZES, (200, 60), (24, 8)])
@pytest.mark.parametrize("keys", ["enter", "escape"])
async def test_it_fits_scrolls_and_closes(size: tuple[int, int], keys: str) -> None:
    app = Host(FactsScreen(CASE))
    narrow = size[0] < 30
    async with app.run_test(size=size) as pilot:
        await shown(pilot, "Session")
        assert_fits(app)
        seen = screen_lines(app)
        for _page in range(20):
            await pilot.press("pagedown")
            await pilot.pause()
            seen += screen_lines(app)
        wanted = ("Session", "Context size", "Turns", "Compactions", "compaction 2")
        for text in wanted[: -1 if narrow else None]:
            assert any(text in row for row in seen), text
        await pilot.press("up", "down", "pageup", keys)
        await pilot.pause()
        assert app.results == [None]


async def test_it_closes_by_mouse() -> None:
    app = Host(FactsScreen(CASE, glyphs=ASCII))
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "user turns")
        assert screen_text(app).isascii()
        await click_on(pilot, "close")
        assert app.results == [None]


async def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    app = Host(FactsScreen(str(tmp_path / "gone.jsonl")))
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "is no longer there")
        await pilot.press("escape")
        await pilot.pause()
        assert app.results == [None]


async def test_reading_and_counting_leave_the_screens_thread_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: list[int] = []

    def reading(path: str) -> tuple[Diagnosis, Fingerprint]:
        threads.append(threading.get_ident())
        return read_session(path)

    def counting(diagnosis: Diagnosis) -> SessionFacts:
        threads.append(threading.get_ident())
        return session_facts(diagnosis)

    monkeypatch.setattr(facts, "read_session", reading)
    monkeypatch.setattr(facts, "session_facts", counting)
    app = Host(FactsScreen(CASE))
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "user turns")
    assert len(threads) == 2
    assert threading.get_ident() not in threads


async def test_closing_while_it_is_read_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    go = threading.Event()

    def reading(path: str) -> tuple[Diagnosis, Fingerprint]:
        assert go.wait(20)
        return read_session(path)

    monkeypatch.setattr(facts, "read_session", reading)
    app = Host(FactsScreen(CASE))
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "Reading the session")
        await pilot.press("escape")
        await pilot.pause()
        assert app.results == [None]
        go.set()
        await pilot.pause()
        assert "user turns" not in screen_text(app)


async def test_it_is_found_by_its_name(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            await pilot.press("ctrl+p")
            await pilot.pause()
            await pilot.press(*"session facts", "enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, FactsScreen), "the facts")
            screen = pilot.app.screen
            assert isinstance(screen, FactsScreen)
            assert screen.path == str(demo.first)
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.screen is browser_of(pilot), "closed")
