"""Branches beside each other: copies and originals, what they touched, what is offered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.compare import compare, same_record
from ink_tui.model.compare_choices import (
    MOST_BRANCHES,
    OtherKind,
    end_for_copy,
    newest_below,
    other_branches,
    other_sessions,
)
from ink_tui.model.compare_lines import ANSWERED_BELOW, compared_lines
from ink_tui.model.entries import EntryId
from ink_tui.model.fork_points import fork_plan, fork_plan_at
from ink_tui.model.light import lighten
from ink_tui.model.row_making import row_of
from ink_tui.model.tree import branch_to
from ink_tui.model.words import Mark
from ink_tui.store.fork import write_fork
from ink_tui.store.repair_plan import diagnosis_of
from tests.session_rows import DEMO, session_row
from tests.sessions import HEADER, answer, entry, line, read, results, session, user
from tests.unit.case_files import sample_files

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.model.entries import Node
    from ink_tui.model.verdict import Diagnosis

NOW = 1_772_453_040_000


def ids(nodes: tuple[Node, ...]) -> list[str]:
    return [str(node.id) for node in nodes]


def two_ways() -> bytes:
    """Return a session with two branches that touch files and run commands."""
    return session(
        user("a1", None, "go", second=1),
        answer("a2", "a1", "both", second=2),
        user("b1", "a2", "this way", second=3),
        answer(
            "b2",
            "b1",
            calls=(
                ("c1", "edit", {"path": "src/a.py", "oldText": "x", "newText": "y\nz"}),
                ("c2", "bash", {"command": "make"}),
                ("c3", "read", {"path": "only-left.txt"}),
            ),
            second=4,
        ),
        results("b3", "b2", ("c1", "edit", "ok"), ("c2", "bash", "no\nExit code: 2"), second=5),
        user("d1", "a2", "that way", second=6),
        answer(
            "d2",
            "d1",
            calls=(("c4", "write", {"path": f"{HEADER['cwd']}/src/a.py", "content": "q"}),),
        ),
        results("d3", "d2", ("c4", "write", "ok"), second=8),
    )


# Copies and their originals


def copied(root: Path, data: bytes, at: str | None = None) -> tuple[Diagnosis, bytes]:
    """Make a copy by the program's own means; return it with its bytes."""
    path = root / "project" / "original.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    diagnosis = diagnosis_of(data)
    plan = fork_plan(diagnosis) if at is None else fork_plan_at(diagnosis, EntryId(at))
    outcome = write_fork(path, plan, root=root, now_ms=NOW)
    copy = outcome.path.read_bytes()
    return diagnosis_of(copy), copy


def test_a_copy_and_what_the_original_gained_since(tmp_path: Path) -> None:
    data = two_ways()
    copy, raw = copied(tmp_path, data)
    grown = diagnosis_of(data + user("e1", "d3", "more", second=20))
    mine = diagnosis_of(raw + user("f1", "d3", "else", second=30))
    found = compare((mine, mine.leaf), (grown, end_for_copy(grown, mine)))
    assert ids(found.left.common) == ids(found.right.common) == ["a1", "a2", "d1", "d2", "d3"]
    assert (ids(found.left.own), ids(found.right.own)) == (["f1"], ["e1"])
    assert not found.same_session
    assert compare((copy, copy.leaf), (grown, grown.leaf)).left.own == ()


def test_a_copy_of_a_branch_that_was_left_goes_beside_that_branch(tmp_path: Path) -> None:
    data = two_ways()
    copy, _raw = copied(tmp_path, data, "b3")
    original = diagnosis_of(data)
    assert end_for_copy(original, copy) == "b3"
    assert ids(compare((copy, copy.leaf), (original, EntryId("b3"))).left.common)[:3] == [
        "a1",
        "a2",
        "b1",
    ]


