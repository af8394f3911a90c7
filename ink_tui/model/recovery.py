"""A session as a person reads it: with the records that were recovered from bad lines.

What the agent does follows from the plain diagnosis alone. Here recovered records stand in the
tree, so that what was said after them is connected again.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from ink_tui.model.context import build_context
from ink_tui.model.entries import LabelEntry, ModelMarker, PositionMarker
from ink_tui.model.tool_calls import pair_calls
from ink_tui.model.tree import branch_to, build_tree

if TYPE_CHECKING:
    from ink_tui.model.entries import EntryId, Node, Record
    from ink_tui.model.session import Session
    from ink_tui.model.verdict import Diagnosis


def as_read(diagnosis: Diagnosis) -> Diagnosis:
    """Return a diagnosis whose session, tree and branch hold the recovered records, too.

    Faults, verdict and title stay. While the agent opens the file, so does the resume point; a
    file that it refuses has none, and is read from its newest record.
    """
    if not diagnosis.session.recovered:
        return diagnosis
    session = with_recovered(diagnosis.session)
    tree = build_tree(session)
    if session.readable:
        plain = diagnosis.tree
        tree = replace(tree, leaf=plain.leaf, stale_position=plain.stale_position)
    branch = branch_to(session, tree.leaf)
    context = build_context(branch.entries) if branch.error is None else None
    usable = context is not None and context.error is None
    pairing = (
        pair_calls([item.message for item in context.messages]) if context and usable else None
    )
    return replace(
        diagnosis, session=session, tree=tree, branch=branch, context=context, pairing=pairing
    )


def with_recovered(session: Session) -> Session:
    """Return a session that holds the recovered records among its own, in file order.

    Where an id stands on a good line as well, the good one is the entry of the tree.
    """
    pieces = [piece.record for piece in session.recovered]
    records = sorted([*session.records, *pieces], key=lambda record: record.span.offset)
    entries: dict[EntryId, Node] = {}
    for piece in pieces:
        if not isinstance(piece, LabelEntry | PositionMarker | ModelMarker) and piece.id:
            entries[piece.id] = piece
    entries.update(session.nodes)
    in_order = sorted(entries.items(), key=lambda item: item[1].span.offset)
    return replace(
        session,
        records=tuple(records),
        nodes=MappingProxyType(dict(in_order)),
        labels=MappingProxyType(_labels(records)),
        label_entries=tuple(record for record in records if isinstance(record, LabelEntry)),
    )


def recovered_notes(session: Session) -> dict[tuple[int, int], str]:
    """Return where each recovered record was found, by first byte and length of its place."""
    return {
        (piece.record.span.offset, piece.record.span.length): piece.note
        for piece in session.recovered
    }


def joined_lines(session: Session) -> set[int]:
    """Return the first bytes of bad lines that a record recovered from several lines covers."""
    covers = [
        (piece.record.span.offset, piece.record.span.offset + piece.record.span.length)
        for piece in session.recovered
        if piece.lines > 1
    ]
    if not covers:
        return set()
    return {
        fault.span.offset
        for fault in session.faults
        if fault.span is not None and any(start <= fault.span.offset < end for start, end in covers)
    }


def _labels(records: list[Record]) -> dict[EntryId, str]:
    labels: dict[EntryId, str] = {}
    for record in records:
        if isinstance(record, LabelEntry):
            labels[record.target_id] = record.label
    return {target: label for target, label in labels.items() if label}
