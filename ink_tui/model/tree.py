"""The tree that the entries make (`formats/ink.md` section 5). Iterative throughout."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from ink_tui.model.entries import (
    EntryId,
    LabelEntry,
    MessageEntry,
    ModelMarker,
    Node,
    PositionMarker,
    UnknownEntry,
)
from ink_tui.model.faults import FaultCode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.session import Session


@dataclass(frozen=True, slots=True)
class Tree:
    """Who hangs on whom, and where the next turn would be attached."""

    roots: tuple[EntryId, ...]
    """Nodes without a parent in the file, or that name themselves, in file order."""
    children: Mapping[EntryId, tuple[EntryId, ...]]
    """Children by parent, oldest time stamp first, file order for ties."""
    missing_parents: Mapping[EntryId, EntryId]
    """Nodes whose parent was never written, with the id they name."""
    unreachable: tuple[EntryId, ...]
    """Nodes that no root leads to: rings and what hangs on them, in file order."""
    tips: tuple[EntryId, ...]
    """Nodes without children: one a branch, in file order."""
    leaf: EntryId | None
    """Where Ink will attach the next turn, by its exact rule."""
    stale_position: EntryId | None
    """Where the user left off, when a marker was overridden by labels alone; else `None`."""


@dataclass(frozen=True, slots=True)
class Branch:
    """The walk from an entry back to a root, in reading order."""

    entries: tuple[Node, ...]
    """What the walk reached; from the break on when it failed."""
    error: FaultCode | None
    """`MISSING_PARENT` or `CYCLE` when the walk fails, else `None`."""
    at: EntryId | None = None
    """The entry whose parent is missing or which closes the ring."""


def build_tree(session: Session) -> Tree:
    """Return the tree of a session; labels are left out."""
    nodes = session.nodes
    roots: list[EntryId] = []
    missing: dict[EntryId, EntryId] = {}
    children: dict[EntryId, list[EntryId]] = {}
    for entry_id, node in nodes.items():
        parent = node.parent_id
        if parent is None or parent == entry_id:
            roots.append(entry_id)
        elif parent not in nodes:
            roots.append(entry_id)
            missing[entry_id] = parent
        else:
            children.setdefault(parent, []).append(entry_id)
    for siblings in children.values():
        if len(siblings) > 1:
            siblings.sort(key=lambda child: nodes[child].time_ms or 0)
    reached: set[EntryId] = set()
    waiting = list(roots)
    while waiting:
        entry_id = waiting.pop()
        reached.add(entry_id)
        waiting.extend(children.get(entry_id, ()))
    leaf, stale = find_leaf(session)
    return Tree(
        roots=tuple(roots),
        children=MappingProxyType({key: tuple(value) for key, value in children.items()}),
        missing_parents=MappingProxyType(missing),
        unreachable=tuple(entry_id for entry_id in nodes if entry_id not in reached),
        tips=tuple(entry_id for entry_id in nodes if entry_id not in children),
        leaf=leaf,
        stale_position=stale,
    )


def find_leaf(session: Session) -> tuple[EntryId | None, EntryId | None]:
    """Return the leaf by Ink's rule, and the position that labels alone made stale.

    The last entry that is not a label is the leaf, unless the last position marker stands after
    the last *entry* line, labels included, and names null or an entry that exists
    (`formats/ink.md` section 5).
    """
    leaf: EntryId | None = None
    marker: PositionMarker | None = None
    overridden_by: str | None = None
    for record in session.records:
        if type(record) is MessageEntry:  # nearly all are
            leaf, overridden_by = record.id, "entry"
        elif isinstance(record, PositionMarker):
            if record.valid:
                marker, overridden_by = record, None
        elif isinstance(record, LabelEntry):
            overridden_by = overridden_by or "label"
        elif isinstance(record, UnknownEntry):
            if record.id is not None and session.nodes.get(record.id) is record:
                leaf, overridden_by = record.id, "entry"
        elif not isinstance(record, ModelMarker):
            leaf, overridden_by = record.id, "entry"
    if marker is None or not (marker.leaf_id is None or marker.leaf_id in session.nodes):
        return leaf, None
    if overridden_by is None:
        return marker.leaf_id, None
    if overridden_by == "label" and marker.leaf_id is not None and marker.leaf_id != leaf:
        return leaf, marker.leaf_id
    return leaf, None


def branch_to(session: Session, leaf: EntryId | None) -> Branch:
    """Return the walk from an entry to its root; never raises and always ends.

    Args:
        session: The session.
        leaf: The entry to start from; `None` gives an empty branch.
    """
    walked: list[Node] = []
    seen: set[EntryId] = set()
    current = leaf
    while current is not None:
        node = session.nodes.get(current)
        if node is None:
            at = walked[-1].id if walked else None
            return Branch(tuple(reversed(walked)), FaultCode.MISSING_PARENT, at)
        if current in seen:
            return Branch(tuple(reversed(walked)), FaultCode.CYCLE, current)
        seen.add(current)
        walked.append(node)
        current = node.parent_id
    return Branch(tuple(reversed(walked)), None)
