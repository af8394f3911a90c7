"""A long session in the mounted program: its end at once, then the whole, without a jump."""

from __future__ import annotations

import re
import threading
import time
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.ending import EARLIER_WORDS, SO_FAR
from ink_tui.store import reader as reader_module
from ink_tui.store.reader import LONG_BYTES, SessionReader
from ink_tui.tui.screens.copying import CopyScreen
from ink_tui.tui.screens.search_values import RecordWanted
from tests.pilot.live import DEADLINE, HandClock, Live, append_elsewhere, live_app, put
from tests.sessions import answer, line, session, user

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.pilot.conftest import Notes

COUNT = 300
PIECE = 200_000
OF_SESSIONS = ("r", "f", "u", "x", "equals_sign", "f2", "space")
"""Keys about a session."""
OF_RECORDS = ("m", "V", "b")
"""Keys that are about the selected record."""


class Held:
    """Lets long files be read piece by piece, as a test says."""

    def __init__(self) -> None:
        self._pieces = threading.Semaphore(0)
        self._free = False
        self.read: list[str] = []
        """Files of the pieces read so far."""

    def let(self, pieces: int = 1) -> None:
        self._pieces.release(pieces)

    def let_all(self) -> None:
        self._free = True
        self._pieces.release(1_000)

    def advance(
        self, reader: SessionReader, most: int, between: Callable[[], None] | None = None
    ) -> tuple[int, int]:
        if not self._free and "long" in reader.path:
            assert self._pieces.acquire(timeout=DEADLINE)
        self.read.append(reader.path)
        return ADVANCE(reader, most, between)


ADVANCE = SessionReader.advance


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    found = Held()
    monkeypatch.setattr(reader_module, "ADVANCE_BYTES", PIECE)
    monkeypatch.setattr(
        SessionReader, "advance", lambda reader, *given: found.advance(reader, *given)
    )
    yield found
    found.let_all()


