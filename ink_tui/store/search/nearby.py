"""The records around one place of a session file: for a look at a hit, not for a verdict.

Only some bytes before and behind the place are read, so it costs the same in a file of any size.
What stands farther away is not known: a call may seem to have no result, a record no parent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.formats.registry import INK
from ink_tui.store.files import open_for_reading, read_range

if TYPE_CHECKING:
    from ink_tui.model.session import Session

NEAR_BYTES = 1 << 17
"""Bytes read on each side of a place."""

MOST_BYTES = 4 << 20
"""Longest record that is read for a look."""

_HEADER_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Nearby:
    """Some lines of a session file, read as a session of their own."""

    session: Session
    whole_start: bool
    """Whether they begin with the first record of the file."""
    whole_end: bool
    """Whether they reach to its end."""


def read_nearby(path: str, offset: int) -> Nearby:
    """Return the records around a place of a session file.

    Args:
        path: The file.
        offset: First byte of a record, 0-based.

    Raises:
        UnreadableError: The file cannot be read.
    """
    with open_for_reading(path) as (descriptor, state):
        head = read_range(descriptor, 0, _HEADER_BYTES)
        header = head[: head.find(b"\n") + 1]
        start = max(len(header), offset - NEAR_BYTES)
        content = read_range(descriptor, start, max(0, offset - start) + NEAR_BYTES)
        end = start + len(content)
        while end < state.size and b"\n" not in content[max(0, offset - start) :]:
            piece = read_range(descriptor, end, NEAR_BYTES)
            if not piece or len(content) > MOST_BYTES:
                break
            content += piece
            end += len(piece)
    if start > len(header):
        content = content[content.find(b"\n") + 1 :]
    if end < state.size:
        content = content[: content.rfind(b"\n") + 1]
    parser = INK.parser()
    parser.feed(header + content)
    return Nearby(parser.session(), start <= len(header), end >= state.size)
