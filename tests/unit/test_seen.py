"""A replay as the model saw it holds what the context holds, at every position of every sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from ink_tui.model.context import Context, ContextMessage, Origin
from ink_tui.model.messages import AssistantMessage, ToolResultMessage
from ink_tui.model.seen import Seen, build_seen, seen_at
from ink_tui.model.sent import sent_from
from ink_tui.model.transcript import (
    AwayBody,
    CompactionBody,
    NoteBody,
    OrphanBody,
    ToolBody,
    ToolState,
    UserBody,
)
from ink_tui.model.transcript_build import build_transcript, reading_order
from ink_tui.model.whole_blocks import is_light, whole_block
from tests.properties.test_light import FILLINGS, again, lengthened, read_light, read_whole
from tests.properties.test_transcript_properties import files
from tests.sample_sessions import samples
from tests.transcript_samples import Script, call, diagnosed, result, thinking

if TYPE_CHECKING:
    from ink_tui.model.entries import EntryId
    from ink_tui.model.transcript import Block
    from ink_tui.model.verdict import Diagnosis


def seen_of(diagnosis: Diagnosis) -> Seen:
    seen = build_seen(diagnosis, build_transcript(diagnosis))
    assert seen is not None
    return seen


def assert_equal_to_the_context(diagnosis: Diagnosis) -> int:
    """Compare with the model's own context, position by position; return how many there were."""
    seen = seen_of(diagnosis)
    session, branch, items = reading_order(diagnosis)
    nodes = {id(node) for node in branch.entries}
    entry_id: EntryId | None = None
    assert len(seen.moments) == len(items) + 1
    for position in range(len(items) + 1):
        if position and id(items[position - 1]) in nodes:
            entry_id = items[position - 1].id  # type: ignore[union-attr]  # a node has one
        moment = seen.at(position)
        assert moment.entry_id == entry_id
        context = sent_from(session, entry_id).context
        error = branch.error or (context.error if context is not None else None)
        assert moment.error == error
        shown = seen_at(seen, position).blocks
        assert len({block.key for block in shown}) == len(shown)
        if error is not None or context is None:
            assert all(block.dim or block.step == part_step(seen, position) for block in shown)
            continue
        assert moment.tokens == context.tokens
        assert moment.measured == context.measured
        assert moment.messages == len(context.messages)
        assert_shown(context, shown, part_step(seen, position))
    return len(items) + 1


def part_step(seen: Seen, position: int) -> int:
    return seen.parts[seen.at(position).part].step


def assert_shown(context: Context, shown: tuple[Block, ...], start: int) -> None:
    """What is not dim is the context: the summary, the copies, and what came since."""
    bright = [block for block in shown if not block.dim]
    assert [isinstance(each.body, CompactionBody) for each in bright].count(True) == (
        1 if context.compacted else 0
    )
    since = {item.entry_id for item in context.messages if item.origin is Origin.SINCE}
    held = {block.entry_id for block in bright if block.step > start}
    held |= {
        block.body.result_entry
        for block in bright
        if isinstance(block.body, ToolBody) and block.body.result_entry is not None
    }
    if context.compaction is not None:
        held.discard(context.compaction.id)
    assert held <= since
    assert {item.entry_id for item in context.messages if says_something(item)} - held <= {None}
    away = [block.body.records for block in shown if isinstance(block.body, AwayBody)]
    assert away == ([context.left_out] if context.left_out else [])


def says_something(item: ContextMessage) -> bool:
    """Whether a message came since, and has something to show."""
    message = item.message
    if item.origin is not Origin.SINCE:
        return False
    if isinstance(message, AssistantMessage):
        return bool(message.text.strip()) or bool(message.calls)
    return not isinstance(message, ToolResultMessage) or bool(message.results)


@pytest.mark.parametrize("name", samples())
def test_every_position_of_every_sample_holds_what_the_context_holds(name: str) -> None:
    assert assert_equal_to_the_context(diagnosed(samples()[name])) >= 1


@settings(max_examples=150, deadline=None)
@given(files())
def test_every_position_of_any_file_holds_what_the_context_holds(data: bytes) -> None:
    assert_equal_to_the_context(diagnosed(data))


