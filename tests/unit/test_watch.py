"""Noticing changes below the roots."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ink_tui.store.watch import Surroundings, watch_roots
from ink_tui.store.watch_means import Folders, open_means
from ink_tui.store.watch_values import Changes, WatchState

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ink_tui.store.watch_means import Means

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
    (tmp_path / "other").mkdir()
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


class Hand:
    """A clock that is moved by hand, in seconds."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Gone:
    """Means that fail as those of a system that has no watches left."""

    def __init__(self, number: int, *, late: bool = False) -> None:
        self.number = number
        self.late = late
        self.closed = 0

    def _fail(self) -> None:
        raise OSError(self.number, os.strerror(self.number))

    def stand(self, roots: Sequence[str]) -> None:
        if roots and not self.late:
            self._fail()

    async def news(self, stop: asyncio.Event, seconds: float) -> tuple[frozenset[str], bool] | None:
        assert not stop.is_set()
        assert seconds
        self._fail()
        return None

    def close(self) -> None:
        self.closed += 1


class Watched:
    """A watch that runs, and what it said."""

    def __init__(self, roots: list[str], surroundings: Surroundings) -> None:
        self.stop = asyncio.Event()
        self.news = asyncio.Event()
        self.seen: list[Changes | WatchState] = []
        self._events = watch_roots(roots, self.stop, 0.01, surroundings)

    async def _run(self) -> None:
        async for event in self._events:
            self.seen.append(event)
            self.news.set()

    async def __aenter__(self) -> Watched:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_problem: object) -> None:
        self.stop.set()
        await self._task

    async def until(self, wanted: Callable[[], bool]) -> None:
        await _until(self.seen, self.news, wanted)

    async def says(self, state: WatchState) -> None:
        await self.until(lambda: state in self.seen)

    @property
    def looks(self) -> int:
        return sum(event == Changes(frozenset(), folders=True) for event in self.seen)

    @property
    def words(self) -> list[str]:
        return [event.word for event in self.seen if isinstance(event, WatchState)]


NO_WATCHES = "the system has no file watches left (fs.inotify.max_user_watches)"
NO_WATCHERS = "the system has no watcher left (fs.inotify.max_user_instances, open files)"
POLLING = "polling every 0.01 s"


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (errno.ENOSPC, NO_WATCHES),
        (errno.EMFILE, NO_WATCHERS),
        (errno.ENFILE, NO_WATCHERS),
        (errno.ENOMEM, "Cannot allocate memory"),
    ],
)
@pytest.mark.parametrize("late", [False, True])
async def test_without_watches_left_it_polls_and_tries_again_after_a_minute(
    number: int, reason: str, late: bool, tmp_path: Path
) -> None:
    (tmp_path / "f").mkdir()
    clock, tries = Hand(), [Gone(number, late=late), Gone(number, late=late)]

    def open_next() -> Means:
        return tries[opened.pop()] if opened else open_means()

    opened = [1, 0]
    surroundings = Surroundings(open_next, lambda _root: "", clock)
    async with Watched([str(tmp_path)], surroundings) as watched:
        await watched.says(WatchState(POLLING, reason))
        for _time in range(3):
            looks = watched.looks
            clock.now += 0.01
            await watched.until(lambda: watched.looks > looks)  # noqa: B023 - awaited here
        clock.now += 50
        looks = watched.looks
        await watched.until(lambda: watched.looks > looks)
        assert opened == [1]
        clock.now += 10
        await watched.until(lambda: not opened)
        clock.now += 59
        looks = watched.looks
        await watched.until(lambda: watched.looks > looks)
        clock.now += 1
        await watched.until(lambda: watched.words[-1] == "watching")
        path = tmp_path / "f" / "a.jsonl"
        path.write_bytes(b"x\n")
        await watched.until(lambda: str(path) in _files(watched.seen))
    assert watched.words[-1] == "watching"
    assert watched.words.count(POLLING) == (2 if late else 1)
    assert all(one.closed for one in tries)


