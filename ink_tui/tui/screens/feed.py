"""Keeping the screen up to date: first rows at once, whole ones behind, then what changes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ink_tui.model.liveness import Freshness
from ink_tui.store.watch import Changes, WatchState, watch_roots

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.store.library import Library, Listing

FIRST_FILES = 200
"""Files whose ends are read before the first rows are shown: more than any window has rows."""

_FILES = 1_000
"""Files whose ends are read between two listings."""

_FIRST_SLICE_S, _LONGEST_SLICE_S = 0.05, 1.0
"""Time of reading between two listings: short at first, so that something is seen at once, longer
later, since each listing of a large store is work for the screen."""

AT_ONCE_BYTES = 8_000_000
"""A changed file up to this size is read whole at once; a larger one behind the others."""


class Feed:
    """Reads in threads and hands values over on the loop."""

    def __init__(
        self,
        library: Library,
        *,
        show: Callable[[Listing], None],
        changed: Callable[[frozenset[str]], None],
        state: Callable[[WatchState], None],
    ) -> None:
        """Make a feed that does nothing yet.

        Args:
            library: Where sessions are read.
            show: Takes each new listing.
            changed: Takes the session files that were written, created or removed.
            state: Takes how changes are noticed.
        """
        self.library = library
        self.listing: Listing | None = None
        self._show = show
        self._changed = changed
        self._state = state
        self._noticed: WatchState | None = None
        self._stop = asyncio.Event()
        self._more = asyncio.Event()
        # One look at a time: a listing that was made earlier never replaces a later one.
        self._turn = asyncio.Lock()

    async def _take(self, look: Callable[[], Listing]) -> Listing:
        """Look in a thread and show the listing that comes of it."""
        async with self._turn:
            self.listing = listing = await asyncio.to_thread(look)
            self._show(listing)
            return listing

    async def look(self) -> None:
        """Look for all sessions and show what is known of them at once; the rest comes behind."""
        listing = await self._take(lambda: self.library.scan(limit=FIRST_FILES))
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
            await asyncio.to_thread(self.library.complete, None, seconds)
            seconds = min(2 * seconds, _LONGEST_SLICE_S)
            listing = await self._take(self.library.listing)
        if indexing and self._noticed is not None:
            self._state(self._noticed)

    async def watch(self) -> None:
        """Follow what changes below the roots until stopped."""
        async for event in watch_roots(self.library.roots, self._stop):
            if isinstance(event, WatchState):
                self._noticed = event
                self._state(event)
            else:
                await self.follow(event)

    async def follow(self, changes: Changes) -> None:
        """Take in one batch of changes."""
        if changes.folders:
            # A folder that is moved away takes its files along without a word about each.
            before = self._paths()
            await self.look()
            self._changed(before | self._paths())
        if changes.files:
            listing = await self._take(lambda: self.library.refresh(changes.files, AT_ONCE_BYTES))
            if listing.pending:
                self._more.set()
            self._changed(changes.files)

    def _paths(self) -> frozenset[str]:
        rows = self.listing.rows if self.listing is not None else ()
        return frozenset(row.path for row in rows)

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
            later = await asyncio.to_thread(self.library.listing)
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
