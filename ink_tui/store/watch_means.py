"""What tells of changes: `watchfiles`, of the folders that may hold sessions."""

from __future__ import annotations

import asyncio
import errno
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ink_tui.formats.file_names import FILE_SUFFIX
from ink_tui.store.discover import session_folders

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from watchfiles._rust_notify import RustNotify

_NO_FILE_LEFT = os.strerror(errno.EMFILE)
_FILES = "/proc/self/fdinfo"

STEP_MS = 10
DEBOUNCE_MS = 50
_TRIES = 5
"""How often the folders are listed anew because one went before it was watched."""


class Means(Protocol):
    """A way to be told of changes."""

    def stand(self, roots: Sequence[str]) -> None:
        """Watch what is below these roots now, and nothing else; for a worker.

        Raises:
            OSError: The system has no watches left.
        """

    async def news(self, stop: asyncio.Event, seconds: float) -> tuple[frozenset[str], bool] | None:
        """Return session files that changed, and whether folders may have; `None` after a while.

        Args:
            stop: Ends the wait.
            seconds: The longest wait.

        Raises:
            OSError: Nothing is told any more.
        """

    def close(self) -> None:
        """Give the watches back."""


def open_means() -> Means:
    """Return what tells of changes here."""
    return Folders()


class Folders:
    """Changes as `watchfiles` tells them, folder by folder.

    Not of whole trees: there it follows links, and what happens in a folder is then told of the
    link to it.
    """

    def __init__(self) -> None:
        """Make it; nothing is watched yet."""
        self._notify: RustNotify | None = None
        self._real: dict[str, str] = {}
        """Root by its path without links, where that is another: some systems tell that one."""
        self._closed = threading.Event()

    def stand(self, roots: Sequence[str]) -> None:
        """Watch what is below these roots now, and nothing else."""
        from watchfiles._rust_notify import RustNotify  # 60 ms to import, only the browser needs it

        self._real = {real: root for root in roots if (real := os.path.realpath(root)) != root}
        before, held = self._notify, _watches_held()
        folders = self._stand_on(roots, RustNotify)
        if before is not None:
            before.close()
        now = _watches_held()
        new = [number for name, number in now.items() if name not in held]
        if new and max(new) < sum(os.access(folder, os.R_OK) for folder in folders):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _stand_on(self, roots: Sequence[str], kind: type[RustNotify]) -> list[str]:
        """Watch all folders below the roots anew, and return them.

        Those that come while that is done are told by nobody: they are looked for afterwards.
        """
        folders = _folders(roots)
        for tries_left in reversed(range(_TRIES)):
            try:
                self._notify = kind(folders, False, False, 300, False, True)
            except FileNotFoundError:
                if not tries_left:
                    raise
                folders = _folders(roots)
                continue
            except RuntimeError as error:
                code = errno.EMFILE if _NO_FILE_LEFT in str(error) else 0
                raise OSError(code, str(error)) from error
            watched, folders = folders, _folders(roots)
            if watched == folders:
                break
        return folders

    async def news(self, stop: asyncio.Event, seconds: float) -> tuple[frozenset[str], bool] | None:
        """Return what changed, or `None` after a while."""
        if self._notify is None:
            return None
        timeout = max(1, int(seconds * 1000))
        ending = _Ending(stop, self._closed)
        try:
            told = await asyncio.to_thread(
                self._notify.watch, DEBOUNCE_MS, STEP_MS, timeout, ending
            )
        except RuntimeError as error:
            raise OSError(str(error)) from error
        if isinstance(told, str):
            return None
        return self._sorted(path for _change, path in told)

    def _sorted(self, paths: Iterable[str]) -> tuple[frozenset[str], bool]:
        files = set()
        folders = False
        for path in map(self._as_asked, paths):
            # A name that is not UTF-8 arrives with marks in it.
            if path.endswith(FILE_SUFFIX) and "\ufffd" not in path:
                files.add(path)
            else:
                folders = True
        return frozenset(files), folders

    def _as_asked(self, path: str) -> str:
        for real, root in self._real.items():
            if path == real or path.startswith(real + "/"):
                return root + path[len(real) :]
        return path

    def close(self) -> None:
        """Give the watches back; a thread that still waits keeps them for one step more."""
        self._closed.set()
        self._notify = None


def _folders(roots: Iterable[str]) -> list[str]:
    return [folder for root in roots for folder in session_folders(root)]


def _watches_held() -> dict[str, int]:
    """Return how many folders each watcher of this process watches, by its file; Linux alone tells.

    Where the system has no watches left, `watchfiles` goes on with fewer and says nothing.
    """
    held: dict[str, int] = {}
    for entry in Path(_FILES).glob("*"):
        with suppress(OSError):
            number = entry.read_text().count("inotify wd")
            if number:
                held[entry.name] = number
    return held


class _Ending:
    """What a thread that waits looks at: the end of the watch, or of this means."""

    def __init__(self, stop: asyncio.Event, closed: threading.Event) -> None:
        self._stop = stop
        self._closed = closed

    def is_set(self) -> bool:
        """Whether the waiting is over."""
        return self._stop.is_set() or self._closed.is_set()
