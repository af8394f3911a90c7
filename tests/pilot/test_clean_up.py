"""The clean-up from the list: what it counts, lists, moves and tells, and what it never moves."""

from __future__ import annotations

import threading
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.cleanup import RULES
from ink_tui.model.marks import SessionMarks
from ink_tui.store.marks import change_marks, marks_path
from ink_tui.store.trash import folder_as_trash
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.question_rows import STAY, TRASH
from ink_tui.tui.screens.cleanup import CleanupScreen
from tests.clean_stores import Trash, put
from tests.pilot.app import (
    LARGE,
    SIZES,
    SMALL,
    app_on,
    browser_of,
    click_on,
    rows_fit,
    running,
    screen_text,
    settled,
    until,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from tests.pilot.app import AppPilot
    from tests.pilot.conftest import Notes

EMPTY, OLD, ORPHANS = RULES[0].id, RULES[1].id, RULES[-1].id


@dataclass(frozen=True, slots=True)
class Place:
    """A store with a trash beside it."""

    folder: Path
    trash: Trash

    @property
    def root(self) -> Path:
        return self.folder / ".ink" / "sessions"

    @property
    def work(self) -> Path:
        return self.root / "work"

    @property
    def state(self) -> Path:
        return self.folder / ".local" / "state"

    def names(self) -> list[str]:
        return sorted(path.name for path in self.root.rglob("*.jsonl"))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path, Trash(folder_as_trash(tmp_path / "trash")))
    put(made.work / "a.jsonl", "a")
    put(made.work / "children" / "b.jsonl", "b", parent="a")
    put(made.work / "c.jsonl", "c", messages=0, age_days=3)
    put(made.work / "d.jsonl", "d", age_days=3)
    put(made.work / "e.jsonl", "e", tail=b'{"type"')
    return made


class Dialog:
    """The clean-up on the screen."""

    def __init__(self, pilot: AppPilot) -> None:
        self.pilot = pilot

    @property
    def screen(self) -> CleanupScreen:
        screen = self.pilot.app.screen
        assert isinstance(screen, CleanupScreen)
        return screen

    @property
    def is_open(self) -> bool:
        return isinstance(self.pilot.app.screen, CleanupScreen)

    @property
    def text(self) -> str:
        return screen_text(self.pilot)

    def _at(self, title: str) -> bool:
        return (
            self.is_open and title in self.screen.page.title and len(self.screen.page.choices) > 1
        )

    async def open(self) -> None:
        await self.pilot.press("D")
        await until(self.pilot, lambda: self._at("Clean up"), "the kinds")
        rows_fit(self.pilot)

    async def choose(self, wanted: str) -> None:
        """Go to a choice with the keys and make it."""
        for _ in range(10):
            if self.screen.selected == wanted:
                break
            await self.pilot.press("up")
        assert self.screen.selected == wanted
        await self.pilot.press("enter")
        await self.pilot.pause()

    async def preview(self, rule: str) -> None:
        await self.open()
        before = self.screen.page
        await self.choose(rule)
        await until(self.pilot, lambda: self.screen.page is not before, "the list")
        await self.pilot.pause()
        rows_fit(self.pilot)

    async def closed(self) -> None:
        await until(self.pilot, lambda: not self.is_open, "the end")
        await settled(self.pilot)


@asynccontextmanager
async def program(
    place: Place,
    size: tuple[int, int] = LARGE,
    *,
    glyphs: Glyphs = UNICODE,
    theme: str = "ink",
    trash: Callable[[str], None] | None = None,
) -> AsyncIterator[Dialog]:
    app = app_on(place.root, home=place.folder, glyphs=glyphs, theme=theme)
    app.services = replace(app.services, trash=trash or place.trash)
    async with running(app, size) as pilot:
        yield Dialog(pilot)


