"""The account of a salvage: what is copied, what is changed, and what stays behind, to the byte."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.entries import (
    CompactionEntry,
    LabelEntry,
    ModelMarker,
    PositionMarker,
    UnknownEntry,
)
from ink_tui.model.faults import FaultCode
from ink_tui.model.fork_points import why_not
from ink_tui.model.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.entries import EntryId, Node, Record, Span
    from ink_tui.model.session import Session

_MOST_LINES = 6
"""Line numbers that one sentence names."""

_LINE_FAULTS = frozenset(
    {
        FaultCode.INVALID_JSON,
        FaultCode.TORN_FRAGMENT,
        FaultCode.INVALID_TAIL,
        FaultCode.FOREIGN_TAIL,
    }
)


class Broken(StrEnum):
    """Why the way to a record does not begin at a start of the session."""

    MISSING = "missing-parent"
    RING = "cycle"


class Reason(StrEnum):
    """Why something of the file is not in the copy."""

    UNREADABLE = "unreadable"
    """Bytes of lines that cannot be read, beside the records recovered from them."""
    HEADER = "header"
    """A first line that is no header: the copy has one of its own."""
    UNKNOWN = "unknown"
    """Records of a kind that is not known, or that fail the checks."""
    DUPLICATE = "duplicate"
    """Records whose id stands again."""
    LOST_CALLS = "lost-calls"
    """Results at the start of a broken chain: their calls are lost."""
    COMPACTION = "compaction"
    """Compactions that have lost their kept messages."""
    AFTER = "after"
    """Records of the branch after the end of the copy."""
    OTHER_BRANCH = "other-branch"
    LABEL = "label"
    """Labels on records that are not copied."""
    MARKER = "marker"
    """Position and model markers: they belong to the original alone."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something of the file that is not in the copy."""

    reason: Reason
    count: int
    """Records; for unreadable bytes, lines."""
    octets: int
    """Bytes that they take in the file."""
    lines: tuple[int, ...]
    """Physical lines, 1-based, each once."""


@dataclass(frozen=True, slots=True)
class Change:
    """A record that is not copied byte for byte."""

    span: Span
    """The record in the original."""
    parent: EntryId | None
    """Its parent in the copy."""
    reparented: bool
    """Whether the value of `parentId` is replaced."""
    breaks: int
    """Line breaks inside its strings that are written as escapes."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What goes into the copy, and what of its branch does not."""

    kept: tuple[Node, ...]
    labels: tuple[LabelEntry, ...]
    skipped: tuple[Node, ...]
    after: tuple[Node, ...]
    broken: Broken | None
    refusal: FaultCode | None


def left_out(plain: Session, session: Session, taken: Taken) -> tuple[LeftOut, ...]:
    """Return everything of a file that is not in the copy, by reason.

    Args:
        plain: The session as the agent reads it.
        session: The same with its recovered records.
        taken: What goes into the copy.
    """
    copied = {record.span for record in (*taken.kept, *taken.labels)}
    after = {record.span for record in taken.after}
    on_path = {record.span for record in taken.skipped}
    ids = {record.id for record in taken.kept}
    found: dict[Reason, list[tuple[int, int]]] = {}
    for record in session.records:
        if record.span in copied:
            continue
        reason = _reason(record, session, after, on_path)
        if reason is Reason.LOST_CALLS and getattr(record, "id", None) in ids:
            reason = Reason.DUPLICATE
        found.setdefault(reason, []).append((record.span.line, record.span.length))
    for fault in plain.faults:
        if fault.span is None or fault.code is not FaultCode.BAD_HEADER:
            continue
        if (hole := _hole(fault.span, plain)) > 1:
            found.setdefault(Reason.HEADER, []).append((fault.span.line, hole))
    known = {record.span.offset for record in plain.records}
    for fault in plain.faults:
        if fault.code not in _LINE_FAULTS:
            continue
        if fault.span is None:
            found.setdefault(Reason.UNREADABLE, []).append((plain.lines, fault.count))
        elif fault.span.offset not in known and (hole := _hole(fault.span, plain)) > 1:
            found.setdefault(Reason.UNREADABLE, []).append((fault.span.line, hole))
    return tuple(
        LeftOut(
            reason,
            len(places),
            sum(size for _line, size in places),
            tuple(dict.fromkeys(line for line, _size in places)),
        )
        for reason in Reason
        if (places := found.get(reason))
    )


def _reason(record: Record, session: Session, after: set[Span], on_path: set[Span]) -> Reason:
    if isinstance(record, PositionMarker | ModelMarker):
        return Reason.MARKER
    if isinstance(record, LabelEntry):
        return Reason.LABEL
    if isinstance(record, UnknownEntry):
        return Reason.UNKNOWN
    if record.span in after:
        return Reason.AFTER
    winner = session.nodes.get(record.id)
    if winner is None or winner.span != record.span:
        return Reason.DUPLICATE
    if record.span not in on_path:
        return Reason.OTHER_BRANCH
    if isinstance(record, CompactionEntry) and record.retained_tail is None:
        return Reason.COMPACTION
    return Reason.LOST_CALLS


def _hole(line: Span, session: Session) -> int:
    """Return how many bytes of a line no recovered record takes; a newline alone is one."""
    end = line.offset + line.length
    taken = 0
    for piece in session.recovered:
        span = piece.record.span
        taken += max(0, min(end, span.offset + span.length) - max(line.offset, span.offset))
    return line.length - taken


