"""Where notes appear: beside what one must see, never over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.pilot.app import SIZES, app_on_demo, demo_in, fake_agent, screen_lines, settled, until
from tests.pilot.run import Run

if TYPE_CHECKING:
    from pathlib import Path

NOTE = "Copied 12 lines of the screen, and some more words to fill the line"


@pytest.mark.parametrize("size", SIZES)
async def test_a_note_leaves_in_sight_where_typing_goes(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with demo_in(tmp_path) as demo:
        app = app_on_demo(demo, agents=[fake_agent(demo.home)])
        async with app.run_test(size=size, notifications=True) as pilot:
            await settled(pilot)
            run = Run(pilot, demo)
            await run.at_agent()
            before = screen_lines(pilot)
            state = next(y for y, line in enumerate(before) if "typing goes to the agent" in line)
            run.browser.tell(NOTE)
            await until(pilot, lambda: "Copied 12 lines" in run.text, "the note")
            after = screen_lines(pilot)
            assert after[state:] == before[state:]
