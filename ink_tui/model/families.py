"""Sessions with the sub-agent sessions that were started from them (`formats/ink.md` 1.4). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ink_tui.model.listing import SessionRow

_CHILDREN = "children"


@dataclass(frozen=True, slots=True)
class Family:
    """A session and what goes with it."""

    session: SessionRow
    children: tuple[SessionRow, ...] = ()
    """Sub-agent sessions of it, before them those that they started themselves."""

    @property
    def rows(self) -> tuple[SessionRow, ...]:
        """All of them, the session last."""
        return (*self.children, self.session)

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(row.size for row in self.rows)


class Families:
    """All sessions of a store, looked up by folder and by id."""

    def __init__(self, rows: Iterable[SessionRow], roots: Iterable[str]) -> None:
        """Take the sessions.

        Args:
            rows: All known sessions, in the order in which they are to come out again.
            roots: Session roots: a folder `children` in one belongs to the folder `/children`.
        """
        self.rows = tuple(rows)
        self.roots = tuple(root.rstrip("/") for root in roots)
        self._in_folder: dict[str, list[SessionRow]] = {}
        self._by_id: dict[str, list[SessionRow]] = {}
        self._by_path = {row.path: row for row in self.rows}
        for row in self.rows:
            self._in_folder.setdefault(_folder(row.path), []).append(row)
            if row.session_id is not None:
                self._by_id.setdefault(row.session_id, []).append(row)

    def at(self, path: str) -> SessionRow | None:
        """Return the session of a file."""
        return self._by_path.get(path)

    def with_id(self, session_id: str) -> tuple[SessionRow, ...]:
        """Return the sessions of an id: one, unless a file was copied."""
        return tuple(self._by_id.get(session_id, ()))

    def family(self, session: SessionRow) -> Family:
        """Return a session with the sub-agent sessions that its own id and folder lead to.

        Those of an id that stands in two files belong to neither alone.
        """
        if session.session_id is None or len(self.with_id(session.session_id)) > 1:
            return Family(session)
        here = _folder(session.path)
        place = here if _name(here) == _CHILDREN else f"{here}/{_CHILDREN}"
        others = sorted(
            (row for row in self._in_folder.get(place, ()) if row.path != session.path),
            key=lambda row: row.path,
        )
        found: list[SessionRow] = []
        taken: set[str] = set()
        wanted = {session.session_id}
        while wanted:
            below = [r for r in others if r.parent_id in wanted and r.path not in taken]
            found += below
            taken.update(row.path for row in below)
            wanted = {row.session_id for row in below if row.session_id is not None}
        return Family(session, tuple(reversed(found)))

    def parents_of(self, row: SessionRow) -> tuple[SessionRow, ...] | None:
        """Return all sessions beside the folder of a sub-agent session, its parent among them.

        Returns:
            `None` for a session that does not lie where sub-agent sessions do.
        """
        folder = _folder(row.path)
        if _name(folder) != _CHILDREN or _folder(folder) in self.roots:
            return None
        above = _folder(folder)
        # A folder that cannot be listed stands for everything in it.
        listed = [*self._in_folder.get(above, ()), *filter(None, [self.at(above)])]
        return tuple(listed)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _name(folder: str) -> str:
    return folder.rpartition("/")[2]
