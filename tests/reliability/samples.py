"""Sessions of exact sizes, and an independent strict reader to hold results against."""

from __future__ import annotations

import json
from typing import Any

from tests.sessions import answer, entry, line, results, session, user

PLAIN_BYTES = 42_231
"""So that there are 42,232 places to cut at, both ends included."""


def plain(size: int, word: str = "words and more words ") -> bytes:
    """Return a sound session of exactly so many bytes: questions, calls, results, answers.

    Args:
        size: Bytes; at least 2,000.
        word: What the texts are made of.
    """
    pieces = [session()]
    total = len(pieces[0])
    parent: str | None = None
    number = 0
    while True:
        turn = _turn(number, parent, word)
        if total + len(turn) > size - 400:
            break
        pieces.append(turn)
        total += len(turn)
        parent = f"d{number}"
        number += 1
    frame = len(user("last", parent, ""))
    pieces.append(user("last", parent, "x" * (size - total - frame)))
    made = b"".join(pieces)
    assert len(made) == size
    return made


def _turn(number: int, parent: str | None, word: str) -> bytes:
    call = f"call{number}"
    return b"".join(
        [
            user(f"a{number}", parent, f'{number}: {word * 3}"quoted" \\ {{"type":"', 4 * number),
            answer(f"b{number}", f"a{number}", word, ((call, "read", {"path": "a.txt"}),)),
            results(f"c{number}", f"b{number}", (call, "read", f"line one\n{word}\n")),
            answer(f"d{number}", f"c{number}", word * 2, second=4 * number + 3),
        ]
    )


def wide(size: int) -> bytes:
    """Return such a session of characters of two, three and four bytes."""
    return plain(size, "修复工具 café 👩\u200d🔬 ")


def compacted() -> bytes:
    """Return a sound session with a compaction, a branch, labels, a name and markers."""
    kept: list[dict[str, Any]] = [{"role": "user", "content": "kept"}]
    rounds: list[bytes] = []
    parent: str | None = None
    for number in range(12):
        rounds.append(_turn(number, parent, "text "))
        parent = f"d{number}"
        rounds.append(entry("label", f"l{number}", parent, targetId=parent, label=f"mark {number}"))
    return session(
        line({"type": "session_model", "provider": "zai", "modelId": "glm-5.3", "explicit": True}),
        *rounds,
        entry("compaction", "k1", "d11", summary="S" * 300, retainedTail=kept, tokensBefore=9000),
        user("after", "k1", "go on"),
        answer("done", "after", "done"),
        line({"type": "position", "leafId": "k1"}),
        entry("branchSummary", "s1", "k1", summary="what was left"),
        entry("session_info", "n1", "s1", name="a name"),
        user("end", "n1", "and now?"),
    )


def strictly_read(content: bytes) -> int:
    """Return how many entries a strict reader of the format finds (`formats/ink.md` 3.0).

    Written apart from the program: the standard parser, every line, nothing forgiven.

    Raises:
        ValueError: A line is not what it must be, or the last one has no newline.
    """
    if not content.endswith(b"\n"):
        raise ValueError("the last line has no newline")
    header, *lines = content[:-1].split(b"\n")
    if json.loads(header).get("type") != "session":
        raise ValueError("no header")
    count = 0
    for raw in lines:
        record = json.loads(raw)
        if record["type"] in ("position", "session_model"):
            continue
        well = isinstance(record["id"], str) and isinstance(record["timestamp"], str)
        if not well or not isinstance(record["parentId"], str | None):
            raise ValueError("a record without id, parent or time")
        count += 1
    return count


def line_starts(content: bytes) -> list[int]:
    """Return where each line begins, the end of the content last."""
    starts = [0]
    while (newline := content.find(b"\n", starts[-1])) >= 0:
        starts.append(newline + 1)
    return starts


_DECOY = (
    '{"type":"message","id":"decoy","parentId":null,"timestamp":"2026-03-02T08:00:00.000Z",'
    '"message":{"role":"user","content":"decoy"}}'
)
"""A whole record that stands in texts and arguments of other records."""


def fifty_records() -> list[bytes]:
    """Return records of every kind, without newlines; most hold what looks like a record."""
    made: list[bytes] = []
    nested = json.loads(_DECOY)
    for number in range(10):
        n = f"{number:02d}"
        made += [
            user(f"u{n}", f"s{n}", f'Look: {_DECOY}\n{_DECOY} 试试 \u2028 {{"type":"x"', number),
            answer(f"a{n}", f"u{n}", f"{{}} {_DECOY}", ((f"c{n}", "write", {"content": _DECOY}),)),
            results(f"r{n}", f"a{n}", (f"c{n}", "write", f"}}{{ {_DECOY}")),
            answer(f"b{n}", f"r{n}", "", ((f"d{n}", "put", {"record": nested, "n": number}),)),
            entry("compaction", f"k{n}", f"b{n}", summary=_DECOY, retainedTail=[], tokensBefore=9),
        ]
    return [record.removesuffix(b"\n") for record in made]
