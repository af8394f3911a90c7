"""Records to bytes, exactly as Ink writes them (`formats/ink.md` sections 2 to 4 and 7.8).

Only records of our own are encoded here. A record that is copied is never encoded anew: its bytes
are copied.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import orjson

from ink_tui.errors import FormatError
from ink_tui.formats.ink.constants import FORMAT_VERSION
from ink_tui.model.messages import TextBlock, ThinkingBlock, ToolCall

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

_HALF = re.compile("[\ud800-\udfff]")
_DRAWS = 100
_LEVELS = 200
_SAFE_INTEGER = 1e15
"""Whole floats below this are written without a fraction, as JavaScript does."""


@dataclass(frozen=True, slots=True)
class NewResult:
    """The result of one call, about to be saved."""

    call_id: str
    tool: str
    content: str
    is_error: bool


def iso_stamp(time_ms: int) -> str:
    """Return a time as Ink writes it: UTC, three decimals, `Z`.

    Args:
        time_ms: Milliseconds since 1970.
    """
    moment = datetime.fromtimestamp(time_ms // 1000, UTC).replace(tzinfo=None)
    return f"{moment.isoformat()}.{time_ms % 1000:03d}Z"


def new_entry_id(taken: Container[str], draw: Callable[[], str] | None = None) -> str:
    """Return an entry id that is not taken: 16 lower-case hex digits (3.0).

    Args:
        taken: Ids of the file.
        draw: Source of candidates; the default draws random ones. After 100 collisions the id is
            eight random hex digits, as Ink falls back to.
    """
    draw = draw or (lambda: secrets.token_hex(8))
    for _ in range(_DRAWS):
        candidate = draw()
        if candidate not in taken:
            return candidate
    return secrets.token_hex(4)


def encode_header(
    session_id: str,
    time_ms: int,
    cwd: str,
    forked_from: tuple[str, str | None] | None = None,
) -> bytes:
    """Return the header line of a new top-level session; never with a model.

    Args:
        session_id: A fresh UUID.
        time_ms: Milliseconds since 1970.
        cwd: Working directory.
        forked_from: Session id and entry id of the original; our own field, ignored by readers.
    """
    record: dict[str, Any] = {
        "type": "session",
        "version": FORMAT_VERSION,
        "id": session_id,
        "timestamp": iso_stamp(time_ms),
        "cwd": cwd,
    }
    if forked_from is not None:
        record["forkedFrom"] = {"id": forked_from[0], "entry": forked_from[1]}
    return encode_line(record)


def encode_user(entry_id: str, parent_id: str | None, time_ms: int, text: str) -> bytes:
    """Return the line of a user message."""
    return _entry(entry_id, parent_id, time_ms, {"role": "user", "content": text})


def encode_assistant(
    entry_id: str,
    parent_id: str | None,
    time_ms: int,
    blocks: Sequence[TextBlock | ThinkingBlock | ToolCall],
    stop_reason: str | None,
) -> bytes:
    """Return the line of an assistant message that no model was paid for.

    The usage figures are zeros marked as missing: without them Ink's own list skips the file.
    """
    message = {
        "role": "assistant",
        "blocks": [_block(block) for block in blocks],
        "usage": {"inputTokens": 0, "outputTokens": 0},
        "stopReason": stop_reason,
        "usageMissing": True,
    }
    return _entry(entry_id, parent_id, time_ms, message)


def encode_tool_results(
    entry_id: str, parent_id: str | None, time_ms: int, results: Sequence[NewResult]
) -> bytes:
    """Return the line that holds the results of one batch of calls."""
    listed = [
        {
            "toolCallId": result.call_id,
            "toolName": result.tool,
            "content": result.content,
            "isError": result.is_error,
        }
        for result in results
    ]
    return _entry(entry_id, parent_id, time_ms, {"role": "toolResult", "results": listed})


def encode_label(
    entry_id: str, parent_id: str | None, time_ms: int, target_id: str, label: str
) -> bytes:
    """Return the line of a label on an entry (3.6); an empty label removes what there was."""
    fields = {"targetId": target_id, "label": label}
    return encode_line(_base("label", entry_id, parent_id, time_ms) | fields)


def encode_name(entry_id: str, parent_id: str | None, time_ms: int, name: str) -> bytes:
    """Return the line that names the session (3.5); an empty name clears it."""
    return encode_line(_base("session_info", entry_id, parent_id, time_ms) | {"name": name})


def encode_position(leaf_id: str | None) -> bytes:
    """Return the line of a marker that moves the write position (3.7)."""
    return encode_line({"type": "position", "leafId": leaf_id})


def encode_line(record: Mapping[str, Any]) -> bytes:
    """Return one record as one line, newline included, byte for byte as Node would write it.

    Raises:
        FormatError: A value that JSON does not know, or one nested deeper than 200 levels.
    """
    value = _plain(record, 0)
    try:
        return orjson.dumps(value) + b"\n"
    except (TypeError, orjson.JSONEncodeError):
        pass  # half surrogates and long integers: the slower writer below takes them
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise FormatError(f"A record cannot be written as JSON: {error}.") from error
    # Two half surrogates in a row are one character for Node; a lone one becomes an escape.
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    escaped = _HALF.sub(lambda half: f"\\u{ord(half.group()):04x}", joined)
    return escaped.encode() + b"\n"


def _base(kind: str, entry_id: str, parent_id: str | None, time_ms: int) -> dict[str, Any]:
    return {
        "type": kind,
        "id": entry_id,
        "parentId": parent_id,
        "timestamp": iso_stamp(time_ms),
    }


def _entry(entry_id: str, parent_id: str | None, time_ms: int, message: dict[str, Any]) -> bytes:
    return encode_line(_base("message", entry_id, parent_id, time_ms) | {"message": message})


def _block(block: TextBlock | ThinkingBlock | ToolCall) -> dict[str, Any]:
    if isinstance(block, TextBlock):
        return {"type": "text", "text": block.text}
    if isinstance(block, ThinkingBlock):
        return {"type": "thinking", "thinking": block.text}
    return {
        "type": "toolCall",
        "id": block.call_id,
        "name": block.tool,
        "arguments": block.arguments,
    }


def _plain(value: Any, level: int) -> Any:
    """Return a value of plain lists and dicts; whole floats as integers, as Node prints them."""
    if level > _LEVELS:
        raise FormatError("A record is nested deeper than 200 levels and cannot be written.")
    if isinstance(value, Mapping):
        return {key: _plain(item, level + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, level + 1) for item in value]
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            return None  # what JSON.stringify makes of them
        return int(value) if value.is_integer() and abs(value) < _SAFE_INTEGER else value
    return value
