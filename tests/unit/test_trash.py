"""What goes to the trash with a session, what is refused, and a real trash."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ink_tui.errors import RefusedError, StoreError
from ink_tui.model.listing import SessionRow
from ink_tui.model.liveness import NOBODY, Holder, HolderKind
from ink_tui.store.files import UnreadableError
from ink_tui.store.locks import session_lock
from ink_tui.store.trash import TrashPlan, folder_as_trash, move_to_trash, plan_trash
from tests.sessions import HEADER, line, user
from tests.unit.repair_files import NOW

if TYPE_CHECKING:
    from collections.abc import Callable

TOP, CHILD, GRANDCHILD, OTHER = "top-id", "child-id", "grandchild-id", "other-id"


def nobody(_row: SessionRow) -> Holder:
    return NOBODY


def put(path: Path, session_id: str, parent: str | None = None, *, age_ms: int = 3_600_000) -> Path:
    header = HEADER | {"id": session_id} | ({"parent": parent} if parent else {})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(line(header) + user("a", None, "go on"))
    stamp = (NOW - age_ms) * 1_000_000
    os.utime(path, ns=(stamp, stamp))
    return path


@pytest.fixture
def family(tmp_path: Path) -> Path:
    """A session with a sub-agent session that has one of its own, a lease, and somebody else's."""
    folder = tmp_path / "root" / "work"
    put(folder / "children" / "b.jsonl", CHILD, TOP)
    put(folder / "children" / "c.jsonl", GRANDCHILD, CHILD)
    put(folder / "children" / "d.jsonl", "stranger-id", OTHER)
    (folder / "children" / "b.jsonl.lease").mkdir()
    put(folder / "e.jsonl", OTHER)
    return put(folder / "a.jsonl", TOP)


class Trash:
    """A trash that is a folder, and remembers in which order things came."""

    def __init__(self, folder: Path) -> None:
        self.names: list[str] = []
        self._move = folder_as_trash(folder)

    def __call__(self, path: str) -> None:
        self._move(path)
        self.names.append(Path(path).name)


def plan_of(path: Path, holder_of: Callable[[SessionRow], Holder] = nobody) -> TrashPlan:
    return plan_trash(str(path), now_ms=NOW, holder_of=holder_of)


def move(plan: TrashPlan, state: Path, trash: Callable[[str], None]) -> str:
    return move_to_trash(plan, state_dir=state, now_ms=NOW, holder_of=nobody, trash=trash)


def names_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_sub_agent_sessions_and_leases_go_along_and_the_session_goes_last(
    family: Path, tmp_path: Path
) -> None:
    plan = plan_of(family)
    assert plan.what == "the session and its 2 sub-agent sessions"
    assert plan.size == sum(each.path.stat().st_size for each in plan.files)
    assert plan.doubt == ""
    trash = Trash(tmp_path / "trash")
    sentence = move(plan, tmp_path / "state", trash)
    assert "the session and its 2 sub-agent sessions" in sentence
    assert trash.names == ["b.jsonl.lease", "c.jsonl", "b.jsonl", "a.jsonl"]
    assert names_below(family.parent) == ["children", "children/d.jsonl", "e.jsonl"]


def test_a_sub_agent_session_goes_alone_with_what_it_started(family: Path) -> None:
    plan = plan_of(family.parent / "children" / "b.jsonl")
    assert [each.path.name for each in plan.files] == ["c.jsonl", "b.jsonl"]
    assert plan_of(family.parent / "e.jsonl").what == "the session and its 1 sub-agent session"


def test_sub_agent_sessions_stay_with_a_second_file_of_the_same_id(family: Path) -> None:
    rows = [SessionRow(path=str(family.with_name("copy.jsonl")), session_id=TOP)]
    plan = plan_trash(str(family), now_ms=NOW, holder_of=nobody, rows=rows)
    assert plan.children == ()
    assert plan.what == "the session"


def test_a_name_that_leaves_no_room_for_a_lease_has_none(family: Path, tmp_path: Path) -> None:
    long = family.with_name("a" * 249 + ".jsonl")
    family.rename(long)
    trash = Trash(tmp_path / "trash")
    move(plan_of(long), tmp_path / "state", trash)
    assert trash.names[-1] == long.name
    assert not long.exists()


