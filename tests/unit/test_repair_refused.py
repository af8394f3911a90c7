"""What a repair refuses, and that nothing is created or changed then."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ink_tui.errors import RefusedError
from ink_tui.model.liveness import Freshness, Holder, HolderKind
from ink_tui.store.locks import session_lock
from ink_tui.store.repair import (
    apply_repair,
)
from ink_tui.store.repair_plan import plan_repair
from tests.unit.case_files import case_bytes
from tests.unit.repair_files import GOOD, NOW, OLD_NS, names_in, put


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    return folder


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    return tmp_path / "state"


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
    path = put(store, GOOD + tail)
    plan = plan_repair(path, now_ms=NOW)
    assert (plan.allowed, plan.refusal_kind) == (False, kind)
    # Several records on one line are of kinds that are known.
    assert ("of a kind we do not know" in plan.sentence) == (kind == "foreign-tail")
    assert not plan.steps


def test_a_fifo_does_not_hang(store: Path) -> None:
    path = store / "session.jsonl"
    os.mkfifo(path)
    assert plan_repair(path, now_ms=NOW).refusal_kind == "not-regular"


def test_a_symlink_is_not_followed(store: Path, tmp_path: Path) -> None:
    real = put(tmp_path, GOOD)
    path = store / "session.jsonl"
    path.symlink_to(real)
    assert plan_repair(path, now_ms=NOW).refusal_kind == "symlink"


def test_a_folder_is_refused(store: Path) -> None:
    path = store / "session.jsonl"
    path.mkdir()
    assert plan_repair(path, now_ms=NOW).refusal_kind == "not-regular"


def test_a_hard_link_is_refused(store: Path) -> None:
    path = put(store, GOOD)
    os.link(path, store / "other.jsonl")
    plan = plan_repair(path, now_ms=NOW)
    assert plan.refusal_kind == "hard-link"
    assert "2 names" in plan.sentence


def test_a_file_that_is_gone_is_refused(store: Path) -> None:
    assert plan_repair(store / "session.jsonl", now_ms=NOW).refusal_kind == "vanished"


def test_a_foreign_owner_is_refused(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(store, GOOD)
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
    path = put(store, GOOD, age_ms=500)
    plan = plan_repair(path, now_ms=NOW)
    assert (plan.allowed, plan.refusal_kind) == (False, "writing")
    assert plan.freshness is Freshness.WRITING
    assert plan_repair(path, now_ms=NOW, own_pane_ended=True).allowed


def test_a_recent_file_asks_twice(store: Path, state_dir: Path) -> None:
    path = put(store, GOOD, age_ms=10_000)
    plan = plan_repair(path, now_ms=NOW)
    assert plan.needs_confirmation
    with pytest.raises(RefusedError) as refused:
        apply_repair(plan, state_dir=state_dir, now_ms=NOW)
    assert refused.value.kind == "confirmation-needed"
    assert path.read_bytes() == GOOD
    assert apply_repair(plan, state_dir=state_dir, now_ms=NOW, confirmed=True).closed == ("c1",)


def test_a_certain_holder_is_refused_at_plan_and_at_apply(store: Path, state_dir: Path) -> None:
    path = put(store, GOOD)
    holder = Holder(HolderKind.CERTAIN, "ink, process 7", 7)
    assert plan_repair(path, now_ms=NOW, holder=holder).refusal_kind == "in-use"
    plan = plan_repair(path, now_ms=NOW)
    with pytest.raises(RefusedError) as refused:
        apply_repair(plan, state_dir=state_dir, now_ms=NOW, holder=holder, confirmed=True)
    assert refused.value.kind == "in-use"
    assert not state_dir.exists()


def test_a_possible_holder_asks_twice(store: Path, state_dir: Path) -> None:
    path = put(store, GOOD)
    holder = Holder(HolderKind.POSSIBLE, "ink, process 7", 7)
    assert plan_repair(path, now_ms=NOW, holder=holder).needs_confirmation
    plan = plan_repair(path, now_ms=NOW)
    with pytest.raises(RefusedError) as refused:
        apply_repair(plan, state_dir=state_dir, now_ms=NOW, holder=holder)
    assert refused.value.kind == "confirmation-needed"


def test_our_own_lock_keeps_a_second_one_out(store: Path, state_dir: Path) -> None:
    path = put(store, GOOD)
    plan = plan_repair(path, now_ms=NOW)
    with session_lock(state_dir, path, "repair"), pytest.raises(RefusedError) as refused:
        apply_repair(plan, state_dir=state_dir, now_ms=NOW)
    assert refused.value.kind == "in-use"
    assert "ink-tui (repair)" in str(refused.value)
    assert path.read_bytes() == GOOD
    apply_repair(plan, state_dir=state_dir, now_ms=NOW)


def test_a_file_locked_by_another_program_is_refused(store: Path, state_dir: Path) -> None:
    import fcntl

    path = put(store, GOOD)
    plan = plan_repair(path, now_ms=NOW)
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(RefusedError) as refused:
            apply_repair(plan, state_dir=state_dir, now_ms=NOW)
    assert refused.value.kind == "in-use"
    assert path.read_bytes() == GOOD


@pytest.mark.parametrize("how", ["append", "touch", "replace", "same-size"])
def test_any_change_since_the_plan_stops_it(store: Path, state_dir: Path, how: str) -> None:
    path = put(store, GOOD)
    plan = plan_repair(path, now_ms=NOW)
    if how == "append":
        with path.open("ab") as file:
            file.write(b"x")
    elif how == "replace":
        put(store.parent, GOOD).replace(path)
    elif how == "same-size":
        path.write_bytes(GOOD.replace(b"ferry", b"berry"))
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