async def test_what_was_listed_goes_and_is_told(place: Place, notes: Notes) -> None:
    async with program(place) as dialog:
        await dialog.open()
        for words in (
            "1 session without a message",
            "1 session older than 30 days",
            "Sub-agent sessions without their parent   nothing",
        ):
            assert words in dialog.text
        assert dialog.screen.selected == STAY
        before = dialog.screen.page
        await dialog.choose(OLD)
        await until(dialog.pilot, lambda: dialog.screen.page is not before, "the list")
        assert dialog.screen.selected == STAY
        for words in (
            "Move 1 session and 1 sub-agent session to the trash?",
            "/home/u/work",
            "task of a",
            "and 1 sub-agent session",
            "26 Jan 25",
            "1 session stays",
            "torn tail",
        ):
            assert words in dialog.text
        await dialog.choose(TRASH)
        await dialog.closed()
        assert notes.end_with("Moved to the trash: 1 session and 1 sub-agent session, ")
        assert notes.end_with("They can be put back from there.")
        assert place.trash.names == ["b.jsonl", "a.jsonl"]
        assert place.names() == ["c.jsonl", "d.jsonl", "e.jsonl"]
        browser = browser_of(dialog.pilot)
        paths = {row.path for row in browser.list._rows}
        assert paths == {str(place.work / name) for name in place.names()}
        assert browser.session.path in paths


@pytest.mark.parametrize("size", SIZES)
async def test_every_page_can_be_left_and_nothing_moves(
    place: Place, size: tuple[int, int]
) -> None:
    before = place.names()
    async with program(place, size) as dialog:
        for leave in ("escape", "enter"):
            await dialog.open()
            await dialog.pilot.press(leave)
            await dialog.closed()
            await dialog.preview(OLD)
            await dialog.pilot.press(leave)
            await dialog.closed()
    assert place.names() == before
    assert place.trash.names == []
    assert not place.state.exists()


async def test_enter_moves_nothing_that_was_not_on_the_screen(place: Place, notes: Notes) -> None:
    for number in range(40):
        put(place.work / f"x{number:02}.jsonl", f"x{number:02}", age_days=500 + number)
    async with program(place, SMALL) as dialog:
        await dialog.preview(OLD)
        seen = dialog.text
        await dialog.choose(TRASH)
        pressed = 1
        while dialog.is_open and dialog.screen.page.goes:
            assert place.trash.names == []
            assert "Read on" in dialog.text
            rows_fit(dialog.pilot)
            seen += dialog.text
            await dialog.pilot.press("enter")
            await dialog.pilot.pause()
            pressed += 1
            assert pressed < 20
        await dialog.closed()
        assert pressed == 3
        assert all(f"task of x{number:02}" in seen for number in range(40))
        assert "task of a" in seen
        assert notes.end_with("Moved to the trash: 41 sessions and 1 sub-agent session")
    assert place.names() == ["c.jsonl", "d.jsonl", "e.jsonl"]


async def test_a_jump_to_the_end_does_not_count_as_read(place: Place) -> None:
    for number in range(60):
        put(place.work / f"x{number:02}.jsonl", f"x{number:02}", age_days=500 + number)
    async with program(place, SMALL) as dialog:
        await dialog.preview(OLD)
        body = dialog.screen._dialog.body
        body.scroll_to(y=body.max_scroll_y, animate=False, force=True)
        await dialog.pilot.pause()
        await dialog.choose(TRASH)
        assert dialog.is_open
        assert place.trash.names == []
        assert body.scroll_offset.y < body.max_scroll_y
        while body.read_through < dialog.screen._must_see:
            await dialog.pilot.press("pagedown")
            await dialog.pilot.pause()
        await dialog.pilot.press("enter")
        await dialog.closed()
    assert len(place.trash.names) == 62


async def test_what_changed_since_stays_and_is_told(place: Place, notes: Notes) -> None:
    put(place.work / "f.jsonl", "f")
    async with program(place) as dialog:
        await dialog.preview(OLD)
        put(place.work / "a.jsonl", "a", messages=2)
        change_marks(place.state, "f", lambda _marks: SessionMarks(pinned=True))
        await dialog.choose(TRASH)
        await until(dialog.pilot, lambda: "Not everything went" in dialog.text, "the account")
        rows_fit(dialog.pilot)
        for words in ("Nothing was moved.", "2 sessions stayed", "changed after it was listed"):
            assert words in dialog.text
        assert "It is pinned now." in dialog.text
        await dialog.pilot.press("enter")
        await dialog.closed()
        assert notes.end_with("2 stayed")
    assert place.trash.names == []


async def test_what_is_marked_is_told_and_stays(place: Place) -> None:
    change_marks(place.state, "b", lambda _marks: SessionMarks(note="keep"))
    async with program(place) as dialog:
        await dialog.preview(OLD)
        assert "Nothing would go" in dialog.text
        assert "its sub-agent session “task of b”: noted" in dialog.text
        assert [choice.id for choice in dialog.screen.page.choices] == [STAY]
        await dialog.pilot.press("enter")
        await dialog.closed()


