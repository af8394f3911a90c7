"""Without colour and with ASCII alone, every state is still named: by its mark and by its word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from tests.pilot.app import LARGE, app_on, app_on_demo, demo_in, fake_agent, rows_fit, running
from tests.pilot.run import Run

if TYPE_CHECKING:
    from pathlib import Path

OF_THE_SESSIONS = set(
    "给解析器加上 CRLF 支持🚀检查分页与游标迁移到之前先核对索引日本語プロジェクトを書き直す"
    "也要处理空数组和的情况返回按传播，另外别忘了更新类型声明📝用重写不要循环"
    "�文测试旧值改成新的把回目标保持接口通过全部下一步跑完整套件并看"
)
"""Characters that stand in the sessions and folders of the demo, not in words of ours."""


def _says(text: str, *wanted: str) -> None:
    lines = [" ".join(line.split()) for line in text.splitlines()]
    for words in wanted:
        assert any(words in line for line in lines), f"{words!r} is not in\n{text}"


async def _screens(run: Run) -> dict[str, str]:
    """Return the text of each screen of the damaged session."""
    found = {"list": run.text}
    await run.press("enter")
    found["tree"] = run.text
    await run.press("2", "end")
    found["transcript"] = run.text
    await run.press("home", "space", "space")
    found["replay"] = run.text
    await run.press("escape", "3")
    found["context"] = run.text
    await run.press("4", "home")
    found["health"] = run.text
    await run.at_help()
    found["help"] = run.text
    await run.press("escape")
    await run.at_palette()
    found["palette"] = run.text
    await run.press("escape", "1")
    await run.at_preflight()
    found["preflight"] = run.text
    await run.press("escape", "escape", "exclamation_mark")
    found["urgency"] = run.text
    rows_fit(run.pilot)
    return found


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
async def test_each_state_has_a_mark_and_a_word(
    glyphs: Glyphs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with demo_in(tmp_path) as demo:
        app = app_on_demo(demo, glyphs=glyphs, agents=[fake_agent(demo.home)])
        async with running(app, LARGE) as pilot:
            seen = await _screens(Run(pilot, demo))
    failed, live, done, dot = glyphs.failed, glyphs.live, glyphs.done, glyphs.separator
    cut = glyphs.ellipsis
    _says(
        seen["list"],
        "! 4 need attention",
        f"{live} watching",
        "! fix the sum function",
        f"torn tail {dot} 2 calls without result",
        "? an unreadable line",
        f"line 9 unreadable {dot} byte",
        "! a gap in the middle",
        f"call without result, later messages e{cut}",
        f"{failed} written by a newer Ink, version 2",
        "folder missing",
        "forked from",
        f"compacted twice {dot} 3 branches",
        f"{glyphs.child} task: check every caller",
        "Health 3",
    )
    _says(
        seen["tree"],
        f"{glyphs.folded} 23 more summarised away, no longer in the context",
        "kept 11:23",
        f"{glyphs.compaction * 2} compacted 118k",
        "! bash npm test -- --runInBand ! no result saved; may have run",
        f"{glyphs.resume_point} resume point",
        "! torn tail 221 bytes, not a complete record",
        "? user and update the",
        "not connected 1 record whose parent was never written",
        "#before-refactor",
    )
    _says(
        seen["transcript"], "turn 9 of 9", "! bash", "no result saved; may have run", f"{done} 40 s"
    )
    _says(seen["replay"], f"{glyphs.paused} 11:0", "C", "1/40")
    _says(seen["context"], "! no result", "compacted here", "measured", "kept copy")
    _says(
        seen["health"],
        "! Can be repaired",
        "! Torn tail: the last record is not complete",
        "! 2 calls without a saved result",
        "? 1 record not connected",
        f"{done} Nobody has written here",
    )
    _says(
        seen["preflight"],
        "! Can be repaired.",
        f"{done} safe to write",
        f"{glyphs.minus} 221 bytes",
        "+ 1 record",
        f"{glyphs.chosen} Repair and resume",
    )
    _says(seen["urgency"], "needs you", "today", "this week", "older")
    if glyphs.ascii:
        for name, text in seen.items():
            foreign = {char for char in text if not char.isascii()} - OF_THE_SESSIONS
            assert not foreign, f"{name} draws {''.join(sorted(foreign))}\n{text}"


async def test_the_empty_state_and_an_ended_agent_are_ascii_too(tmp_path: Path) -> None:
    nothing = app_on(tmp_path / ".ink" / "sessions", home=tmp_path, glyphs=ASCII)
    with demo_in(tmp_path) as demo:
        async with running(nothing, LARGE) as pilot:
            empty = Run(pilot, demo).text
            assert "No sessions here yet" in empty
            assert "no sessions yet" in empty
            assert "resume" not in empty
        app = app_on_demo(demo, glyphs=ASCII, agents=[fake_agent(demo.home)])
        async with running(app, LARGE) as pilot:
            run = Run(pilot, demo)
            await run.at_agent()
            alive = run.text
            await run.pilot.press("enter", "enter")
            await run.ended()
            _says(run.text, "+ exited 0", "1 fake - demo exited 0")
            for text in (empty, alive, run.text):
                assert text.isascii(), text
