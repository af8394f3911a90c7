"""Noticing changes below the session roots.

Events come in batches of paths; a step of 10 ms and a debounce of 50 ms keep an append visible
at once even while many files are being written (`performance.md` section 3). A root that does not
exist yet, and a system that has no watches left, are polled.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.formats.ink.constants import FILE_SUFFIX
from ink_tui.store.discover import root_exists

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

STEP_MS = 10
DEBOUNCE_MS = 50
POLL_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Changes:
    """One batch of news from the file system."""

    files: frozenset[str]
    """Session files that were written, created or removed."""
    folders: bool
    """Something else changed: folders may have come or gone, a full look is due."""


@dataclass(frozen=True, slots=True)
class WatchState:
    """How changes are noticed at the moment."""

    word: str
    """`watching` or `polling every 2 s`."""
    reason: str = ""
    """Why it is not plain watching."""


async def watch_roots(
    roots: Sequence[str], stop: asyncio.Event, poll_seconds: float = POLL_SECONDS
) -> AsyncIterator[Changes | WatchState]:
    """Yield changes below some roots until told to stop, and how they are noticed.

    Args:
        roots: Session roots; those that do not exist yet are looked for by polling.
        stop: Set to end the watch.
        poll_seconds: Time between two looks while polling.
    """
    while not stop.is_set():
        present = await asyncio.to_thread(_present, roots)
        absent = [root for root in roots if root not in present]
        if not present:
            yield WatchState(_polling(poll_seconds), "the folder does not exist yet")
            await _pause(stop, poll_seconds)
            if await asyncio.to_thread(_present, roots):
                yield Changes(frozenset(), folders=True)
            continue
        try:
            async for event in _events(present, absent, stop, poll_seconds):
                yield event
        except OSError as error:
            # No watches left, or a file system that has none: look from time to time instead.
            yield WatchState(_polling(poll_seconds), error.strerror or str(error))
            await _pause(stop, poll_seconds)
        if not stop.is_set():
            yield Changes(frozenset(), folders=True)


async def _events(
    present: Sequence[str], absent: Sequence[str], stop: asyncio.Event, poll_seconds: float
) -> AsyncIterator[Changes | WatchState]:
    """Yield the changes of roots that exist; end when a missing root appears or one vanishes."""
    from watchfiles import awatch  # 60 ms to import, and only the browser needs it

    yield WatchState("watching")
    timeout = int(poll_seconds * 1000) if absent else 5_000
    async for batch in awatch(
        *present,
        watch_filter=None,
        step=STEP_MS,
        debounce=DEBOUNCE_MS,
        rust_timeout=timeout,
        yield_on_timeout=True,
        stop_event=stop,
        recursive=True,
    ):
        if absent and await asyncio.to_thread(_present, absent):
            return
        if len(await asyncio.to_thread(_present, present)) < len(present):
            return
        if batch:
            paths = {path for _change, path in batch}
            yield Changes(frozenset(filter(_is_named, paths)), not all(map(_is_named, paths)))


def _is_named(path: str) -> bool:
    """Whether a path names a session file; a name that is not UTF-8 arrives with marks in it."""
    return path.endswith(FILE_SUFFIX) and "\ufffd" not in path


def _present(roots: Sequence[str]) -> list[str]:
    return [root for root in roots if root_exists(root)]


def _polling(seconds: float) -> str:
    return f"polling every {seconds:g} s"


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return
