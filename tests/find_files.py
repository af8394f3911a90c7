"""Session files of every kind of record for a find, and what is in them, decoded by itself."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from ink_tui.store.search.engine import Search, SearchOptions
from tests.sessions import entry, results, session, stamp, user

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Generator, Iterator

    from ink_tui.model.query import Query
    from ink_tui.model.query_sessions import Surroundings
    from ink_tui.store.search.values import SearchEvent, SearchTarget

WORDS = (
    "sum",
    "Sum",
    "SUM",
    "parser",
    "解析",
    "修",
    "関数",
    "a sum of",
    "NaN",
    "été",
    "[red]sum[/]",
)
"""Words of the texts; some are parts of others, or differ in case alone."""

_FILLING = ("x", "the", "\n", "\x1b[31m", ", ", " ", "\u202e", "0")
Found = tuple[str | None, str, str, int]
"""Record, kind, call, and how often it stands in one text."""


class Beside:
    """A search without a process of its own that counts what it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def prepare(self) -> None:
        """Nothing is to be made ready."""

    def close(self) -> None:
        """Nothing is left."""

    def search(
        self,
        query: Query,
        around: Surroundings,
        targets: tuple[SearchTarget, ...],
        options: SearchOptions,
        *,
        stop: Callable[[], bool],
    ) -> Generator[SearchEvent, None, None]:
        self.asked += 1
        return Search(query, around, options=options, stop=stop).run(targets)


def some_text(chance: random.Random, words: int = 6) -> str:
    """Return a text with some of the words in it."""
    parts = chance.choices((*WORDS, *_FILLING), k=chance.randrange(1, words))
    return chance.choice(("", " ")).join(parts)


def some_session(chance: random.Random) -> bytes:
    """Return a session with branches, calls, compactions, labels, names and damage."""
    made: list[bytes] = []
    ids: list[str] = []
    for number in range(chance.randrange(3, 16)):
        made += _record(chance, f"{number:04x}", chance.choice(ids[-3:]) if ids else None, ids)
        ids.append(f"{number:04x}")
    data = session(*made)
    if chance.random() < 0.2:
        data += b'{"type":"message","id":"torn","text":"sum'
    return data


def _record(
    chance: random.Random, name: str, parent: str | None, ids: list[str]
) -> Iterator[bytes]:
    kind = chance.randrange(8)
    said = some_text(chance)
    if kind < 2:
        yield user(name, parent, said)
    elif kind < 4:
        yield entry("message", name, parent, message=_answer(chance, name))
        if chance.random() < 0.8:
            given = (f"c{name}", "bash", some_text(chance, 60))
            yield results(f"{name}r", name, given, (f"d{name}", "read", some_text(chance)))
    elif kind == 4:
        kept = [{"role": "user", "content": some_text(chance)}, _answer(chance, name)]
        yield entry("compaction", name, parent, summary=said, retainedTail=kept, tokensBefore=9)
    elif kind == 5:
        yield entry("label", f"{name}l", parent, label=said, targetId=parent or name)
        yield entry("session_info", name, parent, name=said)
    elif kind == 6:
        yield entry("branchSummary", name, parent, summary=said, fromId=ids[-1] if ids else None)
    else:
        yield entry("marvel", name, parent, what={"deep": [said, 1, {"k": some_text(chance)}]})


def _answer(chance: random.Random, name: str) -> dict[str, Any]:
    arguments = {"command": some_text(chance), "more": [some_text(chance), {"k": "sum"}]}
    blocks: list[dict[str, Any]] = [
        {"type": "thinking", "thinking": some_text(chance)},
        {"type": "text", "text": some_text(chance)},
        {"type": "text", "text": some_text(chance)},
        {"type": "toolCall", "id": f"c{name}", "name": "bash", "arguments": arguments},
        {"type": "toolCall", "id": f"d{name}", "name": "read", "arguments": {"path": "sum.py"}},
    ]
    return {"role": "assistant", "blocks": blocks, "usage": {}, "timestamp": stamp(1)}


def decoded_search(data: bytes, count: Callable[[str], int]) -> Counter[Found]:
    """Return what is found in the texts of a file, by a reading of its own.

    Args:
        data: The file.
        count: How often what is looked for stands in a text.
    """
    found: Counter[Found] = Counter()
    for line in data.splitlines()[1:]:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        for kind, call, text in _texts(record):
            if number := count(text):
                found[record["id"], kind, call, number] += 1
    return found


def _texts(record: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    kind = record["type"]
    if kind == "message":
        yield from _said(record["message"])
    elif kind in ("compaction", "branchSummary"):
        yield "summary", "", record["summary"]
        for message in record.get("retainedTail", ()):
            yield from _said(message)
    elif kind == "label":
        yield "label", "", record["label"]
    elif kind == "session_info":
        yield "name", "", record["name"]
    else:
        yield "unknown", "", "\n".join(_strings(record["what"]))


def _said(message: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    if message["role"] == "user":
        yield "user", "", message["content"]
    for block in message.get("blocks", ()):
        if block["type"] == "toolCall":
            yield "call", block["id"], "\n".join(_strings(block["arguments"], top=True))
        else:
            kind = "thinking" if block["type"] == "thinking" else "assistant"
            yield kind, "", block.get("thinking") or block.get("text") or ""
    for result in message.get("results", ()):
        yield "result", result["toolCallId"], result["content"]


def _strings(value: object, *, top: bool = True) -> Iterator[str]:
    """Yield the strings of a value, names below the first level too, and whole numbers."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, int):
        yield str(value)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item, top=False)
    elif isinstance(value, dict):
        for name, item in value.items():
            if not top:
                yield name
            yield from _strings(item, top=False)
