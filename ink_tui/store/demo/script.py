"""A session written record by record, with ids and times that come out the same every time."""

from __future__ import annotations

import random
import uuid
from typing import TYPE_CHECKING, TypeAlias

from ink_tui.formats.ink.encode import encode_line, iso_stamp

if TYPE_CHECKING:
    from collections.abc import Mapping

Json: TypeAlias = "Mapping[str, object]"

PROVIDER, MODEL = "zai", "glm-5.3"
SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
"""Milliseconds."""


def text(value: str) -> Json:
    """Return a text block."""
    return {"type": "text", "text": value}


def thinking(value: str) -> Json:
    """Return a thinking block."""
    return {"type": "thinking", "thinking": value, "signature": "ZGVtbw=="}


class Script:
    """Builds one session file; every record hangs on the one before unless the leaf is moved.

    Args:
        seed: Makes the ids; two scripts of one store have different seeds.
        cwd: Working directory for the header.
        start_ms: Time of the header in milliseconds since 1970; the clock starts there.
        version: Header version.
        with_model: Whether the header names a model.
        extra: More header fields, after `cwd`.
    """

    def __init__(
        self,
        seed: str,
        cwd: str,
        start_ms: int,
        *,
        version: int = 1,
        with_model: bool = True,
        extra: Json | None = None,
    ) -> None:
        self._random = random.Random(seed)
        self.session_id = self._uuid()
        self.file_id = self._uuid()
        self.cwd = cwd
        self.start_ms = start_ms
        self.now_ms = start_ms
        self.leaf: str | None = None
        self.lines: list[bytes] = []
        self.messages: dict[str, Json] = {}
        """Messages by entry id, for retained tails."""
        self.line_of: dict[str, bytes] = {}
        """Lines by entry id, for forks."""
        header: dict[str, object] = {
            "type": "session",
            "version": version,
            "id": self.session_id,
            "timestamp": iso_stamp(start_ms),
            "cwd": cwd,
            **(extra or {}),
        }
        if with_model:
            header["model"] = {"provider": PROVIDER, "modelId": MODEL}
        self.lines.append(encode_line(header))

    @property
    def content(self) -> bytes:
        """The bytes of the file so far."""
        return b"".join(self.lines)

    def wait(self, ms: int) -> None:
        """Let time pass."""
        self.now_ms += ms

    def call_id(self) -> str:
        """Return a fresh id for a tool call."""
        return f"call_{self._random.getrandbits(64):016x}"

    def entry_id(self) -> str:
        """Return a fresh id for an entry: 16 hex digits (`formats/ink.md` 3.0)."""
        return f"{self._random.getrandbits(64):016x}"

    def entry(self, kind: str, fields: Json, *, parent: str | None = None) -> str:
        """Append an entry and make it the leaf; returns its id.

        Args:
            kind: Record type.
            fields: The type's own fields.
            parent: Id of the parent; the leaf if not given.
        """
        entry_id = self._append(kind, fields, self.leaf if parent is None else parent)
        self.leaf = entry_id
        return entry_id

    def message(self, message: Json) -> str:
        """Append a message; returns its id."""
        entry_id = self.entry("message", {"message": message})
        self.messages[entry_id] = message
        return entry_id

    def user(self, content: str, after: int = 20 * SECOND) -> str:
        """Append a user message after some milliseconds."""
        self.wait(after)
        return self.message({"role": "user", "content": content})

    def assistant(self, *blocks: Json, tokens: int = 4_000, after: int = 4 * SECOND) -> str:
        """Append an answer after some milliseconds.

        Args:
            blocks: Its blocks in order.
            tokens: Input tokens that the provider reported.
            after: Milliseconds since the record before.
        """
        self.wait(after)
        has_calls = any(block["type"] == "toolCall" for block in blocks)
        return self.message(
            {
                "role": "assistant",
                "blocks": list(blocks),
                "usage": {"inputTokens": tokens, "outputTokens": 40 + tokens % 97},
                "stopReason": "tool_use" if has_calls else "end_turn",
                "model": MODEL,
                "modelReference": f"{PROVIDER}/{MODEL}",
            }
        )

    def call(self, tool: str, arguments: Json) -> Json:
        """Return a tool-call block with a fresh id."""
        return {"type": "toolCall", "id": self.call_id(), "name": tool, "arguments": arguments}

    def results(self, *pairs: tuple[Json, str], after: int = SECOND, failed: bool = False) -> str:
        """Append the results of one answer's calls, each with its call block."""
        self.wait(after)
        return self.message(
            {"role": "toolResult", "results": [_result(call, out, failed) for call, out in pairs]}
        )

    def use(
        self,
        tool: str,
        arguments: Json,
        result: str,
        *before: Json,
        tokens: int = 4_000,
        takes: int = 300,
        failed: bool = False,
    ) -> str:
        """Append an answer with one call and, after `takes` milliseconds, its result.

        Returns:
            The id of the result's entry.
        """
        call = self.call(tool, arguments)
        self.assistant(*before, call, tokens=tokens)
        return self.results((call, result), after=takes, failed=failed)

    def compact(self, summary: str, kept: tuple[str, ...], tokens_before: int) -> str:
        """Append a compaction that keeps copies of some messages."""
        self.wait(9 * SECOND)
        return self.entry(
            "compaction",
            {
                "summary": summary,
                "retainedTail": [self.messages[entry_id] for entry_id in kept],
                "tokensBefore": tokens_before,
                "usage": {"inputTokens": tokens_before, "outputTokens": len(summary) // 4},
                "model": MODEL,
                "modelReference": f"{PROVIDER}/{MODEL}",
            },
        )

    def label(self, target: str, label: str) -> None:
        """Put a label on an entry; it never becomes the leaf."""
        self._append("label", {"targetId": target, "label": label}, self.leaf)

    def name(self, name: str) -> str:
        """Name the session."""
        return self.entry("session_info", {"name": name})

    def move_to(self, entry_id: str) -> None:
        """Move the write position as Ink's own fork does: a marker, nothing copied."""
        self.lines.append(encode_line({"type": "position", "leafId": entry_id}))
        self.leaf = entry_id

    def stray(self, message: Json, parent: str) -> None:
        """Append a message whose parent was never written; the leaf stays."""
        self._append("message", {"message": message}, parent)

    def torn(self, message: Json, at_least: int) -> None:
        """Append the beginning of a record, cut inside a character of several bytes.

        Args:
            message: The message of the record; must hold such a character late enough.
            at_least: Bytes kept at the least.
        """
        whole = self._encode("message", {"message": message}, self.entry_id(), self.leaf)
        cut = next(i for i in range(at_least, len(whole)) if 0x80 <= whole[i] < 0xC0)
        self.lines.append(whole[:cut])

    def copy_from(self, other: Script, entry_ids: tuple[str, ...]) -> None:
        """Copy the raw lines of another session's entries; the last one becomes the leaf."""
        for entry_id in entry_ids:
            self.lines.append(other.line_of[entry_id])
            self.leaf = entry_id

    def _append(self, kind: str, fields: Json, parent: str | None) -> str:
        entry_id = self.entry_id()
        line = self._encode(kind, fields, entry_id, parent)
        self.lines.append(line)
        self.line_of[entry_id] = line
        return entry_id

    def _encode(self, kind: str, fields: Json, entry_id: str, parent: str | None) -> bytes:
        return encode_line(
            {
                "type": kind,
                "id": entry_id,
                "parentId": parent,
                "timestamp": iso_stamp(self.now_ms),
                **fields,
            }
        )

    def _uuid(self) -> str:
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))


