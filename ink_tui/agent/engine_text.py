"""What every terminal engine does to text: cells fit to be drawn, keys without their Shift."""

from __future__ import annotations

import re
import unicodedata

UNDRAWABLE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Controls, and format characters that could turn the order of our own row."""

_JOINER = "\u200d"

# Alone, these have no width that everybody agrees on: marks without a base, format characters,
# unassigned ones, skin tones, half flags, two very long dashes.
_DISPUTED = frozenset({"Mc", "Mn", "Me", "Cf", "Cn", "Sk"})
_HALF_FLAGS = range(0x1F1E6, 0x1F200)
_LONG_DASHES = (0x2E3A, 0x2E3B)

_SHIFTED = dict(zip('~!@#$%^&*()_+{}|:"<>?', "`1234567890-=[]\\;',./", strict=True))


def drawable_cluster(text: str) -> str:
    """Return a cluster of several code points as it may be drawn, or a space."""
    # A joiner at the end has nothing to join but the neighbour it must leave alone.
    return UNDRAWABLE.sub("", text).rstrip(_JOINER) or " "


def is_disputed(point: int) -> bool:
    """Whether terminals and screens differ about the width of a lone code point."""
    if point < 0x80:
        return False
    return (
        unicodedata.category(chr(point)) in _DISPUTED
        or point in _HALF_FLAGS
        or point in _LONG_DASHES
    )


def unshifted(character: str) -> str:
    """Return what the key of a character types without Shift, on a US keyboard."""
    lowered = character.lower()
    return _SHIFTED.get(character, lowered if len(lowered) == 1 else character)
