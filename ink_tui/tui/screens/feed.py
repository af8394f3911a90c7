"""Keeping the screen up to date: first rows at once, whole ones behind, then what changes."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from itertools import islice
from typing import TYPE_CHECKING

from ink_tui.model.liveness import Freshness
from ink_tui.store.watch_values import POLL_SECONDS, Changes, WatchState
from ink_tui.tui.screens.first_look import FIRST_FILES

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.store.library import Library, Listing

_FILES = 1_000
"""Files whose ends are read between two listings."""

_FIRST_SLICE_S, _LONGEST_SLICE_S = 0.05, 1.0
"""Time of reading between two listings: short at first, so that something is seen at once, longer
later, since each listing of a large store is work for the screen."""

SLICE_SESSIONS = 500
"""Sessions that are begun with between two listings: what was kept of each is looked up first."""

AT_ONCE_BYTES = 8_000_000
"""A changed file up to this size is read whole at once; a larger one behind the others."""

_SHOWN = (1, 4, 16)
"""Slices of a burst that are shown, and how many there are from then on between two."""

SLICE_FILES, SLICE_BYTES = 100, 8_000_000
"""Most changed files, and bytes of them, that are read before others get their turn: the screen,
and the session that is shown when it changes meanwhile."""


class Feed:
    """Reads in threads and hands values over on the loop."""

    def __init__(
        self,
        library: Library,
        *,
        show: Callable[[Listing], None],
        changed: Callable[[frozenset[str]], None],
        prepare: Callable[[Listing], None] | None = None,
        state: Callable[[WatchState], None],
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        """Make a feed that does nothing yet.

        Args:
            library: Where sessions are read.
            show: Takes each new listing.
            changed: Takes the session files that were written, created or removed.
            prepare: Does with a listing what can be done in the thread, before it is shown.
            state: Takes how changes are noticed.
            poll_seconds: Time between two looks at what no event tells of.
        """
        self.library = library
        self.listing: Listing | None = None
        self._show = show
        self._changed = changed
        self._prepare = prepare
        self._state = state
        self._poll_seconds = poll_seconds
        self._noticed: WatchState | None = None
        self._stop = asyncio.Event()
        self._more = asyncio.Event()
        self._news = asyncio.Event()
        self._waiting: dict[str, None] = {}
        """Files that changed and have not been taken in, those noticed first in front."""
        self._look_due = False
        # One look at a time: a listing that was made earlier never replaces a later one.
        self._turn = asyncio.Lock()

    async def _take(self, look: Callable[[], Listing]) -> Listing:
        """Look in a thread and show the listing that comes of it."""
        async with self._turn:
            self.listing = listing = await asyncio.to_thread(self._prepared, look)
            self._show(listing)
            return listing

    def _prepared(self, look: Callable[[], Listing]) -> Listing:
        listing = look()
        if self._prepare is not None:
            self._prepare(listing)
        return listing

    async def look(self) -> None:
        """Look for all sessions and show what is known of them at once; the rest comes behind."""
        listing = await self._take(lambda: self.library.scan(limit=FIRST_FILES))
        if listing.pending:
            self._more.set()

    def begin(self, listing: Listing) -> None:
        """Show what was found before there was a screen; the rest comes behind."""
        self.listing = listing
        self._show(listing)
        if listing.pending:
            self._more.set()

    async def read(self) -> None:
        """Look for all sessions, then read whole those that are not known."""
        await self.look()
        await self.finish()

    async def read_behind(self) -> None:
        """Read whole what is not known, whenever there is something, until stopped."""
        while not self._stop.is_set():
            await self._more.wait()
            await self.finish()

    async def finish(self) -> None:
        """Read whole all that is not known."""
        self._more.clear()
        listing = self.listing
        seconds = _FIRST_SLICE_S
        indexing = listing is not None and listing.pending > 0
        while listing is not None and listing.pending and not self._stop.is_set():
            total = len(listing.rows) + self.library.unseen
            self._state(WatchState(f"indexing {total - listing.pending:,} of {total:,}"))
            if self.library.unseen:
                listing = await self._take(lambda: self.library.glance(_FILES))
                continue
            # The reading itself holds nobody up; only its result takes its turn.
            await asyncio.to_thread(self.library.complete, SLICE_SESSIONS, seconds)
            seconds = min(2 * seconds, _LONGEST_SLICE_S)
            listing = await self._take(self.library.listing)
        if indexing and self._noticed is not None:
            self._state(self._noticed)

    async def watch(self) -> None:
        """Follow what changes below the roots until stopped."""
        from ink_tui.store.watch import watch_roots  # the first rows do not wait for it

        async with asyncio.TaskGroup() as group:
            taking = group.create_task(self._take_in_news())
            watching = watch_roots(self.library.roots, self._stop, self._poll_seconds)
            async with aclosing(watching) as events:
                async for event in events:
                    if isinstance(event, WatchState):
                        self._noticed = event
                        self._state(event)
                    else:
                        self._note(event)
                        self._news.set()
            taking.cancel()

    async def _take_in_news(self) -> None:
        """Take in what is noted; what comes meanwhile waits for no more than one slice."""
        while True:
            await self._news.wait()
            self._news.clear()
            await self._catch_up()

    async def follow(self, changes: Changes) -> None:
        """Take in one batch of changes."""
        self._note(changes)
        await self._catch_up()

    def _note(self, changes: Changes) -> None:
        self._waiting.update(dict.fromkeys(sorted(changes.files)))
        self._look_due |= changes.folders

    async def _catch_up(self) -> None:
        """Take in all that is noted, slice by slice.

        Each listing is work for the screen: of a long burst the first slices are shown at once,
        of the later ones every sixteenth, and the last one.
        """
        slices = 0
        while (self._look_due or self._waiting) and not self._stop.is_set():
            if self._look_due:
                self._look_due = False
                await self._look_again()
            else:
                last = len(self._waiting) <= SLICE_FILES
                slices = 0 if last else slices + 1
                await self._take_slice(show=last or slices in _SHOWN or slices % _SHOWN[-1] == 0)

    async def _look_again(self) -> None:
        """Look for all sessions: a folder that is moved takes its files along without a word."""
        async with self._turn:
            others = await asyncio.to_thread(self.library.look)
        if len(others) <= SLICE_FILES:
            self._waiting.update(dict.fromkeys(sorted(others)))
            return
        await self._take(lambda: self.library.glance(FIRST_FILES))
        if self.library.shown in others:
            self._waiting[self.library.shown] = None
        self._more.set()
        self._changed(others)

    async def _take_slice(self, *, show: bool) -> None:
        """Take in some of the files that wait; the one that is shown comes first."""
        async with self._turn:
            taken = self._next_slice()
            left = await asyncio.to_thread(self.library.take_in, taken, AT_ONCE_BYTES, SLICE_BYTES)
        self._waiting.update(dict.fromkeys(left))
        if show or self.library.shown in taken or not self._waiting:
            listing = await self._take(self.library.listing)
            if listing.pending:
                self._more.set()
        self._changed(frozenset(taken).difference(left))

    def _next_slice(self) -> list[str]:
        """Take out some of the files that wait, before they are read: later news are news again."""
        shown = self.library.shown
        first = [shown] if shown is not None and shown in self._waiting else []
        rest = (path for path in self._waiting if path != shown)
        taken = [*first, *islice(rest, SLICE_FILES - len(first))]
        for path in taken:
            del self._waiting[path]
        return taken

    async def look_at(self, *paths: str) -> None:
        """Take in what happened to some files, without waiting for the watch."""
        await self._take(lambda: self.library.refresh(paths))

    async def settle(self) -> None:
        """Judge anew how fresh the files are, while some are not cold yet."""
        known = self.listing
        if known is None or all(row.freshness is Freshness.COLD for row in known.rows):
            return
        async with self._turn:
            known = self.listing
            later = await asyncio.to_thread(self._prepared, self.library.listing)
            now = {row.path: row.freshness for row in later.rows}
            rows = known.rows if known is not None else ()
            settled = frozenset(row.path for row in rows if now.get(row.path) != row.freshness)
            if settled:
                self.listing = later
                self._show(later)
        if settled:
            self._changed(settled)

    def stop(self) -> None:
        """End the watch and the reading."""
        self._stop.set()
        self._more.set()
        self._news.set()
