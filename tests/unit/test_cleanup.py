"""A bulk clean-up on files: what is listed, what goes, what stays, and the account of it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ink_tui.errors import StoreError
from ink_tui.model.cleanup import RULES, CleanupKind, CleanupRule
from ink_tui.model.entries import EntryId
from ink_tui.model.liveness import NOBODY, Holder, HolderKind
from ink_tui.model.marks import RecordMarks, SessionMarks
from ink_tui.store.atomic import append_line
from ink_tui.store.cleanup import (
    Account,
    CleanupPlan,
    account,
    clean_up,
    marked_sessions,
    plan_cleanup,
    read_concerned,
    survey,
)
from ink_tui.store.holder_search import FRESH_MS, HolderSearch
from ink_tui.store.library import Library
from ink_tui.store.locks import session_lock
from ink_tui.store.marks import change_marks, marks_path
from ink_tui.store.processes import Process
from ink_tui.store.quick import quick_row
from ink_tui.store.trash import folder_as_trash
from tests.clean_stores import NOW, Trash, put

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ink_tui.model.listing import SessionRow
    from ink_tui.store.cleanup import Outcome
    from ink_tui.store.discover import FoundFile

EMPTY = CleanupRule(CleanupKind.EMPTY)
OLD = CleanupRule(CleanupKind.OLD, 30)
ORPHANS = CleanupRule(CleanupKind.ORPHANS)


def nobody(_row: SessionRow) -> Holder:
    return NOBODY


class Store:
    """A store in a folder, with a trash and a state folder beside it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.work = self.root / "work"
        self.children = self.work / "children"
        self.state = folder / "state"
        self.bin = folder / "trash"
        self.trash = Trash(folder_as_trash(self.bin))
        self.work.mkdir(parents=True)

    def plan(
        self,
        *rules: CleanupRule,
        holder_of: Callable[[SessionRow], Holder] = nobody,
        marked: Mapping[str, str] | None = None,
    ) -> CleanupPlan:
        library = Library([str(self.root)], clock=lambda: NOW)
        list(read_concerned(library, rules, NOW))
        looked = survey(library, rules, now_ms=NOW, holder_of=holder_of, marked=marked or {})
        return plan_cleanup(looked, *rules)

    def run(
        self, plan: CleanupPlan, *, holder_of: Callable[[SessionRow], Holder] = nobody
    ) -> Account:
        return account(plan, list(self.steps(plan, holder_of=holder_of)))

    def steps(
        self, plan: CleanupPlan, *, holder_of: Callable[[SessionRow], Holder] = nobody
    ) -> Sequence[Outcome]:
        return list(
            clean_up(
                plan,
                state_dir=self.state,
                clock=lambda: NOW,
                holder_of=holder_of,
                marked=lambda: marked_sessions(self.state),
                trash=self.trash,
            )
        )

    def names(self) -> list[str]:
        return sorted(path.name for path in self.root.rglob("*.jsonl"))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def going(plan: CleanupPlan) -> list[str]:
    return [Path(row.path).name for row in plan.selection.rows]


def staying(plan: CleanupPlan) -> dict[str, str]:
    return {Path(each.row.path).name: each.reason for each in plan.selection.stays}


def test_what_is_listed_goes_and_nothing_else(store: Store) -> None:
    put(store.work / "a.jsonl", "a")
    put(store.children / "b.jsonl", "b", parent="a")
    put(store.work / "c.jsonl", "c", age_days=2)
    put(store.work / "d.jsonl", "d", tail=b'{"type":"mess')
    put(store.work / "e.jsonl", "e", messages=0, age_days=1)
    plan = store.plan(OLD)
    assert going(plan) == ["b.jsonl", "a.jsonl"]
    assert staying(plan) == {"d.jsonl": "torn tail"}
    size = sum(path.stat().st_size for path in (store.work / "a.jsonl", store.children / "b.jsonl"))
    assert plan.selection.size == size
    done = store.run(plan)
    assert (len(done.moved), done.size, done.stayed, done.left) == (2, size, (), 0)
    assert store.names() == ["c.jsonl", "d.jsonl", "e.jsonl"]
    assert sorted(path.name for path in store.bin.iterdir()) == ["a.jsonl", "b.jsonl"]
    assert done.sentence(str) == (
        f"Moved to the trash: 1 session and 1 sub-agent session, {size}. "
        "They can be put back from there."
    )


