"""Rows that are arranged in the thread that reads them: little is left to the loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.counts import counting_calls
from tests.list_and_tree_host import Host
from tests.session_rows import session_row

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow

FEW, MANY = 60, 600


def rows_of(number: int) -> tuple[SessionRow, ...]:
    """Return rows of which the newest, one of which is selected, have a folder of their own."""
    folders = [7, 7, 7] + [at % 7 for at in range(number - 3)]
    return tuple(
        session_row(f"s{at}", f"/w/{folder}", at * 60_000) for at, folder in enumerate(folders)
    )


async def test_showing_prepared_rows_does_not_grow_with_their_number() -> None:
    taken = []
    for number in (FEW, MANY):
        app = Host()
        rows = rows_of(number)
        async with app.run_test() as pilot:
            await asyncio.to_thread(app.list.prepare, rows)
            with counting_calls() as work:
                app.list.set_rows(rows, {})
            await pilot.pause()
            taken.append(work.calls)
            assert app.list.listing.sessions == number
    assert 0 < taken[1] <= 1.2 * taken[0]


async def test_rows_that_were_prepared_for_another_question_are_arranged_anew() -> None:
    app = Host()
    async with app.run_test() as pilot:
        rows = rows_of(FEW)
        app.list.prepare(rows)
        app.list.set_filter("s59")
        await pilot.pause()
        app.list.set_rows(rows)
        await pilot.pause()
        shown = [item.row.path for item in app.list.listing.items if item.row is not None]
        assert shown == [rows[59].path]


async def test_other_rows_than_the_prepared_ones_are_shown_as_they_are() -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.list.prepare(rows_of(FEW))
        app.list.set_rows(rows_of(3))
        await pilot.pause()
        assert app.list.listing.sessions == 3
