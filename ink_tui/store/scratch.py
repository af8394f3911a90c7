"""Files that are being written, under a name that nobody lists, and what a kill leaves of them.

Whatever is published whole is first written beside its place as `.ink-tui-<12 hex digits>.tmp` and
locked (`flock`) while its writer lives. So the file of a dead writer is known without its age or
its process, and whoever writes into the folder next removes it; in our own state folder the next
start does. Where the system has no such locks, the files stay.
"""

from __future__ import annotations

import fcntl
import os
import re
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from ink_tui.store.files import close_quietly

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAME = re.compile(r"\.ink-tui-[0-9a-f]{12}\.tmp")
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_MOST_NAMES = 50_000
"""Names of a folder that are looked at: clearing up never keeps anybody waiting."""


@dataclass(frozen=True, slots=True)
class Scratch:
    """A new file that has no name of its own yet."""

    path: Path
    descriptor: int


@contextmanager
def scratch_in(folder: Path) -> Iterator[Scratch]:
    """Open a new private file (0600) in a folder; raises what the system raises.

    Afterwards its name is gone, whatever happened: it was given another one, or it is removed.
    """
    scratch = _open(folder)
    try:
        try:
            yield scratch
        finally:
            close_quietly(scratch.descriptor)
    finally:
        with suppress(OSError):
            scratch.path.unlink()


def _open(folder: Path) -> Scratch:
    while True:
        path = folder / f".ink-tui-{os.urandom(6).hex()}.tmp"
        descriptor = os.open(path, _NEW, 0o600)
        try:
            with suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            if os.fstat(descriptor).st_nlink:
                return Scratch(path, descriptor)
        except OSError:
            close_quietly(descriptor)
            with suppress(OSError):
                path.unlink()
            raise
        close_quietly(descriptor)  # cleared up by another process before it was locked


def clear_scratch(folder: Path) -> int:
    """Remove what dead writers left in a folder and return how many files that were; never raises.

    Only plain files of this user with such a name go, and only when nobody holds their lock.
    """
    removed = 0
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in islice(entries, _MOST_NAMES):
            if _NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    removed += _remove_if_dead(entry.path)
    return removed


def _remove_if_dead(path: str) -> bool:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(path, flags)
    try:
        if os.fstat(descriptor).st_uid != os.geteuid():
            return False
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(path)  # noqa: PTH108 - a name from scandir
        return True
    finally:
        close_quietly(descriptor)
