"""The health tab of a session that others can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ink_tui.model.access import Access, Readers
from ink_tui.tui.render.head_lines import Tab
from tests.pilot.app import SIZES, app_on_demo, demo_in, rows_fit, running, screen_text
from tests.pilot.run import CLEAN, DAMAGED, Run

if TYPE_CHECKING:
    from pathlib import Path

WORDS = "Readable by every user of this machine"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("title", [CLEAN, DAMAGED])
async def test_health_remarks_on_it(
    size: tuple[int, int], title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folders of a test are private, so the modes are given; all else is the program's."""
    monkeypatch.setattr(
        "ink_tui.tui.render.session_views.look_at_access",
        lambda _path: Access(Readers.EVERYONE, 0o644),
    )
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), size) as pilot:
            run = Run(pilot, demo)
            await run.select(title)
            await run.press("4")
            session = run.browser.session
            assert session.active is Tab.HEALTH
            text = screen_text(pilot)
            assert WORDS in text
            assert "mode 0644" in text
            assert "chmod o=" in text
            assert ("Nothing to settle" in text) == (title == CLEAN)
            assert session.head.facts.to_settle == (0 if title == CLEAN else 3)
            rows_fit(pilot)


async def test_health_of_a_private_session_says_nothing_of_it(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), SIZES[0]) as pilot:
            run = Run(pilot, demo)
            await run.select(CLEAN)
            await run.press("4")
            assert "Nothing to settle" in screen_text(pilot)
            assert "eadable by" not in screen_text(pilot)
