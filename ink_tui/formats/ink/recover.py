"""Whole records on lines that are not JSON: glued on, before zero bytes, or split by a line break.

A record begins at the start of a line, or it is what remains of the line after a fragment: the
only rest that is JSON and passes the checks of a record. Inside a string every quotation mark is
escaped, so no text that looks like a record can be taken for one; and a record inside another
one's arguments is no rest of the line, because the outer one's brackets follow (`trust.md` 2.3).
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from ink_tui.formats.decode import NotJson, decode
from ink_tui.formats.ink.raw import in_string, object_end, with_escaped_breaks
from ink_tui.formats.ink.records import BadHeader, BadRecord, read_header, read_record
from ink_tui.model.entries import Record, Span
from ink_tui.model.recovered import RecoveredHow, RecoveredRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ink_tui.model.session import Header

JOINED_LINES = 8
"""Lines after the first that a split record is looked for in."""

_SCANS = 8
"""How often, on average, a byte of a line is looked at: objects nested deeper are given up."""

_LEAST_SCAN = 1 << 20
"""Bytes that are looked at in any case."""

_START = re.compile(rb'\{[ \t\r]*"(?:type|id|parentId|timestamp)"[ \t\r]*:')
_BLOCK = re.compile(rb'\{[ \t\r]*"type"[ \t\r]*:[ \t\r]*"(?:text|toolCall|thinking|image)"')
_RECORD_START = re.compile(
    rb'\{\s*"type"\s*:\s*(?:'
    rb'"[^"\\]{1,64}"\s*,\s*"id"\s*:\s*"(?:[^"\\]|\\.){1,256}"\s*,\s*"parentId"'
    rb'|"position"\s*,\s*"leafId"|"session_model"\s*,\s*"provider"|"session"\s*,\s*"version"'
    rb")\s*:"
)
"""How records begin (section 3); inside a text, its quotes would be escaped."""

_HEADER_START = re.compile(rb'\{[ \t\r]*"type"[ \t\r]*:[ \t\r]*"session"')
_HEADERS = 16
"""Places of the first line that are tried for a header."""

_PIECES = re.compile(rb"[^\0]+")
_WHITE = b" \t\r"


def recover_line(content: bytes, span: Span) -> tuple[RecoveredRecord, ...]:
    """Return the whole records on a line that is not JSON as a whole, in the line's order.

    Args:
        content: The line without its newline.
        span: Where it stands.
    """
    zeros = b"\0" in content
    how = RecoveredHow.BEFORE_ZEROS if zeros else RecoveredHow.GLUED
    found: list[RecoveredRecord] = []
    for piece in _PIECES.finditer(content):
        places = list(_in_piece(content, piece.start(), piece.end()))
        alone = (
            len(places) == 1
            and content[piece.start() : piece.end()].strip(_WHITE)
            == (content[places[0][0] : places[0][1]])
        )
        for start, end in places:
            record = _record(content, start, end, span)
            if record is not None:
                kind = how if alone else RecoveredHow.GLUED
                found.append(RecoveredRecord(record, kind))
    return tuple(found)


def recover_header(content: bytes, span: Span) -> Header | None:
    """Return the header that stands whole on a first line which is not JSON as a whole.

    Args:
        content: The line without its newline.
        span: Where it stands.
    """
    for match in islice(_HEADER_START.finditer(content), _HEADERS):
        end = object_end(content, match.start(), len(content))
        if end is None:
            continue
        header = read_header(
            decode(content[match.start() : end]),
            Span(span.offset + match.start(), end - match.start(), span.line, span.agent_line),
        )
        if not isinstance(header, BadHeader):
            return header
    return None


def holds_whole_json(content: bytes) -> bool:
    """Whether a line that is not JSON holds a whole record, maybe of a newer build.

    Before zero bytes any JSON counts. Behind a fragment only what begins as a record does: blocks
    inside a message look like records, too, and may stand whole in one that was cut.
    """
    stripped = content.rstrip(b"\0")
    if len(stripped) < len(content) and stripped and not isinstance(decode(stripped), NotJson):
        return True
    begins = [found.start() for found in _RECORD_START.finditer(stripped, 1)]
    left = _SCANS * len(stripped) + _LEAST_SCAN
    for at in reversed(begins):
        end = object_end(stripped, at, len(stripped))
        if end is None or left < 0:
            return False
        left -= end - at
        if not stripped[end:].strip(_WHITE) and isinstance(decode(stripped[at:]), dict):
            return True
    return False


def _in_piece(content: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the places of whole records in a piece without zero bytes, in order."""
    at = start
    while True:
        at = _skip(content, at, end)
        stop = object_end(content, at, end)
        if stop is None or not _is_record(content, at, stop):
            break
        yield at, stop
        at = stop
    yield from reversed(list(_rest(content, at, end)))


