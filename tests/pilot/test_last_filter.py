"""What becomes output is clean already, and is cleaned once more should it ever not be."""

from __future__ import annotations

import sys
import unicodedata
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.outline_rows import FilterMode
from ink_tui.model.text import one_line
from ink_tui.tui.render.palette import Palette
from ink_tui.tui.render.rows import Piece
from ink_tui.tui.render.strips import is_clean, to_strip
from ink_tui.tui.render.terminal_rows import RowPainter
from ink_tui.tui.screens.help import HelpScreen
from ink_tui.tui.screens.preflight import PreflightScreen
from ink_tui.tui.themes import INK
from tests.e2e.hostile import PAYLOADS, Store
from tests.pilot.app import (
    LARGE,
    app_on,
    app_on_demo,
    browser_of,
    demo_in,
    fake_agent,
    running,
    settled,
    shown,
    until,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from textual.strip import Strip

    from ink_tui.agent.engine import Row
    from ink_tui.tui.render.rows import Ground
    from tests.pilot.app import AppPilot


class Watched:
    """Stands where lines become strips, and notes what would have to be cleaned there."""

    def __init__(self) -> None:
        self.lines = 0
        self.dirty: list[str] = []

    def __call__(self, pieces: Sequence[Piece], palette: Palette, *ground: Ground) -> Strip:
        self.lines += 1
        if not is_clean(pieces):
            self.dirty.append(ascii("".join(piece.text for piece in pieces)))
        strip = to_strip(pieces, palette, *ground)
        text = strip.text
        assert one_line(text) == text
        return strip

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> int:
        """Take the place of the real function in every module that draws with it."""
        places = [
            module
            for name, module in sys.modules.items()
            if name.startswith("ink_tui.tui.widgets.")
            and getattr(module, "to_strip", None) is to_strip
        ]
        for module in places:
            monkeypatch.setattr(module, "to_strip", self)
        return len(places)


async def _tour(pilot: AppPilot) -> None:
    """Draw the selected session in every tab, whole, and what is asked before it is resumed."""
    browser = browser_of(pilot)
    await pilot.press("1")
    browser.session.tree_view.show_mode(FilterMode.ALL)
    await settled(pilot)
    for row in browser.session.tree_view.seen[:40]:
        browser.session.tree_view.select(row.key)
        await pilot.pause()
    await pilot.press("2", "a", "G", "d", "g", "3", "end", "4", "end", "1")
    await settled(pilot)
    await pilot.press("r")
    await shown(pilot, PreflightScreen)
    await pilot.press("d", "pagedown", "escape")


async def test_no_line_needs_the_last_filter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "hostile", harmless=False)
    store.fill()
    watched = Watched()
    async with running(app_on(store.root, home=tmp_path), LARGE) as pilot:
        assert watched.watch(monkeypatch) >= 5
        browser = browser_of(pilot)
        paths = [item.row.path for item in browser.list.listing.items if item.row is not None]
        assert len(paths) >= 2 * len(PAYLOADS)
        for path in paths:
            browser.list.select(path)
            await settled(pilot)
            await _tour(pilot)
        await pilot.press("question_mark")
        await shown(pilot, HelpScreen)
    assert watched.lines > 1_000
    assert watched.dirty == []


_PALETTE = Palette(INK.to_color_system().generate(), monochrome=True)
HOSTILE = {
    "colour": "\x1b[31mred",
    "8-bit": "a\x9b2Jb",
    "newline": "a\nb",
    "bidi": "a\u202eb",
    "zero width": "a\u200bb",
    "marks": "a" + "\u0301" * 30,
    "half surrogate": "a\ud800b",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_the_last_filter(kind: str) -> None:
    """A line that was never cleaned is noticed, cleaned, and as wide as it was meant to be."""
    pieces = (Piece("before "), Piece(HOSTILE[kind]), Piece(" behind"))
    assert not is_clean(pieces)
    strip = to_strip(pieces, _PALETTE)
    assert one_line(strip.text) == strip.text
    assert HOSTILE[kind] not in strip.text
    watched = Watched()
    watched(pieces, _PALETTE)
    assert len(watched.dirty) == 1


def test_a_joined_character_in_two_pieces_stays() -> None:
    pieces = (Piece("\U0001f469"), Piece("\u200d\U0001f4bb"))
    assert is_clean(pieces)
    assert to_strip(pieces, _PALETTE).text == "\U0001f469\u200d\U0001f4bb"


async def test_the_rows_of_an_agent_hold_no_control(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an agent draws is its own; but only characters come through its terminal."""
    rows: list[str] = []
    draw = RowPainter.strip

    def noted(self: RowPainter, row: Row, columns: int) -> Strip:
        strip = draw(self, row, columns)
        rows.append(strip.text)
        return strip

    monkeypatch.setattr(RowPainter, "strip", noted)
    with demo_in(tmp_path) as demo:
        agent = fake_agent(demo.home)
        program = tmp_path / "demo-home" / ".local" / "bin" / "fake"
        bad = r"\033]52;c;AAAA\007\033]0;evil\033\\\033[31mred"
        bad += r"\302\2332J\302\235x\302\234\001\177\302\205"
        program.write_text(f"#!/bin/sh\nprintf '{bad}continuing\\n'\nread a\n")
        async with running(app_on_demo(demo, agents=[agent]), LARGE) as pilot:
            await pilot.press("r")
            await shown(pilot, PreflightScreen)
            await pilot.press("f", "enter")
            await until(pilot, lambda: any("continuing" in row for row in rows), "the agent")
    assert rows
    assert [row for row in rows if any(unicodedata.category(char) == "Cc" for char in row)] == []