@pytest.fixture
def clock() -> HandClock:
    return HandClock(time.time_ns() // 1_000_000)


def long_session(count: int = COUNT) -> bytes:
    """Return a session of more than a megabyte: turns of a question and an answer."""
    lines: list[bytes] = []
    for at in range(0, count, 2):
        parent = f"n{at - 1}" if at else None
        lines.append(user(f"n{at}", parent, f"question {at} " + "x" * 200, at))
        lines.append(answer(f"n{at + 1}", f"n{at}", f"answer {at} " + "y y " * 2_000, second=at))
    found = session(*lines)
    assert len(found) > LONG_BYTES
    return found


@pytest.fixture
def path(tmp_path: Path, clock: HandClock) -> Path:
    place = tmp_path / "sessions" / "home-u-demo"
    put(place / "other.jsonl", session(user("o", None, "something else")), clock)
    return put(place / "long.jsonl", long_session(), clock)


def root(path: Path) -> Path:
    return path.parents[1]


def without_heads(drawn: str) -> list[str]:
    """Return the lines of a transcript but those that head a turn, which tell its number."""
    return [text for text in drawn.split("\n") if not text.startswith(" turn ")]


async def at_the_end(live: Live) -> None:
    """Wait until the end of the long session is shown."""
    await live.until(lambda: live.browser.session.ending, "the end of the session")


async def whole(live: Live) -> None:
    session = live.browser.session
    await live.until(
        lambda: session.views is not None and "long" in (session.path or ""), "the whole session"
    )


async def test_the_end_is_shown_before_the_whole_is_read(
    path: Path, clock: HandClock, held: Held
) -> None:
    async with live_app(root(path), clock, wanted=path) as live:
        session = live.browser.session
        await at_the_end(live)
        assert session.views is None
        assert session.path == str(path)
        await live.shows("answer 298", session.tree_view)
        assert SO_FAR in live.text(session.tree_view)
        assert EARLIER_WORDS in session.tree_view.outline.rows[0].word
        assert "question 0" in live.text(session.head)
        await live.pilot.press("home")
        await live.shows(EARLIER_WORDS, session.tree_view)
        await live.pilot.press("2", "home")
        assert "reading  earlier records" in live.text(session.transcript.view)
        assert "turn  question" in live.text(session.transcript.view)
        assert " of " not in live.text(session.transcript.view)
        held.let()
        await live.shows("reading 0.2 of 1.3 MB", session.head)
        assert session.views is None
        held.let_all()
        await whole(live)
        assert session.ending is None
        assert "reading" not in live.text(session.head)
        await live.equals_a_fresh_load()
        assert "earlier records" not in live.text(session.transcript.view)


async def test_context_and_health_say_that_they_wait(
    path: Path, clock: HandClock, held: Held
) -> None:
    async with live_app(root(path), clock, wanted=path) as live:
        session = live.browser.session
        await at_the_end(live)
        held.let()
        for key, view in (("3", session.context_view), ("4", session.health)):
            await live.pilot.press(key)
            await live.shows("known when the whole session has been read", view)
            await live.shows("Reading 0.2 of 1.3 MB", view)
            assert not re.search(r"token|fault|settle", live.text(view))
        held.let_all()
        await whole(live)
        await live.shows("Nothing to settle", session.health)
        await live.pilot.press("3")
        await live.shows("tokens", session.context_view)


@pytest.mark.parametrize(
    ("pane", "key"),
    [
        *(("list", key) for key in (*OF_SESSIONS, "y")),
        # In a session a text can be copied before the whole is read: see the next test.
        *(("session", key) for key in (*OF_SESSIONS, *OF_RECORDS)),
    ],
)
async def test_no_key_acts_on_the_end_alone(
    path: Path, clock: HandClock, held: Held, notes: Notes, key: str, pane: str
) -> None:
    async with live_app(root(path), clock, wanted=path) as live:
        await at_the_end(live)
        if pane == "list":
            await live.until(lambda: live.browser.list.selected_path == str(path), "its row")
            await live.pilot.press("tab")
        await live.pilot.press(key)
        await live.until(
            lambda: any("still being read" in note for note in notes.said), "the reason"
        )
        assert live.pilot.app.screen is live.browser
        assert live.browser.session.transcript.playback is None
        held.let_all()
        await whole(live)


async def test_a_text_of_the_end_can_be_copied_and_no_command(
    path: Path, clock: HandClock, held: Held
) -> None:
    async with live_app(root(path), clock, wanted=path) as live:
        await at_the_end(live)
        await live.pilot.press("y")
        await live.until(lambda: isinstance(live.pilot.app.screen, CopyScreen), "the question")
        screen = live.pilot.app.screen
        assert isinstance(screen, CopyScreen)
        enabled = {choice.id: choice.enabled for choice in screen.choices}
        assert enabled == {"message": True, "resume-command": False, "stay": True}
        await live.pilot.press("R")
        assert live.pilot.app.screen is screen
        await live.pilot.press("m")
        await live.until(lambda: live.pilot.app.clipboard != "", "the text")
        assert live.pilot.app.clipboard.startswith("answer 298")
        held.let_all()
        await whole(live)


async def test_selection_and_place_stay_in_the_tree(
    path: Path, clock: HandClock, held: Held
) -> None:
    async with live_app(root(path), clock, wanted=path) as live:
        tree = live.browser.session.tree_view
        await at_the_end(live)
        await live.pilot.press(*["up"] * 30, "down", "down", "down")
        selected, drawn = tree.selected, live.text(tree)
        assert SO_FAR not in drawn
        held.let_all()
        await whole(live)
        await live.pilot.pause()
        assert tree.selected == selected
        assert live.text(tree) == drawn


async def test_selection_folds_and_place_stay_in_the_transcript(
    path: Path, clock: HandClock, held: Held
) -> None:
    async with live_app(root(path), clock, wanted=path) as live:
        view = live.browser.session.transcript.view
        await at_the_end(live)
        await live.pilot.press("2", "pageup", "pageup", "left", "enter")
        block, drawn = view.selected, live.text(view)
        held.let_all()
        await whole(live)
        await live.pilot.pause()
        assert block is not None
        assert view.selected is not None
        assert view.selected.key == block.key
        assert without_heads(live.text(view)) == without_heads(drawn)


async def test_the_top_of_the_end_stays_where_it_is(
    path: Path, clock: HandClock, held: Held
) -> None:
    async with live_app(root(path), clock, wanted=path) as live:
        view = live.browser.session.transcript.view
        await at_the_end(live)
        await live.pilot.press("2", "home")
        first = re.search(r"question \d+", live.text(view))
        assert first is not None
        row = next(n for n, text in enumerate(live.text(view).split("\n")) if first[0] in text)
        held.let_all()
        await whole(live)
        await live.pilot.pause()
        assert first[0] in live.text(view).split("\n")[row]


async def test_another_session_ends_the_reading(path: Path, clock: HandClock, held: Held) -> None:
    async with live_app(root(path), clock, wanted=path) as live:
        await at_the_end(live)
        held.let(2)
        await live.until(lambda: len(held.read) > 1, "two pieces")
        await live.pilot.press("tab")
        live.browser.list.select(str(path.with_name("other.jsonl")))
        await live.shows("something else", live.browser.session.tree_view)
        assert live.browser.session.ending is None
        held.let(4)
        live.browser.list.select(str(path))
        held.let_all()
        await whole(live)
        assert held.read.count(str(path)) <= len(long_session()) // PIECE + 2
        await live.equals_a_fresh_load()


async def test_what_is_appended_meanwhile_shows_and_is_not_lost(
    path: Path, clock: HandClock, held: Held
) -> None:
    async with live_app(root(path), clock, wanted=path) as live:
        tree = live.browser.session.tree_view
        await at_the_end(live)
        append_elsewhere(path, user("later", f"n{COUNT - 1}", "what comes later", COUNT))
        await live.shows("what comes later", tree)
        assert live.browser.session.views is None
        assert tree.highlighted is not None
        assert tree.highlighted.entry_id == "later"
        held.let_all()
        await whole(live)
        await live.equals_a_fresh_load()


@pytest.mark.parametrize(("entry", "at_once"), [("n298", True), ("n10", False)])
async def test_a_hit_is_shown_as_soon_as_its_record_is_read(
    path: Path, clock: HandClock, held: Held, notes: Notes, entry: str, at_once: bool
) -> None:
    async with live_app(root(path), clock, wanted=path.with_name("other.jsonl")) as live:
        session = live.browser.session
        live.browser.open_at(RecordWanted(str(path), entry))
        await at_the_end(live)
        assert (session.entry_id == entry) is at_once
        held.let_all()
        await whole(live)
        await live.until(lambda: session.entry_id == entry, "the record of the hit")
        assert notes.said == []


async def test_where_the_branch_is_not_known_the_reading_is_all_that_is_said(
    path: Path, clock: HandClock, held: Held
) -> None:
    with path.open("ab") as out:
        out.write(line({"type": "position", "leafId": None}))
    async with live_app(root(path), clock, wanted=path) as live:
        session = live.browser.session
        await at_the_end(live)
        await live.shows(EARLIER_WORDS, session.tree_view)
        assert len(session.tree_view.seen) == 1
        held.let_all()
        await whole(live)
        await live.equals_a_fresh_load()


async def test_a_session_that_is_left_is_not_shown_any_more(
    path: Path, clock: HandClock, held: Held
) -> None:
    async with live_app(root(path), clock, wanted=path) as live:
        await at_the_end(live)
        live.browser.viewing.leave()
        held.let_all()
        await live.pilot.pause()
        assert live.browser.session.path is None


async def test_the_program_ends_while_a_session_is_read(
    path: Path, clock: HandClock, held: Held
) -> None:
    async with live_app(root(path), clock, wanted=path) as live:
        await at_the_end(live)
        held.let(1)
        await live.until(lambda: held.read, "a piece")
        await live.pilot.press("q")
        held.let_all()
    assert held.read.count(str(path)) <= 2
