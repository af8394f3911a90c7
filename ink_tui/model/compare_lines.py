"""A comparison as rows of the tree, in two columns of the same height: turn stands beside turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

from ink_tui.model.entries import MessageEntry
from ink_tui.model.faults import Severity
from ink_tui.model.messages import ToolResultMessage
from ink_tui.model.outline_facts import LineFacts
from ink_tui.model.outline_lines import line_rows
from ink_tui.model.outline_rows import CallLook, RowKind
from ink_tui.model.recovery import recovered_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ink_tui.model.compare import Comparison, Side
    from ink_tui.model.entries import Node
    from ink_tui.model.outline_rows import OutlineRow

RowPair: TypeAlias = "tuple[OutlineRow | None, OutlineRow | None]"
"""Rows of the left and the right branch that stand in one line; `None` where one has none."""

ANSWERED_BELOW = "answered below"
"""Note of a common call whose result is a record of its own on one side, or on both."""


@dataclass(frozen=True, slots=True)
class ComparedLines:
    """All rows of a comparison."""

    common: tuple[RowPair, ...]
    own: tuple[RowPair, ...]


def compared_lines(comparison: Comparison) -> ComparedLines:
    """Return the rows of both branches; each record is in the rows of its side once.

    A result is merged into the row of its call, as in the tree, unless the call is common and the
    result is not.
    """
    left, right = comparison.left, comparison.right
    common = zip_longest(_common(left), _common(right))
    own: list[RowPair] = []
    for pair in zip_longest(_turns(_rows(left, left.own)), _turns(_rows(right, right.own))):
        own += zip_longest(pair[0] or (), pair[1] or ())
    return ComparedLines(tuple(common), tuple(own))


def _common(side: Side) -> list[OutlineRow]:
    answered = {
        result.call_id
        for node in side.own
        if isinstance(node, MessageEntry) and isinstance(node.message, ToolResultMessage)
        for result in node.message.results or ()
    }
    found = []
    for row in _rows(side, side.common):
        call = row.call if row.look is not CallLook.NONE else None
        if call is not None and call.call_id in answered:
            row = replace(row, look=CallLook.NONE, notes=(ANSWERED_BELOW,), dim=False)
        found.append(replace(row, depth=1))  # they stand inside a fold
    return found


def _rows(side: Side, nodes: Sequence[Node]) -> list[OutlineRow]:
    session = side.diagnosis.session
    bad = {
        fault.span.offset: fault
        for fault in session.faults
        if fault.severity is Severity.DAMAGE and fault.span is not None
    }
    recovered = recovered_notes(session)
    facts = LineFacts(session.labels, {}, bad, trunk=False, recovered=recovered)
    return [row for rows in line_rows(nodes, facts) for row in rows]


def _turns(rows: Iterable[OutlineRow]) -> list[list[OutlineRow]]:
    """Return rows in turns; what stands before the first message of the user is the first one."""
    found: list[list[OutlineRow]] = [[]]
    for row in rows:
        if row.kind is RowKind.USER:
            found.append([])
        found[-1].append(row)
    return found
