"""Work of the tree in counts: a key costs no more in a longer chain or under a wider parent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ink_tui.model.outline_rows import FilterMode
from tests.counts import counting_calls
from tests.list_and_tree_host import Host
from tests.sessions import answer, session, user

if TYPE_CHECKING:
    from collections.abc import Callable

SCREEN = (120, 36)
FEW = 100


def chain(records: int) -> bytes:
    """Turns of a prompt and an answer, each the child of the one before."""
    found = [user("n0", None, "turn 0")]
    for at in range(1, records):
        made = answer if at % 2 else user
        found.append(made(f"n{at}", f"n{at - 1}", f"text {at}", second=at))
    return session(*found)


def children(records: int) -> bytes:
    """So many children of one parent; the last goes on."""
    found = [user("root", None, "start")]
    found += [user(f"n{at}", "root", f"try {at}", at) for at in range(records)]
    return session(*found, answer("end", f"n{records - 1}", "done", second=records))


async def _costs(data: bytes, mode: FilterMode, key: str) -> tuple[int, int, int]:
    """Return calls, rows laid out and lines drawn for one key in the middle of a tree."""
    app = Host()
    async with app.run_test(size=SCREEN) as pilot:
        app.show(data)
        tree = app.tree_view
        tree.focus()
        tree.show_mode(mode)
        tree.select(tree.seen[len(tree.seen) // 2].key)
        await pilot.press("j", "k", key)
        tree.laid_out_rows = tree.drawn_lines = 0
        with counting_calls() as work:
            await pilot.press(key)
        return work.calls, tree.laid_out_rows, tree.drawn_lines


@pytest.mark.parametrize(("make", "many"), [(chain, 20_000), (children, 10_000)])
@pytest.mark.parametrize("mode", [FilterMode.DEFAULT, FilterMode.USER_ONLY])
async def test_a_cursor_key_lays_out_no_more_in_a_larger_tree(
    make: Callable[[int], bytes], many: int, mode: FilterMode
) -> None:
    few = await _costs(make(FEW), mode, "j")
    lots = await _costs(make(many), mode, "j")
    assert lots[0] <= 1.2 * few[0]
    for _calls, rows, lines in (few, lots):
        assert 0 < lines <= 4
        assert rows <= 4


@pytest.mark.parametrize(("make", "many"), [(chain, 20_000), (children, 10_000)])
async def test_a_page_lays_out_no_more_than_the_screen(
    make: Callable[[int], bytes], many: int
) -> None:
    for records in (FEW, many):
        _calls, rows, lines = await _costs(make(records), FilterMode.DEFAULT, "pagedown")
        assert 0 < rows <= SCREEN[1]
        assert lines <= 2 * SCREEN[1]
