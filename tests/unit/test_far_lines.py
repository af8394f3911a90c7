"""Very long lines are read in a process of their own, and here where there is none."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from ink_tui.formats.ink import parser as parsers
from ink_tui.formats.ink.line import Reading
from ink_tui.formats.registry import INK
from ink_tui.model.entries import ModelMarker, Span
from ink_tui.store.far_lines import FarLines
from ink_tui.store.files import UnreadableError
from tests.every_kind import every_kind
from tests.properties.test_light import lengthened, read_light, read_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def far() -> Iterator[FarLines]:
    lines = FarLines()
    yield lines
    lines.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "long.jsonl"
    path.write_bytes(lengthened(every_kind(), ["word " * 200, "x" * 3_000]) + b'{"torn":')
    return path


@pytest.mark.parametrize("light", [False, True])
def test_a_session_read_far_away_is_the_same(
    file: Path, far: FarLines, monkeypatch: pytest.MonkeyPatch, light: bool
) -> None:
    monkeypatch.setattr(parsers, "FAR_BYTES", 10)
    data = file.read_bytes()
    parser = INK.parser(light=light, far=far.of(str(file)))
    parser.feed(data)
    assert parser.session() == (read_light if light else read_whole)(data).session
    assert far.pid is not None


def test_one_record_comes_whole(file: Path, far: FarLines) -> None:
    session = read_light(file.read_bytes()).session
    whole = read_whole(file.read_bytes()).session
    pairs = zip(session.records, whole.records, strict=True)
    light, expected = next(pair for pair in pairs if pair[0] != pair[1])
    assert far.record(str(file), light.span) == expected


def test_a_process_that_was_killed_is_started_anew(file: Path, far: FarLines) -> None:
    span = read_light(file.read_bytes()).session.records[0].span
    first = far.record(str(file), span)
    assert far.pid is not None
    os.kill(far.pid, signal.SIGKILL)
    before = far.pid
    assert far.record(str(file), span) == first
    assert isinstance(first, ModelMarker)
    assert far.pid != before


@pytest.mark.parametrize("command", [("/nowhere/python",), ("false",)])
def test_without_a_process_lines_are_read_here(file: Path, command: tuple[str, ...]) -> None:
    far = FarLines(command)
    whole = read_whole(file.read_bytes()).session
    assert far.record(str(file), whole.records[0].span) == whole.records[0]
    far.close()


def test_a_file_that_is_gone_is_said_to_be(tmp_path: Path, far: FarLines) -> None:
    with pytest.raises(UnreadableError) as caught:
        far.of(str(tmp_path / "none.jsonl"))(Span(0, 10, 1, 1), Reading())
    assert caught.value.kind == "vanished"


def test_the_process_ends_with_the_program_part_that_started_it(file: Path) -> None:
    far = FarLines()
    far.record(str(file), read_whole(file.read_bytes()).session.records[0].span)
    pid = far.pid
    assert pid is not None
    far.close()
    assert far.pid is None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
