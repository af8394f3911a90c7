"""A replay as the model saw it: what its context held at each position.

The size of the context after each record is found in one walk; it equals what
`ink_tui.model.context` builds for the entry at that position (`formats/ink.md` section 6).
`seen_at` gives the blocks to show there: a row for what was summarised away, the summary, the
messages that were kept word for word, and what came since.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from ink_tui.model.context import CHARS_PER_TOKEN, measured_tokens, message_chars
from ink_tui.model.entries import BranchSummaryEntry, CompactionEntry, MessageEntry
from ink_tui.model.faults import FaultCode
from ink_tui.model.messages import AssistantMessage
from ink_tui.model.seen_blocks import lost_results, opening
from ink_tui.model.transcript import (
    CompactionBody,
    NoteBody,
    Transcript,
    UnknownBody,
    UnreadableBody,
    reached,
)
from ink_tui.model.transcript_build import reading_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.entries import EntryId, Node
    from ink_tui.model.transcript import Block
    from ink_tui.model.transcript_build import Item
    from ink_tui.model.tree import Branch
    from ink_tui.model.verdict import Diagnosis

_SENT = (MessageEntry, BranchSummaryEntry, CompactionEntry)
"""Entries that become a message of the context."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The context at one position."""

    entry_id: EntryId | None
    """The entry that it is the context of; `None` before the first one."""
    tokens: int
    """Estimated size."""
    measured: bool
    """Whether that rests on figures that the provider reported."""
    messages: int
    part: int
    """Which part of the branch it stands in: 0 before the first compaction."""
    error: FaultCode | None = None
    """Why there is no context: then no message and no size."""


@dataclass(frozen=True, slots=True)
class Part:
    """What of a branch stands between two compactions."""

    step: int
    """Position of the compaction that heads it; 0 for the first part."""
    opening: tuple[Block, ...]
    """What stands for everything before: a row, the summary, the messages that were kept."""
    broken: bool
    """Whether the compaction does not hold the messages that it kept."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A transcript as the model saw it, at each of its positions."""

    transcript: Transcript
    """The one that is shown otherwise."""
    moments: tuple[Moment, ...]
    """By position; the first one is that of position 0."""
    parts: tuple[Part, ...]
    blocks: tuple[Block, ...]
    """Those of the transcript; dim are only those that never go to the model."""
    lost: tuple[Block, ...]
    """Results in the context whose call a compaction has taken out of it."""

    def at(self, position: int) -> Moment:
        """Return the context at a position."""
        return self.moments[max(0, min(position, len(self.moments) - 1))]


def build_seen(diagnosis: Diagnosis, transcript: Transcript) -> Seen | None:
    """Return a transcript as the model saw it; linear in its records, never raises.

    Args:
        diagnosis: The session.
        transcript: Its blocks as they are shown otherwise.

    Returns:
        `None` where the transcript is that of another state of the session.
    """
    session, branch, items = reading_order(diagnosis)
    if len(items) != transcript.steps:
        return None
    banners = {block.step: block for block in transcript.blocks if _is_compaction(block)}
    parts = [Part(0, (), broken=branch.error is not None)]
    lost: list[Block] = []
    starts = [at for at, item in enumerate(items) if isinstance(item, CompactionEntry)]
    sent = list(accumulate((isinstance(item, _SENT) for item in items), initial=0))
    for at, end in pairwise((*starts, len(items))):
        entry, since, away = items[at], items[at + 1 : end], sent[at]
        assert isinstance(entry, CompactionEntry)
        broken = entry.retained_tail is None or branch.error is not None
        blocks = opening(session, banners[at + 1], entry, since, away)
        parts.append(Part(at + 1, blocks, broken=broken))
        lost.extend(lost_results(entry, since, at + 1))
    return Seen(
        transcript,
        tuple(_moments(items, branch)),
        tuple(parts),
        _as_sent(transcript.blocks, parts),
        tuple(lost),
    )


