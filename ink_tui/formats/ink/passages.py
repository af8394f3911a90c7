"""The texts of one decoded record, for a search (`formats/ink.md` sections 2 to 4).

Every string that a person or a program said is a passage, copies in a compaction's retained tail
included. Left out is what a search would find everywhere: names of fields and of tools, times and
settings. Of a call's arguments the values are texts, and the names below the first level; whole
numbers are texts, too, as the file writes them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ink_tui.model.passages import Kind, Passage
from ink_tui.model.tool_facts import PATH_KEYS

_OWN_FIELDS = frozenset({"type", "id", "parentId", "timestamp", "role"})
_ENTRY_TEXTS = {
    "compaction": ("summary", Kind.SUMMARY),
    "branchSummary": ("summary", Kind.SUMMARY),
    "session_info": ("name", Kind.NAME),
    "label": ("label", Kind.LABEL),
}
_SILENT = frozenset({"thinkingLevelChange", "position", "session_model"})


def record_passages(value: Any) -> tuple[Passage, ...]:
    """Return the passages of one decoded line, the header's included; never raises."""
    if not isinstance(value, dict):
        return _unknown(value)
    kind = value.get("type")
    identity = _text(Kind.ID, value.get("id"))
    if kind == "session":
        return identity + _text(Kind.PATH, value.get("cwd"))
    if kind == "message" and isinstance(value.get("message"), dict):
        return _message(value["message"]) + identity
    if isinstance(kind, str) and kind in _SILENT:
        return identity
    named = _ENTRY_TEXTS.get(kind) if isinstance(kind, str) else None
    if named is not None and isinstance(value.get(named[0]), str):
        return _text(named[1], value[named[0]]) + _kept(value.get("retainedTail")) + identity
    return _unknown({name: item for name, item in value.items() if name not in _OWN_FIELDS}) + (
        identity
    )


def json_text(value: Any) -> str:
    """Return the texts inside a decoded value, one below the other."""
    found: list[str] = []
    waiting: list[tuple[Any, int]] = [(value, 0)]
    while waiting:
        one, depth = waiting.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, bool) or one is None or isinstance(one, float):
            continue
        elif isinstance(one, int):
            found.append(str(one))
        elif isinstance(one, dict):
            for name, item in reversed(one.items()):
                waiting.append((item, depth + 1))
                if depth:
                    waiting.append((name, depth + 1))
        elif isinstance(one, list):
            waiting += [(item, depth + 1) for item in reversed(one)]
    return "\n".join(found)


def _text(kind: Kind, value: Any) -> tuple[Passage, ...]:
    return (Passage(kind, value),) if isinstance(value, str) and value else ()


def _unknown(value: Any) -> tuple[Passage, ...]:
    return _text(Kind.UNKNOWN, json_text(value))


def _message(message: dict[str, Any]) -> tuple[Passage, ...]:
    role = message.get("role")
    if role == "user":
        return _content(Kind.USER, message.get("content"))
    if role == "assistant":
        blocks = message.get("blocks")
        listed = blocks if isinstance(blocks, list) else [blocks]
        return tuple(passage for block in listed for passage in _block(block))
    if role == "toolResult" and isinstance(message.get("results"), list):
        return tuple(passage for item in message["results"] for passage in _result(item))
    return _unknown({name: item for name, item in message.items() if name not in _OWN_FIELDS})


def _kept(tail: Any) -> tuple[Passage, ...]:
    """Return the passages of a retained tail, each marked as a copy."""
    messages = tail if isinstance(tail, list) else [tail]
    passages = [
        passage
        for message in messages
        for passage in (_message(message) if isinstance(message, dict) else _unknown(message))
    ]
    return tuple(replace(passage, kept=True) for passage in passages)


def _content(kind: Kind, content: Any, tool: str = "", call_id: str = "") -> tuple[Passage, ...]:
    if isinstance(content, str):
        return (Passage(kind, content, tool, call_id),) if content else ()
    found: list[Passage] = []
    for block in content if isinstance(content, list) else [content]:
        fields = block if isinstance(block, dict) else {}
        if fields.get("type") == "image":
            continue
        if isinstance(fields.get("text"), str):
            found += [Passage(kind, fields["text"], tool, call_id)] if fields["text"] else []
        else:
            found += _unknown(block)
    return tuple(found)


def _block(block: Any) -> tuple[Passage, ...]:
    if isinstance(block, dict):
        kind = block.get("type")
        if kind == "text" and isinstance(block.get("text"), str):
            return _text(Kind.ASSISTANT, block["text"])
        if kind == "thinking" and isinstance(block.get("thinking"), str):
            return _text(Kind.THINKING, block["thinking"])
        if kind == "toolCall":
            return _call(block)
        if kind == "image":
            return ()
    return _unknown(block)


def _call(block: dict[str, Any]) -> tuple[Passage, ...]:
    arguments, name, call_id = block.get("arguments"), block.get("name"), block.get("id")
    named = arguments if isinstance(arguments, dict) else {}
    file = next((named[key] for key in PATH_KEYS if isinstance(named.get(key), str)), "")
    return (
        Passage(
            Kind.CALL,
            json_text(arguments),
            tool=name if isinstance(name, str) else "",
            call_id=call_id if isinstance(call_id, str) else "",
            file=file,
        ),
    )


def _result(item: Any) -> tuple[Passage, ...]:
    if not isinstance(item, dict):
        return _unknown(item)
    tool, call_id = item.get("toolName"), item.get("toolCallId")
    told = item.get("taskRecord")
    task = told if isinstance(told, dict) else {}
    return (
        *_content(
            Kind.RESULT,
            item.get("content"),
            tool if isinstance(tool, str) else "",
            call_id if isinstance(call_id, str) else "",
        ),
        *_text(Kind.RESULT, task.get("reason")),
        *_text(Kind.ID, task.get("childId")),
    )


def is_sound_header(value: Any) -> bool:
    """Whether a decoded first line is a header that can be read, of whatever version."""
    return (
        isinstance(value, dict)
        and value.get("type") == "session"
        and isinstance(value.get("id"), str)
    )


def is_sound_record(value: Any) -> bool:
    """Whether a decoded line surely passes the checks of a record (section 3.0).

    Quicker than building the record. False may be wrong: then `read_record` knows.
    """
    if not isinstance(value, dict):
        return False
    entry_id, parent, kind = value.get("id"), value.get("parentId", 0), value.get("type")
    if not (isinstance(entry_id, str) and entry_id and (parent is None or isinstance(parent, str))):
        return False
    if not isinstance(value.get("timestamp"), str):
        return False
    if kind == "message":
        message = value.get("message")
        return isinstance(message, dict) and isinstance(message.get("role"), str)
    if kind == "label":
        return isinstance(value.get("label"), str) and isinstance(value.get("targetId"), str)
    named = _ENTRY_TEXTS.get(kind) if isinstance(kind, str) else None
    return named is not None and isinstance(value.get(named[0]), str)
