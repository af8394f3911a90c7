"""Opening files of a session store for reading: regular files only, links never followed.

Names are whatever the system gives; a pipe or a device is never opened, so nothing can hang.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from ink_tui.errors import StoreError
from ink_tui.model.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class UnreadableError(StoreError):
    """A file of a store cannot be read.

    Attributes:
        kind: The reason as a stable word: `permission-denied`, `not-regular`, `symlink`,
            `vanished`, `bad-name` or `io-error`.
        reason: The same in words.
    """

    def __init__(self, path: str, kind: str, reason: str) -> None:
        super().__init__(f"{clean(path)} cannot be read: {reason}.")
        self.kind = kind
        self.reason = reason


class Fingerprint(NamedTuple):
    """What tells one state of a file from another.

    A tuple, because thousands are made and compared before the first row is drawn.
    """

    device: int
    inode: int
    size: int
    mtime_ns: int

    @property
    def changed_ms(self) -> int:
        """Time of the last change in milliseconds since 1970."""
        return self.mtime_ns // 1_000_000

    def same_file(self, other: Fingerprint) -> bool:
        """Whether both belong to one file, whatever its size and time."""
        return (self.device, self.inode) == (other.device, other.inode)


def fingerprint(status: os.stat_result) -> Fingerprint:
    """Return the fingerprint that a status holds."""
    return Fingerprint(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def problem_of(mode: int) -> tuple[str, str] | None:
    """Return why a file of this mode is not read (kind and words), or `None` if it is regular."""
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISLNK(mode):
        return "symlink", "a symbolic link, links are not followed"
    names = {
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    return "not-regular", f"{names.get(stat.S_IFMT(mode), 'something else')}, not a file"


def unreadable(path: str, error: OSError | ValueError) -> UnreadableError:
    """Return the error of ours for one of the system's, or of a name that no file can have."""
    if isinstance(error, ValueError):
        return UnreadableError(path, "bad-name", "its path is not one that can be opened")
    if isinstance(error, FileNotFoundError):
        return UnreadableError(path, "vanished", "it is no longer there")
    if isinstance(error, PermissionError):
        return UnreadableError(path, "permission-denied", "permission denied")
    return UnreadableError(path, "io-error", clean(error.strerror or str(error)))


@contextmanager
def open_for_reading(
    path: str, *, keep_access_time: bool = False, looked_at: bool = False
) -> Iterator[tuple[int, Fingerprint]]:
    """Open a regular file for reading and yield its descriptor and fingerprint.

    Args:
        path: The file.
        keep_access_time: Leave no trace of the reading where the system allows that.
        looked_at: It was a regular file just now; whatever is opened is looked at again.

    Raises:
        UnreadableError: It is not a regular file, or the system refuses.
    """
    try:
        refused = None if looked_at else problem_of(os.lstat(path).st_mode)
        if refused is not None:
            raise UnreadableError(path, *refused)
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        descriptor = _open(path, flags, keep_access_time=keep_access_time)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    try:
        status = os.fstat(descriptor)
        refused = problem_of(status.st_mode)
        if refused is not None:
            raise UnreadableError(path, *refused)
        yield descriptor, fingerprint(status)
    except OSError as error:
        raise unreadable(path, error) from error
    finally:
        close_quietly(descriptor)


def close_quietly(descriptor: int) -> None:
    """Close a file that was only read, or whose content is synced: an error loses nothing."""
    with suppress(OSError):
        os.close(descriptor)


def _open(path: str, flags: int, *, keep_access_time: bool) -> int:
    quiet = getattr(os, "O_NOATIME", 0) if keep_access_time else 0
    if quiet:
        try:
            return os.open(path, flags | quiet)
        except PermissionError:
            # Only the owner may ask for this; others may still read.
            pass
    return os.open(path, flags)


def read_range(descriptor: int, offset: int, length: int) -> bytes:
    """Return up to `length` bytes from `offset`; fewer only at the end of the file."""
    pieces: list[bytes] = []
    while length > 0:
        piece = os.pread(descriptor, min(length, 1 << 20), offset)
        if not piece:
            break
        pieces.append(piece)
        offset += len(piece)
        length -= len(piece)
    return b"".join(pieces)


def read_whole(path: Path | str) -> bytes:
    """Return the content of a file of our own; raises what the system raises.

    Not `Path.read_bytes`, which fails when the closing of a file is broken off.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    descriptor = os.open(path, flags)
    try:
        return read_range(descriptor, 0, os.fstat(descriptor).st_size)
    finally:
        close_quietly(descriptor)
