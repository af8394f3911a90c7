"""List rows as the lines that commands print, kept beside the rows so that printing decodes none.

A kept line holds what follows from the file alone and lacks its end: how fresh the file is and what
is marked on the session is put behind it when it is printed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from ink_tui.formats.json_line import json_line
from ink_tui.model.row_fields import content_fields, is_left_out, mark_fields, moment_of

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.liveness import Freshness
    from ink_tui.model.marks import SessionMarks
    from ink_tui.store.files import Fingerprint


class RowLine(NamedTuple):
    """A row as it is printed; lines order themselves as rows do."""

    order: int
    """Its place: the negative moment of the last activity, in milliseconds since 1970."""
    path: str
    left_out: bool
    """It is printed only where all are asked for."""
    line: bytes
    """One JSON object without its end."""


def line_of(row: SessionRow) -> RowLine:
    """Return the line of a row."""
    content = json_line(content_fields(row))[:-1].encode("ascii")
    return RowLine(-moment_of(row), row.path, is_left_out(row), content)


def end_of_line(fresh: Freshness, marks: SessionMarks) -> bytes:
    """Return the end of a line, with the line break: how fresh the file is, and what is marked."""
    end = json.dumps({"live": fresh, **mark_fields(marks)}, separators=(",", ":"))
    return b"," + end[1:].encode("ascii") + b"\n"


def check_of(line: bytes, name: bytes, state: Fingerprint, order: int) -> int:
    """Return a checksum over a line, its place in the order, its file and the state of that.

    Args:
        line: The line, as it is kept.
        name: The path as bytes.
        state: The file when it was read.
        order: The place of the line.
    """
    device, inode, size, mtime_ns = state
    numbers = (order ^ device ^ inode ^ size ^ mtime_ns) & 0xFFFF_FFFF
    return crc32(line, crc32(name, numbers))
