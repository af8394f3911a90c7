"""A compaction beside what it replaced, and messages read whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given, settings

from ink_tui.model.compaction_sides import (
    NOTHING_KEPT,
    after_blocks,
    compactions_of,
    kept_messages,
    nearest_compaction,
    sides_of,
)
from ink_tui.model.context import CHARS_PER_TOKEN, Origin
from ink_tui.model.entries import CompactionEntry, EntryId, MessageEntry
from ink_tui.model.message_blocks import blocks_of
from ink_tui.model.messages import ToolCall
from ink_tui.model.transcript import NoteBody, TextBody, ToolBody, UserBody
from ink_tui.store.whole_messages import whole_message, whole_node
from ink_tui.tui.render.transcript_look import Depth, Fold, Look
from ink_tui.tui.render.transcript_rows import lay_out_block
from tests.context_reference import expected_context, raw_entries
from tests.every_kind import every_kind
from tests.properties.test_light import read_light
from tests.properties.test_outlines import FILES
from tests.sessions import answer, entry, read, results, session, user
from tests.unit.case_files import sample_files

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.model.messages import Message

LONG = "给解析器加上 word " * 300


def compaction(entry_id: str, parent: str | None, tail: Any, summary: str = "S") -> bytes:
    return entry("compaction", entry_id, parent, summary=summary, retainedTail=tail)


def said(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def agree(data: bytes) -> int:
    """Compare every compaction of a file with what its raw records say; return how many."""
    diagnosis = read(data)
    raw = raw_entries(data, diagnosis.session)
    found = compactions_of(diagnosis.session)
    for number, entry_id in enumerate(found, 1):
        sides = sides_of(diagnosis.session, entry_id)
        assert sides is not None
        assert (sides.number, sides.of) == (number, len(found))
        before = expected_context(raw, raw[entry_id]["parentId"])
        tail = raw[entry_id].get("retainedTail")
        assert sides.copies == (len(tail) if isinstance(tail, list) else None)
        if before.error:
            assert sides.table.unavailable
            assert (sides.left_out, sides.kept) == (0, frozenset())
            continue
        assert sides.table.messages == len(before.rows)
        chars = sum(row[3] for at, row in enumerate(before.rows) if at not in sides.kept)
        assert sides.left_out_tokens == -(-chars // CHARS_PER_TOKEN)
        assert sides.left_out == len(before.rows) - len(sides.kept)
        recorded = raw[entry_id].get("tokensBefore")
        assert sides.tokens_before == (recorded if recorded is not None else before.tokens)
        if isinstance(tail, list):
            after = expected_context(raw, entry_id)
            assert sides.tokens_after == -(-sum(row[3] for row in after.rows) // CHARS_PER_TOKEN)
            assert len(sides.kept) <= len(tail)
    return len(found)


def test_every_compaction_of_every_sample(tmp_path: Path) -> None:
    assert sum(agree(path.read_bytes()) for path in sample_files(tmp_path)) == 4
    assert agree(every_kind()) == 1


@settings(max_examples=60)
@given(FILES)
def test_every_compaction_of_any_session(data: bytes) -> None:
    agree(data)


def test_which_messages_are_kept() -> None:
    messages: list[Message] = [
        node.message
        for node in read(
            session(*(user(f"u{n}", None, str(n % 3)) for n in range(7)))
        ).session.records
        if hasattr(node, "message")
    ]
    assert len(messages) == 7
    assert kept_messages(messages, messages[-2:]) == {5, 6}
    assert kept_messages(messages, ()) == frozenset()
    # The end of the tail is what is matched first, up to the first that differs.
    assert kept_messages(messages, [messages[1], messages[6]]) == {6}
    # A tail that does not end with the last message is found where all of it stands.
    assert kept_messages(messages, messages[1:3]) == {4, 5}
    assert kept_messages(messages[:2], messages) == frozenset()


def test_a_second_compaction_has_the_first_summary_before_it() -> None:
    data = session(
        user("u1", None, "one"),
        compaction("k1", "u1", [said("one")], "first"),
        user("u2", "k1", "two"),
        compaction("k2", "u2", [said("two")], "second"),
    )
    sides = sides_of(read(data).session, EntryId("k2"))
    assert sides is not None
    rows = [(row.kind, row.origin, row.number - 1 in sides.kept) for row in sides.table.rows]
    assert rows == [
        ("summary", Origin.SUMMARY, False),
        ("user", Origin.KEPT, False),
        ("user", Origin.SINCE, True),
    ]
    assert sides_of(read(data).session, EntryId("u2")) is None


def test_the_nearest_compaction() -> None:
    diagnosis = read(
        session(
            user("u1", None, "one"),
            compaction("k1", "u1", []),
            user("u2", "k1", "two"),
            compaction("k2", "u2", []),
            user("u3", "k2", "three"),
            user("aside", "u1", "another"),
            compaction("k3", "aside", []),
            user("u4", "u3", "four"),
        )
    )
    nearest = {
        key: nearest_compaction(diagnosis.session, diagnosis.branch, EntryId(key) if key else None)
        for key in ("u1", "k1", "u2", "k2", "u3", "aside", "k3", "gone", "")
    }
    assert nearest == {
        "u1": "k2",
        "k1": "k1",
        "u2": "k1",
        "k2": "k2",
        "u3": "k2",
        "aside": "k2",
        "k3": "k3",
        "gone": "k2",
        "": "k2",
    }
    plain = read(session(user("u1", None, "one")))
    assert nearest_compaction(plain.session, plain.branch, EntryId("u1")) is None


def test_what_stands_after_it() -> None:
    tail = [said("kept"), {"role": "toolResult", "results": [
        {"toolCallId": "c1", "toolName": "bash", "content": "out", "isError": False}
    ]}]  # fmt: skip
    data = session(user("u1", None, "one"), compaction("k1", "u1", tail), compaction("k2", "k1", 7))
    nodes = read(data).session.nodes
    whole, broken = nodes[EntryId("k1")], nodes[EntryId("k2")]
    assert isinstance(whole, CompactionEntry)
    assert isinstance(broken, CompactionEntry)
    call = ToolCall("c1", "bash", None)
    bodies = [block.body for block in after_blocks(whole, {"c1": call}).blocks]
    kinds = [type(body) for body in bodies]
    assert kinds == [TextBody, NoteBody, UserBody, ToolBody]
    alone = after_blocks(whole, {}).blocks[-1].body
    assert isinstance(alone, ToolBody)
    assert alone.result is not None
    assert (alone.call.tool, alone.result.text) == ("bash", "out")
    keys = [block.key for block in after_blocks(whole, {}).blocks]
    assert len(set(keys)) == len(keys)
    note = after_blocks(broken, {}).blocks[-1].body
    assert isinstance(note, NoteBody)
    assert note.text == NOTHING_KEPT


def test_a_message_is_shown_with_what_its_calls_were_given() -> None:
    record = answer("a1", None, "go", (("c1", "task", {"prompt": "a\nb", "depth": 3}),))
    message = next(iter(read(session(record)).session.nodes.values()))
    assert isinstance(message, MessageEntry)
    blocks = blocks_of(message.message, "k")
    assert [type(block.body) for block in blocks] == [TextBody, ToolBody]
    assert [block.key for block in blocks] == ["k:0", "k:1"]
    lines = lay_out_block(blocks[1], Fold(Depth.WHOLE), Look(60))
    text = "\n".join("".join(piece.text for piece in line.pieces).rstrip() for line in lines)
    assert "prompt  a" in text
    assert "depth  3" in text


def test_light_messages_are_read_whole_from_their_records(tmp_path: Path) -> None:
    tail = [said(LONG + "kept"), said(LONG + "kept too")]
    data = session(
        user("u1", None, LONG + "one"),
        compaction("k1", "u1", tail, LONG + "summary"),
        entry("branchSummary", "s1", "k1", summary=LONG + "branch"),
        answer("a1", "s1", LONG + "two", (("c1", "task", {"prompt": LONG}),)),
        results("r1", "a1", ("c1", "task", LONG + "out")),
        user("u2", "r1", "short"),
    )
    path = tmp_path / "session.jsonl"
    path.write_bytes(data)
    light, whole = read_light(data), read(data)
    assert light.context is not None
    assert whole.context is not None
    for at, item in enumerate(light.context.messages):
        found = whole_message(str(path), light.session, item, at)
        assert found == whole.context.messages[at].message
        assert (found == item.message) is (at == len(light.context.messages) - 1)
    node = light.session.nodes[EntryId("k1")]
    assert whole_node(str(path), node) == whole.session.nodes[EntryId("k1")]
    # Of a file that was changed no text is taken that the screen does not know of.
    changed = data.replace(LONG[:20].encode(), LONG[1:21].encode())
    path.write_bytes(changed)
    for at, item in enumerate(light.context.messages):
        assert whole_message(str(path), light.session, item, at) == item.message
    path.unlink()
    assert whole_node(str(path), node) is node
    first = light.context.messages[0]
    assert whole_message(str(path), light.session, first, 0) == first.message
