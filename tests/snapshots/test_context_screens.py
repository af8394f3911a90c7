"""Contexts from other records, messages and compactions as pictures, in wide and hostile words."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.widgets.transcript_canvas import TranscriptCanvas
from tests.pilot.app import LARGE, MIDDLE, NOW_MS, SMALL, app_on, settled
from tests.sessions import answer, entry, results, session, user

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.pilot import Pilot

    from ink_tui.tui.services import Leave

pytestmark = pytest.mark.snapshot

WIDE = (200, 60)
HOSTILE = "\x1b[31m[red]危险[/red]\x1b]0;own\x07 \u202egnp.exe\u2066 [link=x]"
PLAIN = "the parser keeps line endings"
SUMMARY = f"""# Goal

Keep **CRLF** in the parser; 用户要求保留换行符. {HOSTILE}

## Done

- `split_lines` keeps the separator
- the tests of 解析器 pass

```python
def split_lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
```

| file | state |
|---|---|
| src/parser.py | 已完成 |
"""


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture."""

    keys: tuple[str, ...]
    size: tuple[int, int] = LARGE
    glyphs: Glyphs = UNICODE
    plain: bool = False
    """Whether all that was said is ASCII."""


def _said(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def compacted(*, plain: bool) -> bytes:
    """Return a session with a long first part, two compactions and an open call."""
    words = PLAIN if plain else HOSTILE
    wide = PLAIN if plain else "给解析器加上 CRLF 支持"
    lines = [user("u0", None, f"{wide}: {words}", 1)]
    parent = "u0"
    for turn in range(14):
        ask, out, end = (f"{part}{turn}" for part in "are")
        command = ((f"c{turn}", "bash", {"command": f"pytest -k crlf_{turn} && echo {words}"}),)
        lines += [
            answer(ask, parent, "" if turn % 2 else f"{wide} {turn}", command, 10 + 60 * turn),
            results(out, ask, (f"c{turn}", "bash", f"{words}\n" * 30), second=20 + 60 * turn),
            answer(end, out, f"Step {turn} is **done**. {words}", second=30 + 60 * turn),
        ]
        parent = end
    kept = [_said(f"{wide} too")]
    summary = PLAIN if plain else SUMMARY
    lines += [
        user("u1", parent, kept[0]["content"], 900),
        entry("compaction", "k1", "u1", 901, summary="first: " + PLAIN, retainedTail=kept),
        answer("b1", "k1", f"{words} once more", second=902),
        user("u2", "b1", f"{wide} in the end", 903),
        entry(
            *("compaction", "k2", "u2", 904),
            summary=summary,
            retainedTail=[_said(f"{wide} in the end")],
            tokensBefore=118_000,
        ),
        answer("b2", "k2", wide, (("o1", "bash", {"command": f"rm -r build {words}"}),), 905),
    ]
    return session(*lines)


_TREE_TOP = ("enter", "1", "home")
SHOTS = {
    f"{name}-{size[0]}x{size[1]}": Shot(keys, size)
    for name, keys in {
        "lens": ("enter", "3", *["left_curly_bracket"] * 5),
        "message": ("enter", "3", "home", "enter"),
        "message-of-results": ("enter", "3", "b", "C", "down", "down", "enter"),
        "sides": ("enter", "3", "b"),
        "sides-first": ("enter", "3", "b", "C", "end"),
    }.items()
    for size in (LARGE, MIDDLE, SMALL, WIDE)
    if name in ("lens", "message", "sides") or size == LARGE
} | {
    "sides-after-60x20": Shot(("enter", "3", "b", "tab"), SMALL),
    "lens-ascii-120x36": Shot(
        ("enter", "3", *["left_curly_bracket"] * 5), glyphs=ASCII, plain=True
    ),
    "message-ascii-80x24": Shot(
        ("enter", "3", "home", "down", "down", "enter"), MIDDLE, ASCII, plain=True
    ),
    "sides-ascii-120x36": Shot(("enter", "3", "b"), glyphs=ASCII, plain=True),
    "lens-first-record-80x24": Shot((*_TREE_TOP, "V"), MIDDLE),
}


@pytest.mark.parametrize("name", SHOTS)
def test_a_context_looks_as_it_did(
    name: str, tmp_path: Path, snap_compare: Callable[..., bool]
) -> None:
    shot = SHOTS[name]
    path = tmp_path / ".ink" / "sessions" / "home-u-demo" / "session.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(compacted(plain=shot.plain))
    os.utime(path, (NOW_MS / 1000 - 3600, NOW_MS / 1000 - 3600))
    app = app_on(path.parents[1], home=tmp_path, glyphs=shot.glyphs)
    app.services.library.scan(quick=False)

    async def drive(pilot: Pilot[Leave]) -> None:
        await settled(pilot)
        for key in shot.keys:
            await pilot.press(key)
            await settled(pilot)
        # Heights above and below the screen are estimates until then; the scroll bar shows them.
        for view in pilot.app.screen.query(TranscriptCanvas):
            top = view._places.at_line(view.scroll_offset.y)
            for index in range(len(view.blocks)):
                view._lay_out(index)
            view._settle(top)
            view.refresh()
        await settled(pilot)

    assert snap_compare(app, terminal_size=shot.size, run_before=drive)
