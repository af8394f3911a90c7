"""What is kept from one start to the next, and what happens when that cannot be read or written."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import threading
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ink_tui.model.listing import SessionRow
from ink_tui.store.cache import RowCache
from ink_tui.store.deep import ReaderHere
from ink_tui.store.files import Fingerprint
from ink_tui.store.findings import Finding
from ink_tui.store.library import Library
from ink_tui.store.listed import listed
from ink_tui.store.row_codec import decode_row, encode_row
from ink_tui.store.row_lines import line_of
from tests.sessions import simple, user

if TYPE_CHECKING:
    from pathlib import Path

NOW = 10**15
NAME = "sessions.sqlite"
_SETTINGS = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50, deadline=None
)


class Counting(ReaderHere):
    """Counts the sessions that are read whole."""

    def __init__(self) -> None:
        self.paths: list[str] = []

    def read(self, jobs):  # type: ignore[no-untyped-def]  # as the one it stands for
        """Yield what each session is."""
        for job, found in super().read(jobs):
            self.paths.append(job.path)
            yield job, found


def _store(root: Path, number: int = 3) -> list[Path]:
    folder = root / "home-u-demo"
    folder.mkdir(parents=True)
    paths = [folder / f"{each}.jsonl" for each in range(number)]
    for path in paths:
        path.write_bytes(simple())
    return paths


def _library(tmp_path: Path) -> tuple[Library, Counting]:
    counting = Counting()
    cache = RowCache(tmp_path / "cache")
    root = str(tmp_path / "root")
    return Library([root], clock=lambda: NOW, cache=cache, whole=counting), counting


def test_a_second_start_reads_no_session(tmp_path: Path) -> None:
    _store(tmp_path / "root")
    library, counting = _library(tmp_path)
    first = library.scan(quick=False)
    assert len(counting.paths) == 3
    library.close()
    again, counting = _library(tmp_path)
    listing = again.scan()
    assert listing.rows == first.rows
    assert (listing.pending, counting.paths) == (0, [])


def test_only_what_changed_is_read_again(tmp_path: Path) -> None:
    paths = _store(tmp_path / "root")
    library, _ = _library(tmp_path)
    library.scan(quick=False)
    with paths[1].open("ab") as stream:
        stream.write(user("n1", "a4", "more"))
    again, counting = _library(tmp_path)
    first = again.scan()
    row = next(row for row in first.rows if row.path == str(paths[1]))
    assert (row.complete, row.verdict) == (False, None)
    assert row.title
    fresh = Library([str(tmp_path / "root")], clock=lambda: NOW).scan(quick=False)
    assert again.complete().rows == fresh.rows
    assert counting.paths == [str(paths[1])]


def test_a_history_that_changed_while_nobody_looked_is_said_once(tmp_path: Path) -> None:
    paths = _store(tmp_path / "root")
    library, _ = _library(tmp_path)
    library.scan(quick=False)
    content = bytearray(paths[0].read_bytes())
    content[content.index(b'"text":"') + 9] ^= 1
    paths[0].write_bytes(bytes(content) + user("n1", "a4", "more"))
    again, _ = _library(tmp_path)
    row = next(row for row in again.scan(quick=False).rows if row.path == str(paths[0]))
    assert row.rewritten_at == 0
    assert again.open(str(paths[0])).changed_at == 0
    assert again.open(str(paths[0])).changed_at == 0
    third, _ = _library(tmp_path)
    third.scan(quick=False)
    assert third.open(str(paths[0])).changed_at is None


def test_rows_of_deleted_sessions_are_forgotten(tmp_path: Path) -> None:
    paths = _store(tmp_path / "root")
    library, _ = _library(tmp_path)
    library.scan(quick=False)
    other = RowCache(tmp_path / "cache")
    assert len(other.load()) == 3
    paths[0].unlink()
    library.refresh([str(paths[0])])
    assert str(paths[0]) not in other.load()
    paths[1].unlink()
    _library(tmp_path)[0].scan()
    assert set(other.load()) == {str(paths[2])}
    text = b"".join(path.read_bytes() for path in (tmp_path / "cache").iterdir())
    assert str(paths[0]).encode() not in text.replace(str(paths[2]).encode(), b"")


def test_rows_below_other_roots_stay(tmp_path: Path) -> None:
    _store(tmp_path / "root")
    library, _ = _library(tmp_path)
    library.scan(quick=False)
    other = Library([str(tmp_path / "else")], clock=lambda: NOW, cache=RowCache(tmp_path / "cache"))
    other.scan(quick=False)
    assert len(RowCache(tmp_path / "cache").load()) == 3


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_only_the_owner_can_read_it(tmp_path: Path, mask: int) -> None:
    _store(tmp_path / "root")
    old = os.umask(mask)
    try:
        library, _ = _library(tmp_path)
        library.scan(quick=False)
        library.close()
    finally:
        os.umask(old)
    folder = tmp_path / "cache"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


@_SETTINGS
@given(data=st.data())
def test_any_damage_costs_only_the_reading(tmp_path: Path, data: st.DataObject) -> None:
    root = tmp_path / "root"
    if not root.exists():
        _store(root)
    shutil.rmtree(tmp_path / "cache", ignore_errors=True)  # or it would hold the last damage
    library, _ = _library(tmp_path)
    wanted = library.scan(quick=False).rows
    printed = [line_of(row) for row in wanted]
    path = tmp_path / "cache" / NAME
    content = bytearray(path.read_bytes())
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content))) :]
    else:
        for _ in range(data.draw(st.integers(1, 30))):
            place = data.draw(st.integers(0, len(content) - 1))
            content[place] ^= 1 << data.draw(st.integers(0, 7))
    for ending in ("-wal", "-shm"):
        path.with_name(NAME + ending).unlink(missing_ok=True)
    path.write_bytes(bytes(content))
    for _ in range(2):
        again, _ = _library(tmp_path)
        assert again.scan(quick=False).rows == wanted
        again.close()
        cache = RowCache(tmp_path / "cache")
        assert listed([str(root)], cache, quick=False, clock=lambda: NOW).lines == printed


def test_a_newer_cache_is_left_alone(tmp_path: Path) -> None:
    _store(tmp_path / "root")
    library, _ = _library(tmp_path)
    library.scan(quick=False)
    path = tmp_path / "cache" / NAME
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA user_version = 99")
        base.commit()
    again, counting = _library(tmp_path)
    listing = again.scan(quick=False)
    assert len(counting.paths) == 3
    assert "newer ink-tui" in listing.notice
    with closing(sqlite3.connect(path)) as base:
        assert base.execute("PRAGMA user_version").fetchone() == (99,)


def test_a_full_disk_and_a_folder_of_somebody_else_cost_only_the_keeping(tmp_path: Path) -> None:
    _store(tmp_path / "root")
    (tmp_path / "cache").write_text("a file where the folder should be")
    library, _ = _library(tmp_path)
    listing = library.scan(quick=False)
    assert {row.verdict for row in listing.rows} == {"clean"}
    assert "not kept" in listing.notice


def test_two_programs_keep_at_the_same_time(tmp_path: Path) -> None:
    finding = Finding(Fingerprint(1, 2, 3, 4), SessionRow("x", session_id="s"), b"")

    def keep(number: int) -> None:
        cache = RowCache(tmp_path / "cache")
        for each in range(20):
            cache.keep({f"/{number}/{each}": finding})
        assert not cache.notice

    threads = [threading.Thread(target=keep, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(RowCache(tmp_path / "cache").load()) == 80


_TEXT = st.text(st.characters(), max_size=20)


@given(
    st.builds(
        SessionRow,
        st.just("/p"),
        session_id=st.none() | _TEXT,
        cwd=_TEXT,
        title=_TEXT,
        size=st.integers(0, 1 << 62),
        torn_bytes=st.integers(0, 100),
        rewritten_at=st.none() | st.integers(0, 9),
    )
)
def test_rows_come_back_as_they_were(row: SessionRow) -> None:
    half = replace(row, cwd=row.cwd + "\ud83d")
    for each in (row, half):
        again = decode_row("/p", encode_row(each))
        assert again == each
        assert again.rewritten_at == each.rewritten_at


def test_a_changed_byte_of_a_row_is_noticed() -> None:
    content = encode_row(SessionRow("/p", title="the title"))
    for place in range(len(content)):
        damaged = bytearray(content)
        damaged[place] ^= 4
        with pytest.raises(ValueError, match="checksum"):
            decode_row("/p", bytes(damaged))
