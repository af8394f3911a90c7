"""JSON as Node would judge it.

orjson is the fast path. It rejects lines that Node accepts: half surrogates as escapes, bytes that
are not UTF-8, numbers out of range, nesting beyond 1,024 levels. So a line that orjson rejects gets
a second opinion before it may be called bad (`trust.md` 2.4): decode with replacement, refuse a
byte order mark and NaN, accept integers of any length; and beyond the parser's depth an iterative
scan that checks the syntax and keeps what stands deeper than `DEEP_LEVELS` as a sentence.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import orjson

DEEP_LEVELS = 64
"""Levels that the iterative scan keeps as values; what is nested deeper is not drawn anyway."""

_MAX_DIGITS = 4000
_WHITE = " \t\n\r"
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_SPACE = re.compile(r"[ \t\n\r]*")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}


@dataclass(frozen=True, slots=True)
class NotJson:
    """The bytes are not one JSON value, neither for orjson nor for Node."""

    reason: str
    """The parser's complaint in a few words."""


def decode(content: bytes) -> Any | NotJson:
    """Return the JSON value of a line, or `NotJson`; never raises.

    Args:
        content: The bytes of one line.
    """
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        pass
    text = content.decode("utf-8", "replace")
    if text.startswith("\ufeff"):
        return NotJson("starts with a byte order mark")
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_int=_any_integer)
    except RecursionError:
        return _scan(text)
    except ValueError as error:
        return NotJson(_complaint(error))


def json_length(value: object) -> int:
    """Return the length in characters of a decoded value as compact JSON text."""
    try:
        return len(orjson.dumps(value).decode())
    except (orjson.JSONEncodeError, TypeError):
        pass
    try:
        return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    except (ValueError, TypeError, RecursionError):
        return 0


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _any_integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_DIGITS else float(digits)


def _complaint(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.pos + 1}"
    return str(error)


def _scan(text: str) -> Any | NotJson:
    """Parse without recursion; values below `DEEP_LEVELS` become a sentence that says so."""
    stack: list[Any] = []  # open containers; None where deeper than is kept
    closers: list[str] = []
    keys: list[str | None] = []
    deep_start = 0
    root: Any = None
    position = _skip(text, 0)
    expect_value = True
    while True:
        if expect_value:
            token = text[position : position + 1]
            if token and token in "[{":
                if len(stack) == DEEP_LEVELS:
                    deep_start = position
                container: Any = ([] if token == "[" else {}) if len(stack) < DEEP_LEVELS else None
                stack.append(container)
                closers.append("]" if token == "[" else "}")
                keys.append(None)
                position = _skip(text, position + 1)
                if text[position : position + 1] == closers[-1]:
                    expect_value = False
                    continue
                if token == "{":
                    key_end = _key(text, position)
                    if key_end is None:
                        return NotJson(f"expected a name at character {position + 1}")
                    keys[-1], position = key_end
                continue
            scalar = _scalar(text, position)
            if scalar is None:
                return NotJson(f"expected a value at character {position + 1}")
            value, position = scalar
            if not stack:
                root = value
                break
            _store(stack, keys, value)
            expect_value = False
            position = _skip(text, position)
            continue
        token = text[position : position + 1]
        if token == closers[-1]:
            value = stack.pop()
            closers.pop()
            keys.pop()
            position += 1
            if value is None and len(stack) == DEEP_LEVELS:
                value = f"(nested too deep to draw: {position - deep_start:,} characters)"
            if not stack:
                root = value
                break
            if value is not None:
                _store(stack, keys, value)
            position = _skip(text, position)
            continue
        if token != ",":
            return NotJson(f"expected a comma or the end at character {position + 1}")
        position = _skip(text, position + 1)
        if closers[-1] == "}":
            key_end = _key(text, position)
            if key_end is None:
                return NotJson(f"expected a name at character {position + 1}")
            keys[-1], position = key_end
        expect_value = True
    if _skip(text, position) != len(text):
        return NotJson(f"more than one value at character {position + 1}")
    return root


def _store(stack: list[Any], keys: list[str | None], value: Any) -> None:
    parent = stack[-1]
    if isinstance(parent, list):
        parent.append(value)
    elif isinstance(parent, dict):
        parent[keys[-1]] = value


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _key(text: str, position: int) -> tuple[str, int] | None:
    match = _STRING.match(text, position)
    if match is None:
        return None
    after = _skip(text, match.end())
    if text[after : after + 1] != ":":
        return None
    return json.loads(match.group()), _skip(text, after + 1)


def _scalar(text: str, position: int) -> tuple[Any, int] | None:
    match = _STRING.match(text, position)
    if match:
        return json.loads(match.group()), match.end()
    match = _NUMBER.match(text, position)
    if match:
        digits = match.group()
        number = _any_integer(digits) if digits.lstrip("-").isdigit() else float(digits)
        return number, match.end()
    for word, value in _WORDS.items():
        if text.startswith(word, position):
            return value, position + len(word)
    return None
