"""What the rows of the tree need to know beside the entries they show."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ink_tui.model.entries import CompactionEntry, MessageEntry
from ink_tui.model.faults import FaultCode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ink_tui.model.entries import EntryId, Node
    from ink_tui.model.faults import Fault
    from ink_tui.model.tool_calls import CallState
    from ink_tui.model.verdict import Diagnosis


@dataclass(frozen=True, slots=True)
class LineFacts:
    """What the rows of a line need to know beside its entries."""

    labels: Mapping[EntryId, str]
    child_records: Mapping[str, int]
    """Records of sub-agent sessions by header id."""
    bad: Mapping[int, Fault]
    """Faults of lines by their first byte."""
    trunk: bool
    last_compaction: int = -1
    """Place of the last compaction in the line; -1 without one, or off the trunk."""
    kept: frozenset[EntryId] = frozenset()
    open_states: Mapping[tuple[EntryId, str], CallState] = field(default_factory=dict)
    """State of the calls of the context that have no result, by entry and call id."""
    kept_open: Mapping[str, CallState] = field(default_factory=dict)
    """The same for calls in the retained tail, by call id."""
    strays: frozenset[tuple[EntryId, str]] = frozenset()
    """Results that answer no call of the context, by entry and call id."""
    twice: tuple[EntryId, str] | None = None
    """The call whose id is used a second time."""
    running: bool = False
    recovered: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """Where recovered records were found, by first byte and length of their place."""


def trunk_facts(diagnosis: Diagnosis, known: LineFacts, *, running: bool) -> LineFacts:
    """Return what the rows of the trunk need to know.

    Args:
        diagnosis: The session and its state.
        known: What the rows of any line need to know.
        running: An agent is known to hold the session.
    """
    trunk = diagnosis.branch.entries
    last = max(
        (at for at, node in enumerate(trunk) if isinstance(node, CompactionEntry)),
        default=-1,
    )
    facts = replace(
        known,
        trunk=True,
        last_compaction=last,
        kept=kept_entries(trunk, last),
        running=running,
    )
    context, pairing = diagnosis.context, diagnosis.pairing
    if context is None or pairing is None:
        return facts
    states: dict[tuple[EntryId, str], CallState] = {}
    kept_open: dict[str, CallState] = {}
    head = context.compaction.id if context.compaction is not None else None
    for paired in pairing.dangling:
        entry = context.messages[paired.message_index].entry_id
        if entry is not None and entry != head:
            states[entry, paired.call.call_id] = paired.state
        else:
            kept_open[paired.call.call_id] = paired.state
    strays = frozenset(
        (entry, result.call_id)
        for at, result in pairing.orphans
        if (entry := context.messages[at].entry_id) is not None
    )
    twice = None
    if pairing.refusal is FaultCode.DUPLICATE_CALL and pairing.refusal_index is not None:
        entry = context.messages[pairing.refusal_index].entry_id
        twice = (entry, pairing.refusal_call or "") if entry is not None else None
    return replace(facts, open_states=states, kept_open=kept_open, strays=strays, twice=twice)


def kept_entries(trunk: Sequence[Node], last_compaction: int) -> frozenset[EntryId]:
    """Return the entries before a compaction whose messages its retained tail repeats.

    The tail holds copies, not ids: they are matched to the last messages before it, by equality
    from the end, up to the first that differs.

    Args:
        trunk: Entries from a root to the leaf.
        last_compaction: Place of the compaction; -1 for none.
    """
    if last_compaction < 0:
        return frozenset()
    compaction = trunk[last_compaction]
    assert isinstance(compaction, CompactionEntry)
    kept: list[EntryId] = []
    at = last_compaction - 1
    for message in reversed(compaction.retained_tail or ()):
        while at >= 0 and not isinstance(trunk[at], MessageEntry):
            at -= 1
        if at < 0:
            break
        entry = trunk[at]
        if not isinstance(entry, MessageEntry) or entry.message != message:
            break
        kept.append(entry.id)
        at -= 1
    return frozenset(kept)


def id_of(node: Node) -> EntryId:
    """Return the id of an entry of the tree; every node of a tree has one."""
    assert node.id is not None
    return node.id
