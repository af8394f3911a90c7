"""The comparison as a picture: wide text and texts of ill will, both pages, each size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.screens.compare import CompareScreen
from ink_tui.tui.screens.question import QuestionScreen
from tests.pilot.app import LARGE, MIDDLE, SMALL, app_on, settled, shown
from tests.sessions import answer, entry, results, session, user

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.pilot import Pilot

    from ink_tui.tui.services import Leave

pytestmark = pytest.mark.snapshot

WIDE = (200, 60)
_OUTPUT = "ok\nExit code: 2"
_ILL_TITLE = "\x1b]0;owned\x07[bold red]use a state machine[/] \u202etxt.exe"
_WHOLE = "/home/u/demo/src/解析器.ts"
_LONG = "src/" + "很长的目录/" * 12 + "状态机.ts"
_ILL = "rm -rf \x1b[31m[red]/tmp/x[/] \u202eexe.gnp"


def two_ways() -> bytes:
    """Return a session whose branches part after two turns."""
    return session(
        user("a1", None, "给解析器加上 CRLF 支持 🚀 with tests", second=1),
        answer("a2", "a1", calls=(("c1", "read", {"path": "src/解析器.ts"}),), second=3),
        results("a3", "a2", ("c1", "read", "export function parse() {}"), second=4),
        answer("a4", "a3", "两种写法都可以。 Which one?", second=9),
        user("b1", "a4", "按行拆分，保留 \\r\\n", second=60),
        answer(
            "b2",
            "b1",
            "I split by lines.",
            calls=(
                ("c2", "edit", {"path": "src/解析器.ts", "oldText": "a", "newText": "b\nc"}),
                ("c3", "bash", {"command": "npm test -- --reporter 点"}),
                ("c4", "read", {"path": "/home/u/demo/README.md"}),
            ),
            second=70,
        ),
        results(
            "b3", "b2", ("c2", "edit", "ok"), ("c3", "bash", _OUTPUT), ("c4", "read", "x"),
            second=88,
        ),
        answer("b4", "b3", "一个测试失败了。", second=95),
        user("b5", "b4", "fix it", second=120),
        answer("b6", "b5", "Fixed.", second=130),
        user("d1", "a4", _ILL_TITLE, second=200),
        answer(
            "d2",
            "d1",
            calls=(
                ("c5", "edit", {"path": _WHOLE, "oldText": "a", "newText": "z"}),
                ("c6", "bash", {"command": _ILL}),
                ("c7", "write", {"path": _LONG, "content": "q"}),
            ),
            second=210,
        ),
        results("d3", "d2", ("c5", "edit", "ok"), ("c6", "bash", "gone"), ("c7", "write", "ok"),
                second=215),
        entry("compaction", "d4", "d3", 220, summary="S", retainedTail=[], tokensBefore=21_400),
        answer("d5", "d4", "The machine has four states.", second=230),
        answer("e1", "a1", "a third way", second=240),
        user("b9", "b6", "and now?", second=300),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture."""

    keys: tuple[str, ...] = ()
    size: tuple[int, int] = LARGE
    glyphs: Glyphs = UNICODE


SHOTS = {
    "compare-120x36": Shot(),
    "compare-200x60": Shot(("right", "down"), WIDE),
    "compare-80x24": Shot(size=MIDDLE),
    "compare-60x20": Shot(size=SMALL),
    "compare-other-60x20": Shot(("tab", "down"), SMALL),
    "compare-common-120x36": Shot(("home", "enter")),
    "compare-done-120x36": Shot(("2",)),
    "compare-done-200x60": Shot(("2",), WIDE),
    "compare-done-80x24": Shot(("tab", "2"), MIDDLE),
    "compare-done-60x20": Shot(("2", "end"), SMALL),
    "compare-ascii-120x36": Shot(("right",), glyphs=ASCII),
    "compare-done-ascii-120x36": Shot(("2",), glyphs=ASCII),
}
QUESTIONS = {"compare-with-80x24": MIDDLE, "compare-with-60x20": SMALL}


def _store(folder: Path) -> Path:
    file = folder / ".ink" / "sessions" / "demo" / "s.jsonl"
    file.parent.mkdir(parents=True)
    file.write_bytes(two_ways())
    return file.parents[1]


@pytest.mark.parametrize("name", SHOTS)
def test_the_comparison_looks_as_it_did(
    name: str, tmp_path: Path, snap_compare: Callable[..., bool]
) -> None:
    shot = SHOTS[name]
    app = app_on(_store(tmp_path), home=tmp_path, glyphs=shot.glyphs)

    async def drive(pilot: Pilot[Leave]) -> None:
        await settled(pilot)
        await pilot.press("equals_sign")
        await shown(pilot, QuestionScreen)
        await pilot.press("down", "enter")
        await shown(pilot, CompareScreen)
        await settled(pilot)
        await pilot.press(*shot.keys)
        await settled(pilot)

    assert snap_compare(app, terminal_size=shot.size, run_before=drive)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_question_looks_as_it_did(
    name: str, tmp_path: Path, snap_compare: Callable[..., bool]
) -> None:
    app = app_on(_store(tmp_path), home=tmp_path)

    async def drive(pilot: Pilot[Leave]) -> None:
        await settled(pilot)
        await pilot.press("equals_sign")
        await shown(pilot, QuestionScreen)
        await settled(pilot)

    assert snap_compare(app, terminal_size=QUESTIONS[name], run_before=drive)
