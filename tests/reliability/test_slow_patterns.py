"""S6: patterns that never end. Killed at their budget, told, and nothing waits for them.

The budget is small here, so that many trials fit; the clock is real, since what must be shown is
that a process which no signal of its own can stop is really gone.
"""

from __future__ import annotations

import asyncio
import marshal
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ink_tui.model.query import PatternTerm, Query, format_query, parse
from ink_tui.model.query_sessions import Surroundings
from ink_tui.store.search import pattern_process
from ink_tui.store.search.engine import Search, SearchOptions
from ink_tui.store.search.patterns import Budget, PatternProcess, SlowPatternError
from ink_tui.store.search.values import FoundIn, SearchTarget, Trouble, TroubleKind
from tests.sessions import HEADER, line, session, user

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from tests.reliability.ledger import Ledger, Row

_A = "a" * 40
SLOW = {
    r"(a+)+$": _A + "!",
    r"(a*)*$": _A + "!",
    r"(a|a)+$": _A + "!",
    r"(a|aa)+$": _A + "!",
    r"(?:a|a?)+$": _A + "!",
    r"(.*a){20}$": _A + "!",
    r"(a?){40}a{40}$": "a" * 39 + "!",
    r"^(a+)+b": _A,
    r"^(([a-z])+.)+[A-Z]([a-z])+$": _A,
    r"(\w+\s?)*$": "word" * 10 + "!",
    r"(\w*)*!$": _A + "?",
    r"^(\d+)*$": "1" * 40 + "x",
    r"(\d+\d+)+$": "1" * 40 + "x",
    r"^(\s*\w+)*$": "word" * 10 + "!",
    r"(x+x+)+y": "x" * 40,
    r"(x*x*)*y": "x" * 40,
    r"^(?:.*?,)*$": "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25x",
    r"^(([a-zA-Z0-9])+\.?)*@": "abcdefghij" * 4,
    r"^([\w.-]+)+@x": _A,
    r"<(\w+\s*)*>": "<" + "a" * 40,
    r"(\"[^\"]*\"|[^\"]+)*$x": '"' + "a" * 40,
    r"^(-?\d+,?)*$": "1" * 40 + ";",
    r"((ab)*)*c": "ab" * 24,
    r"((a)*(b)*)*c": "ab" * 24,
    r"([a-c]+)*d": "abc" * 14,
    r"(?:(?:a+)+)+$": _A + "!",
    r"(a{1,20})+$": _A + "!",
    r"(a+?)+?$x": _A,
    r"(?=(a+)+$)b": _A + "!",
    r"(?<!x)(a+)+$": _A + "!",
    r"(修+)+$": "修" * 40 + "!",
    r"(é|é)+$": "é" * 40 + "!",
    r"(.+.+)+\n": _A,
    r"(\S+\S+)+ ": _A,
    r"^((\w|\d)+)*:": _A,
}
"""Patterns that take longer than anybody waits on the text beside them."""

_BUDGET = Budget(file=0.2, query=60.0)
_LEAST_PATTERNS = 30


