"""What the two ends of a session file tell, without reading the rest (`performance.md` section 5).

This is for thousands of files at once: the header, the lines up to the first question, the newest
name and the newest time stamp. What needs the whole file is unknown here, never guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.formats.decode import NotJson, decode
from ink_tui.formats.ink.messages import read_content
from ink_tui.formats.ink.records import BadHeader, read_header, read_record
from ink_tui.formats.ink.values import time_ms
from ink_tui.formats.jsonl import is_blank, split_lines
from ink_tui.model.entries import InfoEntry, Span
from ink_tui.model.messages import UserMessage
from ink_tui.model.text import JS_BLANKS, first_line

if TYPE_CHECKING:
    from ink_tui.model.session import Header

_STAMP = re.compile(rb'"timestamp"\s*:\s*"([^"\\]{10,40})"')

_NAMING = b'"session_info"'

_USUAL_LENGTH = len("2026-01-01T00:00:00.000Z")


@dataclass(frozen=True, slots=True)
class Glance:
    """What can be said of a session after a look at its two ends."""

    header: Header
    title: str
    """First line of the first question, cleaned; empty when it was not among what was read."""
    name: str
    """The newest name near the end, else near the beginning; empty when there is none."""
    message_seen: bool
    last_ms: int | None
    """Newest time stamp of a record near the end, else the header's."""


def glance(head: bytes, end: bytes, *, whole: bool) -> Glance | None:
    """Return what the ends of a file tell; `None` if Ink would not open it, or its head is cut.

    Args:
        head: The first bytes of the file.
        end: The last ones.
        whole: Whether the head is the whole file.
    """
    header: Header | None = None
    title, seen = "", False
    for line in split_lines(head, 0):
        if is_blank(line.content) or not (line.terminated or whole):
            continue
        value = decode(line.content)
        if header is None:
            found = read_header(value, Span(line.offset, line.length, 1, 1))
            if isinstance(found, BadHeader):
                return None
            header = found
            continue
        if not isinstance(value, dict) or value.get("type") != "message":
            continue
        message = value.get("message")
        if not isinstance(message, dict):
            continue
        seen = True
        if message.get("role") == "user":
            title = first_line(UserMessage(read_content(message.get("content"))).text)
            break
    if header is None:
        return None
    name = None if whole else _name(end)
    if name is None:
        name = _name(head)
    stamps = (header.time_ms, _newest(head if whole else end))
    known = [moment for moment in stamps if moment is not None]
    newest = max(known, default=None)
    return Glance(header, title, (name or "").strip(JS_BLANKS), seen, newest)


def _name(piece: bytes) -> str | None:
    """Return the newest name that a piece of a file gives, empty if it clears one."""
    at = len(piece)
    while (at := piece.rfind(_NAMING, 0, at)) >= 0:
        start = piece.rfind(b"\n", 0, at) + 1
        stop = piece.find(b"\n", at)
        value = decode(piece[start : stop if stop >= 0 else len(piece)])
        # The word may stand in the arguments of a call, and the line may be cut.
        if not isinstance(value, NotJson):
            record = read_record(value, Span(start, 0, 1, 1))
            if isinstance(record, InfoEntry):
                return record.name
        at = start
    return None


def _newest(piece: bytes) -> int | None:
    """Return the newest time stamp of the records in a piece of a file.

    A match may stand deeper in a record, in the arguments of a call: so the newest is looked up in
    its record, and the next one tried when it is not the record's own.
    """
    found = list(_STAMP.finditer(piece))
    if all(len(match[1]) == _USUAL_LENGTH and match[1].endswith(b"Z") for match in found):
        found.sort(key=lambda match: match[1], reverse=True)  # as the moments order themselves
    else:
        found.sort(key=lambda match: _moment(match) or 0, reverse=True)
    for match in found:
        start = piece.rfind(b"\n", 0, match.start()) + 1
        stop = piece.find(b"\n", match.end())
        value = decode(piece[start : stop if stop >= 0 else len(piece)])
        if isinstance(value, NotJson) or not isinstance(value, dict):
            continue
        moment = _moment(match)
        if moment is not None and time_ms(value.get("timestamp")) == moment:
            return moment
    return None


def _moment(match: re.Match[bytes]) -> int | None:
    return time_ms(match[1].decode("ascii", "replace"))
