"""The worked examples of the format's description (`formats/ink.md` section 11)."""

from __future__ import annotations

import json

import pytest

from ink_tui.model.context import build_context, model_in_force, thinking_level
from ink_tui.model.entries import EntryId
from ink_tui.model.faults import FaultCode, TailState
from ink_tui.model.tree import branch_to
from ink_tui.model.verdict import Verdict
from tests.sessions import HEADER, answer, entry, line, read, results, session, simple, user


def test_a_valid_session() -> None:
    found = read(simple())
    assert found.leaf == "a4"
    assert found.context is not None
    assert (len(found.context.messages), found.context.boundary) == (4, 0)
    assert found.verdict is Verdict.CLEAN
    assert found.faults == ()


def test_a_torn_fragment_is_cut_back_to_the_last_newline() -> None:
    found = read(simple() + b'{"type":"message","id":"a5","par')
    tail = found.session.tail
    assert (tail.state, tail.torn, tail.torn_bytes) == (TailState.TORN_FRAGMENT, "truncated", 32)
    assert tail.offset == len(simple())
    assert found.leaf == "a4"


def test_a_complete_record_without_its_newline_is_kept() -> None:
    found = read(simple()[:-1])
    assert found.leaf == "a4"
    assert found.session.tail.state is TailState.UNTERMINATED
    assert found.session.tail.torn_bytes == 1


def test_an_invalid_record_with_newline_is_never_cut_without_asking() -> None:
    found = read(simple() + b'{"type":"message","id":"a5"}\n')
    assert found.session.tail.state is TailState.INVALID_TAIL
    assert found.session.tail.torn_bytes == 29
    assert found.verdict is Verdict.INSPECT


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", FaultCode.EMPTY_FILE),
        (b"\n \r\n", FaultCode.EMPTY_FILE),
        (line(HEADER)[:40], FaultCode.BAD_HEADER),
        (b"\xef\xbb\xbf" + simple(), FaultCode.BAD_HEADER),
        (line(HEADER | {"version": 2}), FaultCode.UNSUPPORTED_VERSION),
        (line(HEADER | {"version": "1"}), FaultCode.BAD_HEADER),
        (line(HEADER | {"id": 7}), FaultCode.BAD_HEADER),
        (line(HEADER | {"model": {"provider": "nobody", "modelId": "x"}}), FaultCode.BAD_HEADER),
        (line({"type": "message"}), FaultCode.BAD_HEADER),
    ],
)
def test_headers_that_ink_refuses(data: bytes, code: FaultCode) -> None:
    found = read(data)
    assert found.session.error_kind is code
    assert found.verdict is Verdict.REFUSE


def test_a_header_alone_without_newline_opens() -> None:
    found = read(line(HEADER)[:-1])
    assert found.session.readable
    assert found.session.tail.state is TailState.UNTERMINATED


def test_a_glued_tail_holds_a_record_and_is_kept() -> None:
    glued = b'{"type":"message","id":"a5","par' + user("a6", "a4", "lost")
    found = read(simple() + glued)
    assert found.session.tail.state is TailState.INVALID_TAIL
    assert found.session.tail.torn_bytes == len(glued)
    assert found.verdict is Verdict.INSPECT
    later = read(simple() + glued + user("a7", "a6", "and more"))
    assert later.session.error_kind is FaultCode.INVALID_JSON
    assert later.session.error_line == 6


def test_a_record_before_zero_bytes_is_kept() -> None:
    found = read(simple()[:-1] + b"\0" * 100)
    assert found.session.tail.state is TailState.INVALID_TAIL
    assert found.verdict is Verdict.INSPECT


def test_interior_damage_names_line_and_agents_line() -> None:
    data = line(HEADER) + b"\n" + user("a1", None, "x") + b'{"type":"mess\n' + answer("a2", "a1")
    found = read(data)
    assert found.session.error_kind is FaultCode.INVALID_JSON
    assert (found.session.error_line, found.session.error_line_agent) == (4, 3)
    assert found.session.bad_lines == (4,)


