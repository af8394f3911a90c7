"""The tree of a session to which messages were appended, from the tree that it had."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from ink_tui.model.faults import Severity
from ink_tui.model.mappings import copied
from ink_tui.model.outline_entries import row_key
from ink_tui.model.outline_facts import LineFacts, id_of
from ink_tui.model.outline_lines import line_rows
from ink_tui.model.outline_loose import resume_row
from ink_tui.model.outline_rows import NO_OUTLINE, Outline, OutlineRow, RowKind
from ink_tui.model.outline_view import visible_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ink_tui.model.entries import EntryId
    from ink_tui.model.growth import Growth
    from ink_tui.model.lineage import ForkLink
    from ink_tui.model.outline_rows import FilterMode


def grown_outline(
    last: Outline,
    growth: Growth,
    *,
    child_records: Mapping[str, int] | None = None,
    running: bool = False,
    forks: Mapping[EntryId, Sequence[ForkLink]] | None = None,
) -> Outline | None:
    """Return the rows of a session that has grown; `None` where they must be made anew.

    Equal to what `build_outline` makes of the session now.

    Args:
        last: The rows of the session as it was, with the same copies and sub-agent sessions.
        growth: What was appended since.
        child_records: Records of sub-agent sessions by header id.
        running: An agent is known to hold the session now.
        forks: Copies of the session, by the record that they end with.
    """
    place = _place(last, growth, forks or {})
    resume = resume_row(growth.new, running=running)
    if place is None or resume is None:
        return None
    first, end = place
    session = growth.new.session
    bad = {
        fault.span.offset: fault
        for fault in session.faults
        if fault.severity is Severity.DAMAGE and fault.span is not None
    }
    facts = LineFacts(session.labels, child_records or {}, bad, trunk=True, running=running)
    fresh = [row for own in line_rows(growth.shown_anew, facts) for row in own]
    fresh.append(resume)
    return _with_rows(last, first, end, fresh, empty=last.empty and not growth.appended)


def seen_after_growth(
    last: Outline | None,
    seen: tuple[OutlineRow, ...],
    outline: Outline,
    opened: Collection[str],
    mode: FilterMode,
) -> tuple[OutlineRow, ...]:
    """Return what `visible_rows` finds; of an outline that has grown at the cost of what has grown.

    Args:
        last: The rows before, as they were made; `None` to find all anew.
        seen: What was seen of them, with the same rows open and the same mode.
        outline: The rows now, as they were made.
        opened: Keys of the foldable rows that are open.
        mode: What is shown.
    """
    tail = _loose_tail(last, outline) if last is not None else None
    if last is None or tail is None:
        return visible_rows(outline, opened, mode)
    end = len(seen)
    while end and last.places[seen[end - 1].key] >= outline.kept:
        end -= 1
    return (*seen[:end], *visible_rows(replace(NO_OUTLINE, rows=tail), opened, mode))


def _loose_tail(last: Outline, outline: Outline) -> tuple[OutlineRow, ...] | None:
    """Return the new end of an outline if nothing in it, old or new, is inside of something.

    `None` where it does not go on from the other one, too. Outlines share rows only by growing,
    with all rows before them: one that stands at the same place tells that the others do.
    """
    kept = outline.kept
    if not kept or kept > len(last.rows) or last.rows[kept - 1] is not outline.rows[kept - 1]:
        return None
    tail = outline.rows[kept:]
    for row in (*last.rows[kept:], *tail):
        if row.foldable or row.inside is not None or row.kind is RowKind.HEADING:
            return None
    return tail


def _place(
    last: Outline, growth: Growth, forks: Mapping[EntryId, Sequence[ForkLink]]
) -> tuple[int, int] | None:
    """Return the first row that may change and the place of the resume point.

    `None` where other rows stand among or behind them.
    """
    end = last.places.get(last.resume_key or "")
    if end is None:
        return None
    behind = last.rows[end + 1 : end + 2]
    if behind and behind[0].kind is not RowKind.HEADING:
        return None
    nodes = growth.shown_anew
    ids = {id_of(node) for node in nodes}
    children = growth.new.tree.children
    if any(entry in forks or len(children.get(entry, ())) > 1 for entry in ids):
        return None
    if growth.start == len(growth.old.branch.entries):
        return end, end
    first = last.places.get(row_key(nodes[0], 0))
    if first is None or any(not _is_of(row, ids) for row in last.rows[first:end]):
        return None
    return first, end


def _is_of(row: OutlineRow, ids: set[EntryId]) -> bool:
    return not row.depth and row.entry_id in ids and row.kind is not RowKind.FORK


def _with_rows(
    last: Outline, first: int, end: int, fresh: list[OutlineRow], *, empty: bool
) -> Outline:
    """Return an outline with other rows from one place up to the resume point, that included."""
    places, by_entry = copied(last.places), copied(last.by_entry)
    for row in last.rows[first : end + 1]:
        del places[row.key]
        for entry in (row.entry_id, row.result_id):
            if entry is not None and by_entry.get(entry) == row.key:
                del by_entry[entry]
    behind = last.rows[end + 1 :]
    for at, row in enumerate((*fresh, *behind), first):
        places[row.key] = at
    for row in fresh:
        for entry in (row.entry_id, row.result_id):
            if entry is not None:
                by_entry.setdefault(entry, row.key)
    return Outline(
        rows=(*last.rows[:first], *fresh, *behind),
        places=MappingProxyType(places),
        by_entry=MappingProxyType(by_entry),
        branch_points=last.branch_points,
        resume_key=last.resume_key,
        empty=empty,
        kept=first,
    )
