"""Sessions whose every field holds hostile text, and a reader of what arrives at a terminal."""

from __future__ import annotations

import base64
import json
import os
import re
import time
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.sessions import HEADER, stamp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAYLOADS = {
    "7-bit": "\x1b]52;c;ZXZpbA==\x07\x1b]0;evil\x1b\\\x1b]8;;http://evil\x07\x1b[2J\x1b[31m\x00\x08",
    "8-bit": "\x9d0;evil\x9c\x9b31m\x90evil\x9c\x85\x7f\x1bPevil\x1b\\\r\x0b",
    "unseen": "[@click=app.quit]x[/]\u202e\u2066\u200b\u2028\U000e0041e" + "\u0301" * 20 + "\ud800",
}
"""What is put into every field, one kind to a session."""
CLICK = "[@click=app.quit]"
_TOWER = re.compile("\u0301{9,}")


def placeholder(text: str) -> str:
    """Return harmless text that takes as many cells as the visible form of a hostile one."""
    text = _TOWER.sub(lambda found: f"<{len(found.group()) - 8} more marks>", text)
    return "".join(_harmless(char) for char in text).replace("[", "(").replace("]", ")")


def _harmless(char: str) -> str:
    code = ord(char)
    if code < 0x20 or code == 0x7F or 0xD800 <= code < 0xE000:
        return "c"
    if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp"):
        return "x" * len(f"<U+{code:04X}>")
    return "" if unicodedata.combining(char) else char


