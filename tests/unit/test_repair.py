"""Repair in place: plan, apply and undo on every case, and every refusal."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ink_tui.errors import RefusedError, StoreError
from ink_tui.formats.ink.constants import UNKNOWN_OUTCOME
from ink_tui.model.fork_points import fork_plan
from ink_tui.model.liveness import Freshness, Holder, HolderKind
from ink_tui.model.verdict import Verdict
from ink_tui.store import change, repair, repair_plan
from ink_tui.store.atomic import create_file
from ink_tui.store.fork import write_fork
from ink_tui.store.locks import session_lock
from ink_tui.store.repair import AddNewline, CloseCalls, CutTail, apply_repair, undo_last
from ink_tui.store.repair_plan import diagnosis_of, plan_repair
from tests.unit.case_files import case_bytes, sample_files

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = 1_772_453_040_000
OLD_NS = (NOW - 3_600_000) * 1_000_000


def put(folder: Path, data: bytes, *, age_ms: int = 3_600_000) -> Path:
    path = folder / "session.jsonl"
    path.write_bytes(data)
    stamp = (NOW - age_ms) * 1_000_000
    os.utime(path, ns=(stamp, stamp))
    return path


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    return folder


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    return tmp_path / "state"


def apply(path: Path, state_dir: Path, **more: object) -> repair.RepairOutcome:
    plan = plan_repair(path, now_ms=NOW)
    return apply_repair(plan, state_dir=state_dir, now_ms=NOW, **more)  # type: ignore[arg-type]


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


def _whole_json_tail(diagnosis: object) -> bool:
    tail = diagnosis.session.tail.state  # type: ignore[attr-defined]
    return tail in ("invalid-tail", "foreign-tail")


# --- what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("15-newer-version", "unsupported-version"),
        ("12-empty-file", "empty-file"),
        ("42-gap-in-middle", "gap-not-at-tail"),
        ("09-glued-records-inside", "invalid-json"),
        ("26-missing-parent", "missing-parent"),
        ("27-parent-cycle", "cycle"),
    ],
)
def test_damage_is_refused_with_its_kind(
    store: Path, state_dir: Path, name: str, kind: str
) -> None:
    data = case_bytes(name)
    path = put(store, data)
    plan = plan_repair(path, now_ms=NOW)
    assert (plan.allowed, plan.refusal_kind) == (False, kind)
    with pytest.raises(RefusedError) as refused:
        apply_repair(plan, state_dir=state_dir, now_ms=NOW)
    assert refused.value.kind == kind
    assert path.read_bytes() == data
    assert not state_dir.exists()


_GOOD = case_bytes("40-dangling-call")


@pytest.mark.parametrize(
    ("tail", "kind"),
    [
        (b'{"type":"checkpoint","id":"z1","parentId":"e3","timestamp":"x"}', "foreign-tail"),
        (b'{"type":"checkpoint","id":"z1","parentId":"e3","timestamp":"x"}\n', "foreign-tail"),
        (b'{"type":"message","id":"a5"}\n', "invalid-tail"),
        (b"42", "invalid-tail"),
        (b"[]\n\n", "invalid-tail"),
        (b'{"type":"message","id":"a5"}\0\0\0', "invalid-tail"),
        (
            b'{"type":"message","id":"a5","par{"type":"position","leafId":null}\n',
            "invalid-tail",
        ),
    ],
)
def test_whole_json_is_never_cut(store: Path, state_dir: Path, tail: bytes, kind: str) -> None:
    path = put(store, _GOOD + tail)
    plan = plan_repair(path, now_ms=NOW)
    assert (plan.allowed, plan.refusal_kind) == (False, kind)
    assert not plan.steps


def test_a_fifo_does_not_hang(store: Path) -> None:
    path = store / "session.jsonl"
    os.mkfifo(path)
    assert plan_repair(path, now_ms=NOW).refusal_kind == "not-regular"


def test_a_symlink_is_not_followed(store: Path, tmp_path: Path) -> None:
    real = put(tmp_path, _GOOD)
    path = store / "session.jsonl"
    path.symlink_to(real)
    assert plan_repair(path, now_ms=NOW).refusal_kind == "symlink"


def test_a_folder_is_refused(store: Path) -> None:
    path = store / "session.jsonl"
    path.mkdir()
    assert plan_repair(path, now_ms=NOW).refusal_kind == "not-regular"


def test_a_hard_link_is_refused(store: Path) -> None:
    path = put(store, _GOOD)
    os.link(path, store / "other.jsonl")
    plan = plan_repair(path, now_ms=NOW)
    assert plan.refusal_kind == "hard-link"
    assert "2 names" in plan.sentence


def test_a_file_that_is_gone_is_refused(store: Path) -> None:
    assert plan_repair(store / "session.jsonl", now_ms=NOW).refusal_kind == "vanished"


def test_a_foreign_owner_is_refused(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(store, _GOOD)
    me = os.geteuid()
    if me == 0:
        os.chown(path, 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert plan_repair(path, now_ms=NOW).refusal_kind == "foreign-owner"


_AS_NOBODY = """
import os, sys
from pathlib import Path
from ink_tui.errors import StoreError
from ink_tui.store.repair import plan_repair, apply_repair
path, state, now = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
plan = plan_repair(path, now_ms=now)
assert plan.allowed, plan
try:
    apply_repair(plan, state_dir=state, now_ms=now)
