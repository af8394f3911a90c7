"""Copies of sessions: clean whatever the original, and the original untouched."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import stat
from typing import TYPE_CHECKING

import pytest

from ink_tui.errors import RefusedError, StoreError
from ink_tui.formats.ink.constants import UNKNOWN_OUTCOME
from ink_tui.model.entries import EntryId
from ink_tui.model.fork_points import ForkPlan, fork_plan, fork_plan_at, fork_points
from ink_tui.model.verdict import Verdict
from ink_tui.store.fork import ForkOutcome, top_level_folder, write_fork
from ink_tui.store.repair_plan import diagnosis_of
from tests.unit.case_files import CASES, case_bytes, sample_files

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_772_453_040_000
UUIDS = ["aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    return folder


def put(root: Path, name: str, folder: str = "srv-work-tidepool") -> Path:
    path = root / folder / "session.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(case_bytes(name))
    return path


def fork(path: Path, root: Path, entry: str | None = None, cwd: str | None = None) -> ForkOutcome:
    diagnosis = diagnosis_of(path.read_bytes())
    plan = fork_plan(diagnosis) if entry is None else fork_plan_at(diagnosis, EntryId(entry))
    drawn = iter(UUIDS)
    return write_fork(path, plan, root=root, now_ms=NOW, cwd=cwd, new_uuid=lambda: next(drawn))


def digests(folder: Path) -> dict[Path, str]:
    return {
        path: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_copy_holds_the_raw_bytes_and_nothing_else(root: Path) -> None:
    path = put(root, "32-position-then-append")
    data = path.read_bytes()
    outcome = fork(path, root)
    lines = outcome.path.read_bytes().split(b"\n")
    header = json.loads(lines[0])
    assert list(header) == ["type", "version", "id", "timestamp", "cwd", "forkedFrom"]
    assert header["id"] == UUIDS[0] == outcome.session_id
    original = json.loads(data.split(b"\n")[0])
    assert header["forkedFrom"] == {"id": original["id"], "entry": "e5"}
    assert header["cwd"] == original["cwd"]
    assert outcome.path.parent == path.parent
    assert outcome.path.name == f"2026-03-02T12-04-00-000Z-{UUIDS[1]}.jsonl"
    assert stat.S_IMODE(outcome.path.stat().st_mode) == 0o600
    source_lines = set(data.split(b"\n"))
    assert all(line in source_lines for line in lines[1:])
    assert not any(b'"type":"position"' in line for line in lines)
    assert path.read_bytes() == data
    assert sorted(item.name for item in path.parent.iterdir()) == sorted(
        [path.name, outcome.path.name]
    )


def test_open_calls_are_closed_in_the_copy_only(root: Path) -> None:
    path = put(root, "40-dangling-call")
    outcome = fork(path, root)
    diagnosis = diagnosis_of(outcome.path.read_bytes())
    assert outcome.closed == ("c1",)
    assert diagnosis.verdict is Verdict.CLEAN
    assert diagnosis_of(path.read_bytes()).open_calls
    last = json.loads(outcome.path.read_bytes().split(b"\n")[-2])
    assert last["parentId"] == "e3"
    assert last["message"]["results"][0]["content"] == UNKNOWN_OUTCOME
    assert last["message"]["results"][0]["isError"] is True


def test_labels_stay_and_the_leaf_is_the_last_record(root: Path) -> None:
    path = put(root, "38-label-and-name")
    before = diagnosis_of(path.read_bytes())
    after = diagnosis_of(fork(path, root).path.read_bytes())
    assert after.session.labels == before.session.labels
    assert after.leaf == before.leaf
    assert after.title == before.title


def test_a_copy_into_another_folder(root: Path, tmp_path: Path) -> None:
    path = put(root, "64-cwd-gone")
    real = tmp_path / "new-place"
    real.mkdir()
    link = tmp_path / "link"
    link.symlink_to(real)
    outcome = fork(path, root, cwd=str(link))
    assert outcome.cwd == str(real)
    assert outcome.path.parent.name == str(real)[1:].replace("-", "--").replace("/", "-")
    session = diagnosis_of(outcome.path.read_bytes()).session
    assert session.header is not None
    assert session.header.cwd == str(real)


@pytest.mark.parametrize(
    ("cwd", "kind"),
    [
        ("/nowhere/at/all", "cwd-missing"),
        ("relative", "cwd-missing"),
        ("/a\0b", "cwd-missing"),
        ("/dev/null", "cwd-not-directory"),
    ],
)
def test_a_folder_that_is_none_is_refused(root: Path, cwd: str, kind: str) -> None:
    path = put(root, "64-cwd-gone")
    before = digests(root)
    with pytest.raises(RefusedError) as refused:
        fork(path, root, cwd=cwd)
    assert refused.value.kind == kind
    assert digests(root) == before


def test_a_sub_agent_session_becomes_a_top_level_one(root: Path, tmp_path: Path) -> None:
    folder = CASES / "60-child-sessions" / "root" / "srv-work-tidepool" / "children"
    source = next(folder.glob("*.jsonl"))
    path = root / "srv-work-tidepool" / "children" / source.name
    path.parent.mkdir(parents=True)
    path.write_bytes(source.read_bytes())
    outcome = fork(path, root)
    assert outcome.path.parent == root / "srv-work-tidepool"
    header = json.loads(outcome.path.read_bytes().split(b"\n")[0])
    assert "parent" not in header
    assert "launch" not in header


def test_a_folder_named_children_in_the_root_is_an_ordinary_one(root: Path) -> None:
    path = root / "children" / "a.jsonl"
    assert top_level_folder(path, root, child=False) == root / "children"
    assert top_level_folder(path, root, child=True) == root


def test_every_offered_entry_of_every_sample_gives_a_clean_copy(tmp_path: Path) -> None:
    """The rule of the last clean record, tried at every place where a fork is offered."""
    counts = {"files": 0, "offered": 0, "copies": 0, "moved": 0, "closed": 0}
    for path in sample_files(tmp_path / "cases"):
        data = path.read_bytes()
        diagnosis = diagnosis_of(data)
        points = fork_points(diagnosis)
        counts["files"] += bool(points)
        if len(points) > 2_000:
            points = points[::500]  # one chain of thousands: every copy costs the whole file
        ends: set[EntryId] = set()
        for point in points:
            counts["offered"] += 1
            counts["moved"] += point.moved
            counts["closed"] += point.closes
            if len(data) > 200_000 and point.end in ends:
                continue  # offered for several records, but one and the same copy
            ends.add(point.end)
            counts["copies"] += 1
            plan = fork_plan_at(diagnosis, point.entry_id)
            assert plan.end == point.end
            outcome = write_fork(path, plan, root=tmp_path, now_ms=NOW, folder=tmp_path / "out")
            copy = diagnosis_of(outcome.path.read_bytes())
            assert copy.verdict is Verdict.CLEAN, (path, point)
            assert not copy.repair_needed
            assert copy.session.header is not None
            extra = 1 if plan.closing else 0
            assert len(copy.session.nodes) == len(plan.entries) + extra
            outcome.path.unlink()
        assert path.read_bytes() == data
    print(f"forks: {counts}")
    assert counts["offered"] > 200
    assert counts["copies"] > 100
    assert counts["moved"] > 5
    assert counts["closed"] >= 5


# --- what is refused, and failures ------------------------------------------------------------


def test_a_refused_plan_writes_nothing(root: Path) -> None:
    path = put(root, "15-newer-version")
    before = digests(root)
    with pytest.raises(RefusedError) as refused:
        fork(path, root)
    assert refused.value.kind == "unsupported-version"
    assert digests(root) == before


def test_a_session_that_was_rewritten_is_refused(root: Path) -> None:
    path = put(root, "32-position-then-append")
    plan = fork_plan(diagnosis_of(path.read_bytes()))
    path.write_bytes(path.read_bytes().replace(b"e2", b"e9"))
    with pytest.raises(RefusedError) as refused:
        write_fork(path, plan, root=root, now_ms=NOW)
    assert refused.value.kind == "changed-since"
    assert len(digests(root)) == 1


def test_a_session_that_only_grew_is_copied(root: Path) -> None:
    path = put(root, "32-position-then-append")
    plan = fork_plan(diagnosis_of(path.read_bytes()))
    with path.open("ab") as file:
        file.write(b'{"type":"message","id":"torn')
    outcome = write_fork(path, plan, root=root, now_ms=NOW)
    assert diagnosis_of(outcome.path.read_bytes()).verdict is Verdict.CLEAN


def test_an_existing_file_is_never_replaced(root: Path) -> None:
    path = put(root, "40-dangling-call")
    first = fork(path, root)
    before = digests(root)
    with pytest.raises(StoreError, match="File exists"):
        fork(path, root)
    assert digests(root) == before
    assert first.path in before


def attempt(path: Path, plan: ForkPlan, root: Path) -> tuple[ForkOutcome | None, str]:
    try:
        return write_fork(path, plan, root=root, now_ms=NOW), ""
    except StoreError as error:
        return None, str(error)


@pytest.mark.parametrize("name", ["open", "write", "fsync", "fstat", "pread", "rename"])
def test_a_failure_publishes_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = put(root, "40-dangling-call")
    plan = fork_plan(diagnosis_of(path.read_bytes()))
    before = digests(root)
    real = getattr(os, name)
    step = 0
    while True:
        step += 1
        calls = 0

        def call(*args: object, **more: object) -> object:
            nonlocal calls
            calls += 1
            if calls == step:  # noqa: B023 - used before the next round begins
                raise OSError(5, "Input/output error")
            return real(*args, **more)

        with monkeypatch.context() as patch:
            patch.setattr(os, name, call)
            outcome, error = attempt(path, plan, root)
        if outcome is None:
            assert "Input/output error" in error
            assert digests(root) == before
            continue
        outcome.path.unlink()
        assert calls < step
        break
    assert step > 1
    assert digests(root) == before


def test_what_a_killed_fork_left_is_removed_unless_it_still_runs(root: Path) -> None:
    path = put(root, "40-dangling-call")
    dead = path.with_name(".ink-tui-0123456789ab.tmp")
    alive = path.with_name(".ink-tui-0123456789ac.tmp")
    other = path.with_name(".ink-tui-short.tmp")
    for item in (dead, alive, other):
        item.write_bytes(b"x")
    with alive.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        fork(path, root)
    assert [item.exists() for item in (dead, alive, other)] == [False, True, True]
