"""R9 to R12 for one record behind a session that is larger than its copy.

A name, a label and a position marker cut nothing, so of a session above 64 KiB only the end is
copied. What must hold is the same: the file is old, or new and the undo gives back every byte.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from ink_tui.errors import InkTuiError, StoreError
from ink_tui.model.verdict import Verdict
from ink_tui.store import atomic
from ink_tui.store.file_state import TAIL_BYTES
from ink_tui.store.journal import journal_path, read_journal
from ink_tui.store.repair import plan_undo, undo_last
from ink_tui.store.repair_plan import diagnosis_of
from tests.reliability.power import recorded, states_after
from tests.reliability.samples import plain
from tests.reliability.test_faults import victim
from tests.reliability.victim import MUTE, REFUSED, Victim
from tests.reliability.works import NAME, WORKS
from tests.unit.repair_files import NOW, put

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row

__all__ = ["victim"]  # the fixture is used here as well

_SIZE = 70_000
_ERRORS = ("EIO", "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EINTR")
_INTERRUPTIBLE = {"openat", "read", "pread64", "write", "fsync", "ftruncate", "flock", "close"}


class _Trial:
    """A session in a folder of its own that is named, or whose name is taken back."""

    def __init__(self, folder: Path, work: str) -> None:
        self.work = work
        self.folder = folder
        folder.mkdir()
        self.state = folder / "state"
        self.plain = plain(_SIZE)
        assert len(self.plain) > TAIL_BYTES
        self.path = put(folder / "store", self.plain)
        if work == "undo":
            WORKS["rename"](self.path, self.state)
        self.old = self.path.read_bytes()
        self.copies = set(self.state.glob("backups/*"))

    def stands(self) -> str:
        content = self.path.read_bytes()
        if content == self.old:
            return "old"
        if self.work == "undo":
            return "new" if content == self.plain else "WRONG"
        added = content[len(self.plain) :]
        one = added.count(b"\n") == 1 and added.endswith(b"\n") and NAME.encode() in added
        whole = content.startswith(self.plain) and one
        return "new" if whole and diagnosis_of(content).verdict is Verdict.CLEAN else "WRONG"

    def check(self, row: Row, words: object, *, done: bool = False) -> None:
        """The file is old or new; of what was cut or stood before it a good copy is there."""
        stands = self.stands()
        row.note(stands)
        row.check(stands != "WRONG", words, "a third state", self.path.stat().st_size)
        row.check(not done or stands == "new", words, "done, and not done")
        for line in read_journal(self.state):
            if line.what == "begin":
                right = hashlib.sha256(self.plain).hexdigest() == line.digest_before
                row.check(right, words, "the journal has the digest of something else")
        if stands == "new":
            made = set(self.state.glob("backups/*")) - self.copies
            wanted = self.old[len(self.plain) - TAIL_BYTES :]
            good = [item for item in made if item.read_bytes() == wanted]
            row.check(bool(good), words, "changed without a good copy")

    def check_next(self, row: Row, words: object) -> None:
        """What was written can be taken back, every byte, and written again."""
        for work in ("undo", "rename"):
            os.utime(self.path, ns=(0, 0))  # a kill leaves the time of the write
            try:
                if work == "rename" or self.path.read_bytes() != self.plain:
                    WORKS[work](self.path, self.state)
            except InkTuiError as error:
                row.check(False, words, work, "fails afterwards:", error)
            if work == "undo":
                row.check(self.path.read_bytes() == self.plain, words, "not as it was before")
        row.check(self.path.read_bytes() != self.plain, words, "not written again")

    def close(self) -> None:
        shutil.rmtree(self.folder)


def _every_call(row: Row, victim: Victim, folder: Path, work: str, faults: tuple[str, ...]) -> None:
    """Hit every call that undisturbed work makes, one a trial, with the faults in turn."""
    whole = _Trial(folder / "whole", work)
    counts = victim.calls(work, whole.path, whole.state)
    whole.close()
    places = [(call, step + 1) for call, count in counts.items() for step in range(count)]
    for number, (call, step) in enumerate(places):
        name = faults[number % len(faults)]
        if name == "EINTR" and call not in _INTERRUPTIBLE:
            name = "EIO"
        inject = f"signal={name}" if name == "SIGKILL" else f"error={name}"
        trial = _Trial(folder / f"{work}-{number}", work)
        status, said, hit = victim.order(
            work, trial.path, trial.state, inject=inject, when=step, calls=call
        )
        words = (work, name, call, step)
        row.trial()
        row.check(hit, words, "was not hit")
        trial.check(row, words, done=status == MUTE)
        if name != "SIGKILL":
            row.check(status in (MUTE, REFUSED), words, status, said)
            row.check(status == MUTE or said.rstrip(")").endswith("."), words, said)
        if number % 4 == 0 or name == "SIGKILL":
            trial.check_next(row, words)
        trial.close()


@pytest.mark.parametrize("work", ["rename", "undo"])
def test_killed_at_every_call(ledger: Ledger, victim: Victim, memory: Path, work: str) -> None:
    what = f"{work} above 64 KiB killed at every call: old, or new with a good copy of the end"
    with ledger.row(f"R9 {work} large", what, least=115) as row:
        _every_call(row, victim, memory, work, ("SIGKILL",))


@pytest.mark.parametrize("work", ["rename", "undo"])
def test_every_call_refused(ledger: Ledger, victim: Victim, memory: Path, work: str) -> None:
    what = f"{work} above 64 KiB with an error at every call: the same, and a sentence"
    with ledger.row(f"R10 {work} large", what, least=115) as row:
        _every_call(row, victim, memory, work, _ERRORS)


def test_a_full_disk_while_the_end_is_copied(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk takes so many bytes of the copy and no more: nothing is done."""
    what = "the disk full after any byte of the copy of an end: no part is taken for a copy"
    path, state = put(tmp_path / "store", plain(_SIZE)), tmp_path / "state"
    before = path.read_bytes()
    real = atomic.write_whole
    with ledger.row("R11 end", what, least=300) as row:
        for room in (*range(64), *range(64, TAIL_BYTES, 271), TAIL_BYTES - 1):

            def full(descriptor: int, content: bytes, room: int = room) -> None:
                real(descriptor, content[:room])
                raise OSError(28, "No space left on device")

            row.trial()
            with monkeypatch.context() as patch:
                patch.setattr(atomic, "write_whole", full)
                try:
                    WORKS["rename"](path, state)
                    row.check(False, room, "was named")
                except StoreError as error:
                    row.check(str(error).endswith("."), room, error)
            row.check(path.read_bytes() == before, room, "was changed")
            left = [item.name for item in state.rglob("*.backup")]
            row.check(not left, room, "a part of a copy is left", left)
            row.check(not read_journal(state), room, "the journal names it")


