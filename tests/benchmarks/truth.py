"""What is true of a made-up store: one record of truth per session, kept beside the store.

A timed command counts only if what it printed equals this (`performance.md` section 0).
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

EXACT = ("id", "cwd", "title", "child", "parent_id")
"""Facts of a row that are told even when only the ends of a file were read."""
DEEP = (
    *("verdict", "size", "records", "messages", "branches"),
    *("compactions", "open_calls", "torn_bytes"),
)
"""Facts of a row that need the whole file."""


@dataclass(slots=True)
class SessionTruth:
    """What is true of one session, by the names that `ink-tui list --json` uses."""

    path: str
    """Below the store's root."""
    id: str
    cwd: str
    title: str
    child: bool
    parent_id: str | None
    verdict: str
    size: int
    """Bytes."""
    lines: int
    """Physical lines, one without a newline included."""
    records: int
    """Whole lines after the header."""
    messages: int
    """On the branch that would be continued."""
    branches: int
    compactions: int
    open_calls: int
    torn_bytes: int
    torn: str | None
    """`half`, `character` or `newline`; None for a sound end."""
    dangling: list[str]
    """Ids of the calls without a result."""
    leaf: str | None
    last_ms: int
    end_word: str
    """A word that only the last answer holds."""
    planted: dict[str, list[int]] = field(default_factory=dict)
    """Physical lines (1-based) that hold a planted word in any case, by the word."""

    @property
    def word(self) -> str:
        """A word at the beginning of the title that no other session has."""
        return self.title.removeprefix("named ").split()[0]


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of a store."""

    sessions: tuple[SessionTruth, ...]

    @property
    def size(self) -> int:
        """Bytes of all sessions."""
        return sum(session.size for session in self.sessions)

    @property
    def whole_lines(self) -> int:
        """Lines that hold a whole record, headers included."""
        return sum(session.records + 1 for session in self.sessions)

    @property
    def newlines(self) -> int:
        """What `wc -l` counts."""
        return sum(session.lines - (session.torn is not None) for session in self.sessions)

    @property
    def newest(self) -> SessionTruth:
        """The session with the newest activity that is no sub-agent's."""
        return max(
            (each for each in self.sessions if not each.child), key=lambda each: each.last_ms
        )

    def hits(self, word: str) -> set[tuple[str, int]]:
        """Return file and line of every record that holds a planted word."""
        return {
            (session.path, line)
            for session in self.sessions
            for line in session.planted.get(word, ())
        }

    def save(self, file: Path) -> None:
        """Write it as JSON Lines."""
        with file.open("w", encoding="utf-8") as out:
            for session in self.sessions:
                out.write(json.dumps(asdict(session), ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, file: Path) -> Truth:
        with file.open(encoding="utf-8") as lines:
            return cls(tuple(SessionTruth(**json.loads(line)) for line in lines))


def differences(
    rows: Iterable[Mapping[str, Any]], truth: Truth, root: Path, facts: Sequence[str]
) -> list[str]:
    """Return in words how rows differ from what is true; empty when they do not.

    Args:
        rows: What a command printed, one mapping per session.
        truth: What is true.
        root: The store's folder.
        facts: Names of the facts to compare.
    """
    found: list[str] = []
    wanted = {str(root / session.path): session for session in truth.sessions}
    for row in rows:
        session = wanted.pop(str(row.get("path")), None)
        if session is None:
            found.append(f"{row.get('path')} is not in the store, or stands there twice")
            continue
        for name in facts:
            true, said = getattr(session, name), row.get(name)
            if said != true:
                found.append(f"{session.path}: {name} is {true!r}, not {said!r}")
    found += [f"{path} is missing" for path in wanted]
    return found
