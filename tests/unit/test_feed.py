"""Keeping the rows as the files stand: bounded slices, and looks that change nothing."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from ink_tui.store.cache import RowCache
from ink_tui.store.library import Library, Listing
from ink_tui.store.watch_values import Changes, WatchState
from ink_tui.tui.screens import feed as feed_module
from ink_tui.tui.screens.feed import AT_ONCE_BYTES, SLICE_BYTES, SLICE_FILES, Feed
from tests.sessions import simple, user

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Sequence
    from pathlib import Path

    import pytest

TIMEOUT = 30.0


class Slow(Library):
    """A library that tells how much it was asked for at a time, and may be held up."""

    def __init__(self, root: Path) -> None:
        super().__init__([str(root)], clock=lambda: 0)
        self.slices: list[Sequence[str]] = []
        self.bytes: list[int] = []
        self.looks = 0

    def take_in(self, paths: Sequence[str], at_most: int, enough: int) -> Sequence[str]:
        before = self.bytes_read
        left = super().take_in(paths, at_most, enough)
        self.slices.append(paths[: len(paths) - len(left)])
        self.bytes.append(self.bytes_read - before)
        return left

    def look(self) -> frozenset[str]:
        self.looks += 1
        return super().look()


class Seen:
    """A feed with all that it handed over."""

    def __init__(self, root: Path) -> None:
        self.library = Slow(root)
        self.listings: list[Listing] = []
        self.changed: list[frozenset[str]] = []
        self.states: list[WatchState] = []
        self.news = asyncio.Event()
        self.feed = Feed(
            self.library,
            show=self._show,
            changed=self.changed.append,
            state=self.states.append,
            poll_seconds=0.01,
        )

    def _show(self, listing: Listing) -> None:
        self.listings.append(listing)
        self.news.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Watch and read behind, as the screen does."""
        await self.feed.read()
        async with asyncio.TaskGroup() as group:
            group.create_task(self.feed.read_behind())
            group.create_task(self.feed.watch())
            yield
            self.feed.stop()

    async def equals_a_fresh_scan(self) -> None:
        fresh = Library(self.library.roots, clock=lambda: 0).scan(quick=False)
        async with asyncio.timeout(TIMEOUT):
            while self.listings[-1].rows != fresh.rows:
                self.news.clear()
                await self.news.wait()
        assert not self.listings[-1].missing_roots


def fill(root: Path, files: int, folders: int = 10) -> list[Path]:
    paths = [root / f"f{number % folders}" / f"s{number}.jsonl" for number in range(files)]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(simple())
    return paths


def append(path: Path, text: str = "more") -> None:
    with path.open("ab") as file:
        file.write(user("b1", "a4", text))


def names(paths: Sequence[Path]) -> frozenset[str]:
    return frozenset(map(str, paths))


# Bounded work


async def test_a_burst_of_changes_is_taken_in_slices_the_shown_session_first(
    tmp_path: Path,
) -> None:
    paths = fill(tmp_path, 1_500, folders=50)
    seen = Seen(tmp_path)
    await seen.feed.look()
    shown = paths[1_234]
    seen.library.open(str(shown))
    for path in paths:
        append(path)
    before = len(seen.listings)
    await seen.feed.follow(Changes(names(paths), folders=False))
    slices = seen.library.slices
    assert slices[0][0] == str(shown)
    assert max(map(len, slices)) <= SLICE_FILES
    assert sorted(path for each in slices for path in each) == sorted(map(str, paths))
    assert max(seen.library.bytes) <= SLICE_BYTES + AT_ONCE_BYTES
    assert frozenset[str]().union(*seen.changed) == names(paths)
    assert str(shown) in seen.changed[0]
    # The list is drawn now and then, not after each slice, and once all is taken in.
    assert 3 <= len(seen.listings) - before <= 4
    assert not seen.listings[-1].pending
    assert all(row.records == 5 for row in seen.listings[-1].rows)


