"""Noticing changes below the roots."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ink_tui.store.watch import Changes, WatchState, watch_roots

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TIMEOUT = 20.0


async def _collect(
    roots: list[str], stop: asyncio.Event, seen: list[Changes | WatchState], news: asyncio.Event
) -> None:
    async for event in watch_roots(roots, stop, poll_seconds=0.05):
        seen.append(event)
        news.set()


async def _until(
    seen: list[Changes | WatchState], news: asyncio.Event, wanted: Callable[[], bool]
) -> None:
    async with asyncio.timeout(TIMEOUT):
        while not wanted():
            news.clear()
            await news.wait()


def _files(seen: list[Changes | WatchState]) -> set[str]:
    return {path for event in seen if isinstance(event, Changes) for path in event.files}


async def test_appends_and_new_files_are_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    folder.mkdir()
    stop, news = asyncio.Event(), asyncio.Event()
    seen: list[Changes | WatchState] = []
    task = asyncio.create_task(_collect([str(tmp_path)], stop, seen, news))
    await _until(seen, news, lambda: WatchState("watching") in seen)
    path = folder / "a.jsonl"
    async with asyncio.timeout(TIMEOUT):
        # The watch stands a moment after it is announced; writing goes on until it is seen.
        while str(path) not in _files(seen):
            with path.open("ab") as stream:
                stream.write(b"x\n")
            await asyncio.sleep(0)
    (folder / "note.txt").write_text("x")
    await _until(
        seen, news, lambda: any(isinstance(event, Changes) and event.folders for event in seen)
    )
    stop.set()
    await task


async def test_a_root_that_appears_later_is_polled_for(tmp_path: Path) -> None:
    root = tmp_path / "later"
    stop, news = asyncio.Event(), asyncio.Event()
    seen: list[Changes | WatchState] = []
    task = asyncio.create_task(_collect([str(root)], stop, seen, news))
    await _until(seen, news, lambda: bool(seen))
    first = seen[0]
    assert isinstance(first, WatchState)
    assert first.word == "polling every 0.05 s"
    assert first.reason == "the folder does not exist yet"
    root.mkdir()
    await _until(seen, news, lambda: WatchState("watching") in seen)
    assert Changes(frozenset(), folders=True) in seen
    stop.set()
    await task
