"""The replay as pictures: in its own rhythm and as the model saw it, at every size."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from tests.pilot.app import LARGE, MIDDLE, NOW_MS, SMALL, app_on, browser_of, settled
from tests.snapshots.test_screens import WIDE, measure_texts
from tests.transcript_samples import Script, call, result, thinking

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.pilot import Pilot

    from ink_tui.tui.services import Leave

pytestmark = pytest.mark.snapshot

HOSTILE = "\x1b[2J\x1b]0;owned\x07 [red]not markup[/red] \u202eetamitlu \u2066\u200b"


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture."""

    keys: tuple[str, ...] = ()
    size: tuple[int, int] = LARGE
    seen: bool = False
    glyphs: Glyphs = UNICODE
    hover: int | None = None
    """Cell of the bar's row that the pointer is on."""


AT_COMPACTION = ("c",)
AFTER = ("c", "right", "right", "right")
SHOTS = {
    **{
        f"replay-{name}": Shot(AFTER, size)
        for name, size in (
            ("60x20", SMALL), ("80x24", MIDDLE), ("120x36", LARGE), ("200x60", WIDE),
        )
    },
    **{
        f"replay-seen-{name}": Shot(AT_COMPACTION, size, seen=True)
        for name, size in (
            ("60x20", SMALL), ("80x24", MIDDLE), ("120x36", LARGE), ("200x60", WIDE),
        )
    },
    "replay-seen-before-80x24": Shot(("c", "left"), MIDDLE, seen=True),
    "replay-seen-after-120x36": Shot(AFTER, seen=True),
    "replay-ascii-80x24": Shot(AFTER, MIDDLE, glyphs=ASCII),
    "replay-seen-ascii-80x24": Shot(AT_COMPACTION, MIDDLE, seen=True, glyphs=ASCII),
    "replay-hover-80x24": Shot(AFTER, MIDDLE, hover=40),
    "replay-low-60x18": Shot(AFTER, (60, 18)),
}  # fmt: skip


def session() -> bytes:
    """Return a session in Chinese and in hostile words, compacted once, with a call open."""
    figures = {"inputTokens": 118_000, "outputTokens": 800}
    script = Script().user(f"请检查这个解析器 {HOSTILE}")
    for number in range(6):
        name = f"c{number}"
        script.answer(call(name, "bash", command=f"npm test -- 第{number}次"), seconds=3)
        bad = number == 3
        text = f"测试失败 {HOSTILE}\nExit code: 1\n" if bad else f"通过 {number}\n"
        script.results(result(name, "bash", text), seconds=2_280 if bad else 1.5)
        script.answer(f"第 {number} 步完成。{HOSTILE}", seconds=2)
        script.user(f"继续 {number}", seconds=90)
    script.answer("All of it is done.", seconds=4, usage=figures)
    kept: list[dict[str, Any]] = [
        {"role": "user", "content": f"保留的问题 {HOSTILE}"},
        {"role": "assistant", "blocks": [{"type": "text", "text": "保留的回答"}]},
    ]
    script.compaction(f"# 摘要\n\nWhat was done: *six* runs, one failed. {HOSTILE}", kept)
    script.user(f"现在写文档 {HOSTILE}")
    script.answer(thinking("先想一想 …"), "好的，先读文件。", seconds=5)
    return script.answer(call("d", "read", path="文档/说明.md"), seconds=3).data()


@pytest.mark.parametrize("name", SHOTS)
def test_a_replay_looks_as_it_did(
    name: str, tmp_path: Path, snap_compare: Callable[..., bool]
) -> None:
    shot = SHOTS[name]
    root = tmp_path / ".ink" / "sessions"
    path = root / "srv-work-demo" / "2026-03-02T08-00-00-000Z-7d0f2c1e.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(session())
    os.utime(path, (NOW_MS / 1000 - 3_600,) * 2)
    app = app_on(root, home=tmp_path, glyphs=shot.glyphs)
    app.services.library.scan(quick=False)

    async def drive(pilot: Pilot[Leave]) -> None:
        await settled(pilot)
        pane = browser_of(pilot).session.transcript
        if not browser_of(pilot).session.has_focus_within:
            await pilot.press("enter")
        await pilot.press("space", "space", "0")
        if shot.seen:
            await pilot.press("v")
            await settled(pilot)
        await pilot.press(*shot.keys)
        measure_texts(pilot)
        await settled(pilot)
        if shot.hover is not None:
            await pilot.hover(pane.bar, offset=(shot.hover, 2))
            await settled(pilot)

    assert snap_compare(app, terminal_size=shot.size, run_before=drive)