def test_looking_changes_nothing(store: Store) -> None:
    put(store.work / "a.jsonl", "a", messages=0)
    put(store.children / "o.jsonl", "o", parent="gone")

    def states() -> dict[Path, tuple[int, int, int]]:
        found = {path: path.stat() for path in store.root.rglob("*")}
        return {path: (s.st_size, s.st_mtime_ns, s.st_ctime_ns) for path, s in found.items()}

    before = states()
    assert going(store.plan(*RULES)) == ["a.jsonl", "o.jsonl"]
    assert states() == before
    assert not store.state.exists()
    assert not store.bin.exists()


def test_the_third_of_five_fails_and_the_others_go(store: Store) -> None:
    paths = [
        put(store.work / f"{name}.jsonl", name, age_days=400 + n) for n, name in enumerate("abcde")
    ]
    content = {path.name: path.read_bytes() for path in paths}
    store.trash.refuses = frozenset({"c.jsonl"})
    plan = store.plan(OLD)
    assert going(plan) == ["a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl", "e.jsonl"]
    done = store.run(plan)
    assert store.trash.names == ["a.jsonl", "b.jsonl", "d.jsonl", "e.jsonl"]
    assert [Path(row.path).name for row in done.moved] == store.trash.names
    assert [Path(each.row.path).name for each in done.stayed] == ["c.jsonl"]
    assert "No space left on device" in done.stayed[0].reason
    assert "1 stayed: " in done.sentence(str)
    assert "No space left on device" in done.sentence(str)
    kept = {path.name: path.read_bytes() for path in (*store.bin.iterdir(), paths[2])}
    assert kept == content


def test_half_a_family_is_accounted_for_file_by_file(store: Store) -> None:
    put(store.work / "a.jsonl", "a")
    put(store.children / "b.jsonl", "b", parent="a")
    store.trash.refuses = frozenset({"a.jsonl"})
    done = store.run(store.plan(OLD))
    assert [Path(row.path).name for row in done.moved] == ["b.jsonl"]
    assert [Path(each.row.path).name for each in done.stayed] == ["a.jsonl"]
    assert store.names() == ["a.jsonl"]


def test_each_move_is_in_the_journal(store: Store) -> None:
    for name in "abc":
        put(store.work / f"{name}.jsonl", name)
    store.run(store.plan(OLD))
    lines = [json.loads(each) for each in (store.state / "trash.jsonl").read_text().splitlines()]
    assert [(each["what"], each["session"]) for each in lines] == [
        (what, name) for name in "abc" for what in ("begin", "done")
    ]


def test_what_went_but_could_not_be_noted_is_no_staying(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store.work / "a.jsonl", "a")
    plan = store.plan(OLD)

    def append(path: Path, content: bytes) -> None:
        if b'"done"' in content:
            raise StoreError("There is no room for it.")
        append_line(path, content)

    monkeypatch.setattr("ink_tui.store.trash.append_line", append)
    done = store.run(plan)
    assert store.trash.names == ["a.jsonl"]
    assert (len(done.moved), done.stayed, done.complete) == (1, (), False)
    assert "There is no room for it." in done.sentence(str)


def test_it_can_be_stopped_between_two_sessions(store: Store) -> None:
    for name in "abc":
        put(store.work / f"{name}.jsonl", name)
    plan = store.plan(OLD)
    steps = clean_up(
        plan,
        state_dir=store.state,
        clock=lambda: NOW,
        holder_of=nobody,
        marked=dict,
        trash=store.trash,
    )
    done = account(plan, [next(steps)])
    assert (len(done.moved), done.left) == (1, 2)
    assert done.sentence(str).endswith("Stopped before 2 sessions.")
    assert store.names() == ["b.jsonl", "c.jsonl"]
    assert account(plan, []).sentence(str) == "Nothing was moved. Stopped before 3 sessions."


# What has changed between the list and the move


def grown(store: Store) -> None:
    with (store.work / "a.jsonl").open("ab") as file:
        file.write(b"\n")
    os.utime(store.work / "a.jsonl", (1, 1))


