"""Printing answers: JSON Lines for programs, one row per fact for people."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ink_tui.formats.json_line import json_line as json_line  # what answers are printed with
from ink_tui.model.text import clean

if TYPE_CHECKING:
    from collections.abc import Mapping

OK = 0
NEGATIVE = 1
USAGE = 2
INTERNAL = 3


def print_json(answer: Mapping[str, object]) -> None:
    """Print one object on one line; half surrogates and control characters are escaped."""
    print(json_line(answer))


def print_line(text: str) -> None:
    """Print one line for people, cleaned; what the terminal's encoding lacks becomes an escape."""
    print(printable(text))


def printable(text: str) -> str:
    """Return a text as it may be printed: cleaned, with escapes for what the encoding lacks."""
    encoding = sys.stdout.encoding or "utf-8"
    return clean(text).encode(encoding, "backslashreplace").decode(encoding)


def ask(question: str) -> str:
    """Ask on stderr and return the line that is typed; empty at the end of the input."""
    print(clean(question), end="", file=sys.stderr, flush=True)
    return sys.stdin.readline()


def complain(sentence: str) -> None:
    """Print one diagnostic to stderr."""
    encoding = sys.stderr.encoding or "utf-8"
    safe = clean(sentence).encode(encoding, "backslashreplace").decode(encoding)
    print(f"ink-tui: {safe}", file=sys.stderr)
