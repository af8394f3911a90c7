"""The tree as rows: kinds, folds, marks, places of damage, and that nothing is left out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.faults import FaultCode, Severity
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_rows import CallLook, FilterMode, Outline, OutlineRow, Rail, RowKind
from ink_tui.model.outline_view import (
    Jump,
    containers,
    jump,
    nearest_visible,
    parent_key,
    visible_rows,
)
from ink_tui.model.words import Mark
from tests.cases import CASES_DIR, REAL_DIR
from tests.every_kind import TORN, every_kind, summarised
from tests.sessions import answer, entry, line, read, results, session, user

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.model.verdict import Diagnosis

SAMPLES = [*sorted(CASES_DIR.glob("*/*.jsonl")), *sorted(REAL_DIR.glob("*.jsonl"))]


def outline_of(data: bytes, *, running: bool = False, writing: bool = False) -> Outline:
    children = {"child-1": 18}
    return build_outline(read(data), child_records=children, running=running, writing=writing)


def everything_open(outline: Outline) -> set[str]:
    return {row.key for row in outline.rows if row.foldable}


def covered(outline: Outline) -> set[int]:
    """First bytes of all lines that some row stands for."""
    own = {row.span.offset for row in outline.rows if row.span is not None}
    merged = {row.result_span.offset for row in outline.rows if row.result_span is not None}
    return own | merged


def to_cover(diagnosis: Diagnosis) -> set[int]:
    """First bytes of all records and of all lines that cannot be read."""
    found = {record.span.offset for record in diagnosis.session.records}
    found |= {piece.record.span.offset for piece in diagnosis.session.recovered}
    found |= {
        fault.span.offset
        for fault in diagnosis.session.faults
        if fault.span is not None and fault.severity is not Severity.INFO
    }
    return found


def assert_complete(diagnosis: Diagnosis) -> Outline:
    """Check that every record and bad line has its row, once, when all is unfolded."""
    outline = build_outline(diagnosis)
    assert covered(outline) == to_cover(diagnosis)
    keys = [row.key for row in outline.rows]
    assert len(keys) == len(set(keys))
    shown = visible_rows(outline, everything_open(outline), FilterMode.ALL)
    assert [row.key for row in shown] == keys
    for at, row in enumerate(outline.rows):
        if row.inside is not None:
            assert outline.places[row.inside] < at
            assert outline.rows[outline.places[row.inside]].foldable
    return outline


def said(row: OutlineRow) -> str:
    """A row in one line for comparing: rail or mark, depth, kind, text, notes."""
    edge = row.mark.value if row.mark is not Mark.NONE else row.rail.value
    flags = "".join(
        flag
        for flag, holds in (("dim", row.dim), ("kept", row.kept), ("fold", row.foldable))
        if holds
    )
    notes = ", ".join(row.notes)
    return f"{edge}|{row.depth}|{row.word}|{row.text}|{notes}|{flags}"


def test_a_session_with_every_kind_of_record() -> None:
    shown = visible_rows(outline_of(every_kind()))
    assert [said(row) for row in shown] == [
        "gone|0|model|zai/glm-5.3||dim",
        "gone|0|user|fix sum(), keep the interface||dim",
        "gone|0||||dimfold",
        "gone|0|user|也要处理空数组和 NaN 的情况||kept",
        "gone|0|assistant|空数组返回 0||kept",
        "trunk|0|compacted|||",
        "trunk|0|assistant|Next the whole suite||",
        "trunk|0|task|check it||",
        "trunk|0|user|what about -0?||",
        "trunk|1|user|try a lookup table||fold",
        "trunk|1|user|用 reduce 重写||",
        "trunk|0|level|thinking high||",
        "trunk|0|name|the sum||",
        "trunk|0|summary|tables were tried||",
        "trunk|0|thinking|Math.sign keeps the zero sign||",
        "decide|0|edit|src/sum.ts|no result saved; may have run|",
        "decide|0|bash|npm test|no result saved; may have run|",
        "resume|0|resume point|the next turn is attached here||",
        f"decide|0|torn tail|{len(TORN)} bytes, not a complete record"
        f"|byte {len(every_kind()) - len(TORN):,}, line 38|",
        "none|0|not connected|1 record whose parent was never written||",
        "damaged|0|user|and update the changelog|parent 7f3a91c2 missing, line 36|",
    ]
    fold, band = shown[2], shown[5]
    assert (fold.kind, fold.count) == (RowKind.FOLD, 12)
    assert band.sizes is not None
    assert (band.sizes.before, band.sizes.after, band.sizes.kept) == (118000, 106, 2)
    task, turn = shown[7], shown[8]
    assert (task.child_records, task.duration_ms) == (18, 29_000)
    assert turn.label == "before-refactor"
    assert [row.count for row in shown[9:11]] == [2, 1]
    assert [row.last_stub for row in shown[9:11]] == [False, True]
    assert shown[15].changes == (2, 1)
    assert shown[15].duration_ms is None


def test_all_shows_labels_and_position_markers_too() -> None:
    outline = outline_of(every_kind())
    more = {row.key for row in visible_rows(outline, (), FilterMode.ALL)}
    usual = {row.key for row in visible_rows(outline)}
    kinds = sorted(row.word for row in outline.rows if row.key in more - usual)
    assert kinds == ["label", "position"]


def test_an_opened_branch_indents_by_two_and_a_failed_command_says_so() -> None:
    outline = outline_of(every_kind())
    stub = next(row for row in outline.rows if row.stub and row.foldable)
    inner = [row for row in outline.rows if row.inside == stub.key]
    assert [(row.text, row.indent) for row in inner] == [("a table", 2)]
    assert stub.key not in {row.inside for row in visible_rows(outline)}
    failed = next(row for row in outline.rows if row.failed)
    assert (failed.text, failed.notes, failed.duration_ms) == ("npm test 1", ("exit 1",), 8000)


def test_up_to_eight_summarised_rows_do_not_fold() -> None:
    def folds(turns: int) -> list[int]:
        data = session(
            user("m1", None, "go"),
            *summarised(turns),
            entry("compaction", "k1", f"z{turns - 1}", 900, summary="S", retainedTail=[]),
        )
        return [row.count for row in outline_of(data).rows if row.kind is RowKind.FOLD] and [
            row.count for row in visible_rows(outline_of(data)) if row.kind is RowKind.FOLD
        ]

    assert folds(4) == []
    assert folds(5) == [10]


def test_open_calls_are_loud_in_the_context_and_quiet_elsewhere() -> None:
    call = (("c1", "bash", {"command": "make"}),)
    left = session(
        user("u1", None, "go"), answer("a1", "u1", calls=call), user("u2", "u1", "again", 9)
    )
    before = session(
        user("u1", None, "go"),
        answer("a1", "u1", calls=call),
        user("u2", "a1", "on", 9),
        entry("compaction", "k1", "u2", 10, summary="S", retainedTail=[]),
    )
    gap = session(user("u1", None, "go"), answer("a1", "u1", calls=call), user("u2", "a1", "on", 9))
    tail = session(user("u1", None, "go"), answer("a1", "u1", calls=call))
    wanted = {
        left: (CallLook.LEFT, Mark.NONE, "no result, left branch"),
        before: (CallLook.BEFORE, Mark.NONE, "no result, before the compaction"),
        gap: (CallLook.GAP, Mark.DECIDE, "no result saved; the chat went on"),
        tail: (CallLook.OPEN, Mark.DECIDE, "no result saved; may have run"),
    }
    for data, expected in wanted.items():
        row = next(row for row in outline_of(data).rows if row.call is not None)
        assert (row.look, row.mark, row.notes[0]) == expected
    running = next(row for row in outline_of(tail, running=True).rows if row.call is not None)
    assert (running.look, running.mark) == (CallLook.RUNNING, Mark.LIVE)


def test_an_open_call_of_the_kept_tail_has_a_row_even_without_its_original() -> None:
    kept = {
        "role": "assistant",
        "blocks": [{"type": "toolCall", "id": "k9", "name": "bash", "arguments": {"command": "x"}}],
        "usage": {},
        "stopReason": "tool_use",
    }
    data = session(
        user("u1", None, "go"),
        entry("compaction", "k1", "u1", 10, summary="S", retainedTail=[kept]),
    )
    rows = outline_of(data).rows
    words = [row.word for row in rows]
    assert words == ["user", "compacted", "bash", "resume point"]
    assert rows[2].look is CallLook.OPEN


def test_an_unreadable_line_stands_where_it_stands_in_the_file() -> None:
    first, second = user("u1", None, "one"), user("u2", "u1", "two", 9)
    data = session(first, b'{"type":"mess\n', second)
    rows = outline_of(data).rows
    assert [row.word for row in rows] == ["user", "bad line", "user", "resume point"]
    offset = len(data) - len(second) - len(b'{"type":"mess\n')
    assert rows[1].notes == (f"byte {offset:,}", "line 3")
    assert (rows[1].mark, rows[1].text) == (Mark.DAMAGED, "line 3 cannot be read")


def test_a_marker_that_labels_made_stale_is_said_at_the_resume_point() -> None:
    data = session(
        user("u1", None, "one"),
        answer("a1", "u1", "the answer", second=5),
        line({"type": "position", "leafId": "u1"}),
        entry("label", "l1", "u1", 6, targetId="a1", label="here"),
    )
    rows = outline_of(data).rows
    resume = rows[-1]
    assert (resume.kind, resume.mark, resume.text) == (RowKind.RESUME, Mark.DECIDE, "one")


def test_cycles_and_orphans_are_not_connected_each_once() -> None:
    data = session(
        user("r1", "r2", "ring one"),
        user("r2", "r1", "ring two", 2),
        user("o1", "gone", "orphan", 3),
        answer("o2", "o1", "its answer", second=4),
        user("u1", None, "the trunk", 9),
    )
    outline = assert_complete(read(data))
    at = next(n for n, row in enumerate(outline.rows) if row.kind is RowKind.HEADING)
    heading, *rest = outline.rows[at:]
    assert heading.text == "2 records whose parent was never written, 2 records in a ring"
    assert [row.text for row in rest] == ["orphan", "its answer", "ring one", "ring two"]
    assert [row.mark for row in rest] == [Mark.DAMAGED, Mark.NONE, Mark.DAMAGED, Mark.DAMAGED]


def test_records_whose_id_is_used_again_are_shown_as_replaced() -> None:
    data = session(user("u1", None, "first"), user("u1", None, "second", 2))
    rows = assert_complete(read(data)).rows
    assert [row.text for row in rows if row.kind is RowKind.USER] == ["second", "first"]
    assert rows[-1].notes == ("its id is used again later",)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_record_of_the_samples_is_left_out(path: Path) -> None:
    assert_complete(read(path.read_bytes()))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_open_call_and_every_fault_of_a_line_is_marked(path: Path) -> None:
    diagnosis = read(path.read_bytes())
    outline = build_outline(diagnosis)
    seen = visible_rows(outline)
    loud = [
        row.call.call_id for row in seen if row.look in (CallLook.OPEN, CallLook.GAP) and row.call
    ]
    assert set(loud) >= {paired.call.call_id for paired in diagnosis.open_calls}
    marked = {row.span.offset for row in outline.rows if row.problem and row.span}
    # An open call of the kept tail is marked at its original, not at the compaction that copies it.
    marked |= {row.span.offset for row in outline.rows if row.sizes is not None and row.span}
    for fault in diagnosis.faults:
        quiet = fault.code in (FaultCode.DUPLICATE_ID, FaultCode.STALE_POSITION, FaultCode.CYCLE)
        if fault.span is not None and not quiet:
            assert fault.span.offset in marked, fault


def test_a_deep_chain_and_many_branches_need_no_recursion() -> None:
    chain = [user("n0", None, "start")]
    chain += [user(f"n{n}", f"n{n - 1}", f"turn {n}", n) for n in range(1, 5_000)]
    fan = [user(f"b{n}", "n0", f"branch {n}", 1) for n in range(2_000)]
    started = time.process_time()
    outline = assert_complete(read(session(chain[0], *fan, *chain[1:])))
    assert sum(row.stub for row in outline.rows) == 2_000
    assert max(row.depth for row in outline.rows) == 1
    # Every branch point of this one opens a branch of a branch.
    comb = [user("n0", None, "start")]
    parent = "n0"
    for number in range(2_000):
        comb.append(user(f"s{number}", parent, "old", number))
        comb.append(user(f"t{number}", parent, "new", number + 1))
        parent = f"s{number}"
    outline = assert_complete(read(session(*comb, user("end", "n0", "trunk", 4_000))))
    deepest = max(outline.rows, key=lambda row: row.depth)
    assert deepest.depth > 1_000
    assert deepest.indent == 12
    assert deepest.deeper
    assert len(containers(outline, deepest.key)) > 1_000
    assert time.process_time() - started < 20


# Filters, selection, jumps


def test_no_filter_hides_an_open_call() -> None:
    outline = outline_of(every_kind())
    for mode in FilterMode:
        loud = [row.text for row in visible_rows(outline, (), mode) if row.look is CallLook.OPEN]
        assert loud == ["src/sum.ts", "npm test"], mode


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        (FilterMode.USER_ONLY, {"", "user", "compacted", "edit", "bash", "resume point"}),
        (FilterMode.LABELLED, {"user", "edit", "bash", "resume point"}),
        (FilterMode.PROBLEMS, {"edit", "bash", "resume point", "torn tail", "user"}),
    ],
)
def test_filters_keep_what_they_name(mode: FilterMode, words: set[str]) -> None:
    rows = visible_rows(outline_of(every_kind()), (), mode)
    assert {row.word for row in rows if row.kind is not RowKind.HEADING} == words - (
        {""} if mode is FilterMode.USER_ONLY else set()
    )
    if mode is FilterMode.LABELLED:
        assert [row.label for row in rows if row.word == "user"] == ["before-refactor"]


def test_hidden_rows_hand_the_selection_to_the_nearest_that_is_seen() -> None:
    outline = outline_of(every_kind())
    seen = {row.key for row in visible_rows(outline)}
    folded = next(row for row in outline.rows if row.text == "step 3")
    fold = next(row for row in outline.rows if row.kind is RowKind.FOLD)
    assert nearest_visible(outline, seen, folded.key) == fold.key
    inner = next(row for row in outline.rows if row.text == "a table")
    assert nearest_visible(outline, seen, inner.key) == inner.inside
    only_users = {row.key for row in visible_rows(outline, (), FilterMode.USER_ONLY)}
    summary = next(row for row in outline.rows if row.kind is RowKind.SUMMARY)
    turn = next(row for row in outline.rows if row.text == "what about -0?")
    near = outline.row(nearest_visible(outline, only_users, summary.key) or "")
    assert near == turn
    assert nearest_visible(outline, seen, "nowhere") is None


def test_jumps_find_their_things_and_problems_go_round() -> None:
    outline = outline_of(every_kind())

    def texts(kind: Jump, step: int, times: int, start: str | None = None) -> list[str]:
        found: list[str] = []
        key = start
        for _ in range(times):
            key = jump(outline, key, kind, step)
            if key is None:
                break
            row = outline.row(key)
            assert row is not None
            found.append(row.text or row.word)
        return found

    problems = ["src/sum.ts", "npm test", f"{len(TORN)} bytes, not a complete record"]
    problems.append("and update the changelog")
    assert texts(Jump.PROBLEM, 1, 5) == [*problems, problems[0]]
    assert texts(Jump.TURN, 1, 9)[:2] == [
        "fix sum(), keep the interface",
        "也要处理空数组和 NaN 的情况",
    ]
    assert texts(Jump.COMPACTION, 1, 3) == ["compacted"]
    assert texts(Jump.BRANCH, 1, 3) == ["what about -0?"]
    assert texts(Jump.PROBLEM, -1, 1, outline.resume_key) == ["npm test"]


def test_fold_leads_from_a_branch_to_its_point_and_from_the_trunk_to_its_turn() -> None:
    outline = outline_of(every_kind())
    rows = visible_rows(outline, everything_open(outline))
    by_text = {row.text: row.key for row in rows}
    assert parent_key(outline, rows, by_text["a table"]) == by_text["try a lookup table"]
    assert parent_key(outline, rows, by_text["用 reduce 重写"]) == by_text["what about -0?"]
    assert parent_key(outline, rows, by_text["tables were tried"]) == by_text["what about -0?"]
    assert parent_key(outline, rows, rows[0].key) is None


def test_rails_say_what_the_model_sees() -> None:
    outline = outline_of(every_kind())
    band = next(at for at, row in enumerate(outline.rows) if row.sizes is not None)
    assert {row.rail for row in outline.rows[:band]} == {Rail.GONE}
    end = outline.places["resume"]
    assert {row.rail for row in outline.rows[band:end]} == {Rail.TRUNK}


def test_an_empty_session_says_so() -> None:
    assert outline_of(session()).empty
    assert not outline_of(every_kind()).empty
    assert outline_of(session(results("r1", None, ("c", "bash", "x")))).rows[0].problem
