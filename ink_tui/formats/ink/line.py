"""One line of a session file to what it holds (`formats/ink.md` sections 2, 3 and 7)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from ink_tui.formats.decode import NotJson, decode
from ink_tui.formats.ink.messages import read_message, skim_message
from ink_tui.formats.ink.records import BadHeader, BadLine, BadRecord, read_header, read_record
from ink_tui.formats.ink.recover import holds_whole_json, recover_header, recover_line
from ink_tui.formats.jsonl import is_blank
from ink_tui.model.entries import MessageEntry, Record, Span
from ink_tui.model.faults import FaultCode
from ink_tui.model.light import lighten
from ink_tui.model.messages import UserMessage
from ink_tui.model.recovered import RecoveredHow, RecoveredRecord
from ink_tui.model.session import Header

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.model.messages import Message

HeaderItem: TypeAlias = Header | BadHeader
Item: TypeAlias = "Record | BadLine | Header | BadHeader | None"
"""What a line holds; `None` for a blank one."""

HEADERS = (Header, BadHeader)


@dataclass(frozen=True, slots=True)
class Reading:
    """How a line is to be read."""

    skimming: bool = False
    """Leave out of the messages what no list row tells."""
    light: bool = False
    """Keep only the start of long texts (`ink_tui.model.light`)."""
    first: bool = False
    """The line is the first one that is not blank: the header's place."""
    untitled: bool = False
    """No message of the user stands before the line: the title is taken from its."""


def read_line(content: bytes, span: Span, reading: Reading) -> Item:
    """Return what a line holds; never raises.

    Of an oversized line no long text is kept, however it is read.

    Args:
        content: The line without its newline.
        span: Where it stands.
        reading: How it is read.
    """
    if content[:1] != b"{" and is_blank(content):
        return None
    value = decode(content)
    oversized = span.oversized
    if reading.first:
        return _read_first(content, value, span)
    if isinstance(value, NotJson):
        recovered = recover_line(content, span)
        if oversized:
            recovered = tuple(
                replace(each, record=lighten(each.record, title=reading.untitled))
                for each in recovered
            )
        return BadLine(
            span,
            FaultCode.INVALID_JSON,
            value.reason,
            None,
            holds_record=bool(recovered) or holds_whole_json(content),
            recovered=recovered,
        )
    read: Callable[[Any], Message] = skim_message if reading.skimming else read_message
    record = read_record(value, span, read)
    if isinstance(record, BadRecord):
        return BadLine(span, record.code, record.reason, record, fatal_when_last=value is None)
    if reading.light or oversized:
        return lighten(record, title=reading.untitled)
    return record


def whole_record(content: bytes, span: Span) -> Record | None:
    """Return the record of a line with all of its texts, or of a part of a line.

    Args:
        content: Its bytes.
        span: Where it stands.
    """
    value = decode(content.rstrip(b"\n"))
    if isinstance(value, NotJson):
        return None
    record = read_record(value, span)
    return record if not isinstance(record, BadRecord) else record.shown


def is_users(item: Item) -> bool:
    """Whether a line holds a message of the user."""
    return isinstance(item, MessageEntry) and isinstance(item.message, UserMessage)


def _read_first(content: bytes, value: Any, span: Span) -> HeaderItem:
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