def test_a_record_of_a_newer_build_at_the_end() -> None:
    record = b'{"type":"checkpoint","id":"z1","parentId":"a4","timestamp":"x"}\n'
    found = read(simple() + record)
    assert found.session.tail.state is TailState.FOREIGN_TAIL
    assert found.leaf == "a4"
    inside = read(simple() + record + user("a5", "a4", "on"))
    assert inside.session.error_kind is FaultCode.UNKNOWN_ENTRY_TYPE


def test_the_literal_null_is_fatal_even_at_the_end() -> None:
    found = read(simple() + b"null\n")
    assert not found.session.readable
    assert found.verdict is Verdict.REFUSE


def test_partial_results_leave_one_open_call() -> None:
    calls = (("c1", "read", {"path": "x"}), ("c2", "bash", {"command": "npm test"}))
    begun = (user("a1", None, "run tests"), answer("a2", "a1", calls=calls))
    found = read(session(*begun, results("a3", "a2", ("c1", "read", "ok"))))
    assert [call.call.call_id for call in found.to_close] == ["c2"]
    both = read(session(*begun))
    assert [call.call.call_id for call in both.to_close] == ["c1", "c2"]
    gap = read(session(*begun, user("a3", "a2", "and now?")))
    assert gap.refusal is FaultCode.GAP
    assert gap.to_close == ()


def test_a_position_moves_the_leaf_and_a_label_makes_ink_forget_it() -> None:
    jumped = simple() + line({"type": "position", "leafId": "a1"})
    assert read(jumped).leaf == "a1"
    found = read(jumped + entry("label", "l1", "a1", targetId="a3", label="listing"))
    assert found.leaf == "a4"
    assert found.tree.stale_position == "a1"
    assert found.verdict is Verdict.INSPECT
    marker = {"type": "session_model", "provider": "zai", "modelId": "glm", "explicit": True}
    assert read(jumped + line(marker)).leaf == "a1"


@pytest.mark.parametrize("leaf", [7, [], {}, False])
def test_a_position_with_a_bad_leaf_is_ignored(leaf: object) -> None:
    found = read(simple() + line({"type": "position", "leafId": leaf}))
    assert found.leaf == "a4"
    assert found.verdict is Verdict.CLEAN


def test_a_position_before_the_first_entry() -> None:
    found = read(simple() + line({"type": "position", "leafId": None}))
    assert found.leaf is None
    assert found.context is not None
    assert found.context.messages == ()


def test_a_branch_with_its_summary() -> None:
    data = (
        simple()
        + line({"type": "position", "leafId": "a1"})
        + entry("branchSummary", "b1", "a1", 10, summary="ls found a.txt")
        + user("b2", "b1", "read a.txt", 11)
    )
    found = read(data)
    assert [node.id for node in found.branch.entries] == ["a1", "b1", "b2"]
    assert found.tree.children[EntryId("a1")] == ("a2", "b1")
    assert found.context is not None
    assert len(found.context.messages) == 3


def _compacted_twice() -> bytes:
    tail1 = [
        {"role": "user", "content": "one"},
        {"role": "assistant", "blocks": [{"type": "text", "text": "two"}], "usage": {}},
    ]
    tail2 = [{"role": "user", "content": "three"}, {"role": "assistant", "blocks": []}]
    return session(
        user("a1", None, "one"),
        answer("a2", "a1", "two"),
        entry("compaction", "k1", "a2", 3, summary="S1", retainedTail=tail1, tokensBefore=118000),
        user("a3", "k1", "three", 4),
        answer("a4", "a3", "four", second=5),
        entry("compaction", "k2", "a4", 6, summary="S2", retainedTail=tail2, tokensBefore=119000),
        user("a5", "k2", "five", 7),
    )


