"""What a person has marked in a tree: stars and notes on its rows, and hidden branches.

A branch that is not the trunk can be hidden. The hidden ones of a branch point stand last there,
inside a row that counts them. What is continued is never hidden: a branch that becomes the trunk is
shown whatever is marked on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from ink_tui.model.outline_rows import Outline, OutlineRow, Rail, RowKind

if TYPE_CHECKING:
    from ink_tui.model.entries import EntryId
    from ink_tui.model.marks import SessionMarks

_TRUNK = "Only a branch that was left can be hidden; this one will be continued."
_LOOSE = "What is not connected or cannot be read is always shown."


@dataclass(frozen=True, slots=True)
class BranchChoice:
    """Which branches a row of the tree means, and whether they are hidden now."""

    heads: tuple[EntryId, ...] = ()
    """Ids of their first entries; none when there is nothing to hide."""
    hidden: bool = False
    refusal: str = ""
    """Why there is nothing to hide, in a sentence."""


def with_marks(outline: Outline, marks: SessionMarks) -> Outline:
    """Return the rows of a tree with stars and notes on them and hidden branches put together.

    Args:
        outline: The rows without any of that.
        marks: What is marked on the session.
    """
    if not marks.records and not marks.hidden:
        return outline
    rows = list(outline.rows)
    for entry_id, own in marks.records.items():
        at = outline.places.get(outline.by_entry.get(entry_id, ""))
        if at is not None:
            starred, note = rows[at].starred or own.starred, rows[at].user_note or own.note
            rows[at] = replace(rows[at], starred=starred, user_note=note)
    if any(_is_hidden(row, marks.hidden) for row in rows):
        rows = _gathered(rows, marks.hidden)
    return replace(
        outline,
        rows=tuple(rows),
        places=MappingProxyType({row.key: at for at, row in enumerate(rows)}),
        closed=None,
    )


def branch_at(outline: Outline, key: str | None, marks: SessionMarks) -> BranchChoice:
    """Return which branches are meant by a selected row.

    A row on a branch means the innermost branch that it stands on, a count row all that it counts.

    Args:
        outline: The rows, with marks.
        key: The selected row.
        marks: What is marked on the session.
    """
    row = outline.row(key) if key is not None else None
    if row is None:
        return BranchChoice(refusal="Select a record of a branch to hide it.")
    if row.kind is RowKind.HIDDEN:
        heads = tuple(
            each.entry_id
            for each in outline.rows
            if each.inside == row.key and each.stub and each.entry_id is not None
        )
        return BranchChoice(heads, hidden=True)
    while row is not None and not row.stub:
        if row.inside is None:
            refusal = _LOOSE if row.rail is Rail.NONE else _TRUNK
            return BranchChoice(refusal=refusal)
        row = outline.row(row.inside)
    if row is None or row.entry_id is None or row.rail is Rail.NONE:
        return BranchChoice(refusal=_LOOSE)
    return BranchChoice((row.entry_id,), hidden=row.entry_id in marks.hidden)


def _gathered(rows: list[OutlineRow], hidden: frozenset[EntryId]) -> list[OutlineRow]:
    """Return the rows with the hidden branches of each branch point at its end, inside one row."""
    ends = _ends(rows)
    found: list[OutlineRow] = []
    work: list[_Stretch] = [_Stretch(0, len(rows), 0, None)]
    while work:
        stretch = work.pop()
        at, deeper = stretch.start, stretch.deeper
        if stretch.head is not None:
            found.append(stretch.head)
            at += 1
        while at < stretch.end and not rows[at].stub:
            found.append(_deeper(rows[at], deeper))
            at += 1
        if at < stretch.end:
            group = _group(rows, ends, at, stretch.end)
            work.append(_Stretch(ends[group[-1]], stretch.end, deeper, None))
            work += reversed(_stretches(rows, ends, group, deeper, hidden))
    return found


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Rows that are still to be put out."""

    start: int
    end: int
    deeper: int
    """How much deeper they stand than they did."""
    head: OutlineRow | None
    """What takes the place of the first row; `None` when there is no stub at its start."""


def _stretches(
    rows: list[OutlineRow],
    ends: dict[int, int],
    group: list[int],
    deeper: int,
    hidden: frozenset[EntryId],
) -> list[_Stretch]:
    """Return the branches of a branch point in their new order, hidden ones last."""
    away = [at for at in group if _is_hidden(rows[at], hidden)]
    is_away = frozenset(away)
    found: list[_Stretch] = []
    for at in group:
        if at not in is_away:
            head = _deeper(rows[at], deeper)
            head = replace(head, last_stub=False) if away else head
            found.append(_Stretch(at, ends[at], deeper, head))
    if not away:
        return found
    first = rows[group[0]]
    count = OutlineRow(
        f"hidden:{first.key}",
        RowKind.HIDDEN,
        "hidden",
        rail=first.rail,
        depth=first.depth + deeper,
        dim=first.dim,
        last_stub=True,
        foldable=True,
        count=len(away),
        inside=first.inside,
    )
    # An empty stretch: the row that counts stands for no other.
    found.append(_Stretch(-1, 0, deeper, count))
    for at in away:
        head = replace(_deeper(rows[at], deeper + 1), inside=count.key, last_stub=at == away[-1])
        found.append(_Stretch(at, ends[at], deeper + 1, head))
    return found


def _group(rows: list[OutlineRow], ends: dict[int, int], at: int, end: int) -> list[int]:
    """Return the places of the stubs that follow each other at one branch point."""
    group = [at]
    while not rows[group[-1]].last_stub:
        following = ends[group[-1]]
        if following >= end or not rows[following].stub:
            break
        group.append(following)
    return group


def _ends(rows: list[OutlineRow]) -> dict[int, int]:
    """Return behind which row each branch ends, by the place of its stub."""
    ends: dict[int, int] = {}
    on: list[int] = []
    for at, row in enumerate(rows):
        while on and not _is_within(row, rows[on[-1]]):
            ends[on.pop()] = at
        if row.stub:
            on.append(at)
    ends.update(dict.fromkeys(on, len(rows)))
    return ends


def _is_within(row: OutlineRow, stub: OutlineRow) -> bool:
    if row.depth == stub.depth:
        return not row.stub and row.inside == stub.key
    return row.depth > stub.depth


def _is_hidden(row: OutlineRow, hidden: frozenset[EntryId]) -> bool:
    """Whether a row is the stub of a hidden branch; what is not connected never is one."""
    return row.stub and row.rail is not Rail.NONE and row.entry_id in hidden


def _deeper(row: OutlineRow, by: int) -> OutlineRow:
    return replace(row, depth=row.depth + by) if by else row
