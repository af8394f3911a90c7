"""The reading half of the main screen: what the feed brings, and the session that is shown."""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import TYPE_CHECKING

from textual import on, work

from ink_tui.model.jumps import Jump
from ink_tui.model.row_words import title_words
from ink_tui.model.text import short_path
from ink_tui.store.watch_values import WatchState
from ink_tui.tui.render.empty_rows import EmptyFacts, EmptyKind
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.agents_flow import Agents
from ink_tui.tui.screens.arranging import Arranging
from ink_tui.tui.screens.feed import Feed
from ink_tui.tui.screens.first_look import take_first_look
from ink_tui.tui.screens.later import load_later, load_session_pane
from ink_tui.tui.screens.marking import Marking
from ink_tui.tui.screens.panes import PanesScreen
from ink_tui.tui.screens.viewing import Viewing
from ink_tui.tui.widgets.session_list import SessionList

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.model.listing import SessionRow
    from ink_tui.store.library import Listing
    from ink_tui.tui.screens.fetching import Fetching
    from ink_tui.tui.services import Services
    from ink_tui.tui.widgets.detail_pane import DetailPane
    from ink_tui.tui.widgets.session_pane import SessionPane
    from ink_tui.tui.widgets.transcript_view import TranscriptView

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
            prepare=lambda listing: self.list.prepare(listing.rows),
            state=self.show_watch,
        )
        self.agents = Agents(services, self.area)
        self.viewing = Viewing(self, self.feed, self.agents, self._session_shown)
        self.marking = Marking(services, self, self._list_changed)
        self.arranging = Arranging(services, self, self._list_changed)
        self._drawn = asyncio.Event()
        """Set once the first rows are drawn."""
        self._filled = asyncio.Event()
        """Set once the pane of a session is there."""
        self._asked_early: list[Callable[[], object]] = []
        """What keys have asked of that pane before."""
        self._wanted = services.wanted
        self._stand_in: str | None = None
        """Row that the list selects in the place of the one whose session is shown but gone."""

    @cached_property
    def fetching(self) -> Fetching:
        """Reads what is shown whole; loaded and made when it is first used."""
        from ink_tui.tui.screens.fetching import Fetching

        return Fetching(self)

    def on_mount(self) -> None:
        """Start to read and to watch."""
        self.set_interval(1.0, self._tick)
        self._read_and_watch()

    @work(group="feed", exclusive=True)
    async def _read_and_watch(self) -> None:
        if self._wanted is not None:
            # The session does not wait for the list; only what is long of it lets that go first.
            self.go(Place.SESSION)
            self.viewing.path = self._wanted
            self.call_after_refresh(self.viewing.open, self._wanted, hold=self._drawn)
        await self._begin()
        if not self.services.watch:
            await self.feed.finish()
            self.show_watch(WatchState("watching"))
            return
        # Nothing else is begun before the first rows are drawn: they would wait for it.
        await self._drawn.wait()
        self.run_worker(self.feed.read_behind(), group="behind", exclusive=True)
        await self.feed.watch()

    async def _begin(self) -> None:
        """Show the first rows."""
        services, ahead = self.services, self.services.ahead
        if ahead is None:
            look = await asyncio.to_thread(take_first_look, services.library, services.state_dir)
        else:
            look = ahead.result() if ahead.done() else await asyncio.wrap_future(ahead)
        # First, or what is archived or outside the scope would be seen for a moment.
        await self.arranging.begin(look.view)
        self.marking.begin(look.kept)
        self.feed.begin(look.listing)

    def _rows_drawn(self) -> None:
        """Begin what the first rows have not waited for."""
        self._drawn.set()
        self._fill()

    @work(group="load")
    async def _fill(self) -> None:
        """Put in place what the first rows have not waited for."""
        await asyncio.to_thread(load_session_pane)
        if not self.is_attached:
            return
        await self.put_session_pane()
        self.session.set_marks(self.marking.marks)
        self.session.tree_view.choose(self.arranging.view.tree)
        self._filled.set()
        self._tell_of_row()
        while self._asked_early:
            self._asked_early.pop(0)()
        if self.services.wanted is not None:
            await self.viewing.begun.wait()
        await asyncio.to_thread(load_later)

    def when_filled(self, act: Callable[[], object]) -> None:
        """Do something with the pane of a session: now, or as soon as it is there."""
        if self._filled.is_set():
            act()
        else:
            self._asked_early.append(act)

    async def on_unmount(self) -> None:
        """End what reads, and the watch."""
        self.viewing.stop()
        self.feed.stop()

    # What the feed brings

    def _show_listing(self, listing: Listing) -> None:
        if not self.is_attached:
            return
        first = self.list.view.selected is None
        if not self.read_once:
            self.call_after_refresh(self._rows_drawn)
        self.read_once = True
        before = self.list.selected_path
        self.list.set_rows(listing.rows, self.agents.activities())
        self._keep_view(before)
        if self._wanted is not None and self.list.select(self._wanted):
            self._wanted = None
            self.go(Place.SESSION)
        elif first and listing.rows:
            self._select_first()
        root = short_path(listing.roots[0], self.services.home) if listing.roots else ""
        hidden = self.list.listing.hidden
        self.nothing.show(EmptyFacts(EmptyKind.NO_SESSIONS, root=root, hidden=hidden))
        self.lay_out()
        self.draw_header()
        self._tell_of_row()
        if self.has_session_pane:
            self.viewing.listing_changed()

    def _list_changed(self) -> None:
        """Take in that marks, sections or scope are others: so may the list be."""
        self.lay_out()
        self.draw_header()
        self._tell_of_row()

    def _tell_of_row(self) -> None:
        """Tell in the detail of the list's selected row while one is in the list."""
        if not self.has_session_pane:
            return
        row = self.list.selected_row if self.place is Place.LIST else None
        if row is None or row.path == self._stand_in:
            self.session.set_overview(None)
        else:
            activity = self.list.asked.activities.get(row.path)
            self.session.set_overview(row, activity, self._origin_title(row))

    def _origin_title(self, row: SessionRow) -> str:
        """Return the title of the session that another one was copied from; empty if unknown."""
        listing = self.feed.listing
        if row.forked_from is None or listing is None:
            return ""
        origin = next((one for one in listing.rows if one.session_id == row.forked_from), None)
        return title_words(origin) if origin is not None else ""

    def place_changed(self) -> None:
        """Tell in the detail of what has the focus."""
        self._tell_of_row()

    def _keep_view(self, before: str | None) -> None:
        """Keep showing the session whose row has vanished from the list, until it is back.

        Args:
            before: Path that was selected before the rows changed.
        """
        after, shown = self.list.selected_path, self.viewing.path
        if before is not None and after != before and before in (shown, self._stand_in):
            self._stand_in = after
        if self._stand_in is not None and after == self._stand_in and shown is not None:
            listing = self.feed.listing
            if listing is not None and any(row.path == shown for row in listing.rows):
                self._stand_in = None
                self.list.select(shown)

    def _select_first(self) -> None:
        """Select the newest session of the current folder, else the newest of all."""
        items = [item for item in self.list.listing.items if item.row is not None]
        if items and items[0].row is not None:
            self.list.select(items[0].row.path)

    def files_changed(self, files: frozenset[str]) -> None:
        """Take in that session files were written, created or removed."""
        if self.is_attached:
            self.viewing.files_changed(files)

    @work(group="tick", exclusive=True)
    async def _tick(self) -> None:
        before = self.header.facts.clock
        self.draw_header()
        if self.header.facts.clock != before:
            self.list.tick()
        if self.area.running:
            self._show_activities()
            self.session.tick()
            self.area.redraw()
        await self.feed.settle()

    def _show_activities(self) -> None:
        found = self.agents.activities()
        self.list.set_activities(found)
        self._tell_of_row()
        for path, activity in found.items():
            self.area.set_busy(path, busy=bool(activity.doing))

    # Sessions

    @on(SessionList.SessionSelected)
    def _session_selected(self, message: SessionList.SessionSelected) -> None:
        if message.path == self._stand_in or message.path != self.list.selected_path:
            return  # or another row was selected meanwhile
        self._stand_in = None
        self._tell_of_row()
        if message.path is not None and message.path != self.viewing.path:
            self.open_session(message.path, OPEN_DELAY)

    @on(SessionList.SessionOpened)
    def _session_opened(self, message: SessionList.SessionOpened) -> None:
        if message.path != self.viewing.path:
            self.open_session(message.path)
        self.go(Place.SESSION)

    def on_session_pane_session_wanted(self, message: SessionPane.SessionWanted) -> None:
        """Show a copy of the session that is shown."""
        message.stop()
        self.list.select(message.path)
        self.open_session(message.path)
        self.go(Place.SESSION)

    @on(SessionList.ArrangementChanged)
    def _arrangement_changed(self, message: SessionList.ArrangementChanged) -> None:
        message.stop()
        self.arranging.arranged()

    @on(SessionList.ScopeWanted)
    def _scope_wanted(self, message: SessionList.ScopeWanted) -> None:
        message.stop()
        self.arranging.go_to(message.scope)

    @on(SessionList.GuestShown)
    def _guest_shown(self, message: SessionList.GuestShown) -> None:
        message.stop()
        self.arranging.tell_of_guest()

    def open_session(self, path: str, delay: float = 0.0) -> None:
        """Read a session in a worker and show it.

        Args:
            path: Its file.
            delay: Seconds that pass first, in which another one may be asked for instead.
        """
        if self._filled.is_set():
            self.viewing.open(path, delay)
        else:
            self._open_later(path)

    @work(group="first", exclusive=True)
    async def _open_later(self, path: str) -> None:
        """Open the session that was asked for last, once there is a pane to show it."""
        await self._filled.wait()
        self.viewing.open(path)

    def _session_shown(self) -> None:
        self.lay_out()
        if self.area.running:
            self._show_activities()

    # Jumps from tabs that have no such things of their own: the tree has them all

    def action_next_turn(self) -> None:
        """Go to the next user turn."""
        self._jump(Jump.TURN, 1)

    def action_previous_turn(self) -> None:
        """Go to the previous user turn."""
        self._jump(Jump.TURN, -1)

    def action_next_compaction(self) -> None:
        """Go to the next compaction."""
        self._jump(Jump.COMPACTION, 1)

    def action_previous_compaction(self) -> None:
        """Go to the previous compaction."""
        self._jump(Jump.COMPACTION, -1)

    def action_next_branch(self) -> None:
        """Go to the next branch point."""
        self._jump(Jump.BRANCH, 1)

    def action_previous_branch(self) -> None:
        """Go to the previous branch point."""
        self._jump(Jump.BRANCH, -1)

    def _jump(self, kind: Jump, step: int) -> None:
        """Show the tree, at the next thing of a kind from the selected record, or the first."""
        session = self.session
        entry_id = session.entry_id
        if session.active is Tab.CONTEXT:
            row = session.context_view.row_of(session.context_view.selected or "")
            entry_id = row.entry_id if row is not None else None
        elif session.active is Tab.HEALTH:
            fault = session.health.fault_of(session.health.selected or "")
            entry_id = fault.entry_id if fault is not None else None
        if entry_id is not None:
            session.tree_view.select_entry(entry_id)
        if session.tree_view.jump(kind, step) or session.tree_view.jump_from_top(kind):
            session.active = Tab.TREE
            self.go(Place.SESSION)
        else:
            self.tell(session.tree_view.why_none(kind, step))

    def on_transcript_view_whole_wanted(self, message: TranscriptView.WholeWanted) -> None:
        """Read the texts of which only the start is kept."""
        message.stop()
        self.fetching.give_texts(message)

    def on_detail_pane_whole_wanted(self, message: DetailPane.WholeWanted) -> None:
        """Read the record of which only the start is kept."""
        message.stop()
        self.fetching.give_row(message)

    def on_transcript_view_raw_wanted(self, message: TranscriptView.RawWanted) -> None:
        """Show a record as its bytes."""
        message.stop()
        self.viewing.show_raw(message)
