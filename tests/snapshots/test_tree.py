"""The tree as a picture: its filters, its last column, and other sessions unfolded in it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from tests.guest_sessions import FILES
from tests.pilot.app import LARGE, MIDDLE, NOW_MS, SMALL, app_on, settled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.pilot import Pilot

    from ink_tui.tui.services import Leave

pytestmark = pytest.mark.snapshot
WIDE = (200, 60)


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture."""

    keys: tuple[str, ...]
    size: tuple[int, int] = LARGE
    glyphs: Glyphs = UNICODE


UNFOLDED = ("home", "down", "down", "right", "down", "down", "down", "right")
"""A sub-agent of a sub-agent."""
SHOTS = {
    "unfolded-60x20": Shot(UNFOLDED, SMALL),
    "unfolded-80x24": Shot(UNFOLDED, MIDDLE),
    "unfolded-120x36": Shot((*UNFOLDED, "t", "t")),
    "unfolded-200x60": Shot((*UNFOLDED, "t", "t"), WIDE),
    "unfolded-ascii-120x36": Shot((*UNFOLDED, "t", "t"), glyphs=ASCII),
    "tokens-60x20": Shot(("t", "t", "t", "f4"), SMALL),
    "tokens-80x24": Shot(("t", "t", "t", "f4"), MIDDLE),
    "tokens-120x36": Shot(("t", "t", "t", "f4")),
    "tokens-ascii-80x24": Shot(("t", "t", "t", "f4"), MIDDLE, ASCII),
}


@pytest.mark.parametrize("name", SHOTS)
def test_a_tree_looks_as_it_did(
    name: str, tmp_path: Path, snap_compare: Callable[..., bool]
) -> None:
    shot = SHOTS[name]
    folder = tmp_path / "sessions" / "p"
    folder.mkdir(parents=True)
    for file, content in FILES.items():
        path = folder / file
        path.write_bytes(content())
        os.utime(path, (NOW_MS / 1000 - 3600, NOW_MS / 1000 - 3600))
    wanted = str(folder / "parent.jsonl")
    app = app_on(tmp_path / "sessions", home=tmp_path, wanted=wanted, glyphs=shot.glyphs)

    async def drive(pilot: Pilot[Leave]) -> None:
        await settled(pilot)
        for key in shot.keys:
            await pilot.press(key)
            await settled(pilot)

    assert snap_compare(app, terminal_size=shot.size, run_before=drive)
