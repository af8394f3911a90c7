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
from ink_tui.formats.ink.parser import InkParser
from ink_tui.formats.ink.records import BadHeader, BadRecord, read_header, read_record
from ink_tui.formats.ink.values import time_ms
from ink_tui.formats.jsonl import is_blank
from ink_tui.model.entries import InfoEntry, Span
from ink_tui.model.faults import Tail, TailState
from ink_tui.model.messages import UserMessage
from ink_tui.model.text import JS_BLANKS, first_line

if TYPE_CHECKING:
    from ink_tui.model.messages import Message
    from ink_tui.model.session import Header

_STAMP = re.compile(rb'"timestamp"\s*:\s*"([^"\\]{10,40})"')

_USUAL_START = re.compile(
    rb'\{"type":"([A-Za-z_]{1,40})","id":"[^"\\]{0,80}",'
    rb'"parentId":(?:null|"[^"\\]{0,80}"),"timestamp":"([^"\\]{23}Z)"'
)
"""How Ink begins every entry; what it names first is the entry's own."""
_OTHER_STARTS = (b'{"type":"position",', b'{"type":"session_model",', b'{"type":"session",')
_NAMING = b'"session_info"'

_USUAL_LENGTH = len("2026-01-01T00:00:00.000Z")
_NOWHERE = Span(0, 0, 1, 1)
_UNREAD = UserMessage(())
_ENDED_WELL = Tail(TailState.OK, "none", 0)


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
    tail: Tail | None
    """How the file ends; its places are not those in the file. `None` if the last line is cut."""


def glance(head: bytes, end: bytes, *, whole: bool) -> Glance | None:
    """Return what the ends of a file tell; `None` if Ink would not open it, or its head is cut.

    Args:
        head: The first bytes of the file.
        end: The last ones.
        whole: Whether the head is the whole file.
    """
    header: Header | None = None
    header_line = b""
    title, seen = "", False
    start, size = 0, len(head)
    while start < size:
        newline = head.find(b"\n", start)
        if newline < 0 and not whole:
            break
        content = head[start : newline if newline >= 0 else size]
        start = newline + 1 if newline >= 0 else size
        if is_blank(content):
            continue
        value = decode(content)
        if header is None:
            found = read_header(value, _NOWHERE)
            if isinstance(found, BadHeader):
                return None
            header, header_line = found, content
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
    piece = head if whole else end
    tail, stamp = _ending(piece, header_line, whole=whole)
    newest_stamp, naming = _starts(piece, whole=whole) if stamp is not None else (None, piece)
    name = _name(naming)
    if name is None and naming and naming is not piece:
        name = _name(piece)
    if name is None and not whole:
        name = _name(head)
    told = stamp is not None and stamp == newest_stamp
    newest = time_ms(stamp) if told else _newest(piece)
    if newest is None or (header.time_ms is not None and header.time_ms > newest):
        newest = header.time_ms
    return Glance(header, title, (name or "").strip(JS_BLANKS), seen, newest, tail)


def _ending(piece: bytes, header_line: bytes, *, whole: bool) -> tuple[Tail | None, str | None]:
    """Return how a file ends, and the time stamp of its last record if it ends well.

    Args:
        piece: The last bytes of the file.
        header_line: Its first line that is not blank, without the newline.
        whole: Whether the piece is the whole file.
    """
    stop = len(piece) - piece.endswith(b"\n")
    start = piece.rfind(b"\n", 0, stop) + 1
    if start and stop < len(piece):
        value = decode(piece[start:stop])
        record = read_record(value, _NOWHERE, _nothing_of)
        if isinstance(value, dict) and not isinstance(record, BadRecord):
            stamp = value.get("timestamp")
            return _ENDED_WELL, stamp if isinstance(stamp, str) else None
    while start and is_blank(piece[start:stop]):
        stop = start - 1
        start = piece.rfind(b"\n", 0, stop) + 1
    parser = InkParser(skimming=True)
    if start and piece[start:stop] != header_line:
        parser.feed(header_line + b"\n" + piece[start:])
    elif whole:
        parser.feed(piece)
    else:
        return None, None
    return parser.session().tail, None


def _starts(piece: bytes, *, whole: bool) -> tuple[str | None, bytes]:
    """Return the newest time stamp by how lines begin, and the part that holds the newest name.

    This is a small part of the work of looking through all the bytes. Where a line begins in
    another way than Ink writes it, there is no time stamp, and the part is all of the piece.

    Args:
        piece: The last bytes of the file, whose last line is a whole record.
        whole: Whether they are the whole file.
    """
    newest, naming = b"", b""
    begins, newline_from, size = _USUAL_START.match, piece.find, len(piece)
    start = 0 if whole else newline_from(b"\n") + 1 or size
    while start < size:
        match = begins(piece, start)
        stop = newline_from(b"\n", start)
        if stop < 0:
            stop = size
        if match is not None and match.end() <= stop:
            kind, stamp = match.groups()
            if stamp > newest:
                newest = stamp
            if kind == b"session_info":
                naming = piece[start:stop]
        elif stop > start and not piece.startswith(_OTHER_STARTS, start):
            return None, piece
        start = stop + 1
    return newest.decode("utf-8", "replace"), naming


def _nothing_of(_message: object) -> Message:
    """Return a message without content: whether a record is valid does not depend on it."""
    return _UNREAD


def _name(piece: bytes) -> str | None:
    """Return the newest name that a piece of a file gives, empty if it clears one."""
    if _NAMING not in piece:
        return None  # far quicker to tell than from the end
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
