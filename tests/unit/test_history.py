"""What was read of a file, compared with the file later."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ink_tui.store.files import open_for_reading
from ink_tui.store.history import BLOCK_BYTES, History
from ink_tui.store.library import Library
from tests.sessions import HEADER, answer, line, simple, user

if TYPE_CHECKING:
    from pathlib import Path

NOW = 10**15
"""Long after any test file was written: every session rests."""


def _changed(path: Path, history: History) -> int | None:
    with open_for_reading(str(path)) as (descriptor, _state):
        return history.first_change(descriptor)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_change_of_whole_lines_is_found_in_its_block(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    size = data.draw(st.sampled_from((1, 2, 100, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1)))
    content = bytearray(os.urandom(1)) * size + bytearray(b"x" * data.draw(st.integers(0, 9)))
    content += b"\n" * data.draw(st.integers(0, 1))
    content = content * data.draw(st.integers(1, 4))
    history = History()
    at = 0
    while at < len(content):
        step = data.draw(st.integers(1, 2 * BLOCK_BYTES))
        history.feed(bytes(content[at : at + step]))
        at += step
    assert history.length == content.rfind(b"\n") + 1
    path = tmp_path_factory.mktemp("history") / "f"
    path.write_bytes(bytes(content) + b"appended\n")
    assert _changed(path, history) is None
    if not history.length:
        return
    spot = data.draw(st.integers(0, history.length - 1))
    content[spot] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(bytes(content) + b"appended\n")
    assert _changed(path, history) == spot // BLOCK_BYTES * BLOCK_BYTES
    content[spot:] = b""
    path.write_bytes(bytes(content))
    assert _changed(path, history) == spot


def _long() -> bytes:
    records = [line(HEADER), user("e0", None, "begin")]
    records += [
        answer(f"e{number}", f"e{number - 1}", f"{number} " + "words " * 200)
        for number in range(1, 200)
    ]
    return b"".join(records)


def _store(root: Path, content: bytes) -> Path:
    path = root / "home-u-demo" / "a.jsonl"
    path.parent.mkdir()
    path.write_bytes(content)
    return path


def test_a_byte_changed_far_back_is_noticed_when_the_session_rests(tmp_path: Path) -> None:
    content = bytearray(_long())
    path = _store(tmp_path, bytes(content))
    clock = [0]
    library = Library([str(tmp_path)], clock=lambda: clock[0])
    assert library.open(str(path)).changed_at is None
    spot = content.index(b"7 words") + 3
    content[spot] ^= 1
    path.write_bytes(bytes(content) + answer("new", "e199", "more"))
    # While it is being written, an append is read alone.
    library.open(str(path))
    clock[0] = NOW
    opened = library.open(str(path))
    assert opened.changed_at == 0
    assert opened.diagnosis == Library([str(tmp_path)]).open(str(path)).diagnosis


def test_a_file_that_lost_lines_is_noticed_at_its_end(tmp_path: Path) -> None:
    content = simple()
    path = _store(tmp_path, content)
    library = Library([str(tmp_path)], clock=lambda: NOW)
    library.open(str(path))
    short = content[: content[:-1].rfind(b"\n") + 1]
    path.write_bytes(short)
    assert library.open(str(path)).changed_at == len(short)


@pytest.mark.parametrize("tail", [b"", b'{"type":"mess'])
def test_appends_and_cut_fragments_are_no_change(tmp_path: Path, tail: bytes) -> None:
    path = _store(tmp_path, simple() + tail)
    library = Library([str(tmp_path)], clock=lambda: NOW)
    library.open(str(path))
    path.write_bytes(simple())
    assert library.open(str(path)).changed_at is None
    path.write_bytes(simple() + user("n1", "a4", "more"))
    assert library.open(str(path)).changed_at is None


def test_what_was_asked_for_is_no_surprise(tmp_path: Path) -> None:
    path = _store(tmp_path, simple() + user("n1", "a4", "more"))
    library = Library([str(tmp_path)], clock=lambda: NOW)
    library.open(str(path))
    path.write_bytes(simple())
    library.forget(str(path))
    assert library.open(str(path)).changed_at is None
