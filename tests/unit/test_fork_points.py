"""Where a session can be forked: the rules of `design.md` section 6, on every sample file."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from ink_tui.formats.ink.encode import (
    NewResult,
    encode_assistant,
    encode_header,
    encode_line,
    encode_tool_results,
    encode_user,
    iso_stamp,
)
from ink_tui.formats.registry import INK
from ink_tui.model.context import build_context
from ink_tui.model.entries import EntryId, MessageEntry, UnknownEntry
from ink_tui.model.fork_points import ForkHow, fork_plan, fork_plan_at, fork_points
from ink_tui.model.fork_scan import path_states
from ink_tui.model.messages import ToolCall
from ink_tui.model.tool_calls import pair_calls
from ink_tui.model.tree import branch_to
from ink_tui.model.verdict import Diagnosis, diagnose
from tests.unit.case_files import case_bytes, sample_files

if TYPE_CHECKING:
    from pathlib import Path


def diagnosed(data: bytes) -> Diagnosis:
    parser = INK.parser()
    parser.feed(data)
    return diagnose(parser.session())


def case(name: str) -> Diagnosis:
    return diagnosed(case_bytes(name))


def test_path_states_equal_a_walk_of_each_path(samples: list[Path]) -> None:
    """The one walk over the tree says of each entry what its own path says alone."""
    compared = 0
    for path in samples:
        diagnosis = diagnosed(path.read_bytes())
        states = path_states(diagnosis.session, diagnosis.tree)
        entries = list(diagnosis.session.nodes)
        # Each path alone costs the square of the file, so of large files a part will do.
        for entry_id in entries[:: max(1, len(entries) // 60)]:
            branch = branch_to(diagnosis.session, entry_id)
            whole = branch.error is None and not any(
                isinstance(node, UnknownEntry) for node in branch.entries
            )
            context = build_context(branch.entries)
            pairing = pair_calls([item.message for item in context.messages])
            good = (
                whole
                and context.error is None
                and pairing.refusal is None
                and any(isinstance(node, MessageEntry) for node in branch.entries)
            )
            state = states.get(entry_id)
            assert (state is not None and state.good) == good, (path, entry_id)
            if state is not None and good:
                assert state.open == bool(pairing.closable), (path, entry_id)
                assert state.depth == len(branch.entries)
            compared += 1
    print(f"paths compared: {compared}")
    assert compared > 200


_KINDS = ["user", "call", "two calls", "result", "wrong result", "compaction", "setting"]


def test_branches_do_not_know_of_each_other() -> None:
    """Any tree: what the walk knows of one branch is gone when it comes to the next."""
    for seed in range(400):
        draw = random.Random(seed)
        _check_tree([(draw.choice(_KINDS), draw.randrange(31)) for _ in range(12)])


def _check_tree(steps: list[tuple[str, int]]) -> None:
    """Compare the walk with each path alone.

    Args:
        steps: For each record its kind and a number that chooses its parent.
    """
    lines = [encode_header("s", 0, "/w")]
    open_calls: list[list[str]] = [[]]
    for number, (kind, at) in enumerate(steps, 1):
        parent_number = at % number
        parent = f"e{parent_number}" if parent_number else None
        pending = list(open_calls[parent_number])
        name = f"e{number}"
        if kind == "user":
            lines.append(encode_user(name, parent, number, "hello"))
        elif kind in ("call", "two calls"):
            new = [f"c{number % 5}"] if kind == "call" else [f"c{number % 5}", f"d{number}"]
            calls = [ToolCall(call, "bash", {}) for call in new]
            lines.append(encode_assistant(name, parent, number, calls, "tool_use"))
            pending += new
        elif kind in ("result", "wrong result"):
            call = pending.pop() if kind == "result" and pending else "nobody"
            results = [NewResult(call, "bash", "", False)]
            lines.append(encode_tool_results(name, parent, number, results))
        elif kind == "compaction":
            record = {"type": kind, "id": name, "parentId": parent, "timestamp": iso_stamp(number)}
            lines.append(encode_line({**record, "summary": "s", "retainedTail": []}))
            pending = []
        else:
            record = {"type": "session_info", "id": name, "parentId": parent}
            lines.append(encode_line({**record, "timestamp": iso_stamp(number), "name": "n"}))
        open_calls.append(pending)
    diagnosis = diagnosed(b"".join(lines))
    states = path_states(diagnosis.session, diagnosis.tree)
    assert len(states) == len(steps)
    for entry_id, state in states.items():
        branch = branch_to(diagnosis.session, entry_id)
        pairing = pair_calls([item.message for item in build_context(branch.entries).messages])
        messages = any(isinstance(node, MessageEntry) for node in branch.entries)
        assert state.good == (messages and pairing.refusal is None)
        assert state.open == (state.good and bool(pairing.closable))
    for point in fork_points(diagnosis):
        plan = fork_plan_at(diagnosis, point.entry_id)
        assert plan.allowed
        assert plan.end == point.end
        assert bool(plan.closing) == point.closes


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return sample_files(tmp_path_factory.mktemp("cases"))


def ids(diagnosis: Diagnosis, entry: str) -> tuple[list[str | None], list[str], bool]:
    plan = fork_plan_at(diagnosis, EntryId(entry))
    assert plan.allowed, plan.sentence
    return (
        [node.id for node in plan.entries],
        [call.call_id for call in plan.closing],
        plan.moved,
    )


def test_a_user_message_copies_what_precedes_it() -> None:
    diagnosis = case("32-position-then-append")
    plan = fork_plan_at(diagnosis, EntryId("e3"))
    assert plan.how is ForkHow.BEFORE
    assert [node.id for node in plan.entries] == ["e1", "e2"]
    assert plan.prompt
    assert "kept for the prompt" in plan.sentence


def test_the_first_message_is_not_offered() -> None:
    diagnosis = case("32-position-then-append")
    assert fork_plan_at(diagnosis, EntryId("e1")).refusal == "nothing-precedes"
    assert "e1" not in {point.entry_id for point in fork_points(diagnosis)}


def test_an_answer_with_calls_takes_its_results_along() -> None:
    diagnosis = case("41-dangling-one-of-two")
    assert ids(diagnosis, "e3") == (["e1", "e2", "e3", "e4"], ["c2"], False)
    assert ids(diagnosis, "e4") == (["e1", "e2", "e3", "e4"], ["c2"], False)
    assert ids(diagnosis, "e2") == (["e1", "e2"], [], False)


def test_open_calls_are_closed_in_the_copy() -> None:
    plan = fork_plan(case("40-dangling-call"))
    assert [call.call_id for call in plan.closing] == ["c1"]
    assert not plan.moved
    assert "unknown whether it ran" in plan.sentence


def test_a_gap_forks_before_the_message_that_went_on() -> None:
    diagnosis = case("42-gap-in-middle")
    assert ids(diagnosis, "e3") == (["e1", "e2", "e3"], ["c1"], False)
    assert ids(diagnosis, "e4") == (["e1", "e2", "e3"], ["c1"], False)
    assert ids(diagnosis, "e5") == (["e1", "e2"], [], True)
    plan = fork_plan(diagnosis)
    assert plan.moved
    assert plan.end == "e2"
    assert "the chat went on" in plan.sentence
    assert "line 3" in plan.sentence


@pytest.mark.parametrize(
    ("name", "end", "word"),
    [
        ("26-missing-parent", "e2", "never written"),
        ("27-parent-cycle", "e1", "ring"),
        ("24-unknown-type-inside", "e2", "not known"),
        ("43-orphan-result", "e2", "no call"),
    ],
)
def test_a_damaged_session_forks_at_its_last_clean_record(name: str, end: str, word: str) -> None:
    plan = fork_plan(case(name))
    assert plan.allowed
    assert plan.moved
    assert plan.end == end, plan
    assert word in plan.sentence


def test_duplicate_call_ids_end_the_copy_before_the_second() -> None:
    plan = fork_plan(case("46-duplicate-call-id"))
    assert plan.moved
    assert "same id" in plan.sentence


def test_a_newer_version_is_refused() -> None:
    diagnosis = case("15-newer-version")
    assert fork_plan(diagnosis).refusal == "unsupported-version"
    assert fork_points(diagnosis) == ()


@pytest.mark.parametrize("name", ["12-empty-file"])
def test_nothing_to_copy(name: str) -> None:
    plan = fork_plan(case(name))
    assert not plan.allowed
    assert plan.sentence.endswith(".")
    assert not plan.entries


def test_labels_come_along_only_with_their_target() -> None:
    diagnosis = case("38-label-and-name")
    everything = fork_plan(diagnosis)
    targets = {label.target_id for label in everything.labels}
    assert targets
    assert targets <= {node.id for node in everything.entries}


def test_a_whole_session_is_copied_through_a_user_message_at_its_end() -> None:
    data = case_bytes("32-position-then-append").split(b"\n")
    diagnosis = diagnosed(b"\n".join(data[:2]) + b"\n")
    plan = fork_plan(diagnosis)
    assert plan.allowed
    assert plan.how is ForkHow.THROUGH
    assert plan.end == diagnosis.leaf


def test_an_unknown_entry_id_is_refused() -> None:
    assert fork_plan_at(case("40-dangling-call"), EntryId("zz")).refusal == "no-such-entry"


def test_points_agree_with_plans(samples: list[Path]) -> None:
    for path in samples:
        if path.stat().st_size > 100_000:
            continue
        diagnosis = diagnosed(path.read_bytes())
        points = {point.entry_id: point for point in fork_points(diagnosis)}
        for entry_id, node in diagnosis.session.nodes.items():
            plan = fork_plan_at(diagnosis, entry_id)
            if isinstance(node, UnknownEntry):
                continue
            assert plan.allowed == (entry_id in points), (path, entry_id, plan)
            if plan.allowed:
                point = points[entry_id]
                assert (point.end, point.moved, point.how) == (plan.end, plan.moved, plan.how)
                assert point.records == len(plan.entries)
                assert point.closes == bool(plan.closing)
