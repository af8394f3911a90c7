"""R9, R10 and R11: killed at any system call, refused any system call, and disks that fill up."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.verdict import Verdict
from ink_tui.store.journal import read_journal
from ink_tui.store.repair import apply_repair, plan_repair
from ink_tui.store.repair_plan import diagnosis_of
from tests.e2e.tracing import TracingError, strace_works
from tests.reliability.samples import plain
from tests.reliability.victim import MUTE, REFUSED, Victim
from tests.sessions import answer, user
from tests.unit.repair_files import NOW, put, repair

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row

_ERRORS = ("EIO", "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EINTR")
_INTERRUPTIBLE = {"openat", "read", "pread64", "write", "fsync", "ftruncate", "flock", "close"}
"""Calls that the kernel may break off (EINTR)."""
_CALL = (("c1", "bash", {"command": "x"}),)
_LEAST = {"repair": 140, "undo": 130, "fork": 28}
"""System calls on files that each work makes at least."""
TORN = b'{"type":"message","id":"torn","parentId":"z2","timestamp":"2026-03'


def torn(size: int = 2_000) -> bytes:
    """A session that needs both steps of a repair: an open call behind a record, and a torn end."""
    return plain(size) + user("z1", "last", "go") + answer("z2", "z1", calls=_CALL) + TORN


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Victim]:
    if not strace_works():
        if os.environ.get("CI") == "true":
            raise TracingError("strace is missing or may not trace here; in CI it is required")
        pytest.skip("strace is missing: install it (apt install strace)")
    process = Victim(tmp_path)
    yield process
    process.close()


class Trial:
    """One session that is worked on, with what its file may hold afterwards."""

    def __init__(self, folder: Path, work: str, content: bytes) -> None:
        self.work = work
        self.folder = folder
        self.state = folder / "state"
        folder.mkdir()
        self.path = put(folder / "store", content)
        if work == "undo":
            repair(self.path, self.state)
        self.old = self.path.read_bytes()
        self.copies = sorted(self.state.glob("backups/*"))
        keep = content.rfind(b"\n") + 1
        self.kept = content[:keep]
        self.torn = content

    def stands(self, content: bytes) -> str:
        """Name the state of the file: `old`, `new`, `between` or `WRONG`."""
        if content == self.old:
            return "old"
        if self.work == "fork":
            return "WRONG"
        if self.work == "undo":
            states = {self.torn: "new", self.kept: "between"}
            return states.get(content, "WRONG")
        if content == self.kept:
            return "between"
        closed = content.startswith(self.kept) and not diagnosis_of(content).repair_needed
        return "new" if closed else "WRONG"

    def check(self, row: Row, words: object, *, failed: bool = False) -> None:
        """Hold file, copies and journal against the promise.

        Args:
            row: Where violations are counted.
            words: What happened, for the messages.
            failed: The work ended in an error; a fork has then published nothing.
        """
        stands = self.stands(self.path.read_bytes())
        row.note(stands)
        row.check(stands != "WRONG", self.work, words, self.path.read_bytes()[-80:])
        lines = read_journal(self.state)
        changes = [line for line in lines if line.what == "begin" or self.work == "undo"]
        for line in changes:
            good = os.path.exists(line.backup)  # noqa: PTH110 - a text from the journal
            row.check(good, self.work, words, "the journal names a copy that is not there")
        if stands in ("new", "between") and self.work != "fork":
            made = [item for item in self.state.glob("backups/*") if item not in self.copies]
            whole = [item for item in made if item.read_bytes() == self.old]
            row.check(bool(whole), self.work, words, "changed without a good copy")
        self._check_store(row, words, failed=failed)

    def _check_store(self, row: Row, words: object, *, failed: bool) -> None:
        for item in (self.folder / "store").iterdir():
            if item == self.path:
                continue
            if self.work != "fork" or item.suffix == ".jsonl":
                sound = diagnosis_of(item.read_bytes()).verdict is Verdict.CLEAN
                row.check(self.work == "fork" and sound, words, "left in the store", item.name)
                row.check(item.stat().st_nlink == 1, words, "a copy with two names")
                row.check(not failed, words, "published, and called failed")
                row.note("published")

    def check_next(self, row: Row, victim: Victim, words: object) -> None:
        """Whatever happened, the next try brings it to an end and clears up."""
        if self.work == "fork":
            status, said, _hit = victim.order("fork", self.path, self.state)
            row.check(status == MUTE, words, "the next fork fails:", said)
            left = [item.name for item in self.path.parent.iterdir() if item.suffix != ".jsonl"]
            row.check(not left, words, "left behind", left)
            return
        os.utime(self.path, ns=(0, 0))
        plan = plan_repair(self.path, now_ms=NOW)
        row.check(plan.allowed, words, "the next repair is refused:", plan.sentence)
        if plan.allowed and plan.needed:
            apply_repair(plan, state_dir=self.state, now_ms=NOW)
        row.check(self.path.read_bytes().startswith(self.kept), words, "records were lost")
        row.check(not diagnosis_of(self.path.read_bytes()).repair_needed, words, "not repaired")

    def close(self) -> None:
        shutil.rmtree(self.folder)


def _every_call(
    row: Row, victim: Victim, folder: Path, work: str, content: bytes, faults: tuple[str, ...]
) -> None:
    """Hit every call that undisturbed work makes, one a trial, with the faults in turn."""
    whole = Trial(folder / "whole", work, content)
    counts = victim.calls(work, whole.path, whole.state)
    whole.close()
    places = [(call, step + 1) for call, count in counts.items() for step in range(count)]
    for number, (call, step) in enumerate(places):
        name = faults[number % len(faults)]
        if name == "EINTR" and call not in _INTERRUPTIBLE:
            name = "EIO"
        inject = f"signal={name}" if name == "SIGKILL" else f"error={name}"
        trial = Trial(folder / f"{work}-{name}-{number}", work, content)
        status, said, hit = victim.order(
            work, trial.path, trial.state, inject=inject, when=step, calls=call
        )
        words = (name, call, step, victim.last_call()[:120])
        row.trial()
        row.check(hit, words, "was not hit")
        trial.check(row, words, failed=status == REFUSED)
        if name != "SIGKILL":
            row.check(status in (MUTE, REFUSED), words, status, said)
            sentence = status == MUTE or said.rstrip(")").endswith(".")
            row.check(sentence, words, "not a sentence:", said)
            row.check(status == MUTE or name != "EINTR", words, "EINTR was visible:", said)
        if number % 4 == 0 or name == "SIGKILL":
            trial.check_next(row, victim, words)
        trial.close()


@pytest.mark.parametrize("work", list(_LEAST))
def test_killed_at_every_call(ledger: Ledger, victim: Victim, tmp_path: Path, work: str) -> None:
    what = f"{work} killed at every file system call: old, or new with a good copy"
    with ledger.row(f"R9 {work}", what, least=_LEAST[work]) as row:
        _every_call(row, victim, tmp_path, work, torn(), ("SIGKILL",))


@pytest.mark.long
@pytest.mark.parametrize("work", list(_LEAST))
def test_killed_at_every_call_of_larger_files(
    ledger: Ledger, victim: Victim, tmp_path: Path, work: str
) -> None:
    what = f"{work} of 8 KB, 70 KB and 1 MB killed at every call: old, or new with a good copy"
    with ledger.row(f"R9 {work}", what, least=3 * _LEAST[work], part="long") as row:
        for size in (8_192, 70_000, 1_000_000):
            _every_call(row, victim, tmp_path, work, torn(size), ("SIGKILL",))


@pytest.mark.parametrize("work", list(_LEAST))
def test_every_call_refused(ledger: Ledger, victim: Victim, tmp_path: Path, work: str) -> None:
    what = f"{work} with an error at every system call: old, or new with a good copy, a sentence"
    with ledger.row(f"R10 {work}", what, least=_LEAST[work]) as row:
        _every_call(row, victim, tmp_path, work, torn(), _ERRORS)


@pytest.mark.long
@pytest.mark.parametrize("work", list(_LEAST))
def test_every_call_refused_in_every_way(
    ledger: Ledger, victim: Victim, tmp_path: Path, work: str
) -> None:
    what = f"{work} with {len(_ERRORS)} errors at every system call: the same"
    with ledger.row(f"R10 {work}", what, least=5 * _LEAST[work], part="long") as row:
        for error in _ERRORS:
            _every_call(row, victim, tmp_path, work, torn(), (error,))
