"""R10 inside one process: each of five errors from each function of `os` that is called."""

from __future__ import annotations

import errno
import fcntl
import os
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.errors import StoreError
from ink_tui.model.fork_points import fork_plan
from ink_tui.store.fork import write_fork
from ink_tui.store.repair import apply_repair, plan_repair, undo_last
from ink_tui.store.repair_plan import read_diagnosis
from tests.reliability.test_faults import Trial, torn
from tests.unit.repair_files import NOW

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row

_ERRORS = (errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES)
_FUNCTIONS = (
    *("open", "close", "write", "pread", "fsync", "ftruncate", "fstat", "stat", "lstat"),
    *("utime", "mkdir", "unlink", "rename", "scandir"),
)
_LEAST = {"repair": 300, "undo": 300, "fork": 75}


class _Refusing:
    """Counts calls, lets one of them fail, and watches that a failed fsync is not tried again."""

    def __init__(self, patch: pytest.MonkeyPatch, fail_at: int, number: int) -> None:
        self.calls = 0
        self.failed = ""
        self.synced_again = False
        self._fail_at = fail_at
        self._number = number
        self._not_synced: int | None = None
        for name in _FUNCTIONS:
            patch.setattr(os, name, self._wrapped(name, getattr(os, name)))
        patch.setattr(fcntl, "flock", self._wrapped("flock", fcntl.flock))

    def _wrapped(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            self.calls += 1
            if name == "fsync" and args[0] == self._not_synced:
                self.synced_again = True
            if self.calls == self._fail_at:
                self.failed = name
                if name == "fsync":
                    self._not_synced = args[0]
                if name == "close":  # a close that fails has closed all the same
                    real(*args, **more)
                raise OSError(self._number, os.strerror(self._number))
            if name in ("open", "close"):
                self._not_synced = None  # the number may mean another file from now on
            return real(*args, **more)

        return call


def _work(trial: Trial) -> None:
    if trial.work == "undo":
        undo_last(trial.path, state_dir=trial.state, now_ms=NOW)
    elif trial.work == "fork":
        plan = fork_plan(read_diagnosis(trial.path)[0])
        write_fork(trial.path, plan, root=trial.path.parent.parent, now_ms=NOW)
    else:
        apply_repair(plan_repair(trial.path, now_ms=NOW), state_dir=trial.state, now_ms=NOW)


def _refuse_one(row: Row, trial: Trial, patch: pytest.MonkeyPatch, step: int, number: int) -> bool:
    """Let one call fail; return whether there was one to fail."""
    said = ""
    with patch.context() as inside:
        refusing = _Refusing(inside, step, number)
        try:
            _work(trial)
        except StoreError as error:
            said = str(error)
        except Exception as error:  # noqa: BLE001 - the violation that is looked for
            said = "."
            row.check(False, trial.work, refusing.failed, repr(error))
    if not refusing.failed:
        row.check(not said, trial.work, "fails unhurt:", said)
        return False
    row.trial()
    words = (trial.work, refusing.failed, errno.errorcode[number], step)
    row.check(not said or said.rstrip(")").endswith("."), words, "not a sentence:", said)
    row.check(not refusing.synced_again, words, "a failed fsync was tried again")
    trial.check(row, words, failed=bool(said))
    return True


@pytest.mark.parametrize("work", list(_LEAST))
def test_every_function_refused(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    what = f"{work} with {len(_ERRORS)} errors from every call: the same; no fsync tried again"
    with ledger.row(f"R10 {work} inside", what, least=_LEAST[work]) as row:
        for number in _ERRORS:
            step = 1
            while True:
                trial = Trial(tmp_path / f"{number}-{step}", work, torn())
                went_on = _refuse_one(row, trial, monkeypatch, step, number)
                trial.close()
                if not went_on:
                    break
                step += 1
