"""Looking into, and changing one value of, the raw bytes of a record.

A record that is copied is never encoded anew (`formats/ink.md` 7.8). Where a copy must differ, one
value is replaced and every other byte stays. Iterative throughout.
"""

from __future__ import annotations

import json
import re

from ink_tui.errors import FormatError
from ink_tui.formats.decode import decode

_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+("?)', re.DOTALL)
"""A string, or one that never ends: taken whole as well, or each quote in it were tried anew."""
_TOKEN = re.compile(_STRING.pattern + rb"|[{}\[\]:,]", re.DOTALL)
_WHITE = b" \t\r\n"


def in_string(content: bytes) -> bool:
    """Whether some bytes, read from their start, end inside a string."""
    return any(not string[1] for string in _STRING.finditer(content))


def object_end(content: bytes, start: int, end: int) -> int | None:
    """Return where the object that begins at `start` ends; `None` when it does not.

    Only strings and brackets are looked at: whether it is JSON must be asked separately.

    Args:
        content: The bytes.
        start: The opening bracket.
        end: Where the bytes to look at end.
    """
    if content[start : start + 1] != b"{":
        return None
    depth = 0
    for token in _TOKEN.finditer(content, start, end):
        first = content[token.start()]
        if first in b"{[":
            depth += 1
        elif first in b"}]":
            depth -= 1
            if depth == 0:
                return token.end()
    return None


def with_escaped_breaks(raw: bytes) -> bytes:
    """Return a record with the line breaks that stand raw inside its strings written as escapes."""
    return raw.replace(b"\r\n", b"\\r\\n").replace(b"\n", b"\\n")


def with_parent(raw: bytes, parent: str | None) -> bytes:
    """Return a record with another `parentId`; every other byte stays.

    Args:
        raw: One record, without its newline.
        parent: The new value.

    Raises:
        FormatError: The bytes are not a record that names a parent.
    """
    value = json.dumps(parent, ensure_ascii=True).encode()
    # A name that stands twice counts with its last value, so each one is replaced.
    changed = raw
    for start, end in reversed(_values_of(raw, "parentId")):
        changed = changed[:start] + value + changed[end:]
    before, after = decode(raw), decode(changed)
    if not isinstance(before, dict) or not isinstance(after, dict) or "parentId" not in before:
        raise FormatError("A record to be copied has no parentId that could be replaced.")
    same = list(before) == list(after) and all(
        before[name] == after[name] for name in before if name != "parentId"
    )
    if not same or after["parentId"] != parent:
        raise FormatError("The parentId of a record could not be replaced alone.")
    return changed


def _values_of(raw: bytes, name: str) -> list[tuple[int, int]]:
    """Return where the values of a top-level name stand, without the white space around them."""
    found: list[tuple[int, int]] = []
    depth, key, value_at = 0, b"", -1
    for token in _TOKEN.finditer(raw):
        sign = raw[token.start() : token.start() + 1]
        if depth == 1 and sign in (b",", b"}") and value_at >= 0:
            if decode(key) == name:
                found.append(_trimmed(raw, value_at, token.start()))
            value_at = -1
        if sign in (b"{", b"["):
            depth += 1
        elif sign in (b"}", b"]"):
            depth -= 1
        elif depth == 1 and sign == b":" and value_at < 0:
            value_at = token.end()
        elif depth == 1 and sign == b'"' and value_at < 0:
            key = token.group()
    return found


def _trimmed(raw: bytes, start: int, end: int) -> tuple[int, int]:
    value = raw[start:end]
    left = len(value) - len(value.lstrip(_WHITE))
    return start + left, start + left + len(value.strip(_WHITE))
