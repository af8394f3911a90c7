"""Noticing changes below the session roots.

Events come in batches of paths; a step of 10 ms and a debounce of 50 ms keep an append visible
at once even while many files are being written (`performance.md` section 3). What no event tells
of is looked for every 2 seconds: a root that does not exist, a folder on a network, a system that
has no watches left. Once a minute everything is looked at, whatever events have told.
"""

from __future__ import annotations

import asyncio
import errno
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.text import one_line
from ink_tui.store.discover import root_exists
from ink_tui.store.mounts import why_silent
from ink_tui.store.watch_means import open_means
from ink_tui.store.watch_values import POLL_SECONDS, Changes, WatchState

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from ink_tui.store.watch_means import Means

RETRY_SECONDS = 60.0
"""Time after which a watch that failed is tried again."""
FULL_LOOK_SECONDS = 60.0
"""Time between two full looks while all is watched, in case an event was lost."""

_NO_WATCHES = "the system has no file watches left (fs.inotify.max_user_watches)"
_NO_WATCHERS = "the system has no watcher left (fs.inotify.max_user_instances, open files)"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a watch needs of the system; tests put their own in its place."""

    open_means: Callable[[], Means] = open_means
    """Makes what tells of changes; raises `OSError` when there is none left."""
    why_silent: Callable[[str], str] = why_silent
    """Why changes below a folder are not all told; empty when they are."""
    clock: Callable[[], float] = time.monotonic
    """Seconds since some moment."""


async def watch_roots(
    roots: Sequence[str],
    stop: asyncio.Event,
    poll_seconds: float = POLL_SECONDS,
    surroundings: Surroundings | None = None,
) -> AsyncGenerator[Changes | WatchState, None]:
    """Yield changes below some roots until told to stop, and how they are noticed.

    Whenever the watch is set up anew, a full look is asked for once it stands: nothing that
    happens between the look before and the watch is missed.

    Args:
        roots: Session roots; those that do not exist yet are looked for by polling.
        stop: Set to end the watch.
        poll_seconds: Time between two looks while polling.
        surroundings: What is needed of the system.
    """
    watch = _Watch(roots, poll_seconds, surroundings or Surroundings())
    told = watch.state
    try:
        while not stop.is_set():
            if watch.is_due:
                await watch.set_up()
                if watch.state != told:
                    told = watch.state
                    yield told
            if watch.takes_full_look():
                yield Changes(frozenset(), folders=True)
            news = await watch.news(stop)
            if news is not None:
                yield news
    finally:
        watch.close()


class _Watch:
    """The state of one watch."""

    def __init__(
        self, roots: Sequence[str], poll_seconds: float, surroundings: Surroundings
    ) -> None:
        self._roots = roots
        self._poll_seconds = poll_seconds
        self._surroundings = surroundings
        self._means: Means | None = None
        self._places: tuple[object, ...] | None = None
        self._trouble = ""
        self._retry_at = 0.0
        self._look_at = 0.0
        self._check_at = 0.0
        self._polls = False
        self.is_due = True
        """Whether what is watched must be set up anew."""
        self.state = WatchState("")

    async def set_up(self) -> None:
        """Watch the roots as they are now."""
        self._places = await asyncio.to_thread(_places, self._roots)
        self.is_due = False
        self._look_at = 0.0
        present = await asyncio.to_thread(_present, self._roots)
        if len(present) != sum(place is not None for place in self._places):
            self._places = None  # one came or went just now: what is found next is another
        why = self._surroundings.why_silent
        silent = {root: await asyncio.to_thread(why, root) for root in present}
        watched = [root for root in present if not silent[root]]
        if self._surroundings.clock() >= self._retry_at:
            await self._stand(watched)
        reason = next(filter(None, [*silent.values(), self._trouble if watched else ""]), "")
        self._polls = bool(reason)
        if not present:
            reason = "the folder does not exist yet"
        word = f"polling every {self._poll_seconds:g} s" if reason else "watching"
        self.state = WatchState(word, reason)

    async def _stand(self, watched: list[str]) -> None:
        self._trouble = ""
        try:
            if self._means is None and watched:
                self._means = await asyncio.to_thread(self._surroundings.open_means)
            if self._means is not None:
                await asyncio.to_thread(self._means.stand, watched)
        except FileNotFoundError:
            # A root went at this moment: set up anew as soon as that is looked for.
            self.close()
            self._places = None
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        self.close()
        words = {errno.ENOSPC: _NO_WATCHES, errno.EMFILE: _NO_WATCHERS, errno.ENFILE: _NO_WATCHERS}
        known = words.get(error.errno or 0)
        self._trouble = known or one_line(error.strerror or str(error))
        self._retry_at = self._surroundings.clock() + RETRY_SECONDS

    def takes_full_look(self) -> bool:
        """Whether a full look is due now; it is taken for done."""
        now = self._surroundings.clock()
        if now < self._look_at:
            return False
        self._look_at = now + (self._poll_seconds if self._polls else FULL_LOOK_SECONDS)
        return True

    async def news(self, stop: asyncio.Event) -> Changes | None:
        """Return what is told next, or `None` after a while in which nothing was."""
        found = None
        try:
            if self._means is None:
                await _pause(stop, self._poll_seconds)
            else:
                found = await self._means.news(stop, self._poll_seconds)
        except OSError as error:
            self._fail(error)
            self.is_due = True
            return None
        files, folders = found or (frozenset[str](), False)
        # Watched anew first, and looked at then: a new folder is not forgotten.
        self.is_due = folders
        if found is None or self._surroundings.clock() >= self._check_at:
            self.is_due |= await self._is_another()
        return Changes(files, folders=False) if files else None

    async def _is_another(self) -> bool:
        """Whether roots are others than before: nothing tells that the folder above was renamed."""
        now = self._surroundings.clock()
        self._check_at = now + self._poll_seconds
        if self._trouble and now >= self._retry_at:
            return True
        return await asyncio.to_thread(_places, self._roots) != self._places

    def close(self) -> None:
        """Give the watches back."""
        if self._means is not None:
            self._means.close()
            self._means = None


def _places(roots: Sequence[str]) -> tuple[object, ...]:
    """Return what tells each root from another one of that name, or from one that is barred."""
    return tuple(map(_place, roots))


def _place(root: str) -> object:
    try:
        status = os.stat(root)  # noqa: PTH116 - names of any kind
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino, status.st_mode


def _present(roots: Sequence[str]) -> list[str]:
    return [root for root in roots if root_exists(root)]


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return
