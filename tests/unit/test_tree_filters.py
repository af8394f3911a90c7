"""The filters of the tree: for each the rows that it shows, and where the selection goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ink_tui.model.jumps import Jump
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_rows import FilterMode, Outline, OutlineRow, RowKind
from ink_tui.model.outline_view import containers, jump, nearest_visible, visible_rows
from tests.all_records import all_outline
from tests.properties.test_outlines import FILES
from tests.sessions import read

if TYPE_CHECKING:
    from random import Random

    from ink_tui.model.entries import EntryId

EXPECTED = {
    FilterMode.DEFAULT: [
        "0 model: zai/glm-5.3",
        "0 user: list the files",
        "0 ls: .",
        "0 bash: make old",
        "0 compacted: ",
        "0 user: keep this",
        "0 compacted: ",
        "0 user: run the tests",
        "0 fork: the copy",
        "0 assistant: Running them",
        "0 bash: npm test",
        "1 user: another way",
        "1 assistant: Let me see",
        "1 bash: make way",
        "0 level: thinking high",
        "0 name: the tests",
        "0 summary: the other way was tried",
        "0 label: nowhere",
        "0 unknown: checkpoint  {'type': 'ch",
        "0 bash: make gap",
        "0 user: go on",
        "0 bad line: line 23 cannot be read",
        "0 task: check it",
        "0 bash: from nowhere",
        "0 thinking: Math.sign keeps the zero",
        "0 edit: src/sum.ts",
        "0 bash: npm test",
        "0 resume point: Ink itself refuses this",
        "0 torn tail: 34 bytes, not a complete",
        "0 not connected: 1 record whose parent wa",
        "0 user: an orphan",
        "0 user: in a ring",
        "0 user: in it too",
    ],
    FilterMode.NO_TOOLS: [
        "0 model: zai/glm-5.3",
        "0 user: list the files",
        "0 compacted: ",
        "0 user: keep this",
        "0 compacted: ",
        "0 user: run the tests",
        "0 fork: the copy",
        "0 assistant: Running them",
        "1 user: another way",
        "1 assistant: Let me see",
        "0 level: thinking high",
        "0 name: the tests",
        "0 summary: the other way was tried",
        "0 label: nowhere",
        "0 unknown: checkpoint  {'type': 'ch",
        "0 bash: make gap",
        "0 user: go on",
        "0 bad line: line 23 cannot be read",
        "0 bash: from nowhere",
        "0 thinking: Math.sign keeps the zero",
        "0 edit: src/sum.ts",
        "0 bash: npm test",
        "0 resume point: Ink itself refuses this",
        "0 torn tail: 34 bytes, not a complete",
        "0 not connected: 1 record whose parent wa",
        "0 user: an orphan",
        "0 user: in a ring",
        "0 user: in it too",
    ],
    FilterMode.USER_ONLY: [
        "0 user: list the files",
        "0 user: keep this",
        "0 compacted: ",
        "0 user: run the tests",
        "1 user: another way",
        "0 bash: make gap",
        "0 user: go on",
        "0 edit: src/sum.ts",
        "0 bash: npm test",
        "0 resume point: Ink itself refuses this",
        "0 not connected: 1 record whose parent wa",
        "0 user: an orphan",
        "0 user: in a ring",
        "0 user: in it too",
    ],
    FilterMode.LABELLED: [
        "0 user: run the tests",
        "0 bash: make gap",
        "0 edit: src/sum.ts",
        "0 bash: npm test",
        "0 resume point: Ink itself refuses this",
    ],
    FilterMode.PROBLEMS: [
        "0 bash: make old",
        "1 user: another way",
        "1 bash: make way",
        "0 unknown: checkpoint  {'type': 'ch",
        "0 bash: make gap",
        "0 bad line: line 23 cannot be read",
        "0 bash: from nowhere",
        "0 edit: src/sum.ts",
        "0 bash: npm test",
        "0 resume point: Ink itself refuses this",
        "0 torn tail: 34 bytes, not a complete",
        "0 not connected: 1 record whose parent wa",
        "0 user: an orphan",
        "0 user: in a ring",
        "0 user: in it too",
    ],
    FilterMode.ALL: [
        "0 model: zai/glm-5.3",
        "0 user: list the files",
        "0 ls: .",
        "0 bash: make old",
        "0 compacted: ",
        "0 user: keep this",
        "0 compacted: ",
        "0 user: run the tests",
        "0 fork: the copy",
        "0 assistant: Running them",
        "0 bash: npm test",
        "1 user: another way",
        "1 assistant: Let me see",
        "1 bash: make way",
        "0 level: thinking high",
        "0 name: the tests",
        "0 summary: the other way was tried",
        "0 label: start",
        "0 label: nowhere",
        "0 unknown: checkpoint  {'type': 'ch",
        "0 bash: make gap",
        "0 user: go on",
        "0 bad line: line 23 cannot be read",
        "0 task: check it",
        "0 bash: from nowhere",
        "0 thinking: Math.sign keeps the zero",
        "0 edit: src/sum.ts",
        "0 bash: npm test",
        "0 position: jumped to a4",
        "0 resume point: Ink itself refuses this",
        "0 torn tail: 34 bytes, not a complete",
        "0 not connected: 1 record whose parent wa",
        "0 user: an orphan",
        "0 user: in a ring",
        "0 user: in it too",
    ],
}


def said(row: OutlineRow) -> str:
    return f"{row.depth} {row.word}: {row.text[:24].strip()}".replace('"', "'")


@pytest.mark.parametrize("mode", FilterMode)
def test_each_filter_shows_its_rows(mode: FilterMode) -> None:
    outline = all_outline()
    opened = {row.key for row in outline.rows if row.foldable}
    assert [said(row) for row in visible_rows(outline, opened, mode)] == EXPECTED[mode]


def test_the_sample_has_every_kind_of_row_that_a_file_makes() -> None:
    kinds = {row.kind for row in all_outline().rows}
    assert kinds >= set(RowKind) - {RowKind.FOLD, RowKind.HIDDEN, RowKind.ASIDE}
    assert len({row.look for row in all_outline().rows}) == 5


# Where the selection goes


def lineage(data: bytes, first: EntryId) -> list[EntryId]:
    """An entry and its ancestors in the file, up to a missing parent or once around a ring."""
    nodes = read(data).session.nodes
    found: list[EntryId] = []
    at: EntryId | None = first
    while at is not None and at in nodes and at not in found:
        found.append(at)
        at = nodes[at].parent_id
    return found


@given(FILES, st.sampled_from(FilterMode), st.randoms(use_true_random=False))
def test_the_nearest_ancestor_that_is_seen_is_selected(
    data: bytes, mode: FilterMode, dice: Random
) -> None:
    outline = build_outline(read(data))
    opened = {row.key for row in outline.rows if row.foldable and dice.random() < 0.5}
    seen = {row.key for row in visible_rows(outline, opened, mode)}
    rows = [outline.rows[outline.places[key]] for key in seen]
    owners = {row.entry_id for row in rows if row.kind is not RowKind.LABEL}
    end = next((at for at, row in enumerate(outline.rows) if row.kind is RowKind.HEADING), None)
    for at, row in enumerate(outline.rows[:end]):
        if row.key in seen or row.entry_id is None or row.kind is RowKind.LABEL:
            continue
        near = outline.row(nearest_visible(outline, seen, row.key) or "")
        line = lineage(data, row.entry_id)
        shown = [_owner(outline, entry) for entry in line]
        above = {each.entry_id for each in rows if outline.places[each.key] < at}
        nearer = [entry for entry in shown if entry in owners and entry in above]
        if near is not None and near.kind is RowKind.FOLD:
            before = line[: shown.index(nearer[0]) + 1] if nearer else line
            keys = [outline.by_entry[entry] for entry in before if entry in outline.by_entry]
            assert near.key in {each for key in (*keys, row.key) for each in
                                containers(outline, key)}  # fmt: skip
        elif nearer:
            assert near is not None
            assert near.entry_id == nearer[0]


def _owner(outline: Outline, entry: EntryId) -> EntryId | None:
    """The entry whose row shows an entry: for a merged result that of its call."""
    row = outline.row(outline.by_entry.get(entry, ""))
    return row.entry_id if row is not None else None


@pytest.mark.parametrize("mode", FilterMode)
@pytest.mark.parametrize("kind", Jump)
@pytest.mark.parametrize("step", [1, -1])
def test_a_jump_stops_at_what_the_filter_lets_through(
    mode: FilterMode, kind: Jump, step: int
) -> None:
    outline = all_outline()
    opened = {row.key for row in outline.rows if row.foldable}
    seen = {row.key for row in visible_rows(outline, opened, mode)}
    start = None if step > 0 else outline.rows[-1].key
    found: list[str] = []
    while (start := jump(outline, start, kind, step, mode)) is not None and start not in found:
        found.append(start)
    assert set(found) <= seen
    missed = []
    start = None if step > 0 else outline.rows[-1].key
    while (start := jump(outline, start, kind, step)) is not None and start not in missed:
        missed.append(start)
    # What all rows have and this filter shows is stopped at, in the same order.
    assert [key for key in missed if key in seen] == found
