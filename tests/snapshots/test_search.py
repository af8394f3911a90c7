"""The search as a picture: hits with their preview, candidates, a mistake, nothing found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from tests.pilot.app import LARGE, MIDDLE, SMALL, app_on_demo, settled
from tests.pilot.run import Run
from tests.pilot.search_places import at_search, search_of, type_in
from tests.snapshots.test_screens import demo

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.pilot import Pilot

    from ink_tui.store.demo import Demo
    from ink_tui.tui.services import Leave

__all__ = ["demo"]
pytestmark = pytest.mark.snapshot


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture."""

    query: str
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = LARGE
    glyphs: Glyphs = UNICODE


SHOTS = {
    "search-120x36": Shot("sum tool:bash", ("down",)),
    "search-80x24": Shot("sum", size=MIDDLE),
    "search-60x20": Shot("sum", size=SMALL),
    "search-ascii-120x36": Shot("sum tool:bash", ("down",), glyphs=ASCII),
    "search-mistake-80x24": Shot("sum toll:bash", size=MIDDLE),
    "search-candidates-120x36": Shot("verdict:", ("tab", "tab")),
    "search-nothing-60x20": Shot("zzz is:fork", size=SMALL),
}


@pytest.mark.parametrize("name", SHOTS)
def test_the_search_looks_as_it_did(
    name: str, demo: Demo, snap_compare: Callable[..., bool]
) -> None:
    shot = SHOTS[name]
    app = app_on_demo(demo, glyphs=shot.glyphs)

    async def drive(pilot: Pilot[Leave]) -> None:
        await settled(pilot)
        run = Run(pilot, demo)
        await at_search(run)
        search_of(run).field.input.cursor_blink = False
        await type_in(run, shot.query)
        await run.press(*shot.keys)

    assert snap_compare(app, terminal_size=shot.size, run_before=drive)
