"""Changing the end of a session file in place: keep so many bytes, then append these.

The steps are those of `trust.md` 2.5. In place and not by writing anew and renaming, because a
rename would strand a program that appends to the old file and lose its records.

The copy that is kept first is one of the whole file, except for a record of the agent's own kinds
behind all that was there: that cuts nothing, so the undo needs no byte of it. There the copy is of
the last 64 KiB, which is all that a torn write of a disk could reach, and the digest of the whole
file tells at the undo whether all of it is as it was.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ink_tui.errors import RefusedError, StoreError
from ink_tui.model.changes import ChangeKind
from ink_tui.model.text import clean
from ink_tui.store.atomic import append_once, create_file, system_error
from ink_tui.store.file_state import (
    TAIL_BYTES,
    FileState,
    OpenFile,
    open_strictly,
    state_after,
)
from ink_tui.store.files import read_whole
from ink_tui.store.journal import JournalLine, journal_name, write_journal
from ink_tui.store.locks import session_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

BACKUPS = "backups"
CHANGED = "The file changed since it was looked at. Nothing was changed. Look again."


@dataclass(frozen=True, slots=True)
class Change:
    """What is done to the end of a file."""

    path: Path
    before: FileState
    """The state that the file must still be in."""
    keep: int
    """Bytes from the start that stay."""
    added: bytes
    """Bytes that are appended to them."""
    backup_name: str
    calls: tuple[str, ...] = ()
    purpose: str = "repair"
    undoes: str = ""
    """Id of the change that this one takes back; empty for a change of its own."""
    kind: ChangeKind = ChangeKind.REPAIR
    """What it is, or what it takes back."""

    @property
    def copied_from(self) -> int:
        """First byte of the file, 0-based, that the copy holds: always before all that is cut."""
        return max(0, self.keep - TAIL_BYTES) if self.kind.appends_a_record else 0


@dataclass(frozen=True, slots=True)
class Changed:
    """The result of a change."""

    after: FileState
    backup: Path
    """Copy of the file as it was, from `Change.copied_from` on."""
    cut: int
    """Bytes that went."""


def change_end(
    change: Change, state_dir: Path, now_ms: int, accept: Callable[[bytes], str | None]
) -> Changed:
    """Change the end of a file under our lock, after a verified backup.

    Args:
        change: What to do.
        state_dir: Our own state folder.
        now_ms: The present, in milliseconds since 1970.
        accept: Judges the new content before it is written and again after; a sentence refuses.

    Raises:
        RefusedError: Nothing was changed: the file is another one now, or is in use.
        StoreError: The system refused; the sentence says what state the file is in.
    """
    with open_strictly(change.path, write=True) as opened:
        _require_unchanged(opened, change)
        with session_lock(state_dir, change.path, change.purpose), _courtesy_lock(opened):
            return _change_locked(opened, change, state_dir, now_ms, accept)


@contextmanager
def _courtesy_lock(opened: OpenFile) -> Iterator[None]:
    """Hold `flock` on the file itself.

    It must end before our own lock does: the next one of us would take it for another program's.
    """
    try:
        fcntl.flock(opened.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        name = clean(opened.path.name)
        raise RefusedError(
            "in-use", f"{name} is locked by another program. Wait until it is done, or fork."
        ) from error
    except OSError as error:
        raise system_error(opened.path, "locked", error, "Nothing was changed.") from error
    try:
        yield
    finally:
        with suppress(OSError):  # then it ends with the descriptor
            fcntl.flock(opened.descriptor, fcntl.LOCK_UN)


def _change_locked(
    opened: OpenFile,
    change: Change,
    state_dir: Path,
    now_ms: int,
    accept: Callable[[bytes], str | None],
) -> Changed:
    try:
        content = opened.content()
    except OSError as error:
        raise system_error(change.path, "read", error, "Nothing was changed.") from error
    if len(content) != change.before.size or change.keep > len(content):
        raise RefusedError("changed-since", CHANGED)
    wanted = content[: change.keep] + change.added
    reason = accept(wanted)
    if reason is not None:
        raise RefusedError("not-clean", f"{reason} Nothing was changed.")
    backup = state_dir / BACKUPS / change.backup_name
    line = replace(
        _journal_line(change, backup, content, now_ms),
        after=state_after(change.before, wanted),
        backup_digest=_back_up(content[change.copied_from :], backup),
    )
    if not change.undoes:
        write_journal(state_dir, line)
    _require_unchanged(opened, change)
    cut = content[change.keep :]
    copied = "its end" if line.copied_from else "the file"
    copy = f"A copy of {copied} as it was lies in {clean(str(backup))}."
    _write_end(opened, change, cut, copy)
    _restore_time(opened, change.before)
    after = _verify(opened, wanted, copy, accept)
    done = replace(line, what="done", after=after)
    if change.undoes:
        done = replace(done, what="undone", change=change.undoes)
    try:
        write_journal(state_dir, done)
    except StoreError as error:
        raise StoreError(f"The change was made, but could not be noted: {error} {copy}") from error
    return Changed(after, backup, len(cut))


def _journal_line(change: Change, backup: Path, content: bytes, now_ms: int) -> JournalLine:
    """Return what is noted before a change, all but the copy's digest and the state after."""
    return JournalLine(
        what="begin",
        change=change.backup_name,
        time_ms=now_ms,
        path=journal_name(change.path),
        before=change.before,
        after=change.before,
        keep=change.keep,
        backup=str(backup),
        backup_digest="",
        calls=change.calls,
        kind=change.kind,
        copied_from=change.copied_from,
        content_digest=hashlib.sha256(content).hexdigest() if change.copied_from else "",
    )