class Vanishing:
    """Means whose roots vanish at the moment at which they are to be watched."""

    def __init__(self, root: Path, means: Means) -> None:
        self.root = root
        self.means = means
        self.stood = 0
        self.closed = 0

    def stand(self, roots: Sequence[str]) -> None:
        self.stood += 1
        if self.stood == 1:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(self.root))
        self.means.stand(roots)

    async def news(self, stop: asyncio.Event, seconds: float) -> tuple[frozenset[str], bool] | None:
        return await self.means.news(stop, seconds)

    def close(self) -> None:
        self.closed += 1


async def test_a_root_that_goes_while_the_watch_is_set_up_is_no_lack_of_watches(
    tmp_path: Path,
) -> None:
    means = Vanishing(tmp_path, open_means())
    async with Watched([str(tmp_path)], Surroundings(lambda: means, clock=Hand())) as watched:
        await watched.until(lambda: watched.looks == 1)
        await watched.until(lambda: watched.looks == 2)
        path = tmp_path / "a.jsonl"
        path.write_bytes(b"x\n")
        await watched.until(lambda: str(path) in _files(watched.seen))
    means.means.close()
    assert (means.stood, means.closed) == (2, 2)
    assert watched.words == ["watching"]


async def test_a_watcher_that_cannot_be_made_is_polled_for(tmp_path: Path) -> None:
    def none_left() -> Means:
        raise OSError(errno.EMFILE, "Too many open files")

    async with Watched([str(tmp_path)], Surroundings(none_left, lambda _root: "")) as watched:
        await watched.says(WatchState(POLLING, NO_WATCHERS))


async def test_a_silent_folder_is_polled_beside_one_that_is_watched(tmp_path: Path) -> None:
    roots = [tmp_path / "far", tmp_path / "near"]
    for root in roots:
        (root / "f").mkdir(parents=True)
    why = {str(roots[0]): "the folder is on nfs4, which does not tell what others change"}
    clock = Hand()
    surroundings = Surroundings(why_silent=lambda root: why.get(root, ""), clock=clock)
    async with Watched([str(root) for root in roots], surroundings) as watched:
        await watched.says(WatchState(POLLING, why[str(roots[0])]))
        await watched.until(lambda: watched.looks == 1)
        (roots[0] / "f" / "a.jsonl").write_bytes(b"x\n")
        (roots[1] / "f" / "b.jsonl").write_bytes(b"x\n")
        await watched.until(lambda: str(roots[1] / "f" / "b.jsonl") in _files(watched.seen))
        assert str(roots[0] / "f" / "a.jsonl") not in _files(watched.seen)
        assert watched.looks == 1
        clock.now += 0.01
        await watched.until(lambda: watched.looks == 2)
        # The folder is unmounted, another one is there: it is watched again.
        why.clear()
        roots[0].rename(tmp_path / "away")
        roots[0].mkdir()
        await watched.until(lambda: watched.words[-1] == "watching")
    assert watched.words == [POLLING, "watching"]


async def test_everything_is_looked_at_once_a_minute_whatever_events_tell(tmp_path: Path) -> None:
    clock = Hand()
    async with Watched([str(tmp_path)], Surroundings(clock=clock)) as watched:
        for minute in range(1, 4):
            await watched.until(lambda: watched.looks == minute)  # noqa: B023 - awaited here
            clock.now += 59.9
            (tmp_path / f"{minute}.jsonl").write_bytes(b"x\n")
            await watched.until(
                lambda: str(tmp_path / f"{minute}.jsonl") in _files(watched.seen)  # noqa: B023 - same
            )
            assert watched.looks == minute
            clock.now += 0.1


async def test_what_happens_to_the_root_itself_is_noticed(tmp_path: Path) -> None:
    root, above = tmp_path / "above" / "root", tmp_path / "above"
    root.mkdir(parents=True)
    async with Watched([str(root)], Surroundings()) as watched:
        await watched.says(WatchState("watching"))
        for number in range(4):
            looks = watched.looks
            moved, to = (root, tmp_path / f"r{number}"), (above, tmp_path / f"a{number}")
            source, target = moved if number % 2 else to
            source.rename(target)
            root.mkdir(parents=True)
            await watched.until(lambda: watched.looks > looks)  # noqa: B023 - awaited here
            path = root / f"{number}.jsonl"
            async with asyncio.timeout(TIMEOUT):
                while str(path) not in _files(watched.seen):
                    with path.open("ab") as stream:
                        stream.write(b"x\n")
                    await asyncio.sleep(0)
        shutil.rmtree(root)
        await watched.says(WatchState(POLLING, "the folder does not exist yet"))
        looks = watched.looks
        root.mkdir()
        await watched.until(lambda: watched.words[-1] == "watching" and watched.looks > looks)


