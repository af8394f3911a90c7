"""R16: what happens to files, in any order, ends in the list that a fresh look would show."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.faults import TailState
from ink_tui.model.liveness import Freshness
from ink_tui.store.library import Library, Listing
from ink_tui.store.watch_values import Changes
from ink_tui.tui.screens.feed import Feed
from tests.reliability.changing_store import RECORDS, ChangingStore
from tests.sessions import simple

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.model.listing import SessionRow
    from tests.reliability.ledger import Ledger, Row

SEED = 20_260_303


def _comparable(listing: Listing | None) -> list[SessionRow]:
    assert listing is not None
    return [replace(row, freshness=Freshness.COLD) for row in listing.rows]


async def _sequences(row: Row, folder: Path, number: int) -> None:
    for run in range(number):
        chance = random.Random(SEED + run)
        store = ChangingStore(folder / f"run{run}", chance)
        shown: list[Listing] = []
        feed = Feed(
            Library([str(store.root)], clock=lambda: 0),
            show=shown.append,
            changed=lambda _paths: None,
            state=lambda _state: None,
        )
        await feed.read()
        steps: list[str] = []
        for _round in range(chance.randrange(3, 8)):
            steps += [store.step() for _ in range(chance.randrange(1, 5))]
            await feed.follow(Changes(frozenset(store.told), store.folders))
            await feed.finish()
            store.told.clear()
            store.folders = False
        row.trial()
        fresh = Library([str(store.root)], clock=lambda: 0).scan(quick=False)
        row.check(_comparable(feed.listing) == _comparable(fresh), run, steps)
        row.check(feed.listing is shown[-1], run, "another listing is shown")
        for item in fresh.rows:
            if item.error_kind is None or item.size:
                seen = feed.library.open(item.path) if item.error_kind is None else None
                again = Library([str(store.root)]).open(item.path) if seen else None
                if seen is not None and again is not None:
                    same = seen.diagnosis == again.diagnosis
                    row.check(same, run, item.path, "reads differently", steps)


async def test_random_changes(ledger: Ledger, tmp_path: Path) -> None:
    what = f"random changes, seed {SEED}: the list and every session as a fresh look sees them"
    with ledger.row("R16", what, least=150) as row:
        await _sequences(row, tmp_path, 150)


@pytest.mark.long
async def test_many_random_changes(ledger: Ledger, tmp_path: Path) -> None:
    what = f"random changes, seed {SEED}: the list and every session as a fresh look sees them"
    with ledger.row("R16", what, least=1_500, part="long") as row:
        await _sequences(row, tmp_path, 1_500)


def test_a_half_line_is_not_called_torn_while_it_is_written(ledger: Ledger, tmp_path: Path) -> None:
    what = "a half line less than 2 s old is being written, and only later called torn"
    with ledger.row("R16 half line", what, least=100) as row:
        folder = tmp_path / "root" / "f"
        folder.mkdir(parents=True)
        path = folder / "s.jsonl"
        for cut in range(1, len(RECORDS[0])):
            row.trial()
            path.write_bytes(simple() + RECORDS[0][:cut])
            os.utime(path, ns=(10**18, 10**18))
            moments = iter(range(10**12, 10**12 + 2_000, 1_999))
            library = Library([str(tmp_path / "root")], clock=moments.__next__)
            for listing in (library.scan(quick=False), library.listing()):
                (item,) = listing.rows
                row.check(item.freshness is Freshness.WRITING, cut, item.freshness)
            late = Library([str(tmp_path / "root")], clock=lambda: 10**12 + 60_000)
            (item,) = late.scan(quick=False).rows
            tail = late.open(item.path).diagnosis.session.tail.state
            row.check(item.freshness is Freshness.COLD, cut, item.freshness)
            row.check(tail is not TailState.OK, cut, tail)
