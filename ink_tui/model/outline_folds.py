"""The summarised range of a tree: which of its rows fold to one (`ui.md` section 4)."""

from __future__ import annotations

from ink_tui.model.outline_rows import (
    FOLD_ABOVE,
    LOUD,
    CallLook,
    OutlineRow,
    Rail,
    RowKind,
)


def fold_summarised(rows: list[OutlineRow], start: int) -> None:
    """Put rows that the last compaction took out of the context under fold rows, in place.

    The first user turn, kept messages, thin lines of earlier compactions and everything that asks
    for a person stay; a branch goes with its branch point. Up to `FOLD_ABOVE` rows stay as well.

    Args:
        rows: All rows up to the resume point; nobody else holds them yet.
        start: Index of the trunk's first row.
    """
    end = next((at for at in range(len(rows) - 1, -1, -1) if is_band(rows[at])), start)
    first_user = next(
        (at for at in range(start, end) if rows[at].kind is RowKind.USER and not rows[at].depth),
        None,
    )
    runs: list[list[int]] = []
    inside_run = False
    for at in range(start, end):
        if _on_trunk(rows[at]):
            folds = at != first_user and not _stays(rows[at])
            if folds and not inside_run:
                runs.append([])
            inside_run = folds
        if inside_run:
            runs[-1].append(at)
    on_trunk = [sum(_on_trunk(rows[at]) for at in run) for run in runs]
    if sum(on_trunk) <= FOLD_ABOVE:
        return
    for run, number in zip(reversed(runs), reversed(on_trunk), strict=True):
        if number > 1:
            _fold_run(rows, run, number)


def _on_trunk(row: OutlineRow) -> bool:
    """Whether a row stands for a record of the trunk; a link to a copy goes with its record."""
    return not row.depth and row.kind is not RowKind.FORK


def is_band(row: OutlineRow) -> bool:
    """Whether a row is the last compaction of the trunk."""
    return row.kind is RowKind.COMPACTION and not row.thin and row.depth == 0


def _fold_run(rows: list[OutlineRow], run: list[int], number: int) -> None:
    key = f"fold:{rows[run[0]].key}"
    for at in run:
        if rows[at].inside is None:
            # Just made and held by nobody else: a copy of each would be a third of all the work.
            object.__setattr__(rows[at], "inside", key)
    fold = OutlineRow(key, RowKind.FOLD, "", rail=Rail.GONE, dim=True, foldable=True, count=number)
    rows.insert(run[0], fold)


def _stays(row: OutlineRow) -> bool:
    """Whether a row of the summarised range is seen even when the range is folded."""
    return (
        row.kept
        or row.problem
        or row.look in LOUD
        or row.look is CallLook.BEFORE
        or row.kind in (RowKind.COMPACTION, RowKind.HEADING)
        or row.only_all
    )
