"""Narrow readers of decoded JSON: each takes anything and says what is usable in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ink_tui.model.text import clean

if TYPE_CHECKING:
    from ink_tui.model.messages import JsonValue

PREVIEW_CHARS = 2_000
"""Longest text kept of a value of unknown shape."""

_LEVELS = 64
_WORD_CHARS = 64

_NUMBERS = (int, float)
_PLAIN = frozenset((bool, int, float))


def text_or_none(value: object) -> str | None:
    """Return a cleaned string, or `None` when the value is not one."""
    return clean(value) if isinstance(value, str) else None


def shared(word: str) -> str:
    """Return a word as it was met before: names of tools and models are kept once."""
    return _met(word) if len(word) <= _WORD_CHARS else word


@lru_cache(maxsize=1024)
def _met(word: str) -> str:
    return word


def count_or_none(value: object) -> int | None:
    """Return a whole number of tokens, or `None` when the value is not a finite number."""
    if type(value) is int:
        return value
    if isinstance(value, bool) or not isinstance(value, _NUMBERS):
        return None
    if isinstance(value, float) and not abs(value) < 1e18:
        return None
    return int(value)


def preview(value: object) -> str:
    """Return a value as cleaned JSON text, cut to `PREVIEW_CHARS`."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError):
        return "(nested too deep to draw)"
    if len(text) > PREVIEW_CHARS:
        text = f"{text[:PREVIEW_CHARS]}… ({len(text):,} characters)"
    return clean(text)


def freeze(value: Any, level: int = 0, *, text: Callable[[str], str] = clean) -> JsonValue:
    """Return a read-only copy of a decoded value with every string cleaned.

    Containers nested deeper than 64 levels become a sentence: nobody can read them on a screen,
    and no walk over the result can run out of stack.

    Args:
        value: The decoded value.
        level: How deep it stands.
        text: What is done to every string in place of cleaning.
    """
    kind = type(value)
    if kind is str:
        return text(value)
    if value is None or kind in _PLAIN:
        plain: bool | int | float | None = value
        return plain
    if kind is dict or isinstance(value, Mapping):
        if level >= _LEVELS:
            return "(nested too deep to draw)"
        return MappingProxyType(
            {text(str(key)): freeze(item, level + 1, text=text) for key, item in value.items()}
        )
    if kind is list or isinstance(value, list):
        if level >= _LEVELS:
            return "(nested too deep to draw)"
        return tuple([freeze(item, level + 1, text=text) for item in value])
    return text(str(value))


def time_ms(value: object) -> int | None:
    """Return an ISO time stamp as milliseconds since 1970 in UTC, or `None` when unreadable."""
    if not isinstance(value, str) or len(value) < 10:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        return int(moment.timestamp() * 1000)
    except (OverflowError, ValueError):
        return None
