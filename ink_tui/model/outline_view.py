"""Which rows of a tree are seen, and where its jumps lead. Pure, linear in the rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.model.jumps import Jump as Jump  # known by this name as well
from ink_tui.model.outline_rows import EARLIER_KEY, LOUD, CallLook, FilterMode, RowKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from ink_tui.model.entries import EntryId
    from ink_tui.model.outline_rows import Outline, OutlineRow

_FRAME = frozenset({RowKind.RESUME, RowKind.HEADING, RowKind.ASIDE})
FOLDS = frozenset({RowKind.FOLD, RowKind.HIDDEN})
"""Rows that stand for others and say how many."""
_BESIDE = frozenset({RowKind.LABEL, RowKind.FORK})
"""Rows that stand beside the records of their line, as no ancestors of what follows."""
_TOOLS = frozenset({RowKind.CALL, RowKind.RESULT})


def visible_rows(
    outline: Outline,
    opened: Collection[str] = (),
    mode: FilterMode = FilterMode.DEFAULT,
) -> tuple[OutlineRow, ...]:
    """Return the rows that are seen, fold rows with the number of what they hold.

    Loud open calls are seen in every mode. A branch is seen when it holds something to see.

    Args:
        outline: All rows.
        opened: Keys of the foldable rows that are open; all others are closed.
        mode: What to show.
    """
    if outline.closed is not None and not opened and mode is FilterMode.DEFAULT:
        return outline.closed
    wanted = [_matches(row, mode) for row in outline.rows]
    inside: Counter[str] = Counter()
    for at in range(len(outline.rows) - 1, -1, -1):
        row = outline.rows[at]
        if row.foldable and inside[row.key] and (row.stub or row.kind in FOLDS):
            wanted[at] = True
        elif row.kind in FOLDS:
            wanted[at] = False
        if wanted[at] and row.inside is not None and row.kind is not RowKind.FORK:
            inside[row.inside] += 1
    # Loud calls stand open even where their fold is closed.
    seen: dict[str, bool] = {}
    found: list[OutlineRow] = []
    for row, wants in zip(outline.rows, wanted, strict=True):
        shows = wants and (row.inside is None or seen.get(row.inside, False) or row.look in LOUD)
        if row.foldable:
            is_open = row.key in opened
            seen[row.key] = shows and is_open
            if row.kind in FOLDS:
                row = replace(row, opened=is_open, count=inside[row.key])
            elif is_open:
                row = replace(row, opened=True)
        if shows:
            found.append(row)
    return _without_empty_sections(found)


def with_closed(outline: Outline) -> Outline:
    """Return an outline that knows which rows are seen at first, so that a screen need not look."""
    return replace(outline, closed=visible_rows(outline))


def nearest_visible(outline: Outline, visible: Collection[str], key: str) -> str | None:
    """Return the row to select when another cannot be seen: its nearest ancestor that is seen.

    That is what stands before it on its own branch, the fold that it is inside of, or the branch
    point with what stands before that. Without any of them it is the nearest row of all.

    Args:
        outline: All rows.
        visible: Keys of the rows that are seen.
        key: The row that was selected.
    """
    at = outline.places.get(key)
    if at is None:
        return None
    if key in visible:
        return key
    row = outline.rows[at]
    depth, inside = row.depth - row.stub, row.inside
    for near in range(at - 1, -1, -1):
        row = outline.rows[near]
        if row.kind is RowKind.HEADING:
            break
        if row.key == inside:
            if row.key in visible:
                return row.key
            # A branch goes on at its branch point; other folds stand on the line that they fold.
            depth, inside = row.depth - (row.stub or row.kind is RowKind.HIDDEN), row.inside
        elif (
            row.depth == depth
            and (not depth or row.inside == inside)
            and not row.stub
            and row.entry_id is not None
            and row.kind not in _BESIDE
            and row.key in visible
        ):
            return row.key
    return _nearest(outline, visible, at)


def _nearest(outline: Outline, visible: Collection[str], at: int) -> str | None:
    """Return the nearest row that is seen, of two equally near ones that before."""
    rows = outline.rows

    def is_seen(near: int) -> bool:
        return rows[near].key in visible and rows[near].kind is not RowKind.HEADING

    above = next((near for near in range(at - 1, -1, -1) if is_seen(near)), None)
    below = next((near for near in range(at + 1, len(rows)) if is_seen(near)), None)
    if above is None or (below is not None and below - at < at - above):
        above = below
    return None if above is None else rows[above].key


def containers(outline: Outline, key: str) -> tuple[str, ...]:
    """Return the keys that must be open for a row to be seen, innermost first."""
    found: list[str] = []
    row = outline.row(key)
    while row is not None and row.inside is not None:
        found.append(row.inside)
        row = outline.row(row.inside)
    return tuple(found)


def jump(
    outline: Outline, key: str | None, kind: Jump, step: int, mode: FilterMode | None = None
) -> str | None:
    """Return the key of the next thing of a kind, wherever it is folded; `None` without one.

    Problems go round at the end, so that one key always finds one.

    Args:
        outline: All rows.
        key: Where to start; `None` for before the first row.
        kind: What to look for.
        step: 1 to look down, -1 to look up.
        mode: Only what this filter lets through is looked at; `None` for all.
    """
    matches = _targets(outline, kind)
    start = outline.places.get(key, -1) if key is not None else -1
    rows = outline.rows

    def is_target(at: int) -> bool:
        if rows[at].guest:
            return False
        return matches(rows[at]) and (mode is None or _matches(rows[at], mode))

    ahead: Iterable[int] = range(start + 1, len(rows))
    rest: Iterable[int] = range(start)
    if step < 0:
        ahead, rest = range(start - 1, -1, -1), range(len(rows) - 1, start, -1)
    found = next((at for at in ahead if is_target(at)), None)
    if found is None and kind is Jump.PROBLEM:
        found = next((at for at in rest if is_target(at)), None)
    return None if found is None else rows[found].key


def parent_key(outline: Outline, visible: tuple[OutlineRow, ...], key: str) -> str | None:
    """Return where "fold, then parent" leads from a row that is folded or cannot fold.

    The stub of a row on a branch; the branch point of a stub; the user turn of a row of the trunk.
    """
    at = next((n for n, row in enumerate(visible) if row.key == key), None)
    if at is None:
        return None
    row = visible[at]
    if row.inside is not None and any(other.key == row.inside for other in visible[:at]):
        return row.inside
    for other in reversed(visible[:at]):
        if other.kind is RowKind.HEADING or other.depth >= max(row.depth, 1):
            continue
        if row.depth or other.kind is RowKind.USER:
            return other.key
    return None


def _targets(outline: Outline, kind: Jump) -> Callable[[OutlineRow], bool]:
    if kind is Jump.PROBLEM:
        return lambda row: row.problem
    if kind is Jump.COMPACTION:
        return lambda row: row.kind is RowKind.COMPACTION
    if kind is Jump.TURN:
        return lambda row: row.kind is RowKind.USER and row.depth == 0
    return lambda row: row.key in outline.branch_points


def _matches(row: OutlineRow, mode: FilterMode) -> bool:
    if row.look in LOUD or row.kind in _FRAME:
        return True
    if row.only_all:
        return mode is FilterMode.ALL
    if mode is FilterMode.NO_TOOLS:
        return row.kind not in _TOOLS or row.problem
    if mode is FilterMode.USER_ONLY:
        return row.kind is RowKind.USER or (row.kind is RowKind.COMPACTION and not row.thin)
    if mode is FilterMode.LABELLED:
        return bool(row.label or row.starred or row.user_note)
    if mode is FilterMode.PROBLEMS:
        return row.problem or row.look is not CallLook.NONE
    return True


def _without_empty_sections(rows: list[OutlineRow]) -> tuple[OutlineRow, ...]:
    kept = [
        row
        for at, row in enumerate(rows)
        if row.kind is not RowKind.HEADING
        or row.key == EARLIER_KEY
        or (at + 1 < len(rows) and rows[at + 1].kind is not RowKind.HEADING)
    ]
    return tuple(kept)


def key_of_call(outline: Outline, entry_id: EntryId, call_id: str) -> str | None:
    """Return the key of the row of a call; `None` when there is none.

    Args:
        outline: The rows of a session.
        entry_id: The entry that holds the call, or its result.
        call_id: The id of the call.
    """
    for row in outline.rows:
        mine = row.call is not None and row.call.call_id == call_id
        if mine and entry_id in (row.entry_id, row.result_id):
            return row.key
    return None
