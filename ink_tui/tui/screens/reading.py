"""The reading half of the main screen: what the feed brings, and the session that is shown."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual import on, work

from ink_tui.errors import InkTuiError
from ink_tui.model.text import one_line
from ink_tui.store.watch import WatchState
from ink_tui.tui.render.empty_rows import EmptyFacts, EmptyKind
from ink_tui.tui.render.layout import Place
from ink_tui.tui.render.list_rows import short_path
from ink_tui.tui.render.session_views import SessionViews, load_views
from ink_tui.tui.screens.agents_flow import Agents
from ink_tui.tui.screens.feed import Feed
from ink_tui.tui.screens.panes import PanesScreen
from ink_tui.tui.widgets.session_list import SessionList
from ink_tui.tui.widgets.transcript_view import TranscriptView

if TYPE_CHECKING:
    from ink_tui.store.library import Listing
    from ink_tui.tui.services import Services

RAW_BYTES = 16_384
"""Most bytes of a record that are read for its raw view."""

OPEN_DELAY = 0.06
"""Seconds that a selection must rest before its session is read."""


class ReadingScreen(PanesScreen):
    """Keeps list and session as the files stand."""

    def __init__(self, services: Services) -> None:
        """Make the screen.

        Args:
            services: The outside world.
        """
        super().__init__(services)
        self.feed = Feed(
            services.library,
            show=self._show_listing,
            changed=self.files_changed,
            state=self.show_watch,
        )
        self.agents = Agents(services, self.area)
        self._wanted = services.wanted

    def on_mount(self) -> None:
        """Start to read and to watch."""
        super().on_mount()
        self.set_interval(1.0, self._tick)
        self._read_and_watch()

    @work(group="feed", exclusive=True)
    async def _read_and_watch(self) -> None:
        await self.feed.read()
        if self.services.watch:
            await self.feed.watch()
        else:
            self.show_watch(WatchState("watching"))

    def on_unmount(self) -> None:
        """End the watch."""
        self.feed.stop()

    # What the feed brings

    def _show_listing(self, listing: Listing) -> None:
        if not self.is_attached:
            return
        first = not self.list.selected_path
        self.read_once = True
        self.list.set_rows(listing.rows, self.agents.activities())
        if self._wanted is not None and self.list.select(self._wanted):
            self._wanted = None
            self.go(Place.SESSION)
        elif first and listing.rows:
            self._select_first()
        root = short_path(listing.roots[0], self.services.home) if listing.roots else ""
        hidden = self.list.listing.hidden
        self.nothing.show(EmptyFacts(EmptyKind.NO_SESSIONS, root=root, hidden=hidden))
        self.draw_header()
        self.lay_out()

    def _select_first(self) -> None:
        """Select the newest session of the current folder, else the newest of all."""
        items = [item for item in self.list.listing.items if item.row is not None]
        if items and items[0].row is not None:
            self.list.select(items[0].row.path)

    def files_changed(self, files: frozenset[str]) -> None:
        """Take in that session files were written, created or removed."""
        if self.is_attached and self.session.path in files:
            self.open_session(self.session.path)

    @work(group="tick", exclusive=True)
    async def _tick(self) -> None:
        self.draw_header()
        if self.area.running:
            self._show_activities()
            self.session.tick()
            self.area.redraw()
        await self.feed.settle()

    def _show_activities(self) -> None:
        found = self.agents.activities()
        self.list.set_activities(found)
        for path, activity in found.items():
            self.area.set_busy(path, busy=bool(activity.doing))

    # Sessions

    @on(SessionList.SessionSelected)
    def _session_selected(self, message: SessionList.SessionSelected) -> None:
        if message.path is not None and message.path != self.session.path:
            self.open_session(message.path, OPEN_DELAY)

    @on(SessionList.SessionOpened)
    def _session_opened(self, message: SessionList.SessionOpened) -> None:
        if message.path != self.session.path:
            self.open_session(message.path)
        self.go(Place.SESSION)

    @work(group="open", exclusive=True)
    async def open_session(self, path: str, delay: float = 0.0) -> None:
        """Read a session in a worker and show it.

        Args:
            path: Its file.
            delay: Seconds that pass first, in which another one may be asked for instead.
        """
        if delay:
            await asyncio.sleep(delay)
        run = self.area.run_of(path)
        running = run is not None and run.running
        records = {
            row.session_id: row.records
            for row in (self.feed.listing.rows if self.feed.listing is not None else ())
            if row.child and row.session_id is not None and row.records is not None
        }
        try:
            views = await asyncio.to_thread(
                load_views, self.services.library, path, child_records=records, running=running
            )
        except InkTuiError as error:
            self.session.clear(one_line(str(error)))
            return
        self.session.show(views, self._note(views))
        self.lay_out()
        if self.area.running:
            self._show_activities()

    @on(TranscriptView.RawWanted)
    def _raw_wanted(self, message: TranscriptView.RawWanted) -> None:
        message.stop()
        if self.session.path is not None:
            self._read_raw(message, self.session.path)

    @work(group="raw", exclusive=True)
    async def _read_raw(self, message: TranscriptView.RawWanted, path: str) -> None:
        """Read the start of a record's line and show it under its block."""
        span = message.span
        length = min(span.length, RAW_BYTES)
        library = self.services.library
        try:
            raw = await asyncio.to_thread(library.read_bytes, path, span.offset, length)
        except InkTuiError as error:
            self.tell(str(error), error=True)
            return
        message.view.set_raw(message.key, raw, span.length)

    def _note(self, views: SessionViews) -> str:
        now = self.services.now().astimezone(self.services.zone)
        if views.opened.gone:
            return f"This file was deleted at {now:%H:%M}. You see the last state that was read."
        if views.opened.trouble:
            return f"Cannot be read: {views.opened.trouble}. You see the last state that was read."
        return ""
