"""The context from any record: of every entry of every sample, against a reader of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from ink_tui.model import context
from ink_tui.model.context import Origin
from ink_tui.model.context_table import build_table
from ink_tui.model.entries import EntryId
from ink_tui.model.lens import Lens, Walk, lens_at, step_from, way_through
from ink_tui.store.demo import create_demo
from tests.context_reference import Expected, expected_context, raw_entries
from tests.every_kind import every_kind
from tests.properties.test_light import read_light
from tests.properties.test_outlines import FILES
from tests.reliability.samples import compacted, plain
from tests.sessions import answer, entry, read, session, user
from tests.unit.case_files import sample_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ink_tui.model.verdict import Diagnosis

MOST = 1_100
"""Entries that are compared of the one long sample, a chain of 5,000: each costs a walk."""
_WORDS = {"missing": "never written", "ring": "in a ring", "malformed": "messages it kept"}


def agree(data: bytes, most: int | None = None) -> int:
    """Compare the lens on every entry of a file with what its raw records say; return how many.

    Args:
        data: The file.
        most: Entries that are compared of a big file, evenly spread; the last one among them.
    """
    diagnosis = read(data)
    raw = raw_entries(data, diagnosis.session)
    entries = list(diagnosis.session.nodes)
    step = max(1, len(entries) // most) if most is not None else 1
    last: Lens | None = None
    for entry_id in reversed(entries[::-1][::step]):
        lens = lens_at(diagnosis.session, diagnosis.branch, entry_id, last)
        assert lens is not None
        compare(lens, expected_context(raw, entry_id))
        if most is None:  # what is kept from the step before changes nothing
            assert lens == lens_at(diagnosis.session, diagnosis.branch, entry_id)
        last = lens
    return len(entries[::step])


def compare(lens: Lens, expected: Expected) -> None:
    table = lens.table
    if expected.error:
        assert _WORDS[expected.error] in table.unavailable
        assert not table.rows
        return
    assert not table.unavailable
    rows = [row for row in table.rows if not row.open_call]
    assert lens.sent.context is not None
    messages = lens.sent.context.messages
    assert len(rows) == table.messages == len(messages) == len(expected.rows)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    roles = {"user": {"user", "summary"}, "assistant": {"assistant"}, "toolResult": {"result"}}
    for row, item, (of, why, role, chars) in zip(rows, messages, expected.rows, strict=True):
        assert (row.entry_id, row.origin, row.tokens) == (of, why, -(-chars // 4))
        assert item.chars == chars
        assert row.kind in roles.get(role, {"unknown"})
    assert (table.tokens, table.measured) == (expected.tokens, expected.measured)
    if not table.measured:
        assert table.tokens == -(-sum(item.chars for item in messages) // 4)
        assert abs(sum(tokens for _origin, tokens in table.parts) - table.tokens) <= len(rows)
    origins = [origin for origin, _tokens in table.parts]
    assert set(origins) <= {row.origin for row in rows}
    assert table.compacted is (bool(rows) and rows[0].origin is Origin.SUMMARY)
    first = expected.left_out[0] if expected.left_out else None
    assert (table.left_out, table.first_left_out) == (len(expected.left_out), first)
    assert table.left_out_tokens == expected.left_out_tokens
    pairing = lens.sent.pairing
    assert pairing is not None
    assert len([row for row in table.rows if row.open_call]) == len(expected.open_calls)
    if pairing.refusal is None:
        assert tuple(call.call.call_id for call in pairing.dangling) == expected.open_calls


def test_every_entry_of_every_sample(tmp_path: Path) -> None:
    contents = [path.read_bytes() for path in sample_files(tmp_path)]
    long = [data for data in contents if len(read(data).session.nodes) > MOST]
    assert len(long) == 1
    compared = sum(agree(data, MOST if data in long else 1_000_000) for data in contents)
    print(f"{len(contents)} files, {compared} entries")
    assert compared > 2_900


def test_every_entry_of_the_demo(tmp_path: Path) -> None:
    with create_demo(1_772_453_040_000, tmp_path / "demo") as demo:
        files = sorted(demo.root.rglob("*.jsonl"))
        compared = sum(agree(path.read_bytes()) for path in files)
    assert compared > 140


def test_every_entry_of_made_sessions() -> None:
    assert sum(agree(data) for data in (every_kind(), compacted(), plain(9_000))) > 100


@settings(max_examples=60)
@given(FILES)
def test_every_entry_of_any_session(data: bytes) -> None:
    agree(data)


def test_the_lens_on_the_leaf_says_what_the_verdict_rests_on(tmp_path: Path) -> None:
    compared = 0
    for path in sample_files(tmp_path):
        diagnosis = read(path.read_bytes())
        if diagnosis.leaf is None or diagnosis.leaf not in diagnosis.session.nodes:
            continue
        lens = lens_at(diagnosis.session, diagnosis.branch, diagnosis.leaf)
        assert lens is not None
        assert lens.table == build_table(diagnosis)
        assert (lens.sent.context, lens.sent.pairing) == (diagnosis.context, diagnosis.pairing)
        compared += 1
    assert compared > 30


def test_a_light_session_is_measured_as_a_whole_one() -> None:
    long = session(
        user("u1", None, "给解析器 " * 400),
        answer("a1", "u1", "word " * 900),
        entry("compaction", "k1", "a1", summary="S" * 3_000, retainedTail=[], tokensBefore=9),
        user("u2", "k1", "x" * 2_000),
    )
    whole, light = read(long), read_light(long)
    for entry_id in whole.session.nodes:
        tables = [lens_at(each.session, each.branch, entry_id) for each in (whole, light)]
        assert tables[0] is not None
        assert tables[1] is not None
        figures = [replace(each.table, rows=()) for each in tables if each is not None]
        assert figures[0] == figures[1]
        assert figures[0].left_out_tokens == (1_625 if entry_id in ("k1", "u2") else 0)


def ways(diagnosis: Diagnosis, start: str | None, walk: Walk, step: int) -> list[str]:
    found: list[str] = []
    at = EntryId(start) if start is not None else None
    while (after := step_from(diagnosis.session, diagnosis.branch, at, walk, step)) is not None:
        assert len(found) < 100
        found.append(after)
        at = after
    return found


def test_the_way_goes_record_by_record_and_turn_by_turn() -> None:
    diagnosis = read(every_kind())
    trunk = [node.id for node in diagnosis.branch.entries]
    assert ways(diagnosis, None, Walk.RECORD, -1) == trunk[-2::-1]
    assert ways(diagnosis, "m1", Walk.RECORD, 1) == trunk[1:]
    assert ways(diagnosis, None, Walk.TURN, -1) == ["u3", "u2", "m1"]
    # Behind the last turn comes the resume point.
    assert ways(diagnosis, "m1", Walk.TURN, 1) == ["u2", "u3", "a4"]
    assert ways(diagnosis, None, Walk.TURN, 1) == []


def test_the_way_of_another_branch_goes_to_its_newest_end() -> None:
    diagnosis = read(every_kind())
    way = [node.id for node in way_through(diagnosis.session, diagnosis.branch, EntryId("b1"))]
    assert way[-3:] == ["u3", "b1", "b1b"]
    assert ways(diagnosis, "b1b", Walk.RECORD, -1)[:2] == ["b1", "u3"]
    lens = lens_at(diagnosis.session, diagnosis.branch, EntryId("b1"))
    assert lens is not None
    place = lens.place
    assert (place.kind, place.text, place.on_trunk) == ("user", "try a lookup table", False)
    assert (place.number, place.of) == (len(way) - 1, len(way))


def test_a_ring_and_a_record_that_is_gone() -> None:
    diagnosis = read(session(user("a", "b", "x"), user("b", "a", "y"), user("c", None, "z")))
    for entry_id in ("a", "b"):
        lens = lens_at(diagnosis.session, diagnosis.branch, EntryId(entry_id))
        assert lens is not None
        assert "ring" in lens.table.unavailable
        assert len(ways(diagnosis, entry_id, Walk.RECORD, 1)) <= 2
    assert lens_at(diagnosis.session, diagnosis.branch, EntryId("gone")) is None


def test_a_step_makes_no_row_again_that_it_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    diagnosis = read(plain(60_000))
    entries = diagnosis.branch.entries
    first = lens_at(diagnosis.session, diagnosis.branch, entries[-2].id or EntryId(""))
    assert first is not None
    after = lens_at(diagnosis.session, diagnosis.branch, entries[-6].id or EntryId(""), first)
    assert after is not None
    shared = [row for row in after.table.rows if not row.open_call]
    assert len(shared) > 50
    assert all(row is first.table.rows[row.number - 1] for row in shared)


@pytest.mark.parametrize("kept", [False, True])
def test_a_step_costs_what_its_branch_has(kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each message of the branch is measured once for a step, twice as many twice as often."""
    counts: list[int] = []
    for size in (30_000, 60_000):
        diagnosis = read(plain(size))
        entries = diagnosis.branch.entries
        before = lens_at(diagnosis.session, diagnosis.branch, entries[-1].id or EntryId(""))
        calls: list[object] = []
        counted = _counting(context.message_chars, calls)
        monkeypatch.setattr(context, "message_chars", counted)
        target = entries[-2].id or EntryId("")
        lens_at(diagnosis.session, diagnosis.branch, target, before if kept else None)
        monkeypatch.undo()
        counts.append(len(calls))
        assert len(calls) == len(entries) - 1
    assert counts[1] < 2.2 * counts[0]


def _counting(measure: Callable[..., int], calls: list[object]) -> Callable[..., int]:
    def measured(message: object) -> int:
        calls.append(message)
        return measure(message)

    return measured