def _require_unchanged(opened: OpenFile, change: Change) -> None:
    try:
        same = opened.state() == change.before and opened.still_there()
    except OSError as error:
        raise system_error(change.path, "read", error, "Nothing was changed.") from error
    if not same:
        raise RefusedError("changed-since", CHANGED)


def _back_up(content: bytes, backup: Path) -> str:
    """Write the copy, read it again and return its digest."""
    digest = hashlib.sha256(content).hexdigest()
    create_file(backup, content)
    try:
        good = hashlib.sha256(read_whole(backup)).hexdigest() == digest
    except OSError as error:
        with suppress(OSError):
            backup.unlink()
        raise system_error(backup, "read back", error, "The session was not changed.") from error
    if not good:
        with suppress(OSError):
            backup.unlink()
        raise StoreError(
            f"The copy {clean(str(backup))} did not read back as it was written. The session was "
            "not changed. Check the disk."
        )
    return digest


def _write_end(opened: OpenFile, change: Change, cut: bytes, copy: str) -> None:
    """Cut and append; when the append fails, put the cut bytes back."""
    descriptor = opened.descriptor
    try:
        if cut:
            os.ftruncate(descriptor, change.keep)
    except OSError as error:
        raise system_error(change.path, "cut", error, "It was not changed.") from error
    try:
        if change.added:
            append_once(descriptor, change.added)
    except OSError as error:
        where = _put_back(opened, change.keep, cut, change.before)
        raise system_error(change.path, "appended to", error, f"{where} {copy}") from error
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Never tried again: the system may have dropped what it could not write.
        raise system_error(
            change.path,
            "written safely",
            error,
            f"The disk may have lost the change. {copy}",
        ) from error


def _put_back(opened: OpenFile, keep: int, cut: bytes, before: FileState) -> str:
    """Undo a failed append; return what state the file is in now."""
    try:
        os.ftruncate(opened.descriptor, keep)
        if cut:
            append_once(opened.descriptor, cut)
        os.fsync(opened.descriptor)
    except OSError:
        with suppress(OSError):
            os.ftruncate(opened.descriptor, keep)
        return "Its unfinished end was cut and nothing was added."
    _restore_time(opened, before)
    return "It is as it was before."


def _verify(
    opened: OpenFile, wanted: bytes, copy: str, accept: Callable[[bytes], str | None]
) -> FileState:
    """Read the file again: it must hold exactly the wanted bytes and be accepted."""
    try:
        content = opened.content()
        state = opened.state()
    except OSError as error:
        raise system_error(opened.path, "read back", error, copy) from error
    if not content.startswith(wanted):
        raise StoreError(f"{clean(opened.path.name)} does not hold what was written. {copy}")
    reason = accept(content)
    if len(content) != len(wanted) or reason is not None:
        raise StoreError(
            f"Another program wrote to {clean(opened.path.name)} at the same moment. {copy} "
            "Look again before you go on."
        )
    return state


def _restore_time(opened: OpenFile, before: FileState) -> None:
    """Put the file's time back, so that the agent's "continue the latest" keeps its choice.

    A time that cannot be put back is no reason to call the change failed.
    """
    with suppress(OSError):
        access = os.fstat(opened.descriptor).st_atime_ns
        os.utime(opened.descriptor, ns=(access, before.mtime_ns))
