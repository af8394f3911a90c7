"""What can be saved of a damaged session into a new one (`trust.md` 2.2, 2.3; `design.md` 6).

The copy is the path to one record, over good and recovered records. Records are copied as they
stand; where the chain is broken, the `parentId` of one record is the one value that is replaced.
Calls are closed only where the pairing rule allows it (`formats/ink.md` 8.1), else the copy ends
at the last record that can be continued. `salvage_account` says what was left out and changed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from ink_tui.model.context import build_context
from ink_tui.model.entries import (
    CompactionEntry,
    EntryId,
    LabelEntry,
    MessageEntry,
    ModelMarker,
    PositionMarker,
    UnknownEntry,
)
from ink_tui.model.faults import FaultCode
from ink_tui.model.fork_points import (
    NO_SUCH_ENTRY,
    NOTHING_TO_COPY,
    ForkHow,
    ForkPlan,
    fork_plan,
    fork_plan_at,
    prompt_of,
    refusal_of_path,
)
from ink_tui.model.fork_scan import path_states
from ink_tui.model.messages import ToolResultMessage, UserMessage
from ink_tui.model.recovery import with_recovered
from ink_tui.model.salvage_account import (
    Broken,
    Change,
    LeftOut,
    Taken,
    account_of,
    headline,
    left_out,
)
from ink_tui.model.tool_calls import pair_calls
from ink_tui.model.tree import build_tree, find_leaf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.entries import Node
    from ink_tui.model.session import Header, Session
    from ink_tui.model.tree import Tree
    from ink_tui.model.verdict import Diagnosis

MOST_ENDS = 64
"""Ends of branches that are looked at when nobody names one."""


@dataclass(frozen=True, slots=True)
class SalvageEnd:
    """The end of a branch that is not in the copy and that could be chosen instead."""

    entry_id: EntryId
    line: int
    """Physical line, 1-based."""
    records: int
    """How many records a copy through it would hold."""


@dataclass(frozen=True, slots=True)
class SalvagePlan(ForkPlan):
    """What is saved into a copy, what is changed in it, and what stays behind."""

    changes: tuple[Change, ...] = ()
    """Records that are not copied byte for byte, in the order of the copy."""
    left_out: tuple[LeftOut, ...] = ()
    """Everything of the file that is not in the copy, by reason."""
    other_ends: tuple[SalvageEnd, ...] = ()
    account: tuple[str, ...] = ()
    """All of this in sentences: what is copied, changed, left out."""
    needs_folder: bool = False
    """The file does not say where the session belongs: a working folder must be named."""


def is_damaged(diagnosis: Diagnosis) -> bool:
    """Return whether a copy of a session is a salvage rather than a fork."""
    session = diagnosis.session
    if session.error_kind in (FaultCode.EMPTY_FILE, FaultCode.UNSUPPORTED_VERSION):
        return False
    context = diagnosis.context
    return (
        session.error_kind is not None
        or bool(session.recovered)
        or diagnosis.branch.error is not None
        or (context is not None and context.error is not None)
    )


def header_to_copy(session: Session) -> Header | None:
    """Return the header that a copy takes folder and origin from; `None` when there is none."""
    return session.header or session.recovered_header


def salvage_plan(diagnosis: Diagnosis, tip: EntryId | None) -> SalvagePlan:
    """Return what can be saved of a session.

    Args:
        diagnosis: The session.
        tip: The record that the copy ends at. `None` takes the one where the session would be
            continued when its path is whole, else the end of the branch with the most records.
    """
    plain = diagnosis.session
    if plain.error_kind is FaultCode.EMPTY_FILE:
        return _refused(tip, plain.error_kind, "The file is empty; there is nothing to copy.")
    if plain.error_kind is FaultCode.UNSUPPORTED_VERSION:
        sentence = "The session was written by a newer version; a copy could lose what it means."
        return _refused(tip, plain.error_kind, sentence)
    session = with_recovered(plain)
    tree = build_tree(session)
    if tip is not None and tip not in session.nodes:
        sentence = "This record is not in the session, or it cannot be read."
        return _refused(tip, NO_SUCH_ENTRY, sentence)
    leaf = find_leaf(session)[0]
    ends = _ends(tree, leaf)
    paths = {end: _path(session, end) for end in ends}
    chosen = tip or _best(paths, leaf)
    if chosen is None:
        return _refused(
            leaf, NOTHING_TO_COPY, "Nothing can be copied: no message can be continued."
        )
    path = paths.get(chosen) or _path(session, chosen)
    if not path.kept:
        why = path.refusal or NOTHING_TO_COPY
        return _refused(
            chosen, why, "Nothing can be copied: no message on this branch can be continued."
        )
    return _plan(plain, session, chosen, path, _others(paths, chosen, path))


def copy_plan(diagnosis: Diagnosis, entry_id: EntryId | None) -> ForkPlan:
    """Return the plan of a fork, which for a damaged session saves all that can be read.

    Args:
        diagnosis: The session.
        entry_id: The record that was chosen; `None` for the session as a whole.
    """
    if entry_id is None:
        if not is_damaged(diagnosis):
            return fork_plan(diagnosis)
        saved = salvage_plan(diagnosis, None)
        return saved if saved.allowed else fork_plan(diagnosis)
    plan = fork_plan_at(diagnosis, entry_id)
    node = with_recovered(diagnosis.session).nodes.get(entry_id)
    if not is_damaged(diagnosis) or node is None or (plan.allowed and not plan.moved):
        return plan
    if not (isinstance(node, MessageEntry) and isinstance(node.message, UserMessage)):
        saved = salvage_plan(diagnosis, entry_id)
    elif node.parent_id is None:
        return plan
    else:
        saved = replace(
            salvage_plan(diagnosis, node.parent_id),
            entry_id=entry_id,
            prompt=prompt_of(node.message),
        )
    return saved if saved.allowed and len(saved.entries) > len(plan.entries) else plan


@dataclass(frozen=True, slots=True)
class _Path:
    """The way to one record, and what of it can be copied."""

    kept: tuple[Node, ...]
    """What is copied, in order; empty when nothing can be."""
    parents: tuple[EntryId | None, ...]
    """The parent of each in the copy."""
    skipped: tuple[Node, ...]
    """Records between them that are left out."""
    after: tuple[Node, ...]
    """Records after the end of the copy."""
    broken: Broken | None
    """Why the path does not begin at a start of the session."""
    refusal: FaultCode | None
    """Why the copy ends early."""


def _ends(tree: Tree, leaf: EntryId | None) -> list[EntryId]:
    """Return the ends of branches, the newest ones, the place to continue first."""
    found = [leaf] if leaf is not None else []
    found += [end for end in reversed(tree.tips) if end != leaf]
    found += [end for end in reversed(tree.unreachable) if end not in tree.tips and end != leaf][:1]
    return found[:MOST_ENDS]


def _best(paths: dict[EntryId, _Path], leaf: EntryId | None) -> EntryId | None:
    first = paths.get(leaf) if leaf is not None else None
    if first is not None and first.kept and first.broken is None and not first.after:
        return leaf
    usable = [end for end, path in paths.items() if path.kept]
    # Of equal ones the first: the place to continue, then the newest.
    return max(
        usable, key=lambda end: (len(paths[end].kept), paths[end].broken is None), default=None
    )


def _others(paths: dict[EntryId, _Path], chosen: EntryId, taken: _Path) -> tuple[SalvageEnd, ...]:
    copied = {node.id for node in taken.kept}
    return tuple(
        SalvageEnd(end, path.kept[-1].span.line, len(path.kept))
        for end, path in paths.items()
        if end != chosen and path.kept and path.kept[-1].id not in copied
    )


def _path(session: Session, tip: EntryId) -> _Path:
    walked, broken = _walk(session, tip)
    kept: list[Node] = []
    skipped: list[Node] = []
    taken: set[EntryId | None] = set()
    for node in walked:
        if _is_left_out(node, taken, kept, broken):
            skipped.append(node)
        else:
            kept.append(node)
            taken.add(node.id)
    chain: list[Node] = []
    for node in kept:
        chain.append(replace(node, parent_id=chain[-1].id if chain else None))
    end = _last_good(session, chain)
    return _Path(
        kept=tuple(kept[:end]),
        parents=tuple(node.parent_id for node in chain[:end]),
        skipped=tuple(skipped),
        after=tuple(kept[end:]),
        broken=broken,
        refusal=refusal_of_path(chain) if end < len(kept) else None,
    )


def _is_left_out(
    node: Node, taken: set[EntryId | None], kept: list[Node], broken: Broken | None
) -> bool:
    """Whether a record of the path cannot go into the copy, so that the next one is attached."""
    if isinstance(node, UnknownEntry) or node.id in taken:
        return True
    if isinstance(node, CompactionEntry):
        return node.retained_tail is None
    # Results at the start of a broken chain answer calls that are lost.
    if broken is None or not isinstance(node, MessageEntry):
        return False
    head = not any(isinstance(before, MessageEntry | CompactionEntry) for before in kept)
    return head and isinstance(node.message, ToolResultMessage)


def _walk(session: Session, tip: EntryId) -> tuple[list[Node], Broken | None]:
    """Return the way from a start to a record, and why it is no real start."""
    walked, broken = _walk_as_agent(session, tip)
    if broken is not Broken.RING:
        return walked, broken
    return _walk_by_file(session, tip)


def _walk_as_agent(session: Session, tip: EntryId) -> tuple[list[Node], Broken | None]:
    node = session.nodes[tip]
    walked, seen = [node], {tip}
    while node.parent_id is not None:
        parent = session.nodes.get(node.parent_id)
        if parent is None:
            return walked[::-1], Broken.MISSING
        if node.parent_id in seen:
            return walked[::-1], Broken.RING
        seen.add(node.parent_id)
        walked.append(parent)
        node = parent
    return walked[::-1], None


def _walk_by_file(session: Session, tip: EntryId) -> tuple[list[Node], Broken | None]:
    """Walk by the order of the file: a parent is the last record of its id before the child.

    Records are only ever appended, so a ring comes from an id that stands twice or from a parent
    that was named before it was written.
    """
    places: dict[EntryId, list[Node]] = {}
    for record in session.records:
        if not isinstance(record, LabelEntry | PositionMarker | ModelMarker) and record.id:
            places.setdefault(record.id, []).append(record)
    node = session.nodes[tip]
    walked = [node]
    while node.parent_id is not None:
        offset = node.span.offset
        before = [each for each in places.get(node.parent_id, ()) if each.span.offset < offset]
        if not before:
            return walked[::-1], Broken.RING
        node = before[-1]
        walked.append(node)
    return walked[::-1], None


def _last_good(session: Session, chain: Sequence[Node]) -> int:
    """Return how many records of a chain a copy may hold."""
    if not chain:
        return 0
    nodes = {node.id: node for node in chain if node.id is not None}
    line = replace(session, nodes=MappingProxyType(nodes), records=tuple(chain))
    states = path_states(line, build_tree(line))
    last = chain[-1].id
    assert last is not None
    end = last if states[last].good else states[last].nearest_clean
    return 0 if end is None else states[end].depth


def _plan(
    plain: Session,
    session: Session,
    tip: EntryId,
    path: _Path,
    others: tuple[SalvageEnd, ...],
) -> SalvagePlan:
    copied = {node.id for node in path.kept}
    labels = tuple(label for label in session.label_entries if label.target_id in copied)
    joined = {piece.record.span: piece.lines for piece in plain.recovered if piece.lines > 1}
    changes = [
        Change(node.span, parent, node.parent_id != parent, joined.get(node.span, 1) - 1)
        for node, parent in zip(path.kept, path.parents, strict=True)
        if node.parent_id != parent or node.span in joined
    ]
    changes += [
        Change(label.span, label.parent_id, False, joined[label.span] - 1)
        for label in labels
        if label.span in joined
    ]
    chain = tuple(
        replace(node, parent_id=parent)
        for node, parent in zip(path.kept, path.parents, strict=True)
    )
    messages = [item.message for item in build_context(chain).messages]
    closing = tuple(paired.call for paired in pair_calls(messages).closable)
    taken = Taken(path.kept, labels, path.skipped, path.after, path.broken, path.refusal)
    behind = left_out(plain, session, taken)
    header = header_to_copy(plain)
    moved = path.kept[-1].id != tip
    return SalvagePlan(
        entry_id=tip,
        how=ForkHow.THROUGH,
        entries=path.kept,
        labels=labels,
        closing=closing,
        prompt="",
        moved=moved,
        sentence=headline(taken, behind),
        refusal=None,
        changes=tuple(changes),
        left_out=behind,
        other_ends=others,
        account=account_of(plain, taken, tuple(changes), behind, len(closing)),
        needs_folder=header is None or not header.cwd,
    )


def _refused(tip: EntryId | None, kind: str, sentence: str) -> SalvagePlan:
    return SalvagePlan(tip, ForkHow.THROUGH, (), (), (), "", False, sentence, str(kind))
