"""Where in one large file a word may stand, asked of ripgrep: it is many times faster than we are.

What it tells is where to look, never an answer by itself.
"""

from __future__ import annotations

import os
import select
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

LEAST_BYTES = 1 << 20
"""Files above this are looked at this way; a smaller one is read before a process is started."""

_MOST_TOLD = 8 << 20
"""Bytes of an answer above which a word is too frequent for it to be of use."""

SAFE_OPTIONS = (
    *("--no-config", "--no-messages", "--color=never"),
    *("--text", "--encoding=none", "--no-pcre2"),
)
"""What makes ripgrep look at bytes as they are, whatever its user has set."""

PLACES_OPTIONS = ("--no-heading", "--line-number", "--byte-offset", "--only-matching")
"""What makes it tell places."""

_LOOK_SECONDS = 0.02
_PIPE_BYTES = 1 << 16
_FINE = (0, 1)
"""Exit statuses of a whole answer: something matches, or nothing does."""


class Place(NamedTuple):
    """One place in a line."""

    line: int
    """Number of the physical line, 1-based."""
    offset: int
    """Where in the file it is (0-based)."""


def find_places(
    program: str, source: str, path: str, stop: Callable[[], bool]
) -> list[Place] | None:
    """Return one place of each line in which an expression is found, in file order.

    Args:
        program: Path of ripgrep.
        source: A regular expression over bytes.
        path: The file, absolute.
        stop: Whether nobody waits for an answer any more.

    Returns:
        `None` when it cannot be told, or when there are too many places.
    """
    command = [program, *SAFE_OPTIONS, *PLACES_OPTIONS, "--no-filename"]
    command += ["-e", f"(?-u){source}", "--", path]
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        return None
    with process:
        try:
            told = _all_that_is_told(process, stop)
        finally:
            with suppress(ProcessLookupError):
                process.kill()
    if told is None or process.returncode not in _FINE:
        return None
    return _read(told)


def _all_that_is_told(process: subprocess.Popen[bytes], stop: Callable[[], bool]) -> bytes | None:
    assert process.stdout is not None
    descriptor = process.stdout.fileno()
    pieces: list[bytes] = []
    length = 0
    while length <= _MOST_TOLD:
        if not select.select([descriptor], [], [], _LOOK_SECONDS)[0]:
            if stop():
                return None
            continue
        piece = os.read(descriptor, _PIPE_BYTES)
        if not piece:
            process.wait()
            return b"".join(pieces)
        pieces.append(piece)
        length += len(piece)
    return None


def _read(told: bytes) -> list[Place] | None:
    """Return the first place of each line that an answer names."""
    found: list[Place] = []
    for item in told.split(b"\n"):
        line, colon, rest = item.partition(b":")
        if not colon:
            continue  # the end, or a match that goes on: matches hold no line breaks
        offset = rest.partition(b":")[0]
        if not (line.isdigit() and offset.isdigit()):
            return None
        if not found or found[-1].line != int(line):
            found.append(Place(int(line), int(offset)))
    return found
