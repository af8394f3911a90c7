"""R12: every state that a power cut may leave on the disk, at any moment of each work."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ink_tui.store.repair_plan import diagnosis_of
from tests.reliability.power import recorded, states_after
from tests.reliability.trials import EndTrial, Trial, trial_of
from tests.reliability.works import HOLDS, ROWS, WORKS, content_for

if TYPE_CHECKING:
    from tests.reliability.ledger import Ledger, Row

_LEAST = {
    "repair": 400,
    "undo": 300,
    "fork": 100,
    "salvage": 100,
    "annotate": 400,
    "in place": 200,
    "export": 400,
    "state": 100,
}


def power_cuts(row: Row, folder: Path, patch: pytest.MonkeyPatch, work: str = "repair") -> None:
    """Try every state that a power cut may leave at every moment of a work."""
    trial = trial_of(folder / work.replace(" ", "-"), work, content_for(work))
    for place in (trial.state / "backups", trial.state / "locks"):
        place.mkdir(parents=True, exist_ok=True)
    calls, disk = recorded(trial.folder, patch, lambda: WORKS[trial.work](trial.path, trial.state))
    final = trial.path.read_bytes()
    for files, ended in states_after(calls, disk):
        row.trial()
        _lay_out(trial, files)
        if isinstance(trial, EndTrial):
            _judge_end(row, trial, final, ended=ended)
        else:
            trial.check(row, "a power cut", "done" if ended else "killed")
    row.note("calls", len(calls))
    trial.close()


def _lay_out(trial: Trial, files: dict[str, bytes]) -> None:
    """Put the files that a power cut left where they were."""
    for path in trial.folder.rglob("*"):
        if path.is_file() and str(path) not in files:
            path.unlink()
    for name, content in files.items():
        Path(name).write_bytes(content)


def _judge_end(row: Row, trial: EndTrial, final: bytes, *, ended: bool) -> None:
    """The session is as it was, or every byte of it is in a good copy that the journal names.

    Unlike after a kill, what was appended may be there in part.
    """
    content = trial.path.read_bytes()
    row.check(content.startswith(trial.kept), "a whole record is lost", len(content))
    row.check(not ended or content == final, "called done, and lost")
    if content == trial.old:
        row.note("old")
        return
    row.note("new" if content == final else "between")
    trial.check_copies(row, "a power cut")
    diagnosis = diagnosis_of(content)
    row.check(diagnosis.refusal is None, "cannot be repaired any more", diagnosis.refusal)


@pytest.mark.parametrize("name", list(_LEAST))
def test_power_cuts(
    ledger: Ledger, memory: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    what = f"every state a power cut may leave at any moment of {name}: {HOLDS[name]}"
    row_id = "R12" if name == "repair" else f"R12 {name}"
    with ledger.row(row_id, what, least=_LEAST[name]) as row:
        for work in ROWS[name]:
            power_cuts(row, memory, monkeypatch, work)