def test_folders_that_stay_away_are_not_taken_for_watched(tmp_path: Path) -> None:
    class Away:
        made = 0

        def __init__(self, *_given: object) -> None:
            Away.made += 1
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")

    with pytest.raises(FileNotFoundError):
        Folders()._stand_on([str(tmp_path)], Away)  # type: ignore[arg-type] # stands in for it
    assert Away.made > 1


async def test_a_linked_folder_is_not_watched_and_takes_no_news_from_its_target(
    tmp_path: Path,
) -> None:
    place = tmp_path / "f"
    place.mkdir()
    async with Watched([str(tmp_path)], Surroundings()) as watched:
        for number in range(3):
            looks = watched.looks
            (tmp_path / f"link{number}").symlink_to(place)
            await watched.until(lambda: watched.looks > looks)  # noqa: B023 - awaited here
            path = place / f"{number}.jsonl"
            path.write_bytes(b"x\n")
            await watched.until(lambda: str(path) in _files(watched.seen))  # noqa: B023 - awaited here
    assert not any("/link" in path for path in _files(watched.seen))


async def test_new_folders_are_watched_before_a_look_is_asked_for(tmp_path: Path) -> None:
    async with Watched([str(tmp_path)], Surroundings()) as watched:
        await watched.until(lambda: watched.looks == 1)
        for number in range(20):
            looks, place = watched.looks, tmp_path / f"f{number}" / "children"
            place.mkdir(parents=True)
            await watched.until(lambda: watched.looks > looks)  # noqa: B023 - awaited here
            # Asked for: from here on every file is told of, in the deepest folder, too.
            (place / "c.jsonl").write_bytes(b"x\n")
            await watched.until(lambda: str(place / "c.jsonl") in _files(watched.seen))  # noqa: B023 - awaited here


_CHILD = """
import asyncio, sys
from ink_tui.store.watch import WatchState, watch_roots
async def main():
    events = watch_roots(sys.argv[1:], asyncio.Event(), 0.01)
    async for event in events:
        if isinstance(event, WatchState):
            print(event.word, event.reason, sep="|", flush=True)
        else:
            await events.aclose()
            return
asyncio.run(main())
"""


def test_a_system_that_really_has_no_watches_left(tmp_path: Path) -> None:
    """In a user namespace of its own, whose limit is nobody else's."""
    for number in range(10):
        (tmp_path / f"f{number}").mkdir()
    limit = "/proc/sys/user/max_inotify_watches"
    unshare = shutil.which("unshare")
    words = f'echo 5 > {limit} && exec "$@"'
    command = [unshare or "unshare", "-Ur", "sh", "-c", words, "sh"]
    if unshare is None or subprocess.run([*command, "true"], capture_output=True).returncode:
        pytest.skip("no user namespace with a limit of its own can be made here")
    child = [*command, sys.executable, "-c", _CHILD, str(tmp_path)]
    done = subprocess.run(child, capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == f"{POLLING}|{NO_WATCHES}\n"


_LIMITED = """
import ctypes, os, resource
import watchfiles._rust_notify
def limit():
    free = os.open("/", os.O_RDONLY)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, 64))
"""


def test_a_process_that_really_has_no_file_left_to_watch_with(tmp_path: Path) -> None:
    begin = "async def main():\n"
    code = _LIMITED + _CHILD.replace(begin, f"{begin}    await asyncio.to_thread(limit)\n")
    child = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(child, capture_output=True, text=True, timeout=30, check=False)
    assert (done.stdout, done.stderr) == (f"{POLLING}|{NO_WATCHERS}\n", "")