def test_a_copy_of_an_open_call_has_a_result_of_its_own(tmp_path: Path) -> None:
    data = session(user("a1", None, "go"), answer("a2", "a1", calls=(("c1", "bash", {}),)))
    copy, _raw = copied(tmp_path, data)
    grown = diagnosis_of(data + results("a3", "a2", ("c1", "bash", "done")))
    found = compare((copy, copy.leaf), (grown, grown.leaf))
    assert ids(found.left.common) == ["a1", "a2"]
    assert len(found.left.own) == len(found.right.own) == 1
    lines = compared_lines(found)
    assert lines.common[-1][0] is not None
    assert lines.common[-1][0].notes == (ANSWERED_BELOW,)
    assert [side.totals.tools[0].calls for side in (found.left, found.right)] == [1, 1]


@pytest.mark.parametrize("shift", [0, 5])
def test_other_ids_with_the_same_words_are_common(shift: int) -> None:
    one = read(session(user("a1", None, "go"), answer("a2", "a1", "yes")))
    head = line({**HEADER, "id": "other"})
    other = read(head + user("z9", None, "go") + answer("z8", "z9", "yes", second=2 + shift))
    found = compare((one, one.leaf), (other, other.leaf))
    assert found.common == (2 if not shift else 1)


def test_the_same_ids_with_other_words_are_not_common() -> None:
    one = read(session(user("a1", None, "to")))
    other = read(line({**HEADER, "id": "other"}) + user("a1", None, "go"))
    assert compare((one, one.leaf), (other, other.leaf)).common == 0


def test_a_text_of_which_the_start_is_kept_is_the_same_text() -> None:
    node = read(session(user("a1", None, "x" * 3_000))).branch.entries[0]
    light = lighten(node)
    assert light is not node
    assert same_record(node, light)  # type: ignore[arg-type]  # a message stays a message
    elsewhere = replace(node, id=EntryId("b1"))
    assert not same_record(elsewhere, light)  # type: ignore[arg-type]


def test_every_copy_of_every_sample_shares_what_was_copied(tmp_path: Path) -> None:
    copies = 0
    root = tmp_path / "root"
    for number, path in enumerate(sample_files(tmp_path / "samples")):
        diagnosis = diagnosis_of(path.read_bytes())
        plan = fork_plan(diagnosis)
        if not plan.allowed or plan.moved:
            continue
        folder = root / str(number)
        folder.mkdir(parents=True)
        outcome = write_fork(path, plan, root=root, now_ms=NOW, folder=folder)
        copy = diagnosis_of(outcome.path.read_bytes())
        found = compare((copy, copy.leaf), (diagnosis, end_for_copy(diagnosis, copy)))
        assert ids(found.left.common) == ids(plan.entries), path
        copies += 1
    assert copies > 20


def test_branches_of_the_samples(tmp_path: Path) -> None:
    branches = 0
    for path in sample_files(tmp_path):
        diagnosis = diagnosis_of(path.read_bytes())
        for other in other_branches(diagnosis):
            found = compare((diagnosis, diagnosis.leaf), (diagnosis, other.leaf))
            assert len(found.right.own) == other.records
            assert (*found.right.common, *found.right.own) == branch_to(
                found.right.diagnosis.session, other.leaf
            ).entries
            branches += 1
    assert branches > 5


# What was done


def test_files_commands_and_figures_of_each_side() -> None:
    diagnosis = read(two_ways())
    found = compare((diagnosis, diagnosis.leaf), (diagnosis, EntryId("b3")))
    assert found.left.current
    assert not found.right.current
    both, only = found.files
    assert both.path == "src/a.py"
    assert both.both_changed
    assert both.right is not None
    assert (both.right.added, both.right.removed) == (2, 1)
    assert only.path == "only-left.txt"
    assert only.left is None
    assert not only.both_changed
    assert [each.exit_code for each in found.right.totals.commands] == [2]
    assert found.left.totals.commands == ()
    assert found.right.totals.turns == 1
    assert (found.right.since_ms, found.right.last_ms) == (NOON_3, NOON_3 + 2_000)


