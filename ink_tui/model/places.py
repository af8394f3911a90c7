"""Where given texts stand in a longer one, with the places that are only part of another text."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MAX_FOUND = 200
"""Places of one text that are looked at; a text with more of them counts as having so many."""
_PIECE_CHARS = 1 << 18
"""Characters that are searched in one go."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where a text stands."""

    text: str
    starts: tuple[int, ...]
    """The first character of every place, in order, without overlap; at most `MAX_FOUND`."""
    alone: int
    """How many of them are not part of a longer one of the texts that were looked for."""


def find_places(whole: str, texts: Iterable[str]) -> Mapping[str, Places]:
    """Return where each text stands; an empty text stands nowhere."""
    starts = {text: _starts(whole, text) for text in texts}
    return {text: _places(text, starts) for text in starts}


def _starts(whole: str, text: str) -> tuple[int, ...]:
    """Search in pieces: one search of a whole file would stop all other threads."""
    found: list[int] = []
    at = 0
    while text and at + len(text) <= len(whole) and len(found) < MAX_FOUND:
        place = whole.find(text, at, at + _PIECE_CHARS + len(text) - 1)
        if place < 0:
            at += _PIECE_CHARS
        else:
            found.append(place)
            at = place + len(text)
    return tuple(found)


def _places(text: str, starts: Mapping[str, tuple[int, ...]]) -> Places:
    covers = [
        (len(longer), found)
        for longer, found in starts.items()
        if found and len(longer) > len(text) and text in longer
    ]
    alone = sum(
        not any(_covered(at, len(text), length, found) for length, found in covers)
        for at in starts[text]
    )
    return Places(text, starts[text], alone)


def _covered(at: int, length: int, longer: int, starts: Sequence[int]) -> bool:
    before = bisect_right(starts, at) - 1
    return before >= 0 and at + length <= starts[before] + longer
