"""Sessions with a text in every string field, and their exports in every format."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ink_tui.formats.registry import INK
from ink_tui.model.export.cast import MOST_SIZE, cast
from ink_tui.model.export.document import build_document
from ink_tui.model.export.html import html
from ink_tui.model.export.jsonl import redacted_lines
from ink_tui.model.export.markdown import markdown
from ink_tui.model.redaction import RedactedFile, Redaction
from ink_tui.model.verdict import diagnose
from tests.every_kind import every_kind
from tests.sessions import line, user

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.model.export.document import Document

STRUCTURE = frozenset(
    {"type", "role", "id", "parentId", "timestamp", "toolCallId", "leafId", "targetId", "childId"}
    | {"version", "stopReason", "provider"}
)
"""Fields that hold the session together: changed one at a time, in records of their own."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A session and how many string fields of it hold the text."""

    data: bytes
    fields: int


@cache
def filled(text: str) -> Filled:
    """Return a session of every kind of record with a text in every one of its string fields."""
    number = 0

    def put(value: Any, key: str = "") -> Any:
        nonlocal number
        if isinstance(value, dict):
            return {name: put(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [put(item, key) for item in value]
        if isinstance(value, str) and key not in STRUCTURE:
            number += 1
            return f"{value} {text}" if number % 2 else f"{text} {value}"
        return value

    *whole, torn = every_kind().splitlines()
    records = [json.loads(each) for each in whole]
    launch = {"version": 1, "childId": "c", "agent": {"name": "reviewer", "source": "project"}}
    records[0] |= {"parent": "p", "forkedFrom": {"id": "f", "entry": "e"}, "launch": launch}
    lines = [line(put(record)) for record in records]
    for record in records:
        for key in STRUCTURE & record.keys():
            lines.insert(-1, line(record | {"id": f"s{number}", key: f"{text} x"}))
            number += 1
    image = {"type": "image", "mimeType": text, "data": "AAAA"}
    odd = {"type": text, text: text, "nested": [{text: [text]}]}
    padded = "y" * (1_990 - len(json.dumps(text)) // 2) + " "
    lines += [
        line({"type": "message", "id": "o1", "parentId": "a4", "timestamp": text, "message": {
            "role": "user", "content": [image, odd, {"type": "text", "text": text}]}}),
        line({"type": "message", "id": "o2", "parentId": "o1", "timestamp": "2026-03-02T09:00:00Z",
              "message": {"role": text, "content": text}}),
        user("o3", "o2", padded + text),
        line({"type": "later", "id": "o4", "parentId": "o3", "a": padded[-1_900:] + text}),
        f"{text} is no JSON\n".encode(),
        user("o5", "o4", "cut inside this text")[:-20] + user("o6", "o4", f"glued {text}"),
        line({"type": "position", "leafId": "o4"}),
    ]  # fmt: skip
    lines.append(torn + b'","text":"' + json.dumps(text)[1:-1].encode())
    return Filled(b"".join(lines), number + 13)


@cache
def _copy(data: bytes, home: str | None, redacted: bool) -> RedactedFile:
    return Redaction(home).file(data) if redacted else RedactedFile(data)


def as_markdown(data: bytes, home: str | None = None, *, redacted: bool = True) -> str:
    """Return a session as Markdown."""
    return "\n".join(markdown(document_of(data, home, redacted=redacted)))


def as_html(data: bytes, home: str | None = None, *, redacted: bool = True) -> str:
    """Return a session as HTML."""
    return "\n".join(html(document_of(data, home, redacted=redacted)))


def as_jsonl(data: bytes, home: str | None = None, *, redacted: bool = True) -> str:
    """Return a session as JSON Lines."""
    copy = _copy(data, home, redacted)
    content = redacted_lines(copy.data, "x", copy.counts) if redacted else copy.data
    return content.decode("utf-8", "replace")


def as_cast(data: bytes, home: str | None = None, *, redacted: bool = True) -> str:
    """Return a session as a recording, and behind it what it shows, its rows put together again."""
    parser = INK.parser()
    parser.feed(_copy(data, home, redacted).data)
    lines = list(cast(diagnose(parser.session()), "Redacted: as told.", MOST_SIZE))
    shown = "".join(json.loads(line)[2] for line in lines[1:])
    return "\n".join([*lines, re.sub("\r\n *", "", shown)])


FORMATS: dict[str, Callable[..., str]] = {
    "md": as_markdown,
    "html": as_html,
    "jsonl": as_jsonl,
    "cast": as_cast,
}


def document_of(data: bytes, home: str | None = None, *, redacted: bool = True) -> Document:
    """Return a session as a document."""
    parser = INK.parser()
    parser.feed(_copy(data, home, redacted).data)
    return build_document(diagnose(parser.session()), "session.jsonl", "Redacted: as told.")
