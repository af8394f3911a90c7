"""Every kind of block of a transcript as a picture, at every size, in wide and hostile words."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.entries import EntryId
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from tests.every_block import every_block
from tests.pilot.app import LARGE, MIDDLE, NOW_MS, SMALL, app_on, browser_of, settled
from tests.snapshots.test_screens import measure_texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.pilot import Pilot

    from ink_tui.tui.services import Leave

pytestmark = pytest.mark.snapshot
SIZES = {"60x20": SMALL, "80x24": MIDDLE, "120x36": LARGE, "200x60": (200, 60)}


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: what is brought to the top, then keys."""

    entry: str
    call_id: str | None = None
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = LARGE
    glyphs: Glyphs = UNICODE
    theme: str = "ink"


PLACES = {
    "compaction": Shot("e1"),
    "start": Shot("e5"),
    "markdown": Shot("e6", keys=("right",)),
    "table": Shot("e6", keys=("right", "pagedown")),
    "calls": Shot("e7", "c2"),
    "change": Shot("e7", "c5"),
    "second-turn": Shot("e9"),
    "end": Shot("e16", keys=("end",)),
}
SHOTS = {
    f"{name}-{words}": Shot(shot.entry, shot.call_id, shot.keys, size)
    for name, shot in PLACES.items()
    for words, size in SIZES.items()
} | {
    "whole-call-80x24": Shot("e7", "c3", ("enter",), MIDDLE),
    "whole-task-80x24": Shot("e10", "d1", ("enter",), MIDDLE),
    "unwrapped-60x20": Shot("e7", "c3", ("enter", "w"), SMALL),
    "thinking-80x24": Shot("e6", keys=("T",), size=MIDDLE),
    "folded-80x24": Shot("e7", "c1", keys=("a",), size=MIDDLE),
    "raw-80x24": Shot("e9", keys=("d",), size=MIDDLE),
    "ascii-start-120x36": Shot("e6", keys=("right",), glyphs=ASCII),
    "ascii-change-120x36": Shot("e7", "c5", glyphs=ASCII),
    "light-change-120x36": Shot("e7", "c5", theme="ink-light"),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / ".ink" / "sessions" / "srv-work-demo" / "blocks.jsonl"
    found.parent.mkdir(parents=True)
    found.write_bytes(every_block())
    os.utime(found, (NOW_MS / 1000 - 3600, NOW_MS / 1000 - 3600))
    return found


@pytest.mark.parametrize("name", SHOTS)
def test_a_transcript_looks_as_it_did(
    name: str, path: Path, snap_compare: Callable[..., bool]
) -> None:
    shot = SHOTS[name]
    root = path.parents[1]
    app = app_on(root, home=root.parents[1], wanted=str(path), glyphs=shot.glyphs, theme=shot.theme)

    async def drive(pilot: Pilot[Leave]) -> None:
        await settled(pilot)
        await pilot.press("2")
        await settled(pilot)
        measure_texts(pilot)
        view = browser_of(pilot).session.transcript.view
        assert view.select_entry(EntryId(shot.entry), shot.call_id)
        await settled(pilot)
        await pilot.press(*shot.keys)
        await settled(pilot)
        measure_texts(pilot)
        await settled(pilot)

    assert snap_compare(app, terminal_size=shot.size, run_before=drive)