NOON_3 = 1_772_438_403_000
"""Three seconds after eight, as `tests.sessions` counts."""


# What is offered


def test_the_nearest_branch_is_offered_first() -> None:
    diagnosis = read(
        session(
            user("a1", None, "go", second=1),
            answer("x1", "a1", "early", second=2),
            answer("a2", "a1", "on", second=3),
            user("a3", "a2", "again", second=4),
            answer("y1", "a3", "late", second=5),
            user("y2", "y1", "more", second=6),
            answer("a4", "a3", "end", second=7),
        )
    )
    assert [other.leaf for other in other_branches(diagnosis)] == ["y2", "x1"]
    assert [other.leaf for other in other_branches(diagnosis, EntryId("a1"))] == ["x1", "y2"]
    first = other_branches(diagnosis, EntryId("a4"))[0]
    assert (first.kind, first.title, first.records) == (OtherKind.BRANCH, "assistant late", 2)
    assert newest_below(diagnosis, EntryId("a1")) == "a4"
    assert newest_below(diagnosis, EntryId("y1")) == "y2"
    assert newest_below(diagnosis, EntryId("none")) is None


def test_very_many_branches_are_offered_in_part() -> None:
    tips = b"".join(answer(f"t{n}", "a1", f"try {n}", second=n) for n in range(500))
    diagnosis = read(session(user("a1", None, "go")) + tips)
    offered = other_branches(diagnosis)
    assert len(offered) == MOST_BRANCHES
    assert offered[0].leaf == "t498"


def test_the_original_and_the_copies_are_offered() -> None:
    head = {**HEADER, "forkedFrom": {"id": "origin", "entry": "a1"}}
    diagnosis = read(line(head) + user("a1", None, "go"))
    own = row_of(diagnosis, "/own")
    origin = replace(session_row("the first", DEMO, 9), session_id="origin")
    copy = replace(session_row("a try", DEMO, 3), forked_from=HEADER["id"], forked_at="a1")
    found = other_sessions(diagnosis, (own, origin, copy, session_row("no kin", DEMO, 1)))
    assert [(other.kind, other.title) for other in found] == [
        (OtherKind.PARENT, "the first"),
        (OtherKind.FORK, "a try"),
    ]
    assert other_sessions(diagnosis, (own,)) == ()


def test_a_session_without_header_has_no_kin() -> None:
    assert other_sessions(read(b"not json\n"), ()) == ()


def test_rows_stand_turn_beside_turn() -> None:
    diagnosis = read(
        session(
            user("a1", None, "go"),
            answer("b1", "a1", "one"),
            answer("b2", "b1", "two"),
            user("b3", "b2", "next left"),
            entry("session_info", "d0", "a1", 9, name="named"),
            user("d1", "d0", "next right", second=10),
        )
    )
    lines = compared_lines(compare((diagnosis, EntryId("b3")), (diagnosis, EntryId("d1"))))
    told = [tuple(row.text if row else None for row in pair) for pair in lines.own]
    assert told == [("one", "named"), ("two", None), ("next left", "next right")]


@pytest.mark.parametrize(
    ("running", "note"), [((), "no result saved; may have run"), ((0,), "running")]
)
def test_an_open_call_is_as_loud_as_in_the_tree(running: tuple[int, ...], note: str) -> None:
    diagnosis = read(
        session(
            user("a1", None, "go"),
            answer("b1", "a1", calls=(("c1", "bash", {"command": "left"}),)),
            answer("d1", "a1", calls=(("c2", "bash", {"command": "open"}),), second=4),
        )
    )
    found = compare((diagnosis, EntryId("d1")), (diagnosis, EntryId("b1")))
    ((left, right),) = compared_lines(found, running).own
    assert left is not None
    assert right is not None
    assert left.notes == (note,)
    assert not left.dim
    assert (right.notes, right.mark, right.dim) == (("no result, left branch",), Mark.NONE, True)
