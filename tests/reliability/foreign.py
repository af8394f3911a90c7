"""Hostile texts, and sessions that hold one in every field."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from typing import TYPE_CHECKING, Any

from ink_tui.formats.registry import INK
from ink_tui.model.verdict import diagnose
from tests.sessions import HEADER

if TYPE_CHECKING:
    from ink_tui.model.verdict import Diagnosis

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CONTROLS = "".join(
    re.escape(chr(code))
    for code in range(sys.maxunicode + 1)
    if unicodedata.category(chr(code)) == "Cc" and chr(code) not in "\n\t"
)
_NONE = "".join(chr(plane << 16 | low) for plane in range(17) for low in (0xFFFE, 0xFFFF))
FORBIDDEN = re.compile(
    f"[{_CONTROLS}{_BIDI}\u2028\u2029\ud800-\udfff\U000e0000-\U000e007f\ufdd0-\ufdef{_NONE}]"
)
"""What never may reach a terminal (`trust.md` 2.7), written apart from the program's own rule."""


def payloads() -> list[str]:
    """Return texts that would act on a terminal, or hide something, if they came through."""
    found: list[str] = []
    bodies = ["", "2J", "31m", "?1049h", "?1000h", "6n", "c", ">c", "21t", "8;1;1t", "?2004l", "!p"]
    for intro in ("\x1b[", "\x9b", "\x1b\x1b[", "\x1b[\x1b["):
        found += [f"a{intro}{body}b" for body in bodies]
    words = ["0;title", "52;c;AAAA", "8;;http://x", "4;1;?", "10;?", "7;file://x/", "1337;File=:AA"]
    for intro in ("\x1b]", "\x9d", "\x1bP", "\x90", "\x1b_", "\x9f", "\x1b^", "\x1bX"):
        for end in ("\x07", "\x1b\\", "\x9c", ""):
            found += [f"a{intro}{word}{end}b" for word in words]
    found += [f"a{chr(code)}b" for code in range(0xA0) if unicodedata.category(chr(code)) == "Cc"]
    hidden = "\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202d\u202e\u2060\u2066\u2067\u2069"
    hidden += "\ufeff\u00ad\u034f\u2028\u2029\u180e\u3164\ufdd0\ufffe\uffff\ud800\udc9b\ufff9"
    found += [f"a{char}b" for char in hidden + "\U000e0041\U000e007f\U0010ffff\U0001fffe"]
    found += ["\u202egnp.exe", "a\u2066\u202eb\u2069c", "e" + "\u0301" * 1_000, "\u0301" * 20]
    found += [
        "\r\nINJECTED",
        "x\rEVIL",
        "tab\there",
        "\x08" * 40,
        "\x7f" * 9,
        "🏳\ufe0f\u200d🌈" * 9,
    ]
    return found


def wide_texts() -> list[str]:
    """Return texts whose width is hard to tell: wide, combining, joined, right to left."""
    parts = [
        "工作",
        "한글",
        "ａｂ",
        "é",
        "e\u0301",
        "ا" * 3,
        "שלום",
        "👩\u200d🔬",
        "🇩🇪",
        "🏳\ufe0f\u200d🌈",
    ]
    parts += [
        "👍🏽",
        "☃\ufe0f",
        "1\ufe0f\u20e3",
        "\u0e01\u0e33",
        "क्ष",
        "\u1100\u1161",
        "𝔘",
        "ﷺ",
        "\u200b",
    ]
    parts += [
        "\U000e0041",
        "a\u0301" * 9,
        "\u2028",
        "─",
        "①",
        "…",
        "\u3000",
        "ｶﾞ",
        "\U0001f9d1\u200d",
    ]
    return [f"{one}{filler}{two}" for one in parts for two in parts for filler in ("", "x")]