def replaced(store: Store) -> None:
    path = store.work / "a.jsonl"
    content, times = path.read_bytes(), path.stat()
    path.rename(path.with_name("elsewhere"))
    path.write_bytes(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def given_a_child(store: Store) -> None:
    put(store.children / "late.jsonl", "late", parent="a")


def gone(store: Store) -> None:
    (store.work / "a.jsonl").rename(store.work / "elsewhere")


def linked(store: Store) -> None:
    path = store.work / "a.jsonl"
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def pinned(store: Store) -> None:
    change_marks(store.state, "a", lambda marks: replace(marks, pinned=True))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (grown, "It changed after it was listed."),
        (replaced, "It changed after it was listed."),
        (given_a_child, "It changed after it was listed."),
        (gone, "it is no longer there"),
        (linked, "It is left alone."),
        (pinned, "It is pinned now."),
    ],
)
def test_what_changed_after_it_was_listed_stays_and_is_told(
    store: Store, change: Callable[[Store], None], reason: str
) -> None:
    put(store.work / "a.jsonl", "a")
    put(store.work / "b.jsonl", "b")
    plan = store.plan(OLD)
    assert going(plan) == ["a.jsonl", "b.jsonl"]
    change(store)
    done = store.run(plan)
    assert store.trash.names == ["b.jsonl"]
    assert [Path(row.path).name for row in done.moved] == ["b.jsonl"]
    assert reason in done.stayed[0].reason
    assert "Nothing was moved" not in done.stayed[0].reason


@pytest.mark.parametrize("kind", [HolderKind.CERTAIN, HolderKind.POSSIBLE])
def test_who_came_meanwhile_keeps_the_session(store: Store, kind: HolderKind) -> None:
    put(store.work / "a.jsonl", "a")
    put(store.work / "b.jsonl", "b")
    plan = store.plan(OLD)

    def holder_of(row: SessionRow) -> Holder:
        return Holder(kind, "ink, process 7") if row.session_id == "a" else NOBODY

    done = store.run(plan, holder_of=holder_of)
    assert store.trash.names == ["b.jsonl"]
    assert "in use by ink, process 7" in done.stayed[0].reason
    assert staying(store.plan(OLD, holder_of=holder_of)).keys() == {"a.jsonl"}


def test_another_of_our_programs_keeps_the_session(store: Store) -> None:
    path = put(store.work / "a.jsonl", "a")
    plan = store.plan(OLD)
    with session_lock(store.state, path, "repair"):
        done = store.run(plan)
    assert "in use by ink-tui (repair)" in done.stayed[0].reason
    assert store.names() == ["a.jsonl"]


def test_an_orphan_whose_parent_came_back_stays(store: Store) -> None:
    put(store.children / "o.jsonl", "o", parent="p")
    plan = store.plan(ORPHANS)
    assert going(plan) == ["o.jsonl"]
    put(store.work / "p.jsonl", "p")
    assert store.run(plan).stayed[0].reason == "Its parent may be back."
    (store.work / "p.jsonl").write_bytes(b"")
    assert store.run(plan).stayed[0].reason == "Its parent may be back."
    put(store.work / "p.jsonl", "another")
    assert store.run(plan).stayed == ()
    assert store.names() == ["p.jsonl"]


def test_a_held_lease_keeps_an_orphan(store: Store) -> None:
    path = put(store.children / "o.jsonl", "o", parent="p")
    lease = path.with_name("o.jsonl.lease")
    lease.mkdir()
    fact = {"pid": os.getppid(), "host": os.uname().nodename}
    (lease / "lease-1-a-b").write_text(json.dumps(fact))
    search = HolderSearch(state_dir=store.state, clock=lambda: NOW, match=["ink"], processes=list)
    plan = store.plan(ORPHANS, holder_of=search)
    assert "in use by an agent with a lease" in staying(plan)["o.jsonl"]


def test_what_is_no_plain_file_stays_with_its_reason(store: Store, tmp_path: Path) -> None:
    target = put(tmp_path / "outside.jsonl", "outside")
    (store.work / "link.jsonl").symlink_to(target)
    os.mkfifo(store.work / "pipe.jsonl")
    (store.work / "folder.jsonl").mkdir()
    (store.work / "none.jsonl").write_bytes(b"")
    os.utime(store.work / "none.jsonl", (1, 1))
    plan = store.plan(EMPTY, OLD)
    assert plan.selection.goes == ()
    assert staying(plan) == {
        "link.jsonl": "cannot be read: a symbolic link, links are not followed",
        "pipe.jsonl": "cannot be read: a pipe, not a file",
        "folder.jsonl": "cannot be read: a folder, not a file",
        "none.jsonl": "empty file",
    }


