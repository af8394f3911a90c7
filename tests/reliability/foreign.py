"""Hostile texts, a session that holds one in every field, and everything that is drawn of it."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from datetime import UTC
from typing import TYPE_CHECKING, Any

from ink_tui.formats.registry import INK
from ink_tui.model.context_table import build_table
from ink_tui.model.groups import ListQuery, arrange
from ink_tui.model.health import build_health
from ink_tui.model.listing import row_of
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_view import visible_rows
from ink_tui.model.plain import block_text, transcript_text
from ink_tui.model.transcript_build import build_transcript
from ink_tui.model.verdict import Diagnosis, diagnose
from ink_tui.store.files import UnreadableError
from ink_tui.tui.render.context_rows import context_rows
from ink_tui.tui.render.detail_rows import entry_detail
from ink_tui.tui.render.glyphs import UNICODE
from ink_tui.tui.render.head_lines import HeadFacts, title_line
from ink_tui.tui.render.health_rows import health_rows
from ink_tui.tui.render.lines import brought_to
from ink_tui.tui.render.list_rows import SESSION_COLUMNS, list_rows
from ink_tui.tui.render.rows import Piece, lay_out
from ink_tui.tui.render.session_detail import session_detail
from ink_tui.tui.render.transcript_look import Depth, Fold, Look
from ink_tui.tui.render.transcript_rows import lay_out_block
from ink_tui.tui.render.tree_rows import tree_columns, tree_row
from tests.conftest import NOON

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def diagnosed(content: bytes) -> Diagnosis:
    """Return the diagnosis of a file's bytes."""
    parser = INK.parser()
    parser.feed(content)
    return diagnose(parser.session())


Drawn = tuple[str, tuple[Piece, ...]]


def drawn_lines(diagnosis: Diagnosis, path: str, cells: int) -> Iterator[Drawn]:
    """Yield every line of the list, the tree, the details and the tabs, with its place."""
    look = Look(cells, UNICODE, NOON, UTC, cwd="/srv/work")
    item = row_of(diagnosis, path, child_by_place=False)
    listing = arrange([item], ListQuery(now_ms=0, today_ms=0))
    for row in list_rows(listing, look, home="/home/u"):
        yield from (("list", line) for line in lay_out(row, cells, SESSION_COLUMNS))
    for line in session_detail(item, look, 12):
        yield "detail of the list", brought_to(line, cells)
    outline = build_outline(diagnosis, child_records={})
    opened = [row.key for row in outline.rows if row.foldable]
    seen = visible_rows(outline, opened)
    columns = tree_columns(seen, look)
    for node in seen:
        yield from (("tree", line) for line in lay_out(tree_row(node, look), cells, columns))
        for line in entry_detail(node, diagnosis, look, 8):
            yield "detail of the tree", brought_to(line, cells)
    for block in build_transcript(diagnosis).blocks:
        for depth in Depth:
            for line in lay_out_block(block, Fold(depth), look):
                yield f"transcript, {type(block.body).__name__}", line.pieces
    health = build_health(diagnosis)
    for fault in health.faults:
        for row in health_rows(health, None, fault.key, (), cells, UNICODE):
            yield from (("health", line) for line in lay_out(row, cells))
    table = build_table(diagnosis)
    for row in context_rows(table, cells, UNICODE, room=40, unfolded=True):
        yield from (("context", line) for line in lay_out(row, cells))
    facts = HeadFacts(title=item.title, short_id=(item.session_id or "")[:8], facts=item.title)
    yield "head", title_line(facts, cells, UNICODE)


def plain_texts(diagnosis: Diagnosis, text: str) -> Iterator[tuple[str, str]]:
    """Yield what is printed, copied or said in a message, with its place."""
    yield from (("show", line) for line in transcript_text(diagnosis))
    for block in build_transcript(diagnosis).blocks:
        yield "copied", block_text(block)
    yield "error", str(UnreadableError(f"/x/{text}", "io-error", "why"))