def everywhere(text: str) -> bytes:
    """Return a session that holds a text in every field that anybody draws."""
    parent: list[str | None] = [None]

    def entry(kind: str, **fields: Any) -> dict[str, Any]:
        name = f"id{text}{len(records)}"
        made = {"type": kind, "id": name, "parentId": parent[0]}
        parent[0] = name
        return made | {"timestamp": f"2026-03-02T08:{len(records):02d}:00.000Z"} | fields

    model = {"provider": "zai", "modelId": text}
    records: list[dict[str, Any]] = [
        {
            "type": "session",
            "version": 1,
            "id": text,
            "timestamp": text,
            "cwd": text,
            "model": model,
        }
    ]

    def say(role: str, **fields: Any) -> None:
        records.append(entry("message", message={"role": role} | fields))

    image = {"type": "image", "data": text, "mimeType": text}
    edit = {"path": text, "edits": [{"oldText": text, "newText": f"{text}\n{text}"}]}
    calls = [
        {"type": "toolCall", "id": f"c{text}", "name": text, "arguments": {text: text}},
        {"type": "toolCall", "id": "c2", "name": "edit", "arguments": edit},
        {"type": "toolCall", "id": "c3", "name": "bash", "arguments": {"command": text}},
        {
            "type": "toolCall",
            "id": "c4",
            "name": "task",
            "arguments": {"agent": text, "prompt": text},
        },
    ]
    say("user", content=text)
    say("user", content=[{"type": "text", "text": text}, image, {"type": text, text: text}])
    markdown = (
        f"# {text}\n\n- {text}\n\n```{text}\n{text}\n```\n\n[{text}]({text}) **{text}** `{text}`"
    )
    blocks = [{"type": "thinking", "thinking": text}, {"type": "text", "text": markdown}, *calls]
    say("assistant", blocks=blocks, model=text, modelReference=text, stopReason=text)
    task = {"version": 1, "childId": text, "agent": text, "status": text}
    given = [
        {"toolCallId": call["id"], "toolName": text, "content": text, "isError": True}
        for call in calls[:3]
    ]
    given[0] = given[0] | {"taskRecord": task}
    say("toolResult", results=given)
    records.append(entry("session_info", name=text))
    records.append(entry("thinkingLevelChange", thinkingLevel=text))
    records.append(entry("branchSummary", summary=text))
    kept = [{"role": "user", "content": text}]
    records.append(entry("compaction", summary=text, retainedTail=kept, tokensBefore=9, model=text))
    say(text, content=text)
    label = entry("label", targetId=records[1]["id"], label=text)
    parent[0] = label["parentId"]
    records += [label, entry(text, text=text)]
    raw = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    torn = b'{"type":"message","id":"' + text.encode("utf-8", "replace").replace(b"\n", b"")
    return raw + torn


def repairable(text: str, cwd: str) -> bytes:
    """Return a session that can be repaired: open calls of every kind at its end, and a torn tail.

    Args:
        text: What stands in every field that does not hold the session together.
        cwd: Its working folder.
    """
    edit = {"path": text, "edits": [{"oldText": text, "newText": text}]}
    calls: tuple[tuple[str, str, dict[str, Any]], ...] = (
        (f"c1{text}", "bash", {"command": text}),
        ("c2", "edit", edit),
        ("c3", "write", {"path": text, "content": text}),
        ("c4", "read", {"path": text}),
        ("c5", text, {text: text}),
    )
    records = [
        HEADER | {"cwd": cwd, "model": {"provider": text, "modelId": text}},
        entry_of("a1", None, {"role": "user", "content": text}),
        entry_of(
            "a2",
            "a1",
            {
                "role": "assistant",
                "blocks": [{"type": "text", "text": text}, *map(_call, calls)],
                "stopReason": "tool_use",
                "model": text,
            },
        ),
    ]
    torn = b'{"type":"message","id":"' + text.encode("utf-8", "replace").replace(b"\n", b"")
    return b"".join(json.dumps(record).encode() + b"\n" for record in records) + torn


def entry_of(entry_id: str, parent: str | None, message: dict[str, Any]) -> dict[str, Any]:
    """Return a message's record."""
    return {
        "type": "message",
        "id": entry_id,
        "parentId": parent,
        "timestamp": "2026-03-02T08:01:00.000Z",
        "message": message,
    }


def _call(call: tuple[str, str, dict[str, Any]]) -> dict[str, Any]:
    call_id, name, arguments = call
    return {"type": "toolCall", "id": call_id, "name": name, "arguments": arguments}


def diagnosed(content: bytes) -> Diagnosis:
    """Return the diagnosis of a file's bytes."""
    parser = INK.parser()
    parser.feed(content)
    return diagnose(parser.session())
