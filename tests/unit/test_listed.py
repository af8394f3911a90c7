"""Rows as commands print them: the same whether they were kept, read now, or read in a copy."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.model.liveness import Freshness
from ink_tui.model.row_fields import content_fields
from ink_tui.store import cache as cache_module
from ink_tui.store.cache import RowCache
from ink_tui.store.library import Library
from ink_tui.store.listed import listed
from tests.counts import Counts, count_reads
from tests.sessions import simple, user

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.model.listing import SessionRow
    from ink_tui.store.listed import Listed

NOW = 10**12


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    return count_reads(monkeypatch)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A store with a sound, a torn, an empty, a refused and an unreadable session, and a child."""
    folder = tmp_path / "root" / "home-u-demo"
    (folder / "children").mkdir(parents=True)
    for at in range(3):
        (folder / f"{at}.jsonl").write_bytes(simple())
    (folder / "torn.jsonl").write_bytes(simple() + b'{"type":"mess')
    (folder / "empty.jsonl").write_bytes(simple().split(b"\n", 1)[0] + b"\n")
    (folder / "refused.jsonl").write_bytes(b"nothing\n")
    (folder / "link.jsonl").symlink_to(folder / "0.jsonl")
    (folder / "children" / "child.jsonl").write_bytes(simple())
    (folder / os.fsdecode(b"caf\xe9.jsonl")).write_bytes(simple())
    for number, path in enumerate(sorted(folder.rglob("*.jsonl"), key=os.fsencode)):
        os.utime(path, (1_000 + number, 1_000 + number), follow_symlinks=False)
    return tmp_path / "root"


def ask(root: Path, cache: RowCache | None = None, *, quick: bool = False) -> Listed:
    return listed([str(root)], cache, quick=quick, clock=lambda: NOW)


def told(found: Listed) -> list[dict[str, Any]]:
    return [json.loads(line.line + b"}") for line in found.lines]


def wanted(rows: tuple[SessionRow, ...]) -> list[dict[str, Any]]:
    return [json.loads(json.dumps(content_fields(row))) for row in rows]


@pytest.mark.parametrize("quick", [False, True])
def test_the_lines_say_what_the_rows_say(root: Path, quick: bool) -> None:
    rows = Library([str(root)]).scan(quick=quick).rows
    found = ask(root, quick=quick)
    assert told(found) == wanted(rows)
    assert [line.path for line in found.lines] == [row.path for row in rows]
    left_out = [row.child or (row.empty and row.error_kind is None) for row in rows]
    assert [line.left_out for line in found.lines] == left_out
    assert any(left_out)


def test_what_is_known_is_printed_without_a_read_or_a_row(
    root: Path, tmp_path: Path, counts: Counts, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = ask(root, RowCache(tmp_path / "cache"))
    before = counts.read_bytes
    assert before > 0

    def decode(*_: object) -> None:
        raise AssertionError("a row is made")

    monkeypatch.setattr(cache_module, "decode_row", decode)
    assert ask(root, RowCache(tmp_path / "cache")).lines == first.lines
    assert counts.read_bytes == before


def test_only_what_changed_is_read_again(root: Path, tmp_path: Path, counts: Counts) -> None:
    ask(root, RowCache(tmp_path / "cache"))
    file = root / "home-u-demo" / "1.jsonl"
    file.write_bytes(file.read_bytes() + user("later", "a1", "more"))
    before = counts.read_bytes
    found = ask(root, RowCache(tmp_path / "cache"))
    size = file.stat().st_size
    assert size <= counts.read_bytes - before <= 2 * size  # once for what it says, once to compare
    assert told(found) == wanted(Library([str(root)]).scan(quick=False).rows)
    assert ask(root, RowCache(tmp_path / "cache")).lines == found.lines


def test_a_quick_look_keeps_what_is_known_of_a_changed_session(root: Path, tmp_path: Path) -> None:
    ask(root, RowCache(tmp_path / "cache"))
    file = root / "home-u-demo" / "1.jsonl"
    file.write_bytes(file.read_bytes() + user("later", "a1", "more"))
    rows = Library([str(root)], cache=RowCache(tmp_path / "cache")).scan().rows
    found = ask(root, RowCache(tmp_path / "cache"), quick=True)
    assert told(found) == wanted(rows)
    known = {each["path"]: each["complete"] for each in told(found)}
    assert known.pop(str(file)) is False
    assert set(known.values()) == {True}


def test_a_deleted_session_is_forgotten(root: Path, tmp_path: Path) -> None:
    ask(root, RowCache(tmp_path / "cache"))
    file = root / "home-u-demo" / "1.jsonl"
    file.unlink()
    assert str(file) not in [line.path for line in ask(root, RowCache(tmp_path / "cache")).lines]
    assert str(file) not in [line.path for line, _state in RowCache(tmp_path / "cache").lines()]


def test_a_file_that_changed_now_is_told_as_fresh(root: Path) -> None:
    file = root / "home-u-demo" / "1.jsonl"
    os.utime(file, ns=(NOW * 1_000_000, NOW * 1_000_000))
    assert ask(root).fresh == {str(file): Freshness.WRITING}


SHARED = """
import os, sys, time
from ink_tui.store.shares import shared
here = os.getpid()
wait, fatal = float(sys.argv[1]), sys.argv[2] == "fatal"

def work(job):
    time.sleep(wait if os.getpid() == here else 0)
    if fatal and os.getpid() != here and job > 500:
        os._exit(1)
    return f"{job} {os.getpid()}".encode()

done = sorted(shared(1_203, work))
assert [number for number, _ in done] == list(range(1_203)), done
assert all(answer.split()[0] == str(number).encode() for number, answer in done)
pids = {answer.split()[1] for _, answer in done}
print(len(pids))
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("none left")
"""


@pytest.mark.parametrize("how", ["well", "fatal"])
def test_two_processes_do_each_job_once(how: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SHARED, "0.0002", how], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.split() == ["2", "none", "left"]
