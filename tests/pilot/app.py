"""The whole program on a store in a temporary folder, without a terminal and without a watch.

The clock stands still. Nothing waits longer than the work that is under way: `settled` waits for
workers that end by themselves and for messages, never for time.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ink_tui.agent.agents import Agent
from ink_tui.agent.engine_choice import load_engine
from ink_tui.config import Config, UiConfig
from ink_tui.store.demo import create_demo
from ink_tui.store.library import Library
from ink_tui.tui.app import InkTuiApp, build_app
from ink_tui.tui.render.cells import width
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.screens.browser import BrowserScreen
from ink_tui.tui.services import Services
from ink_tui.tui.widgets.hair_line import HairLine
from ink_tui.tui.widgets.line_bar import LineBar
from ink_tui.tui.widgets.lines import Lines
from ink_tui.tui.widgets.replay_bar import ReplayBar
from ink_tui.tui.widgets.rows_view import RowsView
from ink_tui.tui.widgets.terminal_pane import TerminalPane
from ink_tui.tui.widgets.transcript_view import TranscriptView

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from pathlib import Path
    from typing import TypeAlias

    from textual.pilot import Pilot

    from ink_tui.store.demo import Demo
    from ink_tui.tui.services import Leave

    AppPilot: TypeAlias = Pilot[Leave]

NOON = datetime(2026, 3, 2, 12, 4, 0, tzinfo=UTC)
NOW_MS = int(NOON.timestamp() * 1000)
SIZES = [(120, 36), (80, 24), (60, 20)]
LARGE, MIDDLE, SMALL = SIZES
DRAWN = (HairLine, LineBar, Lines, ReplayBar, RowsView, TerminalPane, TranscriptView)
"""Widgets that draw line by line."""
READING = frozenset(
    {
        *("texts", "record", "sides"),
        *("open", "tick", "raw", "again", "copy", "undo", "feed", "compare", "marks", "view"),
        *("search", "preview", "prepare", "end", "find", "lens", "seen", "unfolding"),
    }
)
"""Groups of workers that end by themselves where nothing is watched."""
TURNS = 800
"""How often a test looks for something before it gives up."""


def fake_agent(home: Path, name: str = "fake") -> Agent:
    """Return an agent that is a small shell script under a fixed path: it ends after two lines."""
    program = home / ".local" / "bin" / name
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text("#!/bin/sh\necho continuing\nread a\necho got $a\nread b\n")
    program.chmod(0o700)
    return Agent(name, (str(program), "--resume", "{id}"))


def app_on(
    root: Path,
    *,
    home: Path | None = None,
    cwd: str = "",
    agents: Sequence[Agent] = (),
    glyphs: Glyphs = UNICODE,
    theme: str = "ink",
    demo: Demo | None = None,
    state_dir: Path | None = None,
    wanted: str | None = None,
) -> InkTuiApp:
    """Return the program on a root of sessions."""
    at_home = home or root.parent
    return build_app(
        Services(
            library=Library([str(root)], clock=lambda: NOW_MS),
            clock=lambda: NOW_MS,
            state_dir=state_dir or at_home / ".local" / "state",
            agents=tuple(agents),
            load_engine=load_engine,
            env={"HOME": str(at_home), "PATH": "/usr/bin:/bin", "TERM": "xterm-256color"},
            home=str(at_home),
            cwd=cwd,
            config=Config(ui=UiConfig(theme=theme)),
            glyphs=glyphs,
            demo=demo,
            wanted=wanted,
            watch=False,
        )
    )


def demo_in(folder: Path) -> Demo:
    """Make the demo store in a folder that a test owns."""
    return create_demo(NOW_MS, folder / "demo-home")


def app_on_demo(
    demo: Demo, *, glyphs: Glyphs = UNICODE, theme: str = "ink", agents: Sequence[Agent] = ()
) -> InkTuiApp:
    """Return the program on a demo store, whose sessions it knows whole.

    So each is shown once: how often it is shown decides where heights are measured or estimated,
    and with them the length of scroll bars in a picture.
    """
    app = app_on(
        demo.root,
        home=demo.home,
        cwd=str(demo.cwd),
        agents=agents,
        glyphs=glyphs,
        theme=theme,
        demo=demo,
        state_dir=demo.state_dir,
    )
    app.services.library.scan(quick=False)
    return app


@asynccontextmanager
async def running(app: InkTuiApp, size: tuple[int, int]) -> AsyncIterator[AppPilot]:
    """Run the program until its first session is shown."""
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        yield pilot


def browser_of(pilot: AppPilot) -> BrowserScreen:
    """Return the main screen."""
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, BrowserScreen)
    return screen


async def settled(pilot: AppPilot) -> None:
    """Wait until all messages are handled and every worker that ends by itself has ended.

    A worker that asks a person ends with its dialog; it is not waited for.
    """
    quiet = 0
    for _ in range(TURNS):
        await pilot.pause()
        busy = [
            worker
            for worker in pilot.app.workers
            if worker.group in READING and not worker.is_finished
        ]
        if busy:
            await asyncio.wait_for(pilot.app.workers.wait_for_complete(busy), 20)
            quiet = 0
        elif quiet:
            return
        else:
            quiet += 1
    raise AssertionError("the program does not come to rest")


async def shown(pilot: AppPilot, screen: type) -> None:
    """Wait until a screen is on top."""
    for _ in range(TURNS):
        await pilot.pause()
        if isinstance(pilot.app.screen, screen):
            await pilot.pause()
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{screen.__name__} did not come; {pilot.app.screen} is on top")


async def until(pilot: AppPilot, true: Callable[[], object], what: str) -> None:
    """Wait until a thing holds that another process or thread brings about."""
    for _ in range(TURNS):
        await pilot.pause()
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"did not come: {what}\n{screen_text(pilot)}")


# What a person sees


def screen_lines(pilot: AppPilot) -> list[str]:
    """Return the lines of the screen as they are drawn, dialogs on top included."""
    strips = pilot.app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip) for strip in strips]


def screen_text(pilot: AppPilot) -> str:
    """Return the screen as text."""
    return "\n".join(screen_lines(pilot))


def rows_fit(pilot: AppPilot) -> None:
    """Check that every line of the screen, and of everything on it, is as wide as its room."""
    columns, rows = pilot.app.size
    for screen in pilot.app.screen_stack:
        strips = screen._compositor.render_strips()
        assert len(strips) == rows
        for y, strip in enumerate(strips):
            text = "".join(segment.text for segment in strip)
            assert width(text) == columns, f"line {y} of {screen} is {width(text)} wide: {text!r}"
        for widget in screen.walk_children():
            if isinstance(widget, DRAWN) and widget.is_on_screen and widget.size.height:
                assert screen.region.contains_region(widget.region), widget
                room = widget.scrollable_content_region.width
                drawn = {widget.render_line(y).cell_length for y in range(widget.size.height)}
                assert drawn == {room}, widget


def place_of(pilot: AppPilot, text: str, *, last: bool = False) -> tuple[int, int]:
    """Return the cell where a text starts on the screen."""
    lines = screen_lines(pilot)
    rows = [y for y, line in enumerate(lines) if text in line]
    assert rows, f"{text!r} is not on the screen:\n" + "\n".join(lines)
    y = rows[-1 if last else 0]
    at = lines[y].rfind(text) if last else lines[y].find(text)
    return width(lines[y][:at]), y


async def click_on(
    pilot: AppPilot, text: str, *, last: bool = False, right: int = 0, times: int = 1
) -> None:
    """Click on the first place, or the last, where a text is drawn."""
    x, y = place_of(pilot, text, last=last)
    for _ in range(times):
        await pilot.click(offset=(x + right, y))
    await settled(pilot)
