"""The arguments of one tool call as they stand in its record, for comparing with files.

The texts of the model are cleaned to be drawn; a comparison needs the ones that the tool was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ink_tui.formats.decode import decode
from ink_tui.formats.ink.values import freeze

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ink_tui.model.messages import JsonValue


def raw_arguments(line: bytes, call_id: str) -> JsonValue:
    """Return the arguments of a call, its strings untouched; never raises.

    Args:
        line: The bytes of the record: a message, or a compaction that keeps the message.
        call_id: Id of the call.

    Returns:
        `None` when the line is not such a record, or does not hold exactly one call of that id.
    """
    record = decode(line.rstrip(b"\r\n"))
    found = [
        block.get("arguments")
        for message in _messages(record)
        for block in _blocks(message)
        if block.get("type") == "toolCall" and block.get("id") == call_id
    ]
    return freeze(found[0], text=str) if len(found) == 1 else None


def _messages(record: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(record, dict):
        return
    kept = record.get("retainedTail")
    for message in [record.get("message"), *(kept if isinstance(kept, list) else ())]:
        if isinstance(message, dict):
            yield message


def _blocks(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    blocks = message.get("blocks")
    if message.get("role") == "assistant" and isinstance(blocks, list):
        yield from (block for block in blocks if isinstance(block, dict))
