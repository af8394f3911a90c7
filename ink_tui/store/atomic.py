"""Writing files of our own so that a crash leaves the old file or the new one (`trust.md` 2.5).

Folders are 0700 and files 0600. A failed fsync is reported and never tried again: the system may
have dropped what it could not write.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from ink_tui.errors import StoreError
from ink_tui.model.text import clean
from ink_tui.store.files import close_quietly
from ink_tui.store.scratch import clear_scratch, scratch_in

if TYPE_CHECKING:
    from pathlib import Path

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def system_error(path: Path | str, doing: str, error: OSError, next_step: str) -> StoreError:
    """Return our error for one of the system's: path, what failed, why, what to do next."""
    reason = clean(error.strerror or str(error))
    return StoreError(f"{clean(str(path))} cannot be {doing}: {reason}. {next_step}")


def private_folder(folder: Path) -> None:
    """Make a folder of our own, and those above it, with mode 0700.

    Raises:
        StoreError: The system refuses.
    """
    missing: list[Path] = []
    try:
        while not folder.is_dir() and folder != folder.parent:
            missing.append(folder)
            folder = folder.parent
        for folder in reversed(missing):  # `parents=True` would leave those above open to all
            folder.mkdir(mode=0o700, exist_ok=True)
            sync_folder(folder.parent)
    except OSError as error:
        raise system_error(
            folder, "made", error, "Make room or set another state folder, then try again."
        ) from error


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder survive a power cut; raises what the system raises."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        close_quietly(descriptor)


def write_whole(descriptor: int, content: bytes) -> None:
    """Write all bytes, in as many pieces as the system likes; raises what the system raises."""
    view = memoryview(content)
    while view:
        written = os.write(descriptor, view)
        if written <= 0:
            raise OSError(0, "the system wrote nothing")
        view = view[written:]


def create_file(path: Path, content: bytes) -> None:
    """Write a new file of our own that must not exist yet; a partial one is removed.

    Raises:
        StoreError: The name is taken or the system refuses; then there is no file.
    """
    private_folder(path.parent)
    made = False
    try:
        descriptor = os.open(path, _NEW, 0o600)
        made = True
        try:
            write_whole(descriptor, content)
            os.fsync(descriptor)
        finally:
            close_quietly(descriptor)
        sync_folder(path.parent)
    except OSError as error:
        if made:
            with suppress(OSError):
                path.unlink()
        raise system_error(path, "written", error, "Nothing else was changed.") from error


def replace_file(path: Path, content: bytes) -> None:
    """Put a whole new content in the place of a file of our own, or make it.

    What an earlier writer that was killed has left in the folder is removed.

    Raises:
        StoreError: The system refuses; the sentence says which of both contents the file holds.
    """
    private_folder(path.parent)
    clear_scratch(path.parent)
    kept = "What it held before is kept."
    try:
        with scratch_in(path.parent) as scratch:
            write_whole(scratch.descriptor, content)
            os.fsync(scratch.descriptor)
            scratch.path.replace(path)
        kept = "It holds the new content, which a power cut may take back."
        sync_folder(path.parent)
    except OSError as error:
        raise system_error(path, "written safely", error, kept) from error


def append_line(path: Path, line: bytes) -> None:
    """Append one whole line to a file of our own with a single write, and sync it.

    Args:
        path: The file; it is made when it does not exist.
        line: Bytes with exactly one newline, at the end.

    Raises:
        StoreError: The system refuses or wrote only a part.
    """
    private_folder(path.parent)
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            if size and os.pread(descriptor, 1, size - 1) != b"\n":
                line = b"\n" + line  # the rest of a write that failed stays a line of its own
            append_once(descriptor, line)
            os.fsync(descriptor)
        finally:
            close_quietly(descriptor)
        if not size:
            sync_folder(path.parent)  # or a power cut takes the new name with it
    except OSError as error:
        raise system_error(path, "appended to", error, "Make room, then try again.") from error


def append_once(descriptor: int, content: bytes) -> None:
    """Append bytes with one write on a descriptor that appends; raises what the system raises.

    One write on an appending descriptor is never mixed with another program's line; a second one
    could be. So a short write is an error, not a reason to go on.
    """
    written = os.write(descriptor, content)
    if written != len(content):
        raise OSError(0, f"only {written} of {len(content)} bytes were written")