def kept() -> list[dict[str, Any]]:
    return [
        {"role": "user", "content": "kept question"},
        {"role": "assistant", "blocks": [call("k", "bash", command="make")]},
    ]


def compacted() -> Script:
    script = Script().user("old question").answer("old answer").user("kept question")
    script.answer(call("k", "bash", command="make")).compaction("what was done", kept())
    return script.results(result("k", "bash", "made")).answer("new answer")


def test_before_the_compaction_nothing_is_dim() -> None:
    seen = seen_of(compacted().diagnosis())
    shown = seen_at(seen, 4).blocks
    assert [block.step for block in shown] == [1, 1, 2, 3, 3, 4]
    assert not any(block.dim for block in shown)
    assert seen.at(4).part == 0


def test_at_the_compaction_stand_what_is_away_the_summary_and_what_was_kept() -> None:
    seen = seen_of(compacted().diagnosis())
    away, banner, note, turn, user, tool = seen_at(seen, 5).blocks
    assert away.body == AwayBody(4)
    assert away.dim
    assert isinstance(banner.body, CompactionBody)
    assert banner.body.opens
    assert note.body == NoteBody("kept", "2 messages, copied word for word")
    assert isinstance(user.body, UserBody)
    assert (turn.dim, user.dim, tool.dim) == (False, False, False)
    assert {block.entry_id for block in (turn, user, tool)} == {banner.entry_id}
    assert isinstance(tool.body, ToolBody)
    assert tool.body.state is ToolState.NOT_REACHED


def test_a_result_behind_the_compaction_stands_with_the_copy_of_its_call() -> None:
    seen = seen_of(compacted().diagnosis())
    shown = seen_at(seen, 6).blocks
    tool = shown[5].body
    assert isinstance(tool, ToolBody)
    assert (tool.state, tool.result_step, tool.result_entry) == (ToolState.OK, 6, "e6")
    assert len(shown) == 6, "the result is not shown once more"


def test_a_result_whose_call_is_away_stands_alone() -> None:
    script = Script().user("go").answer(call("c", "bash", command="make"))
    script.compaction("sum", []).results(result("c", "bash", "made"))
    *_others, last = seen_at(seen_of(script.diagnosis()), 4).blocks
    assert isinstance(last.body, OrphanBody)
    assert (last.entry_id, last.step, last.dim) == ("e4", 4, False)


def test_a_later_compaction_takes_the_place_of_an_earlier_one() -> None:
    script = compacted().compaction("and then", []).user("next")
    seen = seen_of(script.diagnosis())
    assert [block.step for block in seen_at(seen, 7).blocks][-1] == 7
    shown = seen_at(seen, 9).blocks
    assert shown[0].body == AwayBody(7)
    assert [block.step for block in shown] == [8, 8, 9, 9]


def test_a_transcript_of_another_state_is_not_taken() -> None:
    old = build_transcript(compacted().diagnosis())
    assert build_seen(compacted().user("more").diagnosis(), old) is None


@pytest.mark.parametrize("filling", range(len(FILLINGS)))
def test_what_was_kept_is_made_whole_from_the_compaction(filling: int) -> None:
    """Of a big file only the start of each text is in memory; a copy's text is read again."""
    script = compacted()
    kept_calls: list[dict[str, Any]] = [
        {"role": "user", "content": "kept question"},
        {
            "role": "assistant",
            "blocks": [
                thinking("why"), call("k", "bash", command="make"), {"type": "text", "text": "so"},
            ],
        },
        {"role": "toolResult", "results": [result("k", "bash", "made")]},
    ]  # fmt: skip
    data = lengthened(script.compaction("again", kept_calls).data(), [FILLINGS[filling]])
    light, whole = read_light(data), read_whole(data)
    pairs = zip(seen_of(light).parts, seen_of(whole).parts, strict=True)
    checked = 0
    for before, after in pairs:
        for small, big in zip(before.opening, after.opening, strict=True):
            if is_light(small):
                assert whole_block(small, again(data, light)) == big
                checked += 1
            else:
                assert small == big
    assert checked or len(FILLINGS[filling]) < 300
