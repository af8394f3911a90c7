"""A compaction from both sides: what was in the context before it, and what stands for it after.

What was there is what a resume from the record before would have sent, so a second compaction has
the summary of the first one on that side (`formats/ink.md` section 6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.context import CHARS_PER_TOKEN, tokens_after
from ink_tui.model.context_table import ContextTable, table_of
from ink_tui.model.entries import CompactionEntry
from ink_tui.model.message_blocks import blocks_of
from ink_tui.model.sent import Sent, sent_from
from ink_tui.model.transcript import Block, NoteBody, TextBody, Transcript
from ink_tui.model.tree import branch_to
from ink_tui.model.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.entries import EntryId
    from ink_tui.model.messages import Message, ToolCall
    from ink_tui.model.session import Session
    from ink_tui.model.tree import Branch

NOTHING_KEPT = "the record does not hold the messages it kept; Ink fails on it"
"""What is said of a retained tail that is missing."""


@dataclass(frozen=True, slots=True)
class Sides:
    """One compaction, before and after."""

    entry: CompactionEntry
    number: int
    """1-based, among the compactions of the file in file order."""
    of: int
    sent: Sent
    """What a resume from the record before it would have sent."""
    table: ContextTable
    """The same as rows."""
    kept: frozenset[int]
    """Which of its messages the retained tail repeats, 0-based."""
    tokens_before: int
    recorded: bool
    """Whether Ink wrote that figure down; else it is that of the table."""
    tokens_after: int | None
    """Estimated, of the summary and what was kept; `None` where that is missing."""
    left_out_tokens: int
    """Estimated, of the messages that only the summary stands for."""

    @property
    def left_out(self) -> int:
        """How many messages only the summary stands for."""
        return self.table.messages - len(self.kept)

    @property
    def copies(self) -> int | None:
        """How many messages were kept; `None` where the record does not hold them."""
        tail = self.entry.retained_tail
        return len(tail) if tail is not None else None


def compactions_of(session: Session) -> tuple[EntryId, ...]:
    """Return the compactions of a file, whatever their branch, in file order."""
    return tuple(key for key, node in session.nodes.items() if isinstance(node, CompactionEntry))


def nearest_compaction(session: Session, trunk: Branch, entry_id: EntryId | None) -> EntryId | None:
    """Return the compaction to show for a record: itself, the last one before it, else the last.

    Args:
        session: The session.
        trunk: The branch that a resume continues.
        entry_id: The record; `None` for none.
    """
    ways = [trunk.entries]
    if entry_id is not None:
        ways.insert(0, branch_to(session, entry_id).entries)
    for way in ways:
        for node in reversed(way):
            if isinstance(node, CompactionEntry):
                return node.id
    found = compactions_of(session)
    return found[-1] if found else None


def sides_of(session: Session, entry_id: EntryId) -> Sides | None:
    """Return a compaction from both sides; `None` where the record is none. Never raises.

    Args:
        session: The session.
        entry_id: The compaction.
    """
    entry = session.nodes.get(entry_id)
    if not isinstance(entry, CompactionEntry):
        return None
    sent = sent_from(session, entry.parent_id)
    table = table_of(session, sent)
    context = sent.context if not table.unavailable else None
    messages = [item.message for item in context.messages] if context is not None else []
    kept = kept_messages(messages, entry.retained_tail or ())
    chars = 0
    if context is not None:
        chars = sum(item.chars for at, item in enumerate(context.messages) if at not in kept)
    found = compactions_of(session)
    recorded = entry.tokens_before is not None
    return Sides(
        entry=entry,
        number=found.index(entry_id) + 1,
        of=len(found),
        sent=sent,
        table=table,
        kept=kept,
        tokens_before=entry.tokens_before if entry.tokens_before is not None else table.tokens,
        recorded=recorded,
        tokens_after=tokens_after(entry),
        left_out_tokens=-(-chars // CHARS_PER_TOKEN),
    )


def kept_messages(messages: Sequence[Message], tail: Sequence[Message]) -> frozenset[int]:
    """Return which messages a retained tail repeats, 0-based.

    The tail holds copies, not ids. It is matched to the last messages, from the end up to the first
    that differs; where it does not end with the last one, to the last place where all of it stands.
    """
    same = 0
    for message, copy in zip(reversed(messages), reversed(tail), strict=False):
        if message != copy:
            break
        same += 1
    end = len(messages)
    if not same and tail:
        wanted = list(tail)
        starts = range(len(messages) - len(wanted), -1, -1)
        first = next((at for at in starts if _stands_at(messages, wanted, at)), None)
        if first is not None:
            same, end = len(wanted), first + len(wanted)
    return frozenset(range(end - same, end))


def _stands_at(messages: Sequence[Message], wanted: list[Message], at: int) -> bool:
    return messages[at] == wanted[0] and list(messages[at : at + len(wanted)]) == wanted


def after_blocks(entry: CompactionEntry, calls: dict[str, ToolCall]) -> Transcript:
    """Return what stands for the messages after a compaction: its summary, then what it kept.

    Args:
        entry: The compaction, whole.
        calls: Calls of the context before it by their id, for results whose call is not kept.
    """
    tail = entry.retained_tail
    said = NOTHING_KEPT if tail is None else "copied word for word"
    words = said if tail is None else f"{counted(len(tail), 'message')} {said}"
    if tail is not None and not tail:
        words = "no message"
    blocks = [
        _block("summary", TextBody(entry.summary or "(an empty summary)", cut=entry.cut)),
        _block("kept", NoteBody("kept", words)),
    ]
    for number, message in enumerate(tail or ()):
        blocks.extend(blocks_of(message, f"kept{number}", calls))
    return Transcript(tuple(blocks), len(blocks), 0)


def _block(key: str, body: TextBody | NoteBody) -> Block:
    return Block(key, None, None, None, 1, dim=False, body=body)
