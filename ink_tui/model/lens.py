"""The context from another record than the resume point, and the way from record to record.

A step costs what the branch of its record has in records; rows of messages that two contexts share
are made once (`formats/ink.md` section 6).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.context_table import ContextTable, described, table_of
from ink_tui.model.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    InfoEntry,
    MessageEntry,
    ThinkingLevelEntry,
    UnknownEntry,
)
from ink_tui.model.messages import UserMessage
from ink_tui.model.sent import Sent, sent_from
from ink_tui.model.text import first_line, one_line
from ink_tui.model.tree import branch_to

if TYPE_CHECKING:
    from ink_tui.model.entries import EntryId, Node
    from ink_tui.model.session import Session
    from ink_tui.model.tree import Branch

_WORDS = 400
"""Characters of a record that are looked at for the words it is named by."""


class Walk(StrEnum):
    """What a step goes to."""

    RECORD = "record"
    TURN = "turn"
    """A message of the user."""


@dataclass(frozen=True, slots=True)
class LensPlace:
    """The record that a context is shown from, and where it stands on the way one walks on."""

    kind: str
    """What the record is, in a word."""
    text: str
    """Its first words, cleaned, in one line."""
    time_ms: int | None
    number: int
    """1-based, among the records of the way."""
    of: int
    """Records of the way."""
    on_trunk: bool
    """Whether the way is the branch that a resume continues."""


@dataclass(frozen=True, slots=True)
class Lens:
    """The context from one record."""

    entry_id: EntryId
    place: LensPlace
    sent: Sent
    table: ContextTable


def lens_at(
    session: Session, trunk: Branch, entry_id: EntryId, last: Lens | None = None
) -> Lens | None:
    """Return the context from a record; `None` where the session has no such record.

    Args:
        session: The session.
        trunk: The branch that a resume continues.
        entry_id: The record.
        last: What was shown last, of this session.
    """
    node = session.nodes.get(entry_id)
    if node is None:
        return None
    sent = sent_from(session, entry_id)
    known = (last.sent.context, last.table) if last is not None else None
    way = way_through(session, trunk, entry_id)
    kind, text = _named(node)
    place = LensPlace(
        kind=kind,
        text=text,
        time_ms=node.time_ms,
        number=_index(way, entry_id) + 1,
        of=len(way),
        on_trunk=way is trunk.entries,
    )
    return Lens(entry_id, place, sent, table_of(session, sent, last=known))


def way_through(session: Session, trunk: Branch, entry_id: EntryId) -> tuple[Node, ...]:
    """Return the records that one walks on from a record: those before it and those after it.

    After it comes the branch that a resume continues, where the record is on that; else the newest
    branch, child by child.

    Args:
        session: The session.
        trunk: The branch that a resume continues.
        entry_id: The record.
    """
    if any(node.id == entry_id for node in trunk.entries):
        return trunk.entries
    way = list(branch_to(session, entry_id).entries)
    newest = {node.parent_id: child for child, node in session.nodes.items()}
    seen = {node.id for node in way}
    following = newest.get(entry_id)
    while following is not None and following not in seen:
        seen.add(following)
        way.append(session.nodes[following])
        following = newest.get(following)
    return tuple(way)


def step_from(
    session: Session, trunk: Branch, entry_id: EntryId | None, walk: Walk, step: int
) -> EntryId | None:
    """Return the next record of a kind on the way, or the one before; `None` for none.

    Args:
        session: The session.
        trunk: The branch that a resume continues.
        entry_id: Where one stands; `None` for the resume point.
        walk: What to go to. Behind the last turn comes the end of the way.
        step: 1 or -1.
    """
    way = trunk.entries if entry_id is None else way_through(session, trunk, entry_id)
    at = len(way) - 1 if entry_id is None else _index(way, entry_id)
    at += step
    while 0 <= at < len(way):
        last = step > 0 and at == len(way) - 1
        if walk is Walk.RECORD or last or is_turn(way[at]):
            return way[at].id
        at += step
    return None


def is_turn(node: Node) -> bool:
    """Whether a record is a message of the user."""
    return isinstance(node, MessageEntry) and isinstance(node.message, UserMessage)


def _index(way: tuple[Node, ...], entry_id: EntryId) -> int:
    """Return the place of a record; its way always holds it."""
    return next(at for at, node in enumerate(way) if node.id == entry_id)


def _named(node: Node) -> tuple[str, str]:
    """Return what a record is and its first words."""
    if isinstance(node, MessageEntry):
        return described(node.message)
    if isinstance(node, CompactionEntry | BranchSummaryEntry):
        kind = "compacted" if isinstance(node, CompactionEntry) else "summary"
        return kind, one_line(first_line(node.summary[:_WORDS]))
    if isinstance(node, ThinkingLevelEntry):
        return "thinking", one_line(node.level)
    if isinstance(node, InfoEntry):
        return "name", one_line(node.name)
    assert isinstance(node, UnknownEntry)
    return "unknown", one_line(node.type_name)
