"""One message of a context as blocks to read, whole, the way the transcript draws them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ink_tui.model.messages import (
    AssistantMessage,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResult,
    ToolResultMessage,
    UserMessage,
)
from ink_tui.model.tool_facts import tool_facts
from ink_tui.model.transcript import (
    Block,
    Body,
    OrphanBody,
    TextBody,
    ThinkingBody,
    ToolBody,
    ToolState,
    UnknownBody,
    UserBody,
    result_state,
)

if TYPE_CHECKING:
    from ink_tui.model.messages import AssistantBlock, JsonValue, Message

_DEEPEST = 40
"""Levels of nested arguments that are written out."""

NO_CALLS: Mapping[str, ToolCall] = {}


def blocks_of(message: Message, key: str, calls: Mapping[str, ToolCall] = NO_CALLS) -> list[Block]:
    """Return the blocks of a message.

    Args:
        message: The message.
        key: What the keys of its blocks begin with.
        calls: Calls by their id, for the results in it: each is shown under its call.
    """
    bodies = _bodies(message, calls)
    return [
        Block(f"{key}:{number}", None, None, None, number + 1, dim=False, body=body)
        for number, body in enumerate(bodies)
    ]


def _bodies(message: Message, calls: Mapping[str, ToolCall]) -> list[Body]:
    if isinstance(message, UserMessage):
        if message.framed is None:
            return [UserBody(message.content)]
        cut = next((b.cut for b in message.content if isinstance(b, TextBlock)), None)
        return [TextBody(message.text, cut=cut)]
    if isinstance(message, AssistantMessage):
        return [_said(block) for block in message.blocks]
    if isinstance(message, ToolResultMessage):
        if message.results is None:
            return [UnknownBody("results", "toolResult", "")]
        found: list[Body] = []
        for result in message.results:
            call = calls.get(result.call_id)
            if call is None:
                found.append(OrphanBody(result))
            else:
                found.append(ToolBody(call, result, result_state(result), None, None))
        return found
    return [UnknownBody("message", message.role, message.preview)]


def _said(block: AssistantBlock) -> Body:
    """Return one block of an answer; of a call only what was asked, its result is a message."""
    if isinstance(block, TextBlock):
        return TextBody(block.text, cut=block.cut)
    if isinstance(block, ThinkingBlock):
        return ThinkingBody(block.text, block.cut)
    if isinstance(block, ToolCall):
        return ToolBody(block, _given(block), ToolState.NOT_REACHED, None, None)
    return UnknownBody("block", block.type_name, block.preview)


def _given(call: ToolCall) -> ToolResult | None:
    """Return what a call was given, to be read in the place of its output.

    `None` where that is shown in another way, as the lines that an edit changes, or is not kept.
    """
    if call.brief is not None or tool_facts(call).counts is not None:
        return None
    text = arguments_text(call.arguments)
    return ToolResult(call.call_id, call.tool, (TextBlock(text),), is_error=False) if text else None


def arguments_text(arguments: JsonValue) -> str:
    """Return the arguments of a call to read: each by its name, texts as they are.

    Args:
        arguments: As they stand in the record, cleaned.
    """
    if not isinstance(arguments, Mapping):
        return "" if arguments is None else _value(arguments)
    return "\n".join(f"{name}: {_value(value)}" for name, value in arguments.items())


def _value(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(_plain(value, 0), ensure_ascii=False)


def _plain(value: JsonValue, depth: int) -> object:
    """Return a value that the encoder knows; what is nested too deep is left out."""
    if isinstance(value, tuple | Mapping) and depth > _DEEPEST:
        return "…"
    if isinstance(value, tuple):
        return [_plain(item, depth + 1) for item in value]
    if isinstance(value, Mapping):
        return {name: _plain(item, depth + 1) for name, item in value.items()}
    return value
