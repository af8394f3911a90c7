"""R13 and R14: somebody appends during a repair, and two of us on one file."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.errors import StoreError
from ink_tui.store import change
from ink_tui.store.atomic import create_file
from ink_tui.store.journal import read_journal
from ink_tui.store.locks import session_lock
from ink_tui.store.repair import apply_repair, plan_repair
from tests.reliability.samples import plain
from tests.reliability.victim import MUTE, REFUSED, Victim
from tests.sessions import answer
from tests.unit.repair_files import NOW, put

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row

_CALLS = (("c1", "bash", {"command": "x"}),)
_OPEN = plain(2_000) + answer("z2", "last", calls=_CALLS)
_TORN = _OPEN + b'{"type":"message","id":"torn"'
_LATER = NOW + 10**12
"""So late that no file counts as being written: the repair must notice by itself."""

_LOSERS = {
    "in use by ink-tui (repair), process": "held",
    "changed since": "changed",
    "changed while it was read": "changed",
    "Nothing needs": "done",
    "cannot be opened": "gone",
}
"""Why the one who comes too late does nothing, by what it says."""

_APPENDER = """
import os, sys, time
for order in sys.stdin:
    path, name, pause = order.rstrip("\\n").split("\\t")
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    for number in range(25):
        text = '{"type":"position","leafId":null,"n":"%s-%d"}\\n' % (name, number)
        os.write(descriptor, text.encode())
        time.sleep(float(pause))
    os.close(descriptor)
    print("done", flush=True)
"""


def _runs(row: Row, folder: Path, runs: int) -> None:
    """Let a process append while repairs are tried again and again; no byte may be lost."""
    appender = subprocess.Popen(
        [sys.executable, "-c", _APPENDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert appender.stdin is not None
    assert appender.stdout is not None
    with ThreadPoolExecutor(1) as waiting:
        for run in range(runs):
            path = put(folder / "store", _TORN if run % 2 else _OPEN)
            before = path.read_bytes()
            pause = 0.001 if run % 3 else 0.004
            appender.stdin.write(f"{path}\t{run}\t{pause}\n")
            appender.stdin.flush()
            done = waiting.submit(appender.stdout.readline)
            while not done.done():
                _try(row, path, folder / "state")
            row.trial()
            after = path.read_bytes()
            kept = before[: before.rfind(b"\n") + 1]
            row.check(after.startswith(kept), run, "a whole record was lost")
            places = [after.find(b'"n":"%d-%d"}\n' % (run, number)) for number in range(25)]
            row.check(-1 not in places, run, "lost", places.count(-1))
            row.check(places == sorted(places), run, "out of order")
    appender.stdin.close()
    appender.wait(timeout=10)
    appender.stdout.close()


def _try(row: Row, path: Path, state: Path) -> None:
    plan = plan_repair(path, now_ms=_LATER)
    if not plan.allowed or not plan.needed:
        row.note("not planned")
        return
    try:
        apply_repair(plan, state_dir=state, now_ms=_LATER, confirmed=True)
        row.note("repaired")
    except StoreError:
        row.note("refused")


def test_an_appender_during_repairs(ledger: Ledger, tmp_path: Path) -> None:
    what = "a process appends 1,000 lines a second during repairs: no byte of it is lost"
    with ledger.row("R13", what, least=50) as row:
        _runs(row, tmp_path, 60)


@pytest.mark.long
def test_an_appender_during_many_repairs(ledger: Ledger, tmp_path: Path) -> None:
    what = "a process appends 1,000 lines a second during repairs: no byte of it is lost"
    with ledger.row("R13", what, least=1_000, part="long") as row:
        _runs(row, tmp_path, 1_000)


def late_records(row: Row, folder: Path, patch: pytest.MonkeyPatch, runs: int) -> None:
    """Let a record arrive while the copy is made: right before the last look at the file."""
    for run in range(runs):
        path = put(folder / "store", _TORN if run % 2 else _OPEN)
        plan = plan_repair(path, now_ms=NOW)
        late = b'the rest"}\n{"type":"position","leafId":null,"n":%d}\n' % run

        def create_and_append(backup: Path, content: bytes, path: Path = path) -> None:
            create_file(backup, content)
            with path.open("ab") as file:
                file.write(late)  # noqa: B023 - called in this round

        row.trial()
        with patch.context() as inside:
            inside.setattr(change, "create_file", create_and_append)
            try:
                apply_repair(plan, state_dir=folder / "state", now_ms=NOW)
            except StoreError:
                row.note("refused")
        row.check(path.read_bytes().endswith(late), run, "a record that came late was cut")


def test_a_record_during_the_copy(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    what = "a record that arrives while the copy is made is never cut"
    with ledger.row("R13 late", what, least=50) as row:
        late_records(row, tmp_path, monkeypatch, 50)


def _races(row: Row, folder: Path, runs: int) -> None:
    """Let two processes repair one file at the same moment."""
    one, two = Victim(folder), Victim(folder)
    with ThreadPoolExecutor(2) as both:
        for run in range(runs):
            row.trial()
            state = folder / f"state{run}"
            path = put(folder / f"store{run}", _TORN)
            answers = [both.submit(victim.order, "repair", path, state) for victim in (one, two)]
            ended = [answer.result(timeout=30) for answer in answers]
            said = " ".join(words for _status, words, _hit in ended)
            row.check(sorted(e[0] for e in ended) == [MUTE, REFUSED], run, ended)
            words = next((word for text, word in _LOSERS.items() if text in said), "WRONG")
            row.note(words)
            row.check(words != "WRONG", run, said)
            done = [line for line in read_journal(state) if line.what == "done"]
            row.check(len(done) == 1, run, "repairs in the journal:", len(done))
            row.check(not plan_repair(path, now_ms=NOW).needed, run, "not repaired")
    one.close()
    two.close()


def test_the_lock_on_the_file_ends_before_our_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the next one of us, to whom our own lock is free, takes us for another program."""
    path = put(tmp_path / "store", _TORN)
    held: list[bool] = []

    @contextmanager
    def looked_at(*arguments: Any) -> Iterator[None]:
        with session_lock(*arguments):
            yield
            with path.open("rb") as other:
                try:
                    fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    held.append(False)
                except BlockingIOError:
                    held.append(True)

    monkeypatch.setattr(change, "session_lock", looked_at)
    apply_repair(plan_repair(path, now_ms=NOW), state_dir=tmp_path / "state", now_ms=NOW)
    assert held == [False]


_TWO = "two processes repair one file at the same moment: exactly one does, one says why not"


def test_two_of_us(ledger: Ledger, memory: Path) -> None:
    with ledger.row("R14", _TWO, least=60) as row:
        _races(row, memory, 60)


@pytest.mark.long
def test_two_of_us_many_times(ledger: Ledger, memory: Path) -> None:
    with ledger.row("R14", _TWO, least=400, part="long") as row:
        _races(row, memory, 400)
