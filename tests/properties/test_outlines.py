"""What holds of the tree of any session: nothing left out, nothing twice, folds that nest."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ink_tui.model.entries import EntryId
from ink_tui.model.lineage import ForkLink
from ink_tui.model.marks import RecordMarks, SessionMarks
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_marks import with_marks
from ink_tui.model.outline_rows import LOUD, FilterMode, RowKind
from ink_tui.model.outline_view import containers, nearest_visible, visible_rows, with_closed
from tests.sessions import answer, entry, line, read, results, session, user
from tests.unit.test_outline import assert_complete

IDS = st.sampled_from([f"e{number}" for number in range(14)])
PARENTS = st.one_of(st.none(), IDS, st.just("never written"))
CALLS: st.SearchStrategy[list[tuple[str, str, dict[str, Any]]]] = st.lists(
    st.tuples(st.sampled_from(["c1", "c2", "c3"]), st.sampled_from(["bash", "edit"]), st.just({})),
    max_size=3,
)
SECONDS = st.integers(0, 3_000)
KEPT = st.lists(
    st.sampled_from(
        [
            {"role": "user", "content": "go on"},
            {"role": "toolResult", "results": []},
            {"role": "assistant", "blocks": [{"type": "toolCall", "id": "c1", "name": "bash"}]},
        ]
    ),
    max_size=2,
)


def compaction(entry_id: str, parent: str | None, second: int, tail: Any) -> bytes:
    return entry("compaction", entry_id, parent, second, summary="S", retainedTail=tail)


RECORDS = st.one_of(
    st.builds(user, IDS, PARENTS, st.sampled_from(["go on", "", "给解析器"]), SECONDS),
    st.builds(answer, IDS, PARENTS, st.sampled_from(["", "yes"]), CALLS.map(tuple), SECONDS),
    st.builds(
        lambda i, p, calls, at: results(i, p, *((c, tool, "x") for c, tool, _ in calls), second=at),
        IDS,
        PARENTS,
        CALLS,
        SECONDS,
    ),
    st.builds(compaction, IDS, PARENTS, SECONDS, st.one_of(KEPT, st.just("not a list"))),
    st.builds(lambda i, p, at: entry("session_info", i, p, at, name="n"), IDS, PARENTS, SECONDS),
    st.builds(lambda i, t: entry("label", i, None, 1, targetId=t, label="x"), IDS, IDS),
    st.builds(lambda i: line({"type": "position", "leafId": i}), st.one_of(st.none(), IDS)),
    st.builds(lambda i, p: entry("checkpoint", i, p, 1), IDS, PARENTS),
    st.just(line({"type": "session_model", "provider": "zai", "modelId": "m", "explicit": True})),
    st.sampled_from([b'{"type":"mess\n', b"\n", b"\x00\x00\n", b"[]\n"]),
)
FILES = st.builds(
    lambda records, end: session(*records) + end,
    st.lists(RECORDS, max_size=24),
    st.sampled_from([b"", b'{"type":"message","id":"e1"', b'{"type":"message"}', b"{}"]),
)


@given(FILES)
def test_every_record_has_its_row(data: bytes) -> None:
    assert_complete(read(data))


@given(FILES, st.lists(IDS, max_size=6), st.sampled_from(FilterMode))
def test_links_to_copies_change_nothing_else(
    data: bytes, copied: list[str], mode: FilterMode
) -> None:
    """They stand below their record, once each, and are counted nowhere."""
    diagnosis = read(data)
    forks = {EntryId(entry): (ForkLink(f"/{n}", "t", None),) for n, entry in enumerate(set(copied))}
    plain, outline = build_outline(diagnosis), build_outline(diagnosis, forks=forks)
    others = [row for row in outline.rows if row.kind is not RowKind.FORK]
    assert [row.key for row in others] == [row.key for row in plain.rows]
    assert [row.count for row in others] == [row.count for row in plain.rows]
    links = [row for row in outline.rows if row.kind is RowKind.FORK]
    assert len({row.key for row in links}) == len(links) <= len(forks)
    opened = {row.key for row in outline.rows if row.foldable}
    seen = visible_rows(outline, opened, mode)
    if mode in (FilterMode.DEFAULT, FilterMode.ALL):
        assert [row for row in seen if row.kind is RowKind.FORK] == links
    folds = {row.key: row.count for row in visible_rows(plain, opened, mode)}
    assert all(folds.get(row.key) == row.count for row in seen if row.kind is RowKind.FOLD)


@given(FILES, st.sampled_from(FilterMode), st.randoms(use_true_random=False))
def test_what_is_seen_nests_and_keeps_its_order(data: bytes, mode: FilterMode, dice: Any) -> None:
    outline = build_outline(read(data))
    opened = {row.key for row in outline.rows if row.foldable and dice.random() < 0.5}
    rows = visible_rows(outline, opened, mode)
    seen = {row.key for row in rows}
    places = [outline.places[row.key] for row in rows]
    assert places == sorted(places)
    for row in rows:
        hidden_in = set(containers(outline, row.key)) - opened
        assert not hidden_in or row.look in LOUD
        assert row.kind is not RowKind.FOLD or row.count > 0
    for row in outline.rows:
        assert row.look not in LOUD or row.key in seen
        near = nearest_visible(outline, seen, row.key)
        assert near is None or near in seen


@given(FILES)
def test_counts_of_branches_are_true(data: bytes) -> None:
    diagnosis = read(data)
    outline = build_outline(diagnosis)
    children = diagnosis.tree.children
    for row in outline.rows:
        if row.stub and row.entry_id is not None:
            found: set[str] = set()
            waiting = [row.entry_id]
            trunk = {node.id for node in diagnosis.branch.entries}
            while waiting:
                one = waiting.pop()
                if one not in found and one not in trunk:
                    found.add(one)
                    waiting += children.get(one, ())
            assert row.count == len(found)


@given(FILES, st.sampled_from(FilterMode), st.randoms(use_true_random=False))
def test_rows_looked_for_before_are_those_that_are_seen(
    data: bytes, mode: FilterMode, dice: Any
) -> None:
    outline = build_outline(read(data))
    folds = [row.key for row in outline.rows if row.foldable]
    opened = {key for key in folds if dice.random() < 0.5}
    for keys in (set[str](), opened):
        expected = visible_rows(outline, keys, mode)
        assert visible_rows(with_closed(outline), keys, mode) == expected
    ids = [row.entry_id for row in outline.rows if row.entry_id is not None]
    stars = SessionMarks(records=dict.fromkeys(ids, RecordMarks(starred=True)))
    marked = with_marks(outline, stars)
    assert visible_rows(with_marks(with_closed(outline), stars)) == visible_rows(marked)
