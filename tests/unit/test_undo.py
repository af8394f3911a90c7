"""Undoing what we wrote: named, only as far as it is sure, and with a second question in doubt."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.errors import RefusedError
from ink_tui.model.changes import ChangeKind
from ink_tui.model.entries import EntryId
from ink_tui.model.fork_points import fork_plan_at
from ink_tui.model.in_place import in_place
from ink_tui.model.liveness import NOBODY, Freshness, Holder, HolderKind, use_doubt
from ink_tui.store.annotate import look_to_annotate, write_label, write_name
from ink_tui.store.file_state import TAIL_BYTES, open_strictly
from ink_tui.store.in_place import continue_in_place
from ink_tui.store.journal import journal_path, read_journal
from ink_tui.store.repair import (
    RepairOutcome,
    can_undo,
    last_backup,
    plan_repair,
    plan_undo,
    repair_doubt,
    undo_last,
    undoable,
)
from ink_tui.store.repair_plan import diagnosis_of
from tests.sessions import answer, session, user
from tests.unit.repair_files import GOOD, NOW, put, repair

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.store.file_state import FileState

SOMEBODY = Holder(HolderKind.POSSIBLE, "ink, process 7, in the same folder")
OTHER_KINDS = (ChangeKind.NAME, ChangeKind.LABEL, ChangeKind.POSITION)


def small() -> bytes:
    return session(user("a", None, "one"), answer("b", "a", "two"), user("c", "b", "three"))


def large() -> bytes:
    """More than twice what a copy of the end holds."""
    words = "word " * 20_000
    return session(user("a", None, words), answer("b", "a", words), user("c", "b", "three"))


def state_of(path: Path) -> FileState:
    with open_strictly(path, write=False) as opened:
        return opened.state()


def change(kind: ChangeKind, path: Path, state: Path) -> RepairOutcome:
    """Make a change of a kind, as the program does."""
    how: dict[str, Any] = {"state_dir": state, "now_ms": NOW, "holder": NOBODY}
    if kind is ChangeKind.REPAIR:
        return repair(path, state)
    if kind is ChangeKind.POSITION:
        diagnosis = diagnosis_of(path.read_bytes())
        wanted = in_place(diagnosis, fork_plan_at(diagnosis, EntryId("b")))
        assert wanted is not None
        return continue_in_place(path, state_of(path), wanted, fresh=Freshness.COLD, **how)
    at = look_to_annotate(path, now_ms=NOW, holder_of=lambda _: NOBODY)
    if kind is ChangeKind.NAME:
        return write_name(at, "a name", **how)
    return write_label(at, EntryId("a"), "a label", **how)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (ChangeKind.REPAIR, "the last repair"),
        (ChangeKind.NAME, "the name"),
        (ChangeKind.LABEL, "the label"),
        (ChangeKind.POSITION, "the fork position"),
    ],
)
def test_an_undo_names_what_it_takes_back(
    kind: ChangeKind, words: str, tmp_path: Path, state: Path
) -> None:
    content = GOOD if kind is ChangeKind.REPAIR else small()
    path = put(tmp_path / "store", content)
    assert undoable(path, state_of(path), state_dir=state) is None
    change(kind, path, state)
    added = path.stat().st_size - len(content)
    assert undoable(path, state_of(path), state_dir=state) is kind
    plan = plan_undo(path, state_dir=state)
    assert (plan.kind, plan.time_ms) == (kind, NOW)
    assert plan.sentence == f"Undoes {words}: cuts {added} bytes."
    done = undo_last(path, state_dir=state, now_ms=NOW)
    assert done.sentence == f"Undone: {words}; the file is as it was before"
    assert path.read_bytes() == content
    assert undoable(path, state_of(path), state_dir=state) is None


def test_the_newest_change_is_named_first(tmp_path: Path, state: Path) -> None:
    path = put(tmp_path / "store", GOOD)
    done = [ChangeKind.REPAIR, ChangeKind.NAME]
    contents = [path.read_bytes()]
    for kind in done:
        change(kind, path, state)
        contents.append(path.read_bytes())
    for kind in reversed(done):
        contents.pop()
        assert plan_undo(path, state_dir=state).kind is kind
        undo_last(path, state_dir=state, now_ms=NOW)
        assert path.read_bytes() == contents[-1]


def test_bytes_that_were_cut_are_told_of(tmp_path: Path, state: Path) -> None:
    path = put(tmp_path / "store", GOOD + b'{"type":"mess')
    change(ChangeKind.REPAIR, path, state)
    assert "puts 13 bytes back" in plan_undo(path, state_dir=state).sentence


class TestCopies:
    """A repair keeps the whole file; a record of the agent's own kinds keeps what is before it."""

    @pytest.mark.parametrize("kind", OTHER_KINDS)
    def test_an_append_to_a_large_file_keeps_its_end_alone(
        self, kind: ChangeKind, tmp_path: Path, state: Path
    ) -> None:
        content = large()
        path = put(tmp_path / "store", content)
        done = change(kind, path, state)
        assert done.backup.read_bytes() == content[-TAIL_BYTES:]
        line = read_journal(state)[-1]
        assert line.copied_from == len(content) - TAIL_BYTES
        assert line.digest_before == hashlib.sha256(content).hexdigest()
        assert last_backup(path, state_dir=state) is None
        changed = path.read_bytes()
        undone = undo_last(path, state_dir=state, now_ms=NOW)
        assert path.read_bytes() == content
        assert undone.backup.read_bytes() == changed[len(content) - TAIL_BYTES :]

    @pytest.mark.parametrize("kind", OTHER_KINDS)
    def test_that_of_a_small_file_is_whole(
        self, kind: ChangeKind, tmp_path: Path, state: Path
    ) -> None:
        path = put(tmp_path / "store", small())
        done = change(kind, path, state)
        assert done.backup.read_bytes() == small()
        assert last_backup(path, state_dir=state) == done.backup

    def test_a_repair_of_a_large_file_keeps_all_of_it(self, tmp_path: Path, state: Path) -> None:
        torn = large() + b'{"type":"mess'
        path = put(tmp_path / "store", torn)
        assert change(ChangeKind.REPAIR, path, state).backup.read_bytes() == torn
        assert undo_last(path, state_dir=state, now_ms=NOW).backup.read_bytes() == large()

    @pytest.mark.parametrize("kind", OTHER_KINDS)
    def test_a_byte_changed_far_before_the_end_refuses_the_undo(
        self, kind: ChangeKind, tmp_path: Path, state: Path
    ) -> None:
        """Device, inode, size and the last 64 KiB are as we left them; the digest tells."""
        path = put(tmp_path / "store", large())
        change(kind, path, state)
        stamp = path.stat().st_mtime_ns
        with path.open("r+b") as file:
            file.seek(1_000)
            file.write(b"W")
        os.utime(path, ns=(stamp, stamp))
        changed = path.read_bytes()
        with pytest.raises(RefusedError, match="would not give back the file"):
            undo_last(path, state_dir=state, now_ms=NOW)
        assert path.read_bytes() == changed

    @pytest.mark.parametrize("kind", OTHER_KINDS)
    def test_once_it_has_gone_on_no_copy_of_its_end_is_offered_as_a_session(
        self, kind: ChangeKind, tmp_path: Path, state: Path
    ) -> None:
        path = put(tmp_path / "store", large())
        done = change(kind, path, state)
        with path.open("ab") as file:
            file.write(user("d", "c", "four"))
        with pytest.raises(RefusedError, match="Fork it at the record before") as refused:
            plan_undo(path, state_dir=state)
        assert str(done.backup) not in str(refused.value)