@dataclass
class Store:
    """A folder of sessions; `fields` are the names of all places that hold the text."""

    root: Path
    harmless: bool
    fields: set[str] = field(default_factory=set)
    _text: str = ""
    _turn: int = 0

    def fill(self) -> None:
        """Write the sessions of every payload."""
        for number, payload in enumerate(PAYLOADS.values()):
            self._text = payload
            self._number = number
            self._write("folder name", "file name", self._whole(""))
            self._write("folder", "broken", self._broken())
            self._write("folder/children", "child", self._child())

    def __call__(self, name: str) -> str:
        """Return the text for a field, and remember the field."""
        self.fields.add(name)
        return placeholder(self._text) if self.harmless else self._text

    def _write(self, folder: str, name: str, data: bytes) -> None:
        if folder == "folder name":
            folder, name = self._name(folder), self._name(name)
        path = self.root / f"{self._number}{folder}" / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        an_hour_ago = time.time() - 3_600
        os.utime(path, (an_hour_ago, an_hour_ago))

    def _name(self, name: str) -> str:
        """Return the text as a name of a file: what no name can hold is left out."""
        return self(name).replace("/", "|").replace("\0", "").replace("\ud800", "")

    # Records

    def _line(self, record: dict[str, Any]) -> bytes:
        return json.dumps(record, separators=(",", ":")).encode() + b"\n"

    def _header(self, **fields: Any) -> bytes:
        ident = f"{self._number}1111111-1111-4111-8111-111111111111"
        return self._line({**HEADER, "id": ident, "cwd": "/nowhere", **fields})

    def _entry(self, kind: str, entry_id: str, parent: str | None, **fields: Any) -> bytes:
        self._turn += 1
        when = {"timestamp": stamp(self._turn)}
        return self._line({"type": kind, "id": entry_id, "parentId": parent, **when, **fields})

    def _message(self, entry_id: str, parent: str | None, **message: Any) -> bytes:
        return self._entry("message", entry_id, parent, message=message)

    def _reply(self, entry_id: str, parent: str | None, *blocks: Any, **fields: Any) -> bytes:
        usage = {"inputTokens": 900, "outputTokens": 40}
        rest = {"usage": usage, "stopReason": "end_turn"} | fields
        return self._message(entry_id, parent, role="assistant", blocks=list(blocks), **rest)

    def _result(self, entry_id: str, parent: str, *items: Any) -> bytes:
        results = [{"isError": False, "toolName": "bash", "content": "ok", **i} for i in items]
        return self._message(entry_id, parent, role="toolResult", results=results)

    # Files

    def _whole(self, _: str) -> bytes:
        """Return a session that can be resumed, with open calls at its end."""
        f = self
        image = {"type": "image", "data": "AAAA", "mimeType": f("image mimeType")}
        texts = [{"type": "text", "text": f("user array text")}, image]
        last = f"e{f('entry id')}"
        return b"".join(
            (
                self._header(
                    forkedFrom={"id": f("forkedFrom id"), "entry": f("forkedFrom entry")},
                    model={"provider": "zai", "modelId": f("model id")},
                ),
                self._message("m1", None, role="user", content=f("user text")),
                self._message("m2", "m1", role="user", content=texts),
                self._reply(
                    "m3",
                    "m2",
                    {"type": "thinking", "thinking": f("thinking")},
                    {"type": "text", "text": f("assistant text")},
                    *(_call(*call) for call in self._calls()),
                    stopReason="tool_use",
                    model=f("assistant model"),
                    modelReference=f("model reference"),
                ),
                self._result("m4", "m3", *self._results()),
                self._entry("branchSummary", "m5", "m4", summary=f("branch summary")),
                self._entry("thinkingLevelChange", "m6", "m5", thinkingLevel=f("thinking level")),
                self._entry(
                    "compaction",
                    "m7",
                    "m6",
                    summary=f("compaction summary"),
                    tokensBefore=118_000,
                    retainedTail=[{"role": "user", "content": f("retained tail text")}],
                ),
                self._entry("session_info", "m8", "m7", name=f("session name")),
                self._entry("label", "l1", "m8", targetId="m8", label=f("label")),
                self._entry("label", "l2", "m8", targetId=f("label target"), label="gone"),
                self._message("b1", "m8", role="user", content="a branch"),
                self._message("b2", "b1", role=f("message role"), content="x"),
                self._reply("n1", "m8", _text("and"), stopReason=f("stop reason")),
                self._line(
                    {
                        "type": "message",
                        "id": last,
                        "parentId": "n1",
                        "timestamp": f("entry timestamp"),
                        "message": {"role": "user", "content": "go on"},
                    }
                ),
                self._reply("z1", last, _call("z9", f("open call tool"), {"command": "x"})),
            )
        )

    def _calls(self) -> tuple[tuple[str, str, Any], ...]:
        f = self
        edits = [{"oldText": f("argument oldText"), "newText": f("argument newText")}]
        return (
            (f("call id"), "bash", {"command": f("argument command")}),
            ("c2", f("tool name"), {f("argument name"): f("argument of an unknown tool")}),
            ("c3", "edit", {"path": f("argument path"), "edits": edits}),
            ("c4", "grep", {"pattern": f("argument pattern"), "path": "."}),
            ("c5", "task", {"prompt": f("argument prompt")}),
            ("c6", "write", {"path": "x", "content": f("argument content")}),
            ("c7", "read", f("arguments that are a text")),
        )

    def _results(self) -> tuple[dict[str, Any], ...]:
        f = self
        task = {"version": 1, "childId": f("taskRecord childId"), "status": f("taskRecord status")}
        return (
            {"toolCallId": f("call id"), "content": f("result text")},
            {"toolCallId": "c2", "toolName": f("result tool name"), "isError": True},
            {"toolCallId": "c3", "content": [_text(f("result array text"))]},
            {"toolCallId": "c4"},
            {"toolCallId": "c5", "toolName": "task", "taskRecord": task},
            {"toolCallId": "c6"},
            {"toolCallId": "c7"},
        )

    def _broken(self) -> bytes:
        """Return a session with damage in the middle and a torn end, in an odd working folder."""
        f = self
        provider = {"provider": f("provider"), "modelId": "m", "explicit": True}
        raw = f("unreadable line").replace("\n", "").encode("utf-8", "replace")
        torn = f("torn fragment").encode("utf-8", "replace")
        return b"".join(
            (
                self._header(
                    id=f"{self._number}{f('session id')}",
                    cwd=f"/{f('cwd')}",
                    timestamp=f("header timestamp"),
                ),
                self._message("m1", None, role="user", content="broken"),
                self._message("m2", f("parentId"), role="user", content="lost"),
                self._entry(f("unknown record type"), "m3", "m1", **{f("unknown key"): 1}),
                self._entry("later", "m4", "m1", preview=f("unknown record preview")),
                self._reply("m5", "m1", {"type": f("block type"), "text": f("block text")}),
                self._line({"type": "session_model", **provider}),
                b'{"type":"message",' + raw + b"\n",
                self._message("m6", "m5", role="user", content="end"),
                b'{"type":"message","id":"' + torn,
            )
        )

    def _child(self) -> bytes:
        f = self
        launch = {"version": 1, "childId": f("launch childId"), "agent": {"name": f("agent name")}}
        head = self._header(id=f"child{self._number}", parent=f("parent id"), launch=launch)
        return head + self._message("m1", None, role="user", content="sub-agent")


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def _call(ident: str, name: str, arguments: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": ident, "name": name, "arguments": arguments}


# What arrives at a terminal

_TOKEN = re.compile(
    r"(?:\x1b\[|\x9b)(?P<csi>[0-?]*[ -/]*[@-~])"
    r"|(?:\x1b\]|\x9d)(?P<osc>[^\x07\x1b\x9c]*)(?:\x07|\x1b\\|\x9c)"
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])(?P<string>[^\x1b\x9c]*)(?:\x1b\\|\x9c)"
    r"|\x1b(?P<esc>[ -/]*[0-~])"
    r"|(?P<char>[\x00-\x1f\x7f-\x9f])"
    r"|(?P<text>[^\x00-\x1f\x7f-\x9f]+)"
)
_MOVES = frozenset("ABCDEFGHJKSTXdfmr@LMP")
"""Ends of sequences that move, erase or colour: their numbers follow from what is drawn."""
_PLAIN = frozenset("\r\n\t\b")


