"""A file that cannot be read: the reason is shown, and nothing of the session shown before it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from ink_tui.tui.render.head_lines import Tab
from tests.pilot.app import LARGE, app_on, browser_of, running, screen_text, settled
from tests.sessions import answer, session, user

if TYPE_CHECKING:
    from pathlib import Path

WIDE = (240, 40)
"""So wide that the transcript stands beside the tree."""


def _store(folder: Path) -> tuple[Path, Path]:
    """Return a store with a session that can be read, and a pipe of the same folder."""
    place = folder / "store" / "--srv-work--"
    place.mkdir(parents=True)
    good, pipe = place / "good.jsonl", place / "pipe.jsonl"
    records = user("a1", None, "request of the first"), answer("a2", "a1", "answer of the first")
    good.write_bytes(session(*records) + b'{"type":"mess')
    os.utime(good, (1, 1))
    os.mkfifo(pipe)
    return good, pipe


@pytest.mark.parametrize("size", [LARGE, WIDE])
async def test_nothing_of_another_session_stays(tmp_path: Path, size: tuple[int, int]) -> None:
    good, pipe = _store(tmp_path)
    async with running(app_on(tmp_path / "store"), size) as pilot:
        browser = browser_of(pilot)
        texts = {}
        for tab in Tab:
            for path in (good, pipe, good):
                browser.open_session(str(path))
                await settled(pilot)
                browser.session.active = tab
                await settled(pilot)
                texts[path, tab] = _beside_the_list(screen_text(pilot))
            assert texts[good, tab] != texts[pipe, tab]
    for tab in (Tab.TREE, Tab.TRANSCRIPT, Tab.CONTEXT):
        assert "of the first" in texts[good, tab], tab
    assert "complete record" in texts[good, Tab.HEALTH]
    for tab in Tab:
        shown = texts[pipe, tab]
        assert "a pipe, not a file" in " ".join(shown.split()), tab
        assert "of the first" not in shown, (tab, shown)
        assert "complete record" not in shown, (tab, shown)


def _beside_the_list(text: str) -> str:
    """Return what stands right of the list, without the detail of the list's own row."""
    right = [line.partition("│")[2] for line in text.splitlines()]
    rule = next((at for at, line in enumerate(right) if at > 4 and line.startswith("───")), None)
    return "\n".join(right[:rule])
