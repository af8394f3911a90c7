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
        self._stop = asyncio.Event()

    def take(self, listing: Listing) -> None:
        """Show a listing."""
        self.listing = listing
        self._show(listing)

    async def read(self) -> None:
        """Look for all sessions, then read whole those that were only glanced at."""
        self.take(await asyncio.to_thread(self.library.scan))
        while self.listing is not None and self.listing.pending:
            total = len(self.listing.rows)
            self._state(WatchState(f"indexing {total - self.listing.pending:,} of {total:,}"))
            self.take(await asyncio.to_thread(self.library.complete, _SLICE))

    async def watch(self) -> None:
        """Follow what changes below the roots until stopped."""
        async for event in watch_roots(self.library.roots, self._stop):
            if isinstance(event, WatchState):
                self._state(event)
            else:
                await self.follow(event)

    async def follow(self, changes: Changes) -> None:
        """Take in one batch of changes."""
        if changes.folders:
            await self.read()
            self._changed(
                frozenset(row.path for row in self.listing.rows) if self.listing else frozenset()
            )
        if changes.files:
            self.take(await asyncio.to_thread(self.library.refresh, changes.files))
            self._changed(changes.files)

    async def look_at(self, path: str) -> None:
        """Take in what happened to one file, without waiting for the watch."""
        self.take(await asyncio.to_thread(self.library.refresh, (path,)))

    async def settle(self) -> None:
        """Judge anew how fresh the files are, while some are not cold yet."""
        known = self.listing
        if known is None or all(row.freshness is Freshness.COLD for row in known.rows):
            return
        later = await asyncio.to_thread(self.library.listing)
        now = {row.path: row.freshness for row in later.rows}
        settled = frozenset(row.path for row in known.rows if now.get(row.path) != row.freshness)
        if settled:
            self.take(later)
            self._changed(settled)

    def stop(self) -> None:
        """End the watch."""
        self._stop.set()
