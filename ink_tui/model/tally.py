"""How many turns, calls, failures, compactions and problems a branch has.

`check` prints these figures and the timeline of a replay marks each of the things, so both say the
same. They are counted from the records here, from the blocks of the transcript there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.context import build_context
from ink_tui.model.entries import CompactionEntry, MessageEntry, ModelMarker, UnknownEntry
from ink_tui.model.faults import Fault
from ink_tui.model.messages import ToolResultMessage, UserMessage
from ink_tui.model.tool_calls import pair_calls
from ink_tui.model.transcript import ToolState, result_state
from ink_tui.model.transcript_build import reading_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.tool_calls import Pairing
    from ink_tui.model.transcript_build import Item
    from ink_tui.model.tree import Branch
    from ink_tui.model.verdict import Diagnosis


@dataclass(frozen=True, slots=True)
class Tally:
    """Figures of the branch that is read."""

    turns: int = 0
    """Messages of the user."""
    calls: int = 0
    """Calls of tools."""
    failed: int = 0
    """Calls that failed."""
    compactions: int = 0
    problems: int = 0
    """What needs a person: calls without a result, results without a call, lines not readable."""


def tally_of(diagnosis: Diagnosis) -> Tally:
    """Return the figures of the branch that is read, lines beside it included; never raises."""
    _session, branch, items = reading_order(diagnosis)
    messages = [node.message for node in branch.entries if isinstance(node, MessageEntry)]
    pairing = pair_calls(messages)
    results = [paired.result for paired in pairing.calls if paired.result is not None]
    return Tally(
        turns=sum(1 for message in messages if isinstance(message, UserMessage)),
        calls=len(pairing.calls),
        failed=sum(1 for result in results if result_state(result) is ToolState.FAILED),
        compactions=sum(1 for node in branch.entries if isinstance(node, CompactionEntry)),
        problems=_unsettled(branch, items, pairing) + sum(1 for item in items if _is_damage(item)),
    )


def _is_damage(item: Item) -> bool:
    """Whether a record cannot be read, or holds nothing that is known."""
    if isinstance(item, MessageEntry):
        message = item.message
        return isinstance(message, ToolResultMessage) and message.results is None
    return isinstance(item, Fault | UnknownEntry)


def _unsettled(branch: Branch, items: Sequence[Item], pairing: Pairing) -> int:
    """Return how many calls have no result and may need one, and how many results have no call.

    Above the last compaction neither harms, unless the context holds a copy of the call.
    """
    sent = build_context(branch.entries).messages if branch.error is None else ()
    open_calls = pair_calls([item.message for item in sent]).dangling
    in_context = {paired.call.call_id for paired in open_calls}
    spoken = 0
    above = 0
    for item in items:
        if isinstance(item, ModelMarker | Fault):
            continue
        spoken += isinstance(item, MessageEntry)
        if isinstance(item, CompactionEntry):
            above = spoken
    calls = sum(
        1
        for paired in pairing.dangling
        if paired.message_index >= above or paired.call.call_id in in_context
    )
    return calls + sum(1 for index, _result in pairing.orphans if index >= above)
