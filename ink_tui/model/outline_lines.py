"""A line of entries to rows: which results stand with which calls, and whose labels move there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.model.entries import MessageEntry
from ink_tui.model.outline_entries import Answered, EntryRows, Hanging
from ink_tui.model.outline_facts import LineFacts, id_of
from ink_tui.model.tool_calls import CallState, pair_calls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.entries import Node
    from ink_tui.model.messages import ToolResult
    from ink_tui.model.outline_rows import OutlineRow


def line_rows(
    nodes: Sequence[Node], facts: LineFacts, hanging: Hanging | None = None
) -> list[list[OutlineRow]]:
    """Return the rows of each entry of a line, in order; merged results give no rows.

    Args:
        nodes: The entries of the line in reading order.
        facts: What is known beside them.
        hanging: What the rows of a branch share; `None` where none.
    """
    placed = [
        (at, node, node.message) for at, node in enumerate(nodes) if isinstance(node, MessageEntry)
    ]
    pairing = pair_calls([message for _, _, message in placed])
    calls: dict[int, list[Answered]] = {}
    stray: dict[int, list[ToolResult]] = {}
    for paired in pairing.calls:
        answer = placed[paired.result_index][1] if paired.result_index is not None else None
        if answer is not None and (answer.id, paired.call.call_id) in facts.strays:
            assert paired.result is not None
            assert paired.result_index is not None
            stray.setdefault(placed[paired.result_index][0], []).append(paired.result)
            paired, answer = replace(paired, result=None, state=CallState.GAP), None
        calls.setdefault(placed[paired.message_index][0], []).append((paired, answer))
    for index, result in pairing.orphans:
        stray.setdefault(placed[index][0], []).append(result)
    rows = [
        EntryRows(node, at, facts, hanging).made(calls.get(at, ()), stray.get(at, ()))
        for at, node in enumerate(nodes)
    ]
    _hand_on_labels(nodes, rows, facts)
    return rows


def _hand_on_labels(nodes: Sequence[Node], rows: list[list[OutlineRow]], facts: LineFacts) -> None:
    """Show the label of a merged result with the call that it answers."""
    if not facts.labels:
        return
    homeless = {
        id_of(node): facts.labels[id_of(node)]
        for node, own in zip(nodes, rows, strict=True)
        if not own and node.id in facts.labels
    }
    if not homeless:
        return
    for own in rows:
        for number, row in enumerate(own):
            label = homeless.pop(row.result_id, "") if row.result_id is not None else ""
            if label:
                joined = f"{row.label}, {label}" if row.label else label
                own[number] = replace(row, label=joined)
