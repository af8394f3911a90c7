"""The clipboard holds what a person asked for, cleaned; looking around never fills it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.entries import EntryId
from ink_tui.model.text import clean
from ink_tui.tui.screens.preflight import PreflightScreen
from tests.pilot.app import (
    LARGE,
    app_on,
    browser_of,
    fake_agent,
    running,
    settled,
    shown,
    until,
)
from tests.sessions import HEADER, answer, line, user

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = "try\x1b]52;c;AAAA\x07 this\u202e\u200b\r\nand \x9b2J that [bold]x[/]"


def store(folder: Path) -> Path:
    """A root with one session, whose last question is hostile."""
    work, place = folder / "work", folder / "sessions" / "one"
    work.mkdir()
    place.mkdir(parents=True)
    talk = user("a", None, "hello") + answer("b", "a", "well") + user("c", "b", HOSTILE)
    talk += answer("d", "c", "done")
    (place / "s.jsonl").write_bytes(line({**HEADER, "cwd": str(work)}) + talk)
    return place.parent


async def test_looking_around_copies_nothing(tmp_path: Path) -> None:
    root = store(tmp_path)
    async with running(app_on(root, home=tmp_path), LARGE) as pilot:
        await settled(pilot)
        await pilot.press("enter", "home", *["down"] * 4, "2", "a", "d", "G", "3", "4", "1")
        await settled(pilot)
        await pilot.press("r")
        await shown(pilot, PreflightScreen)
        await pilot.press("d", "escape")
        await settled(pilot)
        assert pilot.app.clipboard == ""


async def test_a_message_that_is_copied_for_the_prompt_is_clean(tmp_path: Path) -> None:
    root = store(tmp_path)
    app = app_on(root, home=tmp_path, agents=[fake_agent(tmp_path)])
    async with running(app, LARGE) as pilot:
        await settled(pilot)
        browser = browser_of(pilot)
        await pilot.press("2")
        browser.session.go_to(EntryId("c"))
        await settled(pilot)
        assert browser.session.entry_id == "c"
        await pilot.press("f")
        await shown(pilot, PreflightScreen)
        assert pilot.app.clipboard == ""
        await pilot.press("f")
        await until(pilot, lambda: pilot.app.clipboard != "", "the message is copied")
        copied = pilot.app.clipboard
        assert clean(copied) == copied
        assert copied.startswith("try␛]52;c;AAAA␇ this<U+202E><U+200B>\nand <U+009B>2J that")