def _rest(content: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the records that end a piece, the last one first."""
    stop = start + len(content[start:end].rstrip(_WHITE))
    last = True
    for at, until in _starts(content, start, stop):
        if until > stop or content[until:stop].strip(_WHITE):
            continue
        if not _is_record(content, at, until):
            continue
        # Before the last record, one that may be a value inside the fragment is not certain.
        if not last and _may_be_nested(content[start:at]):
            return
        yield at, until
        stop, last = at, False


def _starts(content: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the objects that may be records, the last one first, with their ends."""
    begins = [match.start() for match in _START.finditer(content, start, end)]
    left = _SCANS * (end - start) + _LEAST_SCAN
    for at in reversed(begins):
        if _BLOCK.match(content, at) is not None:
            continue
        until = object_end(content, at, end)
        if until is None or left < 0:
            return  # whatever encloses an object without an end has none either
        left -= until - at
        yield at, until


def _may_be_nested(before: bytes) -> bool:
    """Whether an object right after some bytes can be a value of the object that they begin."""
    white = before.rstrip(_WHITE)
    return white.endswith((b":", b",", b"[")) and not in_string(white)


def _skip(content: bytes, at: int, end: int) -> int:
    while at < end and content[at : at + 1] in (b" ", b"\t", b"\r"):
        at += 1
    return at


_NOWHERE = Span(0, 0, 0, 0)


def _is_record(content: bytes, start: int, end: int) -> bool:
    return _record(content, start, end, _NOWHERE) is not None


def _record(content: bytes, start: int, end: int, line: Span) -> Record | None:
    span = Span(line.offset + start, end - start, line.line, line.agent_line)
    return _checked(decode(content[start:end]), span)


def _checked(value: Any, span: Span) -> Record | None:
    """Return a decoded record that passes the checks, or a whole one of a kind not known."""
    if isinstance(value, NotJson):
        return None
    record = read_record(value, span)
    if not isinstance(record, BadRecord):
        return record
    whole = {"id", "parentId", "timestamp"} <= value.keys() if isinstance(value, dict) else False
    usable = record.foreign and whole and record.shown.id is not None
    return record.shown if usable else None


@dataclass(frozen=True, slots=True)
class _Held:
    """A line that is no record, kept for the lines that follow."""

    offset: int
    content: bytes
    line: int
    agent_line: int
    opens: bool
    """It begins an object and ends inside a string."""


class SplitJoiner:
    """Joins the lines of a record that has line breaks inside a string; takes one line at a time.

    Only lines that are no records are joined, blank ones among them: no record is ever swallowed.
    """

    def __init__(self) -> None:
        self._held: deque[_Held] = deque(maxlen=JOINED_LINES)

    def clear(self) -> None:
        """Forget the lines before: a record follows."""
        self._held.clear()

    def take(self, content: bytes, span: Span) -> RecoveredRecord | None:
        """Take the next line that is no record; return the record that it completes."""
        found = self.completed(content, span)
        if found is not None:
            self.clear()
            return found
        opens = content.lstrip(_WHITE).startswith(b"{") and in_string(content)
        if opens or self._held:
            self._held.append(_Held(span.offset, content, span.line, span.agent_line, opens))
        return None

    def completed(self, content: bytes, span: Span) -> RecoveredRecord | None:
        """Return the record that a line completes, without taking the line."""
        if not content.rstrip(_WHITE).endswith(b"}"):
            return None
        held = list(self._held)
        for number, first in enumerate(held):
            if not first.opens:
                continue
            parts = [*(later.content for later in held[number:]), content]
            raw = b"\n".join(parts)
            place = Span(first.offset, len(raw), first.line, first.agent_line)
            record = _checked(decode(with_escaped_breaks(raw)), place)
            if record is not None:
                return RecoveredRecord(record, RecoveredHow.SPLIT, len(parts))
        return None
