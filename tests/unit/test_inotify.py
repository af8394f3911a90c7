"""Watching folders by inotify: what is told of, and what is left alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ink_tui.store.inotify import InotifyWatch

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux has inotify")


@pytest.fixture
def watch() -> Iterator[InotifyWatch]:
    made = InotifyWatch()
    yield made
    made.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "root"
    (place / "f").mkdir(parents=True)
    (place / "f" / "a.jsonl").write_bytes(b"x\n")
    return place


def told(watch: InotifyWatch) -> tuple[set[str], bool]:
    files, folders = watch.gather(1, 5)
    return {Path(path).name for path in files}, folders


def watched(watch: InotifyWatch) -> int:
    """Return how many watches the kernel keeps."""
    facts = Path(f"/proc/self/fdinfo/{watch.fileno()}").read_text()
    return facts.count("inotify wd")


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"x\n")


def test_files_are_told_of_and_folders_are(watch: InotifyWatch, root: Path) -> None:
    watch.stand([str(root)])
    append(root / "f" / "a.jsonl")
    assert watch.gather(1, 5) == (frozenset({str(root / "f" / "a.jsonl")}), False)
    (root / "f" / "a.jsonl").rename(root / "f" / "b.jsonl")
    assert told(watch) == ({"a.jsonl", "b.jsonl"}, False)
    (root / "f" / "b.jsonl").unlink()
    os.mkfifo(root / "f" / "c.jsonl")
    assert told(watch) == ({"b.jsonl", "c.jsonl"}, False)
    (root / "g").mkdir()
    assert told(watch) == (set(), True)
    (root / "g").chmod(0o700)
    assert told(watch) == (set(), True)
    (root / "g").rmdir()
    assert told(watch) == (set(), True)
    (root / "f" / "note.txt").write_text("no session")
    assert told(watch) == (set(), False)


def test_a_lease_is_news_of_the_session_beside_it(watch: InotifyWatch, root: Path) -> None:
    watch.stand([str(root)])
    (root / "f" / "a.jsonl.lease").mkdir()
    assert told(watch) == ({"a.jsonl"}, False)
    watch.stand([str(root)])
    assert watched(watch) == 2


def test_links_and_folders_too_deep_are_left_alone(watch: InotifyWatch, root: Path) -> None:
    (root / "f" / "children" / "deep").mkdir(parents=True)
    (root / "everything").symlink_to("/usr")
    (root / "f" / "round").symlink_to(root)
    watch.stand([str(root)])
    assert watched(watch) == 3
    append(root / "f" / "children" / "c.jsonl")
    append(root / "f" / "children" / "deep" / "d.jsonl")
    assert told(watch) == ({"c.jsonl"}, False)


def test_a_renamed_folder_is_told_of_by_its_new_name(watch: InotifyWatch, root: Path) -> None:
    watch.stand([str(root)])
    (root / "f").rename(root / "g")
    (root / "f").mkdir()
    assert told(watch) == (set(), True)
    watch.stand([str(root)])
    assert watched(watch) == 3
    append(root / "g" / "a.jsonl")
    append(root / "f" / "n.jsonl")
    files, _folders = watch.gather(1, 5)
    assert files == {str(root / "g" / "a.jsonl"), str(root / "f" / "n.jsonl")}


def test_a_folder_that_went_gives_its_watch_back(
    watch: InotifyWatch, root: Path, tmp_path: Path
) -> None:
    watch.stand([str(root)])
    (root / "f").rename(tmp_path / "away")
    watch.stand([str(root)])
    told(watch)
    assert watched(watch) == 1
    append(tmp_path / "away" / "a.jsonl")
    assert told(watch) == (set(), False)
    watch.stand([])
    assert watched(watch) == 0


def test_a_root_that_is_moved_or_deleted_is_told_of(
    watch: InotifyWatch, root: Path, tmp_path: Path
) -> None:
    watch.stand([str(root)])
    root.rename(tmp_path / "away")
    assert told(watch) == (set(), True)
    watch.stand([str(root)])
    assert watched(watch) == 0


def test_a_single_file_may_be_replaced_and_its_neighbours_are_nobodys(
    watch: InotifyWatch, root: Path
) -> None:
    path = root / "f" / "a.jsonl"
    watch.stand([str(path)])
    (root / "f" / "new").write_bytes(b"y\n")
    (root / "f" / "new").replace(path)
    append(root / "f" / "other.jsonl")
    (root / "f" / "folder").mkdir()
    assert watch.gather(1, 5) == (frozenset({str(path)}), False)
    path.unlink()
    assert watch.gather(1, 5) == (frozenset({str(path)}), False)


def test_two_names_of_one_root_are_both_told_of(
    watch: InotifyWatch, root: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.symlink_to(root)
    watch.stand([str(root), str(other)])
    append(root / "f" / "a.jsonl")
    files, _folders = watch.gather(1, 5)
    assert files == {str(root / "f" / "a.jsonl"), str(other / "f" / "a.jsonl")}


def test_events_beyond_the_queue_end_in_a_full_look(watch: InotifyWatch, root: Path) -> None:
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if most > 50_000:
        pytest.skip("the queue of this system takes too long to fill")
    paths = [root / "f" / "a.jsonl", root / "f" / "b.jsonl"]
    append(paths[1])
    watch.stand([str(root)])
    for _time in range(most // 2 + 10):
        for path in paths:  # in turns: the kernel tells equal events that follow but once
            os.utime(path)
    found = [watch.gather(1, 5) for _batch in range(1 + most // 4_000)]
    assert any(folders for _files, folders in found)
    assert all(files <= set(map(str, paths)) for files, _folders in found)
    assert watch.gather(1, 5) == (frozenset(), False)


def test_names_that_are_no_text_are_told_as_they_are(watch: InotifyWatch, root: Path) -> None:
    watch.stand([str(root)])
    name = os.fsencode(root / "f") + b"/\xff\xfe.jsonl"
    with open(name, "wb"):  # noqa: PTH123 - a name in bytes
        pass
    assert watch.gather(1, 5) == (frozenset({os.fsdecode(name)}), False)


def test_one_that_is_closed_says_no_more(root: Path) -> None:
    watch = InotifyWatch()
    watch.stand([str(root)])
    watch.close()
    append(root / "f" / "a.jsonl")
    assert watch.gather(1, 5) == (frozenset(), False)
    watch.stand([str(root)])
    watch.close()