class TestJournal:
    def _rewrite(self, state: Path, **fields: Any) -> None:
        path = journal_path(state)
        lines = [json.loads(line) for line in path.read_bytes().splitlines()]
        for line in lines:
            for name, value in fields.items():
                line.pop(name) if value is None else line.update({name: value})
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def test_lines_without_the_kind_are_repairs(self, tmp_path: Path, state: Path) -> None:
        path = put(tmp_path / "store", GOOD)
        repair(path, state)
        self._rewrite(state, kind=None, copied_from=None, content_digest=None)
        assert plan_undo(path, state_dir=state).kind is ChangeKind.REPAIR
        undo_last(path, state_dir=state, now_ms=NOW)
        assert path.read_bytes() == GOOD

    def test_a_kind_of_a_later_version_has_plain_words(self, tmp_path: Path, state: Path) -> None:
        path = put(tmp_path / "store", small())
        change(ChangeKind.NAME, path, state)
        self._rewrite(state, kind="\x1b]0;x\x07")
        assert plan_undo(path, state_dir=state).sentence.startswith("Undoes the last change: ")
        undo_last(path, state_dir=state, now_ms=NOW)
        assert path.read_bytes() == small()

    @pytest.mark.parametrize("copied_from", [1, 10**30, -5])
    def test_a_wrong_place_of_the_copy_never_gives_another_file(
        self, copied_from: int, tmp_path: Path, state: Path
    ) -> None:
        torn = GOOD + b'{"type":"mess'
        path = put(tmp_path / "store", torn)
        repair(path, state)
        repaired = path.read_bytes()
        self._rewrite(state, copied_from=copied_from)
        with pytest.raises(RefusedError):
            undo_last(path, state_dir=state, now_ms=NOW)
        assert path.read_bytes() == repaired