@pytest.mark.parametrize("work", ["rename", "undo"])
def test_power_cuts(
    ledger: Ledger, memory: Path, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    """Unlike after a kill, what was appended may be there in part, or as zero bytes."""
    what = f"every state a power cut may leave at any moment of {work} above 64 KiB: the same"
    with ledger.row(f"R12 {work} large", what, least=300) as row:
        trial = _Trial(memory / work, work)
        for place in (trial.state / "backups", trial.state / "locks"):
            place.mkdir(parents=True, exist_ok=True)
        calls, disk = recorded(
            trial.folder, monkeypatch, lambda: WORKS[work](trial.path, trial.state)
        )
        final = trial.path.read_bytes()
        whole = hashlib.sha256(trial.plain).hexdigest()
        for files, ended in states_after(calls, disk):
            row.trial()
            content = files[str(trial.path)]
            row.check(content.startswith(trial.plain), "a byte before the record is lost")
            row.check(not ended or content == final, "called done, and lost")
            row.check(diagnosis_of(content).refusal is None, "cannot be repaired any more")
            if content == trial.old:
                row.note("old")
                continue
            row.note("new" if content == final else "between")
            journal_path(trial.state).write_bytes(files.get(str(journal_path(trial.state)), b""))
            begun = [line for line in read_journal(trial.state) if line.what == "begin"]
            row.check(bool(begun), "changed, and the journal does not know")
            for line in begun:
                copy = hashlib.sha256(files.get(line.backup, b"")).hexdigest()
                row.check(copy == line.backup_digest, "the journal names a copy that is not good")
                row.check(line.digest_before == whole, "the digest of something else")


def test_a_copy_that_is_damaged_later_gives_no_other_file(ledger: Ledger, tmp_path: Path) -> None:
    """The copy of an end is not needed for the undo, but one that is not good is told of."""
    what = "the copy of an end cut or flipped at any place: the undo is refused, nothing changed"
    path, state = put(tmp_path / "store", plain(_SIZE)), tmp_path / "state"
    WORKS["rename"](path, state)
    named = path.read_bytes()
    (copy,) = state.glob("backups/*")
    good = copy.read_bytes()
    with ledger.row("R18 copies of ends", what, least=200) as row:
        for place in range(0, len(good), 641):
            flipped = bytearray(good)
            flipped[place] ^= 1
            for damaged in (good[:place], bytes(flipped)):
                row.trial()
                copy.write_bytes(damaged)
                for ask in (
                    lambda: plan_undo(path, state_dir=state),
                    lambda: undo_last(path, state_dir=state, now_ms=NOW),
                ):
                    try:
                        ask()
                        row.check(False, place, "taken for good")
                    except InkTuiError as error:
                        row.check("is not what it was" in str(error), place, error)
                row.check(path.read_bytes() == named, place, "was changed")
        copy.write_bytes(good)
        undo_last(path, state_dir=state, now_ms=NOW)
        row.check(path.read_bytes() == plain(_SIZE), "the good one is not taken")
