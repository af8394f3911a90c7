"""The text that every match of a pattern holds, so that most lines need not be tried.

Cautious: what is not plainly understood gives no text, and every line is tried then.
"""

from __future__ import annotations

import re

_GROUP_FLAGS = re.compile(r"\(\?[aiLmsux-]*[:)]")
_INSIDE = re.compile(r"\(\?(?:[:=!>]|<[=!]|P<\w+>)")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_COUNT = re.compile(r"\{\d*,?\d*\}")
_ESCAPES = frozenset("dDsSwWbBAZ")
_LEAST_CHARS = 2


def literal_of(pattern: str) -> str:
    """Return the longest plain text that stands in every match of a pattern, or an empty one.

    Args:
        pattern: A pattern that compiles, by the rules of Python's `re`.
    """
    if any(group.group()[2:-1] for group in _GROUP_FLAGS.finditer(pattern)):
        return ""  # other flags change what the characters mean
    pieces = _pieces(pattern)
    if pieces is None:
        return ""
    best = max(pieces, key=len, default="")
    return best if len(best) >= _LEAST_CHARS else ""


def _pieces(pattern: str) -> list[str] | None:
    """Return the plain texts outside of groups, or `None` when there is a choice between them."""
    found: list[str] = [""]
    at, depth = 0, 0
    while at < len(pattern):
        char = pattern[at]
        literal = ""
        length = 1
        if char == "\\":
            length = 2
            after = pattern[at + 1 : at + 2]
            if after.isascii() and not after.isalnum():
                literal = after
            elif after not in _ESCAPES:
                return None  # \1, \x41, \n and their like
        elif char == "[":
            match = _CLASS.match(pattern, at)
            if match is None:
                return None
            length = match.end() - at
        elif char == "(":
            match = _INSIDE.match(pattern, at)
            if match is None and pattern[at + 1 : at + 2] == "?":
                return None
            length = match.end() - at if match is not None else 1
            depth += 1
        elif char == ")":
            depth -= 1
        elif char == "|":
            if depth == 0:
                return None
        elif char in "?*{":
            if char == "{" and (match := _COUNT.match(pattern, at)) is not None:
                length = match.end() - at
            found[-1] = found[-1][:-1]  # what stands before it may be missing
        elif char not in ".^$+":
            literal = char
        at += length
        if literal and depth == 0:
            found[-1] += literal
        elif found[-1]:
            found.append("")
    return found
