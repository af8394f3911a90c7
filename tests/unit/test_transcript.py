"""A branch as blocks: order, pairing over records, states, damage in place."""

from __future__ import annotations

import pytest

from ink_tui.model.diff import counts, line_diff
from ink_tui.model.entries import EntryId
from ink_tui.model.messages import JsonValue, ToolCall
from ink_tui.model.tool_facts import ToolKind, tool_facts, tool_kind
from ink_tui.model.transcript import (
    Block,
    CompactionBody,
    NoteBody,
    OrphanBody,
    ToolBody,
    ToolState,
    Transcript,
    TurnBody,
    UnknownBody,
    UnreadableBody,
    UserBody,
    as_live,
    visible_at,
)
from ink_tui.model.transcript_build import build_transcript
from tests.transcript_samples import Script, call, case, result, thinking


def kinds(transcript: Transcript) -> list[str]:
    return [type(block.body).__name__.removesuffix("Body") for block in transcript.blocks]


def tools(transcript: Transcript) -> list[tuple[Block, ToolBody]]:
    return [(b, b.body) for b in transcript.blocks if isinstance(b.body, ToolBody)]


def batch() -> Script:
    return (
        Script()
        .user("fix it\nplease")
        .answer(thinking("hm"), "I look.", call("c1", "read", path="a.py"), call("c2", "bash"))
        .results(
            result("c1", "read", "one\ntwo"),
            result("c2", "bash", "stdout:\nno\nExit code: 1\n"),
            seconds=8.25,
        )
        .answer("Done.")
    )


def test_blocks_stand_in_reading_order_and_results_go_to_their_calls() -> None:
    transcript = build_transcript(batch().diagnosis())
    assert kinds(transcript) == ["Turn", "User", "Thinking", "Text", "Tool", "Tool", "Text"]
    assert transcript.steps == 4
    (_, read), (_, bash) = tools(transcript)
    assert (read.state, bash.state) == (ToolState.OK, ToolState.FAILED)
    assert read.duration_ms == 8_250
    assert read.result_step == 3
    assert read.result is not None
    assert read.result.text == "one\ntwo"


def test_an_entry_is_found_by_its_block_and_results_by_their_call() -> None:
    transcript = build_transcript(batch().diagnosis())

    def key(entry: str, call_id: str | None = None) -> str:
        block = transcript.block_of(EntryId(entry), call_id)
        return block.key if block is not None else ""

    assert key("e1") == "e1:user"
    assert key("e2") == "e2:0"
    assert key("e2", "c2") == "e2:3"
    assert (key("e3"), key("e3", "c2")) == ("e2:2", "e2:3")
    assert (key("nowhere"), key("e2", "nowhere")) == ("", "")


def test_a_turn_knows_its_number_its_first_line_and_how_long_it_took() -> None:
    transcript = build_transcript(batch().user("next").answer("ok").diagnosis())
    first, second = [b.body for b in transcript.blocks if isinstance(b.body, TurnBody)]
    assert (first.number, first.title) == (1, "fix it")
    assert first.duration_ms == 60_000 + 8_250 + 60_000
    assert (second.number, second.title) == (2, "next")
    assert transcript.turns == 2


def test_keys_are_unique_and_stay_when_records_arrive() -> None:
    before = build_transcript(batch().diagnosis())
    after = build_transcript(batch().user("more").diagnosis())
    keys = [block.key for block in before.blocks]
    assert len(set(keys)) == len(keys)
    assert [block.key for block in after.blocks][: len(keys)] == keys


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("40-", [ToolState.OPEN]),
        ("41-", [ToolState.OK, ToolState.OPEN]),
        ("42-", [ToolState.GAP]),
        ("48-", [ToolState.OPEN]),
    ],
)
def test_calls_without_result(name: str, states: list[ToolState]) -> None:
    transcript = build_transcript(case(name))
    assert [body.state for _, body in tools(transcript)] == states
    assert any(block.is_problem for block, _ in tools(transcript))


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("(force quit before this tool ran)", ToolState.UNKNOWN),
        ("(interrupted before this tool ran)", ToolState.NOT_RUN),
        ("[ink-tui] No result was saved for this call. Whether …", ToolState.UNKNOWN),
        ("Error: no such file", ToolState.FAILED),
    ],
)
def test_what_a_result_says_of_its_call(text: str, state: ToolState) -> None:
    script = Script().user("go").answer(call("c", "edit", path="x"))
    script.results(result("c", "edit", text, error=True))
    assert [body.state for _, body in tools(build_transcript(script.diagnosis()))] == [state]


def test_a_compaction_makes_what_stands_above_it_dim_and_old_open_calls_harmless() -> None:
    script = Script().user("old").answer(call("lost", "bash", command="make"))
    script.compaction("Goal: go on.", [{"role": "user", "content": "kept one"}])
    script.user("new").answer("yes")
    transcript = build_transcript(script.diagnosis())
    dim = [block.dim for block in transcript.blocks]
    assert dim == sorted(dim, reverse=True)
    (block, body), *_ = tools(transcript)
    assert block.dim
    assert body.state is ToolState.BEFORE_COMPACTION
    assert not block.is_problem
    band = next(b.body for b in transcript.blocks if isinstance(b.body, CompactionBody))
    assert (band.tokens_before, band.kept, band.latest) == (118_000, 1, True)


