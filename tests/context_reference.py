"""The context of any entry by a reader of its own: raw JSON and the rules of `formats/ink.md` 6.

Of the program it takes where each entry stands, and how text is cleaned, which sizes count.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ink_tui.model.text import clean

if TYPE_CHECKING:
    from ink_tui.model.session import Session

MESSAGES = ("message", "branchSummary", "compaction")


@dataclass(frozen=True, slots=True)
class Expected:
    """What a resume from an entry sends, or why there is nothing."""

    error: str = ""
    """`missing`, `ring` or `malformed`."""
    rows: tuple[tuple[str, str, str, int], ...] = ()
    """Of each message: the entry that holds it, why it is there, its role, its characters."""
    tokens: int = 0
    measured: bool = False
    left_out: tuple[str, ...] = ()
    """Entries that the last compaction stands for."""
    left_out_tokens: int = 0
    open_calls: tuple[str, ...] = ()


def raw_entries(data: bytes, session: Session) -> dict[str, dict[str, Any]]:
    """Return the JSON of every entry of the tree, by its id."""
    found: dict[str, dict[str, Any]] = {}
    for entry_id, node in session.nodes.items():
        content = data[node.span.offset : node.span.offset + node.span.length]
        found[entry_id] = json.loads(content.decode("utf-8", "replace"))
    return found


def expected_context(entries: dict[str, dict[str, Any]], entry_id: str | None) -> Expected:
    """Return what a resume from an entry sends."""
    chain: list[dict[str, Any]] = []
    seen: set[str] = set()
    while entry_id is not None:
        if entry_id not in entries:
            return Expected("missing")
        if entry_id in seen:
            return Expected("ring")
        seen.add(entry_id)
        chain.insert(0, entries[entry_id])
        entry_id = entries[entry_id]["parentId"]
    last = max((at for at, each in enumerate(chain) if _is_compaction(each)), default=-1)
    sent: list[tuple[str, str, dict[str, Any]]] = []
    if last >= 0:
        head = chain[last]
        if not isinstance(head.get("retainedTail"), list):
            return Expected("malformed")
        sent.append((head["id"], "summary", {"role": "user", "content": head["summary"]}))
        sent += [(head["id"], "kept", message) for message in head["retainedTail"]]
    boundary = len(sent)
    for each in chain[last + 1 :]:
        if each["type"] == "message" and isinstance(each.get("message"), dict):
            sent.append((each["id"], "since", each["message"]))
        elif each["type"] == "branchSummary" and isinstance(each.get("summary"), str):
            sent.append((each["id"], "since", {"role": "user", "content": each["summary"]}))
    rows = tuple((of, why, _role(said), _chars(said)) for of, why, said in sent)
    tokens, measured = _estimate([said for _of, _why, said in sent], boundary)
    gone = [each for each in chain[: max(0, last)] if each["type"] in MESSAGES]
    gone_chars = sum(_chars(each.get("message") or _framed(each)) for each in gone)
    return Expected(
        rows=rows,
        tokens=tokens,
        measured=measured,
        left_out=tuple(each["id"] for each in gone),
        left_out_tokens=-(-gone_chars // 4),
        open_calls=_open_calls([said for _of, _why, said in sent]),
    )


def _is_compaction(record: dict[str, Any]) -> bool:
    return record["type"] == "compaction" and isinstance(record.get("summary"), str)


def _framed(record: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": record["summary"]}


def _role(message: Any) -> str:
    role = message.get("role") if isinstance(message, dict) else None
    return role if role in ("user", "assistant", "toolResult") else "unknown"


def _chars(message: Any) -> int:
    role = _role(message)
    if role == "user":
        return _content(message.get("content"))
    if role == "assistant":
        return sum(_block(block) for block in _listed(message.get("blocks")))
    if role == "toolResult":
        results = message.get("results")
        items = [item for item in results if isinstance(item, dict)] if _is_list(results) else []
        return sum(_content(item.get("content")) for item in items)
    return 0


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _listed(value: Any) -> list[Any]:
    return [block for block in value if isinstance(block, dict)] if _is_list(value) else []


def _content(content: Any) -> int:
    if isinstance(content, str):
        return len(clean(content))
    return sum(_block(block) for block in _listed(content) if block.get("type") != "toolCall")


def _block(block: dict[str, Any]) -> int:
    kind = block.get("type")
    if kind == "image":
        return 4800
    if kind in ("text", "thinking") and isinstance(block.get(kind), str):
        return len(clean(block[kind]))
    if kind == "toolCall" and isinstance(block.get("id"), str):
        arguments = json.dumps(block.get("arguments"), ensure_ascii=False, separators=(",", ":"))
        return len(block.get("name") or "") + len(arguments)
    return 0


def _estimate(messages: list[Any], floor: int) -> tuple[int, bool]:
    since = 0
    for message in reversed(messages[floor:]):
        usage = message.get("usage") if _role(message) == "assistant" else None
        figures = usage if isinstance(usage, dict) else {}
        names = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
        given, said, read, written = (figures.get(name) or 0 for name in names)
        if given + said + read > 0:
            return given + said + read + written + since, True
        since += -(-_chars(message) // 4)
    return -(-sum(_chars(message) for message in messages) // 4), False


def _open_calls(messages: list[Any]) -> tuple[str, ...]:
    """Return the calls that no result answers, in order; a result answers the newest open one."""
    waiting: list[str] = []
    for message in messages:
        if _role(message) == "assistant":
            blocks = _listed(message.get("blocks"))
            waiting += [
                block["id"]
                for block in blocks
                if block.get("type") == "toolCall" and isinstance(block.get("id"), str)
            ]
        elif _role(message) == "toolResult":
            for item in _listed(message.get("results")):
                at = _last(waiting, item.get("toolCallId"))
                if at >= 0:
                    del waiting[at]
    return tuple(waiting)


def _last(values: list[str], wanted: Any) -> int:
    return next((at for at in reversed(range(len(values))) if values[at] == wanted), -1)
