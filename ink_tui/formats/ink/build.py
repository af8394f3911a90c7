"""Parsed lines to a session value (`formats/ink.md` sections 5 and 7)."""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING

from ink_tui.formats.ink.records import BadHeader, BadLine
from ink_tui.formats.ink.tail import judge_tail
from ink_tui.model.entries import (
    EntryId,
    LabelEntry,
    MessageEntry,
    ModelMarker,
    Node,
    PositionMarker,
    Record,
    UnknownEntry,
)
from ink_tui.model.faults import Fault, FaultCode, Severity, Tail, TailState
from ink_tui.model.session import Header, Session

if TYPE_CHECKING:
    from ink_tui.formats.ink.tail import Rest
    from ink_tui.model.recovered import RecoveredRecord

_MARKERS = (PositionMarker, ModelMarker)
_WITHOUT_SURE_ID = (PositionMarker, ModelMarker, UnknownEntry)


def build_session(
    header: Header | BadHeader | None,
    items: list[Record | BadLine],
    rest: Rest | None,
    lines: int,
    size: int,
    split: tuple[RecoveredRecord, ...] = (),
) -> Session:
    """Return the session that some parsed lines make.

    Args:
        header: The first line that is not blank; `None` when there is none.
        items: The later lines that are not blank, in file order.
        rest: The bytes after the last newline, if there are any.
        lines: Physical lines, the unterminated one included.
        size: Bytes of the file.
        split: Records that stand on several lines.
    """
    bad = [item for item in items if isinstance(item, BadLine)]
    last = items[-1] if items else None
    dropped = last if isinstance(last, BadLine) else None
    tail = judge_tail(dropped, rest, size)
    code, line, agent_line = _error(header, bad, dropped)
    records = tuple(
        [
            record
            for item in items
            if (record := _shown(item) if isinstance(item, BadLine) else item) is not None
        ]
    )
    nodes, labels = _index(records, dropped)
    good_header = header.header if isinstance(header, BadHeader) else header
    bad_lines = [item.span.line for item in bad]
    if isinstance(header, BadHeader) and header.code is not FaultCode.UNSUPPORTED_VERSION:
        bad_lines.insert(0, header.span.line)
    return Session(
        format_name="ink",
        header=good_header,
        records=records,
        nodes=MappingProxyType(nodes),
        labels=MappingProxyType(labels),
        faults=_faults(header, bad, dropped, tail),
        tail=tail,
        error_kind=code,
        error_line=line,
        error_line_agent=agent_line,
        bad_lines=tuple(bad_lines),
        size=size,
        lines=lines,
        last_time_ms=_newest(records, good_header),
        duplicates=MappingProxyType(_duplicates(records)),
        label_entries=tuple(record for record in records if isinstance(record, LabelEntry)),
        recovered=_recovered(header, bad, split),
        recovered_header=header.recovered_header if isinstance(header, BadHeader) else None,
    )


def _shown(line: BadLine) -> Record | None:
    return line.record.shown if line.record is not None else None


def _recovered(
    header: Header | BadHeader | None, bad: list[BadLine], split: tuple[RecoveredRecord, ...]
) -> tuple[RecoveredRecord, ...]:
    first = header.recovered if isinstance(header, BadHeader) else ()
    found = [*first, *split, *(piece for line in bad for piece in line.recovered)]
    return tuple(sorted(found, key=lambda piece: piece.record.span.offset))


def _error(
    header: Header | BadHeader | None, bad: list[BadLine], dropped: BadLine | None
) -> tuple[FaultCode | None, int | None, int | None]:
    """Return why Ink's loader refuses the file and where, or three times `None`."""
    if header is None:
        return FaultCode.EMPTY_FILE, None, None
    if isinstance(header, BadHeader):
        return header.code, header.span.line, header.span.agent_line
    for line in bad:
        if line is not dropped or line.fatal_when_last:
            return line.code, line.span.line, line.span.agent_line
    return None, None, None


def _index(
    records: tuple[Record, ...], dropped: BadLine | None
) -> tuple[dict[EntryId, Node], dict[EntryId, str]]:
    """Return nodes and labels by id; the last one wins, a dropped last line is no node."""
    nodes: dict[EntryId, Node] = {}
    labels: dict[EntryId, str] = {}
    left_out = dropped.record.shown if dropped is not None and dropped.record is not None else None
    for record in records:
        if type(record) is MessageEntry and record.id not in nodes:  # nearly all are
            nodes[record.id] = record
        elif isinstance(record, LabelEntry):
            labels[record.target_id] = record.label
        elif isinstance(record, _MARKERS) or record.id is None:
            continue
        elif record is not left_out:
            nodes.pop(record.id, None)  # the later one takes the later place
            nodes[record.id] = record
    return nodes, {target: label for target, label in labels.items() if label}


def _duplicates(records: tuple[Record, ...]) -> dict[EntryId, int]:
    ids = Counter([record.id for record in records if not isinstance(record, _WITHOUT_SURE_ID)])
    return {entry_id: number for entry_id, number in ids.items() if number > 1}


def _newest(records: tuple[Record, ...], header: Header | None) -> int | None:
    newest = header.time_ms if header is not None else None
    for record in records:
        if type(record) is not MessageEntry and isinstance(record, _MARKERS):
            continue
        moment = record.time_ms
        if moment is not None and (newest is None or moment > newest):
            newest = moment
    return newest


def _faults(
    header: Header | BadHeader | None, bad: list[BadLine], dropped: BadLine | None, tail: Tail
) -> tuple[Fault, ...]:
    faults: list[Fault] = []
    if header is None:
        faults.append(Fault(FaultCode.EMPTY_FILE, Severity.REFUSED, None))
    elif isinstance(header, BadHeader):
        faults.append(Fault(header.code, Severity.REFUSED, header.span, header.reason))
    faults.extend(
        Fault(line.code, Severity.DAMAGE, line.span, line.reason)
        for line in bad
        if line is not dropped or line.fatal_when_last
    )
    if tail.state is not TailState.OK and not (dropped is not None and dropped.fatal_when_last):
        code = FaultCode(tail.state.value)
        detail = dropped.reason if dropped is not None else ""
        faults.append(Fault(code, Severity.DECIDE, tail.span, detail, tail.torn_bytes))
    return tuple(faults)