except StoreError as error:
    print(error)
else:
    raise SystemExit("repaired a read-only file")
"""


def test_a_read_only_file_gives_the_systems_reason(state_dir: Path) -> None:
    """In a child that has dropped the superuser's rights, if this run has them."""
    home = Path("/tmp") / f"ink-tui-test-{os.getpid()}"
    store = home / "store"
    store.mkdir(parents=True)
    try:
        path = put(store, case_bytes("01-tail-fragment"))
        data = path.read_bytes()
        if os.geteuid() == 0:
            os.chown(path, 65534, 65534)
            for folder in (home, store):
                folder.chmod(0o755)
        path.chmod(0o444)
        command = [sys.executable, "-c", _AS_NOBODY, str(path), str(home / "state"), str(NOW)]
        run = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
            cwd=Path(__file__).parents[2],
        )
        assert run.returncode == 0, run.stderr
        assert "Permission denied" in run.stdout
        assert "Fork the session instead" in run.stdout
        assert path.read_bytes() == data
        assert names_in(home) == ["store"]
    finally:
        shutil.rmtree(home)


# --- who else is there ------------------------------------------------------------------------


def test_a_file_that_is_being_written_is_refused(store: Path) -> None:
    path = put(store, _GOOD, age_ms=500)
    plan = plan_repair(path, now_ms=NOW)
    assert (plan.allowed, plan.refusal_kind) == (False, "writing")
    assert plan.freshness is Freshness.WRITING
    assert plan_repair(path, now_ms=NOW, own_pane_ended=True).allowed


def test_a_recent_file_asks_twice(store: Path, state_dir: Path) -> None:
    path = put(store, _GOOD, age_ms=10_000)
    plan = plan_repair(path, now_ms=NOW)
    assert plan.needs_confirmation
    with pytest.raises(RefusedError) as refused:
        apply_repair(plan, state_dir=state_dir, now_ms=NOW)
    assert refused.value.kind == "confirmation-needed"
    assert path.read_bytes() == _GOOD
    assert apply_repair(plan, state_dir=state_dir, now_ms=NOW, confirmed=True).closed == ("c1",)


def test_a_certain_holder_is_refused_at_plan_and_at_apply(store: Path, state_dir: Path) -> None:
    path = put(store, _GOOD)
    holder = Holder(HolderKind.CERTAIN, "ink, process 7", 7)
    assert plan_repair(path, now_ms=NOW, holder=holder).refusal_kind == "in-use"
    plan = plan_repair(path, now_ms=NOW)
    with pytest.raises(RefusedError) as refused:
        apply_repair(plan, state_dir=state_dir, now_ms=NOW, holder=holder, confirmed=True)
    assert refused.value.kind == "in-use"
    assert not state_dir.exists()


def test_a_possible_holder_asks_twice(store: Path, state_dir: Path) -> None:
    path = put(store, _GOOD)
    holder = Holder(HolderKind.POSSIBLE, "ink, process 7", 7)
    assert plan_repair(path, now_ms=NOW, holder=holder).needs_confirmation
    plan = plan_repair(path, now_ms=NOW)
    with pytest.raises(RefusedError) as refused:
        apply_repair(plan, state_dir=state_dir, now_ms=NOW, holder=holder)
    assert refused.value.kind == "confirmation-needed"


def test_our_own_lock_keeps_a_second_one_out(store: Path, state_dir: Path) -> None:
    path = put(store, _GOOD)
    plan = plan_repair(path, now_ms=NOW)
    with session_lock(state_dir, path, "repair"), pytest.raises(RefusedError) as refused:
        apply_repair(plan, state_dir=state_dir, now_ms=NOW)
    assert refused.value.kind == "in-use"
    assert "ink-tui (repair)" in str(refused.value)
    assert path.read_bytes() == _GOOD
    apply_repair(plan, state_dir=state_dir, now_ms=NOW)


