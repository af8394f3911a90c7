"""What a session can be compared with: its other branches, the session it was copied from, copies.

Iterative and linear in the records of the session.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.entries import EntryId
from ink_tui.model.lineage import forks_of
from ink_tui.model.outline_facts import LineFacts, id_of
from ink_tui.model.outline_lines import line_rows
from ink_tui.model.outline_rows import RowKind
from ink_tui.model.recovery import as_read
from ink_tui.model.row_words import title_words
from ink_tui.model.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ink_tui.model.entries import Node
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.verdict import Diagnosis


MOST_BRANCHES = 50
"""Branches that are offered: more are found by their rows in the tree."""


class OtherKind(StrEnum):
    """What a session is compared with."""

    BRANCH = "branch"
    PARENT = "parent"
    """The session that it was copied from."""
    FORK = "fork"
    """A session that was copied from it."""


@dataclass(frozen=True, slots=True)
class Other:
    """One thing that a session can be compared with."""

    kind: OtherKind
    path: str
    """File of its session; empty for a branch of the session at hand."""
    leaf: EntryId | None
    """The last record of a branch; `None` where the other session has to be read first."""
    title: str
    """First words of a branch, title of a session; cleaned, on one line."""
    time_ms: int | None
    """Time of its newest record."""
    records: int | None
    """Records of a branch after its branch point, messages of a session; `None` if not known."""

    @property
    def key(self) -> str:
        """Identity among what a session can be compared with."""
        return f"{self.kind}:{self.path or self.leaf}"


def other_branches(diagnosis: Diagnosis, near: EntryId | None = None) -> tuple[Other, ...]:
    """Return the branches beside the current one, the nearest to a record first.

    Nearest are those whose branch point is the fewest records of the current branch away; of
    those, and where no record is given, the newest. Beyond `MOST_BRANCHES` they are left out.

    Args:
        diagnosis: The session.
        near: A record of the current branch.
    """
    read = as_read(diagnosis)
    places = {id_of(node): at for at, node in enumerate(read.branch.entries)}
    here = places.get(near) if near is not None else None
    nodes = read.session.nodes
    found: list[tuple[int, int, EntryId, EntryId, int]] = []
    for at, head, tip, records in _tips(read, places):
        distance = abs(at - here) if here is not None else 0
        found.append((distance, -nodes[tip].span.offset, head, tip, records))
    found.sort(key=lambda each: each[:2])
    return tuple(
        Other(OtherKind.BRANCH, "", tip, _first_words(nodes[head]), nodes[tip].time_ms, records)
        for _, _, head, tip, records in found[:MOST_BRANCHES]
    )


def other_sessions(diagnosis: Diagnosis, rows: Iterable[SessionRow]) -> tuple[Other, ...]:
    """Return the session that this one was copied from, if it is known, and its copies.

    Args:
        diagnosis: The session.
        rows: The rows of the list.
    """
    head = diagnosis.session.header
    if head is None:
        return ()
    known = tuple(rows)
    found = []
    if head.forked_from is not None:
        origin = head.forked_from[0]
        found += [
            Other(OtherKind.PARENT, row.path, None, title_words(row), row.last_ms, row.messages)
            for row in known
            if row.session_id == origin
        ][:1]
    messages = {row.path: row.messages for row in known}
    links = [link for each in forks_of(head.id, known).values() for link in each]
    found += [
        Other(OtherKind.FORK, link.path, None, link.title, link.last_ms, messages[link.path])
        for link in sorted(links, key=lambda link: (-(link.last_ms or 0), link.path))
    ]
    return tuple(found)


def newest_below(diagnosis: Diagnosis, entry_id: EntryId) -> EntryId | None:
    """Return the newest end of the branches that a record leads to; `None` for an unknown one."""
    read = as_read(diagnosis)
    nodes, children = read.session.nodes, read.tree.children
    if entry_id not in nodes:
        return None
    newest, seen, waiting = entry_id, {entry_id}, [entry_id]
    while waiting:
        at = waiting.pop()
        below = [child for child in children.get(at, ()) if child not in seen]
        seen.update(below)
        waiting += below
        if not below and (newest in children or nodes[at].span.offset > nodes[newest].span.offset):
            newest = at
    return newest


def end_for_copy(original: Diagnosis, copy: Diagnosis) -> EntryId | None:
    """Return the end of the original's branch that a copy is compared with.

    Its current branch where the copy was made from that, else the newest branch that goes on from
    where the copy was made.
    """
    read = as_read(original)
    head = copy.session.header
    at = head.forked_from[1] if head is not None and head.forked_from is not None else None
    if at is None or any(node.id == at for node in read.branch.entries):
        return read.leaf
    return newest_below(original, EntryId(at)) or read.leaf


def session_ends(left: Diagnosis, right: Diagnosis) -> tuple[EntryId | None, EntryId | None]:
    """Return the ends of the branches of two sessions that are compared.

    The current branch of each; of an original the one that its copy was made from.
    """
    heads = left.session.header, right.session.header
    origins = [head.forked_from[0] if head and head.forked_from else None for head in heads]
    ends = as_read(left).leaf, as_read(right).leaf
    if heads[1] is not None and origins[0] == heads[1].id:
        return ends[0], end_for_copy(right, left)
    if heads[0] is not None and origins[1] == heads[0].id:
        return end_for_copy(left, right), ends[1]
    return ends


def _tips(
    read: Diagnosis, places: dict[EntryId, int]
) -> Iterator[tuple[int, EntryId, EntryId, int]]:
    """Yield other branches: place of their branch point, first record, last one, their number."""
    children = read.tree.children
    waiting = [(-1, root, root, 1) for root in read.tree.roots if root not in places]
    waiting += [
        (at, child, child, 1)
        for entry, at in places.items()
        for child in children.get(entry, ())
        if child not in places
    ]
    while waiting:
        at, head, entry, records = waiting.pop()
        below = [child for child in children.get(entry, ()) if child not in places]
        waiting += [(at, head, child, records + 1) for child in below]
        if not below:
            yield at, head, entry, records


def _first_words(node: Node) -> str:
    """Return what a record says, as its row in the tree does."""
    rows = line_rows([node], LineFacts({}, {}, {}, trunk=False))[0]
    if not rows:
        return one_line(node.timestamp)
    first = rows[0]
    words = first.text if first.kind is RowKind.USER else f"{first.word} {first.text}"
    return words.strip()
