"""The end of a long session as a picture, while the whole is being read."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ink_tui.store import reader as reader_module
from ink_tui.store.reader import LONG_BYTES, SessionReader
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.screens.long_reading import ReadingStopped
from tests.pilot.app import LARGE, MIDDLE, NOW_MS, SMALL, app_on, browser_of, until
from tests.sessions import answer, results, session, user

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.pilot import Pilot

    from ink_tui.tui.services import Leave

pytestmark = pytest.mark.snapshot
_ADVANCE = SessionReader.advance


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture."""

    keys: tuple[str, ...] = ()
    size: tuple[int, int] = LARGE
    glyphs: Glyphs = UNICODE


SHOTS = {
    "long-tree-120x36": Shot(),
    "long-tree-80x24": Shot(size=MIDDLE),
    "long-tree-60x20": Shot(size=SMALL),
    "long-tree-top-120x36": Shot(("home",)),
    "long-transcript-120x36": Shot(("2",)),
    "long-transcript-top-80x24": Shot(("2", "home"), MIDDLE),
    "long-context-120x36": Shot(("3",)),
    "long-health-80x24": Shot(("4",), MIDDLE),
    "long-tree-ascii-120x36": Shot(glyphs=ASCII),
}


def long_session() -> bytes:
    """Return turns of a question, a call and an answer; the last call has no result."""
    lines: list[bytes] = []
    parent: str | None = None
    for turn in range(120):
        question, call, result, end = (f"t{turn}{part}" for part in "ucra")
        command = ((f"c{turn}", "bash", {"command": f"make step-{turn}"}),)
        lines += [
            user(question, parent, f"Do step {turn} of the plan.", turn * 60),
            answer(call, question, calls=command, second=turn * 60 + 5),
            results(
                result,
                call,
                (f"c{turn}", "bash", f"step {turn} made\n" * 700),
                second=turn * 60 + 9,
            ),
            answer(end, result, f"Step {turn} is **done**.", second=turn * 60 + 12),
        ]
        parent = end
    lines.append(user("last", parent, "And now publish it.", 7_300))
    open_call = (("open", "bash", {"command": "make publish"}),)
    lines.append(answer("open", "last", "I publish it.", open_call, 7_305))
    return session(*lines)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A session of which no more than three pieces are read."""
    found = tmp_path / ".ink" / "sessions" / "home-u-demo" / "long.jsonl"
    found.parent.mkdir(parents=True)
    found.write_bytes(long_session())
    assert found.stat().st_size > LONG_BYTES
    os.utime(found, (NOW_MS / 1000 - 3600, NOW_MS / 1000 - 3600))
    pieces = iter(range(3))

    def advance(
        reader: SessionReader, most: int, between: Callable[[], None] | None = None
    ) -> tuple[int, int]:
        if next(pieces, None) is None:
            raise ReadingStopped
        return _ADVANCE(reader, most, between)

    monkeypatch.setattr(reader_module, "ADVANCE_BYTES", 200_000)
    monkeypatch.setattr(SessionReader, "advance", advance)
    return found


@pytest.mark.parametrize("name", SHOTS)
def test_the_end_of_a_session_looks_as_it_did(
    name: str, path: Path, snap_compare: Callable[..., bool]
) -> None:
    shot = SHOTS[name]
    root = path.parents[1]
    app = app_on(root, home=root.parents[1], wanted=str(path), glyphs=shot.glyphs)
    app.services.library.scan(quick=False)  # the list knows it from an earlier start

    async def drive(pilot: Pilot[Leave]) -> None:
        browser = browser_of(pilot)
        read = "reading 0.6 of"
        await until(pilot, lambda: read in browser.session.head.facts.progress, "three pieces")
        await until(pilot, lambda: browser.list.selected_path == str(path), "its row")
        await until(pilot, lambda: browser.feed.listing and not browser.feed.listing.pending, "all")
        await pilot.press(*shot.keys)
        await pilot.pause()

    assert snap_compare(app, terminal_size=shot.size, run_before=drive)
