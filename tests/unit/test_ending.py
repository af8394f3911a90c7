"""The end of a long session, read before the rest; and the rest, read in pieces."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from ink_tui.formats.ink.ending import ending_of
from ink_tui.model.ending import (
    EARLIER_WORDS,
    SO_FAR,
    UNREAD_OUTLINE,
    UNREAD_TRANSCRIPT,
    diagnosed_ending,
    ending_outline,
    ending_transcript,
)
from ink_tui.model.liveness import Holder, HolderKind
from ink_tui.model.outline_rows import CallLook, FilterMode, RowKind
from ink_tui.model.outline_view import visible_rows
from ink_tui.model.transcript import OrphanBody, TurnBody
from ink_tui.store import ending as ending_module
from ink_tui.store import reader as reader_module
from ink_tui.store.ending import read_ending
from ink_tui.store.files import UnreadableError
from ink_tui.store.library import Library
from ink_tui.store.reader import LONG_BYTES
from tests.counts import Counts, count_reads
from tests.sessions import HEADER, answer, line, read, results, session, user

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.verdict import Diagnosis


def long_lines(count: int, size: int) -> list[bytes]:
    return [
        user(f"m{at}", f"m{at - 1}" if at else None, f"{at} " + "x" * size, at)
        for at in range(count)
    ]


@pytest.fixture
def long_file(tmp_path: Path) -> Path:
    """A session of 1.6 MB in 400 records."""
    place = tmp_path / "sessions" / "home-u-demo"
    place.mkdir(parents=True)
    file = place / "long.jsonl"
    file.write_bytes(session(*long_lines(400, 4_000)))
    return file


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    return count_reads(monkeypatch)


def known(path: Path) -> Diagnosis:
    diagnosis, _state = read_ending(str(path))
    assert diagnosis is not None
    return diagnosis


# What is read


def test_the_end_that_fills_a_screen_is_read_and_no_more(long_file: Path, counts: Counts) -> None:
    diagnosis = known(long_file)
    assert diagnosis.leaf == "m399"
    assert 80 <= len(diagnosis.branch.entries) < 300
    assert counts.read_bytes < LONG_BYTES + (1 << 20)


def test_the_end_is_read_farther_until_it_holds_a_whole_record(long_file: Path) -> None:
    with long_file.open("ab") as out:
        out.write(user("last", "m399", "y" * 600_000))
    assert known(long_file).leaf == "last"


def test_a_last_line_longer_than_is_read_leaves_the_end_unknown(long_file: Path) -> None:
    with long_file.open("ab") as out:
        out.write(user("last", "m399", "y" * 5_000_000))
    assert read_ending(str(long_file))[0] is None


@pytest.mark.parametrize("header", [b"", b"no header\n", line(HEADER | {"version": 9})])
def test_without_a_header_that_ink_opens_nothing_is_said(tmp_path: Path, header: bytes) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(header + b"".join(long_lines(400, 4_000)))
    assert read_ending(str(file))[0] is None


def test_a_leaf_that_is_not_in_the_end_leaves_it_unknown(
    long_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ending_module, "LAST_BYTES", (100_000, 300_000))
    with long_file.open("ab") as out:
        out.write(line({"type": "position", "leafId": "m1"}))
    assert read_ending(str(long_file))[0] is None


def test_a_leaf_in_the_end_is_followed_back(long_file: Path) -> None:
    with long_file.open("ab") as out:
        out.write(user("aside", "m390", "another branch"))
        out.write(line({"type": "position", "leafId": "m395"}))
    diagnosis = known(long_file)
    assert diagnosis.leaf == "m395"
    assert "aside" not in diagnosis.session.nodes


def test_an_unreadable_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError):
        read_ending(str(tmp_path / "none.jsonl"))


# What is shown of it


def ending_of_lines(*lines: bytes, skip: int) -> Diagnosis:
    """Return the end of a session, without the first records."""
    head = session(*lines[:skip])
    found = ending_of(head, b"".join(lines[skip:]), len(head))
    assert found is not None
    diagnosis = diagnosed_ending(found)
    assert diagnosis is not None
    return diagnosis


CALLED = (
    user("u", None, "go"),
    answer("a", "u", calls=(("c1", "bash", {"command": "make"}), ("c2", "ls", {"path": "."}))),
    results("r", "a", ("c1", "bash", "made"), ("c2", "ls", "a.txt")),
    user("v", "r", "go on"),
    answer("b", "v", calls=(("c3", "bash", {"command": "make test"}),)),
)


def test_rows_and_blocks_stand_under_one_that_says_what_is_missing() -> None:
    diagnosis = ending_of_lines(*CALLED, skip=3)
    outline = ending_outline(diagnosis, running=False, writing=False)
    assert outline.rows[0].word == EARLIER_WORDS
    assert [row.entry_id for row in outline.rows[1:-1]] == ["v", "b"]
    assert outline.rows[-1].text == SO_FAR
    blocks = ending_transcript(diagnosis).blocks
    assert [block.entry_id for block in blocks[1:]] == ["v", "v", "b"]
    head = blocks[1].body
    assert isinstance(head, TurnBody)
    assert head.number == 0


def test_results_at_the_start_wait_for_their_calls() -> None:
    diagnosis = ending_of_lines(*CALLED, skip=2)
    outline = ending_outline(diagnosis, running=False, writing=False)
    assert [row.entry_id for row in outline.rows[1:-1]] == ["v", "b"]


def test_a_result_whose_call_is_not_read_is_shown_plainly() -> None:
    late = (*CALLED[:2], user("w", "a", "wait"), results("r", "w", ("c1", "bash", "made")))
    diagnosis = ending_of_lines(*late, skip=2)
    rows = [
        row
        for row in ending_outline(diagnosis, running=False, writing=False).rows
        if row.kind is RowKind.RESULT
    ]
    assert [(row.text, row.notes, row.problem) for row in rows] == [("made", ("result",), False)]
    orphans = [
        block for block in ending_transcript(diagnosis).blocks if isinstance(block.body, OrphanBody)
    ]
    assert [block.is_problem for block in orphans] == [False]


def test_an_open_call_is_shown_as_what_it_is() -> None:
    diagnosis = ending_of_lines(*CALLED, skip=3)
    for running, look in ((False, CallLook.OPEN), (True, CallLook.RUNNING)):
        rows = ending_outline(diagnosis, running=running, writing=running).rows
        assert [row.look for row in rows if row.call is not None] == [look]


@pytest.mark.parametrize("mode", FilterMode)
def test_what_is_missing_is_said_whatever_is_filtered(mode: FilterMode) -> None:
    assert [row.word for row in visible_rows(UNREAD_OUTLINE, (), mode)] == [EARLIER_WORDS]
    assert len(UNREAD_TRANSCRIPT.blocks) == 1


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(reader_module, "ADVANCE_BYTES", 100_000)
    return 100_000


# The library


def library(file: Path, **more: object) -> Library:
    return Library([str(file.parents[1])], clock=lambda: 1 << 50, **more)  # type: ignore[arg-type]


def test_the_end_of_a_session_known_from_the_list_has_its_row(long_file: Path) -> None:
    shelf = library(long_file)
    first = shelf.ending(str(long_file))
    assert first is not None
    assert first.row.records is None
    shelf.scan(quick=False)
    second = shelf.ending(str(long_file))
    assert second is not None
    assert second.row.records == 400
    with long_file.open("ab") as out:
        out.write(user("more", "m399", "more"))
    third = shelf.ending(str(long_file))
    assert third is not None
    assert third.row.records is None
    assert third.diagnosis is not None
    assert third.diagnosis.leaf == "more"


def test_a_short_session_and_one_that_is_read_have_no_end_of_their_own(
    long_file: Path, tmp_path: Path
) -> None:
    shelf = library(long_file)
    short = long_file.with_name("short.jsonl")
    short.write_bytes(session(*long_lines(3, 10)))
    assert shelf.ending(str(short)) is None
    shelf.open(str(long_file))
    assert shelf.ending(str(long_file)) is None
    with long_file.open("ab") as out:
        out.write(user("more", "m399", "more"))
    assert shelf.ending(str(long_file)) is None


def test_the_end_is_read_again_while_the_whole_is_being_read(
    long_file: Path, small_pieces: int
) -> None:
    shelf = library(long_file)
    leaves: list[str | None] = []

    def told(done: int, size: int) -> None:
        if done == size:
            with long_file.open("ab") as out:
                out.write(user("more", "m399", "more"))
            found = shelf.ending(str(long_file))
            assert found is not None
            assert found.diagnosis is not None
            leaves.append(found.diagnosis.leaf)

    shelf.open(str(long_file), told)
    assert leaves == ["more"]
    assert shelf.ending(str(long_file)) is None


def test_who_holds_a_session_is_asked_only_where_a_call_is_open(long_file: Path) -> None:
    asked: list[str] = []

    def holder_of(row: SessionRow) -> Holder:
        asked.append(row.path)
        return Holder(HolderKind.CERTAIN)

    shelf = library(long_file, holder_of=holder_of)
    shelf.ending(str(long_file))
    assert asked == []
    with long_file.open("ab") as out:
        out.write(answer("call", "m399", calls=(("c", "bash", {"command": "make"}),)))
    found = shelf.ending(str(long_file))
    assert found is not None
    assert found.row.holder.kind is HolderKind.CERTAIN
    assert asked == [str(long_file)]


class Stopped(Exception):
    """Another session was asked for."""


def test_a_session_is_read_in_pieces_with_progress(long_file: Path, small_pieces: int) -> None:
    told: list[tuple[int, int]] = []
    opened = library(long_file).open(str(long_file), lambda done, size: told.append((done, size)))
    size = long_file.stat().st_size
    assert told == [
        *((done, size) for done in range(small_pieces, size, small_pieces)),
        (size, size),
    ]
    assert opened.diagnosis == read(long_file.read_bytes())


def test_a_reading_that_is_ended_goes_on_from_there(
    long_file: Path, small_pieces: int, counts: Counts
) -> None:
    shelf = library(long_file)
    size = long_file.stat().st_size

    def stop(done: int, _size: int) -> None:
        if done > size // 2:
            raise Stopped

    with pytest.raises(Stopped):
        shelf.open(str(long_file), stop)
    taken = counts.read_bytes
    assert size // 2 < taken < size // 2 + 3 * small_pieces + 65_536 * (size // small_pieces)
    before = counts.decoded
    assert shelf.open(str(long_file)).diagnosis == read(long_file.read_bytes())
    assert counts.decoded - before < 401 + 401 // 2


def test_an_append_while_a_session_is_read_is_not_lost(long_file: Path, small_pieces: int) -> None:
    shelf = library(long_file)
    written: list[int] = []

    def told(done: int, size: int) -> None:
        if not written:
            with long_file.open("ab") as out:
                written.append(out.write(user("more", "m399", "more")))

    assert shelf.open(str(long_file), told).diagnosis == read(long_file.read_bytes())
    assert written


def test_a_file_that_is_replaced_while_it_is_read_is_read_anew(
    long_file: Path, small_pieces: int
) -> None:
    shelf = library(long_file)
    other = session(*long_lines(2, 10))
    replaced: list[int] = []

    def told(done: int, size: int) -> None:
        if not replaced:
            replaced.append(done)
            fresh = long_file.with_suffix(".new")
            fresh.write_bytes(other)
            fresh.rename(long_file)

    assert shelf.open(str(long_file), told).diagnosis == read(other)


def test_the_list_does_not_wait_for_a_session_that_is_being_read(
    long_file: Path, small_pieces: int
) -> None:
    shelf = library(long_file)
    shelf.scan()
    neighbour = long_file.with_name("other.jsonl")
    seen: list[set[str]] = []

    def told(done: int, size: int) -> None:
        if seen or done == size:
            return
        neighbour.write_bytes(session(*long_lines(2, 10)))
        with long_file.open("ab") as out:
            out.write(user("more", "m399", "more"))
        took = threading.Thread(
            target=lambda: seen.append(
                {
                    row.path
                    for row in shelf.refresh([str(neighbour), str(long_file)]).rows
                    if row.complete
                }
            )
        )
        took.start()
        took.join(20)

    assert shelf.open(str(long_file), told).diagnosis == read(long_file.read_bytes())
    assert seen == [{str(neighbour)}]
