"""Watching folders by Linux's inotify (`inotify(7)`).

Only the folders that may hold sessions are watched, each by itself: links are never followed, a
folder that may not be entered spoils no other, a queue that overflows is noticed, and the
interpreter is never held while thousands of watches are set.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import threading
import time
from typing import TYPE_CHECKING

from ink_tui.formats.ink.constants import FILE_SUFFIX, LEASE_SUFFIX
from ink_tui.store.discover import is_single_file, session_folders

if TYPE_CHECKING:
    from collections.abc import Sequence

_MODIFY, _ATTRIB = 0x2, 0x4
_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF = 0x400, 0x800
_IGNORED, _OVERFLOW = 0x8000, 0x4000
_IS_FOLDER = 0x40000000
_ONLY_FOLDERS, _NO_LINKS = 0x01000000, 0x02000000

_WANTED = (
    _MODIFY | _ATTRIB | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF
)
_EVENT = struct.Struct("iIII")
"""Watch, mask, cookie and length of the name that follows (`struct inotify_event`)."""
_BUFFER_BYTES = 1 << 18

_NOT_WATCHABLE = frozenset((errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ELOOP, errno.EPERM))
"""Errors that concern one folder alone: it is gone, or may not be entered."""


class InotifyWatch:
    """Watches the folders of some roots. Every method but `fileno` belongs into a worker."""

    def __init__(self) -> None:
        """Make a watch that watches nothing.

        Raises:
            OSError: The system has no watcher left.
        """
        self._library = ctypes.CDLL(None, use_errno=True)
        self._descriptor = self._library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._descriptor < 0:
            raise _last_error()
        self._reading = threading.Lock()
        """A descriptor that is closed under a reader might be another file's by then."""
        self._folders: dict[int, list[str]] = {}
        """Paths by watch: a root may lead to the same folder as another one does."""
        self._singles: frozenset[str] = frozenset()
        """Roots that are single files."""
        self._whole: frozenset[str] = frozenset()
        """Folders of which every session counts, not only single files."""

    def fileno(self) -> int:
        """Return the descriptor that is readable when there are events."""
        return int(self._descriptor)

    def stand(self, roots: Sequence[str]) -> None:
        """Watch the folders below some roots, as they are now, and no others.

        A folder is watched before it is listed, so that no folder made meanwhile is missed.

        Args:
            roots: Session roots; those that do not exist are left out.

        Raises:
            OSError: The system has no watches left.
        """
        with self._reading:
            if self._descriptor >= 0:
                self._stand(roots)

    def _stand(self, roots: Sequence[str]) -> None:
        singles = frozenset(filter(is_single_file, roots))
        kept: dict[int, list[str]] = {}
        whole = set()
        for root in roots:
            if root in singles:
                self._add(os.path.dirname(root) or ".", kept, links=True)  # noqa: PTH120
                continue
            for folder in session_folders(root):
                self._add(folder, kept, links=folder == root)
                whole.add(folder)
        for watch in self._folders.keys() - kept.keys():
            self._library.inotify_rm_watch(self._descriptor, watch)
        self._folders, self._singles, self._whole = kept, singles, frozenset(whole)

    def _add(self, folder: str, kept: dict[int, list[str]], *, links: bool) -> None:
        wanted = _WANTED | _ONLY_FOLDERS | (0 if links else _NO_LINKS)
        watch = self._library.inotify_add_watch(self._descriptor, os.fsencode(folder), wanted)
        if watch >= 0:
            kept.setdefault(watch, []).append(folder)
            return
        error = _last_error()
        if error.errno not in _NOT_WATCHABLE:
            raise error

    def gather(self, step_ms: int, debounce_ms: int) -> tuple[frozenset[str], bool]:
        """Return the session files that changed, and whether folders may have changed.

        Events are waited for until a step passes without another file.

        Args:
            step_ms: The step, in milliseconds.
            debounce_ms: Time in milliseconds after which no more are waited for.

        Raises:
            OSError: The events cannot be read.
        """
        files: set[str] = set()
        folders = False
        for step in range(max(2, debounce_ms // step_ms)):
            if step:
                time.sleep(step_ms / 1000)
            before = len(files)
            folders |= self._take(self._read(), files)
            if step and len(files) == before:
                break
        return frozenset(files), folders

    def _read(self) -> bytes:
        with self._reading:
            if self._descriptor < 0:
                return b""
            try:
                return os.read(self._descriptor, _BUFFER_BYTES)
            except BlockingIOError:
                return b""

    def _take(self, events: bytes, files: set[str]) -> bool:
        """Add the session files of some events; return whether folders may have changed."""
        folders = False
        at = 0
        while at < len(events):
            watch, mask, _cookie, length = _EVENT.unpack_from(events, at)
            name = events[at + _EVENT.size : at + _EVENT.size + length].rstrip(b"\0")
            at += _EVENT.size + length
            if mask & _OVERFLOW:
                folders = True
            for folder in self._folders.get(watch, ()):  # none: it was taken back
                if not name or mask & (_IGNORED | _DELETE_SELF | _MOVE_SELF):
                    folders |= folder in self._whole
                else:
                    folders |= self._take_name(folder, os.fsdecode(name), mask, files)
        return folders

    def _take_name(self, folder: str, name: str, mask: int, files: set[str]) -> bool:
        path = os.path.join(folder, name)  # noqa: PTH118 - thousands of them
        if path in self._singles:
            files.add(path)
        elif folder not in self._whole:
            return False
        elif name.endswith(FILE_SUFFIX):
            # A folder of that name is no session, and listed as one that cannot be read.
            files.add(path)
        elif name.endswith(LEASE_SUFFIX):
            # Somebody took or gave back the session beside it.
            files.add(path.removesuffix(LEASE_SUFFIX))
        else:
            return bool(mask & _IS_FOLDER)
        return False

    def close(self) -> None:
        """Give all watches back; what a worker still does with them ends by itself."""
        with self._reading:
            if self._descriptor >= 0:
                os.close(self._descriptor)
                self._descriptor = -1


def _last_error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