async def test_a_slice_ends_with_the_bytes_that_are_enough(tmp_path: Path) -> None:
    paths = fill(tmp_path, 6)
    seen = Seen(tmp_path)
    await seen.feed.read()
    big = AT_ONCE_BYTES // 2
    for path in paths:
        append(path, "x" * big)
    await seen.feed.follow(Changes(names(paths), folders=False))
    assert [len(each) for each in seen.library.slices] == [2, 2, 2]
    assert max(seen.library.bytes) <= SLICE_BYTES + AT_ONCE_BYTES
    await seen.equals_a_fresh_scan()


async def test_what_changes_during_a_burst_waits_for_one_slice_if_it_is_shown(
    tmp_path: Path,
) -> None:
    paths = fill(tmp_path, 4 * SLICE_FILES)
    seen = Seen(tmp_path)
    await seen.feed.read()
    shown = str(paths[0])
    seen.library.open(shown)
    for path in paths[1:]:
        append(path)
    following = asyncio.create_task(seen.feed.follow(Changes(names(paths[1:]), folders=False)))
    seen.news.clear()
    await seen.news.wait()
    append(paths[0])
    await seen.feed.follow(Changes(frozenset({shown}), folders=False))
    await following
    when = next(number for number, each in enumerate(seen.library.slices) if shown in each)
    assert seen.library.slices[when][0] == shown
    assert when <= 2
    await seen.equals_a_fresh_scan()


async def test_a_file_that_changes_all_the_time_is_read_once_per_batch(tmp_path: Path) -> None:
    (path,) = fill(tmp_path, 1)
    seen = Seen(tmp_path)
    await seen.feed.read()
    held = seen.library._lock  # what a slice needs: it is held up as a slow disk would
    with held:
        tasks = []
        for _time in range(1_000):
            append(path)
            news = Changes(frozenset({str(path)}), folders=False)
            tasks.append(asyncio.create_task(seen.feed.follow(news)))
            await asyncio.sleep(0)
        assert len(seen.library.slices) == 0
    await asyncio.gather(*tasks)
    # One that was under way, and one for all that came meanwhile.
    assert sum(str(path) in each for each in seen.library.slices) <= 2
    await seen.equals_a_fresh_scan()


async def test_a_look_that_finds_nothing_new_shows_nothing(tmp_path: Path) -> None:
    fill(tmp_path, 30)
    seen = Seen(tmp_path)
    await seen.feed.read()
    before, read = len(seen.listings), seen.library.bytes_read
    for _time in range(5):
        await seen.feed.follow(Changes(frozenset(), folders=True))
    assert seen.library.looks == 5
    assert (len(seen.listings), seen.library.bytes_read) == (before, read)
    assert seen.changed == []


async def test_a_look_says_which_files_are_others(tmp_path: Path) -> None:
    paths = fill(tmp_path, 30)
    seen = Seen(tmp_path)
    await seen.feed.read()
    append(paths[3])
    paths[4].unlink()
    (tmp_path / "f5").rename(tmp_path / "g5")
    moved = [path for path in paths if path.parent.name == "f5"]
    await seen.feed.follow(Changes(frozenset(), folders=True))
    new = [tmp_path / "g5" / path.name for path in moved]
    assert frozenset[str]().union(*seen.changed) == names([paths[3], paths[4], *moved, *new])
    await seen.equals_a_fresh_scan()


async def test_a_look_that_finds_thousands_leaves_them_to_the_reading_behind(
    tmp_path: Path,
) -> None:
    old = fill(tmp_path, 3)
    seen = Seen(tmp_path)
    await seen.feed.read()
    seen.library.open(str(old[0]))
    paths = fill(tmp_path, 1_000, folders=100)
    append(old[0])
    await seen.feed.follow(Changes(frozenset(), folders=True))
    assert seen.library.slices == [[str(old[0])]]
    assert seen.listings[-1].pending > 0
    await seen.feed.finish()
    assert len(seen.listings[-1].rows) == len(paths)
    await seen.equals_a_fresh_scan()


