"""The end of a session, read alone, says nothing that the whole session takes back."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ink_tui.formats.ink.ending import ending_of
from ink_tui.model.ending import SO_FAR, diagnosed_ending, ending_outline, ending_transcript
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_rows import LOUD, OutlineRow, RowKind
from ink_tui.model.recovery import as_read
from ink_tui.model.transcript import Block, OrphanBody, TextBody, ToolBody, TurnBody, UserBody
from ink_tui.model.transcript_build import build_transcript
from tests.cases import CASES_DIR, REAL_DIR
from tests.every_kind import every_kind
from tests.properties.test_growing import STEPS, Agent
from tests.sessions import read, session

if TYPE_CHECKING:
    from ink_tui.model.verdict import Diagnosis

FILES = sorted([*CASES_DIR.rglob("*.jsonl"), *REAL_DIR.rglob("*.jsonl")])
MOST_CUTS = 40
"""Places at which one file is cut, at most: the last ones, and some of the others."""


def cuts(data: bytes) -> list[int]:
    """Return the starts of the lines behind the first one."""
    found = [at + 1 for at, byte in enumerate(data) if byte == 10]
    return found if len(found) <= MOST_CUTS else [*found[:: len(found) // 20], *found[-20:]]


def ending(data: bytes, cut: int) -> Diagnosis | None:
    known = ending_of(data, data[cut:], cut)
    return diagnosed_ending(known) if known is not None else None


def assert_no_more_is_said(data: bytes, whole: Diagnosis, cut: int) -> bool:
    """Compare an end with the whole; return whether anything is known of it."""
    known = ending(data, cut)
    if known is None:
        return False
    assert known.leaf == whole.leaf
    assert replace(known.session.tail, span=None) == replace(whole.session.tail, span=None)
    shown = as_read(whole).branch.entries
    part = known.branch.entries
    assert [node.id for node in part] == [node.id for node in shown[-len(part) :]]
    assert [node.span.offset for node in part] == [node.span.offset for node in shown[-len(part) :]]
    assert_rows(known, whole)
    assert_blocks(known, whole)
    return True


def assert_rows(known: Diagnosis, whole: Diagnosis) -> None:
    rows = {row.key: row for row in build_outline(whole).rows}
    calls = {(row.entry_id, row.call.call_id): row for row in rows.values() if row.call is not None}
    answered = {row.result_id for row in rows.values()}
    for row in ending_outline(known, running=False, writing=False).rows[1:]:
        if row.kept and row.key not in rows:
            continue  # the record of a call that a compaction kept may not be read
        if row.key not in rows:
            # Without the call, its result stands alone.
            assert row.kind is RowKind.RESULT
            assert row.entry_id in answered
            assert not row.problem
            continue
        other = rows[row.key]
        if row.kind is RowKind.RESUME:
            assert not row.problem
            assert row.text == SO_FAR or not whole.session.readable
            continue
        if row.look in LOUD:
            assert row.call is not None
            assert calls[row.entry_id, row.call.call_id].look is row.look
        if row.problem:
            assert other.problem
        assert _plain(row) == _plain(other)
        assert row.label in ("", other.label)  # a label may stand before its record


def _plain(row: OutlineRow) -> tuple[Any, ...]:
    text = re.sub(r"^line \d+", "a line", row.text)
    # What is no entry stands by its place in the file, whichever entry a later one replaces.
    looks = (row.dim, row.rail) if row.entry_id is not None else ()
    return row.kind, row.word, text, row.entry_id, looks, row.failed


def assert_blocks(known: Diagnosis, whole: Diagnosis) -> None:
    blocks = {block.key: block for block in build_transcript(whole).blocks}
    answered = {
        block.body.result_entry for block in blocks.values() if isinstance(block.body, ToolBody)
    }
    for block in ending_transcript(known).blocks[1:]:
        assert not (block.is_problem and not blocks[block.key].is_problem)
        if isinstance(block.body, OrphanBody):
            assert block.body.unread
            assert block.key in blocks or block.entry_id in answered
            continue
        assert _without_places(block) == _without_places(blocks[block.key])


def _without_places(block: Block) -> Block:
    """Return a block without what the records before it decide."""
    body = block.body
    if isinstance(body, TurnBody):
        body = replace(body, number=0)
    elif isinstance(body, UserBody | TextBody):
        body = replace(body, label="")
    elif isinstance(body, ToolBody):
        body = replace(body, result_step=None, result_span=None)
    dim = block.dim and block.entry_id is not None
    return replace(block, step=0, span=None, dim=dim, body=body)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_every_end_of_the_cases_says_no_more_than_the_whole(file: Any) -> None:
    data = file.read_bytes()
    whole = read(data)
    for cut in cuts(data):
        assert_no_more_is_said(data, whole, cut)


def test_every_end_of_a_session_with_every_kind_of_record() -> None:
    data = every_kind()
    whole = read(data)
    assert sum(assert_no_more_is_said(data, whole, cut) for cut in cuts(data)) > 10


@given(st.lists(STEPS, max_size=16))
def test_every_end_of_a_random_session_says_no_more_than_the_whole(
    steps: list[list[tuple[str, list[tuple[str, str, dict[str, Any]]], int]]],
) -> None:
    agent = Agent()
    data = session() + b"".join(agent.written(*piece) for pieces in steps for piece in pieces)
    whole = read(data)
    for cut in cuts(data):
        assert_no_more_is_said(data, whole, cut)


@given(st.binary(max_size=60), st.binary(max_size=200), st.integers(0, 1 << 40))
def test_no_bytes_raise(head: bytes, end: bytes, offset: int) -> None:
    for start in (head, session() + head):
        known = ending_of(start, end, offset)
        if known is not None:
            diagnosed_ending(known)
