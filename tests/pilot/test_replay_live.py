"""A replay in the mounted program, of a session that somebody else writes meanwhile."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tests.pilot.live import HandClock, append_elsewhere, live_app, put
from tests.pilot.test_live import turns
from tests.sessions import entry, user

if TYPE_CHECKING:
    from pathlib import Path


async def test_a_replay_at_the_end_follows_what_is_appended(tmp_path: Path) -> None:
    moved_clock = HandClock(time.time_ns() // 1_000_000)
    root = tmp_path / "sessions"
    path = put(root / "home-u-demo" / "a.jsonl", turns(40), moved_clock)
    async with live_app(root, moved_clock, wanted=path) as live:
        pane = live.browser.session.transcript
        await live.until(lambda: live.browser.session.views, "the whole session")
        await live.pilot.press("space", "dollar_sign", "v")
        assert pane.playback is not None
        assert (pane.playback.position, pane.playback.following) == (40, True)
        for number in (40, 41, 42):
            append_elsewhere(path, turns(1, first=number))
            await live.shows(f"{number + 1}/{number + 1}", pane.bar)
            await live.shows(f"turn {number}", pane.view)
        kept = [{"role": "user", "content": "kept words"}]
        more = entry("compaction", "k", "n42", 50, summary="all that was", retainedTail=kept)
        append_elsewhere(path, more)
        await live.shows("43 earlier records summarised away", pane.view)
        await live.shows("kept words", pane.view)
        await live.pilot.press("left")
        append_elsewhere(path, user("n44", "k", "not to be seen", 51))
        await live.shows("43/45", pane.bar)
        assert "not to be seen" not in live.text(pane.view)
        assert not pane.playback.following
        await live.pilot.press("dollar_sign")
        await live.shows("not to be seen", pane.view)
