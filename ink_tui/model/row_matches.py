"""What a row of the list shows by itself of a query that it answers: no file is read for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.folding import word_places
from ink_tui.model.passages import Kind
from ink_tui.model.query_sessions import row_answers
from ink_tui.model.row_words import title_words
from ink_tui.model.snippets import Snippet, snippet

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.query import Query
    from ink_tui.model.query_sessions import Surroundings
    from ink_tui.model.row_words import Activity

_MOST_PLACES = 20
"""Places of one word in one text that are marked."""


@dataclass(frozen=True, slots=True)
class RowMatch:
    """The text of a row in which a word of a query stands."""

    kind: Kind
    snippet: Snippet
    count: int
    """How often words stand in it; 0 where no word was asked, or where it stands elsewhere."""


def row_match(
    row: SessionRow,
    query: Query,
    around: Surroundings,
    activity: Activity | None = None,
    *,
    cells: int,
) -> RowMatch | None:
    """Return what a row shows of a query; `None` when it does not answer it.

    Args:
        row: What is known of a session.
        query: The query.
        around: What its filters refer to.
        activity: What an agent does in the session.
        cells: Width of the snippet.
    """
    if not row_answers(row, query, around, activity):
        return None
    for kind, text in _texts(row):
        places = _places(text, query)
        if places:
            return RowMatch(kind, snippet(text, places, cells), len(places))
    return RowMatch(Kind.SESSION, snippet(title_words(row), (), cells), 0)


def _texts(row: SessionRow) -> tuple[tuple[Kind, str], ...]:
    """Return the texts that stand in the file in this way, the most telling first."""
    return (
        (Kind.USER, row.gist.first_request),
        (Kind.USER, row.gist.last_request),
        (Kind.NAME, row.title),
        (Kind.PATH, row.cwd),
        (Kind.ID, row.session_id or ""),
    )


def _places(text: str, query: Query) -> list[tuple[int, int]]:
    """Return where words stand in a text, in order, not overlapping."""
    found: list[tuple[int, int]] = []
    for term in query.words:
        found += word_places(text, term.text, _MOST_PLACES)
    kept: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if kept and start < kept[-1][1]:
            kept[-1] = (kept[-1][0], max(end, kept[-1][1]))
        else:
            kept.append((start, end))
    return kept
