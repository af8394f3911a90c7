"""What a compaction puts into the context, as blocks of a transcript (`formats/ink.md` section 6).

The messages that it kept are copies inside its own record: their blocks name that record, and they
are reached with it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.model.entries import EntryId, MessageEntry
from ink_tui.model.messages import AssistantMessage, ToolResultMessage
from ink_tui.model.transcript import (
    AwayBody,
    Block,
    CompactionBody,
    NoteBody,
    OrphanBody,
    ToolBody,
    TurnBody,
)
from ink_tui.model.transcript_build import Before, blocks_after
from ink_tui.model.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.entries import CompactionEntry
    from ink_tui.model.messages import Message
    from ink_tui.model.session import Session
    from ink_tui.model.transcript_build import Item

_COPY = re.compile(r":kept([0-9]+):[^:]+\Z")
KEPT_MISSING = "the messages that were kept are missing: the agent fails here"


def opening(
    session: Session, banner: Block, entry: CompactionEntry, since: Sequence[Item], away: int
) -> tuple[Block, ...]:
    """Return the blocks that stand for everything up to a compaction.

    Args:
        session: The session.
        banner: The block of the compaction.
        entry: The compaction.
        since: What follows up to the next compaction, in reading order.
        away: Earlier records that the summary stands for.
    """
    body = banner.body
    assert isinstance(body, CompactionBody)
    found = [replace(banner, dim=False, body=replace(body, opens=True))]
    if away:
        row = replace(banner, key=f"{entry.id}:away", dim=True, body=AwayBody(away), starred=False)
        found.insert(0, row)
    words = KEPT_MISSING
    if entry.retained_tail is not None:
        number = len(entry.retained_tail)
        words = f"{counted(number, 'message')}, copied word for word" if number else ""
    if words:
        note = replace(
            banner, key=f"{entry.id}:kept", dim=True, body=NoteBody("kept", words), starred=False
        )
        found.append(note)
    return (*found, *_kept(session, banner, entry, since))


def lost_results(entry: CompactionEntry, since: Sequence[Item], step: int) -> tuple[Block, ...]:
    """Return results after a compaction whose call it has taken out of the context.

    In the transcript such a result stands with its call; the model saw it alone.

    Args:
        entry: The compaction.
        since: What follows up to the next compaction, in reading order.
        step: Position of the compaction.
    """
    known: set[str] = set()
    for message in entry.retained_tail or ():
        known |= _called(message)
    found: list[Block] = []
    for at, item in enumerate(since, step + 1):
        if not isinstance(item, MessageEntry):
            continue
        known |= _called(item.message)
        results = item.message.results if isinstance(item.message, ToolResultMessage) else ()
        for number, result in enumerate(results or ()):
            if result.call_id not in known:
                key, body = f"{item.id}:lost{number}", OrphanBody(result)
                found.append(Block(key, item.id, item.span, item.time_ms, at, False, body))
    return tuple(found)


def copy_number(key: str) -> int | None:
    """Return which of a compaction's copies (0-based) a block is of, by its key; else `None`."""
    found = _COPY.search(key)
    return int(found[1]) if found is not None else None


def _called(message: Message) -> set[str]:
    if isinstance(message, AssistantMessage):
        return {call.call_id for call in message.calls}
    return set()


def _kept(
    session: Session, banner: Block, entry: CompactionEntry, since: Sequence[Item]
) -> list[Block]:
    """Return the blocks of the messages that a compaction kept."""
    tail = entry.retained_tail or ()
    copies = [
        MessageEntry(
            id=EntryId(f"{entry.id}:kept{number}"),
            parent_id=None,
            timestamp=entry.timestamp,
            time_ms=entry.time_ms,
            span=entry.span,
            message=message,
        )
        for number, message in enumerate(tail)
    ]
    # A result of a call that was kept may stand behind the compaction.
    later = [
        (step, item)
        for step, item in enumerate(since, banner.step + 1)
        if isinstance(item, MessageEntry) and _is_unanswered(tail)
    ]
    entries = (*copies, *(item for _step, item in later))
    steps = [*(banner.step for _copy in copies), *(step for step, _item in later)]
    made = blocks_after(session, entries, list(entries), Before()).blocks
    return [
        _of_compaction(block, banner, steps)
        for block in made
        if block.step <= len(copies) and block.entry_id is not None and block.key[0] != "@"
    ]


def _is_unanswered(tail: Sequence[Message]) -> bool:
    """Whether a call among some messages has no result among them."""
    calls: set[str] = set()
    for message in tail:
        calls |= _called(message)
        if isinstance(message, ToolResultMessage):
            calls -= {result.call_id for result in message.results or ()}
    return bool(calls)


def _of_compaction(block: Block, banner: Block, steps: list[int]) -> Block:
    """Return a block of a copy as one of the record that holds it."""
    body = block.body
    if isinstance(body, TurnBody):
        body = replace(body, number=0, duration_ms=None)
    elif isinstance(body, ToolBody) and body.result_step is not None:
        inside = steps[body.result_step - 1] == banner.step
        body = replace(
            body,
            result_step=steps[body.result_step - 1],
            duration_ms=None,
            result_entry=banner.entry_id if inside else body.result_entry,
            result_span=banner.span if inside else body.result_span,
        )
    return Block(
        key=block.key,
        entry_id=banner.entry_id,
        span=banner.span,
        time_ms=None,
        step=banner.step,
        dim=False,
        body=body,
    )
