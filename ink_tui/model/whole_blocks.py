"""Blocks of a light transcript made whole again from the records they come from.

A record that was read again is believed only where it gives the very light values that are known:
a file that was rewritten meanwhile gives no text that the rest of the screen does not know of.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.model.entries import BranchSummaryEntry, CompactionEntry, MessageEntry
from ink_tui.model.light import has_cut, light_call, light_message, light_result, lighten
from ink_tui.model.messages import (
    AssistantMessage,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResult,
    ToolResultMessage,
    UserMessage,
)
from ink_tui.model.seen_blocks import copy_number
from ink_tui.model.text import first_line, one_line
from ink_tui.model.transcript import (
    Block,
    Body,
    CompactionBody,
    OrphanBody,
    SummaryBody,
    TextBody,
    ThinkingBody,
    ToolBody,
    TurnBody,
    UserBody,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.entries import Record, Span
    from ink_tui.model.messages import AssistantBlock, Message
    from ink_tui.model.outline_rows import OutlineRow


def is_light(block: Block) -> bool:
    """Whether a text of a block is only its start."""
    body = block.body
    if isinstance(body, TurnBody):
        return body.cut
    if isinstance(body, TextBody | ThinkingBody | SummaryBody | CompactionBody):
        return body.cut is not None
    if isinstance(body, UserBody):
        return has_cut(UserMessage(body.content))
    if isinstance(body, ToolBody):
        cut = body.call.brief is not None
        return cut or (body.result is not None and body.result.brief is not None)
    return isinstance(body, OrphanBody) and body.result.brief is not None


def wanted_spans(block: Block) -> tuple[Span, ...]:
    """Return the places of the records that a light block is made whole from."""
    body = block.body
    if not isinstance(body, ToolBody):
        return (block.span,) if block.span is not None else ()
    asked = block.span if body.call.brief is not None else None
    answered = body.result is not None and body.result.brief is not None
    spans = (asked, body.result_span if answered else None)
    return tuple(span for span in spans if span is not None)


def whole_block(block: Block, records: Mapping[int, Record]) -> Block | None:
    """Return a light block with all of its texts; `None` where a record does not fit to it.

    Args:
        block: The light block.
        records: Whole records by the offset at which they stand.
    """
    body = _whole_body(block, records)
    return replace(block, body=body) if body is not None else None


def is_start_of(light: Record, whole: Record) -> bool:
    """Whether a record that is kept light is that of a whole one."""
    return light in (lighten(whole), lighten(whole, title=True))


def whole_row(row: OutlineRow, record: Record | None, records: Mapping[int, Record]) -> OutlineRow:
    """Return a row of the tree with its call and its result whole, as far as records fit to it.

    Args:
        row: The row.
        record: Its record as it is kept.
        records: Whole records by the offset at which they stand.
    """
    own = records.get(row.span.offset) if row.span is not None else None
    answer = records.get(row.result_span.offset) if row.result_span is not None else own
    call = _call(row.call, own, _place(row.call, record)) if row.call is not None else None
    result = _result(row.result, answer) if row.result is not None else None
    return replace(row, call=call or row.call, result=result or row.result)


def _whole_body(block: Block, records: Mapping[int, Record]) -> Body | None:
    body = block.body
    if isinstance(body, ToolBody):
        return _tool(block, body, records)
    record = records.get(block.span.offset) if block.span is not None else None
    if isinstance(record, CompactionEntry) and isinstance(body, CompactionBody):
        fits = _light(record) == (body.summary, body.cut)
        return replace(body, summary=record.summary, cut=None) if fits else None
    if isinstance(record, BranchSummaryEntry) and isinstance(body, SummaryBody):
        fits = _light(record) == (body.text, body.cut)
        return SummaryBody(record.summary) if fits else None
    record = _copied(block, record)
    if not isinstance(record, MessageEntry) or record.id != block.entry_id:
        return None
    message = record.message
    if isinstance(message, UserMessage) and isinstance(body, TurnBody):
        title = one_line(first_line(message.text))
        return replace(body, title=title, cut=False) if title.startswith(body.title) else None
    if isinstance(message, UserMessage) and isinstance(body, UserBody):
        return replace(body, content=message.content) if _same(message, body) else None
    if isinstance(message, AssistantMessage) and isinstance(body, TextBody | ThinkingBody):
        return _said(block, body, message)
    if isinstance(message, ToolResultMessage) and isinstance(body, OrphanBody):
        result = _result(body.result, record)
        return OrphanBody(result) if result is not None else None
    return None


def _copied(block: Block, record: Record | None) -> Record | None:
    """Return the message that a block shows of a compaction's copies, as a record of its own."""
    number = copy_number(block.key)
    if not isinstance(record, CompactionEntry) or number is None:
        return record
    tail = record.retained_tail or ()
    if number >= len(tail):
        return None
    return MessageEntry(
        id=record.id,
        parent_id=record.parent_id,
        timestamp=record.timestamp,
        time_ms=record.time_ms,
        span=record.span,
        message=tail[number],
    )