def seen_at(seen: Seen, position: int) -> Transcript:
    """Return what a replay has reached, as the model saw it there.

    Args:
        seen: The transcript.
        position: How many records have been reached.
    """
    part = seen.parts[seen.at(position).part]
    first = bisect_right(seen.blocks, part.step, key=_step_of)
    behind = bisect_right(seen.blocks, position, key=_step_of)
    since: list[Block] = list(seen.blocks[first:behind])
    lost = [block for block in seen.lost if part.step < block.step <= position]
    if lost:
        since = sorted((*since, *lost), key=_step_of)
    shown = tuple(reached(block, position) for block in (*part.opening, *since))
    return replace(seen.transcript, blocks=shown)


def opens(block: Block, position: int) -> bool:
    """Whether a block is the compaction that was reached just now, with which the context opens."""
    return isinstance(block.body, CompactionBody) and block.step == position


def _moments(items: Sequence[Item], branch: Branch) -> list[Moment]:
    """Return the context at each position; what is no entry of the branch changes nothing."""
    count = _Count(branch.error)
    found = [count.moment(None)]
    nodes = iter(branch.entries)
    awaited = next(nodes, None)
    for item in items:
        if item is awaited:
            awaited = next(nodes, None)
            count.take(item)
            found.append(count.moment(item.id))
        else:
            found.append(found[-1])
    return found


class _Count:
    """The size of a context to which entries are added one by one, as Ink estimates it."""

    def __init__(self, error: FaultCode | None) -> None:
        self._never = error
        self._error = error
        self._part = self._messages = self._chars = self._later = 0
        self._base = 0
        """Tokens that the last answer with figures measured; 0 without one in this part."""

    def take(self, node: Node) -> None:
        if isinstance(node, CompactionEntry):
            tail = node.retained_tail
            self._part += 1
            self._base = self._later = 0
            self._messages = 1 + len(tail or ())
            self._chars = _summary_chars(node) + sum(message_chars(each) for each in tail or ())
            missing = FaultCode.MALFORMED_COMPACTION if tail is None else None
            self._error = self._never or missing
        elif isinstance(node, BranchSummaryEntry):
            self._add(_summary_chars(node))
        elif isinstance(node, MessageEntry):
            usage = node.message.usage if isinstance(node.message, AssistantMessage) else None
            base = measured_tokens(usage)
            self._add(message_chars(node.message))
            if base:
                self._base, self._later = base, 0

    def _add(self, chars: int) -> None:
        self._messages += 1
        self._chars += chars
        self._later += -(-chars // CHARS_PER_TOKEN)

    def moment(self, entry_id: EntryId | None) -> Moment:
        if self._error is not None:
            return Moment(entry_id, 0, False, 0, self._part, self._error)
        counted = -(-self._chars // CHARS_PER_TOKEN)
        tokens = self._base + self._later if self._base else counted
        return Moment(entry_id, tokens, bool(self._base), self._messages, self._part)


def _summary_chars(node: CompactionEntry | BranchSummaryEntry) -> int:
    return node.cut.chars if node.cut is not None else len(node.summary)


def _as_sent(blocks: Sequence[Block], parts: Sequence[Part]) -> tuple[Block, ...]:
    """Return blocks that are dim if the model is never sent them, and not dim otherwise."""
    broken = [part.broken for part in parts]
    sound = not any(broken)
    found: list[Block] = []
    for block in blocks:
        body = block.body
        aside = isinstance(body, NoteBody | UnreadableBody)
        aside = aside or (isinstance(body, UnknownBody) and body.what == "record")
        part = 0 if sound else bisect_right(parts, block.step, key=_start_of) - 1
        dim = aside or broken[part]
        found.append(block if block.dim == dim else replace(block, dim=dim))
    return tuple(found)


def _is_compaction(block: Block) -> bool:
    return isinstance(block.body, CompactionBody)


def _step_of(block: Block) -> int:
    return block.step


def _start_of(part: Part) -> int:
    return part.step
