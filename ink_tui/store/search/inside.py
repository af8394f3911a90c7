"""Find in one session file, by the same search that looks through all of them."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.find import FoundText
from ink_tui.model.ids import EntryId
from ink_tui.model.query_sessions import Surroundings
from ink_tui.store.search.engine import SearchOptions
from ink_tui.store.search.ripgrep import find_ripgrep
from ink_tui.store.search.values import FoundIn, SearchTarget, Trouble, TroubleKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.model.query import Query
    from ink_tui.store.search.service import SearchService
    from ink_tui.store.search.values import Hit

MOST_TEXTS = 200_000
"""Texts with hits that are kept; the rest is counted."""

_SNIPPET_CELLS = 1
"""Nothing is shown of the texts: tree and transcript stand there."""

_WORDS = {
    TroubleKind.SLOW_PATTERN: "the pattern takes too long and was stopped",
    TroubleKind.NO_TIME_LEFT: "the pattern takes too long and was stopped",
    TroubleKind.PATTERN_ENDED: "the pattern was stopped: it needs too much",
}


@dataclass(frozen=True, slots=True)
class FoundInside:
    """What was found in one session."""

    texts: tuple[FoundText, ...] = ()
    """In file order."""
    more: int = 0
    """Texts with hits beyond those kept."""
    trouble: str = ""
    """Why these may not be all, in a few words, cleaned; empty when they are."""


def find_inside(
    service: SearchService, query: Query, path: str, *, stop: Callable[[], bool]
) -> FoundInside:
    """Return what a query finds in a session file; blocks.

    Args:
        service: What searches.
        query: What to look for.
        path: The file.
        stop: Whether nobody waits for the answer any more.

    Raises:
        StoreError: The search cannot be started, or it ended before its time.
    """
    options = SearchOptions(
        cells=_SNIPPET_CELLS, most_hits=MOST_TEXTS, ripgrep=find_ripgrep(), places=True
    )
    found, targets = FoundInside(), (SearchTarget(path),)
    events = service.search(query, Surroundings(), targets, options, stop=stop)
    with closing(events):
        for event in events:
            if isinstance(event, FoundIn):
                texts = tuple(_text(hit) for hit in event.hits)
                found = FoundInside(texts, event.more, found.trouble)
            elif isinstance(event, Trouble):
                said = _WORDS.get(event.kind, event.reason)
                found = FoundInside(found.texts, found.more, said)
    return found


def _text(hit: Hit) -> FoundText:
    return FoundText(
        kind=hit.kind,
        entry_id=EntryId(hit.entry_id) if hit.entry_id is not None else None,
        offset=hit.offset,
        line=hit.line,
        count=hit.count,
        starts=hit.starts,
        words=hit.words,
        call_id=hit.call_id,
        kept=hit.kept,
    )
