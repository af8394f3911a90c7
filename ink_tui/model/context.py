"""What a resume would send to the model (`formats/ink.md` section 6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    EntryId,
    MessageEntry,
    ModelMarker,
    Node,
    ThinkingLevelEntry,
)
from ink_tui.model.faults import FaultCode
from ink_tui.model.messages import (
    AssistantMessage,
    ImageBlock,
    Message,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResultMessage,
    Usage,
    UserMessage,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.session import Session

CONTEXT_WINDOW = 131_072
"""Ink's default context window in tokens (1.7)."""

COMPACTION_RESERVE = 16_384
"""Ink compacts when the estimate exceeds the window less this many tokens."""

CHARS_PER_TOKEN = 4
IMAGE_CHARS = 4_800
"""What an image counts in the estimate, in characters."""

_SAID = (TextBlock, ThinkingBlock)


class Origin(StrEnum):
    """Why a message is in the context."""

    SUMMARY = "summary"
    """The framed summary of the last compaction."""
    KEPT = "kept"
    """A copy in that compaction's retained tail."""
    SINCE = "since"
    """Produced after it, or in a session that was never compacted."""


@dataclass(frozen=True, slots=True)
class ContextMessage:
    """One message of the context and where it comes from."""

    message: Message
    origin: Origin
    entry_id: EntryId | None
    """The entry that holds it; the compaction for its summary and its retained tail."""
    chars: int
    """Its size in characters as the estimate counts it."""

    @property
    def tokens(self) -> int:
        """Estimated tokens, rounded up."""
        return -(-self.chars // CHARS_PER_TOKEN)


@dataclass(frozen=True, slots=True)
class Context:
    """The messages of a resume from one entry, with size and boundary."""

    messages: tuple[ContextMessage, ...]
    boundary: int
    """Index of the first message after the retained tail; 0 without a compaction."""
    compaction: CompactionEntry | None
    """The compaction that heads the context."""
    tokens: int
    """Estimated size."""
    measured: bool
    """Whether the estimate rests on figures that the provider reported."""
    left_out: int
    """Message and summary entries of the branch that the last compaction stands for."""
    error: FaultCode | None = None
    """`MALFORMED_COMPACTION` when it cannot be rebuilt; then there are no messages."""

    @property
    def compacted(self) -> bool:
        """Whether a compaction heads the context."""
        return self.compaction is not None


def build_context(branch: tuple[Node, ...]) -> Context:
    """Return what a resume from the end of a branch would send.

    Args:
        branch: Entries from a root to the leaf.
    """
    at = max(
        (i for i, node in enumerate(branch) if isinstance(node, CompactionEntry)), default=None
    )
    messages: list[ContextMessage] = []
    compaction: CompactionEntry | None = None
    left_out = 0
    if at is not None:
        found = branch[at]
        assert isinstance(found, CompactionEntry)
        compaction = found
        if compaction.retained_tail is None:
            return Context((), 0, compaction, 0, False, 0, FaultCode.MALFORMED_COMPACTION)
        summary = UserMessage((TextBlock(compaction.summary, compaction.cut),), framed="compaction")
        messages.append(_context_message(summary, Origin.SUMMARY, compaction.id))
        messages.extend(
            _context_message(message, Origin.KEPT, compaction.id)
            for message in compaction.retained_tail
        )
        left_out = sum(
            1
            for node in branch[:at]
            if isinstance(node, MessageEntry | BranchSummaryEntry | CompactionEntry)
        )
    boundary = len(messages)
    for node in branch[0 if at is None else at + 1 :]:
        if isinstance(node, MessageEntry):
            messages.append(_context_message(node.message, Origin.SINCE, node.id))
        elif isinstance(node, BranchSummaryEntry):
            summary = UserMessage((TextBlock(node.summary, node.cut),), framed="branch")
            messages.append(_context_message(summary, Origin.SINCE, node.id))
    tokens, measured = estimate_tokens(messages, boundary)
    return Context(tuple(messages), boundary, compaction, tokens, measured, left_out)


def grown_context(context: Context, appended: Sequence[MessageEntry]) -> Context:
    """Return a context to which messages were appended; equal to one that is built anew.

    Args:
        context: What a resume would have sent before; one that could be built.
        appended: The messages, in order.
    """
    more = (_context_message(node.message, Origin.SINCE, node.id) for node in appended)
    messages = (*context.messages, *more)
    tokens, measured = estimate_tokens(messages, context.boundary)
    return replace(context, messages=messages, tokens=tokens, measured=measured)


def estimate_tokens(messages: Sequence[ContextMessage], floor: int) -> tuple[int, bool]:
    """Return the size of a context in tokens and whether it rests on measured figures.

    The newest answer at or after `floor` with reported usage is the measured base, later messages
    count a token per four characters; without one, everything is counted by characters.
    """
    for index in range(len(messages) - 1, floor - 1, -1):
        message = messages[index].message
        if isinstance(message, AssistantMessage):
            base = measured_tokens(message.usage)
            if base:
                return base + sum(later.tokens for later in messages[index + 1 :]), True
    chars = sum(message.chars for message in messages)
    return -(-chars // CHARS_PER_TOKEN), False


def tokens_after(entry: CompactionEntry) -> int | None:
    """Return the estimated size right after a compaction: its summary and what it kept.

    `None` when the record does not say which messages were kept.
    """
    if entry.retained_tail is None:
        return None
    kept = sum(message_chars(message) for message in entry.retained_tail)
    said = entry.cut.chars if entry.cut is not None else len(entry.summary)
    return -(-(said + kept) // CHARS_PER_TOKEN)


def message_chars(message: Message) -> int:
    """Return the size of a message in characters as Ink's estimate counts it."""
    total = 0
    if isinstance(message, UserMessage):
        total = sum(_block_chars(block) for block in message.content)
    elif isinstance(message, AssistantMessage):
        total = sum(_block_chars(block) for block in message.blocks)
    elif isinstance(message, ToolResultMessage):
        for result in message.results or ():
            total += sum(_block_chars(block) for block in result.content)
    return total


def model_in_force(session: Session) -> tuple[str | None, str | None]:
    """Return provider and model of a resume: the newest model record, else the header's (3.8)."""
    for record in reversed(session.records):
        if isinstance(record, ModelMarker):
            return record.provider, record.model_id
    if session.header is not None:
        return session.header.provider, session.header.model_id
    return None, None


def thinking_level(session: Session) -> str | None:
    """Return the thinking level of a resume: the last one in the *file*, as Ink does it (9.3)."""
    for record in reversed(session.records):
        if isinstance(record, ThinkingLevelEntry):
            return record.level
    return None


def _context_message(message: Message, origin: Origin, entry_id: EntryId | None) -> ContextMessage:
    return ContextMessage(message, origin, entry_id, message_chars(message))


def measured_tokens(usage: Usage | None) -> int:
    """Return the size of the context after an answer as its figures tell; 0 where they do not."""
    if usage is None:
        return 0
    base = (usage.input_tokens or 0) + (usage.output_tokens or 0) + usage.cache_read_tokens
    return base + usage.cache_write_tokens if base > 0 else 0


def _block_chars(block: object) -> int:
    if isinstance(block, _SAID):
        return block.cut.chars if block.cut is not None else len(block.text)
    if isinstance(block, ToolCall):
        return len(block.tool) + block.size
    if isinstance(block, ImageBlock):
        return IMAGE_CHARS
    return 0