def _light(record: CompactionEntry | BranchSummaryEntry) -> tuple[str, object]:
    light = lighten(record)
    assert isinstance(light, CompactionEntry | BranchSummaryEntry)
    return light.summary, light.cut


def _same(message: UserMessage, body: UserBody) -> bool:
    """Whether a message has the texts of a block, of the first one of which more may be kept."""
    if len(message.content) != len(body.content):
        return False
    for whole, light in zip(message.content, body.content, strict=True):
        if isinstance(light, TextBlock) and light.cut is not None:
            if not isinstance(whole, TextBlock) or len(whole.text) != light.cut.chars:
                return False
            if not whole.text.startswith(light.text):
                return False
        elif whole != light:
            return False
    return True


def _said(
    block: Block, body: TextBody | ThinkingBody, message: AssistantMessage
) -> TextBody | ThinkingBody | None:
    """Return the text of an answer; the number in the key tells which one it is."""
    number = block.key.rpartition(":")[2]
    light = light_message(message)
    if not number.isdigit() or int(number) >= len(message.blocks):
        return None
    assert isinstance(light, AssistantMessage)
    whole, start = message.blocks[int(number)], light.blocks[int(number)]
    kind = TextBlock if isinstance(body, TextBody) else ThinkingBlock
    if not isinstance(whole, kind) or not isinstance(start, kind):
        return None
    if (start.text, start.cut) != (body.text, body.cut):
        return None
    return replace(body, text=whole.text, cut=None)


def _tool(block: Block, body: ToolBody, records: Mapping[int, Record]) -> ToolBody | None:
    call: ToolCall | None = body.call
    if body.call.brief is not None:
        asked = records.get(block.span.offset) if block.span is not None else None
        asked = _copied(block, asked)
        number = block.key.rpartition(":")[2]
        call = _call(body.call, asked, int(number) if number.isdigit() else 0)
    result = body.result
    if result is not None and result.brief is not None:
        span = body.result_span
        result = _result(result, records.get(span.offset) if span is not None else None)
        if result is None:
            return None
    return replace(body, call=call, result=result) if call is not None else None


def _call(call: ToolCall, record: Record | None, number: int) -> ToolCall | None:
    """Return the whole of a light call from the record that holds it.

    Args:
        call: The light call.
        record: Its record, whole.
        number: Its place among all blocks of the answers in the record (0-based).
    """
    blocks = _blocks(record)
    whole = blocks[number] if number < len(blocks) else None
    return whole if isinstance(whole, ToolCall) and light_call(whole) == call else None


def _place(call: ToolCall, record: Record | None) -> int:
    """Return the place of a call among all blocks of the answers in the record it is kept in."""
    return next((at for at, block in enumerate(_blocks(record)) if block is call), 0)


def _blocks(record: Record | None) -> list[AssistantBlock]:
    answers = (each for each in _messages(record) if isinstance(each, AssistantMessage))
    return [block for answer in answers for block in answer.blocks]


def _result(result: ToolResult, record: Record | None) -> ToolResult | None:
    """Return the whole of a light result from the record that holds it."""
    batches = (each for each in _messages(record) if isinstance(each, ToolResultMessage))
    results = (whole for batch in batches for whole in batch.results or ())
    return next((whole for whole in results if light_result(whole) == result), None)


def _messages(record: Record | None) -> tuple[Message, ...]:
    """Return the messages that a record holds."""
    if isinstance(record, MessageEntry):
        return (record.message,)
    return (record.retained_tail or ()) if isinstance(record, CompactionEntry) else ()
