"""The journal of what we wrote into session files, one JSON line each; the base of every undo.

A line that cannot be read is left out: the journal never stops a start. Before a change stands a
`begin` line, after it a `done` line; an undo writes an `undone` line.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ink_tui.errors import StoreError
from ink_tui.model.changes import ChangeKind
from ink_tui.store.atomic import append_line
from ink_tui.store.file_state import FileState
from ink_tui.store.files import read_whole

if TYPE_CHECKING:
    from pathlib import Path

_NAME = "journal.jsonl"


@dataclass(frozen=True, slots=True)
class JournalLine:
    """One change of one session file."""

    what: str
    """`begin`, `done` or `undone`."""
    change: str
    """Id of the change: the name of its backup."""
    time_ms: int
    path: str
    """The session file; names that are not UTF-8 hold half surrogates."""
    before: FileState
    after: FileState
    keep: int
    """Bytes from the start that the change left as they were."""
    backup: str
    """Path of the copy of the file as it was before."""
    backup_digest: str
    """SHA-256 of the whole copy, as hex."""
    calls: tuple[str, ...] = ()
    """Ids of the calls that were closed."""
    kind: ChangeKind = ChangeKind.REPAIR
    copied_from: int = 0
    """First byte of the file, 0-based, that the copy holds; 0 is a copy of the whole file."""
    content_digest: str = ""
    """SHA-256 of the whole file as it was before, as hex; empty is that of the copy."""

    @property
    def digest_before(self) -> str:
        """SHA-256 of the whole file as it was before, as hex."""
        return self.content_digest or self.backup_digest


def journal_path(state_dir: Path) -> Path:
    """Return where the journal lies."""
    return state_dir / _NAME


def write_journal(state_dir: Path, line: JournalLine) -> None:
    """Append a line and sync it.

    Raises:
        StoreError: The system refuses.
    """
    append_line(journal_path(state_dir), json.dumps(asdict(line)).encode() + b"\n")


def read_journal(state_dir: Path) -> tuple[JournalLine, ...]:
    """Return all lines that can be read, oldest first; none when there is no journal.

    Raises:
        StoreError: The system refuses.
    """
    return tuple(line for line in map(_decoded, _raw_lines(state_dir)) if line is not None)


def unreadable_lines(state_dir: Path) -> int:
    """Return how many lines of the journal cannot be read.

    Raises:
        StoreError: The system refuses.
    """
    return sum(1 for line in _raw_lines(state_dir) if _decoded(line) is None)


def _raw_lines(state_dir: Path) -> list[bytes]:
    try:
        content = read_whole(journal_path(state_dir))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(
            f"{journal_path(state_dir)} cannot be read: {error.strerror}. Nothing was changed."
        ) from error
    return [line for line in content.split(b"\n") if line]


def last_change(state_dir: Path, path: Path, now: FileState) -> JournalLine | None:
    """Return our newest change of a file that was not undone, or `None`.

    A change that was begun and never finished counts unless the file is still as it was before:
    a crash may have come right after it.

    Args:
        state_dir: Our own state folder.
        path: The session file.
        now: Its present state.

    Raises:
        StoreError: The journal cannot be read.
    """
    name = journal_name(path)
    open_changes: dict[str, JournalLine] = {}
    for line in read_journal(state_dir):
        if line.path != name:
            continue
        if line.what == "undone":
            open_changes.pop(line.change, None)
        else:
            open_changes[line.change] = line
    for line in reversed(open_changes.values()):
        if line.what == "done" or not now.same_content(line.before):
            return line
    return None


def journal_name(path: Path) -> str:
    """Return how the journal writes the path of a session file."""
    return str(path.parent.resolve() / path.name)


def _decoded(line: bytes) -> JournalLine | None:
    try:
        fields: dict[str, Any] = json.loads(line)
        return JournalLine(
            what=_text(fields["what"]),
            change=_text(fields["change"]),
            time_ms=_number(fields["time_ms"]),
            path=_text(fields["path"]),
            before=_state(fields["before"]),
            after=_state(fields["after"]),
            keep=_number(fields["keep"]),
            backup=_text(fields["backup"]),
            backup_digest=_text(fields["backup_digest"]),
            calls=tuple(_text(call) for call in fields["calls"]),
            kind=_kind(fields.get("kind", ChangeKind.REPAIR)),
            copied_from=_number(fields.get("copied_from", 0)),
            content_digest=_text(fields.get("content_digest", "")),
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _kind(value: object) -> ChangeKind:
    text = _text(value)
    return ChangeKind(text) if text in list(ChangeKind) else ChangeKind.OTHER


def _state(fields: dict[str, Any]) -> FileState:
    return FileState(
        _number(fields["dev"]),
        _number(fields["inode"]),
        _number(fields["size"]),
        _number(fields["mtime_ns"]),
        _text(fields["tail_digest"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError("not a number")
    return value
