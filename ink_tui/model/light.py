"""Records of which only the start of each long text is kept (`performance.md` section 5).

The file holds the texts; whoever wants one whole reads the record again by its span. What follows
from whole texts and is shown or decided elsewhere (sizes, line counts, exit codes, changes, the
title) is found out before they go, so that a light session is judged exactly as a whole one.
"""

from __future__ import annotations

from dataclasses import replace
from operator import is_not
from typing import TYPE_CHECKING, TypeVar

from ink_tui.model.entries import BranchSummaryEntry, CompactionEntry, MessageEntry
from ink_tui.model.messages import (
    AssistantMessage,
    CallBrief,
    Cut,
    ResultBrief,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResult,
    ToolResultMessage,
    UserMessage,
)
from ink_tui.model.summary import TITLE_CHARS
from ink_tui.model.text import JS_BLANKS
from ink_tui.model.tool_facts import edit_starts, exit_code, tool_facts

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.model.entries import Record
    from ink_tui.model.messages import AssistantBlock, ContentBlock, Message

START_CHARS = 400
"""Characters that are kept of a long text, from the first that is not blank; no row holds more."""

LIGHT_CHARS = 512
"""Texts up to this length are kept whole: cutting them saves nothing."""

_Item = TypeVar("_Item")


def lighten(record: Record, *, title: bool = False) -> Record:
    """Return a record without its long texts; the very same one if it has none.

    Args:
        record: The record.
        title: It is the first message of the user in its file: what the title may be is kept.
    """
    if title and isinstance(record, MessageEntry) and isinstance(record.message, UserMessage):
        content = _each(record.message.content, _titled)
        message: Message = replace(record.message, content=content)
        return record if content is record.message.content else replace(record, message=message)
    if isinstance(record, MessageEntry):
        message = light_message(record.message)
        if message is record.message:
            return record
        known = record.id, record.parent_id, record.timestamp, record.time_ms, record.span
        return MessageEntry(*known, message)  # quicker than `replace`
    if isinstance(record, CompactionEntry):
        tail = record.retained_tail
        light_tail = _each(tail, light_message) if tail is not None else None
        summary, cut = _start(record.summary, record.cut)
        if cut is record.cut and light_tail is tail:
            return record
        return replace(record, summary=summary, cut=cut, retained_tail=light_tail)
    if isinstance(record, BranchSummaryEntry):
        summary, cut = _start(record.summary, record.cut)
        return record if cut is record.cut else replace(record, summary=summary, cut=cut)
    return record


def light_message(message: Message) -> Message:
    """Return a message without its long texts; the very same one if it has none."""
    if isinstance(message, UserMessage):
        content = _each(message.content, _light_content)
        return message if content is message.content else UserMessage(content, message.framed)
    if isinstance(message, AssistantMessage):
        blocks = _each(message.blocks, _light_block)
        if blocks is message.blocks:
            return message
        missing, stop = message.usage_missing, message.stop_reason
        return AssistantMessage(blocks, message.usage, missing, stop, message.model)
    if isinstance(message, ToolResultMessage) and message.results is not None:
        results = _each(message.results, light_result)
        return message if results is message.results else ToolResultMessage(results)
    return message


def light_call(call: ToolCall) -> ToolCall:
    """Return a call without its arguments if they are long."""
    if call.brief is not None or call.size <= LIGHT_CHARS:
        return call
    facts = tool_facts(call)
    brief = CallBrief(facts.what, facts.is_path, facts.counts, facts.content is not None)
    return ToolCall(call.call_id, call.tool, None, call.size, brief)


def light_result(result: ToolResult) -> ToolResult:
    """Return a result without its long texts."""
    if result.brief is not None:
        return result
    content = _each(result.content, _light_content)
    if content is result.content:
        return result
    # Counted where it may be asked for: the loop over the lines costs more than all the rest.
    counted = result.tool.lower() in ("", "grep")
    brief = ResultBrief(
        lines=_line_count(content),
        places=places_in(result.text) if counted else 0,
        exit_code=exit_code(result),
        edit_starts=edit_starts(result),
    )
    return ToolResult(
        result.call_id,
        result.tool,
        content,
        result.is_error,
        result.badge,
        result.child_id,
        brief,
    )


def _line_count(content: tuple[ContentBlock, ...]) -> int:
    """Return the lines of some texts together, each of which begins a new one."""
    texts = [block for block in content if isinstance(block, TextBlock)]
    lines = [
        (text.cut.newlines if text.cut is not None else text.text.count("\n")) + 1 for text in texts
    ]
    return sum(lines) or 1


def places_in(text: str) -> int:
    """Return how many lines name a place, as hits of a search do: those with two colons."""
    return sum(1 for line in text.split("\n") if line.count(":") > 1)


def start_of(text: str) -> str:
    """Return the start that is kept of a long text: its first words, with the blanks before."""
    if text[:1] not in JS_BLANKS:
        return text[:START_CHARS]
    lead = len(text) - len(text.lstrip(JS_BLANKS))
    return text[: lead + START_CHARS]


def start_note(cut: Cut) -> str:
    """Return what is said behind a text of which only the start is at hand."""
    return f"… (only the start: the whole text has {cut.chars:,} characters)"


def arguments_note(call: ToolCall) -> str:
    """Return what is said of a call whose arguments are not at hand."""
    return f"… (the arguments are left out: {call.size:,} characters)"


def has_cut(message: Message) -> bool:
    """Whether something of a message is only its start."""
    if isinstance(message, UserMessage):
        return any(isinstance(block, TextBlock) and block.cut for block in message.content)
    if isinstance(message, AssistantMessage):
        return any(
            block.brief if isinstance(block, ToolCall) else block.cut
            for block in message.blocks
            if isinstance(block, TextBlock | ThinkingBlock | ToolCall)
        )
    if isinstance(message, ToolResultMessage):
        return any(result.brief for result in message.results or ())
    return False


def _titled(block: ContentBlock) -> ContentBlock:
    """Return a block of the message that the title is taken from, its first line kept."""
    light = _light_content(block)
    if not isinstance(light, TextBlock) or not isinstance(block, TextBlock) or light is block:
        return light
    at = len(light.text) - START_CHARS
    end = block.text.find("\n", at)
    end = len(block.text) if end < 0 else end
    end = max(len(light.text), min(end, at + TITLE_CHARS + 1))
    return TextBlock(block.text[:end], light.cut if end < len(block.text) else None)


def _start(text: str, cut: Cut | None) -> tuple[str, Cut | None]:
    if cut is not None or len(text) <= LIGHT_CHARS:
        return text, cut
    start = start_of(text)
    if len(start) == len(text):
        return text, None
    return start, Cut(len(text), text.count("\n"))


def _light_content(block: ContentBlock) -> ContentBlock:
    if not isinstance(block, TextBlock):
        return block
    text, cut = _start(block.text, block.cut)
    return block if cut is block.cut else TextBlock(text, cut)


def _light_block(block: AssistantBlock) -> AssistantBlock:
    if isinstance(block, ToolCall):
        return light_call(block)
    if isinstance(block, ThinkingBlock):
        text, cut = _start(block.text, block.cut)
        return block if cut is block.cut else ThinkingBlock(text, cut)
    if isinstance(block, TextBlock):
        text, cut = _start(block.text, block.cut)
        return block if cut is block.cut else TextBlock(text, cut)
    return block


def _each(items: tuple[_Item, ...], make: Callable[[_Item], _Item]) -> tuple[_Item, ...]:
    """Return what is made of each item; the very same tuple if that is what it holds."""
    made = [make(item) for item in items]
    return tuple(made) if any(map(is_not, made, items)) else items