def test_only_the_last_of_two_compactions_starts_the_context() -> None:
    bands = [
        block.body
        for block in build_transcript(case("49-")).blocks
        if isinstance(block.body, CompactionBody)
    ]
    assert [band.latest for band in bands] == [False, True]


def test_lines_that_cannot_be_read_stand_at_their_place() -> None:
    inside = build_transcript(case("07-"))
    assert kinds(inside) == ["Turn", "User", "Text", "Unreadable", "Turn", "User", "Text"]
    tail = build_transcript(case("01-")).blocks[-1]
    assert isinstance(tail.body, UnreadableBody)
    assert tail.body.tail


def test_unknown_records_orphans_and_bookkeeping_are_shown() -> None:
    unknown = [b.body for b in build_transcript(case("24-")).blocks]
    assert any(isinstance(b, UnknownBody) and b.type_name == "usageSnapshot" for b in unknown)
    orphan = [b for b in build_transcript(case("43-")).blocks if isinstance(b.body, OrphanBody)]
    assert [block.is_problem for block in orphan] == [True]
    script = Script().user("x").answer("cut", stopReason="max_tokens")
    script.add({"type": "thinkingLevelChange", "thinkingLevel": "high"})
    notes = [b.body for b in build_transcript(script.diagnosis()).blocks]
    assert [b.kind for b in notes if isinstance(b, NoteBody)] == ["stopped", "thinking"]


def test_a_broken_chain_shows_what_can_be_reached() -> None:
    assert kinds(build_transcript(case("26-")))[-1:] == ["Text"]
    assert build_transcript(case("12-")).blocks == ()
    assert build_transcript(case("27-")).blocks


def test_a_replay_hides_results_that_are_not_reached() -> None:
    blocks = build_transcript(batch().diagnosis()).blocks
    shown = visible_at(blocks, 2)
    assert [type(b.body) for b in shown][-1] is ToolBody
    reached = [body for _, body in tools(Transcript(shown, 4, 1))]
    assert [(body.result, body.state) for body in reached] == [
        (None, ToolState.NOT_REACHED), (None, ToolState.NOT_REACHED),
    ]  # fmt: skip
    assert visible_at(blocks, 4) == blocks
    assert visible_at(blocks, 0) == ()


def test_while_an_agent_is_alive_open_calls_run_and_the_tail_is_being_written() -> None:
    live = as_live(build_transcript(case("48-")))
    assert [body.state for _, body in tools(live)] == [ToolState.RUNNING]
    tail = live.blocks[-1].body
    assert isinstance(tail, UnreadableBody)
    assert tail.writing
    assert not any(block.is_problem for block in live.blocks)
    gap = as_live(build_transcript(case("42-")))
    assert [body.state for _, body in tools(gap)] == [ToolState.GAP]


def test_a_deep_chain_is_built_without_recursion() -> None:
    script = Script()
    for number in range(2_500):
        script.user(f"q{number}", seconds=1).answer(f"a{number}", seconds=1)
    transcript = build_transcript(script.diagnosis())
    assert (transcript.steps, transcript.turns) == (5_000, 2_500)
    assert isinstance(transcript.blocks[1].body, UserBody)


@pytest.mark.parametrize(
    ("tool", "arguments", "what", "changed"),
    [
        ("read", {"path": "a/b.py", "offset": 3}, "a/b.py", None),
        ("Read", {"file_path": "a/b.py"}, "a/b.py", None),
        ("bash", {"command": "npm test\n--all"}, "npm test --all", None),
        ("grep", {"pattern": "x+", "path": "src"}, "x+", None),
        ("ls", {"path": "src"}, "src", None),
        ("task", {"agent": "a", "prompt": "look"}, "look", None),
        ("edit", {"path": "s", "edits": ({"oldText": "a\nb", "newText": "a\nc\nd"},)}, "s", (2, 1)),
        ("edit", {"filePath": "s.ts", "oldString": "a", "newString": ""}, "s.ts", (0, 1)),
        ("write", {"path": "n.txt", "content": "1\n2\n"}, "n.txt", (2, 0)),
        ("mcp__x", {"depth": 3, "name": "thing"}, "thing", None),
        ("odd", None, "", None),
        ("odd", (1, 2), "2 arguments", None),
    ],
)  # fmt: skip
def test_what_a_call_is_about(
    tool: str, arguments: JsonValue, what: str, changed: tuple[int, int] | None
) -> None:
    facts = tool_facts(ToolCall("c", tool, arguments))
    assert facts.what == what
    assert facts.counts == changed


def test_names_of_tools_are_matched_without_case() -> None:
    assert tool_kind("MultiEdit") is ToolKind.EDIT
    assert tool_kind("bash") is ToolKind.BASH
    assert tool_kind("mcp__server__edit") is ToolKind.OTHER


def test_a_difference_keeps_what_is_equal_around_a_change() -> None:
    lines = line_diff("a\nb\nc\nd\ne", "a\nb\nX\nd\ne")
    assert [(line.sign, line.text) for line in lines] == [
        (" ", "a"), (" ", "b"), ("-", "c"), ("+", "X"), (" ", "d"), (" ", "e"),
    ]  # fmt: skip
    assert counts(lines) == (1, 1)
    many = line_diff("", "\n".join("x" * 3 for _ in range(5_000)))
    assert counts(many) == (5_000, 0)