def test_a_folder_as_trash_writes_over_nothing(tmp_path: Path) -> None:
    trash = folder_as_trash(tmp_path / "trash")
    for content in ("one", "two", "three"):
        path = tmp_path / "same.jsonl"
        path.write_text(content)
        trash(str(path))
    assert {path.read_text() for path in (tmp_path / "trash").iterdir()} == {"one", "two", "three"}


def test_ring_of_parents_ends(tmp_path: Path) -> None:
    children = tmp_path / "work" / "children"
    first = put(children / "a.jsonl", "one", "two")
    put(children / "b.jsonl", "two", "one")
    assert [each.path.name for each in plan_of(first).files] == ["b.jsonl", "a.jsonl"]


def test_the_journal_tells_what_went(family: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    move(plan_of(family), state, Trash(tmp_path / "trash"))
    journal = state / "trash.jsonl"
    lines = [json.loads(each) for each in journal.read_text("utf-8").splitlines()]
    assert [each["what"] for each in lines] == ["begin", "done"]
    assert {each["session"] for each in lines} == {TOP}
    assert lines[0]["paths"] == lines[1]["paths"]
    assert lines[1]["paths"][-1] == str(family)
    assert stat.S_IMODE(journal.stat().st_mode) == 0o600


@pytest.mark.parametrize("held", ["a.jsonl", "b.jsonl", "c.jsonl"])
def test_a_holder_of_any_of_them_is_refused(family: Path, held: str, tmp_path: Path) -> None:
    def holder_of(row: SessionRow) -> Holder:
        name = Path(row.path).name
        return Holder(HolderKind.CERTAIN, "ink, process 7") if name == held else NOBODY

    with pytest.raises(RefusedError, match=f"{held} is in use by ink, process 7"):
        plan_of(family, holder_of)
    plan = plan_of(family)
    before = names_below(family.parent)
    with pytest.raises(RefusedError, match="in use"):
        move_to_trash(
            plan,
            state_dir=tmp_path / "state",
            now_ms=NOW,
            holder_of=holder_of,
            trash=Trash(tmp_path / "trash"),
        )
    assert names_below(family.parent) == before


def test_what_may_be_in_use_is_said(family: Path) -> None:
    possible = Holder(HolderKind.POSSIBLE, "ink, process 7, in the same folder")
    plan = plan_of(family, lambda _row: possible)
    assert plan.doubt == "It may be in use by ink, process 7, in the same folder."
    put(family, TOP, age_ms=30_000)
    assert plan_of(family).doubt == "It changed less than a minute ago."


def test_a_session_that_is_being_written_is_refused(family: Path) -> None:
    put(family, TOP, age_ms=500)
    with pytest.raises(RefusedError, match="being written"):
        plan_of(family)
    put(family, TOP)
    put(family.parent / "children" / "c.jsonl", GRANDCHILD, CHILD, age_ms=500)
    with pytest.raises(RefusedError, match=r"c\.jsonl is being written"):
        plan_of(family)


def test_a_change_after_the_question_is_refused(family: Path, tmp_path: Path) -> None:
    plan = plan_of(family)
    with (family.parent / "children" / "c.jsonl").open("ab") as file:
        file.write(user("b", "a", "more"))
    before = names_below(family.parent)
    with pytest.raises(RefusedError, match=r"c\.jsonl changed since"):
        move(plan, tmp_path / "state", Trash(tmp_path / "trash"))
    assert names_below(family.parent) == before


def test_locks_of_others_are_respected(family: Path, tmp_path: Path) -> None:
    state, plan = tmp_path / "state", plan_of(family)
    with session_lock(state, family, "repair"), pytest.raises(RefusedError, match="in use"):
        move(plan, state, Trash(tmp_path / "trash"))
    with (family.parent / "children" / "b.jsonl").open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(RefusedError, match=r"b\.jsonl is locked"):
            move(plan, state, Trash(tmp_path / "trash"))
    assert family.exists()
    assert not (tmp_path / "trash").exists()


def _link(path: Path) -> None:
    path.symlink_to(path.with_name("e.jsonl"))


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))


