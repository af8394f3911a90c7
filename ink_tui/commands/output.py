"""Printing answers: JSON Lines for programs, one row per fact for people."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from ink_tui.model.text import clean

if TYPE_CHECKING:
    from collections.abc import Mapping

_ENCODER = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"))

OK = 0
NEGATIVE = 1
USAGE = 2
INTERNAL = 3


def print_json(answer: Mapping[str, object]) -> None:
    """Print one object on one line; half surrogates and control characters are escaped."""
    print(json_line(answer))


def json_line(answer: Mapping[str, object]) -> str:
    """Return an object as JSON on one line, with nothing but ASCII in it."""
    import orjson  # a third of the start of a command that prints no JSON

    with suppress(orjson.JSONEncodeError):  # half surrogates, or a number beyond 64 bits
        line = orjson.dumps(answer)
        if line.isascii():
            return line.decode()
    return _ENCODER.encode(answer)


def print_line(text: str) -> None:
    """Print one line for people, cleaned; what the terminal's encoding lacks becomes an escape."""
    encoding = sys.stdout.encoding or "utf-8"
    print(clean(text).encode(encoding, "backslashreplace").decode(encoding))


def ask(question: str) -> str:
    """Ask on stderr and return the line that is typed; empty at the end of the input."""
    print(clean(question), end="", file=sys.stderr, flush=True)
    return sys.stdin.readline()


def complain(sentence: str) -> None:
    """Print one diagnostic to stderr."""
    encoding = sys.stderr.encoding or "utf-8"
    safe = clean(sentence).encode(encoding, "backslashreplace").decode(encoding)
    print(f"ink-tui: {safe}", file=sys.stderr)