async def test_a_kind_with_nothing_cannot_be_chosen(place: Place) -> None:
    async with program(place) as dialog:
        await dialog.open()
        orphans = next(each for each in dialog.screen.page.choices if each.id == ORPHANS)
        assert (orphans.enabled, orphans.consequence) == (False, "nothing")
        dialog.screen.choose(ORPHANS)
        await dialog.pilot.pause()
        assert dialog.screen.page.title == "Clean up"
        await dialog.pilot.press("escape")
        await dialog.closed()


async def test_by_mouse(place: Place, notes: Notes) -> None:
    async with program(place) as dialog:
        await dialog.open()
        await click_on(dialog.pilot, "1 session without a message", times=2)
        await until(dialog.pilot, lambda: "Move 1 session to" in dialog.text, "the list")
        await click_on(dialog.pilot, "Move to trash", times=2)
        await dialog.closed()
        assert notes.end_with("Moved to the trash: 1 session, ")
        assert notes.end_with("It can be put back from there.")
    assert place.trash.names == ["c.jsonl"]


async def test_one_that_fails_does_not_keep_the_others(place: Place, notes: Notes) -> None:
    for name in "vwxyz":
        put(place.work / f"{name}.jsonl", name, age_days=401)
    place.trash.refuses = frozenset({"x.jsonl"})
    async with program(place) as dialog:
        await dialog.preview(OLD)
        await dialog.choose(TRASH)
        await until(dialog.pilot, lambda: "Not everything went" in dialog.text, "the account")
        assert "No space left on device" in dialog.text
        await dialog.pilot.press("enter")
        await dialog.closed()
        assert notes.end_with("5 sessions and 1 sub-agent session")
        assert notes.end_with("1 stayed: ")
    assert place.names() == ["c.jsonl", "d.jsonl", "e.jsonl", "x.jsonl"]


async def test_it_can_be_stopped_between_two_sessions(place: Place, notes: Notes) -> None:
    for name in "vwxyz":
        put(place.work / f"{name}.jsonl", name, age_days=401)
    first, go_on = threading.Event(), threading.Event()

    def slow(path: str) -> None:
        place.trash(path)
        first.set()
        assert go_on.wait(20)

    async with program(place, trash=slow) as dialog:
        await dialog.preview(EMPTY)
        await dialog.pilot.press("escape")
        await dialog.closed()
        await dialog.preview(OLD)
        await dialog.choose(TRASH)
        await until(dialog.pilot, first.is_set, "the first move")
        assert "Moving to the trash" in dialog.text
        assert "0 of 6 sessions" in dialog.text
        rows_fit(dialog.pilot)
        await dialog.pilot.press("enter", "enter")  # one too many stops nothing
        assert dialog.screen.chosen is None
        await dialog.pilot.press("escape")
        go_on.set()
        await dialog.closed()
        assert notes.end_with("Stopped before 5 sessions.")
    assert place.trash.names == ["b.jsonl", "a.jsonl"]


async def test_marks_that_cannot_be_read_keep_everything(place: Place, notes: Notes) -> None:
    place.state.mkdir(parents=True)
    marks_path(place.state).write_text("{")
    async with program(place) as dialog:
        await dialog.pilot.press("D")
        await until(
            dialog.pilot, partial(notes.end_with, "Nothing is cleaned up until"), "the reason"
        )
        await dialog.closed()


async def test_the_key_acts_in_the_list_only(place: Place) -> None:
    async with program(place) as dialog:
        await dialog.pilot.press("enter", "D")
        await settled(dialog.pilot)
        assert not dialog.is_open


async def test_ascii_has_no_other_character(place: Place) -> None:
    async with program(place, glyphs=ASCII) as dialog:
        for pages in (dialog.open, partial(dialog.preview, OLD)):
            await pages()
            assert dialog.text.isascii()
            await dialog.pilot.press("escape")
            await dialog.closed()


async def test_without_colour_the_choice_is_still_seen(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with program(place, SMALL, theme="ink-light") as dialog:
        await dialog.preview(OLD)
        assert "› Leave them" in dialog.text
        await dialog.pilot.press("up")
        await dialog.pilot.pause()
        assert "› Move to trash" in dialog.text
        await dialog.pilot.press("escape")
        await dialog.closed()
