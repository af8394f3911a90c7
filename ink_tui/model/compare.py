"""Two branches beside each other: what they have in common, and what each has of its own.

The branches are of one session, or of a copy and its original. A copy keeps the records of the path
that it was made from, ids included, and gets its own from there on (`formats/ink.md` 5.1); records
that the original gained since are the original's own. So what is common is the longest start that
says the same at the same times, whatever the ids; in one session the ids decide as well. Linear in
the records of both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from ink_tui.model.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    EntryId,
    InfoEntry,
    MessageEntry,
    ThinkingLevelEntry,
)
from ink_tui.model.light import has_cut
from ink_tui.model.recovery import as_read
from ink_tui.model.session_facts import FileFact, Totals, totals_of
from ink_tui.model.tree import branch_to

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ink_tui.model.entries import Node
    from ink_tui.model.faults import FaultCode
    from ink_tui.model.messages import Message
    from ink_tui.model.verdict import Diagnosis


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two branches."""

    diagnosis: Diagnosis
    """Its session, recovered records among the others."""
    leaf: EntryId | None
    common: tuple[Node, ...]
    """The records that the other one has as well, as they stand in this file."""
    own: tuple[Node, ...]
    """The records after them."""
    totals: Totals
    """What was done in its own records."""
    since_ms: int | None
    """Times of the first and the last of its own records that have one."""
    last_ms: int | None
    error: FaultCode | None
    """Why it does not reach a start: a parent that was never written, or a ring."""

    @property
    def current(self) -> bool:
        """Whether it is the branch that a resume continues."""
        return self.leaf == self.diagnosis.leaf


@dataclass(frozen=True, slots=True)
class TouchedFile:
    """What the own records of both sides did with one file."""

    path: str
    """Cleaned; relative to the working folder where it lies in it."""
    left: FileFact | None
    right: FileFact | None

    @property
    def both_changed(self) -> bool:
        """Whether both sides have changed it."""
        return all(side is not None and side.changes > 0 for side in (self.left, self.right))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two branches, compared."""

    left: Side
    right: Side
    files: tuple[TouchedFile, ...]
    """Files changed on both sides first, then those changed on one, then those only read."""

    @property
    def common(self) -> int:
        """Records that both have."""
        return len(self.left.common)

    @property
    def same_session(self) -> bool:
        """Whether both are branches of one session."""
        heads = (self.left.diagnosis.session.header, self.right.diagnosis.session.header)
        return heads[0] == heads[1]


BranchEnd: TypeAlias = "tuple[Diagnosis, EntryId | None]"
"""A session and the last record of one of its branches."""


def compare(left: BranchEnd, right: BranchEnd) -> Comparison:
    """Return two branches beside each other; never raises.

    Args:
        left: The one at hand.
        right: The one that it is compared with.
    """
    sessions = as_read(left[0]), as_read(right[0])
    branches = branch_to(sessions[0].session, left[1]), branch_to(sessions[1].session, right[1])
    entries = branches[0].entries, branches[1].entries
    by_id = sessions[0].session.header == sessions[1].session.header
    shared = 0
    for one, other in zip(*entries, strict=False):
        if not same_record(one, other) or (by_id and one.id != other.id):
            break
        shared += 1
    sides = [
        _side(diagnosis, end[1], branch.entries, shared, branch.error)
        for diagnosis, end, branch in zip(sessions, (left, right), branches, strict=True)
    ]
    return Comparison(sides[0], sides[1], _files(sides[0], sides[1]))


def same_record(one: Node, other: Node) -> bool:
    """Return whether two records say the same at the same time; ids and places do not count.

    Of texts of which only the start is kept, the same id and the same length of the line are taken
    for the same text.
    """
    if one is other:
        return True
    if type(one) is not type(other) or one.timestamp != other.timestamp:
        return False
    if _content(one) == _content(other):
        return True
    alike = one.id == other.id and one.span.length == other.span.length
    return alike and (_is_light(one) or _is_light(other))


def _content(node: Node) -> object:
    if isinstance(node, MessageEntry):
        return node.message
    if isinstance(node, CompactionEntry):
        return node.summary, node.retained_tail, node.tokens_before
    if isinstance(node, BranchSummaryEntry):
        return node.summary
    if isinstance(node, ThinkingLevelEntry):
        return node.level
    if isinstance(node, InfoEntry):
        return node.name
    return node.type_name, node.preview


def _is_light(node: Node) -> bool:
    if isinstance(node, CompactionEntry):
        messages: Iterable[Message] = node.retained_tail or ()
        return node.cut is not None or any(map(has_cut, messages))
    if isinstance(node, BranchSummaryEntry):
        return node.cut is not None
    return isinstance(node, MessageEntry) and has_cut(node.message)


def _side(
    diagnosis: Diagnosis,
    leaf: EntryId | None,
    entries: tuple[Node, ...],
    shared: int,
    error: FaultCode | None,
) -> Side:
    common, own = entries[:shared], entries[shared:]
    times = [node.time_ms for node in own if node.time_ms is not None]
    return Side(
        diagnosis=diagnosis,
        leaf=leaf,
        common=common,
        own=own,
        totals=totals_of(own, common),
        since_ms=times[0] if times else None,
        last_ms=times[-1] if times else None,
        error=error,
    )


def _files(left: Side, right: Side) -> tuple[TouchedFile, ...]:
    found = [_by_place(side) for side in (left, right)]
    names = dict.fromkeys((*found[0], *found[1]))
    files = [TouchedFile(name, found[0].get(name), found[1].get(name)) for name in names]
    return tuple(sorted(files, key=_rank))


def _rank(file: TouchedFile) -> int:
    if file.both_changed:
        return 0
    return 1 if any(side is not None and side.changes for side in (file.left, file.right)) else 2


def _by_place(side: Side) -> dict[str, FileFact]:
    """Return what a side did with each file, by its path from the working folder."""
    head = side.diagnosis.session.header
    folder = head.cwd.rstrip("/") + "/" if head is not None and head.cwd else ""
    found: dict[str, FileFact] = {}
    for fact in side.totals.files:
        name = fact.path
        if folder and name.startswith(folder) and len(name) > len(folder):
            name = name[len(folder) :]
        while name.startswith("./") and len(name) > len("./"):
            name = name[len("./") :]
        known = found.get(name)
        found[name] = replace(fact, path=name) if known is None else _added(known, fact)
    return found


def _added(one: FileFact, other: FileFact) -> FileFact:
    return FileFact(
        one.path,
        one.reads + other.reads,
        one.changes + other.changes,
        one.failed + other.failed,
        one.added + other.added,
        one.removed + other.removed,
    )
