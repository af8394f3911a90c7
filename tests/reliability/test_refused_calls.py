"""R10 inside one process: each of six errors from each function of `os` that is called.

EINTR only comes from `close`: Python itself tries every other call again.
"""

from __future__ import annotations

import errno
import fcntl
import os
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.errors import StoreError
from tests.reliability.trials import Trial, trial_of
from tests.reliability.works import HOLDS, ROWS, WORKS, content_for

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row

_ERRORS = (errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EINTR)
_FUNCTIONS = (
    *("open", "close", "write", "pread", "fsync", "ftruncate", "fstat", "stat", "lstat"),
    *("utime", "mkdir", "unlink", "rename", "replace", "link", "scandir", "listdir"),
)
_LEAST = {
    "repair": 300,
    "undo": 300,
    "fork": 100,
    "salvage": 100,
    "annotate": 600,
    "in place": 300,
    "export": 300,
    "state": 100,
    "trash": 200,
}


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
            self.calls += self._number != errno.EINTR or name == "close"
            if name == "fsync" and args[0] == self._not_synced:
                self.synced_again = True
            if self.calls == self._fail_at and not self.failed:
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


def _refuse_one(row: Row, trial: Trial, patch: pytest.MonkeyPatch, step: int, number: int) -> bool:
    """Let one call fail; return whether there was one to fail."""
    said = ""
    with patch.context() as inside:
        refusing = _Refusing(inside, step, number)
        try:
            WORKS[trial.work](trial.path, trial.state)
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
    row.check(not said or number != errno.EINTR, words, "EINTR was visible:", said)
    row.check(not refusing.synced_again, words, "a failed fsync was tried again")
    trial.check(row, words, "failed" if said else "done")
    return True


def _refuse_all(row: Row, folder: Path, patch: pytest.MonkeyPatch, work: str, number: int) -> None:
    """Let each call of a work fail in one way."""
    step = 1
    while True:
        trial = trial_of(folder / f"{work}-{number}-{step}", work, content_for(work))
        went_on = _refuse_one(row, trial, patch, step, number)
        trial.close()
        if not went_on:
            return
        step += 1


@pytest.mark.parametrize("name", list(_LEAST))
def test_every_function_refused(
    ledger: Ledger, memory: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    what = f"{name} with {len(_ERRORS)} errors from every call: {HOLDS[name]}; no fsync tried again"
    with ledger.row(f"R10 {name} inside", what, least=_LEAST[name]) as row:
        for work in ROWS[name]:
            for number in _ERRORS:
                _refuse_all(row, memory, monkeypatch, work, number)
