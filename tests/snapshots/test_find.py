"""A find in a session as a picture: in tree, transcript and replay, with wide and hostile texts."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from ink_tui.tui.app import build_app
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from tests.find_files import Beside
from tests.pilot.app import LARGE, MIDDLE, NOW_MS, SMALL, app_on, settled
from tests.pilot.find_places import type_in
from tests.pilot.run import Run
from tests.sessions import answer, entry, results, session, user

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.pilot import Pilot

    from ink_tui.tui.services import Leave

pytestmark = pytest.mark.snapshot
WIDE = (200, 60)


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture."""

    typed: str = "解析"
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ("enter",)
    size: tuple[int, int] = LARGE
    glyphs: Glyphs = UNICODE


SHOTS = {
    "find-tree-60x20": Shot(size=SMALL),
    "find-tree-80x24": Shot(size=MIDDLE),
    "find-tree-120x36": Shot(),
    "find-tree-200x60": Shot(size=WIDE),
    "find-transcript-60x20": Shot(before=("2",), size=SMALL),
    "find-transcript-80x24": Shot(before=("2",), size=MIDDLE),
    "find-transcript-120x36": Shot(before=("2",)),
    "find-transcript-200x60": Shot(before=("2",), size=WIDE),
    "find-transcript-ascii-120x36": Shot(before=("2",), glyphs=ASCII),
    "find-hostile-120x36": Shot("[red]parser[/]", after=()),
    "find-tree-ascii-80x24": Shot(size=MIDDLE, glyphs=ASCII),
    "find-replay-120x36": Shot(after=("enter", "2", "home", "space", "space", "n", "n")),
    "find-mistake-60x20": Shot("re:(pars|解", after=(), size=SMALL),
    "find-nothing-80x24": Shot("zzz", after=(), size=MIDDLE),
}


def a_session() -> bytes:
    """Return turns with wide and hostile texts, a branch that was left and a summarised range."""
    hostile = "[red]parser[/] \x1b[31m解析\x1b[0m \u202eabc\u202c 解析器 [link=x]parser[/link]"
    output = "\n".join(f"行 {at}: 解析 {at} ok" for at in range(90))
    early = [user("e0", None, "给解析器加上 CRLF 支持")]
    early += [answer(f"e{at}", f"e{at - 1}", f"第 {at} 步：解析") for at in range(1, 12)]
    call = (("k1", "bash", {"command": "grep -rn 解析 src | head"}),)
    return session(
        *early,
        entry("compaction", "c", "e11", summary="关于解析", retainedTail=[], tokensBefore=9_000),
        user("u1", "c", "look at the 解析器 again", 60),
        answer("a1", "u1", hostile, call, 62),
        results("r1", "a1", ("k1", "bash", output), second=65),
        user("b1", "r1", "a branch about 解析", 70),
        answer("b2", "b1", "left", second=72),
        user("u2", "r1", "and the tests of 解析?", 80),
        answer("a2", "u2", f"| 名 | kind |\n|---|---|\n| 解析 | `解析` |\n\n{hostile}", second=85),
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / ".ink" / "sessions" / "home-u-demo" / "find.jsonl"
    found.parent.mkdir(parents=True)
    found.write_bytes(a_session())
    os.utime(found, (NOW_MS / 1000 - 3600, NOW_MS / 1000 - 3600))
    return found


@pytest.mark.parametrize("name", SHOTS)
def test_a_find_looks_as_it_did(name: str, path: Path, snap_compare: Callable[..., bool]) -> None:
    shot = SHOTS[name]
    root = path.parents[1]
    app = app_on(root, home=root.parents[1], wanted=str(path), glyphs=shot.glyphs)
    app = build_app(replace(app.services, load_search=Beside))

    async def drive(pilot: Pilot[Leave]) -> None:
        await settled(pilot)
        run = Run(pilot, None)  # type: ignore[arg-type]  # nothing here asks for a demo
        run.browser.session.focus_view()
        await run.press(*shot.before, "slash")
        run.browser.session.find.input.cursor_blink = False
        await type_in(run, shot.typed)
        await run.press(*shot.after)

    assert snap_compare(app, terminal_size=shot.size, run_before=drive)
