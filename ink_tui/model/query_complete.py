"""What can be typed next in a query, with what it means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.folding import holds_word
from ink_tui.model.query import quoted
from ink_tui.model.query_filters import MEANINGS, VALUES, Filter

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_OFFERED = 50

_DATES = {
    "today": "since midnight",
    "yesterday": "the day before",
    "<2d": "in the last two days",
    "<1w": "in the last week",
    "<30d": "in the last thirty days",
    ">30d": "longer ago than that",
}
_OTHERS = {
    "re:": 'a regular expression; re:"with blanks"',
    '"': "exactly these words, up to the next quotation mark",
    "-": "not: a word, a phrase or a filter",
}


@dataclass(frozen=True, slots=True)
class Offers:
    """Values that only the sessions tell, most used first."""

    dirs: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that can be typed."""

    text: str
    """What takes the place of the piece; whole, quoted where it must be."""
    meaning: str
    """What it means, in a few words; empty where it says so itself."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What fits at the cursor."""

    start: int
    """First character of the query that a candidate takes the place of, 0-based."""
    end: int
    candidates: tuple[Candidate, ...]

    def applied(self, text: str, number: int) -> tuple[str, int]:
        """Return the query with a candidate put in, and where the cursor then stands."""
        chosen = self.candidates[number].text
        # A whole value is followed by a blank, a name of a filter by its value.
        tail = text[self.end :]
        if not chosen.endswith((":", '"', "-")) or (chosen.endswith('"') and len(chosen) > 1):
            chosen += "" if tail[:1].isspace() else " "
        return text[: self.start] + chosen + tail, self.start + len(chosen)


def complete(text: str, cursor: int, offers: Offers) -> Completion:
    """Return what fits at the cursor; nothing inside a phrase or a pattern.

    Args:
        text: The query as it is typed.
        cursor: Character before which the cursor stands, 0-based.
        offers: Values that the sessions tell.
    """
    start = _piece_start(text, cursor)
    if start is None:
        return Completion(cursor, cursor, ())
    piece = text[start:cursor]
    start += piece.startswith("-") and len(piece) > 1
    piece = text[start:cursor]
    end = cursor
    while end < len(text) and not text[end].isspace():
        end += 1
    name, colon, value = piece.partition(":")
    if not colon:
        return Completion(start, end, tuple(_names(piece)))
    known = next((each for each in Filter if each.value == name), None)
    if known is None:
        return Completion(start, end, ())
    wanted = value.removeprefix('"')
    candidates = tuple(
        Candidate(f"{name}:{_plain(each)}", meaning)
        for each, meaning in _values(known, offers)
        if not wanted or holds_word(each, wanted)
    )
    return Completion(start, end, candidates[:MOST_OFFERED])


def _piece_start(text: str, cursor: int) -> int | None:
    """Return where the piece at the cursor begins; `None` inside quotes that hold no value."""
    start, quote = 0, -1
    for at, char in enumerate(text[:cursor]):
        if char == '"' and (quote >= 0 or at == start or text[at - 1] in ":-"):
            quote = -1 if quote >= 0 else at
        elif char.isspace() and quote < 0:
            start = at + 1
    if quote < 0:
        return start
    name = text[start:quote].lstrip("-").removesuffix(":")
    return start if any(each.value == name for each in Filter) else None


def _names(piece: str) -> Iterable[Candidate]:
    for name, meaning in MEANINGS.items():
        if name.value.startswith(piece):
            yield Candidate(f"{name.value}:", meaning)
    for text, meaning in _OTHERS.items():
        if text.startswith(piece):
            yield Candidate(text, meaning)


def _values(name: Filter, offers: Offers) -> Iterable[tuple[str, str]]:
    if name is Filter.DATE:
        return _DATES.items()
    if name in VALUES:
        return VALUES[name].items()
    told = {Filter.DIR: offers.dirs, Filter.MODEL: offers.models, Filter.TOOL: offers.tools}
    return [(each, "") for each in told.get(name, ())]


def _plain(value: str) -> str:
    """Return a value as it is typed: in quotes where it holds a blank or begins with a quote."""
    return quoted(value) if value[:1] == '"' or any(map(str.isspace, value)) else value