def test_a_file_locked_by_another_program_is_refused(store: Path, state_dir: Path) -> None:
    import fcntl

    path = put(store, _GOOD)
    plan = plan_repair(path, now_ms=NOW)
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(RefusedError) as refused:
            apply_repair(plan, state_dir=state_dir, now_ms=NOW)
    assert refused.value.kind == "in-use"
    assert path.read_bytes() == _GOOD


@pytest.mark.parametrize("how", ["append", "touch", "replace", "same-size"])
def test_any_change_since_the_plan_stops_it(store: Path, state_dir: Path, how: str) -> None:
    path = put(store, _GOOD)
    plan = plan_repair(path, now_ms=NOW)
    if how == "append":
        with path.open("ab") as file:
            file.write(b"x")
    elif how == "replace":
        put(store.parent, _GOOD).replace(path)
    elif how == "same-size":
        path.write_bytes(_GOOD.replace(b"ferry", b"berry"))
    if how in ("append", "touch"):
        os.utime(path, ns=(OLD_NS + 1, OLD_NS + 1))
    elif how == "same-size":
        os.utime(path, ns=(OLD_NS, OLD_NS))
    content = path.read_bytes()
    with pytest.raises(RefusedError) as refused:
        apply_repair(plan, state_dir=state_dir, now_ms=NOW)
    assert refused.value.kind == "changed-since"
    assert path.read_bytes() == content
    assert not state_dir.exists()


def test_undo_is_refused_after_somebody_wrote(store: Path, state_dir: Path) -> None:
    path = put(store, _GOOD)
    outcome = apply(path, state_dir)
    with path.open("ab") as file:
        file.write(b'{"type":"position","leafId":"e1"}\n')
    content = path.read_bytes()
    with pytest.raises(RefusedError) as refused:
        undo_last(path, state_dir=state_dir, now_ms=NOW)
    assert refused.value.kind == "changed-since"
    assert str(outcome.backup) in str(refused.value)
    assert path.read_bytes() == content


def test_a_backup_can_become_a_session_of_its_own(store: Path, state_dir: Path) -> None:
    path = put(store, _GOOD)
    assert repair.last_backup(path, state_dir=state_dir) is None
    apply(path, state_dir)
    with path.open("ab") as file:
        file.write(b'{"type":"position","leafId":"e1"}\n')
    backup = repair.last_backup(path, state_dir=state_dir)
    assert backup is not None
    plan = fork_plan(diagnosis_of(backup.read_bytes()))
    outcome = write_fork(backup, plan, root=store, now_ms=NOW, folder=store)
    assert outcome.path.parent == store
    assert diagnosis_of(outcome.path.read_bytes()).verdict is Verdict.CLEAN
    assert backup.read_bytes() == _GOOD


def test_undo_is_refused_when_the_backup_is_not_what_it_was(store: Path, state_dir: Path) -> None:
    path = put(store, _GOOD)
    outcome = apply(path, state_dir)
    content = path.read_bytes()
    outcome.backup.write_bytes(b"something else")
    with pytest.raises(RefusedError) as refused:
        undo_last(path, state_dir=state_dir, now_ms=NOW)
    assert refused.value.kind == "backup-damaged"
    assert path.read_bytes() == content
    assert not repair.can_undo(path, state_dir=state_dir)


def test_two_repairs_are_undone_one_after_the_other(store: Path, state_dir: Path) -> None:
    path = put(store, case_bytes("01-tail-fragment"))
    first = path.read_bytes()
    apply(path, state_dir)
    torn = path.read_bytes() + b'{"type":'
    put(store, torn)
    apply(path, state_dir)
    assert repair.can_undo(path, state_dir=state_dir)
    undo_last(path, state_dir=state_dir, now_ms=NOW)
    assert path.read_bytes() == torn
    put(store, torn[: -len(b'{"type":')])
    undo_last(path, state_dir=state_dir, now_ms=NOW)
    assert path.read_bytes() == first


def test_a_damaged_journal_stops_nothing(store: Path, state_dir: Path) -> None:
    path = put(store, _GOOD)
    apply(path, state_dir)
    journal = state_dir / "journal.jsonl"
    lines = journal.read_bytes()
    journal.write_bytes(b"\xff\xfe{}\n[1]\n" + lines + b'{"what":')
    undo_last(path, state_dir=state_dir, now_ms=NOW)
    assert path.read_bytes() == _GOOD


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
    assert not repair.can_undo(path, state_dir=state_dir)


# --- faults at each step ------------------------------------------------------------------------


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
                    piece = bytes(args[1])  # type: ignore[call-overload]
                    real(args[0], piece[: len(piece) // 2])
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
    put(store, _GOOD)
    before = names_in(store)
    assert repair_plan.plan_repair(store / "session.jsonl", now_ms=NOW).allowed
    assert names_in(store) == before
