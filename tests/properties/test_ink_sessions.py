"""What holds of every Ink file, whatever its bytes."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from ink_tui.formats.registry import INK
from ink_tui.model.entries import MessageEntry
from ink_tui.model.faults import TailState
from ink_tui.model.tool_calls import pair_calls
from ink_tui.model.tree import branch_to, build_tree
from tests.cases import CASES_DIR
from tests.sessions import answer, entry, line, read, results, session, simple, user

WIDE = session(
    user("a1", None, "给解析器加上 CRLF 支持 🚀"),
    answer("a2", "a1", "👩‍🔬 好", (("c1", "edit", {"path": "ü"}),)),
    results("a3", "a2", ("c1", "edit", "ok")),
    entry("label", "l1", "a3", targetId="a1", label="标签"),
    entry("compaction", "k1", "a3", summary="摘要", retainedTail=[], tokensBefore=10),
)

TAILS = {state.value for state in TailState}


def _whole_lines(data: bytes, end: int) -> int:
    return data[:end].count(b"\n")


def test_every_prefix_is_whole_records_and_at_most_one_tail() -> None:
    trials = 0
    for data in (simple(), WIDE):
        first = data.index(b"\n") + 1
        for end in range(first, len(data) + 1):
            found = read(data[:end])
            trials += 1
            assert found.session.readable
            tail_faults = [fault for fault in found.faults if fault.code.value in TAILS]
            assert len(tail_faults) <= 1
            cut = data[:end].endswith(b"\n")
            assert (found.session.tail.state is TailState.OK) == cut
            complete = found.session.tail.state is TailState.UNTERMINATED and end > first
            assert len(found.session.records) == _whole_lines(data, end) - 1 + complete
    assert trials > 1_500


@given(st.data())
def test_pieces_of_any_size_read_like_the_whole(data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(sorted(CASES_DIR.glob("*/session.jsonl"))))
    raw = case.read_bytes()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=8)))
    parser = INK.parser()
    start = 0
    for cut in [*cuts, len(raw)]:
        parser.feed(raw[start:cut])
        parser.session()
        start = cut
    whole = INK.parser()
    whole.feed(raw)
    assert parser.session() == whole.session()


_IDS = st.sampled_from(["a", "b", "c", "d", "e", "f"])
_RECORD: st.SearchStrategy[bytes] = st.one_of(
    st.builds(user, _IDS, st.one_of(st.none(), _IDS), st.text(max_size=5)),
    st.builds(
        answer,
        _IDS,
        st.one_of(st.none(), _IDS),
        st.text(max_size=5),
        st.lists(
            st.tuples(st.sampled_from(["c1", "c2"]), st.just("bash"), st.just({})), max_size=2
        ).map(tuple),
    ),
    st.builds(
        lambda i, p, c: results(i, p, (c, "bash", "x")),
        _IDS,
        _IDS,
        st.sampled_from(["c1", "c2", "c3"]),
    ),
    st.builds(lambda leaf: line({"type": "position", "leafId": leaf}), st.one_of(st.none(), _IDS)),
    st.builds(lambda i, p, t: entry("label", f"l{i}", p, targetId=t, label="x"), _IDS, _IDS, _IDS),
    st.sampled_from(
        [b"\n", b"{}\n", b"garbage\n", b"\0\0\n", b'{"type":"new","id":"z","parentId":null}\n']
    ),
)


@given(st.lists(_RECORD, max_size=12), st.integers(0, 30))
def test_every_walk_ends_and_every_record_is_accounted_for(records: list[bytes], cut: int) -> None:
    data = session(*records)
    found = read(data[: len(data) - cut] if cut < len(data) else data)
    tree = build_tree(found.session)
    nodes = found.session.nodes
    for node in nodes:
        branch = branch_to(found.session, node)
        assert len(branch.entries) <= len(nodes)
    covered = set(tree.unreachable)
    frontier = list(tree.roots)
    while frontier:
        current = frontier.pop()
        assert current not in covered
        covered.add(current)
        frontier.extend(tree.children.get(current, ()))
    assert covered == set(nodes)


@given(st.lists(_RECORD, max_size=14))
def test_pairing_accounts_for_every_call_and_result_once(records: list[bytes]) -> None:
    found = read(session(*records))
    messages = [
        record.message for record in found.session.records if isinstance(record, MessageEntry)
    ]
    pairing = pair_calls(messages)
    calls = Counter(call.call_id for m in messages for call in getattr(m, "calls", ()))
    given_results = sum(len(getattr(m, "results", None) or ()) for m in messages)
    assert Counter(paired.call.call_id for paired in pairing.calls) == calls
    used = sum(1 for paired in pairing.calls if paired.result is not None)
    assert used + len(pairing.orphans) == given_results


@given(st.binary(max_size=400))
def test_any_bytes_are_read_without_an_exception(data: bytes) -> None:
    found = read(data)
    assert found.session.size == len(data)
    followed = read(session() + data)
    assert followed.session.size == len(session()) + len(data)
