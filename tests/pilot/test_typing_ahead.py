"""Letters that arrive together with the key that opens a field are typed into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from textual.events import Key

from ink_tui.tui.widgets.early_keys import expect_field
from tests.pilot.app import app_on_demo, demo_in, settled, until
from tests.pilot.run import Run

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from ink_tui.tui.screens.browser import BrowserScreen

LETTERS = "sum du /1\N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER}"
"""All but the emoji, which come in three keys, are keys of the list or of a session as well."""


@pytest.fixture
async def run(tmp_path: Path) -> AsyncIterator[Run]:
    demo = demo_in(tmp_path)
    app = app_on_demo(demo)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        yield Run(pilot, demo)


def _at_once(run: Run, *keys: str) -> None:
    """Let keys arrive before the first of them has been looked at."""
    names = {" ": "space", "/": "slash"}
    app = run.pilot.app
    for key in keys:
        name = names.get(key, key)
        app.post_message(Key(name, key if len(key) == 1 else None))


def _untouched(run: Run, before: str) -> None:
    assert run.browser.session.views is not None
    assert run.browser.session.views.opened.path == before


def _path(browser: BrowserScreen) -> str:
    assert browser.session.path is not None
    return browser.session.path


async def test_the_filter_of_the_list(run: Run) -> None:
    _at_once(run, "/", *LETTERS)
    await settled(run.pilot)
    assert run.browser.list.field.input.value == LETTERS
    assert run.screen is run.browser


async def test_find_in_the_session(run: Run) -> None:
    await run.press("enter")
    before = _path(run.browser)
    _at_once(run, "/", *LETTERS)
    await settled(run.pilot)
    assert run.browser.session.find.input.value == LETTERS
    assert run.screen is run.browser
    _untouched(run, before)


async def test_the_search_everywhere(run: Run) -> None:
    _at_once(run, "ctrl+f", *LETTERS)
    await until(run.pilot, lambda: run.screen is not run.browser, "the search")
    await settled(run.pilot)
    field = run.screen.focused
    assert field is not None
    assert getattr(field, "value", None) == LETTERS


async def test_letters_act_again_once_no_field_is_waited_for(run: Run) -> None:
    order = run.browser.list.asked.arrangement
    expect_field(run.browser)
    _at_once(run, "s")
    await settled(run.pilot)
    assert run.browser.list.asked.arrangement is order
    _at_once(run, "escape", "s")
    await settled(run.pilot)
    assert run.browser.list.asked.arrangement is not order


async def test_the_field_knows_its_width_at_once(run: Run) -> None:
    await run.press("enter")
    field = run.browser.session.find
    _at_once(run, "/", *"sum")
    await settled(run.pilot)
    assert field.words.startswith("1 of ")
    assert field._count.room == field.size.width - 14
