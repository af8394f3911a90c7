"""A session file that may be written to: opened by strict rules, its state kept as a value.

Only a plain file of this user with one name is ever opened for a repair; links are not followed,
and the folder is resolved once (`trust.md` 2.5 step 1). Pipes and devices are never opened.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.errors import RefusedError, StoreError
from ink_tui.model.text import clean
from ink_tui.store.files import close_quietly, problem_of, read_range, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TAIL_BYTES = 64 * 1024
"""Bytes at the end of the file that the digest covers (`trust.md` 2.5)."""


@dataclass(frozen=True, slots=True)
class FileState:
    """Enough of a file's state to notice any change made by another program."""

    dev: int
    inode: int
    size: int
    """Bytes."""
    mtime_ns: int
    tail_digest: str
    """SHA-256 of the last 64 KiB, as hex."""

    def same_content(self, other: FileState) -> bool:
        """Whether both are one file with the same size and end, whatever its time.

        A touch changes nothing that an undo would lose.
        """
        mine = (self.dev, self.inode, self.size, self.tail_digest)
        return mine == (other.dev, other.inode, other.size, other.tail_digest)


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A session file that is open, and the folder it was opened from."""

    path: Path
    folder: int
    """Descriptor of the folder."""
    descriptor: int

    def state(self) -> FileState:
        """Return the state of the open file; raises what the system raises."""
        return state_of(self.descriptor)

    def still_there(self) -> bool:
        """Whether the name in the folder still leads to this very file."""
        try:
            named = os.stat(self.path.name, dir_fd=self.folder, follow_symlinks=False)
        except OSError:
            return False
        opened = os.fstat(self.descriptor)
        return (named.st_dev, named.st_ino) == (opened.st_dev, opened.st_ino)

    def content(self) -> bytes:
        """Return all bytes; raises what the system raises."""
        return read_range(self.descriptor, 0, os.fstat(self.descriptor).st_size)


def state_of(descriptor: int) -> FileState:
    """Return the state of an open file; raises what the system raises."""
    status = os.fstat(descriptor)
    start = max(0, status.st_size - TAIL_BYTES)
    tail = read_range(descriptor, start, status.st_size - start)
    return FileState(
        status.st_dev,
        status.st_ino,
        status.st_size,
        status.st_mtime_ns,
        hashlib.sha256(tail).hexdigest(),
    )


def state_after(state: FileState, content: bytes) -> FileState:
    """Return the state that a file has once its bytes are `content` and its time is put back."""
    digest = hashlib.sha256(content[-TAIL_BYTES:]).hexdigest()
    return FileState(state.dev, state.inode, len(content), state.mtime_ns, digest)


@contextmanager
def open_strictly(path: Path, *, write: bool) -> Iterator[OpenFile]:
    """Open a session file by the rules of a repair; nothing is created.

    Args:
        path: The file.
        write: Also for changing its end: writes always append.

    Raises:
        RefusedError: `symlink`, `not-regular`, `hard-link` or `foreign-owner`.
        StoreError: The system refuses.
    """
    mode = os.O_RDWR | os.O_APPEND if write else os.O_RDONLY
    flags = mode | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        folder = os.open(path.parent.resolve(), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise unreadable(str(path), error) from error
    try:
        try:
            # Looked at before it is opened: opening a pipe or a device has effects.
            _check(path, os.stat(path.name, dir_fd=folder, follow_symlinks=False))
            descriptor = os.open(path.name, flags, dir_fd=folder)
        except OSError as error:
            if write:
                raise _cannot_write(path, error) from error
            raise unreadable(str(path), error) from error
        except ValueError as error:
            raise unreadable(str(path), error) from error
        try:
            try:
                _check(path, os.fstat(descriptor))
            except OSError as error:
                raise unreadable(str(path), error) from error
            yield OpenFile(path, folder, descriptor)
        finally:
            close_quietly(descriptor)
    finally:
        close_quietly(folder)


def _check(path: Path, status: os.stat_result) -> None:
    """Refuse anything but a plain file of this user with one name."""
    name = clean(path.name)
    problem = problem_of(status.st_mode)
    if problem is not None:
        kind, words = problem
        raise RefusedError(kind, f"{name} is {words}. It is never written to.")
    if status.st_uid != os.geteuid():
        raise RefusedError(
            "foreign-owner",
            f"{name} belongs to another user (number {status.st_uid}). Only its owner may repair "
            "it; fork the session instead.",
        )
    if status.st_nlink != 1:
        raise RefusedError(
            "hard-link",
            f"{name} has {status.st_nlink} names; a repair would change all of them. Fork the "
            "session instead.",
        )


def _cannot_write(path: Path, error: OSError) -> StoreError:
    reason = clean(error.strerror or str(error))
    return StoreError(
        f"{clean(str(path))} cannot be opened for writing: {reason}. Nothing was changed. "
        "Fork the session instead."
    )
