"""Appending to a session: one whole line at a time, only to the file that we know."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ink_tui.errors import RefusedError, StoreError
from ink_tui.store.append import SessionAppender

if TYPE_CHECKING:
    from pathlib import Path

HEADER = b'{"type":"session","version":1,"id":"s"}\n'
LINE = b'{"type":"x"}\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    path.write_bytes(HEADER)
    return path


def test_lines_are_added_at_the_end(file: Path) -> None:
    with SessionAppender(str(file)) as appender:
        appender.append(LINE)
        appender.append(LINE)
        assert appender.read() == HEADER + LINE + LINE
        assert appender.size == len(HEADER) + 2 * len(LINE)
    assert file.read_bytes() == HEADER + LINE + LINE


@pytest.mark.parametrize("line", [b"", b"x", b"x\ny\n", b"x\n\n"])
def test_what_is_not_one_line_is_refused(file: Path, line: bytes) -> None:
    with SessionAppender(str(file)) as appender, pytest.raises(ValueError, match="one line"):
        appender.append(line)
    assert file.read_bytes() == HEADER


def grow(file: Path) -> None:
    with file.open("ab") as stream:
        stream.write(LINE)


def shrink(file: Path) -> None:
    os.truncate(file, 5)


def replace(file: Path) -> None:
    other = file.with_suffix(".new")
    other.write_bytes(HEADER)
    other.replace(file)


def remove(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize("change", [grow, shrink, replace, remove])
def test_a_file_that_changed_is_not_written(file: Path, change: object) -> None:
    assert callable(change)
    with SessionAppender(str(file)) as appender:
        appender.append(LINE)
        change(file)
        before = file.read_bytes() if file.exists() else None
        with pytest.raises(RefusedError) as refused:
            appender.append(LINE)
    assert refused.value.kind == "changed"
    assert (file.read_bytes() if file.exists() else None) == before


@pytest.mark.parametrize("content", [b"", HEADER[:-1], HEADER + b'{"type":'])
def test_nothing_is_glued_to_an_unfinished_line(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with SessionAppender(str(file)) as appender, pytest.raises(RefusedError):
        appender.append(LINE)
    assert file.read_bytes() == content


def test_a_second_one_is_refused_while_the_first_is_open(file: Path) -> None:
    with SessionAppender(str(file)):
        with pytest.raises(RefusedError) as refused:
            SessionAppender(str(file))
        assert refused.value.kind == "in-use"
    SessionAppender(str(file)).close()


def test_links_and_other_things_are_refused(file: Path, tmp_path: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to(file)
    with pytest.raises(StoreError, match="link"):
        SessionAppender(str(tmp_path / "link.jsonl"))
    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises(StoreError, match="pipe"):
        SessionAppender(str(tmp_path / "pipe.jsonl"))
    with pytest.raises(StoreError, match="no longer there"):
        SessionAppender(str(tmp_path / "none.jsonl"))
    os.link(file, tmp_path / "second.jsonl")
    with pytest.raises(RefusedError, match="second name"):
        SessionAppender(str(file))


LIMITED = """
import resource, signal, sys
from ink_tui.errors import StoreError
from ink_tui.store.append import SessionAppender
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
appender = SessionAppender(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (appender.size + 5, resource.RLIM_INFINITY))
try:
    appender.append(b'{"type":"x"}\\n')
except StoreError as error:
    print(error)
"""


def test_a_record_that_does_not_fit_is_taken_back(file: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(file)], capture_output=True, text=True, check=True
    )
    assert "taken back" in done.stdout
    assert file.read_bytes() == HEADER