def headline(taken: Taken, behind: Sequence[LeftOut]) -> str:
    """Return the account in one or two sentences."""
    text = f"Copies {counted(len(taken.kept), 'record')}, through line "
    text += f"{taken.kept[-1].span.line:,}"
    text += f" and no further: {why_not(taken.refusal)}." if taken.after else "."
    number = sum(
        out.count
        for out in behind
        if out.reason not in (Reason.UNREADABLE, Reason.HEADER, Reason.MARKER)
    )
    lines = sum(out.count for out in behind if out.reason is Reason.UNREADABLE)
    parts = []
    if number:
        parts.append(counted(number, "record"))
    if lines:
        parts.append(f"what cannot be read of {counted(lines, 'line')}")
    if parts:
        verb = "stays" if number <= 1 and len(parts) == 1 else "stay"
        text += f" {' and '.join(parts)} {verb} behind.".replace(" what", " What", not number)
    return text


def account_of(
    plain: Session,
    taken: Taken,
    changes: Sequence[Change],
    behind: Sequence[LeftOut],
    closes: int,
) -> tuple[str, ...]:
    """Return the whole account in sentences, in the order copied, changed, left out."""
    octets = sum(record.span.length for record in (*taken.kept, *taken.labels))
    copied = f"Copies {counted(len(taken.kept), 'record')}"
    if taken.labels:
        copied += f" and {counted(len(taken.labels), 'label')}"
    said = [f"{copied}, {counted(octets, 'byte')}: {_lines(_of(taken.kept))}."]
    spans = {record.span for record in (*taken.kept, *taken.labels)}
    recovered = [piece for piece in plain.recovered if piece.record.span in spans]
    if recovered:
        lines = _lines(list(dict.fromkeys(piece.record.span.line for piece in recovered)))
        verb = "is" if len(recovered) == 1 else "are"
        said.append(
            f"{counted(len(recovered), 'of them', 'of them')} {verb} recovered from "
            f"{'a line' if len(recovered) == 1 else 'lines'} that cannot be read: {lines}."
        )
    said += _changed(taken, changes)
    if closes:
        what = "1 call is" if closes == 1 else f"{closes:,} calls are"
        ran = "it ran" if closes == 1 else "they ran"
        said.append(f"Adds 1 record: {what} closed, unknown whether {ran}.")
    said += [_behind(out, taken) for out in behind]
    if plain.header is None:
        what = "is recovered from the first line" if plain.recovered_header else "is lost"
        said.append(f"The header {what}.")
    said.append("The original stays as it is.")
    return tuple(said)


def _changed(taken: Taken, changes: Sequence[Change]) -> list[str]:
    said: list[str] = []
    lines = {node.id: node.span.line for node in taken.kept}
    for change in changes:
        line = change.span.line
        if change.breaks:
            what = counted(change.breaks, "line break")
            verb = "is" if change.breaks == 1 else "are"
            said.append(f"Changed: line {line:,}: {what} inside a text {verb} written as \\n.")
        if not change.reparented:
            continue
        if change.parent is not None:
            why = "what stood between them is left out"
            said.append(
                f"Changed: line {line:,}: parentId names the record of line "
                f"{lines[change.parent]:,}, because {why}."
            )
            continue
        why = "the record before it is left out"
        if taken.broken is Broken.MISSING:
            why = "its parent was never written"
        elif taken.broken is Broken.RING:
            why = "the records before it point at each other in a ring"
        if taken.skipped and taken.broken is not None:
            why = f"what stood before it is left out, and {_WITHOUT[taken.broken]}"
        said.append(f"Changed: line {line:,}: parentId is null, because {why}.")
    return said


_WITHOUT = {
    Broken.MISSING: "the parent of that was never written",
    Broken.RING: "that points at itself in a ring",
}

_WORDS = {
    Reason.UNREADABLE: ("what cannot be read of {lines}", "what cannot be read of {lines}"),
    Reason.HEADER: ("a first line that is no header", "a first line that is no header"),
    Reason.UNKNOWN: ("1 record of a kind that is not known", "{n} records of kinds not known"),
    Reason.DUPLICATE: ("1 record whose id stands again", "{n} records whose ids stand again"),
    Reason.LOST_CALLS: ("1 record of results whose calls are lost",) * 2,
    Reason.COMPACTION: (
        "1 compaction that has lost its kept messages",
        "{n} compactions that have lost their kept messages",
    ),
    Reason.AFTER: ("1 record after the end of the copy", "{n} records after the end of the copy"),
    Reason.OTHER_BRANCH: ("1 record on another branch", "{n} records on other branches"),
    Reason.LABEL: ("1 label of what is not copied", "{n} labels of what is not copied"),
    Reason.MARKER: ("1 position or model marker", "{n} position or model markers"),
}


def _behind(out: LeftOut, taken: Taken) -> str:
    one, many = _WORDS[out.reason]
    if out.reason is Reason.LOST_CALLS and out.count > 1:
        many = "{n} records of results whose calls are lost"
    text = one if out.count == 1 else many
    text = text.format(n=f"{out.count:,}", lines=counted(out.count, "line"))
    why = f": {why_not(taken.refusal)}" if out.reason is Reason.AFTER else ""
    return f"Left out: {text} ({_lines(out.lines)}, {counted(out.octets, 'byte')}){why}."


def _of(records: Sequence[Node]) -> list[int]:
    return list(dict.fromkeys(record.span.line for record in records))


def _lines(lines: Sequence[int]) -> str:
    """Return line numbers in words, runs of them as one."""
    runs: list[list[int]] = []
    for line in sorted(lines):
        if runs and line == runs[-1][1] + 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    parts = [f"{a:,}" if a == b else f"{a:,} to {b:,}" for a, b in runs[:_MOST_LINES]]
    more = len(runs) - len(parts)
    word = "line" if len(lines) == 1 else "lines"
    joined = ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]
    return f"{word} {joined}" + (f" and {more:,} more places" if more else "")
