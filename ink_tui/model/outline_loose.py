"""Rows that hang from no entry: unreadable lines, markers, the resume point, the torn tail."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ink_tui.model.entries import (
    LabelEntry,
    MessageEntry,
    ModelMarker,
    PositionMarker,
    UnknownEntry,
)
from ink_tui.model.faults import FaultCode, Severity, TailState
from ink_tui.model.outline_entries import snippet
from ink_tui.model.outline_rows import HEADING_KEY, OutlineRow, Rail, RowKind
from ink_tui.model.recovery import joined_lines, recovered_notes
from ink_tui.model.text import one_line
from ink_tui.model.words import Facts, Mark, StateCode, counted, fault_words, words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.entries import Node, Span
    from ink_tui.model.faults import Fault
    from ink_tui.model.session import Session
    from ink_tui.model.verdict import Diagnosis


@dataclass(frozen=True, slots=True)
class Loose:
    """A row whose place is its place in the file."""

    offset: int
    row: OutlineRow
    marker: bool = False
    """Says something about the session rather than being damage."""


def loose_rows(session: Session, bad: Mapping[int, Fault]) -> list[Loose]:
    """Return the rows of lines that are no entries of the tree, in file order.

    Args:
        session: The session.
        bad: Faults of lines by their first byte.
    """
    found: list[Loose] = []
    notes = recovered_notes(session)
    told = {
        record.span.offset
        for record in session.records
        if _has_row(record, session) and (record.span.offset, record.span.length) not in notes
    } | joined_lines(session)
    for record in session.records:
        row = _marker_row(record, session)
        if row is not None:
            note = notes.get((record.span.offset, record.span.length))
            row = replace(row, notes=(note, *row.notes)) if note is not None else row
            found.append(Loose(record.span.offset, row, marker=True))
    found += [
        Loose(fault.span.offset, _header_row(fault, fault.span))
        for fault in session.faults
        if fault.severity is Severity.REFUSED and fault.span is not None
    ]
    found += [
        Loose(offset, _bad_row(fault, fault.span))
        for offset, fault in bad.items()
        if offset not in told and fault.span is not None
    ]
    found.sort(key=lambda loose: loose.offset)
    return found


def shadowed(session: Session) -> list[Node]:
    """Return the records whose id stands again later, in file order; the tree has only the last."""
    found: list[Node] = []
    for record in session.records:
        if isinstance(record, LabelEntry | PositionMarker | ModelMarker) or record.id is None:
            continue
        winner = session.nodes.get(record.id)
        if winner is not None and winner is not record and not _is_tail(record.span, session):
            found.append(record)
    return found


def heading(word: str, text: str) -> OutlineRow:
    """Return the heading of a section."""
    return OutlineRow(f"{HEADING_KEY}{word}", RowKind.HEADING, word, text)


def resume_row(diagnosis: Diagnosis, *, running: bool) -> OutlineRow | None:
    """Return the resume point; `None` where there is nothing that could be continued.

    Where a label made Ink forget a jump, text and time are those of the place the user left off.
    """
    session, tree = diagnosis.session, diagnosis.tree
    if session.header is None or not session.nodes:
        return None
    mark, text, time_ms = Mark.NONE, "the next turn is attached here", None
    if tree.stale_position is not None:
        mark = Mark.DECIDE
        left = session.nodes[tree.stale_position]
        text, time_ms = _said(left), left.time_ms
    elif session.error_kind is not None:
        text = "Ink itself refuses this session"
    elif diagnosis.branch.error is not None:
        text = "Ink finds no way back from here to the start"
    elif running:
        text = "follows"
    elif tree.leaf is None:
        text = "the next turn starts anew, before all that was said"
    return OutlineRow(
        "resume", RowKind.RESUME, "resume point", text, time_ms=time_ms, mark=mark, rail=Rail.RESUME
    )


def tail_row(session: Session, bad: Mapping[int, Fault], *, writing: bool) -> OutlineRow | None:
    """Return the row of a last line with which something is wrong; `None` for a good one.

    Args:
        session: The session.
        bad: Faults of lines by their first byte; such a line has its row.
        writing: The file changed a moment ago; a whole line is not being written any more.
    """
    tail = session.tail
    if tail.state is TailState.OK or tail.span is None:
        return None
    if tail.span.offset in bad and tail.state is not TailState.UNTERMINATED:
        return None
    said = words(tail.state.value, Facts(octets=tail.torn_bytes))
    word, text = "torn tail", f"{counted(tail.torn_bytes, 'byte')}, not a complete record"
    if tail.state is TailState.UNTERMINATED:
        word, text = "newline", said.tree
    elif tail.state is not TailState.TORN_FRAGMENT:
        word, text = "unknown", said.tree
    mark = said.mark
    if writing and tail.state in (TailState.TORN_FRAGMENT, TailState.UNTERMINATED):
        live = words(StateCode.WRITING)
        mark, word, text = live.mark, live.list, live.tree
    return OutlineRow(
        f"{tail.span.offset}:tail",
        RowKind.TAIL,
        word,
        text,
        notes=_place(tail.span),
        span=tail.span,
        mark=mark,
        bold=True,
    )


def _has_row(record: object, session: Session) -> bool:
    """Whether a record has a row of its own in the tree or among the replaced."""
    if isinstance(record, LabelEntry | PositionMarker | ModelMarker):
        return True
    return isinstance(record, UnknownEntry) is False or (
        isinstance(record, UnknownEntry)
        and record.id is not None
        and record.id in session.nodes
        and not _is_tail(record.span, session)
    )


def _is_tail(span: Span, session: Session) -> bool:
    """Whether a line is the last one, set aside by Ink and shown as the tail."""
    tail = session.tail
    return tail.torn == "truncated" and tail.span is not None and tail.span.offset == span.offset


def _marker_row(record: object, session: Session) -> OutlineRow | None:
    if isinstance(record, ModelMarker):
        key = f"{record.span.offset}:model"
        text = snippet(f"{record.provider}/{record.model_id}")
        return OutlineRow(key, RowKind.MODEL, "model", text, span=record.span)
    if isinstance(record, PositionMarker):
        key = f"{record.span.offset}:position"
        text = "before the first record"
        if record.leaf_id is not None:
            text = f"jumped to {one_line(record.leaf_id)[:8]}"
        elif not record.valid:
            text = "a jump that Ink ignores"
        return OutlineRow(
            key, RowKind.POSITION, "position", text, span=record.span, dim=True, only_all=True
        )
    if isinstance(record, LabelEntry):
        known = record.target_id in session.nodes
        target = one_line(record.target_id)[:8]
        text = snippet(record.label) or "the label was removed"
        return OutlineRow(
            f"{record.span.offset}:label",
            RowKind.LABEL,
            "label",
            text,
            entry_id=record.id,
            notes=(f"on {target}" if known else f"on {target}, not in the file",),
            time_ms=record.time_ms,
            span=record.span,
            dim=True,
            only_all=known,
        )
    return None


def _header_row(fault: Fault, span: Span) -> OutlineRow:
    said = words(fault.code, Facts(version=fault.detail.removeprefix("version ")))
    return OutlineRow(
        f"{span.offset}:header",
        RowKind.BAD_LINE,
        "header",
        said.tree,
        notes=_place(span),
        span=span,
        mark=Mark.FAILED,
        bold=True,
    )


def _bad_row(fault: Fault, span: Span) -> OutlineRow:
    return OutlineRow(
        f"{span.offset}:bad",
        RowKind.BAD_LINE,
        "bad line" if fault.code is FaultCode.INVALID_JSON else "unknown",
        fault_words(fault).tree,
        notes=_place(span),
        span=span,
        mark=Mark.DAMAGED,
        bold=True,
    )


def _place(span: Span) -> tuple[str, ...]:
    places = f"byte {span.offset:,}", span.place
    return tuple(place for place in places if place)


def _said(node: Node) -> str:
    if isinstance(node, MessageEntry):
        return snippet(getattr(node.message, "text", ""))
    return one_line(node.id or "")[:8]
