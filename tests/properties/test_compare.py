"""Any two branches: the common start and what is left are the branches, each record once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from ink_tui.model.compare import compare, same_record
from ink_tui.model.compare_choices import newest_below, other_branches
from ink_tui.model.compare_lines import compared_lines
from ink_tui.model.outline_rows import RowKind
from ink_tui.model.recovery import as_read
from ink_tui.model.tree import branch_to
from tests.properties.test_outlines import FILES
from tests.sessions import read

if TYPE_CHECKING:
    from ink_tui.model.compare import Comparison
    from ink_tui.model.entries import EntryId
    from ink_tui.model.verdict import Diagnosis


def an_end(draw: st.DataObject, diagnosis: Diagnosis) -> EntryId | None:
    """Draw any record of a session."""
    ids = list(as_read(diagnosis).session.nodes)
    return draw.draw(st.sampled_from([None, diagnosis.leaf, *ids]))


def assert_holds(found: Comparison) -> None:
    for side in (found.left, found.right):
        branch = branch_to(side.diagnosis.session, side.leaf)
        assert (*side.common, *side.own) == branch.entries
        assert len({node.id for node in branch.entries}) == len(branch.entries)
    pairs = list(zip(found.left.common, found.right.common, strict=True))
    assert all(same_record(*pair) for pair in pairs)
    if found.left.own and found.right.own:
        first = found.left.own[0], found.right.own[0]
        assert not same_record(*first) or (found.same_session and first[0].id != first[1].id)
    assert_rows(found)


def assert_rows(found: Comparison) -> None:
    """Check that the rows of a side tell of its records in order, and of no others."""
    lines = compared_lines(found)
    for at, side in enumerate((found.left, found.right)):
        for pairs, nodes in ((lines.common, side.common), (lines.own, side.own)):
            rows = [pair[at] for pair in pairs]
            told = [row for row in rows if row is not None]
            keys = [row.key for row in told]
            assert len(set(keys)) == len(keys)
            places = {node.id: place for place, node in enumerate(nodes)}
            order = [places[row.entry_id] for row in told if row.entry_id is not None]
            assert order == sorted(order)
            shown = {row.entry_id for row in told} | {row.result_id for row in told}
            assert {node.id for node in nodes} <= shown
    turns = [tuple(row and row.kind is RowKind.USER for row in pair) for pair in lines.own]
    both = [pair for pair in turns if True in pair]
    shorter = min(sum(bool(pair[at]) for pair in both) for at in (0, 1)) if both else 0
    assert all(pair == (True, True) for pair in both[:shorter])


@given(FILES, st.data())
def test_two_branches_of_one_session(data: bytes, draw: st.DataObject) -> None:
    diagnosis = read(data)
    left, right = an_end(draw, diagnosis), an_end(draw, diagnosis)
    found = compare((diagnosis, left), (diagnosis, right))
    assert_holds(found)
    assert found.same_session
    if left == right:
        assert not found.left.own
        assert not found.right.own


@given(FILES, FILES, st.data())
def test_branches_of_two_sessions(one: bytes, other: bytes, draw: st.DataObject) -> None:
    sessions = read(one), read(other.replace(b"11111111-1", b"22222222-2", 1))
    assert_holds(compare((sessions[0], an_end(draw, sessions[0])), (sessions[1], sessions[1].leaf)))


@given(FILES, FILES, st.data())
def test_it_is_symmetric(one: bytes, other: bytes, draw: st.DataObject) -> None:
    sessions = read(one), read(draw.draw(st.sampled_from([one, other])))
    left = sessions[0], an_end(draw, sessions[0])
    right = sessions[1], an_end(draw, sessions[1])
    there, back = compare(left, right), compare(right, left)
    assert (there.left, there.right) == (back.right, back.left)
    assert {(file.path, file.left, file.right) for file in there.files} == {
        (file.path, file.right, file.left) for file in back.files
    }


@settings(deadline=None)
@given(FILES, st.data())
def test_every_branch_that_is_offered_is_one(data: bytes, draw: st.DataObject) -> None:
    diagnosis = read(data)
    seen = as_read(diagnosis)
    for other in other_branches(diagnosis, an_end(draw, diagnosis)):
        assert other.leaf is not None
        assert not seen.tree.children.get(other.leaf)
        found = compare((diagnosis, diagnosis.leaf), (diagnosis, other.leaf))
        assert len(found.right.own) == other.records
        assert newest_below(diagnosis, other.leaf) == other.leaf
