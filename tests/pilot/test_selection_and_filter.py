"""The filter takes any script; the selection stays on its file while rows come, go and move."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ink_tui.tui.render.layout import Place
from tests.pilot.app import (
    LARGE,
    MIDDLE,
    SIZES,
    app_on,
    app_on_demo,
    demo_in,
    rows_fit,
    running,
)
from tests.pilot.run import CLEAN, Run

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("size", SIZES, ids=[f"{c}x{r}" for c, r in SIZES])
async def test_chinese_in_the_filter_finds_the_chinese_session(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), size) as pilot:
            run = Run(pilot, demo)
            all_rows = len(run.rows.rows)
            await run.press("slash", *"支持")
            assert run.browser.list.field.input.value == "支持"
            titles = [item.title for item in run.browser.list.listing.items if item.row]
            assert titles == ["给解析器加上 CRLF 支持 🚀 with tests"]
            rows_fit(pilot)
            await run.press("q")  # letters type: nothing quits
            assert run.browser.list.field.input.value == "支持q"
            assert "Nothing matches “支持q”" in run.text
            rows_fit(pilot)
            await run.press("backspace", "enter")
            row = run.browser.list.selected_row
            assert row is not None
            assert row.title == titles[0]
            assert run.browser.session.path == row.path
            await run.press("escape")
            assert run.browser.list.asked.filter == ""
            assert len(run.rows.rows) == all_rows
            assert run.browser.list.selected_path == row.path
            assert run.place() is Place.LIST
            rows_fit(pilot)


def _newer_arrive(path: Path) -> None:
    for number in range(4):
        copy = path.with_name(path.name.replace("T0", "T1", 1).replace(".jsonl", f"{number}.jsonl"))
        copy.write_bytes(_of_today(path.read_bytes()))


def _it_moves_up(path: Path) -> None:
    path.write_bytes(_of_today(path.read_bytes()))


def _others_vanish(path: Path) -> None:
    for other in path.parent.glob("*.jsonl"):
        if other != path:
            other.unlink()


def _of_today(data: bytes) -> bytes:
    """Return a session of the morning as one of just before noon."""
    assert b"T08:" in data
    return data.replace(b"T08:", b"T11:")


@pytest.mark.parametrize("change", [_newer_arrive, _it_moves_up, _others_vanish])
async def test_the_selection_stays_on_its_file(
    change: Callable[[Path], None], tmp_path: Path
) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            await run.select(CLEAN)
            path = run.browser.list.selected_path
            assert path is not None
            before = run.index()
            change(Path(path))
            await run.press("ctrl+r")
            assert run.browser.list.selected_path == path
            assert run.browser.session.path == path
            assert run.index() != before
            rows_fit(pilot)


def _remove(path: str) -> None:
    Path(path).unlink()


async def test_a_row_that_vanishes_leaves_the_nearest_selected(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            await run.select(CLEAN)
            path = run.browser.list.selected_path
            assert path is not None
            before = run.index()
            _remove(path)
            await run.press("ctrl+r")
            assert run.browser.list.selected_path not in (None, path)
            assert abs(run.index() - before) <= 2
            rows_fit(pilot)


def _copy_the_empty_session(root: Path, folder: Path) -> None:
    folder.mkdir(parents=True)
    for path in root.rglob("*.jsonl"):
        if b'"role"' not in path.read_bytes() and b'"version":2' not in path.read_bytes():
            shutil.copy2(path, folder)  # an old file: one that is being written is shown


async def test_empty_sessions_can_be_shown_where_there_is_nothing_else(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        root = tmp_path / "root"
        _copy_the_empty_session(demo.root, root / "folder")
        async with running(app_on(root, home=tmp_path), MIDDLE) as pilot:
            run = Run(pilot, demo)
            assert "1 session without a message is hidden" in run.text
            await run.press("full_stop")
            assert len([item for item in run.browser.list.listing.items if item.row]) == 1
            assert "No sessions here yet" not in run.text
            rows_fit(pilot)
