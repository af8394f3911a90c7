"""The filter of the list: the query language, answered by what the rows themselves tell.

Plain words are found in any case. Where something is wrong with the filter, nothing is filtered
away, and what is wrong is told.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ink_tui.model.marks import ARCHIVED
from ink_tui.model.query import FilterTerm, Query, WordTerm, parse
from ink_tui.model.query_filters import Filter

if TYPE_CHECKING:
    from ink_tui.model.query import Term


@dataclass(frozen=True, slots=True)
class ListFilter:
    """What is asked of the rows."""

    query: Query = field(default_factory=Query)
    """No term keeps all rows."""
    trouble: str = ""
    """What is wrong with what was typed, in a sentence; holds what was typed, not cleaned."""

    @property
    def asks_for_archived(self) -> bool:
        """Whether archived sessions are asked for by name."""
        return any(not term.negated and _value(term) == ARCHIVED for term in self.query.terms)


def read_filter(text: str) -> ListFilter:
    """Return what a filter asks; never raises."""
    query = parse(text)
    if query.problem is not None:
        return ListFilter(trouble=query.problem.sentence)
    return ListFilter(Query(tuple(_in_any_case(term) for term in query.terms)))


def _in_any_case(term: Term) -> Term:
    return replace(term, text=term.text.casefold()) if isinstance(term, WordTerm) else term


def _value(term: Term) -> str:
    if isinstance(term, WordTerm):
        return term.text
    return term.value if isinstance(term, FilterTerm) and term.filter is Filter.IS else ""
