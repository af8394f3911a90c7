"""Small Ink sessions for tests, written as bytes."""

from __future__ import annotations

import json
from typing import Any

from ink_tui.formats.registry import INK
from ink_tui.model.verdict import Diagnosis, diagnose

HEADER: dict[str, Any] = {
    "type": "session",
    "version": 1,
    "id": "11111111-1111-4111-8111-111111111111",
    "timestamp": "2026-03-02T08:00:00.000Z",
    "cwd": "/home/u/demo",
}


def line(record: dict[str, Any]) -> bytes:
    """Return one record as Ink writes it, newline included."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def stamp(second: int) -> str:
    """Return a time stamp some seconds after eight o'clock."""
    hours, rest = divmod(8 * 3600 + second, 3600)
    return f"2026-03-02T{hours:02d}:{rest // 60:02d}:{rest % 60:02d}.000Z"


def entry(kind: str, entry_id: str, parent: str | None, second: int = 1, **fields: Any) -> bytes:
    """Return one entry."""
    base = {"type": kind, "id": entry_id, "parentId": parent, "timestamp": stamp(second)}
    return line(base | fields)


def user(entry_id: str, parent: str | None, text: str, second: int = 1) -> bytes:
    """Return a user message."""
    return entry("message", entry_id, parent, second, message={"role": "user", "content": text})


def answer(
    entry_id: str,
    parent: str | None,
    text: str = "",
    calls: tuple[tuple[str, str, dict[str, Any]], ...] = (),
    second: int = 2,
) -> bytes:
    """Return an assistant message; calls are id, tool and arguments."""
    blocks: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    blocks += [
        {"type": "toolCall", "id": call_id, "name": tool, "arguments": arguments}
        for call_id, tool, arguments in calls
    ]
    message = {
        "role": "assistant",
        "blocks": blocks,
        "usage": {"inputTokens": 900, "outputTokens": 40},
        "stopReason": "tool_use" if calls else "end_turn",
    }
    return entry("message", entry_id, parent, second, message=message)


def results(
    entry_id: str, parent: str | None, *given: tuple[str, str, str], second: int = 3
) -> bytes:
    """Return a result message; results are call id, tool and text."""
    items = [
        {"toolCallId": call_id, "toolName": tool, "content": text, "isError": False}
        for call_id, tool, text in given
    ]
    message = {"role": "toolResult", "results": items}
    return entry("message", entry_id, parent, second, message=message)


def session(*records: bytes) -> bytes:
    """Return a whole file: the header and some records."""
    return line(HEADER) + b"".join(records)


def simple() -> bytes:
    """Return a sound session of four messages with one answered call."""
    return session(
        user("a1", None, "list files"),
        answer("a2", "a1", calls=(("c1", "ls", {"path": "."}),)),
        results("a3", "a2", ("c1", "ls", "a.txt")),
        answer("a4", "a3", "one file", second=4),
    )


def read(data: bytes) -> Diagnosis:
    """Return the diagnosis of a file's bytes."""
    parser = INK.parser()
    parser.feed(data)
    return diagnose(parser.session())
