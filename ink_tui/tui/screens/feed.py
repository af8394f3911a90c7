"""Keeping the screen up to date: first rows at once, whole ones behind, then what changes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ink_tui.model.liveness import Freshness
from ink_tui.store.watch import Changes, WatchState, watch_roots

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.store.library import Library, Listing

_SLICE = 4
"""Sessions read whole between two looks at what else there is to do."""


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
        # One look at a time: a listing that was made earlier never replaces a later one.
        self._turn = asyncio.Lock()

    async def _take(self, look: Callable[[], Listing]) -> Listing:
        """Look in a thread and show the listing that comes of it."""
        async with self._turn:
            self.listing = listing = await asyncio.to_thread(look)
            self._show(listing)
            return listing

    async def read(self) -> None:
        """Look for all sessions, then read whole those that were only glanced at."""
        listing = await self._take(self.library.scan)
        indexing = listing.pending > 0
        while listing.pending:
            total = len(listing.rows)
            self._state(WatchState(f"indexing {total - listing.pending:,} of {total:,}"))
            listing = await self._take(lambda: self.library.complete(_SLICE))
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
            await self.read()
            self._changed(before | self._paths())
        if changes.files:
            await self._take(lambda: self.library.refresh(changes.files))
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
        """End the watch."""
        self._stop.set()
