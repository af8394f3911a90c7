"""A repair with a failing system and a late writer: old, or new with its copy."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import pytest

from ink_tui.errors import RefusedError, StoreError
from ink_tui.store import change
from ink_tui.store.atomic import create_file
from ink_tui.store.repair import (
    apply_repair,
    can_undo,
    last_backup,
)
from ink_tui.store.repair_plan import diagnosis_of, plan_repair
from tests.unit.case_files import case_bytes
from tests.unit.repair_files import GOOD, NOW, names_in, put

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    return folder


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    return tmp_path / "state"


def test_a_record_that_arrives_during_the_backup_is_never_cut(
    store: Path, state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Step 6 of the protocol: the file is looked at again right before it is changed."""
    path = put(store, case_bytes("01-tail-fragment"))
    plan = plan_repair(path, now_ms=NOW)
    late = b"the rest of the record\n"
    real = create_file

    def create_and_append(backup: Path, content: bytes) -> None:
        real(backup, content)
        with path.open("ab") as file:
            file.write(late)

    monkeypatch.setattr(change, "create_file", create_and_append)
    with pytest.raises(RefusedError) as refused:
        apply_repair(plan, state_dir=state_dir, now_ms=NOW)
    assert refused.value.kind == "changed-since"
    assert path.read_bytes() == case_bytes("01-tail-fragment") + late
    assert not can_undo(path, state_dir=state_dir)


_CALLS = ("open", "write", "fsync", "ftruncate", "fstat", "pread", "stat", "utime", "link", "mkdir")


class Faults:
    """Counts calls of some functions of `os` and lets one of them fail."""

    def __init__(self, patch: pytest.MonkeyPatch, fail_at: int, short: bool = False) -> None:
        self.calls = 0
        self.failed = ""
        self._fail_at = fail_at
        self._short = short
        for name in _CALLS:
            patch.setattr(os, name, self._wrapped(name, getattr(os, name)))

    def _wrapped(self, name: str, real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **more: object) -> object:
            self.calls += 1
            if self.calls == self._fail_at:
                self.failed = name
                if name == "write" and self._short:
                    whole = args[1]
                    assert isinstance(whole, bytes | memoryview)
                    real(args[0], whole[: len(whole) // 2])
                raise OSError(28, "No space left on device")
            return real(*args, **more)

        return call


@pytest.mark.parametrize("short", [False, True])
def test_a_failure_at_any_step_leaves_old_or_new_with_a_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short: bool
) -> None:
    data = case_bytes("48-torn-result")
    outcomes: dict[str, int] = {}
    step = 0
    while True:
        step += 1
        folder = tmp_path / f"step{step}"
        folder.mkdir()
        path = put(folder, data)
        state = folder / "state"
        plan = plan_repair(path, now_ms=NOW)
        new = data[: plan.keep] + plan.added
        failed: Exception | None = None
        with monkeypatch.context() as patch:
            faults = Faults(patch, step, short)
            try:
                apply_repair(plan, state_dir=state, now_ms=NOW)
            except (StoreError, RefusedError) as error:
                failed = error
        after = path.read_bytes()
        assert after in (data, new), (step, faults.failed, after[plan.keep :])
        backups = list((state / "backups").glob("*")) if (state / "backups").exists() else []
        if after == new:
            assert [hashlib.sha256(b.read_bytes()).digest() for b in backups] == [
                hashlib.sha256(data).digest()
            ]
        for backup in backups:
            assert backup.read_bytes() == data, "a partial backup was left"
        word = f"{faults.failed or 'none'}: {'new' if after == new else 'old'}"
        outcomes[word] = outcomes.get(word, 0) + 1
        if failed is not None:
            assert str(failed).endswith((".", ")"))
            assert "No space left" in str(failed) or isinstance(failed, RefusedError)
        if faults.calls < step:
            assert failed is None
            break
        # Whatever happened, the next try settles the rest.
        again = plan_repair(path, now_ms=NOW)
        if again.needed:
            apply_repair(again, state_dir=state, now_ms=NOW, confirmed=True)
        assert not diagnosis_of(path.read_bytes()).repair_needed
    print(f"failed steps: {step - 1}, {outcomes}")
    assert step > 40


def test_a_full_disk_that_stays_full_still_leaves_a_good_copy(
    store: Path, state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cut is done, then nothing can be added any more, the cut bytes included."""
    data = case_bytes("48-torn-result")
    path = put(store, data)
    plan = plan_repair(path, now_ms=NOW)
    inode = path.stat().st_ino
    real = os.write

    def write(descriptor: int, content: bytes) -> int:
        if os.fstat(descriptor).st_ino == inode:
            raise OSError(28, "No space left on device")
        return real(descriptor, content)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write)
        with pytest.raises(StoreError) as failed:
            apply_repair(plan, state_dir=state_dir, now_ms=NOW)
    assert path.read_bytes() == data[: plan.keep]
    (backup,) = (state_dir / "backups").iterdir()
    assert backup.read_bytes() == data
    assert "Its unfinished end was cut and nothing was added" in str(failed.value)
    assert str(backup) in str(failed.value)
    assert last_backup(path, state_dir=state_dir) == backup
    put(store, path.read_bytes())
    again = plan_repair(path, now_ms=NOW)
    assert again.needed
    apply_repair(again, state_dir=state_dir, now_ms=NOW)
    assert not diagnosis_of(path.read_bytes()).repair_needed


def test_the_control_cutting_before_the_backup_is_flagged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A repair that cuts first must be seen by the test above: it loses bytes without a copy."""
    data = case_bytes("01-tail-fragment")
    path = put(tmp_path, data)
    plan = plan_repair(path, now_ms=NOW)

    def cut_first(content: bytes, backup: Path) -> str:
        os.truncate(path, plan.keep)
        raise StoreError("no room for the copy.")

    monkeypatch.setattr(change, "_back_up", cut_first)
    with pytest.raises(StoreError):
        apply_repair(plan, state_dir=tmp_path / "state", now_ms=NOW)
    after = path.read_bytes()
    backups = list((tmp_path / "state").rglob("*.backup"))
    assert after != data
    assert not backups


def test_the_plan_reads_nothing_else(store: Path) -> None:
    put(store, GOOD)
    before = names_in(store)
    assert plan_repair(store / "session.jsonl", now_ms=NOW).allowed
    assert names_in(store) == before
