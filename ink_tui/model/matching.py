"""Does a record, or a session, answer a query (`ink_tui.model.query` says by which rule)?

All words must stand in one record: each in some passage of it that the record filters let pass. A
word with a minus must stand in none of those. The hits are the passages that hold a word; where
nothing but filters is asked, all that pass.

Patterns are never run here. They may take forever, so they run in a process of their own
(`ink_tui.store.search.patterns`); what they found comes in as values.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ink_tui.model.folding import holds_word, word_places
from ink_tui.model.passages import LEAST_OF_ID, Kind, Passage
from ink_tui.model.query import FilterTerm, Query, WordTerm
from ink_tui.model.query_filters import Filter

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_PLACES = 1_000
"""Places in one passage that are counted."""

SHORT_CHARS = 16_000
"""Texts no longer than this are shown at once: nobody asks where in them something stands."""

_MOST_WORDS = 50
_WORD_CHARS = 200

_ROLES = {
    "user": (Kind.USER,),
    "assistant": (Kind.ASSISTANT,),
    "thinking": (Kind.THINKING,),
    "tool": (Kind.CALL, Kind.RESULT),
    "call": (Kind.CALL,),
    "result": (Kind.RESULT,),
    "summary": (Kind.SUMMARY,),
    "label": (Kind.LABEL,),
    "name": (Kind.NAME,),
    "unknown": (Kind.UNKNOWN,),
}

Span = tuple[int, int]
"""Start and end in characters of a text."""

PatternSpans = tuple[tuple[Span, ...], ...]
"""For each pattern of the query, in order: where it was found in one passage, never empty spans."""


@dataclass(frozen=True, slots=True)
class Match:
    """A passage that answers a query."""

    passage: Passage
    places: tuple[Span, ...]
    """Where words and patterns stand, in order, not overlapping; empty where none was asked."""

    @property
    def starts(self) -> tuple[int, ...]:
        """Where the places start, in characters; empty for a short text."""
        if len(self.passage.text) <= SHORT_CHARS:
            return ()
        return tuple(start for start, _end in self.places[:MOST_PLACES])

    @property
    def words(self) -> tuple[str, ...]:
        """What stands in the places, each once; of a long one its start, of many the first."""
        found: dict[str, None] = {}
        for start, end in self.places:
            found[self.passage.text[start : min(end, start + _WORD_CHARS)]] = None
            if len(found) == _MOST_WORDS:
                break
        return tuple(found)


def select(passages: Sequence[Passage], query: Query) -> tuple[Passage, ...]:
    """Return the passages in which patterns must still be looked for; none: no answer here.

    Args:
        passages: All texts of one record.
        query: The query.
    """
    passing = tuple(each for each in passages if passes(each, query.record_filters))
    for term in query.terms:
        if not isinstance(term, WordTerm):
            continue
        if any(_holds(passage, term.text) for passage in passing) == term.negated:
            return ()
    return passing


def matches(
    selected: Sequence[Passage], query: Query, found: Sequence[PatternSpans] = ()
) -> tuple[Match, ...]:
    """Return the hits of one record, in its order.

    Args:
        selected: The passages that `select` returned.
        query: The query.
        found: What the patterns found in each of the passages; empty for a query without one.
    """
    patterns = query.patterns
    found = [_long_enough(passage, spans) for passage, spans in zip(selected, found, strict=False)]
    for number, pattern in enumerate(patterns):
        if any(spans[number] for spans in found) == pattern.negated:
            return ()
    wanted = [number for number, pattern in enumerate(patterns) if not pattern.negated]
    asked = bool(query.words or wanted)
    hits: list[Match] = []
    for index, passage in enumerate(selected):
        places: list[Span] = []
        for term in query.words:
            places += _places(passage, term.text)
        if found:
            for number in wanted:
                places += found[index][number]
        if places or (not asked and passage.kind not in (Kind.ID, Kind.PATH)):
            hits.append(Match(passage, _merged(places)))
    return tuple(hits)


def passes(passage: Passage, filters: Sequence[FilterTerm]) -> bool:
    """Whether a passage passes the filters about records: of each kind, one that is given."""
    for name in {term.filter for term in filters}:
        given = [term for term in filters if term.filter is name]
        if any(_fits(passage, term) for term in given if term.negated):
            return False
        wanted = [term for term in given if not term.negated]
        if wanted and not any(_fits(passage, term) for term in wanted):
            return False
    return True


def _fits(passage: Passage, term: FilterTerm) -> bool:
    if term.filter is Filter.ROLE:
        return passage.kind in _ROLES.get(term.value, ())
    if term.filter is Filter.TOOL:
        return bool(passage.tool) and fnmatchcase(
            passage.tool.casefold(), _only_stars(term.value.casefold())
        )
    return bool(passage.file) and holds_word(passage.file, term.value)


def _only_stars(pattern: str) -> str:
    """Return a pattern in which only the star is special."""
    return pattern.replace("[", "[[]").replace("?", "[?]")


def _holds(passage: Passage, word: str) -> bool:
    return _finds_id(passage, word) and holds_word(passage.text, word)


def _places(passage: Passage, word: str) -> list[Span]:
    if not _finds_id(passage, word):
        return []
    return word_places(passage.text, word, MOST_PLACES)


def _long_enough(passage: Passage, spans: PatternSpans) -> PatternSpans:
    """Return what patterns found, without pieces of ids that stand in many of them by chance."""
    if passage.kind is not Kind.ID:
        return spans
    least = min(LEAST_OF_ID, len(passage.text))
    return tuple(tuple(each for each in one if each[1] - each[0] >= least) for one in spans)


def _finds_id(passage: Passage, word: str) -> bool:
    """Whether a word is long enough for an id: three letters stand in many of them by chance."""
    if passage.kind is not Kind.ID or len(word) >= LEAST_OF_ID:
        return True
    return len(word) == len(passage.text)


def _merged(places: list[Span]) -> tuple[Span, ...]:
    if len(places) < 2:
        return tuple(places)
    merged: list[Span] = []
    for start, end in sorted(places):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
