"""Ways into the search, and what is looked at there."""

from __future__ import annotations

from ink_tui.tui.screens.search import SearchScreen
from tests.pilot.app import settled, shown, until
from tests.pilot.key_places import Proof, at_start, becomes, changed, less, more, on_top
from tests.pilot.run import Run

_NAMED = {" ": "space", ":": "colon", '"': "quotation_mark", "-": "minus", "<": "less_than_sign"}


def search_of(run: Run) -> SearchScreen:
    """Return the search, which is on top."""
    assert isinstance(run.screen, SearchScreen), run.screen
    return run.screen


async def at_search(run: Run) -> None:
    await run.pilot.press("ctrl+f")
    await shown(run.pilot, SearchScreen)


async def type_in(run: Run, text: str) -> None:
    """Type a query and wait until the search for it is over."""
    await run.pilot.press(*(_NAMED.get(char, char) for char in text))
    await until(run.pilot, lambda: not search_of(run).under_way, f"the search for {text!r} ends")
    await settled(run.pilot)


async def searched(run: Run, text: str = "sum") -> None:
    """The search with the answers to a query."""
    await at_search(run)
    await type_in(run, text)


async def at_last_hit(run: Run) -> None:
    await searched(run)
    search_of(run).hits.action_last_row()
    await settled(run.pilot)


async def at_piece(run: Run) -> None:
    """A piece of a filter that can be completed in several ways."""
    await searched(run, "d")


async def completed(run: Run) -> None:
    await at_piece(run)
    await run.press("tab", "tab")


def hit(run: Run) -> int:
    """Place of the selected row; -1 for none."""
    at = search_of(run).hits.selected_index
    return -1 if at is None else at


def query(run: Run) -> str:
    return search_of(run).field.input.value


SEARCH = {
    "hit-up": (Proof(at_last_hit, hit, less),),
    "hit-down": (Proof(searched, hit, more),),
    "hits-page-up": (Proof(at_last_hit, hit, less),),
    "hits-page-down": (Proof(searched, hit, more),),
    "open-hit": (Proof(searched, lambda run: run.screen is run.browser, becomes(True)),),
    "complete": (Proof(at_piece, query, becomes("dir:")),),
    "complete-back": (
        Proof(at_piece, query, becomes("date:")),
        Proof(completed, query, becomes("dir:")),
    ),
    "hit-order": (Proof(searched, lambda run: search_of(run).results.best_first, changed),),
    "clear-query": (Proof(searched, query, becomes("")),),
    "search-back": (
        Proof(searched, lambda run: run.screen is run.browser, becomes(True)),
        Proof(completed, query, becomes("d")),
    ),
}
OPEN_SEARCH = (
    Proof(at_start, on_top, becomes(SearchScreen)),
    Proof(Run.at_tree, on_top, becomes(SearchScreen)),
    Proof(Run.at_filter, on_top, becomes(SearchScreen)),
    Proof(searched, lambda run: search_of(run).field.input.selected_text, becomes("sum")),
)
"""Proofs of the key that opens the search, which in the search selects the whole query."""
