"""What an append costs in the mounted program: views go on from those that are shown."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.model.outline import build_outline
from ink_tui.model.transcript_build import build_transcript
from tests.pilot.live import HandClock, append_elsewhere, live_app, put
from tests.sessions import answer, entry, results, session, user

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.model.outline_rows import Outline
    from ink_tui.model.transcript import Transcript
    from ink_tui.model.verdict import Diagnosis

FEW, MANY = 30, 300
_VIEWS = "ink_tui.tui.render.session_views"


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Records of every session whose tree or transcript is made from its start."""
    found: list[int] = []

    def counted_outline(diagnosis: Diagnosis, **more: Any) -> Outline:
        found.append(len(diagnosis.session.records))
        return build_outline(diagnosis, **more)

    def counted_transcript(diagnosis: Diagnosis) -> Transcript:
        found.append(len(diagnosis.session.records))
        return build_transcript(diagnosis)

    monkeypatch.setattr(f"{_VIEWS}.build_outline", counted_outline)
    monkeypatch.setattr(f"{_VIEWS}.build_transcript", counted_transcript)
    return found


def turns(count: int) -> bytes:
    return session(
        *(user(f"n{n}", f"n{n - 1}" if n else None, f"turn {n}", n) for n in range(count))
    )


@pytest.mark.parametrize("count", [FEW, MANY])
async def test_an_append_is_shown_without_making_the_views_anew(
    tmp_path: Path, built: list[int], count: int
) -> None:
    clock = HandClock(time.time_ns() // 1_000_000)
    path = put(tmp_path / "sessions" / "home-u-demo" / "a.jsonl", turns(count), clock)
    async with live_app(tmp_path / "sessions", clock, wanted=path) as live:
        assert count in built
        tree = live.browser.session.tree_view
        clock.pass_by(path, 500)
        # The first append also makes the session one that is being written.
        append_elsewhere(path, answer("c", f"n{count - 1}", calls=(("k", "ls", {"path": "."}),)))
        await live.until(lambda: "c" in tree.outline.by_entry, "the call")
        built.clear()
        append_elsewhere(path, results("r", "c", ("k", "ls", "a.txt")))
        await live.until(lambda: "r" in tree.outline.by_entry, "its result")
        append_elsewhere(path, answer("d", "r", "one file"))
        await live.until(lambda: "d" in tree.outline.by_entry, "the answer")
        assert built == []
        await live.equals_a_fresh_load()


async def test_what_is_no_message_makes_the_views_anew(tmp_path: Path, built: list[int]) -> None:
    clock = HandClock(time.time_ns() // 1_000_000)
    path = put(tmp_path / "sessions" / "home-u-demo" / "a.jsonl", turns(FEW), clock)
    async with live_app(tmp_path / "sessions", clock, wanted=path) as live:
        built.clear()
        append_elsewhere(path, entry("session_info", "i", f"n{FEW - 1}", 99, name="A name"))
        await live.until(lambda: built, "the views made anew")
        await live.equals_a_fresh_load()
