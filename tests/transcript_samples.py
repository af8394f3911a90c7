"""Sessions written record by record for the tests of transcript, context, health and replay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ink_tui.formats.registry import INK
from ink_tui.model.verdict import Diagnosis, diagnose

CASES = Path(__file__).parent / "data" / "cases"
REAL = Path(__file__).parent / "data" / "real"
USAGE = {"inputTokens": 1, "outputTokens": 1}


def diagnosed(data: bytes) -> Diagnosis:
    """Return the diagnosis of a file's bytes."""
    parser = INK.parser()
    parser.feed(data)
    return diagnose(parser.session())


def case_bytes(name: str) -> bytes:
    """Return the one session of a case by the start of its name."""
    return next(CASES.glob(f"{name}*/session.jsonl")).read_bytes()


def case(name: str) -> Diagnosis:
    """Return the diagnosis of a case."""
    return diagnosed(case_bytes(name))


class Script:
    """A session file in the making: one chain of records, a minute apart unless told."""

    def __init__(self, cwd: str = "/srv/work/demo") -> None:
        self._lines = [
            {
                "type": "session",
                "version": 1,
                "id": "7d0f2c1e-0000-4000-8000-000000000001",
                "timestamp": "2026-03-02T08:00:00.000Z",
                "cwd": cwd,
            }
        ]
        self._number = 0
        self._seconds = 0.0

    def add(self, record: dict[str, Any], seconds: float = 60) -> Script:
        """Append an entry to the chain, so many seconds after the one before."""
        self._seconds += seconds
        whole = int(self._seconds)
        stamp = (
            f"2026-03-02T{8 + whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"
            f".{int(self._seconds * 1000) % 1000:03d}Z"
        )
        parent = f"e{self._number}" if self._number else None
        self._number += 1
        entry = {"id": f"e{self._number}", "parentId": parent, "timestamp": stamp}
        self._lines.append({"type": record["type"], **entry, **record})
        return self

    def user(self, text: str, seconds: float = 60) -> Script:
        return self.message({"role": "user", "content": text}, seconds)

    def answer(self, *blocks: dict[str, Any] | str, seconds: float = 60, **more: Any) -> Script:
        found = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
        message = {
            "role": "assistant",
            "blocks": found,
            "usage": USAGE,
            "stopReason": "end_turn",
            **more,
        }
        return self.message(message, seconds)

    def results(self, *results: dict[str, Any], seconds: float = 60) -> Script:
        return self.message({"role": "toolResult", "results": list(results)}, seconds)

    def message(self, message: dict[str, Any], seconds: float = 60) -> Script:
        return self.add({"type": "message", "message": message}, seconds)

    def compaction(self, summary: str, kept: list[dict[str, Any]]) -> Script:
        return self.add(
            {
                "type": "compaction",
                "summary": summary,
                "retainedTail": kept,
                "tokensBefore": 118_000,
            }
        )

    def data(self) -> bytes:
        rows = (json.dumps(line, ensure_ascii=False) + "\n" for line in self._lines)
        return "".join(rows).encode()

    def diagnosis(self) -> Diagnosis:
        return diagnosed(self.data())


def call(call_id: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """Return a call block."""
    return {"type": "toolCall", "id": call_id, "name": tool, "arguments": arguments}


def result(call_id: str, tool: str, content: Any, *, error: bool = False) -> dict[str, Any]:
    """Return one result of a batch."""
    return {"toolCallId": call_id, "toolName": tool, "content": content, "isError": error}


def thinking(text: str) -> dict[str, Any]:
    """Return a thinking block."""
    return {"type": "thinking", "thinking": text}