def _result(call: Json, content: str, failed: bool) -> Json:
    return {
        "toolCallId": call["id"],
        "toolName": call["name"],
        "content": content,
        "isError": failed,
    }


def task_result(parent: Script, call: Json, child: Script, answer: str, turns: int) -> Json:
    """Return the result of a `task` call with its record (`formats/ink.md` 4.4)."""
    arguments = call["arguments"]
    assert isinstance(arguments, dict)
    return {
        **_result(call, answer, failed=False),
        "taskRecord": {
            "version": 1,
            "timestamp": iso_stamp(parent.now_ms),
            "attemptId": f"{child.session_id[:-4]}0001",
            "sourceId": parent.session_id,
            "launched": True,
            "cwd": parent.cwd,
            "status": "completed",
            "turns": turns,
            "textPresent": True,
            "taskToolCallId": call["id"],
            "parentSessionId": parent.session_id,
            "childId": child.session_id,
            "agent": arguments["agent"],
            "usage": {"inputTokens": 42_000, "outputTokens": 3_100},
        },
    }


def child_of(parent: Script, seed: str) -> Script:
    """Return a sub-agent session that starts where its parent stands now (`formats/ink.md` 2.1)."""
    child_id = str(uuid.UUID(int=random.Random(seed).getrandbits(128), version=4))
    digest = f"{random.Random(f'{seed} system').getrandbits(256):064x}"
    launch = {
        "version": 1,
        "parentSessionId": parent.session_id,
        "childId": child_id,
        "inkVersion": "0.9.4",
        "model": {
            "providerName": PROVIDER,
            "wireModelId": MODEL,
            "reference": f"{PROVIDER}/{MODEL}",
        },
        "cwd": parent.cwd,
        "tools": [{"name": "grep"}, {"name": "read"}],
        "system": {
            "sha256": digest,
            "contextFiles": [],
            "promptFiles": [],
            "extensionContexts": [],
        },
        "extensions": [],
    }
    extra: dict[str, object] = {"parent": parent.session_id, "launch": launch}
    child = Script(seed, parent.cwd, parent.now_ms, with_model=False, extra=extra)
    assert child.session_id == child_id
    return child
