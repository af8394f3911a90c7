"""The search in a process of its own: the same events, broken off at once, no process left."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ink_tui.errors import StoreError
from ink_tui.model.query import parse
from ink_tui.model.query_sessions import Surroundings
from ink_tui.store.search.beside import SearchBeside
from ink_tui.store.search.engine import Search, SearchOptions
from ink_tui.store.search.patterns import Budget
from ink_tui.store.search.values import FoundIn, Progress, SearchEvent, SearchTarget
from ink_tui.store.search.worker import Request, frame_of
from tests.processes import ends
from tests.session_rows import ROWS
from tests.sessions import session, user

if TYPE_CHECKING:
    from collections.abc import Iterator

AROUND = Surroundings()
OPTIONS = SearchOptions()


@pytest.fixture
def beside() -> Iterator[SearchBeside]:
    made = SearchBeside()
    yield made
    made.close()
    assert made.pid is None


@pytest.fixture
def targets(tmp_path: Path) -> tuple[SearchTarget, ...]:
    found = []
    for number in range(30):
        path = tmp_path / f"{number:02d}.jsonl"
        path.write_bytes(session(*(user(f"u{n}", None, f"needle {n}, 修") for n in range(20))))
        found.append(SearchTarget(str(path), ROWS[number % len(ROWS)]))
    return (*found, SearchTarget(str(tmp_path / "gone \udcff.jsonl")))


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("query", ["needle", "NEEDLE", "修 -needle", "re:need.e", "needle is:live"])
def test_the_same_events(
    beside: SearchBeside, targets: tuple[SearchTarget, ...], query: str
) -> None:
    parsed = parse(query)
    here = list(Search(parsed, AROUND, options=OPTIONS).run(targets))
    assert list(beside.search(parsed, AROUND, targets, OPTIONS)) == here
    assert here


def test_one_process_for_all_searches(
    beside: SearchBeside, targets: tuple[SearchTarget, ...]
) -> None:
    beside.prepare()
    pid = beside.pid
    for word in ("needle", "nothing", "needle"):
        events = list(beside.search(parse(word), AROUND, targets, OPTIONS))
        assert any(isinstance(each, FoundIn) for each in events) is (word == "needle")
        few = list(beside.search(parse(word), AROUND, targets[:3], OPTIONS))
        assert few[-1] == Progress(3, 3)
    assert beside.pid == pid


def test_a_search_that_is_left_gives_nothing_to_the_next(
    beside: SearchBeside, targets: tuple[SearchTarget, ...]
) -> None:
    many = targets * 20
    wanted = list(Search(parse("19, 修"), AROUND, options=OPTIONS).run(targets))
    beside.prepare()
    pid = beside.pid
    for taken in (0, 1, 5):
        left = beside.search(parse("needle"), AROUND, many, OPTIONS)
        for _ in range(taken):
            next(left)
        left.close()
        assert list(beside.search(parse("19, 修"), AROUND, targets, OPTIONS)) == wanted
    assert beside.pid == pid


def test_nobody_waits_any_more(beside: SearchBeside, tmp_path: Path) -> None:
    """Not even for a pattern that would run for a minute."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(session(user("a1", None, "a" * 40 + "!")))
    options = SearchOptions(budget=Budget(60.0, 60.0))
    asked = threading.Event()

    def stop() -> bool:
        was = asked.is_set()
        asked.set()
        return was

    slow = (SearchTarget(str(path)),)
    assert list(beside.search(parse("re:(a+)+$"), AROUND, slow, options, stop=stop)) == []
    events = list(beside.search(parse("aaa"), AROUND, slow, options))
    assert [type(each) for each in events] == [FoundIn, Progress]


def test_a_process_that_ended_is_an_error_of_one_search(
    beside: SearchBeside, targets: tuple[SearchTarget, ...]
) -> None:
    running = beside.search(parse("needle"), AROUND, targets * 20, OPTIONS)
    next(running)
    pid = beside.pid
    assert pid is not None
    os.kill(pid, 9)
    with pytest.raises(StoreError, match="ended by itself"):
        list(running)
    assert not is_there(pid)
    assert list(beside.search(parse("needle"), AROUND, targets, OPTIONS))
    assert beside.pid not in (None, pid)


def test_closing_ends_a_search_in_another_thread(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(session(user("a1", None, "a" * 40 + "!")))
    beside = SearchBeside()
    beside.prepare()
    pid = beside.pid
    assert pid is not None
    found: list[SearchEvent | StoreError] = []
    options = SearchOptions(budget=Budget(60.0, 60.0))
    begun = threading.Event()

    def stop() -> bool:
        begun.set()
        return False

    def searching() -> None:
        slow = (SearchTarget(str(path)),)
        try:
            found.extend(beside.search(parse("re:(a+)+$"), AROUND, slow, options, stop=stop))
        except StoreError as error:
            found.append(error)

    thread = threading.Thread(target=searching)
    thread.start()
    children = Path(f"/proc/{pid}/task/{pid}/children")
    assert begun.wait(60)
    while not (running := children.read_text("utf-8").split()):
        assert thread.is_alive()
    beside.close()
    assert all(ends(int(child)) for child in running)
    thread.join(60)
    assert not thread.is_alive()
    assert [type(each) for each in found] == [StoreError]
    assert not is_there(pid)


def test_the_process_ends_with_its_input(targets: tuple[SearchTarget, ...]) -> None:
    beside = SearchBeside()
    beside.prepare()
    process = beside._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(timeout=60) == 0
    beside.close()


def test_values_are_small_on_their_way(targets: tuple[SearchTarget, ...]) -> None:
    """The same files are not sent again: a search by key costs what its query does."""
    request = Request(1, parse("needle"), AROUND, OPTIONS, None)
    assert (
        len(frame_of(request))
        < 2_000
        < len(frame_of(Request(1, parse("x"), AROUND, OPTIONS, targets)))
    )
