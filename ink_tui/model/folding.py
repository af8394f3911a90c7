"""Letters that count as the same: Python's full case folding, and where a match of it stands.

A word in small letters is looked for without regard to case: it is found where its folded form
stands in the folded text. Folding may make a text longer (`ß` becomes `ss`), so places in the
folded text must be carried back. A letter counts as found whole when any part of its folded form
is.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

_CASED = (
    *((0x41, 0x5A), (0xB5, 0x24E), (0x345, 0x587), (0x10A0, 0x10CD), (0x13F8, 0x13FD)),
    *((0x1C80, 0x1CBF), (0x1E00, 0x1FFC), (0x2126, 0x2183), (0x24B6, 0x24CF), (0x2C00, 0x2CF2)),
    *((0xA640, 0xA69A), (0xA722, 0xA7F5), (0xAB70, 0xABBF), (0xFB00, 0xFB17), (0xFF21, 0xFF3A)),
    *((0x10400, 0x10427), (0x104B0, 0x104D3), (0x10570, 0x10595), (0x10C80, 0x10CB2)),
    *((0x118A0, 0x118BF), (0x16E40, 0x16E5F), (0x1E900, 0x1E921)),
)
"""Ranges that hold every character which folding changes; a test looks through all of Unicode."""

_LONGER = re.compile(
    "[\u00df\u0130\u0149\u01f0\u0390\u03b0\u0587\u1e96-\u1e9a\u1e9e\u1f50\u1f52\u1f54\u1f56"
    "\u1f80-\u1faf\u1fb2-\u1fb4\u1fb6\u1fb7\u1fbc\u1fc2-\u1fc4\u1fc6\u1fc7\u1fcc\u1fd2\u1fd3"
    "\u1fd6\u1fd7\u1fe2-\u1fe4\u1fe6\u1fe7\u1ff2-\u1ff4\u1ff6\u1ff7\u1ffc\ufb00-\ufb06"
    "\ufb13-\ufb17]"
)
"""Characters whose folded form has more than one."""


def is_exact(word: str) -> bool:
    """Whether a word is looked for as it is written: it holds a capital letter."""
    return any(char.isupper() or char.istitle() for char in word)


@cache
def fold_sources() -> dict[str, tuple[str, ...]]:
    """Return the characters that folding changes, by their folded form."""
    found: dict[str, list[str]] = {}
    for first, last in _CASED:
        for code in range(first, last + 1):
            char = chr(code)
            folded = char.casefold()
            if folded != char:
                found.setdefault(folded, []).append(char)
    return {folded: tuple(chars) for folded, chars in found.items()}


@cache
def _in_folded_forms() -> frozenset[str]:
    """Return the characters that something else folds to, or that stand in what it folds to."""
    return frozenset(char for folded in fold_sources() for char in folded)


@lru_cache(maxsize=256)
def _as_written(word: str) -> bool:
    """Whether folding a text changes nothing about where a word stands in it."""
    return is_exact(word) or (word.casefold() == word and _in_folded_forms().isdisjoint(word))


def holds_word(text: str, word: str) -> bool:
    """Whether a word stands in a text."""
    return word in text if _as_written(word) else word.casefold() in text.casefold()


def word_places(text: str, word: str, limit: int) -> list[tuple[int, int]]:
    """Return where a word stands in a text: start and end in characters, not overlapping.

    Args:
        text: Where to look.
        word: What to look for, not empty.
        limit: How many places are wanted.
    """
    if _as_written(word):
        return _places(text, word, limit)
    folded, wanted = text.casefold(), word.casefold()
    places = _places(folded, wanted, limit)
    if not places or len(folded) == len(text):
        return places
    return _carried_back(text, places)


def _places(text: str, word: str, limit: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    at = text.find(word)
    while at >= 0 and len(found) < limit:
        found.append((at, at + len(word)))
        at = text.find(word, at + len(word))
    return found


def _carried_back(text: str, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return places of a folded text as places of the text itself."""
    runs: list[tuple[int, int, int, int]] = []
    # Runs of equal growth: start in the folded text, its end, start in the text, its end.
    folded_at = text_at = 0
    for match in _LONGER.finditer(text):
        plain = match.start() - text_at
        grown = len(match.group().casefold())
        runs.append((folded_at, folded_at + plain, text_at, match.start()))
        folded_at += plain
        runs.append((folded_at, folded_at + grown, match.start(), match.end()))
        folded_at += grown
        text_at = match.end()
    runs.append((folded_at, folded_at + len(text) - text_at, text_at, len(text)))
    back: list[tuple[int, int]] = []
    number = 0
    for start, end in places:
        while runs[number][1] <= start:
            number += 1
        begin = _in_run(runs[number], start, ends=False)
        last = number
        while runs[last][1] < end:
            last += 1
        finish = _in_run(runs[last], end, ends=True)
        if back and begin < back[-1][1]:  # two matches inside one letter
            back[-1] = (back[-1][0], finish)
        else:
            back.append((begin, finish))
    return back


def _in_run(run: tuple[int, int, int, int], place: int, *, ends: bool) -> int:
    folded_start, folded_end, text_start, text_end = run
    if folded_end - folded_start == text_end - text_start:
        return text_start + place - folded_start
    return text_end if ends else text_start
