"""Stores for the clean-up tests: old, empty, orphaned, damaged, held and young sessions."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.sessions import HEADER

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = 1_772_453_040_000
"""The moment of `tests.conftest.NOON`, in milliseconds."""
DAY = 86_400_000
CWD = "/home/u/work"


def stamp(age_days: float) -> str:
    """Return a time stamp some days before the present."""
    moment = datetime.fromtimestamp(NOW / 1000, UTC) - timedelta(days=age_days)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def line(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode() + b"\n"


def put(
    path: Path,
    session_id: str,
    *,
    age_days: float = 400,
    messages: int = 1,
    parent: str | None = None,
    launch: str | None = None,
    tail: bytes = b"",
    changed_days: float | None = None,
    pad: int = 0,
    text: str = "",
    cwd: str = CWD,
) -> Path:
    """Write a session whose newest record has an age; return its path.

    Args:
        path: The file.
        session_id: Its header id.
        age_days: Age of its newest record, and of its header.
        messages: User messages in it.
        parent: Session id of the parent in its header; also in its launch record.
        launch: Another parent for the launch record; empty for no such record.
        tail: Bytes at its end.
        changed_days: Age of the file; that of its newest record when left out.
        pad: Bytes of further text in each message, on lines of their own.
        text: What the messages say; else something with the id.
        cwd: Its working directory.
    """
    header = HEADER | {"id": session_id, "cwd": cwd, "timestamp": stamp(age_days)}
    if parent is not None:
        header["parent"] = parent
    named = parent if launch is None else launch
    if named:
        header["launch"] = {"version": 1, "parentSessionId": named, "childId": session_id}
    content, said = line(header), text or f"task of {session_id}"
    for number in range(messages):
        content += line(
            {
                "type": "message",
                "id": f"m{number}",
                "parentId": f"m{number - 1}" if number else None,
                "timestamp": stamp(age_days),
                "message": {"role": "user", "content": said + "\n" * bool(pad) + "x" * pad},
            }
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content + tail)
    changed = NOW - int((age_days if changed_days is None else changed_days) * DAY)
    os.utime(path, ns=(changed * 1_000_000, changed * 1_000_000))
    return path


class Trash:
    """A trash that is a folder, remembers what came, and may refuse some names."""

    def __init__(self, move: Callable[[str], None], refuses: frozenset[str] = frozenset()) -> None:
        self.names: list[str] = []
        self.refuses = refuses
        self._move = move

    def __call__(self, path: str) -> None:
        if Path(path).name in self.refuses:
            raise OSError(28, "No space left on device")
        self._move(path)
        self.names.append(Path(path).name)
