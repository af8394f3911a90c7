"""A comparison as rows of the tree, in two columns of the same height: turn stands beside turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

from ink_tui.model.entries import MessageEntry
from ink_tui.model.faults import Severity
from ink_tui.model.messages import ToolResultMessage
from ink_tui.model.outline_entries import without_result
from ink_tui.model.outline_facts import LineFacts
from ink_tui.model.outline_lines import line_rows
from ink_tui.model.outline_rows import CallLook, RowKind
from ink_tui.model.recovery import recovered_notes
from ink_tui.model.tool_calls import CallState
from ink_tui.model.words import Mark

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from ink_tui.model.compare import Comparison, Side
    from ink_tui.model.entries import EntryId, Node
    from ink_tui.model.outline_rows import OutlineRow

RowPair: TypeAlias = "tuple[OutlineRow | None, OutlineRow | None]"
"""Rows of the left and the right branch that stand in one line; `None` where one has none."""

_Looks: TypeAlias = "dict[tuple[EntryId, str], CallLook]"

ANSWERED_BELOW = "answered below"
"""Note of a common call whose result is a record of its own on one side, or on both."""


@dataclass(frozen=True, slots=True)
class ComparedLines:
    """All rows of a comparison."""

    common: tuple[RowPair, ...]
    own: tuple[RowPair, ...]


def compared_lines(comparison: Comparison, running: Collection[int] = ()) -> ComparedLines:
    """Return the rows of both branches; each record is in the rows of its side once.

    A result is merged into the row of its call, as in the tree, unless the call is common and the
    result is not. A call without a result is as loud as in the tree where a resume would meet it.

    Args:
        comparison: The two branches.
        running: Sides whose session an agent is known to hold: 0 left, 1 right.
    """
    left, right = comparison.left, comparison.right
    looks = [_open_looks(side, running=at in running) for at, side in enumerate((left, right))]
    common = zip_longest(_common(left, looks[0]), _common(right, looks[1]))
    own: list[RowPair] = []
    turns = (_turns(_rows(left, left.own, looks[0])), _turns(_rows(right, right.own, looks[1])))
    for pair in zip_longest(*turns):
        own += zip_longest(pair[0] or (), pair[1] or ())
    return ComparedLines(tuple(common), tuple(own))


def _open_looks(side: Side, *, running: bool) -> _Looks:
    """Return how the calls of the context without a result look, by entry and call id."""
    context, pairing = side.diagnosis.context, side.diagnosis.pairing
    if not side.current or context is None or pairing is None:
        return {}
    found: _Looks = {}
    for paired in pairing.dangling:
        entry = context.messages[paired.message_index].entry_id
        if entry is not None:
            is_open = paired.state is CallState.OPEN
            look = CallLook.GAP if not is_open else CallLook.RUNNING if running else CallLook.OPEN
            found[entry, paired.call.call_id] = look
    return found


def _common(side: Side, looks: _Looks) -> list[OutlineRow]:
    answered = {
        result.call_id
        for node in side.own
        if isinstance(node, MessageEntry) and isinstance(node.message, ToolResultMessage)
        for result in node.message.results or ()
    }
    found = []
    unanswered = {key: look for key, look in looks.items() if key[1] not in answered}
    for row in _rows(side, side.common, unanswered):
        call = row.call if row.look is not CallLook.NONE else None
        if call is not None and call.call_id in answered:
            row = replace(row, look=CallLook.NONE, notes=(ANSWERED_BELOW,), dim=False)
        found.append(replace(row, depth=1))  # they stand inside a fold
    return found


def _rows(side: Side, nodes: Sequence[Node], looks: _Looks) -> list[OutlineRow]:
    session = side.diagnosis.session
    bad = {
        fault.span.offset: fault
        for fault in session.faults
        if fault.severity is Severity.DAMAGE and fault.span is not None
    }
    recovered = recovered_notes(session)
    facts = LineFacts(session.labels, {}, bad, trunk=False, recovered=recovered)
    return [_as_open(row, looks) for rows in line_rows(nodes, facts) for row in rows]


def _as_open(row: OutlineRow, looks: _Looks) -> OutlineRow:
    quiet = row.look is not CallLook.NONE and row.mark is Mark.NONE
    if not quiet or row.call is None or row.entry_id is None:
        return row
    look = looks.get((row.entry_id, row.call.call_id))
    # The first note says that there is no result; it is said anew, as loud as it is.
    return (
        row if look is None else without_result(replace(row, notes=row.notes[1:], dim=False), look)
    )


def _turns(rows: Iterable[OutlineRow]) -> list[list[OutlineRow]]:
    """Return rows in turns; what stands before the first message of the user is the first one."""
    found: list[list[OutlineRow]] = [[]]
    for row in rows:
        if row.kind is RowKind.USER:
            found.append([])
        found[-1].append(row)
    return found
