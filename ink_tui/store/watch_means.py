"""What tells of changes: inotify where there is one, else whatever `watchfiles` finds."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from typing import TYPE_CHECKING, Protocol

from ink_tui.formats.ink.constants import FILE_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from watchfiles._rust_notify import RustNotify

    from ink_tui.store.inotify import InotifyWatch

_LINUX = sys.platform.startswith("linux")

STEP_MS = 10
DEBOUNCE_MS = 50


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
    """Return the best way this system has.

    Raises:
        OSError: The system has no watcher left.
    """
    if _LINUX:
        from ink_tui.store.inotify import InotifyWatch  # loads the C library

        return Folders(InotifyWatch())
    return Trees()


class Folders:
    """Changes as inotify tells them; between them no worker and no clock is busy."""

    def __init__(self, watch: InotifyWatch) -> None:
        """Make it.

        Args:
            watch: It belongs to this object from now on.
        """
        self._watch = watch

    def stand(self, roots: Sequence[str]) -> None:
        """Watch what is below these roots now, and nothing else."""
        self._watch.stand(roots)

    async def news(self, stop: asyncio.Event, seconds: float) -> tuple[frozenset[str], bool] | None:
        """Return what changed, or `None` after a while."""
        loop = asyncio.get_running_loop()
        readable = asyncio.Event()
        loop.add_reader(self._watch.fileno(), readable.set)
        waits = [asyncio.create_task(event.wait()) for event in (readable, stop)]
        try:
            await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            loop.remove_reader(self._watch.fileno())
            for wait in waits:
                wait.cancel()
        if stop.is_set() or not readable.is_set():
            return None
        return await asyncio.to_thread(self._watch.gather, STEP_MS, DEBOUNCE_MS)

    def close(self) -> None:
        """Give the watches back."""
        self._watch.close()


class Trees:
    """Changes as `watchfiles` tells them, of whole trees."""

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
        before = self._notify
        try:
            # Anew each time: of a folder that is made or moved meanwhile not all would be told.
            self._notify = RustNotify(list(roots), False, False, 300, True, True)
        except RuntimeError as error:
            raise OSError(str(error)) from error
        if before is not None:
            before.close()

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


class _Ending:
    """What a thread that waits looks at: the end of the watch, or of this means."""

    def __init__(self, stop: asyncio.Event, closed: threading.Event) -> None:
        self._stop = stop
        self._closed = closed

    def is_set(self) -> bool:
        """Whether the waiting is over."""
        return self._stop.is_set() or self._closed.is_set()
