"""A folder of which nothing is told, in the mounted program: polled, with the reason."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tests.pilot.live import HandClock, live_app, put
from tests.sessions import HEADER, line, simple, user

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

NEW = line(HEADER | {"id": "9", "cwd": "/home/u/other"}) + user("n1", None, "from elsewhere")
REASON = "the folder is on nfs4, which does not tell what others change"


async def test_a_folder_that_becomes_one_on_a_network_is_polled_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = HandClock(time.time_ns() // 1_000_000)
    root = tmp_path / "sessions"
    path = put(root / "home-u-demo" / "a.jsonl", simple(), clock)
    async with live_app(root, clock, wanted=path) as live:
        assert "watching" in live.text(live.browser.header)
        with monkeypatch.context() as patch:
            table = "1 0 0:1 / / rw - nfs4 server:/ rw\n"
            patch.setattr("ink_tui.store.mounts._read_table", lambda: table)
            (root / "home-u-other").mkdir()
            await live.shows("polling every 2 s", live.browser.header)
            assert str(live.browser.header.tooltip) == REASON
            await live.pilot.press("?")
            for _page in range(4):
                await live.pilot.press("pagedown")
            await live.shows("Watching")
            await live.shows(REASON)
            await live.pilot.press("escape")
            put(root / "home-u-other" / "b.jsonl", NEW, clock)
            await live.shows("from elsewhere", live.rows)
            await live.equals_a_fresh_load()
        # The folder is another one now, as one is that is unmounted.
        root.chmod(0o700)
        await live.shows("watching", live.browser.header)
        assert live.browser.header.tooltip is None