@pytest.mark.parametrize("make", [_link, os.mkfifo, Path.mkdir, _socket])
def test_links_and_what_is_no_file_are_left_alone(
    family: Path, make: Callable[[Path], None]
) -> None:
    path = family.with_name("odd.jsonl")
    make(path)
    with pytest.raises(RefusedError, match="left alone"):
        plan_of(path)
    assert os.path.lexists(path)


def test_what_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no longer there"):
        plan_of(tmp_path / "none.jsonl")


def test_odd_things_among_the_children_stay(family: Path) -> None:
    children = family.parent / "children"
    (children / "link.jsonl").symlink_to(children / "b.jsonl")
    (children / "torn.jsonl").write_bytes(b'{"type":"ses')
    (children / "c.jsonl.lease").symlink_to(children / "b.jsonl.lease")
    plan = plan_of(family)
    assert [each.path.name for each in plan.files] == ["c.jsonl", "b.jsonl", "a.jsonl"]
    assert [lease.name for lease in plan.leases] == ["b.jsonl.lease"]


def test_a_refusal_of_the_system_says_what_went_and_keeps_the_session(
    family: Path, tmp_path: Path
) -> None:
    real = Trash(tmp_path / "trash")

    def full(path: str) -> None:
        if path.endswith("b.jsonl"):
            raise OSError(28, "No space left on device")
        real(path)

    with pytest.raises(StoreError, match=r"No space left on device\. 2 of 4 went before it"):
        move(plan_of(family), tmp_path / "state", full)
    assert family.exists()
    move(plan_of(family), tmp_path / "state", real)
    assert real.names == ["b.jsonl.lease", "c.jsonl", "b.jsonl", "a.jsonl"]


def test_a_trash_that_does_nothing_is_noticed(family: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"it is still there\. Nothing was moved"):
        move(plan_of(family), tmp_path / "state", lambda _path: None)


def test_the_trash_of_the_desktop(family: Path, tmp_path: Path) -> None:
    """In a process of its own: the library reads the environment when it is imported."""
    code = (
        "import sys; from pathlib import Path; "
        "from ink_tui.model.liveness import NOBODY; "
        "from ink_tui.store.trash import move_to_trash, plan_trash, system_trash; "
        "free = lambda row: NOBODY; "
        f"plan = plan_trash(sys.argv[1], now_ms={NOW}, holder_of=free); "
        f"print(move_to_trash(plan, state_dir=Path(sys.argv[2]), now_ms={NOW}, "
        "holder_of=free, trash=system_trash))"
    )
    data = tmp_path / "share"
    content = family.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", code, str(family), str(tmp_path / "state")],
        env={"HOME": str(tmp_path), "XDG_DATA_HOME": str(data), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Moved to the trash: the session and its 2 sub-agent sessions")
    trash = data / "Trash"
    assert (trash / "files" / "a.jsonl").read_bytes() == content
    assert sorted(path.name for path in (trash / "files").iterdir()) == [
        *("a.jsonl", "b.jsonl", "b.jsonl.lease", "c.jsonl")
    ]
    assert "a.jsonl" in (trash / "info" / "a.jsonl.trashinfo").read_text("ascii")
    assert names_below(family.parent) == ["children", "children/d.jsonl", "e.jsonl"]


@pytest.mark.parametrize("call", ["listdir", "pread"])
def test_a_session_stays_while_it_is_not_known_what_was_started_from_it(
    family: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    real = getattr(os, call)
    own = family.stat().st_ino

    def fail(what: int, *rest: object) -> object:
        if os.fstat(what).st_ino == own:
            return real(what, *rest)
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fail)
        with pytest.raises(UnreadableError, match="Input/output error"):
            plan_of(family)
    assert len(plan_of(family).files) == 3


def test_what_went_is_told_when_it_cannot_be_noted(
    family: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"
    trash = Trash(tmp_path / "trash")

    def last(path: str) -> None:
        trash(path)
        if Path(path) == family:
            (state / "trash.jsonl").unlink()
            (state / "trash.jsonl").mkdir()

    with pytest.raises(StoreError, match=r"^Moved to the trash: the session and .* But that could"):
        move(plan_of(family), state, last)
    assert not family.exists()
