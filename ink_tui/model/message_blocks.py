"""One message of a context as blocks to read, whole, the way the transcript draws them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.messages import (
    AssistantMessage,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)
from ink_tui.model.transcript import (
    Block,
    Body,
    TextBody,
    ThinkingBody,
    ToolBody,
    ToolState,
    UnknownBody,
    UserBody,
    result_state,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.messages import AssistantBlock, Message, ToolResult

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
        return [_given_back(result, calls.get(result.call_id)) for result in message.results]
    return [UnknownBody("message", message.role, message.preview)]


def _said(block: AssistantBlock) -> Body:
    """Return one block of an answer; of a call only what was asked, its result is a message."""
    if isinstance(block, TextBlock):
        return TextBody(block.text, cut=block.cut)
    if isinstance(block, ThinkingBlock):
        return ThinkingBody(block.text, block.cut)
    if isinstance(block, ToolCall):
        return ToolBody(block, None, ToolState.NOT_REACHED, None, None)
    return UnknownBody("block", block.type_name, block.preview)


def _given_back(result: ToolResult, call: ToolCall | None) -> ToolBody:
    """Return a result under its call; where that is not at hand, under the tool's name alone."""
    call = call or ToolCall(result.call_id, result.tool, None)
    return ToolBody(call, result, result_state(result), None, None)
