"""What a row of the tree took: time and tokens, as the records around it tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.entries import CompactionEntry, MessageEntry
from ink_tui.model.messages import AssistantMessage
from ink_tui.model.outline_entries import row_key

if TYPE_CHECKING:
    from ink_tui.model.entries import Node
    from ink_tui.model.messages import Usage
    from ink_tui.model.outline_rows import OutlineRow
    from ink_tui.model.session import Session


@dataclass(frozen=True, slots=True)
class RowFigures:
    """Figures of one row; nothing where no record holds them."""

    took_ms: int | None = None
    """How long a call ran, or how long the model was waited for."""
    tokens_in: int | None = None
    """What the model read, what it had cached included."""
    tokens_out: int | None = None


NO_FIGURES = RowFigures()


def row_figures(row: OutlineRow, session: Session) -> RowFigures:
    """Return the figures of a row; costs no more in a longer session.

    An answer of several rows has them on its first. The model was waited for from the record before
    the answer on; a call has the time up to its result, where that is its own. No record holds a
    price (`formats/ink.md` 4.2).

    Args:
        row: A row of the session's tree.
        session: The session, or what was read of it.
    """
    node = session.nodes.get(row.entry_id) if row.entry_id is not None else None
    if node is None or row.key != row_key(node, 0):
        return NO_FIGURES if row.duration_ms is None else RowFigures(row.duration_ms)
    usage = _usage_of(node)
    took = row.duration_ms if row.call is not None else _waited(node, session)
    if usage is None:
        return RowFigures(took)
    read = (usage.input_tokens or 0) + usage.cache_read_tokens + usage.cache_write_tokens
    known = usage.input_tokens is not None or read > 0
    return RowFigures(took, read if known else None, usage.output_tokens)


def _usage_of(node: Node) -> Usage | None:
    """Return what the model call of an entry used; a missing report is none (`4.2`)."""
    if isinstance(node, CompactionEntry):
        return node.usage
    if isinstance(node, MessageEntry) and isinstance(node.message, AssistantMessage):
        return None if node.message.usage_missing else node.message.usage
    return None


def _waited(node: Node, session: Session) -> int | None:
    """Return how long the model was waited for; `None` for what no model wrote."""
    of_model = isinstance(node, CompactionEntry) or (
        isinstance(node, MessageEntry) and isinstance(node.message, AssistantMessage)
    )
    before = session.nodes.get(node.parent_id) if node.parent_id is not None else None
    if not of_model or before is None or before.time_ms is None or node.time_ms is None:
        return None
    return max(0, node.time_ms - before.time_ms)
