"""The list of a clean-up as a picture, before anything is moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ink_tui.model.cleanup import RULES
from ink_tui.tui.screens.cleanup import CleanupScreen
from tests.clean_stores import put
from tests.pilot.app import LARGE, MIDDLE, app_on, settled, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.pilot import Pilot

    from ink_tui.tui.services import Leave

pytestmark = pytest.mark.snapshot

SIZES = {"120x36": LARGE, "80x24": MIDDLE}
TITLES = (
    "fix the sum function, keep the interface",
    "给解析器加上 CRLF 支持 🚀",
    "rate limits",
    "rename the module",
    "a note in the README about the order of the fields in the header of a session file",
    "迁移到 Postgres 16",
)


def store_in(folder: Path) -> Path:
    """Make a store of old sessions in two folders: one has a younger sub-agent, one is torn."""
    root = folder / ".ink" / "sessions"
    for number, title in enumerate(TITLES):
        put(
            root / f"w{number % 2}" / f"{number}.jsonl",
            f"0{number}a5f1c2-session",
            age_days=40 + 61 * number,
            text=title,
            cwd="/home/u/work/api" if number % 2 else "/home/u/work/demo",
            pad=number * 9_000,
            messages=1 + number,
        )
    put(root / "w0" / "children" / "c.jsonl", "child", parent="04a5f1c2-session", age_days=300)
    torn = b'{"type":"mess'
    put(root / "w1" / "t.jsonl", "torn", text="the old site", tail=torn, cwd="/srv/site")
    put(root / "w1" / "y.jsonl", "young", text="today", age_days=0.2, cwd="/srv/site")
    put(root / "w1" / "children" / "n.jsonl", "newer", parent="05a5f1c2-session", age_days=20)
    return root


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", ["clean-up", "clean-up-list"])
def test_the_clean_up_looks_as_it_did(
    page: str, size: str, tmp_path: Path, snap_compare: Callable[..., bool]
) -> None:
    app = app_on(store_in(tmp_path), home=tmp_path)

    async def drive(pilot: Pilot[Leave]) -> None:
        await settled(pilot)
        await pilot.press("D")
        await until(pilot, lambda: _choices(pilot) == len(RULES) + 1, "the kinds")
        if page == "clean-up-list":
            await pilot.press(*["up"] * 6, "down", "enter")
            await until(pilot, lambda: _choices(pilot) == 2, "the list")
        await pilot.pause()

    assert snap_compare(app, terminal_size=SIZES[size], run_before=drive)


def _choices(pilot: Pilot[Leave]) -> int:
    screen = pilot.app.screen
    return len(screen.page.choices) if isinstance(screen, CleanupScreen) else 0
