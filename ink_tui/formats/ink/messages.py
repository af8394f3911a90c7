"""Decoded JSON to messages (`formats/ink.md` section 4); anything unusable is kept as unknown."""

from __future__ import annotations

from typing import Any

from ink_tui.formats.decode import json_length
from ink_tui.formats.ink import constants
from ink_tui.formats.ink.values import count_or_none, freeze, preview, shared, text_or_none
from ink_tui.model.messages import (
    AssistantBlock,
    AssistantMessage,
    Badge,
    ContentBlock,
    ImageBlock,
    Message,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResult,
    ToolResultMessage,
    UnknownBlock,
    UnknownMessage,
    Usage,
    UserMessage,
)
from ink_tui.model.text import clean


def read_message(value: Any) -> Message:
    """Return the message that a decoded object holds; never raises.

    Args:
        value: The `message` field of a record, or one item of a retained tail.
    """
    if not isinstance(value, dict):
        return UnknownMessage("", preview(value))
    role = value.get("role")
    if role == "user":
        return UserMessage(read_content(value.get("content")))
    if role == "assistant":
        return _assistant(value)
    if role == "toolResult":
        return _tool_results(value)
    return UnknownMessage(text_or_none(role) or "", preview(value))


def skim_message(value: Any) -> Message:
    """Return a message with no more in it than a list row tells; never raises.

    What was said and which calls have results is all there. What tools were given and gave back,
    thinking, token figures and blocks of unknown types are left out: they are most of a file.

    Args:
        value: The `message` field of a record, or one item of a retained tail.
    """
    role = value.get("role") if isinstance(value, dict) else None
    if role == "user":
        return UserMessage(read_content(value.get("content")))
    if role == "assistant":
        blocks = value.get("blocks")
        if not isinstance(blocks, list):
            blocks = [blocks]
        kept: list[AssistantBlock] = []
        for block in blocks:
            skimmed = _skimmed(block)
            if skimmed is not None:
                kept.append(skimmed)
        return AssistantMessage(tuple(kept), None)
    if role == "toolResult":
        results = value.get("results")
        if not isinstance(results, list):
            return ToolResultMessage(None)
        return ToolResultMessage(tuple([_skimmed_result(item) for item in results]))
    return UnknownMessage("", "")


def _skimmed(block: Any) -> TextBlock | ToolCall | None:
    if type(block) is not dict:
        return None
    kind = block.get("type")
    if kind == "toolCall":
        call_id, name = block.get("id"), block.get("name")
        if type(call_id) is not str:
            return None
        return ToolCall(call_id, shared(name) if type(name) is str else "", None)
    if kind == "text" and type(text := block.get("text")) is str:
        return TextBlock(clean(text))
    return None


def _skimmed_result(item: Any) -> ToolResult:
    if type(item) is not dict:
        return ToolResult("", "", (), is_error=False)
    call_id = item.get("toolCallId")
    is_error = item.get("isError") is True
    return ToolResult(call_id if type(call_id) is str else "", "", (), is_error)


def read_content(value: Any) -> tuple[ContentBlock, ...]:
    """Return a user's or a result's content: a string, or a list of text and image blocks."""
    if isinstance(value, str):
        return (TextBlock(clean(value)),)
    if value is None:
        return ()
    if not isinstance(value, list):
        return (UnknownBlock("", preview(value)),)
    return tuple([_content_block(block) for block in value])


def _content_block(block: Any) -> ContentBlock:
    if not isinstance(block, dict):
        return UnknownBlock("", preview(block))
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        return TextBlock(clean(block["text"]))
    if kind == "image":
        data = block.get("data")
        mime = text_or_none(block.get("mimeType")) or "unknown type"
        return ImageBlock(mime, len(data) if isinstance(data, str) else 0)
    return UnknownBlock(text_or_none(kind) or "", preview(block))


def _assistant(value: dict[str, Any]) -> AssistantMessage:
    blocks = value.get("blocks")
    if not isinstance(blocks, list):
        blocks = [] if blocks is None else [blocks]
    reference = text_or_none(value.get("modelReference"))
    return AssistantMessage(
        blocks=tuple([_assistant_block(block) for block in blocks]),
        usage=read_usage(value.get("usage")),
        usage_missing=value.get("usageMissing") is True,
        stop_reason=_shared(text_or_none(value.get("stopReason"))),
        model=_shared(text_or_none(value.get("model")) or reference),
    )


def _shared(word: str | None) -> str | None:
    """Return a word that many records have in common, kept once for all of them."""
    return None if word is None else shared(word)


def _assistant_block(block: Any) -> AssistantBlock:
    if not isinstance(block, dict):
        return UnknownBlock("", preview(block))
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        return TextBlock(clean(block["text"]))
    if kind == "thinking" and isinstance(block.get("thinking"), str):
        return ThinkingBlock(clean(block["thinking"]))
    if kind == "toolCall" and isinstance(block.get("id"), str):
        name = block.get("name")
        arguments = block.get("arguments")
        return ToolCall(
            call_id=block["id"],
            tool=shared(name) if isinstance(name, str) else "",
            arguments=freeze(arguments),
            size=json_length(arguments),
        )
    return UnknownBlock(text_or_none(kind) or "", preview(block))


def _tool_results(value: dict[str, Any]) -> ToolResultMessage:
    results = value.get("results")
    if not isinstance(results, list):
        return ToolResultMessage(None)
    return ToolResultMessage(tuple([_tool_result(item) for item in results]))


def _tool_result(item: Any) -> ToolResult:
    if not isinstance(item, dict):
        return ToolResult("", "", (UnknownBlock("", preview(item)),), is_error=False)
    call_id, tool = item.get("toolCallId"), item.get("toolName")
    content = read_content(item.get("content"))
    record = item.get("taskRecord")
    child = record.get("childId") if isinstance(record, dict) else None
    return ToolResult(
        call_id=call_id if isinstance(call_id, str) else "",
        tool=shared(tool) if isinstance(tool, str) else "",
        content=content,
        is_error=item.get("isError") is True,
        badge=_badge(content),
        child_id=child if isinstance(child, str) else None,
    )


def _badge(content: tuple[ContentBlock, ...]) -> Badge | None:
    first = content[0] if content else None
    if not isinstance(first, TextBlock):
        return None
    text = first.text
    if text[:1] not in constants.BADGE_STARTS:
        return None
    for start, badge in constants.RESULT_BADGES:
        if text.startswith(start):
            return badge
    if text.startswith(constants.BLOCKED_PREFIX) and constants.BLOCKED_PART in text[:400]:
        return Badge.BLOCKED
    if text.startswith(constants.NO_RESPONSE_PREFIX) and constants.NO_RESPONSE_PART in text[:400]:
        return Badge.NO_RESPONSE
    return None


def read_usage(value: Any) -> Usage | None:
    """Return token figures, or `None` when the record holds none."""
    if not isinstance(value, dict):
        return None
    return Usage(
        input_tokens=count_or_none(value.get("inputTokens")),
        output_tokens=count_or_none(value.get("outputTokens")),
        cache_read_tokens=count_or_none(value.get("cacheReadTokens")) or 0,
        cache_write_tokens=count_or_none(value.get("cacheWriteTokens")) or 0,
    )