def test_the_last_compaction_heads_the_context() -> None:
    found = read(_compacted_twice())
    context = found.context
    assert context is not None
    assert (len(context.messages), context.boundary, context.compacted) == (4, 3, True)
    assert not context.measured
    assert [message.origin.value for message in context.messages] == [
        "summary",
        "kept",
        "kept",
        "since",
    ]
    before = found.session.nodes[EntryId("k2")].parent_id
    earlier = build_context(branch_to(found.session, before).entries)
    assert (len(earlier.messages), earlier.boundary) == (5, 3)
    assert earlier.measured
    assert earlier.tokens == 940


def test_a_compaction_without_its_tail_cannot_be_rebuilt() -> None:
    found = read(session(user("a1", None, "x"), entry("compaction", "k", "a1", summary="S")))
    assert found.context is not None
    assert found.context.error is FaultCode.MALFORMED_COMPACTION
    assert found.refusal is FaultCode.MALFORMED_COMPACTION


def test_two_writers_make_two_branches() -> None:
    data = simple() + user("p1", "a4", "p") + user("q1", "a4", "q") + user("p2", "p1", "p again")
    found = read(data)
    assert found.leaf == "p2"
    assert len(found.tree.tips) == 2


def test_a_ring_through_a_duplicate_id() -> None:
    data = session(user("a1", None, "x"), answer("a2", "a1", "y"), user("a1", "a2", "again"))
    found = read(data)
    assert found.branch.error is FaultCode.CYCLE
    assert found.verdict is Verdict.REFUSE
    assert len(found.session.records) == 3


def test_model_thinking_image_name_and_label() -> None:
    image = [
        {"type": "text", "text": "what is in this picture?"},
        {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"},
    ]
    data = session(
        line(
            {"type": "session_model", "provider": "anthropic", "modelId": "m-1", "explicit": True}
        ),
        entry("thinkingLevelChange", "m0", None, thinkingLevel="high"),
        entry("message", "m1", "m0", message={"role": "user", "content": image}),
        answer("m2", "m1", "a red square"),
        entry("session_info", "m3", "m2", name=" picture check "),
        entry("label", "m4", "m3", targetId="m2", label="answer"),
    )
    found = read(data)
    assert found.leaf == "m3"
    assert found.title == "picture check"
    assert found.session.labels == {"m2": "answer"}
    assert model_in_force(found.session) == ("anthropic", "m-1")
    assert thinking_level(found.session) == "high"
    assert found.context is not None
    assert len(found.context.messages) == 2


def test_line_ends_and_blank_lines_change_nothing() -> None:
    plain = read(simple())
    odd = read(simple().replace(b"\n", b"\r\n\n  \n"))
    assert odd.leaf == plain.leaf
    assert odd.verdict is Verdict.CLEAN
    assert odd.session.bad_lines == ()
    separators = simple().replace(b"list files", "a\u2028b\u0085c".encode())
    assert read(separators).verdict is Verdict.CLEAN


def test_blanks_without_a_newline_are_cut() -> None:
    found = read(simple() + b"  \t")
    tail = found.session.tail
    assert (tail.torn, tail.torn_bytes, tail.offset) == ("truncated", 3, len(simple()))


def test_deep_nesting_is_a_good_record() -> None:
    deep = "[" * 20_000 + "]" * 20_000
    raw = json.dumps({"type": "toolCall", "id": "c1", "name": "x", "arguments": 0})
    call = raw.replace('"arguments": 0', f'"arguments": {deep}')
    record = (
        '{"type":"message","id":"a2","parentId":"a1","timestamp":"2026-03-02T08:00:02.000Z",'
        f'"message":{{"role":"assistant","blocks":[{call}],"usage":{{}}}}}}\n'
    )
    found = read(session(user("a1", None, "x")) + record.encode())
    assert found.session.readable
    assert found.leaf == "a2"
    assert [call.call.call_id for call in found.open_calls] == ["c1"]
    torn = read(session(user("a1", None, "x")) + record.encode()[:-30])
    assert torn.session.tail.state is TailState.TORN_FRAGMENT
