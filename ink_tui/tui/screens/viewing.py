"""The session that is looked at: read in a thread, shown, and read again when its file changes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from ink_tui.errors import InkTuiError
from ink_tui.model.text import one_line
from ink_tui.tui.render.waiting_rows import reading_words
from ink_tui.tui.screens.long_reading import LongReading, ReadingStopped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ink_tui.model.listing import SessionRow
    from ink_tui.tui.render.ending_views import EndingViews
    from ink_tui.tui.render.session_views import SessionViews
    from ink_tui.tui.screens.agents_flow import Agents
    from ink_tui.tui.screens.feed import Feed
    from ink_tui.tui.screens.panes import PanesScreen
    from ink_tui.tui.services import Services
    from ink_tui.tui.widgets.transcript_view import TranscriptView

RAW_BYTES = 16_384
"""Most bytes of a record that are read from its start for its raw view."""

_DRAWN_S = 0.2
"""Longest time that the reading of a whole session waits for its end to be drawn, in seconds."""

RAW_END_BYTES = 2_048
"""Bytes that are read from the end of a longer one."""


class Viewing:
    """Reads one session at a time for the session pane.

    Of a long session the end is shown first, then the whole, which is read in pieces behind it.

    A file that changes while it is read is read once more afterwards. Reading is not begun anew at
    each change: a file that is written faster than it is read would never be shown.
    """

    def __init__(
        self, screen: PanesScreen, feed: Feed, agents: Agents, shown: Callable[[], None]
    ) -> None:
        """Make it.

        Args:
            screen: The main screen, whose session pane shows what was read.
            feed: It knows the other sessions.
            agents: They know who wrote to a session.
            shown: Called when something else is shown.
        """
        self.services: Services = screen.services
        self.screen = screen
        self.feed = feed
        self.agents = agents
        self._shown = shown
        self.path: str | None = None
        """File of the session that was asked for last; it may not be shown yet."""
        self._children: frozenset[str] = frozenset()
        """Sub-agent sessions whose size was known when the session was read."""
        self._load: object | None = None
        self._reading: LongReading | None = None
        self._again = False
        self.begun = asyncio.Event()
        """Set once a session, or the end of one, is on the screen, or cannot be shown."""
        self._gone: tuple[str, str] | None = None
        """A file that has disappeared, and the time at which that was seen."""

    def open(self, path: str, delay: float = 0.0, hold: asyncio.Event | None = None) -> None:
        """Show a session as its file stands now.

        Args:
            path: Its file.
            delay: Seconds that pass first, in which another one may be asked for instead.
            hold: What the rest of a long session waits for; its end is shown at once.
        """
        if path == self.path and self._load is not None:
            self._again = True
            if self.screen.session.ending is not None:
                self.screen.run_worker(self._show_ending(path), group="end", exclusive=True)
            return
        self.stop()
        self.path = path
        self._load = load = object()
        reading = self._read(load, path, delay, hold)
        self.screen.run_worker(reading, group="open", exclusive=True)

    def stop(self) -> None:
        """End a reading that is under way."""
        if self._reading is not None:
            self._reading.stop()

    def leave(self) -> None:
        """Show no session any more."""
        self.stop()
        self.path = None
        self.screen.session.clear()

    def files_changed(self, files: frozenset[str]) -> None:
        """Read the session again if its file is among those that changed."""
        if self.path is not None and self.path in files:
            self.open(self.path)

    async def _read(
        self, load: object, path: str, delay: float, hold: asyncio.Event | None
    ) -> None:
        try:
            if delay:
                await asyncio.sleep(delay)
            self._again = True
            while self._again:
                self._again = False
                await self._show(path, hold)
        finally:
            if self._load is load:
                self._load = None

    def _runs(self, path: str) -> bool:
        run = self.screen.area.run_of(path)
        return run is not None and run.running

    async def _show(self, path: str, hold: asyncio.Event | None) -> None:
        self._reading = reading = LongReading(partial(self._tell_progress, path))
        try:
            await self._show_whole(path, hold, reading)
        except ReadingStopped:
            return  # the session was left meanwhile
        finally:
            reading.stop()
            self.begun.set()

    async def _until_drawn(self) -> None:
        """Wait until what was shown is drawn, so that no thread takes the time of it.

        Not for long: a screen that lies under a dialog is not drawn.
        """
        drawn = asyncio.Event()
        self.screen.call_after_refresh(drawn.set)
        with suppress(TimeoutError):
            await asyncio.wait_for(drawn.wait(), _DRAWN_S)

    async def _show_ending(self, path: str) -> bool:
        """Show the end of a long session, and return whether that was done.

        It is not shown in the place of the whole.
        """
        try:
            ending = await asyncio.to_thread(self._load_ending, path, running=self._runs(path))
        except InkTuiError:
            return False  # the reading of the whole says why
        views = self.screen.session.views
        whole = views is not None and views.opened.path == path
        if ending is None or whole or self.path != path:
            return False
        self.screen.session.show_ending(ending)
        self._shown()
        return True

    def _load_ending(self, path: str, *, running: bool) -> EndingViews | None:
        """Read the end of a session and make its views; blocks."""
        from ink_tui.tui.render.ending_views import load_ending  # loaded behind the first rows

        return load_ending(self.services.library, path, running=running)

    def _tell_progress(self, path: str, done: int, size: int) -> None:
        if path == self.path:
            self.screen.session.tell_progress(reading_words(done, size))

    async def _show_whole(
        self, path: str, hold: asyncio.Event | None, reading: LongReading
    ) -> None:
        long = self.screen.session.path != path and await self._show_ending(path)
        if long:
            await self._until_drawn()
            self.begun.set()
            if hold is not None:
                await hold.wait()
        child_records = self.child_records()
        self._children = frozenset(child_records)
        try:
            views = await asyncio.to_thread(
                self._load_views,
                path,
                child_records,
                self._rows(),
                self.screen.session.views,
                reading,
                running=self._runs(path),
            )
        except InkTuiError as error:
            self.screen.session.clear(one_line(str(error)))
            return
        if self.path != path:
            return
        self.screen.session.show(views, self._note(views))
        self._shown()
        self.listing_changed()  # it may have, meanwhile

    def _load_views(
        self,
        path: str,
        child_records: Mapping[str, int],
        rows: Sequence[SessionRow],
        last: SessionViews | None,
        reading: LongReading,
        *,
        running: bool,
    ) -> SessionViews:
        """Read a session and make its views, from those shown last where it has grown; blocks."""
        # The first rows are on the screen before a session is read: this is loaded meanwhile.
        from ink_tui.tui.render.session_views import load_views

        views = load_views(
            self.services.library,
            path,
            child_records=child_records,
            running=running,
            rows=rows,
            last=last,
            told=reading.between,
        )
        if last is None or last.opened.path != path:
            self.screen.session.transcript.view.prepare(views.transcript)
        return views

    def listing_changed(self) -> None:
        """Read the session again if more is known now of its copies or sub-agent sessions."""
        views = self.screen.session.views
        if views is None or views.opened.path != self.path:
            return
        session_id = views.opened.row.session_id
        own = {row.session_id for row in self._rows() if row.parent_id == session_id}
        news = own & (self.child_records().keys() - self._children)
        from ink_tui.model.lineage import forks_of, same_forks  # came with the views

        if news or not same_forks(views.forks, forks_of(session_id, self._rows())):
            self.open(self.path)

    def _rows(self) -> Sequence[SessionRow]:
        listing = self.feed.listing
        return listing.rows if listing is not None else ()

    def child_records(self) -> Mapping[str, int]:
        """Return how many records each sub-agent session has, by its id."""
        return {
            row.session_id: row.records
            for row in self._rows()
            if row.child and row.session_id is not None and row.records is not None
        }

    def _note(self, views: SessionViews) -> str:
        opened = views.opened
        if opened.gone:
            if self._gone is None or self._gone[0] != opened.path:
                now = self.services.now().astimezone(self.services.zone)
                self._gone = (opened.path, f"{now:%H:%M}")
            when = self._gone[1]
            return f"This file was deleted at {when}. You see the last state that was read."
        self._gone = None
        if opened.trouble:
            return f"Cannot be read: {opened.trouble}. You see the last state that was read."
        others = self.agents.note_of_others(opened.path, opened.diagnosis)
        if others or opened.changed_at is None:
            return others
        at = f"{opened.changed_at:,}"
        if opened.changed_at >= opened.state.size:
            return f"Lines read earlier are gone: the file now ends at byte {at}."
        return f"Lines read earlier have changed, at byte {at} or after it. You see them as now."

    def show_raw(self, message: TranscriptView.RawWanted) -> None:
        """Show the bytes of a record under its block."""
        if self.path is not None:
            reading = self._read_raw(message, self.path)
            self.screen.run_worker(reading, group="raw", exclusive=True)

    async def _read_raw(self, message: TranscriptView.RawWanted, path: str) -> None:
        span = message.span
        length = min(span.length, RAW_BYTES)
        left = min(RAW_END_BYTES, span.length - length)
        at = span.offset + span.length - left
        read = self.services.library.read_bytes
        try:
            raw = await asyncio.to_thread(read, path, span.offset, length)
            end = await asyncio.to_thread(read, path, at, left) if left else b""
        except InkTuiError as error:
            self.screen.tell(str(error), error=True)
            return
        message.view.set_raw(message.key, raw, span.length, end)
