"""Going on from an earlier record in the file itself: offered when, written how, undone how."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ink_tui.agent.agents import built_in_agent
from ink_tui.agent.continuing import Continuing, Decision, Request, Surroundings
from ink_tui.agent.preflight import OptionId, Preflight
from ink_tui.errors import RefusedError
from ink_tui.model.entries import EntryId
from ink_tui.model.fork_points import fork_plan_at
from ink_tui.model.in_place import InPlace, in_place
from ink_tui.model.liveness import NOBODY, Freshness, Holder, HolderKind, OwnPane
from ink_tui.model.verdict import Verdict
from ink_tui.store.file_state import open_strictly
from ink_tui.store.in_place import continue_in_place
from ink_tui.store.journal import read_journal
from tests.cases import CASES_DIR
from tests.sessions import HEADER, answer, entry, line, read, results, user

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_772_453_040_000
HOUR = 3_600_000
WORDS = "Continue from here in this session"


def records() -> bytes:
    """Two turns with a call, then a third turn."""
    return b"".join(
        (
            user("a1", None, "list files"),
            answer("a2", "a1", calls=(("c1", "ls", {"path": "."}),)),
            results("a3", "a2", ("c1", "ls", "a.txt")),
            answer("a4", "a3", "one file", second=4),
            user("a5", "a4", "and now?", second=5),
            answer("a6", "a5", "nothing", second=6),
        )
    )


class Place:
    """A root with one session, and the steps of a resume on it."""

    def __init__(self, folder: Path) -> None:
        self.work = folder / "work"
        self.work.mkdir()
        self.path = folder / "sessions" / "one" / "session.jsonl"
        self.path.parent.mkdir(parents=True)
        self.state_dir = folder / "state"
        self.pane = Holder(HolderKind.NONE)
        around = Surroundings(
            roots=(str(folder / "sessions"),),
            state_dir=self.state_dir,
            agents=(built_in_agent(),),
            clock=lambda: NOW,
            search_path="/nowhere",
        )
        self.steps = Continuing(around, lambda _path: OwnPane(self.pane))

    def put(self, data: bytes, age_ms: int = HOUR) -> None:
        self.path.write_bytes(line({**HEADER, "cwd": str(self.work)}) + data)
        stamp = (NOW - age_ms) * 1_000_000
        os.utime(self.path, ns=(stamp, stamp))

    def look(self, entry_id: str | None, *, forking: bool = True) -> Preflight:
        wanted = EntryId(entry_id) if entry_id is not None else None
        return self.steps.look(Request(str(self.path), wanted, forking))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.mark.parametrize(
    ("chosen", "leaf"),
    [("a6", None), ("a5", "a4"), ("a4", "a4"), ("a3", "a3"), ("a2", "a3"), ("a1", None)],
)
def test_where_it_goes_on(chosen: str, leaf: str | None) -> None:
    """Where the copy of the same fork would end; never before the first record."""
    diagnosis = read(line(HEADER) + records())
    wanted = in_place(diagnosis, fork_plan_at(diagnosis, EntryId(chosen)))
    assert wanted is not None
    assert wanted.allowed == (leaf is not None)
    if leaf is not None:
        assert wanted.leaf == leaf
        assert wanted.line == int(leaf[1:]) + 1
    else:
        assert wanted.refusal


def test_it_is_no_question_off_the_branch_or_where_a_repair_is_needed() -> None:
    branched = records() + answer("b1", "a4", "another", second=9)
    diagnosis = read(line(HEADER) + branched)
    assert diagnosis.leaf == "b1"
    assert in_place(diagnosis, fork_plan_at(diagnosis, EntryId("a6"))) is None
    assert in_place(diagnosis, fork_plan_at(diagnosis, EntryId("a4"))) is not None
    torn = read(line(HEADER) + records() + b'{"type":"mess')
    assert in_place(torn, fork_plan_at(torn, EntryId("a4"))) is None


def test_a_call_that_only_a_copy_can_close() -> None:
    open_there = b"".join(
        (
            user("a1", None, "go"),
            answer("a2", "a1", calls=(("c1", "ls", {}),)),
            entry("session_info", "a3", "a2", 3, name="x"),
            entry("session_info", "a4", "a3", 3, name="y"),
            results("a5", "a4", ("c1", "ls", "a")),
            answer("a6", "a5", "done", second=5),
        )
    )
    diagnosis = read(line(HEADER) + open_there)
    assert diagnosis.verdict is Verdict.CLEAN
    plan = fork_plan_at(diagnosis, EntryId("a3"))
    wanted = in_place(diagnosis, plan)
    assert wanted is not None
    assert plan.closing
    assert not wanted.allowed
    assert "copy" in wanted.refusal


class TestOption:
    def test_second_choice_of_a_fork(self, place: Place) -> None:
        place.put(records())
        preflight = place.look("a5")
        names = [option.name for option in preflight.options]
        assert names[1:3] == ["Fork and resume", WORDS]
        assert preflight.default is OptionId.FORK
        option = preflight.option(OptionId.IN_PLACE)
        assert option is not None
        assert option.enabled
        assert option.consequence == "the later records stay as another branch"
        added = preflight.writes[-1]
        size = place.path.stat().st_size
        assert (added.sign, added.amount) == ("+", "1 record")
        assert added.place == f"or in this session, at byte {size:,}"
        assert added.preview == "marker: next turn after line 5"

    def test_not_on_a_resume_and_not_without_a_record(self, place: Place) -> None:
        place.put(records())
        for preflight in (place.look("a5", forking=False), place.look(None)):
            assert preflight.option(OptionId.IN_PLACE) is None
            assert all("marker" not in write.preview for write in preflight.writes)

    @pytest.mark.parametrize("why", ["recent", "held", "hard link", "first", "last"])
    def test_refused_with_its_reason(self, place: Place, why: str) -> None:
        place.put(records(), 20_000 if why == "recent" else HOUR)
        if why == "held":
            place.pane = Holder(HolderKind.CERTAIN, "the agent in pane 1")
        if why == "hard link":
            os.link(place.path, place.path.with_name("other.jsonl"))
        preflight = place.look({"first": "a1", "last": "a6"}.get(why, "a5"))
        option = preflight.option(OptionId.IN_PLACE)
        assert option is not None
        assert not option.enabled
        assert option.consequence
        assert option.consequence != "the later records stay as another branch"
        assert all("marker" not in write.preview for write in preflight.writes)


class TestWriting:
    def test_the_leaf_is_the_chosen_record(self, place: Place) -> None:
        place.put(records())
        before = place.path.read_bytes()
        time = place.path.stat().st_mtime_ns
        preflight = place.look("a5")
        ready = place.steps.do(preflight, Decision(OptionId.IN_PLACE))
        after = place.path.read_bytes()
        assert after.startswith(before)
        assert json.loads(after[len(before) :]) == {"type": "position", "leafId": "a4"}
        diagnosis = read(after)
        assert diagnosis.leaf == "a4"
        assert diagnosis.verdict is Verdict.CLEAN
        assert {"a5", "a6"} <= set(diagnosis.session.nodes)
        assert place.path.stat().st_mtime_ns == time
        assert ready.session_path == str(place.path)
        assert ready.plan.allowed
        assert ready.prompt == "and now?"
        assert ready.sentence == "Continues from line 5 in this session, u undoes it"
        assert [each.what for each in read_journal(place.state_dir)] == ["begin", "done"]

    def test_it_is_undone(self, place: Place) -> None:
        place.put(records())
        before = place.path.read_bytes()
        place.steps.do(place.look("a3"), Decision(OptionId.IN_PLACE))
        assert place.path.read_bytes() != before
        place.steps.undo(str(place.path))
        assert place.path.read_bytes() == before
        with pytest.raises(RefusedError):
            place.steps.undo(str(place.path))

    def test_what_the_agent_adds_hangs_from_the_record(self, place: Place) -> None:
        place.put(records())
        place.steps.do(place.look("a5"), Decision(OptionId.IN_PLACE))
        with place.path.open("ab") as file:
            file.write(user("b1", "a4", "another way", second=9))
        diagnosis = read(place.path.read_bytes())
        assert [node.id for node in diagnosis.branch.entries] == ["a1", "a2", "a3", "a4", "b1"]
        with pytest.raises(RefusedError, match="since"):
            place.steps.undo(str(place.path))

    @pytest.mark.parametrize("why", ["changed", "held now", "not offered", "no leaf", "recent"])
    def test_nothing_is_written_where_it_is_refused(self, place: Place, why: str) -> None:
        place.put(records(), 20_000 if why == "recent" else HOUR)
        preflight = place.look("a5", forking=why != "not offered")
        if why == "changed":
            place.put(records() + user("a7", "a6", "more", second=9))
        if why == "held now":
            place.pane = Holder(HolderKind.CERTAIN, "the agent in pane 1")
        if why == "no leaf":
            preflight = replace(preflight, in_place=InPlace(None, 0, ""))
        before = place.path.read_bytes()
        with pytest.raises(RefusedError):
            place.steps.do(preflight, Decision(OptionId.IN_PLACE))
        assert place.path.read_bytes() == before
        assert not place.state_dir.exists() or not read_journal(place.state_dir)

    def test_a_record_that_ink_would_not_take_is_refused(self, place: Place) -> None:
        place.put(records())
        with open_strictly(place.path, write=False) as opened:
            state = opened.state()
        before = place.path.read_bytes()
        for leaf in ("nowhere", "a2"):  # not in the file; leaves an open call
            with pytest.raises(RefusedError, match="from this record"):
                continue_in_place(
                    place.path,
                    state,
                    InPlace(EntryId(leaf), 1, ""),
                    state_dir=place.state_dir,
                    now_ms=NOW,
                    fresh=Freshness.COLD,
                    holder=NOBODY,
                )
        assert place.path.read_bytes() == before


@pytest.mark.parametrize("path", sorted(CASES_DIR.glob("*/*.jsonl")), ids=lambda p: p.parent.name)
def test_the_marker_holds_at_every_record_of_every_case(path: Path) -> None:
    """Wherever it is offered, Ink's rule finds the chosen record, and it can be continued."""
    content = path.read_bytes()
    diagnosis = read(content)
    for node in diagnosis.branch.entries:
        if node.id is None:
            continue
        plan = fork_plan_at(diagnosis, node.id)
        wanted = in_place(diagnosis, plan)
        if wanted is None or not wanted.allowed or wanted.leaf is None:
            continue
        marker = json.dumps({"type": "position", "leafId": wanted.leaf}).encode() + b"\n"
        after = read(content + marker)
        assert after.leaf == wanted.leaf == plan.end
        assert after.verdict is Verdict.CLEAN
