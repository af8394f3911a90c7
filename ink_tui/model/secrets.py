"""Taking secrets out of text before it leaves the program (`trust.md` 2.8).

Known shapes only: a secret without a shape, or one in pieces, stays. So nothing here may be called
a proof that a text holds none.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ink_tui.model.secret_shapes import SECRET_NAME, SHAPES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.secret_shapes import Shape

PRIVATE_KEY = "private-key"
SECRET_VALUE = "secret-value"

_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_KEY_CHARS = 20_000
"""Longest body of a private key, with what a listing puts around its lines."""
_AROUND_PIECE = r"(?:\\[nrt]|[^A-Za-z0-9+/=])"
"""A sign of a listing, or a blank as JSON writes it."""
_KEY_PIECE = re.compile(
    rf"{_AROUND_PIECE}{{0,16}}+(?:[0-9]{{1,6}}{_AROUND_PIECE}{{1,8}}+)?[A-Za-z0-9+/=]{{16,}}"
)
"""A line of a key's body, with the number and the signs before it."""
_LEAST_KEY = 40
"""Fewer characters of a body are a mention of a key, not a key."""
_KEY_LINE = re.compile(r"[A-Za-z0-9+/=]{24}")
"""What stands in every body; code that puts a key together does not hold it."""

_RUNS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_RANDOM_LENGTH = 12
_LONGEST_MEAN_RUN = 2.8
"""Words and names change between capitals, small letters and digits more seldom than this."""
_MIXED = re.compile(r"(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")
"""Where a letter and a digit stand side by side; names and versions part them by a sign."""
_PER_MIXED = 5
"""Characters for which a random value has one such place at the least; it has two."""
_DIGITS = re.compile(r"[0-9]+")
_LONGEST_OF_ALL_KINDS = 3.4
"""The same mean for values that hold all three kinds and digits in two places."""


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without the secrets that were found."""

    text: str
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many secrets of each kind were taken out."""


def redact(text: str) -> Redacted:
    """Return a text with each known secret replaced by `[redacted: KIND]`; linear in its length.

    Args:
        text: Any string.
    """
    counts: Counter[str] = Counter()
    if "PRIVATE KEY" in text:
        text = _without_keys(text, counts)
    folded: str | None = None
    for shape in SHAPES:
        if shape.fold:
            folded = text.lower() if folded is None else folded
        place = folded if shape.fold and folded is not None else text
        if any(needle in place for needle in shape.needles):
            text = _without(shape, text, counts)
    return Redacted(text, counts)


def redact_value(name: str, value: str) -> Redacted:
    """Return the value of a named field without secrets; all of it counts where the name says so.

    Args:
        name: Name of the field.
        value: Its text.
    """
    found = redact(value)
    if not found.counts and SECRET_NAME.search(name) and looks_random(value):
        return Redacted(placeholder(SECRET_VALUE), {SECRET_VALUE: 1})
    return found


def placeholder(kind: str) -> str:
    """Return what stands in the place of a secret."""
    return f"[redacted: {kind}]"


def looks_random(value: str) -> bool:
    """Whether a value is long and changes its kind of character more often than words do."""
    if len(value) < _RANDOM_LENGTH or any(char.isspace() for char in value):
        return False
    if value[0] in "~$<{%*" or len(set(value)) < _RANDOM_LENGTH // 2:
        return False
    kinds = sum(any(map(kind, value)) for kind in (str.islower, str.isupper, str.isdigit))
    runs = _RUNS.findall(value)
    if kinds < 2 or len(runs) <= 3:
        return False
    if _PER_MIXED * len(_MIXED.findall(value)) >= len(value):
        return True
    all_kinds = kinds == 3 and len(_DIGITS.findall(value)) > 1
    longest = _LONGEST_OF_ALL_KINDS if all_kinds else _LONGEST_MEAN_RUN
    is_path = value[0] in "./"
    return not is_path and sum(map(len, runs)) / len(runs) <= longest


def _without(shape: Shape, text: str, counts: Counter[str]) -> str:
    """Return a text without the secrets of one shape."""
    group = "secret" if "secret" in shape.pattern.groupindex else 0
    pieces: list[str] = []
    done = 0
    for match in shape.pattern.finditer(text):
        if shape.random_only and not looks_random(match[group]):
            continue
        start, end = match.span(group)
        pieces += (text[done:start], placeholder(shape.kind))
        done = end
        counts[shape.kind] += 1
    return "".join(pieces) + text[done:] if pieces else text


def _without_keys(text: str, counts: Counter[str]) -> str:
    """Return a text without private keys in their armour, the ones cut short included."""
    ends = [match.span() for match in _KEY_END.finditer(text)]
    next_end = 0
    pieces: list[str] = []
    done = 0
    for begin in _KEY_BEGIN.finditer(text):
        if begin.start() < done:
            continue
        while next_end < len(ends) and ends[next_end][0] < begin.end():
            next_end += 1
        stop = _key_stop(text, begin.end(), ends[next_end] if next_end < len(ends) else None)
        if stop is None:
            continue
        pieces += (text[done : begin.start()], placeholder(PRIVATE_KEY))
        done = stop
        counts[PRIVATE_KEY] += 1
    return "".join(pieces) + text[done:] if pieces else text


def _key_stop(text: str, start: int, end: tuple[int, int] | None) -> int | None:
    """Return where a key stops whose body starts at `start`; `None` for a mere mention."""
    if end is not None and end[0] - start <= _KEY_CHARS:
        is_key = end[0] - start >= _LEAST_KEY and _KEY_LINE.search(text, start, end[0])
        return end[1] if is_key else None
    stop = start
    while (piece := _KEY_PIECE.match(text, stop)) is not None:
        stop = piece.end()
    return stop if stop - start >= _LEAST_KEY else None
