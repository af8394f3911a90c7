"""Bytes to a session, as they come (`formats/ink.md` sections 3, 5 and 7).

Complete lines are decoded once and kept; the unterminated rest at the end is judged anew each time
a session is asked for. Whether a bad line is forgiven depends on whether it is the last one that
is not blank, so that is decided only when the session is built.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ink_tui.formats.decode import NotJson, decode
from ink_tui.formats.ink.build import build_session
from ink_tui.formats.ink.messages import read_message, skim_message
from ink_tui.formats.ink.records import BadHeader, BadLine, BadRecord, read_header, read_record
from ink_tui.formats.ink.recover import (
    SplitJoiner,
    holds_whole_json,
    recover_header,
    recover_line,
)
from ink_tui.formats.jsonl import Line, is_blank
from ink_tui.model.entries import Record, Span
from ink_tui.model.faults import FaultCode
from ink_tui.model.recovered import RecoveredHow, RecoveredRecord
from ink_tui.model.session import Header, Session

_HEADERS = (Header, BadHeader)


class InkParser:
    """Parses one Ink session file, in pieces of any size."""

    def __init__(self, *, skimming: bool = False) -> None:
        """Make a parser that stands at the start of a file.

        Args:
            skimming: Leave out of the messages what no list row tells.
        """
        self._read_message = skim_message if skimming else read_message
        self._rest = b""
        self._offset = 0
        self._lines = 0
        self._agent_lines = 0
        self._header: Header | BadHeader | None = None
        self._items: list[Record | BadLine] = []
        self._size = 0
        self._joiner = SplitJoiner()
        self._split: list[RecoveredRecord] = []

    def feed(self, piece: bytes) -> None:
        """Take the next bytes of the file."""
        self._size += len(piece)
        pending = self._rest + piece if self._rest else piece
        complete = pending.rfind(b"\n") + 1
        start = 0
        while start < complete:
            end = pending.index(b"\n", start)
            content = pending[start:end]
            self._lines += 1
            span = Span(self._offset + start, end + 1 - start, self._lines, self._agent_lines + 1)
            item = self._read(content, span, self._header)
            if item is not None:
                self._agent_lines += 1
                self._keep(item)
            if not _may_be_joined(item):
                self._joiner.clear()
            elif (joined := self._joiner.take(content, span)) is not None:
                self._split.append(joined)
            start = end + 1
        self._offset += complete
        self._rest = pending[complete:]

    def session(self) -> Session:
        """Return the session that the bytes so far make."""
        items = self._items
        header = self._header
        lines = self._lines
        split = tuple(self._split)
        last_line: Line | None = None
        if self._rest:
            lines += 1
            last_line = Line(self._offset, self._rest, terminated=False)
            span = Span(self._offset, len(self._rest), lines, self._agent_lines + 1)
            item = self._read(self._rest, span, header)
            if isinstance(item, _HEADERS):
                header = item
            elif item is not None:
                items = [*items, item]
            if _may_be_joined(item):
                joined = self._joiner.completed(self._rest, span)
                split = (*split, joined) if joined is not None else split
        return build_session(header, items, last_line, lines, self._size, split)

    def _keep(self, item: Record | BadLine | Header | BadHeader) -> None:
        if isinstance(item, _HEADERS):
            self._header = item
        else:
            self._items.append(item)

    def _read(
        self, content: bytes, span: Span, header: Header | BadHeader | None
    ) -> Record | BadLine | Header | BadHeader | None:
        if is_blank(content):
            return None
        value = decode(content)
        if header is None:
            return _read_first(content, value, span)
        if isinstance(value, NotJson):
            recovered = recover_line(content, span)
            return BadLine(
                span,
                FaultCode.INVALID_JSON,
                value.reason,
                None,
                holds_record=bool(recovered) or holds_whole_json(content),
                recovered=recovered,
            )
        record = read_record(value, span, self._read_message)
        if isinstance(record, BadRecord):
            return BadLine(span, record.code, record.reason, record, fatal_when_last=value is None)
        return record


def _read_first(content: bytes, value: Any, span: Span) -> Header | BadHeader:
    """Return the header, or what else stands on the first line that is not blank."""
    if isinstance(value, NotJson):
        reason = f"the first line is not JSON: {value.reason}"
        return BadHeader(
            FaultCode.BAD_HEADER,
            reason,
            span,
            None,
            recover_line(content, span),
            recover_header(content, span),
        )
    header = read_header(value, span)
    if not isinstance(header, BadHeader) or header.header is not None:
        return header
    place = Span(span.offset, len(content), span.line, span.agent_line)
    record = read_record(value, place)
    if isinstance(record, BadRecord):
        return header
    return replace(header, recovered=(RecoveredRecord(record, RecoveredHow.FIRST_LINE),))


def _may_be_joined(item: Record | BadLine | Header | BadHeader | None) -> bool:
    """Whether a line may be a part of a record with line breaks in a string: bad, or blank."""
    return item is None or (isinstance(item, BadLine) and not item.recovered)
