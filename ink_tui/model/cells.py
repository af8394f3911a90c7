"""Cells of a terminal: how many a text takes, and where a row of it has to end.

Terminals differ in joined emoji, variation selectors and what newer versions of Unicode made wide.
Here such a text counts as wide as the widest of them draws it, so that a row is never too long for
any. Text is cleaned before (`ink_tui.model.text`).
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

TAB = 4
"""Characters between tab stops."""

_JOINERS = "\u200c\u200d"
_EMOJI_SELECTOR = "\ufe0f"
_WIDE_LATER = ((0x2630, 0x2637), (0x268A, 0x268F), (0x4DC0, 0x4DFF), (0x1D300, 0x1D376))
"""Wide only since Unicode 16."""
_PICTURES = (0x1F000, 0x1FAFF)
_FLAGS = (0x1F1E6, 0x1F1FF)
_SKINS = (0x1F3FB, 0x1F3FF)
_VOWELS_AND_ENDS = ((0x1160, 0x11FF), (0xD7B0, 0xD7FF))
"""Parts of Korean syllables that stand under the one before."""


def cell_width(text: str) -> int:
    """Return the most cells that any terminal gives a cleaned line without tabs."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def broken(line: str, columns: int) -> Iterator[str]:
    """Yield a line in rows of at most so many cells, further rows as far in as the first.

    A row ends at a blank, which goes with the break, where one stands in its second half; else
    anywhere but inside of what is drawn as one.

    Args:
        line: Cleaned text without newlines.
        columns: Cells of a row; at least 4.
    """
    text = line.expandtabs(TAB)
    indent = len(text) - len(text.lstrip(" "))
    lead = " " * indent if indent * 2 <= columns else ""
    narrow = text.isascii()
    start, before = 0, ""
    while True:
        room = columns - len(before)
        end = min(len(text), start + room) if narrow else _reach(text, start, room)
        if end == len(text):
            yield before + text[start:]
            return
        blank = text.rfind(" ", max(indent, start + (end - start) // 2), end + 1)
        if blank > start:
            yield before + text[start:blank]
            start = blank + 1
        else:
            yield before + text[start:end]
            start = end
        before = lead


def _reach(text: str, start: int, room: int) -> int:
    """Return where a row of so many cells ends that begins at a place; always behind it."""
    used = 0
    whole = start  # where the last thing begins that is drawn as one
    flag = False
    for at in range(start, len(text)):
        char = text[at]
        second = flag and _within(char, _FLAGS)
        flag = _within(char, _FLAGS) and not second
        if not (second or _continues(char) or (at > start and text[at - 1] in _JOINERS)):
            whole = at
        used += _cells(char)
        if used > room:
            return whole if whole > start else max(at, start + 1)
    return len(text)


@cache
def _cells(char: str) -> int:
    """Return the most cells of one character; what stands on the one before it takes none."""
    if char < "\u0300":
        return 1
    kind = unicodedata.category(char)
    if char in _JOINERS or (kind in ("Mn", "Me") and char != _EMOJI_SELECTOR):
        return 0
    wide = (
        kind == "Cn"
        or unicodedata.east_asian_width(char) in "WF"
        or any(_within(char, part) for part in (_PICTURES, *_WIDE_LATER))
    )
    return 2 if wide else 1


@cache
def _continues(char: str) -> bool:
    """Whether a character is drawn as one with the character before it."""
    return (
        char >= "\u0300" and (unicodedata.category(char) in ("Mn", "Me", "Mc") or char in _JOINERS)
    ) or any(_within(char, part) for part in (_SKINS, *_VOWELS_AND_ENDS))


def _within(char: str, part: tuple[int, int]) -> bool:
    return part[0] <= ord(char) <= part[1]
