"""The process in which regular expressions run, so that one that never ends can be killed.

Run by file path, standard library only, with as little to import as can be:

    python -I -S pattern_process.py SECONDS

SECONDS is the processor time after which the system ends it: should the program that started it be
gone, nothing else would. It reads frames from stdin and answers each on stdout: eight bytes of
length, little end first, then a value as `marshal` writes it, which both sides read with the same
interpreter. The first frame is a list of (pattern, exact) and is answered by `None`. Each later one
is a list of texts and is answered by a list with one item a text: for each pattern the places,
start and end, at which it was found.
"""

from __future__ import annotations

import marshal
import re
import resource
import sys
from typing import BinaryIO

MOST_PLACES = 100
"""Places in one text that are looked for, a pattern."""

LENGTH_BYTES = 8


def main() -> None:
    """Answer until stdin ends."""
    seconds = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    given, out = sys.stdin.buffer, sys.stdout.buffer
    frame = _read(given)
    if frame is None:
        return
    compiled = [_compiled(pattern, exact) for pattern, exact in marshal.loads(frame)]
    _write(out, None)
    while (frame := _read(given)) is not None:
        _write(out, [[_places(each, text) for each in compiled] for text in marshal.loads(frame)])


def _compiled(pattern: str, exact: bool) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE | (0 if exact else re.IGNORECASE))


def _places(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    """Return where a pattern is found; a match of nothing is none."""
    found: list[tuple[int, int]] = []
    for match in pattern.finditer(text):
        if match.end() > match.start():
            found.append(match.span())
            if len(found) == MOST_PLACES:
                break
    return found


def _read(stream: BinaryIO) -> bytes | None:
    head = stream.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    length = int.from_bytes(head, "little")
    content = stream.read(length)
    return content if len(content) == length else None


def _write(stream: BinaryIO, value: list[list[list[tuple[int, int]]]] | None) -> None:
    content = marshal.dumps(value)
    stream.write(len(content).to_bytes(LENGTH_BYTES, "little") + content)
    stream.flush()


if __name__ == "__main__":
    main()