def tokens(raw: bytes) -> set[str]:
    """Return what a terminal would act on, each once: sequences, controls, unseen characters."""
    return set(_tokens(raw.decode("utf-8", "backslashreplace")))


def _tokens(text: str) -> Iterator[str]:
    for found in _TOKEN.finditer(text):
        kind, body = found.lastgroup, found.group(found.lastgroup or 0)
        if kind == "csi":
            private = body[0] if body[0] in "<=>?" else ""
            yield f"CSI {private}{body[-1]}" if body[-1] in _MOVES else f"CSI {body}"
        elif kind in ("osc", "string"):
            yield f"{kind} {_copied(body)}"
        elif kind == "esc":
            yield f"ESC {body}"
        elif kind == "char" and body not in _PLAIN:
            yield f"control {ord(body):02x}"
        elif kind == "text":
            yield from (f"unseen {char!a}" for char in set(body) if _is_unseen(char))
            yield from ("tower" for _ in _TOWER.finditer(body))


def _copied(body: str) -> str:
    """Return the body of a string; of a copy to the clipboard, only what it would act by.

    The pointer's shape is the screen's own and follows where the mouse was when it was drawn.
    """
    number, _, rest = body.partition(";")
    if number == "22" and rest in ("default", "text", "pointer"):
        return "22;a shape"
    if number != "52":
        return body
    copied = base64.b64decode(rest.partition(";")[2] + "===").decode("utf-8", "replace")
    acts = sorted(set(_tokens(copied))) + (["evil"] if copied == "evil" else [])
    return f"52 {acts}"


def _is_unseen(char: str) -> bool:
    return unicodedata.category(char) in ("Cf", "Cs", "Zl", "Zp", "Cn", "Co")
