"""The process that searches beside the browser: one long line would hold up every key there.

    python -P -m ink_tui.store.search.worker

It reads frames from stdin: eight bytes of length, little end first, then a pickled `Request`, or
`None`, which ends the search that is under way, as does the next request. It answers each request
on stdout with frames of (number, event), and with (number, `None`) when that search has ended. Only
the program that started it writes to it and reads from it. It ends when its input ends.
"""

from __future__ import annotations

import os
import pickle
import select
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.store.search.engine import Search, SearchOptions
from ink_tui.store.search.spellings import Spellings

if TYPE_CHECKING:
    from ink_tui.model.query import Query
    from ink_tui.model.query_sessions import Surroundings
    from ink_tui.store.search.values import SearchTarget

LENGTH_BYTES = 8


@dataclass(frozen=True, slots=True)
class Request:
    """One search that is wanted."""

    number: int
    query: Query
    around: Surroundings
    options: SearchOptions
    targets: tuple[SearchTarget, ...] | None
    """The files; `None` for those of the request before."""


def frame_of(value: object) -> bytes:
    """Return a value as one frame."""
    content = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return len(content).to_bytes(LENGTH_BYTES, "little") + content


def serve(given: int, out: int) -> None:
    """Answer requests until there are no more.

    Args:
        given: Descriptor that requests are read from.
        out: Descriptor that answers are written to.
    """
    poll = select.poll()
    poll.register(given, select.POLLIN)
    spellings = Spellings()
    targets: tuple[SearchTarget, ...] = ()
    while (content := _read(given)) is not None:
        request: Request | None = pickle.loads(content)
        if request is None:
            continue
        targets = request.targets if request.targets is not None else targets
        search = Search(
            request.query,
            request.around,
            options=request.options,
            stop=lambda: bool(poll.poll(0)),
            spellings=spellings,
        )
        for event in search.run(targets):
            _write(out, frame_of((request.number, event)))
        _write(out, frame_of((request.number, None)))


def _read(given: int) -> bytes | None:
    """Return the next frame; not one byte more is taken, so that polling sees what follows."""
    head = _exactly(given, LENGTH_BYTES)
    return _exactly(given, int.from_bytes(head, "little")) if head is not None else None


def _exactly(given: int, length: int) -> bytes | None:
    found = bytearray()
    while len(found) < length:
        piece = os.read(given, length - len(found))
        if not piece:
            return None
        found += piece
    return bytes(found)


def _write(out: int, frame: bytes) -> None:
    left = memoryview(frame)
    while left:
        left = left[os.write(out, left) :]


if __name__ == "__main__":
    with suppress(BrokenPipeError, KeyboardInterrupt):
        serve(sys.stdin.fileno(), sys.stdout.fileno())
