"""Each screen as a picture, drawn from the demo with a clock that stands still.

Accept a new picture only after it was looked at: `pytest -m snapshot --snapshot-update`, then
`python -m tests.snapshots.look` makes PNG files of all in a folder.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from ink_tui.agent.agents import Agent
from ink_tui.model.marks import RecordMarks
from ink_tui.store.marks import change_marks
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.widgets.transcript_canvas import TranscriptCanvas
from tests.pilot.app import (
    LARGE,
    MIDDLE,
    SMALL,
    app_on,
    app_on_demo,
    demo_in,
    fake_agent,
    settled,
    until,
)
from tests.pilot.run import DAMAGED, Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.pilot import Pilot

    from ink_tui.store.demo import Demo
    from ink_tui.tui.services import Leave

pytestmark = pytest.mark.snapshot

WIDE = (200, 60)
_HOME_CELLS = 48
"""Length of the demo's folder: bytes and sizes in the pictures depend on it."""
ANYWHERE = Agent("ink", ("/usr/bin/env", "ink", "-r", "{id}"))
"""An agent that is offered on every machine, under the same path; it is not started."""
Drive: TypeAlias = Callable[[Run], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture."""

    drive: Drive
    size: tuple[int, int] = LARGE
    theme: str = "ink"
    glyphs: Glyphs = UNICODE
    no_colour: bool = False


async def _tree(run: Run) -> None:
    await run.press("enter", "up")


async def _list(run: Run) -> None:
    """Where the program starts."""


async def _transcript(run: Run) -> None:
    await run.press("2", "end")


async def _context(run: Run) -> None:
    await run.press("3")


async def _health(run: Run) -> None:
    await run.press("4")


async def _preflight(run: Run) -> None:
    await run.at_preflight()


async def _help(run: Run) -> None:
    await run.press("enter")
    await run.at_help()


async def _facts(run: Run) -> None:
    await run.press("F")
    await until(run.pilot, lambda: "user turns" in run.text, "the facts")


async def _facts_end(run: Run) -> None:
    await _facts(run)
    await run.press(*["pagedown"] * 6)


async def _palette(run: Run) -> None:
    await run.press("enter")
    await run.at_palette()


async def _replay(run: Run) -> None:
    await run.at_replay()


async def _by_urgency(run: Run) -> None:
    await run.press("exclamation_mark")


async def _by_time(run: Run) -> None:
    await run.press("s", "s")


async def _this_folder(run: Run) -> None:
    await run.press("S")


async def _marks(run: Run) -> None:
    """A pin, stars, notes, an archived session and a hidden branch; the tree has the focus."""
    for title, note in (("rename", "ask before the merge"), ("README", "again, 日本語で")):
        await run.select(title)
        row = run.browser.list.selected_row
        assert row is not None
        assert row.session_id is not None
        change_marks(run.demo.state_dir, row.session_id, partial(replace, note=note))
    await run.press("plus")
    await run.select("rename")
    await run.press("asterisk", "plus")
    await run.select("written by a newer")
    await run.press("backspace")
    await run.select(DAMAGED)
    await run.press("enter")
    stub = next(row for row in run.tree.seen if row.stub)
    assert run.tree.select(stub.key)
    await run.press("backspace", "down", "plus")
    row_id, entry = run.browser.session.session_id, run.browser.session.entry_id
    assert row_id is not None
    assert entry is not None
    noted = RecordMarks(starred=True, note="the branch with the rate limit")
    change_marks(run.demo.state_dir, row_id, lambda own: own.with_record(entry, noted))
    await run.press("ctrl+r")
    run.pilot.app.clear_notifications()
    await settled(run.pilot)


async def _marks_of_list(run: Run) -> None:
    """The same in the list, what is archived shown; the detail tells of a noted session."""
    await _marks(run)
    await run.press("escape", "full_stop")
    await run.select("rename")


async def _ended(run: Run) -> None:
    await run.at_exited()
    end = run.agent.end
    assert end is not None
    run.pilot.app.clear_notifications()
    await settled(run.pilot)
    # How long it took is the machine's, not ours.
    run.browser.area.set_end(run.agent, replace(end, sentence="exited 0 after 3m 12s"))
    await settled(run.pilot)
    # What is said of the end leaves the terminal fewer rows, and it takes them after a while.
    pane = run.agent.pane
    await until(run.pilot, lambda: pane.terminal_size == pane.size, "the size under what is said")
    await settled(run.pilot)


SHOTS = {
    "tree-120x36": Shot(_tree),
    "tree-80x24": Shot(_tree, MIDDLE),
    "tree-60x20": Shot(_tree, SMALL),
    "tree-200x60": Shot(_tree, WIDE),
    "list-80x24": Shot(_list, MIDDLE),
    "list-60x20": Shot(_list, SMALL),
    "by-urgency-120x36": Shot(_by_urgency),
    "by-time-120x36": Shot(_by_time),
    "this-folder-120x36": Shot(_this_folder),
    "this-folder-60x20": Shot(_this_folder, SMALL),
    "transcript-120x36": Shot(_transcript),
    "replay-80x24": Shot(_replay, MIDDLE),
    "context-120x36": Shot(_context),
    "health-120x36": Shot(_health),
    "preflight-120x36": Shot(_preflight),
    "preflight-80x24": Shot(_preflight, MIDDLE),
    "help-120x36": Shot(_help),
    "facts-120x36": Shot(_facts),
    "facts-200x60": Shot(_facts, WIDE),
    "facts-80x24": Shot(_facts, MIDDLE),
    "facts-60x20": Shot(_facts, SMALL),
    "facts-end-80x24": Shot(_facts_end, MIDDLE),
    "facts-ascii-120x36": Shot(_facts, glyphs=ASCII),
    "palette-120x36": Shot(_palette),
    "ended-120x36": Shot(_ended),
    "marks-120x36": Shot(_marks),
    "marks-list-80x24": Shot(_marks_of_list, MIDDLE),
    "marks-list-60x20": Shot(_marks_of_list, SMALL),
    "marks-ascii-120x36": Shot(_marks_of_list, glyphs=ASCII),
    "no-colour-120x36": Shot(_tree, no_colour=True),
    "ascii-120x36": Shot(_tree, glyphs=ASCII),
    "light-120x36": Shot(_tree, theme="ink-light"),
    "light-preflight-120x36": Shot(_preflight, theme="ink-light"),
    "gruvbox-120x36": Shot(_tree, theme="gruvbox"),
}


def _fixed_folder() -> Path:
    """Return a folder of this process alone, whose path is as long as any other's."""
    start = f"{tempfile.gettempdir()}/ink-tui-shot-{os.getpid():08d}"
    return Path(start.ljust(_HOME_CELLS, "-"))


@pytest.fixture
def demo() -> Iterator[Demo]:
    folder = _fixed_folder()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield demo_in(folder)
    finally:
        shutil.rmtree(folder)


def measure_texts(pilot: Pilot[Leave]) -> None:
    """Lay out all of every transcript, also what is above and below its screen.

    Heights are estimated until then, and which of them were measured before depends on whether the
    session was read before its pane had a size; the scroll bar shows it.
    """
    for screen in pilot.app.screen_stack:
        for view in screen.query(TranscriptCanvas):
            top = view._places.at_line(view.scroll_offset.y)
            for index in range(len(view.blocks)):
                view._lay_out(index)
            view._settle(top)
            view.refresh()


@pytest.mark.parametrize("name", SHOTS)
def test_a_screen_looks_as_it_did(
    name: str,
    demo: Demo,
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shot = SHOTS[name]
    if shot.no_colour:
        monkeypatch.setenv("NO_COLOR", "1")
    agents = [fake_agent(demo.home, "ink") if shot.drive is _ended else ANYWHERE]
    app = app_on_demo(demo, glyphs=shot.glyphs, theme=shot.theme, agents=agents)

    async def drive(pilot: Pilot[Leave]) -> None:
        await settled(pilot)
        await shot.drive(Run(pilot, demo))
        measure_texts(pilot)
        await settled(pilot)

    assert snap_compare(app, terminal_size=shot.size, run_before=drive)


def test_the_empty_state_looks_as_it_did(tmp_path: Path, snap_compare: Callable[..., bool]) -> None:
    app = app_on(tmp_path / ".ink" / "sessions", home=tmp_path)
    assert snap_compare(app, terminal_size=LARGE, run_before=settled)
