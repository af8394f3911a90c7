"""Which sessions rest in the archive: those put there, with the sub-agent sessions under them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.marks import Marks


def rows_by_id(rows: Iterable[SessionRow]) -> dict[str, SessionRow]:
    """Return sessions by their header id; of two with one id the first."""
    found: dict[str, SessionRow] = {}
    for row in rows:
        if row.session_id is not None:
            found.setdefault(row.session_id, row)
    return found


def resting(
    rows: Sequence[SessionRow],
    by_id: Mapping[str, SessionRow],
    marks: Marks,
    is_live: Callable[[SessionRow], bool],
) -> dict[str, SessionRow]:
    """Return the archived sessions by path, each with the topmost archived one it stands under.

    A family in which anybody writes does not rest: it is shown as if it were not archived.

    Args:
        rows: All sessions.
        by_id: The same by header id.
        marks: What is marked.
        is_live: Whether somebody writes to a session.
    """
    if not marks.archived:
        return {}
    tops: dict[str, SessionRow] = {}
    awake: set[str] = set()
    for row in rows:
        top = _topmost(row, by_id, marks)
        if top is not None:
            tops[row.path] = top
            if is_live(row):
                awake.add(top.path)
    return {path: top for path, top in tops.items() if top.path not in awake}


def still_asked(
    asked: frozenset[str], by_path: Mapping[str, SessionRow], put_away: frozenset[str]
) -> frozenset[str]:
    """Return the paths that stay asked for by name: what was just archived is to leave.

    Args:
        asked: The paths so far.
        by_path: The sessions.
        put_away: Ids of the sessions that were archived now.
    """
    rows = [by_path[path] for path in asked if path in by_path]
    return frozenset(
        row.path for row in rows if put_away.isdisjoint((row.session_id, row.parent_id))
    )


def _topmost(row: SessionRow, by_id: Mapping[str, SessionRow], marks: Marks) -> SessionRow | None:
    """Return the topmost archived session among a session and those that it stands under."""
    found: SessionRow | None = None
    one: SessionRow | None = row
    seen: set[str] = set()
    while one is not None and one.path not in seen:
        seen.add(one.path)
        if marks.of(one.session_id).archived:
            found = one
        one = by_id.get(one.parent_id) if one.parent_id is not None else None
    return found
