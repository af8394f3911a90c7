"""Sessions read whole in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ink_tui.store.deep import ReaderHere, ReaderProcess
from ink_tui.store.files import UnreadableError
from ink_tui.store.findings import Job
from tests.sessions import simple


@pytest.fixture
def jobs(tmp_path: Path) -> list[Job]:
    names = [b"plain.jsonl", b"not-\xff-text.jsonl", "中文.jsonl".encode()]
    names += [b"none.jsonl", b"pipe.jsonl"]
    paths = [os.path.join(os.fsencode(tmp_path), name) for name in names]  # noqa: PTH118 - bytes
    for path in paths[:3]:
        with open(path, "wb") as stream:  # noqa: PTH123 - bytes
            stream.write(simple() + b'{"torn')
    os.mkfifo(paths[4])
    return [Job(os.fsdecode(path), child=number == 1) for number, path in enumerate(paths)]


def _told(found: object) -> object:
    return (found.kind, found.reason) if isinstance(found, UnreadableError) else found


def test_a_process_finds_what_is_found_here(jobs: list[Job]) -> None:
    reader = ReaderProcess()
    try:
        there = [(job, _told(found)) for job, found in reader.read(jobs)]
    finally:
        reader.close()
    assert there == [(job, _told(found)) for job, found in ReaderHere().read(jobs)]
    assert there[3][1] == ("vanished", "it is no longer there")


def test_one_process_serves_all(jobs: list[Job], tmp_path: Path) -> None:
    reader = ReaderProcess()
    try:
        list(reader.read(jobs))
        first = reader.pid
        list(reader.read(jobs))
        assert reader.pid == first is not None
    finally:
        reader.close()
    assert not Path(f"/proc/{first}").exists()


def test_a_session_that_ends_the_process_is_named_and_the_rest_is_read(
    jobs: list[Job], tmp_path: Path
) -> None:
    program = tmp_path / "worker.py"
    program.write_text(
        "import os, sys\n"
        "from ink_tui.store.deep_worker import answer\n"
        "for line in sys.stdin.buffer:\n"
        "    if b'plain' in line:\n"
        "        os._exit(9)\n"
        "    sys.stdout.buffer.write(answer(line))\n"
        "    sys.stdout.buffer.flush()\n"
    )
    reader = ReaderProcess((sys.executable, str(program)))
    try:
        found = dict(reader.read(jobs))
    finally:
        reader.close()
    plain = found[jobs[0]]
    assert isinstance(plain, UnreadableError)
    assert plain.reason == "the process that reads it ended"
    assert not isinstance(found[jobs[1]], UnreadableError)


def test_without_a_process_it_is_read_here(jobs: list[Job]) -> None:
    reader = ReaderProcess(("/no/such/program",))
    found = dict(reader.read(jobs[:1]))
    assert not isinstance(found[jobs[0]], UnreadableError)


def test_closing_breaks_off_a_long_read(jobs: list[Job], tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    program = tmp_path / "slow.py"
    program.write_text(f"open({str(begun)!r}, 'w').close()\nimport time\ntime.sleep(60)\n")
    reader = ReaderProcess((sys.executable, str(program)))
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.extend(reader.read(jobs[:1])))
    thread.start()
    while not begun.exists():
        time.sleep(0.01)
    reader.close()
    thread.join(20)
    assert not thread.is_alive()
    assert _told(found[0][1]) == ("io-error", "reading was broken off")  # type: ignore[index]


def test_the_process_ends_with_its_input() -> None:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "ink_tui.store.deep_worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(20) == 0