# Folders


def bar(monkeypatch: pytest.MonkeyPatch, barred: set[str]) -> None:
    """Let some folders not be listed; files in them can still be asked for."""
    scandir = os.scandir

    def scan(folder: str) -> object:
        if str(folder) in barred:
            raise PermissionError(13, "Permission denied")
        return scandir(folder)

    monkeypatch.setattr("ink_tui.store.discover.os.scandir", scan)


async def test_a_folder_that_becomes_unreadable_and_readable_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = fill(tmp_path, 30)
    barred: set[str] = set()
    bar(monkeypatch, barred)
    seen = Seen(tmp_path)
    await seen.feed.read()
    for folder, files in (("f3", 27), ("", 0)):
        barred.add(str(tmp_path / folder) if folder else str(tmp_path))
        append(paths[3])
        await seen.feed.follow(Changes(frozenset({str(paths[3])}), folders=True))
        await seen.equals_a_fresh_scan()
        assert len(seen.listings[-1].rows) == files + 1
        # A file below it is told of, though no look would find it.
        append(paths[3])
        await seen.feed.follow(Changes(frozenset({str(paths[3])}), folders=False))
        await seen.equals_a_fresh_scan()
    barred.clear()
    await seen.feed.follow(Changes(frozenset(), folders=True))
    await seen.equals_a_fresh_scan()
    assert len(seen.listings[-1].rows) == len(paths)


async def test_thousands_of_folders_are_followed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    paths = fill(root, 100, folders=100)
    for number in range(100, 2_000):
        (root / f"f{number}").mkdir()
    seen = Seen(root)
    async with seen.running():
        await seen.equals_a_fresh_scan()
        for path in paths[::10]:
            append(path)
        await seen.equals_a_fresh_scan()
        for number in range(0, 2_000, 5):
            (root / f"f{number}").rename(root / f"g{number}")
        (root / "f1").rename(tmp_path / "away")
        await seen.equals_a_fresh_scan()
        # Files in folders that have moved are followed where they are now.
        for number in range(0, 2_000, 5):
            place = root / f"g{number}" / f"s{number}.jsonl"
            if number < 100:
                append(place, "moved")
            elif not number % 100:
                place.write_bytes(simple())
        await seen.equals_a_fresh_scan()
        assert len(seen.listings[-1].rows) == len(paths) + 19 - 1


async def test_a_root_that_vanishes_and_comes_back(tmp_path: Path) -> None:
    root = tmp_path / "root"
    fill(root, 30)
    seen = Seen(root)
    async with seen.running():
        for _time in range(3):
            root.rename(tmp_path / "away")
            async with asyncio.timeout(TIMEOUT):
                while seen.listings[-1].rows or not seen.listings[-1].missing_roots:
                    seen.news.clear()
                    await seen.news.wait()
            (tmp_path / "away").rename(root)
            await seen.equals_a_fresh_scan()
            assert len(seen.listings[-1].rows) == 30
    assert seen.states[-1] == WatchState("watching")
    assert "the folder does not exist yet" in {state.reason for state in seen.states}


async def test_a_slice_looks_up_no_more_than_it_may_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_module, "SLICE_SESSIONS", 4)
    folder = tmp_path / "root" / "home-u-demo"
    folder.mkdir(parents=True)
    for at in range(10):
        (folder / f"{at}.jsonl").write_bytes(simple())
    asked: list[int] = []
    cache = RowCache(tmp_path / "cache")
    histories = cache.histories

    def counted(paths: Iterable[str]) -> dict[str, bytes]:
        wanted = list(paths)
        asked.append(len(wanted))
        return histories(wanted)

    monkeypatch.setattr(cache, "histories", counted)
    library = Library([str(tmp_path / "root")], cache=cache)
    feed = Feed(library, show=lambda _: None, changed=lambda _: None, state=lambda _: None)
    await feed.read()
    assert feed.listing is not None
    assert feed.listing.pending == 0
    assert asked == [4, 4, 2]
