"""A key that is pressed before the pane of a session is there is not lost."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.later import load_session_pane
from tests.pilot.app import LARGE, app_on_demo, browser_of, demo_in, settled, until

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("keys", "tab"), [(("3",), Tab.CONTEXT), (("4", "2"), Tab.TRANSCRIPT), (("1",), Tab.TREE)]
)
async def test_a_tab_is_shown_as_soon_as_there_is_a_pane(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...], tab: Tab
) -> None:
    allowed = threading.Event()

    def late() -> None:
        allowed.wait()
        load_session_pane()

    monkeypatch.setattr("ink_tui.tui.screens.reading.load_session_pane", late)
    with demo_in(tmp_path) as demo:
        app = app_on_demo(demo)
        async with app.run_test(size=LARGE) as pilot:
            browser = browser_of(pilot)
            try:
                await until(pilot, lambda: browser.list.selected_path, "rows")
                await pilot.press(*keys)
                assert not browser.query("#session")
            finally:
                allowed.set()
            await until(pilot, lambda: browser.query("#session"), "a pane")
            await settled(pilot)
            assert browser.session.active is tab
            assert browser.place is Place.SESSION
            assert browser.session.has_focus_within
            assert browser.session.views is not None
