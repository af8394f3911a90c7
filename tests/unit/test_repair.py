"""Repair in place and its undo: what is written, on every case."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ink_tui.errors import RefusedError
from ink_tui.formats.ink.constants import UNKNOWN_OUTCOME
from ink_tui.model.faults import TailState
from ink_tui.model.fork_points import fork_plan
from ink_tui.model.verdict import Diagnosis, Verdict
from ink_tui.store.fork import write_fork
from ink_tui.store.repair import (
    AddNewline,
    CloseCalls,
    CutTail,
    apply_repair,
    can_undo,
    last_backup,
    undo_last,
)
from ink_tui.store.repair_plan import diagnosis_of, plan_repair
from tests.unit.case_files import case_bytes, sample_files
from tests.unit.repair_files import GOOD, NOW, OLD_NS, names_in, put, repair

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    return folder


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    return tmp_path / "state"


def test_a_torn_tail_is_cut_with_a_backup_and_undone(store: Path, state_dir: Path) -> None:
    data = case_bytes("01-tail-fragment")
    path = put(store, data)
    plan = plan_repair(path, now_ms=NOW)
    assert plan.allowed
    (cut,) = plan.steps
    assert isinstance(cut, CutTail)
    assert cut.offset + cut.count == len(data)
    assert cut.preview
    outcome = apply_repair(plan, state_dir=state_dir, now_ms=NOW)
    assert path.read_bytes() == data[: cut.offset]
    assert path.stat().st_mtime_ns == OLD_NS
    assert outcome.backup.read_bytes() == data
    assert stat.S_IMODE(outcome.backup.stat().st_mode) == 0o600
    assert stat.S_IMODE(outcome.backup.parent.stat().st_mode) == 0o700
    assert outcome.sentence == f"Repaired: {cut.count} bytes saved aside, u undoes it"
    assert names_in(store) == [path.name]
    assert not plan_repair(path, now_ms=NOW).needed
    undone = undo_last(path, state_dir=state_dir, now_ms=NOW)
    assert path.read_bytes() == data
    assert path.stat().st_mtime_ns == OLD_NS
    assert undone.added_bytes == cut.count
    with pytest.raises(RefusedError) as refused:
        undo_last(path, state_dir=state_dir, now_ms=NOW)
    assert refused.value.kind == "nothing-to-undo"


def test_a_missing_newline_is_one_byte(store: Path, state_dir: Path) -> None:
    data = case_bytes("02-tail-unterminated")
    path = put(store, data)
    plan = plan_repair(path, now_ms=NOW)
    assert [type(step) for step in plan.steps] == [AddNewline]
    apply_repair(plan, state_dir=state_dir, now_ms=NOW)
    assert path.read_bytes() == data + b"\n"
    undo_last(path, state_dir=state_dir, now_ms=NOW)
    assert path.read_bytes() == data


def test_the_tail_goes_first_then_the_calls_are_closed(store: Path, state_dir: Path) -> None:
    data = case_bytes("48-torn-result")
    path = put(store, data)
    plan = plan_repair(path, now_ms=NOW, new_id=lambda: "00000000000000aa")
    cut, close = plan.steps
    assert isinstance(cut, CutTail)
    assert isinstance(close, CloseCalls)
    assert close.offset == cut.offset
    outcome = apply_repair(plan, state_dir=state_dir, now_ms=NOW)
    assert path.read_bytes() == data[: cut.offset] + close.line
    diagnosis = diagnosis_of(path.read_bytes())
    assert diagnosis.verdict is Verdict.CLEAN
    assert diagnosis.leaf == "00000000000000aa"
    assert outcome.closed == ("c1",)
    assert UNKNOWN_OUTCOME.encode() in close.line
    assert b'"isError":true' in close.line
    undo_last(path, state_dir=state_dir, now_ms=NOW)
    assert path.read_bytes() == data


def test_partial_results_stay_and_only_the_rest_is_closed(store: Path, state_dir: Path) -> None:
    path = put(store, case_bytes("41-dangling-one-of-two"))
    (close,) = plan_repair(path, now_ms=NOW).steps
    assert isinstance(close, CloseCalls)
    assert close.call_ids == ("c2",)
    assert close.tools == ("bash",)
    assert b'"parentId":"e4"' in close.line


def test_every_case_is_repaired_or_refused_and_undone(tmp_path: Path, state_dir: Path) -> None:
    """The kept part never changes, the result is clean, and the undo gives the file back."""
    counts = {"clean": 0, "repaired": 0, "refused": 0}
    for path in sample_files(tmp_path / "cases"):
        data = path.read_bytes()
        os.utime(path, ns=(OLD_NS, OLD_NS))
        diagnosis = diagnosis_of(data)
        plan = plan_repair(path, now_ms=NOW)
        if not plan.allowed:
            counts["refused"] += 1
            expected = diagnosis.refusal or diagnosis.session.tail.state
            assert plan.refusal_kind in (expected, "hard-link", "permission-denied"), path
            with pytest.raises(RefusedError):
                apply_repair(plan, state_dir=state_dir, now_ms=NOW)
            assert path.read_bytes() == data
            continue
        assert plan.needed == diagnosis.repair_needed, path
        if not plan.needed:
            counts["clean"] += 1
            continue
        counts["repaired"] += 1
        confirmed = plan.needs_confirmation
        apply_repair(plan, state_dir=state_dir, now_ms=NOW, confirmed=confirmed)
        after = path.read_bytes()
        assert after[: plan.keep] == data[: plan.keep]
        assert not diagnosis_of(after).repair_needed
        undo_last(path, state_dir=state_dir, now_ms=NOW)
        assert path.read_bytes() == data
    print(f"cases: {counts}")
    assert counts["repaired"] >= 7
    assert counts["refused"] >= 10
    assert counts["clean"] >= 15


@given(data=st.data())
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_truncation_ever_costs_a_good_line(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole = case_bytes(data.draw(st.sampled_from(["40-dangling-call", "48-torn-result"])))
    cut = data.draw(st.integers(0, len(whole)))
    rubbish = data.draw(st.sampled_from([b"", b"\0" * 40, b'{"type":"mess', b"\n \n", b"\xe5\xb7"]))
    content = whole[:cut] + rubbish
    folder = tmp_path_factory.mktemp("cut")
    path = put(folder, content)
    before = diagnosis_of(content)
    plan = plan_repair(path, now_ms=NOW)
    if not plan.allowed or not plan.needed:
        assert path.read_bytes() == content
        assert plan.allowed != (before.refusal is not None or _whole_json_tail(before))
        return
    apply_repair(plan, state_dir=folder / "state", now_ms=NOW)
    after = path.read_bytes()
    good = [record.span for record in before.session.records]
    last_good = max((span.offset + span.length for span in good), default=0)
    assert after[:last_good] == content[:last_good]
    assert plan.keep >= last_good
    assert not diagnosis_of(after).repair_needed
    undo_last(path, state_dir=folder / "state", now_ms=NOW)
    assert path.read_bytes() == content


def _whole_json_tail(diagnosis: Diagnosis) -> bool:
    return diagnosis.session.tail.state in (TailState.INVALID_TAIL, TailState.FOREIGN_TAIL)


def test_undo_is_refused_after_somebody_wrote(store: Path, state_dir: Path) -> None:
    path = put(store, GOOD)
    outcome = repair(path, state_dir)
    with path.open("ab") as file:
        file.write(b'{"type":"position","leafId":"e1"}\n')
    content = path.read_bytes()
    with pytest.raises(RefusedError) as refused:
        undo_last(path, state_dir=state_dir, now_ms=NOW)
    assert refused.value.kind == "changed-since"
    assert str(outcome.backup) in str(refused.value)
    assert path.read_bytes() == content


def test_a_backup_can_become_a_session_of_its_own(store: Path, state_dir: Path) -> None:
    path = put(store, GOOD)
    assert last_backup(path, state_dir=state_dir) is None
    repair(path, state_dir)
    with path.open("ab") as file:
        file.write(b'{"type":"position","leafId":"e1"}\n')
    backup = last_backup(path, state_dir=state_dir)
    assert backup is not None
    plan = fork_plan(diagnosis_of(backup.read_bytes()))
    outcome = write_fork(backup, plan, root=store, now_ms=NOW, folder=store)
    assert outcome.path.parent == store
    assert diagnosis_of(outcome.path.read_bytes()).verdict is Verdict.CLEAN
    assert backup.read_bytes() == GOOD


def test_undo_is_refused_when_the_backup_is_not_what_it_was(store: Path, state_dir: Path) -> None:
    path = put(store, GOOD)
    outcome = repair(path, state_dir)
    content = path.read_bytes()
    outcome.backup.write_bytes(b"something else")
    with pytest.raises(RefusedError) as refused:
        undo_last(path, state_dir=state_dir, now_ms=NOW)
    assert refused.value.kind == "backup-damaged"
    assert path.read_bytes() == content
    assert not can_undo(path, state_dir=state_dir)


def test_two_repairs_are_undone_one_after_the_other(store: Path, state_dir: Path) -> None:
    path = put(store, case_bytes("01-tail-fragment"))
    first = path.read_bytes()
    repair(path, state_dir)
    torn = path.read_bytes() + b'{"type":'
    put(store, torn)
    repair(path, state_dir)
    assert can_undo(path, state_dir=state_dir)
    undo_last(path, state_dir=state_dir, now_ms=NOW)
    assert path.read_bytes() == torn
    put(store, torn[: -len(b'{"type":')])
    undo_last(path, state_dir=state_dir, now_ms=NOW)
    assert path.read_bytes() == first


def test_a_damaged_journal_stops_nothing(store: Path, state_dir: Path) -> None:
    path = put(store, GOOD)
    repair(path, state_dir)
    journal = state_dir / "journal.jsonl"
    lines = journal.read_bytes()
    journal.write_bytes(b"\xff\xfe{}\n[1]\n" + lines + b'{"what":')
    undo_last(path, state_dir=state_dir, now_ms=NOW)
    assert path.read_bytes() == GOOD
