"""The file of marks in our state folder: pins, stars, notes, archive, hidden branches.

One JSON object, replaced whole. It never stops a start: what cannot be read of it is not shown,
with a notice, and set aside before the first change. A change reads the file anew and holds a lock
of ours meanwhile, so that two programs lose nothing of each other's. Fields that we do not know are
kept; a file of a newer version is only read.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.errors import RefusedError, StoreError
from ink_tui.model.marks import NO_MARKS, Marks, SessionMarks
from ink_tui.model.text import clean
from ink_tui.store.atomic import create_file, private_folder, replace_file, system_error
from ink_tui.store.files import UnreadableError, close_quietly, open_for_reading, read_range
from ink_tui.store.marks_fields import NotMarksError, read_fields, with_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ink_tui.store.marks_fields import Fields

_NAME = "marks.json"
_LOCK = ".marks.lock"
_VERSION = 1
_MOST_BYTES = 8_000_000
"""Bytes that the file may have: a hundred thousand marks."""
_LONGEST_ID = 512
_WAIT_S = 5.0
_LOOK_S = 0.01


@dataclass(frozen=True, slots=True)
class KeptMarks:
    """What was read."""

    marks: Marks = NO_MARKS
    notice: str = ""
    """What of the file is not shown or cannot be changed, in sentences; empty for nothing."""


@dataclass(frozen=True, slots=True)
class _Read:
    """The file as it was found."""

    fields: Fields
    marks: Marks
    damage: str = ""
    """Why it has to be set aside before it is written; empty when it has not."""
    content: bytes | None = None
    """What it holds, `None` when that cannot be read."""
    newer: int | None = None
    """Its version, when that is newer than ours."""
    refused: bool = False
    """The system did not let us read it: it may be sound."""


def marks_path(state_dir: Path) -> Path:
    """Return where the marks lie."""
    return state_dir / _NAME


def read_marks(state_dir: Path) -> KeptMarks:
    """Return what is marked; never raises, changes nothing."""
    found = _read(marks_path(state_dir))
    notice = f"{_NAME}: {_newer_words(found.newer)}" if found.newer is not None else found.damage
    return KeptMarks(found.marks, notice)


def change_marks(
    state_dir: Path, session_id: str, change: Callable[[SessionMarks], SessionMarks]
) -> Marks:
    """Change the marks of a session and return all marks as they are then.

    Args:
        state_dir: Our state folder.
        session_id: Id of the session.
        change: Returns the new marks of the session from those that the file holds now.

    Raises:
        RefusedError: `newer-version`: a newer program has written the file; `too-large`: there is
            no room for more, or an id is too long.
        StoreError: The system refuses, or another program holds the lock for seconds. The marks are
            as they were.
    """
    path = marks_path(state_dir)
    private_folder(state_dir)
    with _locked(state_dir / _LOCK):
        found = _read(path)
        if found.newer is not None:
            words = _newer_words(found.newer)
            raise RefusedError("newer-version", f"{clean(str(path))}: {words}")
        if found.refused:
            raise StoreError(f"{found.damage} Nothing was marked; try again.")
        before = found.marks.of(session_id)
        after = change(before)
        if after == before and not found.damage:
            return found.marks
        if max(map(len, (session_id, *after.hidden, *after.records))) > _LONGEST_ID:
            raise RefusedError("too-large", "Its id is too long to be kept. Nothing was marked.")
        marks = found.marks.with_session(session_id, after)
        fields = with_fields(found.fields, marks, session_id, all_anew=bool(found.damage))
        content = json.dumps({**fields, "version": _VERSION}, indent=1).encode() + b"\n"
        if len(content) > _MOST_BYTES:
            raise RefusedError(
                "too-large",
                f"There is no room for more in {clean(str(path))}. Take a note or a star off.",
            )
        if found.damage:
            _set_aside(path, found.content)
        replace_file(path, content)
    return marks


def _newer_words(version: int | None) -> str:
    return (
        f"a newer ink-tui has written it (version {version}). "
        "What is understood of it is shown; it is not changed."
    )


def _read(path: Path) -> _Read:
    nothing: Fields = {}
    try:
        with open_for_reading(str(path)) as (descriptor, _state):
            content = read_range(descriptor, 0, _MOST_BYTES + 1)
    except UnreadableError as error:
        if error.kind == "vanished":
            return _Read(nothing, NO_MARKS)
        damage = f"Stars, pins and notes are not shown: {error}"
        refused = error.kind not in ("not-regular", "symlink")
        return _Read(nothing, NO_MARKS, damage, refused=refused)
    name = clean(str(path))
    if len(content) > _MOST_BYTES:
        return _Read(
            nothing, NO_MARKS, f"Stars, pins and notes are not shown: {name} is too large."
        )
    try:
        fields, marks, strange = read_fields(json.loads(content))
    except (NotMarksError, ValueError, RecursionError):
        damage = f"Stars, pins and notes are not shown: {name} is damaged."
        return _Read(nothing, NO_MARKS, damage, content)
    said = fields.get("version")
    version = said if isinstance(said, int) and not isinstance(said, bool) else 0
    if version > _VERSION:
        return _Read(fields, marks, newer=version)
    if strange or version != _VERSION:
        damage = f"Some stars, pins or notes are not shown: {name} is damaged."
        return _Read(fields, marks, damage, content)
    return _Read(fields, marks)


def _set_aside(path: Path, content: bytes | None) -> None:
    """Keep what cannot be read under another name, as a copy where it can be had."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{_NAME}.damaged-{number}")):
        number += 1
    if content is not None:
        create_file(aside, content)
        return
    try:
        path.replace(aside)
    except OSError as error:
        raise system_error(path, "set aside", error, "Nothing was marked.") from error


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Let one program at a time change the marks; that takes milliseconds, so the wait is short.

    Raises:
        StoreError: The lock cannot be had.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        descriptor = os.open(path, flags, 0o600)
    except OSError as error:
        raise system_error(path, "opened", error, "Nothing was marked.") from error
    try:
        _take(descriptor, path)
        yield
    finally:
        close_quietly(descriptor)  # which gives the lock back


def _take(descriptor: int, path: Path) -> None:
    until = time.monotonic() + _WAIT_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() > until:
                raise StoreError(
                    "Another ink-tui has been changing the marks for seconds. Nothing was marked; "
                    f"try again. (Lock: {clean(str(path))})"
                ) from error
        except OSError as error:
            raise system_error(path, "locked", error, "Nothing was marked.") from error
        else:
            return
        time.sleep(_LOOK_S)
