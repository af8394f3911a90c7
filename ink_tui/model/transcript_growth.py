"""The transcript of a session to which messages were appended, from the one that it had."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.model.entries import MessageEntry, ModelMarker, UnknownEntry
from ink_tui.model.messages import UserMessage
from ink_tui.model.transcript import Block, ToolBody, Transcript, TurnBody
from ink_tui.model.transcript_build import Before, blocks_after, in_file_order, turn_duration

if TYPE_CHECKING:
    from ink_tui.model.entries import Node
    from ink_tui.model.growth import Growth
    from ink_tui.model.session import Session
    from ink_tui.model.transcript_build import Item


def grown_transcript(last: Transcript, growth: Growth) -> Transcript | None:
    """Return the blocks of a session that has grown; `None` where they must be made anew.

    Equal to what `build_transcript` makes of the session now, if no block before what was shown
    anew was changed by `as_live`, which holds of all that it gave.

    Args:
        last: The blocks of the session as it was.
        growth: What was appended since.
    """
    entries = growth.shown_anew
    kept = _kept(last, growth)
    if kept is None or not entries:
        return last if kept is not None else None
    blocks, steps = kept
    session = growth.new.session
    items = _items(session, entries)
    if items is None:
        return None
    head = _last_head(blocks)
    turn = blocks[head].body if head is not None else None
    turns = turn.number if isinstance(turn, TurnBody) else 0
    after = blocks_after(session, entries, items, Before(steps, turns))
    if head is not None:
        _tell_duration(blocks, head, entries)
    return Transcript((*blocks, *after.blocks), after.steps, after.turns)


def _kept(last: Transcript, growth: Growth) -> tuple[list[Block], int] | None:
    """Return the blocks before what is shown anew, and how many records they come from."""
    if growth.new.session.faults:
        return None
    if growth.start == len(growth.old.branch.entries):
        found, steps = len(last.blocks), last.steps
    else:
        first = growth.shown_anew[0]
        at = len(last.blocks) - 1
        while at >= 0 and last.blocks[at].entry_id != first.id:
            at -= 1
        if at < 0:
            return None
        steps = last.blocks[at].step - 1
        while at > 0 and last.blocks[at - 1].step > steps:
            at -= 1
        found = at
        markers = _markers(growth.old.session, first.span.offset)
        shown = len(growth.old.branch.entries) - growth.start
        if markers is None or steps + shown + len(markers) != last.steps:
            return None
    blocks = list(last.blocks[:found])
    return None if _names_open_call(blocks, growth) else (blocks, steps)


def _names_open_call(blocks: list[Block], growth: Growth) -> bool:
    """Whether a call without a result has the id of one that is or was open behind it."""
    calls = (*growth.old.open_calls, *growth.new.open_calls)
    ids = {paired.call.call_id for paired in calls}
    if ids:
        for block in blocks:
            body = block.body
            if isinstance(body, ToolBody) and body.result is None and body.call.call_id in ids:
                return True
    return False


def _markers(session: Session, offset: int) -> list[Item] | None:
    """Return the markers behind a place of the file; `None` where there is something unknown."""
    found: list[Item] = []
    for record in reversed(session.records):
        if record.span.offset <= offset:
            break
        if isinstance(record, UnknownEntry):
            return None
        if isinstance(record, ModelMarker):
            found.append(record)
    return found


def _items(session: Session, entries: tuple[Node, ...]) -> list[Item] | None:
    markers = _markers(session, entries[0].span.offset)
    return in_file_order(entries, markers) if markers is not None else None


def _last_head(blocks: list[Block]) -> int | None:
    for at in range(len(blocks) - 1, -1, -1):
        if isinstance(blocks[at].body, TurnBody):
            return at
    return None


def _tell_duration(blocks: list[Block], head: int, entries: tuple[Node, ...]) -> None:
    """Let the head of the turn that went on tell how long it took."""
    end: int | None = None
    for node in entries:
        if isinstance(node, MessageEntry):
            if isinstance(node.message, UserMessage):
                break
            end = node.time_ms if node.time_ms is not None else end
    block = blocks[head]
    if end is not None and isinstance(block.body, TurnBody):
        body = replace(block.body, duration_ms=turn_duration(block.time_ms, end))
        blocks[head] = replace(block, body=body)
