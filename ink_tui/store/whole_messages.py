"""Messages of a context with all of their texts, read again from the records that hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.context import ContextMessage, Origin
from ink_tui.model.entries import BranchSummaryEntry, CompactionEntry, MessageEntry
from ink_tui.model.light import has_cut, light_message
from ink_tui.model.messages import TextBlock, UserMessage
from ink_tui.model.whole_blocks import is_start_of
from ink_tui.store.files import UnreadableError
from ink_tui.store.whole_records import read_records

if TYPE_CHECKING:
    from ink_tui.model.entries import Node, Record
    from ink_tui.model.messages import Message
    from ink_tui.model.session import Session
    from ink_tui.store.reader import FarReader


def whole_message(
    path: str, session: Session, item: ContextMessage, number: int, far: FarReader | None = None
) -> Message:
    """Return a message of a context whole; as it is kept where its record cannot be read again.

    Blocks on a read of the file where only the start of a text is kept.

    Args:
        path: The file of the session.
        session: The session.
        item: The message.
        number: Its place in the context, 0-based.
        far: Reads very long records elsewhere.
    """
    node = session.nodes.get(item.entry_id) if item.entry_id is not None else None
    if node is None or not has_cut(item.message):
        return item.message
    found = _message_in(whole_node(path, node, far), item.origin, number - 1)
    # The whole of another message would be worse than the start of this one.
    fits = found is not None and item.message in (found, light_message(found))
    return found if found is not None and fits else item.message


def whole_node(path: str, node: Node, far: FarReader | None = None) -> Node:
    """Return a record whole; as it is kept where it cannot be read again, or is another one now.

    Args:
        path: The file of the session.
        node: The record as it is kept.
        far: Reads very long records elsewhere.
    """
    try:
        record = read_records(path, [node.span], far).get(node.span.offset)
    except UnreadableError:
        return node
    if isinstance(record, type(node)) and is_start_of(node, record):
        return record
    return node


def _message_in(record: Record, origin: Origin, kept: int) -> Message | None:
    """Return the message that a record gives to a context.

    Args:
        record: The record.
        origin: Why the message is there.
        kept: Its place in the retained tail, where it is a copy.
    """
    if isinstance(record, MessageEntry):
        return record.message
    if isinstance(record, BranchSummaryEntry):
        return UserMessage((TextBlock(record.summary),), framed="branch")
    if isinstance(record, CompactionEntry):
        if origin is Origin.SUMMARY:
            return UserMessage((TextBlock(record.summary),), framed="compaction")
        tail = record.retained_tail or ()
        return tail[kept] if 0 <= kept < len(tail) else None
    return None
