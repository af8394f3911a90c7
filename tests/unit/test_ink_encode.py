"""Records of our own, as bytes: the same that Ink would write, and read back by our parser."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ink_tui.errors import FormatError
from ink_tui.formats.ink.encode import (
    NewResult,
    encode_assistant,
    encode_header,
    encode_line,
    encode_position,
    encode_tool_results,
    encode_user,
    iso_stamp,
    new_entry_id,
)
from ink_tui.formats.ink.layout import ink_dir_name, session_file_name
from ink_tui.formats.registry import INK
from ink_tui.model.entries import EntryId, MessageEntry, PositionMarker
from ink_tui.model.messages import (
    AssistantMessage,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)

if TYPE_CHECKING:
    from ink_tui.model.session import Session

MS = 1_791_293_880_123
HEADER = encode_header("11111111-1111-4111-8111-111111111111", MS, "/home/u/demo")


def parse(*lines: bytes) -> Session:
    parser = INK.parser()
    parser.feed(b"".join(lines))
    return parser.session()


def test_header_bytes_are_those_of_the_specification() -> None:
    assert HEADER == (
        b'{"type":"session","version":1,"id":"11111111-1111-4111-8111-111111111111",'
        b'"timestamp":"2026-10-06T13:38:00.123Z","cwd":"/home/u/demo"}\n'
    )


def test_fork_header_names_its_origin_and_is_read_back() -> None:
    session = parse(encode_header("b", MS, "/工作", ("a", "e1")))
    assert session.header is not None
    assert session.header.forked_from == ("a", "e1")
    assert session.header.cwd == "/工作"
    assert session.header.parent_id is None
    assert session.header.model_id is None
    assert session.readable


def test_messages_are_written_in_inks_key_order() -> None:
    user = encode_user("a1", None, MS, "list files")
    assert user == (
        b'{"type":"message","id":"a1","parentId":null,"timestamp":"2026-10-06T13:38:00.123Z",'
        b'"message":{"role":"user","content":"list files"}}\n'
    )
    answer = encode_assistant(
        "a2", "a1", MS, [ToolCall("c1", "ls", {"path": ".", "n": 1.0})], "tool_use"
    )
    assert answer == (
        b'{"type":"message","id":"a2","parentId":"a1","timestamp":"2026-10-06T13:38:00.123Z",'
        b'"message":{"role":"assistant","blocks":[{"type":"toolCall","id":"c1","name":"ls",'
        b'"arguments":{"path":".","n":1}}],"usage":{"inputTokens":0,"outputTokens":0},'
        b'"stopReason":"tool_use","usageMissing":true}}\n'
    )
    result = encode_tool_results("a3", "a2", MS, [NewResult("c1", "ls", "a.txt", False)])
    assert result == (
        b'{"type":"message","id":"a3","parentId":"a2","timestamp":"2026-10-06T13:38:00.123Z",'
        b'"message":{"role":"toolResult","results":[{"toolCallId":"c1","toolName":"ls",'
        b'"content":"a.txt","isError":false}]}}\n'
    )
    assert encode_position("a1") == b'{"type":"position","leafId":"a1"}\n'


def test_round_trip_through_the_parser() -> None:
    session = parse(
        HEADER,
        encode_user("a1", None, MS, "读 it"),
        encode_assistant(
            "a2",
            "a1",
            MS,
            [ThinkingBlock("hm"), TextBlock("so"), ToolCall("c1", "read", {"path": ("x", None)})],
            "tool_use",
        ),
        encode_tool_results("a3", "a2", MS, [NewResult("c1", "read", "no", True)]),
        encode_position("a1"),
    )
    assert session.readable
    assert not session.faults
    user, answer, result, marker = session.records
    assert isinstance(user, MessageEntry)
    assert user.time_ms == MS
    assert user.message == UserMessage((TextBlock("读 it"),))
    assert isinstance(answer, MessageEntry)
    assert isinstance(answer.message, AssistantMessage)
    assert answer.parent_id == EntryId("a1")
    assert answer.message.usage_missing
    assert answer.message.stop_reason == "tool_use"
    assert answer.message.blocks[0] == ThinkingBlock("hm")
    call = answer.message.calls[0]
    assert (call.call_id, call.tool) == ("c1", "read")
    assert call.arguments == {"path": ("x", None)}
    assert isinstance(result, MessageEntry)
    assert isinstance(result.message, ToolResultMessage)
    assert result.message.results is not None
    assert result.message.results[0].is_error
    assert isinstance(marker, PositionMarker)
    assert marker.leaf_id == "a1"


def test_half_surrogates_are_escaped_as_node_does() -> None:
    assert encode_line({"a": "\ud83d"}) == b'{"a":"\\ud83d"}\n'
    assert encode_line({"a": "\ud83d\ude00 \ude00"}) == '{"a":"😀 \\ude00"}\n'.encode()


def test_numbers_are_printed_as_node_does() -> None:
    assert encode_line({"a": [1.0, -0.0, 1.5, float("nan")]}) == b'{"a":[1,0,1.5,null]}\n'
    assert encode_line({"a": 2**70}) == b'{"a":1180591620717411303424}\n'
    assert encode_line({"a": 1e-7}) == b'{"a":1e-7}\n'


def test_separators_and_delete_stay_raw() -> None:
    assert encode_line({"a": "/\u2028\x7f\x01\n"}) == '{"a":"/\u2028\x7f\\u0001\\n"}\n'.encode()


def test_too_deep_is_refused() -> None:
    value: object = 1
    for _ in range(300):
        value = [value]
    with pytest.raises(FormatError):
        encode_line({"a": value})


@given(st.text(st.characters(categories=["L", "M", "N", "P", "S", "Z", "Cc", "Cs"])))
@settings(max_examples=200, deadline=None)
def test_any_text_makes_one_line_that_reads_back(text: str) -> None:
    line = encode_user("a1", None, MS, text)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    assert json.loads(line)["message"]["content"] == joined
    assert parse(HEADER, line).readable


@pytest.mark.parametrize(
    ("cwd", "name"),
    [
        ("/home/u/proj", "home-u-proj"),
        ("/home/u/my-proj", "home-u-my--proj"),
        ("/home/u/.cfg", "home-u-.cfg"),
        ("/home/u/a b", "home-u-a b"),
        ("/工作/项目", "工作-项目"),
        ("/", ""),
        ("/w/a/", "w-a-"),
        ("C:\\Users\\me\\x", "C--Users-me-x"),
        ("D:/mix/ed", "D--mix-ed"),
        ("\\\\srv\\share\\d", "-srv-share-d"),
        ("/a-/b", "a---b"),
        ("/a/-b", "a---b"),
        ("/a/b:c", "a-b-c"),
    ],
)
def test_folder_names(cwd: str, name: str) -> None:
    assert ink_dir_name(cwd) == name


def test_file_name_and_stamp() -> None:
    assert session_file_name(MS, "u") == "2026-10-06T13-38-00-123Z-u.jsonl"
    assert iso_stamp(0) == "1970-01-01T00:00:00.000Z"


def test_new_ids_avoid_those_that_are_taken() -> None:
    drawn = iter(["aa", "bb", "cc"])
    assert new_entry_id({"aa", "bb"}, lambda: next(drawn)) == "cc"
    assert len(new_entry_id({"aa"}, lambda: "aa")) == 8
    fresh = new_entry_id(())
    assert len(fresh) == 16
    assert int(fresh, 16) >= 0
