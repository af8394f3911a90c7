"""Bytes to a session, as they come (`formats/ink.md` sections 3, 5 and 7).

Complete lines are decoded once and kept; the unterminated rest at the end is judged anew each time
a session is asked for. Whether a bad line is forgiven depends on whether it is the last one that
is not blank, so that is decided only when the session is built.
"""

from __future__ import annotations

import re

from ink_tui.formats.decode import NotJson, decode
from ink_tui.formats.ink.build import build_session
from ink_tui.formats.ink.records import BadHeader, BadLine, BadRecord, read_header, read_record
from ink_tui.formats.jsonl import Line, is_blank, split_lines
from ink_tui.model.entries import Record, Span
from ink_tui.model.faults import FaultCode
from ink_tui.model.session import Header, Session

_RECORD_START = re.compile(
    rb'\{\s*"type"\s*:\s*(?:'
    rb'"[^"\\]{1,64}"\s*,\s*"id"\s*:\s*"(?:[^"\\]|\\.){1,256}"\s*,\s*"parentId"'
    rb'|"position"\s*,\s*"leafId"|"session_model"\s*,\s*"provider"|"session"\s*,\s*"version"'
    rb")\s*:"
)
"""How records begin (section 3); inside a text, its quotes would be escaped."""


class InkParser:
    """Parses one Ink session file, in pieces of any size."""

    def __init__(self) -> None:
        self._rest = b""
        self._offset = 0
        self._lines = 0
        self._agent_lines = 0
        self._header: Header | BadHeader | None = None
        self._items: list[Record | BadLine] = []
        self._size = 0

    def feed(self, piece: bytes) -> None:
        """Take the next bytes of the file."""
        self._size += len(piece)
        pending = self._rest + piece if self._rest else piece
        complete = pending.rfind(b"\n") + 1
        for line in split_lines(pending[:complete], self._offset):
            self._lines += 1
            item = self._read(line, self._lines, self._agent_lines + 1, self._header)
            if item is not None:
                self._agent_lines += 1
                self._keep(item)
        self._offset += complete
        self._rest = pending[complete:]

    def session(self) -> Session:
        """Return the session that the bytes so far make."""
        items = self._items
        header = self._header
        lines = self._lines
        last_line: Line | None = None
        if self._rest:
            lines += 1
            last_line = Line(self._offset, self._rest, terminated=False)
            item = self._read(last_line, lines, self._agent_lines + 1, header)
            if isinstance(item, Header | BadHeader):
                header = item
            elif item is not None:
                items = [*items, item]
        return build_session(header, items, last_line, lines, self._size)

    def _keep(self, item: Record | BadLine | Header | BadHeader) -> None:
        if isinstance(item, Header | BadHeader):
            self._header = item
        else:
            self._items.append(item)

    @staticmethod
    def _read(
        line: Line, number: int, agent_number: int, header: Header | BadHeader | None
    ) -> Record | BadLine | Header | BadHeader | None:
        if is_blank(line.content):
            return None
        span = Span(line.offset, line.length, number, agent_number)
        value = decode(line.content)
        if header is None:
            if isinstance(value, NotJson):
                reason = f"the first line is not JSON: {value.reason}"
                return BadHeader(FaultCode.BAD_HEADER, reason, span, None)
            return read_header(value, span)
        if isinstance(value, NotJson):
            return BadLine(
                span,
                FaultCode.INVALID_JSON,
                value.reason,
                None,
                holds_record=_holds_record(line.content),
            )
        record = read_record(value, span)
        if isinstance(record, BadRecord):
            return BadLine(span, record.code, record.reason, record, fatal_when_last=value is None)
        return record


def _holds_record(content: bytes) -> bool:
    """Whether a line that is not JSON holds a whole record: before zero bytes, or glued on.

    Blocks inside a message look like records, too, and may stand whole in one that was cut: only
    what begins as a record does counts.
    """
    stripped = content.rstrip(b"\0")
    if len(stripped) < len(content) and stripped and not isinstance(decode(stripped), NotJson):
        return True
    return any(
        isinstance(decode(stripped[found.start() :]), dict)
        for found in _RECORD_START.finditer(stripped, 1)
    )