class Started:
    """The processes that were started for patterns."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.processes: list[subprocess.Popen[bytes]] = []
        real = subprocess.Popen

        def started(*given: Any, **options: Any) -> subprocess.Popen[bytes]:
            process: subprocess.Popen[bytes] = real(*given, **options)
            self.processes.append(process)
            return process

        patch.setattr(subprocess, "Popen", started)

    def left(self) -> list[int]:
        """Which of them are still there, as the system sees it."""
        return [process.pid for process in self.processes if _is_there(process.pid)]


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_slow_patterns(ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    what = "patterns that never end: killed at the budget, told, the next file searched, none left"
    started = Started(monkeypatch)
    with ledger.row("S6", what, least=_LEAST_PATTERNS) as row:
        for number, (pattern, subject) in enumerate(SLOW.items()):
            row.trial()
            _one(row, tmp_path, number, pattern, subject)
            row.check(not started.left(), pattern, "left processes", started.left())
        row.note("processes", len(started.processes))


def _one(row: Row, folder: Path, number: int, pattern: str, subject: str) -> None:
    slow, quick = folder / f"{number}-slow.jsonl", folder / f"{number}-q.jsonl"
    slow.write_bytes(session(user("a1", None, subject)))
    # Nothing in this one is long enough for any of the patterns, its ids and folder included.
    quick.write_bytes(line({**HEADER, "id": "q", "cwd": "/"}) + user("a1", None, "the end"))
    query = parse(format_query(Query((PatternTerm(f"(?:{pattern})|the end"),))))
    row.check(query.problem is None, pattern, "is not taken")
    search = Search(query, Surroundings(), options=SearchOptions(budget=_BUDGET))
    events = list(search.run([SearchTarget(str(slow)), SearchTarget(str(quick))]))
    told = [(each.path, each.kind) for each in events if isinstance(each, Trouble)]
    row.check(told == [(str(slow), TroubleKind.SLOW_PATTERN)], pattern, "told", told)
    found = [each.path for each in events if isinstance(each, FoundIn)]
    row.check(found == [str(quick)], pattern, "found", found)


async def _ticks_beside(work: Callable[[], None]) -> int:
    """Return how often an event loop came to its turn while a thread worked."""
    ticks = 0
    begun, ended = threading.Event(), threading.Event()

    def working() -> None:
        begun.set()
        work()
        ended.set()

    thread = threading.Thread(target=working)
    thread.start()
    while not ended.is_set():
        await asyncio.sleep(0.002)
        ticks += begun.is_set() and not ended.is_set()
    thread.join()
    return ticks


async def test_the_loop_goes_on_beside_a_slow_pattern(ledger: Ledger) -> None:
    """At least one turn in each period of the budget; a pattern run here would allow none."""
    what = "an event loop beside a pattern that never ends comes to its turn in every 100 ms"
    chosen = list(SLOW.items())[:10]
    with ledger.row("S6 loop", what, least=10) as row:
        for pattern, subject in chosen:
            row.trial()
            ticks = await _ticks_beside(lambda p=pattern, s=subject: _killed(row, p, s))  # type: ignore[misc]
            row.note("turns", ticks)
            row.check(ticks >= 1, pattern, "held up the loop")


def _killed(row: Row, pattern: str, subject: str) -> None:
    process = PatternProcess((PatternTerm(pattern),), budget=_BUDGET)
    try:
        process.find([subject])
        row.check(False, pattern, "came to an end")
    except SlowPatternError:
        pass
    finally:
        process.close()


async def test_a_pattern_run_here_would_hold_up_the_loop(ledger: Ledger) -> None:
    """The control: the measure sees a pattern that runs in a thread of this process."""
    with ledger.row(
        "C pattern here", "control: a slow pattern in a thread, caught", least=1
    ) as row:
        row.trial()
        slow = re.compile(r"(a+)+$")
        ticks = await _ticks_beside(lambda: (slow.match("a" * 21 + "!"), None)[1])
        row.check(ticks <= 3, "the loop went on", ticks)


def test_the_time_of_a_query_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are left when it is over are told, and no process is started for them."""
    started = Started(monkeypatch)
    paths = [tmp_path / f"{number}.jsonl" for number in range(6)]
    for path in paths:
        path.write_bytes(session(user("a1", None, "a" * 40 + "!")))
    budget = Budget(file=0.1, query=0.25)
    search = Search(parse("re:(a+)+$"), Surroundings(), options=SearchOptions(budget=budget))
    events = list(search.run([SearchTarget(str(path)) for path in paths]))
    kinds = [each.kind for each in events if isinstance(each, Trouble)]
    slow = kinds.count(TroubleKind.SLOW_PATTERN)
    assert kinds == [TroubleKind.SLOW_PATTERN] * slow + [TroubleKind.NO_TIME_LEFT] * (6 - slow)
    assert 1 <= slow <= 3
    assert len(started.processes) == slow
    assert started.left() == []


def test_a_search_that_is_given_up_leaves_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = Started(monkeypatch)
    path = tmp_path / "a.jsonl"
    path.write_bytes(session(user("a1", None, "a" * 40 + "!")))
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 8

    options = SearchOptions(budget=Budget(file=60.0, query=60.0))
    search = Search(parse("re:(a+)+$"), Surroundings(), options=options, stop=stop)
    assert list(search.run([SearchTarget(str(path))])) == []
    assert len(started.processes) == 1
    assert started.left() == []
    running = Search(parse("re:a+"), Surroundings()).run([SearchTarget(str(path))])
    assert isinstance(next(running), FoundIn)
    assert len(started.left()) == 1
    running.close()
    assert started.left() == []


def test_the_process_ends_by_itself_when_nobody_is_left() -> None:
    """The system's own limit: a parent that was killed can end nobody."""
    program = [sys.executable, "-I", "-S", str(Path(pattern_process.__file__)), "1"]
    child = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with child:
        assert child.stdin is not None
        for value in ([("(a+)+$", True)], ["a" * 40 + "!"]):
            content = marshal.dumps(value)
            child.stdin.write(len(content).to_bytes(8, "little") + content)
        child.stdin.flush()
        child.wait(timeout=60)
    assert child.returncode == -signal.SIGXCPU or child.returncode == -signal.SIGKILL
