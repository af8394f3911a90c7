"""Sub-agent sessions under their parents, found by the id in their header."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ink_tui.model.listing import SessionRow


@dataclass(frozen=True, slots=True)
class Nesting:
    """Which session stands under which."""

    tops: tuple[SessionRow, ...]
    children: Mapping[str, Sequence[SessionRow]]
    """Sub-agent sessions by the path of their parent."""
    orphans: frozenset[str]
    """Paths of sub-agent sessions whose parent is not among the sessions."""

    def top_of(self, path: str | None) -> str | None:
        """Return the path of the session that a session stands under, or its own."""
        above = {child.path: parent for parent, own in self.children.items() for child in own}
        while path is not None and path in above:
            path = above[path]
        return path

    def family(self, top: SessionRow) -> list[SessionRow]:
        """Return a session with all that stand under it."""
        found = [top]
        for row in found:  # which grows meanwhile
            found += self.children.get(row.path, ())
        return found


def nest(rows: Sequence[SessionRow], by_id: Mapping[str, SessionRow]) -> Nesting:
    """Put sub-agent sessions under their parents; rings and lost parents stay at the top.

    Args:
        rows: The sessions that are shown.
        by_id: All sessions by header id.
    """
    shown = {row.path for row in rows}
    tops: list[SessionRow] = []
    children: dict[str, list[SessionRow]] = {}
    orphans: set[str] = set()
    for row in rows:
        parent = by_id.get(row.parent_id) if row.parent_id is not None else None
        if parent is None or parent.path not in shown or _leads_back(row, by_id):
            tops.append(row)
            if row.child:
                orphans.add(row.path)
        else:
            children.setdefault(parent.path, []).append(row)
    return Nesting(tuple(tops), children, frozenset(orphans))


def _leads_back(row: SessionRow, by_id: Mapping[str, SessionRow]) -> bool:
    seen = {row.path}
    above = by_id.get(row.parent_id or "")
    while above is not None:
        if above.path in seen:
            return True
        seen.add(above.path)
        above = by_id.get(above.parent_id) if above.parent_id is not None else None
    return False