class TestDoubt:
    def test_what_is_said(self) -> None:
        said = [
            use_doubt(SOMEBODY, Freshness.COLD, 0),
            use_doubt(Holder(HolderKind.POSSIBLE, "a\x1bb"), Freshness.WRITING, 0),
            use_doubt(NOBODY, Freshness.RECENT, 12_700),
            use_doubt(NOBODY, Freshness.COLD, 90_000),
            use_doubt(Holder(HolderKind.CERTAIN, "x"), Freshness.WRITING, 0),
        ]
        assert said == [
            "Perhaps in use by ink, process 7, in the same folder.",
            "Perhaps in use by a␛b.",
            "The file changed 12 s ago and may still be in use.",
            "",
            "",
        ]

    @pytest.mark.parametrize("age_ms", [100, 30_000])
    def test_a_repair_of_a_recent_file(self, age_ms: int, tmp_path: Path) -> None:
        path = put(tmp_path / "store", GOOD, age_ms=age_ms)
        plan = plan_repair(path, now_ms=NOW)
        assert plan.allowed == (age_ms > 2_000)
        assert repair_doubt(plan, NOW) == (
            "The file changed 30 s ago and may still be in use." if plan.allowed else ""
        )
        cold = put(tmp_path / "cold", GOOD)
        assert repair_doubt(plan_repair(cold, now_ms=NOW), NOW) == ""
        held = plan_repair(cold, now_ms=NOW, holder=SOMEBODY)
        assert repair_doubt(held, NOW).startswith("Perhaps in use by ink")

    @pytest.mark.parametrize("age_ms", [100, 30_000])
    def test_an_undo_of_a_recent_file(self, age_ms: int, tmp_path: Path, state: Path) -> None:
        path = put(tmp_path / "store", GOOD)
        repair(path, state)
        stamp = (NOW - age_ms) * 1_000_000
        os.utime(path, ns=(stamp, stamp))
        repaired = path.read_bytes()
        assert plan_undo(path, state_dir=state).doubt(NOBODY, NOW)
        with pytest.raises(RefusedError, match="may still be in use") as refused:
            undo_last(path, state_dir=state, now_ms=NOW)
        assert refused.value.kind == "confirmation-needed"
        assert path.read_bytes() == repaired
        assert can_undo(path, state_dir=state)
        undo_last(path, state_dir=state, now_ms=NOW, own_pane_ended=True)
        assert path.read_bytes() == GOOD

    @pytest.mark.parametrize("sure", [HolderKind.POSSIBLE, HolderKind.CERTAIN])
    def test_an_undo_where_somebody_may_write(
        self, sure: HolderKind, tmp_path: Path, state: Path
    ) -> None:
        path = put(tmp_path / "store", GOOD)
        repair(path, state)
        holder = Holder(sure, "ink, process 7")
        with pytest.raises(RefusedError, match="ink, process 7"):
            undo_last(path, state_dir=state, now_ms=NOW, holder=holder)
        if sure is HolderKind.CERTAIN:
            with pytest.raises(RefusedError, match="ink, process 7"):
                undo_last(path, state_dir=state, now_ms=NOW, holder=holder, confirmed=True)
        else:
            undo_last(path, state_dir=state, now_ms=NOW, holder=holder, confirmed=True)
            assert path.read_bytes() == GOOD
