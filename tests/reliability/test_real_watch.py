"""R16 with what the system tells: real events, in any order, end in what a fresh look shows."""

from __future__ import annotations

import asyncio
import random
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.liveness import Freshness
from ink_tui.store.library import Library, Listing
from ink_tui.tui.screens.feed import Feed
from tests.reliability.changing_store import RestlessStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from ink_tui.model.listing import SessionRow
    from tests.reliability.ledger import Ledger, Row

SEED = 20_261_130
DEADLINE = 15.0
"""Seconds after which a final state counts as missed. The look that is taken once a minute, in
case an event was lost, comes later: what is shown by then was told."""


class _Screen:
    """Stands where the screen does: it keeps what it is given to show."""

    def __init__(self, root: Path) -> None:
        self.listing: Listing | None = None
        self.news = asyncio.Event()
        self.feed = Feed(
            Library([str(root)], clock=lambda: 0),
            show=self._show,
            changed=lambda _paths: None,
            state=lambda _state: None,
            poll_seconds=0.02,
        )

    def _show(self, listing: Listing) -> None:
        self.listing = listing
        self.news.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        await self.feed.look()
        async with asyncio.TaskGroup() as group:
            group.create_task(self.feed.read_behind())
            group.create_task(self.feed.watch())
            yield
            self.feed.stop()

    async def comes_to_show(self, rows: list[SessionRow]) -> bool:
        """Wait until certain rows are shown; return whether they ever were."""
        try:
            async with asyncio.timeout(DEADLINE):
                while _comparable(self.listing) != rows:
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            return False
        return True

    async def next_listing(self, seconds: float) -> None:
        """Wait for the next listing, but not for long: not everything that happens is news."""
        self.news.clear()
        try:
            async with asyncio.timeout(seconds):
                await self.news.wait()
        except TimeoutError:
            return


def _comparable(listing: Listing | None) -> list[SessionRow]:
    assert listing is not None
    return [replace(row, freshness=Freshness.COLD) for row in listing.rows]


async def _sequence(row: Row, folder: Path, run: int) -> None:
    chance = random.Random(SEED + run)
    store = RestlessStore(folder / f"run{run}", chance)
    screen = _Screen(store.root)
    steps: list[str] = []
    async with screen.running():
        for _round in range(chance.randrange(2, 7)):
            number = chance.randrange(1, 6)
            # In a thread: the watch goes on meanwhile, as it does beside another program.
            steps += await asyncio.to_thread(store.some_steps, number)
            # At once, or in the middle of what follows from it, or when it is shown.
            await screen.next_listing(chance.choice((0.0, 0.004, 0.02, 0.1)))
        fresh = Library([str(store.root)], clock=lambda: 0).scan(quick=False)
        row.trial()
        row.note("events", len(steps))
        shown = await screen.comes_to_show(_comparable(fresh))
        row.check(shown, "seed", SEED + run, steps)


async def _sequences(row: Row, folder: Path, number: int) -> None:
    for run in range(number):
        await _sequence(row, folder, run)


_WHAT = f"random changes through the real watch, seed {SEED}: the list as a fresh look sees it"


async def test_real_events(ledger: Ledger, memory: Path) -> None:
    with ledger.row("R16 watch", _WHAT, least=100) as row:
        await _sequences(row, memory, 100)


async def test_folders_of_which_nothing_is_told(
    ledger: Ledger, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = "1 0 0:1 / / rw - nfs4 server:/ rw\n"
    monkeypatch.setattr("ink_tui.store.mounts._read_table", lambda: table)
    what = f"random changes that nothing tells of, seed {SEED}: polled to what a fresh look sees"
    with ledger.row("R16 polled", what, least=40) as row:
        await _sequences(row, memory, 40)


@pytest.mark.long
async def test_many_real_events(ledger: Ledger, memory: Path) -> None:
    with ledger.row("R16 watch", _WHAT, least=1_000, part="long") as row:
        await _sequences(row, memory, 1_000)