def test_a_long_file_is_read_whole_before_it_is_judged(store: Store) -> None:
    header = (put(store.work / "a.jsonl", "a", messages=0)).read_bytes()
    filler = b'{"type":"position","leafId":null}\n' * 9_000
    put(store.work / "a.jsonl", "a", messages=0, tail=filler)
    middle = put(store.work / "b.jsonl", "b", messages=1).read_bytes()[len(header) :]
    put(store.work / "b.jsonl", "b", messages=0, tail=filler + middle + filler)
    library = Library([str(store.root)], clock=lambda: NOW)
    assert not any(row.complete for row in library.scan().rows)
    assert going(store.plan(EMPTY)) == ["a.jsonl"]


def _instead(marks: SessionMarks, _before: SessionMarks) -> SessionMarks:
    return marks


def test_every_mark_keeps_a_session_and_is_named(store: Store) -> None:
    for name in "abcdef":
        put(store.work / f"{name}.jsonl", name)
    record = RecordMarks(starred=True)
    for name, marks in {
        "a": SessionMarks(pinned=True, starred=True),
        "b": SessionMarks(archived=True),
        "c": SessionMarks(note="do not lose"),
        "d": SessionMarks(records={EntryId("m0"): record}),
        "e": SessionMarks(hidden=frozenset({EntryId("m0")})),
    }.items():
        change_marks(store.state, name, partial(_instead, marks))
    plan = store.plan(OLD, marked=marked_sessions(store.state))
    assert going(plan) == ["e.jsonl", "f.jsonl"]
    assert staying(plan) == {
        "a.jsonl": "pinned and starred",
        "b.jsonl": "archived",
        "c.jsonl": "noted",
        "d.jsonl": "marked in its records",
    }


def test_marks_that_cannot_be_read_keep_everything(store: Store) -> None:
    put(store.work / "a.jsonl", "a")
    plan = store.plan(OLD)
    store.state.mkdir()
    marks_path(store.state).write_text("{")
    with pytest.raises(StoreError, match="Nothing is cleaned up"):
        marked_sessions(store.state)
    assert "Nothing is cleaned up" in store.run(plan).stayed[0].reason
    assert store.names() == ["a.jsonl"]


def test_two_folders_with_one_name_lose_nothing(store: Store) -> None:
    one = put(store.root / "one" / "same.jsonl", "one").read_bytes()
    two = put(store.root / "two" / "same.jsonl", "two").read_bytes()
    assert len(store.run(store.plan(OLD)).moved) == 2
    assert {path.read_bytes() for path in store.bin.iterdir()} == {one, two}


# Large stores


def test_one_look_at_the_processes_serves_all_sessions(store: Store) -> None:
    for number in range(60):
        put(store.work / f"{number:03}.jsonl", f"id-{number}")
        put(store.children / f"{number:03}.jsonl", f"child-{number}", parent=f"id-{number}")
    looks: list[int] = []
    folders: list[int] = []

    def processes() -> list[Process]:
        looks.append(1)
        return [Process(7, 1, ("ink",), "ink")]

    def directory_of(pid: int) -> str | None:
        folders.append(pid)
        return "/somewhere/else"

    present = [NOW]
    search = HolderSearch(
        state_dir=store.state,
        clock=lambda: present[0],
        match=["ink"],
        processes=processes,
        directory_of=directory_of,
    )
    plan = store.plan(OLD, holder_of=search)
    assert len(store.run(plan, holder_of=search).moved) == 120
    assert (len(looks), len(folders)) == (1, 1)
    present[0] += FRESH_MS
    search(plan.selection.rows[0])
    assert len(looks) == 2


def test_a_folder_of_many_is_not_read_again_for_each(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = 40
    for n in range(number):
        put(store.work / f"{n:03}.jsonl", f"id-{n}")
        put(store.children / f"{n:03}.jsonl", f"child-{n}", parent=f"id-{n}")
    plan = store.plan(OLD)
    read: list[str] = []

    def counted(found: FoundFile) -> SessionRow:
        read.append(found.path)
        return quick_row(found)

    monkeypatch.setattr("ink_tui.store.trash.quick_row", counted)
    assert len(store.run(plan).moved) == 2 * number
    assert len(read) == 2 * 2 * number  # once for the plan, once right before the move
