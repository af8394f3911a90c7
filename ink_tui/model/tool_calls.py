"""Pairing of tool calls with their results, in message order (`formats/ink.md` 8.1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.faults import FaultCode
from ink_tui.model.messages import (
    AssistantMessage,
    Message,
    ToolCall,
    ToolResult,
    ToolResultMessage,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


class CallState(StrEnum):
    """What is known of a call."""

    ANSWERED = "answered"
    FAILED = "failed"
    """Answered with an error result."""
    OPEN = "open"
    """No result saved; may have run. Belongs to the last answer: a repair can close it."""
    GAP = "gap"
    """No result saved, and the chat went on after it."""


@dataclass(frozen=True, slots=True)
class PairedCall:
    """One call, where it stands, and its result if there is one."""

    call: ToolCall
    message_index: int
    """0-based position of the assistant message in the sequence that was paired."""
    result: ToolResult | None
    result_index: int | None
    state: CallState


@dataclass(frozen=True, slots=True)
class Pairing:
    """All calls of a sequence of messages, and whether it can be continued."""

    calls: tuple[PairedCall, ...]
    """In message and block order."""
    orphans: tuple[tuple[int, ToolResult], ...]
    """Results without a call before them, or for a call that has one, with their message index."""
    refusal: FaultCode | None
    """Why the strict scan refuses, or `None`: the first rule broken, in message order."""
    refusal_index: int | None
    """0-based message at which it refuses."""
    refusal_call: str | None
    """The call id it names."""

    @property
    def dangling(self) -> tuple[PairedCall, ...]:
        """Calls without a result, in order."""
        return tuple(paired for paired in self.calls if paired.result is None)

    @property
    def closable(self) -> tuple[PairedCall, ...]:
        """Open calls that a repair may close; empty when the scan refuses."""
        return self.dangling if self.refusal is None else ()


def pair_calls(messages: Sequence[Message]) -> Pairing:
    """Pair calls and results by the strict scan, and go on after its first refusal.

    A call id that stands twice is paired by place: a result answers the newest call of its id
    that has none.
    """
    calls: list[tuple[ToolCall, int]] = []
    results: dict[int, tuple[ToolResult, int]] = {}
    by_id: dict[str, list[int]] = {}
    orphans: list[tuple[int, ToolResult]] = []
    refusals: list[tuple[FaultCode, int, str]] = []
    for index, message in enumerate(messages):
        if isinstance(message, AssistantMessage):
            for call in message.calls:
                if call.call_id in by_id:
                    refusals.append((FaultCode.DUPLICATE_CALL, index, call.call_id))
                by_id.setdefault(call.call_id, []).append(len(calls))
                calls.append((call, index))
        elif isinstance(message, ToolResultMessage):
            for result in message.results or ():
                numbers = by_id.get(result.call_id)
                if numbers is None:
                    refusals.append((FaultCode.ORPHAN_RESULT, index, result.call_id))
                    orphans.append((index, result))
                    continue
                free = next((n for n in reversed(numbers) if n not in results), None)
                if free is None:
                    refusals.append((FaultCode.DUPLICATE_RESULT, index, result.call_id))
                    orphans.append((index, result))
                else:
                    results[free] = (result, index)
    last_answer = max(
        (i for i, message in enumerate(messages) if isinstance(message, AssistantMessage)),
        default=-1,
    )
    speech_after = any(
        not isinstance(message, ToolResultMessage) for message in messages[last_answer + 1 :]
    )
    paired = tuple(
        _paired(call, index, results.get(number), last_answer, speech_after)
        for number, (call, index) in enumerate(calls)
    )
    gap = next((call for call in paired if call.state is CallState.GAP), None)
    if gap is not None and not refusals:
        first = next(call for call in paired if call.result is None)
        refusals.append((FaultCode.GAP, first.message_index, first.call.call_id))
    first_refusal = refusals[0] if refusals else (None, None, None)
    return Pairing(paired, tuple(orphans), *first_refusal)


def pair_appended(last: Pairing, messages: Sequence[Message], start: int) -> Pairing | None:
    """Return what `pair_calls` does, from the pairing of the first messages.

    `None` where the messages appended do not fit to it, so that all must be paired anew.

    Args:
        last: The pairing of the first messages, which the strict scan accepts.
        messages: All messages.
        start: How many of them were paired.
    """
    calls = list(last.calls)
    waiting = {call.call.call_id: at for at, call in enumerate(calls) if call.result is None}
    ids = {call.call.call_id for call in calls}
    for index in range(start, len(messages)):
        message = messages[index]
        if isinstance(message, AssistantMessage):
            for call in message.calls:
                if call.call_id in ids:
                    return None
                ids.add(call.call_id)
                waiting[call.call_id] = len(calls)
                calls.append(PairedCall(call, index, None, None, CallState.OPEN))
        elif isinstance(message, ToolResultMessage):
            for result in message.results or ():
                at = waiting.pop(result.call_id, None)
                if at is None:
                    return None
                state = CallState.FAILED if result.is_error else CallState.ANSWERED
                asked = calls[at]
                calls[at] = PairedCall(asked.call, asked.message_index, result, index, state)
    if any(calls[at].message_index != _end_of_answers(messages) for at in waiting.values()):
        return None
    return Pairing(tuple(calls), (), None, None, None)


def _end_of_answers(messages: Sequence[Message]) -> int:
    """Return the place of the last answer; -1 where something was said after it, or without one."""
    for index in range(len(messages) - 1, -1, -1):
        if isinstance(messages[index], AssistantMessage):
            return index
        if not isinstance(messages[index], ToolResultMessage):
            break
    return -1


def _paired(
    call: ToolCall,
    index: int,
    found: tuple[ToolResult, int] | None,
    last_answer: int,
    speech_after: bool,
) -> PairedCall:
    if found is not None:
        result, result_index = found
        state = CallState.FAILED if result.is_error else CallState.ANSWERED
        return PairedCall(call, index, result, result_index, state)
    open_tail = index == last_answer and not speech_after
    return PairedCall(call, index, None, None, CallState.OPEN if open_tail else CallState.GAP)
