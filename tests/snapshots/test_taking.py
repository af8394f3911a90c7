"""What is asked before a text is copied or a file is opened, and the third column, as pictures."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.entries import EntryId
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from tests.every_block import conversation, every_block
from tests.pilot.app import LARGE, MIDDLE, NOW_MS, SMALL, app_on, browser_of, settled, until
from tests.pilot.app import screen_text as text_of
from tests.snapshots.test_screens import measure_texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.pilot import Pilot

    from ink_tui.tui.services import Leave

pytestmark = pytest.mark.snapshot
WIDE = (200, 60)
SIZES = {"60x20": SMALL, "80x24": MIDDLE, "120x36": LARGE, "200x60": WIDE}
ASKS = {
    "copy": ("e6", None, "y", "Copy what?"),
    "open": ("e17", None, "e", "Open which file"),
    "no-file": ("e10", "d3", "e", "There is no file to open"),
}
SHOTS = [
    *((name, size, UNICODE) for name in ASKS for size in SIZES),
    ("copy", "120x36", ASCII),
    ("open", "80x24", ASCII),
]


def put(home: Path, data: bytes) -> Path:
    """Write a session under a home of a test; return its file."""
    path = home / ".ink" / "sessions" / "one" / "blocks.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    os.utime(path, (NOW_MS / 1000 - 3600, NOW_MS / 1000 - 3600))
    return path


@pytest.mark.parametrize(
    ("name", "size", "glyphs"),
    [pytest.param(*s, id=f"{s[0]}-{'ascii-' if s[2].ascii else ''}{s[1]}") for s in SHOTS],
)
def test_a_question_looks_as_it_did(
    name: str, size: str, glyphs: Glyphs, tmp_path: Path, snap_compare: Callable[..., bool]
) -> None:
    work = tmp_path / "work"
    (work / "src").mkdir(parents=True)
    (work / "src" / "lexer.ts").write_text("x\n")
    (work / "src" / "解析器.ts").write_text("x\n")
    editor = tmp_path / "vim"
    editor.write_text("#!/bin/sh\n")
    editor.chmod(0o700)
    (tmp_path / "outside.txt").write_text("x\n")
    script = conversation(str(work)).user("src/lexer.ts:14, `src/解析器.ts` and ~/outside.txt:3")
    path = put(tmp_path, script.data())
    app = app_on(path.parents[1], home=tmp_path, wanted=str(path), glyphs=glyphs)
    app.services = replace(app.services, own_env={"EDITOR": str(editor)})
    entry, call_id, key, words = ASKS[name]

    async def drive(pilot: Pilot[Leave]) -> None:
        await settled(pilot)
        await pilot.press("2")
        await settled(pilot)
        view = browser_of(pilot).session.transcript.view
        assert view.select_entry(EntryId(entry), call_id)
        if name == "copy":
            await pilot.press("right")
        await settled(pilot)
        measure_texts(pilot)
        await pilot.press(key)
        await until(pilot, lambda: words in text_of(pilot), words)

    assert snap_compare(app, terminal_size=SIZES[size], run_before=drive)


@pytest.mark.parametrize("keys", [("o",), ("o", "o"), ("o", "o", "o")], ids=["2", "3", "off"])
def test_the_third_column_looks_as_it_did(
    keys: tuple[str, ...], tmp_path: Path, snap_compare: Callable[..., bool]
) -> None:
    path = put(tmp_path, every_block())
    app = app_on(path.parents[1], home=tmp_path, wanted=str(path))

    async def drive(pilot: Pilot[Leave]) -> None:
        await settled(pilot)
        await pilot.press("1", *keys)
        await settled(pilot)

    assert snap_compare(app, terminal_size=WIDE, run_before=drive)
