"""Records of other sessions in a tree: what a sub-agent did, and what a copy has added.

They are read-only guests: no record of the session that is shown, so nothing of it acts on them.
They are among the rows only while they are unfolded.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from ink_tui.model.outline_rows import CallLook, Outline, OutlineRow, Rail, RowKind
from ink_tui.model.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ink_tui.model.entries import EntryId

MOST_ROWS = 200
"""Rows of one other session; of a longer one the first and the last half of so many."""

_NO_RECORDS = frozenset({RowKind.RESUME, RowKind.FOLD, RowKind.HIDDEN, RowKind.FORK})


def guest_rows(outline: Outline, path: str, after: EntryId | None = None) -> tuple[OutlineRow, ...]:
    """Return the rows of another session's trunk as they stand in a tree that unfolds it.

    Args:
        outline: Its tree.
        path: Its file.
        after: Only what follows this record, as a copy has it; `None` for all.
    """
    found: list[OutlineRow] = []
    for row in outline.rows:
        if row.kind is RowKind.HEADING and found:
            break  # what is not connected is told of by the session itself
        if after is not None and after in (row.entry_id, row.result_id):
            found.clear()
        elif not row.depth and not row.only_all and row.kind not in _NO_RECORDS:
            found.append(_guest(row, path))
    if not found:
        said = "nothing was added to the copy" if after is not None else "no record yet"
        return aside(said, path)
    left = len(found) - MOST_ROWS
    if left <= 0:
        return tuple(found)
    half = MOST_ROWS // 2
    rest = aside(f"{counted(left, 'more row')}; enter opens the session", path)
    return (*found[:half], *rest, *found[-half:])


def aside(sentence: str, path: str) -> tuple[OutlineRow, ...]:
    """Return a row that says something in the place of records.

    Args:
        sentence: What it says, cleaned.
        path: The session that it opens.
    """
    return (OutlineRow("aside", RowKind.ASIDE, "", sentence, dim=True, guest=True, opens=path),)


def with_guests(outline: Outline, guests: Mapping[str, Sequence[OutlineRow]]) -> Outline:
    """Return an outline with what is unfolded of other sessions; the same one without any.

    Args:
        outline: The rows of the session.
        guests: What stands inside of rows, by their keys, those of guests included.
    """
    if not any(key in outline.places for key in guests):
        return outline
    rows: list[OutlineRow] = []
    for row in outline.rows:
        if row.key not in guests:
            rows.append(row)
            continue
        host = replace(row, foldable=True)
        rows.append(host)
        within = [(host, iter(guests[host.key]))]
        while within:
            _put_next(rows, within, guests)
    return replace(
        outline,
        rows=tuple(rows),
        places=MappingProxyType({row.key: at for at, row in enumerate(rows)}),
        kept=0,
        closed=None,
    )


def _put_next(
    rows: list[OutlineRow],
    within: list[tuple[OutlineRow, Iterator[OutlineRow]]],
    guests: Mapping[str, Sequence[OutlineRow]],
) -> None:
    """Put out the next guest of the innermost host, or leave that host."""
    host, waiting = within[-1]
    guest = next(waiting, None)
    if guest is None:
        within.pop()
        return
    placed = replace(
        guest,
        key=f"{host.key}>{guest.key}",
        rail=host.rail,
        depth=host.depth + 1,
        inside=host.key,
    )
    if placed.key in guests:
        placed = replace(placed, foldable=True)
        within.append((placed, iter(guests[placed.key])))
    rows.append(placed)


def _guest(row: OutlineRow, path: str) -> OutlineRow:
    """Return a row without anything that leads to a record or a place of the session shown."""
    return replace(
        row,
        entry_id=None,
        result_id=None,
        span=None,
        result_span=None,
        at_entry=row.entry_id,
        guest=True,
        opens=path,
        rail=Rail.NONE,
        look=CallLook.NONE,
        inside=None,
        foldable=False,
        bold=False,
        kept=False,
        thin=True,
    )
