"""The whole program on a store that others write to, with a clock that is moved by hand."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from ink_tui.agent.engine_choice import load_engine
from ink_tui.store.library import Library
from ink_tui.tui.app import build_app
from ink_tui.tui.render.session_views import SessionViews, load_views
from ink_tui.tui.screens.browser import BrowserScreen
from ink_tui.tui.services import Services

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from pathlib import Path

    from textual.pilot import Pilot
    from textual.widget import Widget

    from ink_tui.agent.agents import Agent
    from ink_tui.store.demo import Demo
    from ink_tui.tui.services import Leave

DEADLINE = 20.0
"""Seconds after which a test gives up; nothing waits that long when it works."""


class HandClock:
    """A clock in milliseconds that goes on only when it is told to."""

    def __init__(self, ms: int) -> None:
        self.ms = ms

    def __call__(self) -> int:
        return self.ms

    def pass_by(self, path: Path, ms: int) -> None:
        """Go to so many milliseconds after the last change of a file."""
        self.ms = path.stat().st_mtime_ns // 1_000_000 + ms


class Live:
    """A running program with the means to look at it."""

    def __init__(self, pilot: Pilot[Leave], clock: HandClock) -> None:
        self.pilot = pilot
        self.clock = clock
        browser = pilot.app.screen_stack[0]
        assert isinstance(browser, BrowserScreen)
        self.browser = browser
        self.library = browser.services.library

    async def until(self, true: Callable[[], object], what: str) -> None:
        """Wait until something holds; never longer than it takes, nor beyond the deadline."""
        end = time.monotonic() + DEADLINE
        while not true():
            assert time.monotonic() < end, f"did not come: {what}\n{self.screen}"
            await self.pilot.pause()
            await asyncio.sleep(0.005)
        await self.pilot.pause()

    async def shows(self, words: str, widget: Widget | None = None) -> None:
        """Wait until words are drawn, on a widget or anywhere."""
        await self.until(lambda: words in self.text(widget), words)

    async def watching(self) -> None:
        """Wait until changes are noticed and the first session is shown."""
        await self.until(
            lambda: self.browser.noticed is not None and self.browser.noticed.word == "watching",
            "the watch",
        )
        await self.until(lambda: self.browser.session.path, "the first session")

    def text(self, widget: Widget | None = None) -> str:
        """Return what a widget, or the whole screen, draws."""
        if widget is None:
            return self.screen
        return "\n".join(widget.render_line(y).text for y in range(widget.size.height))

    @property
    def screen(self) -> str:
        """The screen as text."""
        strips = self.pilot.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    @property
    def rows(self) -> Widget:
        """The rows of the list."""
        return self.browser.list.view

    @property
    def views(self) -> SessionViews:
        """What the session pane shows."""
        assert self.browser.session.views is not None
        return self.browser.session.views

    def fresh_library(self) -> Library:
        """Return a library that has read nothing yet."""
        return Library(self.library.roots, clock=self.clock)

    async def equals_a_fresh_load(self) -> None:
        """Wait until list and views are what a program would show that starts now."""
        fresh = self.fresh_library()
        listing = fresh.scan(quick=False)
        children = {
            row.session_id: row.records
            for row in listing.rows
            if row.child and row.session_id is not None and row.records is not None
        }
        path = self.browser.session.path
        assert path is not None
        loaded = load_views(fresh, path, child_records=children, rows=listing.rows)

        def equal() -> bool:
            known = self.browser.feed.listing
            return known is not None and known.rows == listing.rows and self.views == loaded

        await self.until(equal, "the state of a fresh load")
        pane = self.browser.session
        assert pane.tree_view.outline == loaded.outline
        assert pane.transcript.view.blocks == loaded.transcript.blocks
        shown = {item.row.path for item in self.browser.list.listing.items if item.row is not None}
        assert shown <= {row.path for row in listing.rows}


def append_elsewhere(path: Path, data: bytes) -> None:
    """Append to a file in another process."""
    subprocess.run(["/bin/sh", "-c", 'cat >> "$0"', str(path)], input=data, check=True)


def put(path: Path, data: bytes, clock: HandClock | None = None) -> Path:
    """Write a session file, an hour old by the clock where one is given."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    if clock is not None:
        old = clock.ms / 1000 - 3600
        os.utime(path, (old, old))
    return path


@asynccontextmanager
async def live_app(
    root: Path,
    clock: HandClock,
    *,
    size: tuple[int, int] = (120, 36),
    agents: Sequence[Agent] = (),
    watch: bool = True,
    wanted: Path | None = None,
    demo: Demo | None = None,
) -> AsyncIterator[Live]:
    """Run the program on a root of sessions, watched as in earnest."""
    home = demo.home if demo is not None else root.parent
    app = build_app(
        Services(
            library=Library([str(root)], clock=clock),
            clock=clock,
            state_dir=demo.state_dir if demo is not None else root.parent / "state",
            agents=tuple(agents),
            load_engine=load_engine,
            env={"HOME": str(home), "PATH": "/usr/bin:/bin", "TERM": "xterm-256color"},
            home=str(home),
            cwd=str(demo.cwd) if demo is not None else "",
            demo=demo,
            watch=watch,
            wanted=str(wanted) if wanted is not None else None,
        )
    )
    async with app.run_test(size=size) as pilot:
        live = Live(pilot, clock)
        await live.watching()
        yield live
