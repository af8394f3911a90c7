"""What a search has found so far, in the order in which it is shown. Knows no file and no screen.

Sessions stand newest first, as they are searched, or the best first. At most `FIRST_HITS` of one
are shown until it is unfolded. Rows are bare until they are drawn: there may be tens of thousands.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.passages import Kind
from ink_tui.store.search.values import FoundIn, Hit, Progress, SearchEvent, Trouble
from ink_tui.tui.render.rows import BLANK, Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.row_matches import RowMatch

FIRST_HITS = 3
"""Hits shown of a session that is not unfolded."""

MOST_OF_SESSION = 200
"""Hits kept of one session; the rest is counted."""

MOST_IN_ALL = 10_000
"""Hits after which a search stops: nobody reads so many."""

HIT, MORE, SESSION = "hit", "more", "session"
"""What keys of rows begin with."""

_OF_THE_SESSION = (Kind.NAME, Kind.SESSION)


@dataclass(frozen=True, slots=True)
class Found:
    """One session that answers."""

    path: str
    row: SessionRow | None
    """What the list knows of it; `None` for a session that it does not know yet."""
    place: int
    """Its place in the order of the search, 0-based."""
    hits: tuple[Hit, ...]
    more: int = 0
    """Hits beyond those kept."""
    cwd: str = ""

    @property
    def total(self) -> int:
        """All hits, kept or not."""
        return len(self.hits) + self.more

    @property
    def rank(self) -> tuple[bool, int, int]:
        """What the best are ordered by: named so, then most hits, then newest."""
        named = any(hit.kind in _OF_THE_SESSION for hit in self.hits)
        return not named, -self.total, self.place


class Results:
    """Takes what a search tells and keeps the rows to be shown."""

    def __init__(self, rows: Sequence[SessionRow] = (), *, best_first: bool = False) -> None:
        """Make it empty.

        Args:
            rows: The sessions that are known, in the order in which they are searched.
            best_first: Show the sessions with the best hits first.
        """
        self.best_first = best_first
        self.hits = 0
        """Hits in all."""
        self.searched = 0
        """Session files done."""
        self.to_search = 0
        self.troubles: list[Trouble] = []
        self.unfolded: set[str] = set()
        """Paths of sessions whose hits are all shown."""
        self._rows = {row.path: row for row in rows}
        self._places = {row.path: place for place, row in enumerate(rows)}
        self._positions: dict[str, int] = {}
        self._found: dict[str, Found] = {}
        self._order: list[tuple[int, str]] = []
        self._made: dict[str, tuple[Row, ...]] = {}

    def __len__(self) -> int:
        return len(self._found)

    @property
    def full(self) -> bool:
        """Whether so much was found that searching on helps nobody."""
        return self.hits >= MOST_IN_ALL

    def found(self, path: str) -> Found:
        """Return what was found in a session; raises KeyError for one without a hit."""
        return self._found[path]

    def add_row(self, row: SessionRow, match: RowMatch) -> None:
        """Take a session that answers by what is known of it."""
        kind, text, count = match.kind, match.snippet, match.count
        self._put(row.path, (Hit(None, 1, 0, kind, "", row.last_ms, text, count),), 0, row.cwd)

    def begin(self, paths: Sequence[str]) -> None:
        """Note which files are searched now, in order."""
        self.to_search = len(paths)
        self._positions = {path: position for position, path in enumerate(paths, 1)}

    def take(self, event: SearchEvent) -> None:
        """Take what the search tells."""
        if isinstance(event, Progress):
            self.searched = max(self.searched, event.searched)
        elif isinstance(event, Trouble):
            self.troubles.append(event)
        else:
            self._take_found(event)

    def _take_found(self, event: FoundIn) -> None:
        self.searched = max(self.searched, self._positions.get(event.path, 0) - 1)
        self._put(event.path, event.hits, event.more, event.cwd)

    def _put(self, path: str, hits: tuple[Hit, ...], more: int, cwd: str) -> None:
        known = self._found.get(path)
        place = self._places.setdefault(path, len(self._places))
        found = Found(path, self._rows.get(path), place, hits, more, cwd)
        self.hits += found.total - (known.total if known is not None else 0)
        self._found[path] = found
        self._made.pop(path, None)
        if known is None:
            insort(self._order, (place, path))

    def fold(self, path: str) -> None:
        """Show all hits of a session, or the first ones again."""
        self.unfolded.symmetric_difference_update({path})
        self._made.pop(path, None)

    def ordered(self) -> list[Found]:
        """Return the sessions in the order in which they are shown."""
        if self.best_first:
            return sorted(self._found.values(), key=lambda each: each.rank)
        return [self._found[path] for _place, path in self._order]

    def rows(self) -> list[Row]:
        """Return the rows of all sessions, bare, a blank one between two sessions."""
        made: list[Row] = []
        for found in self.ordered():
            if made:
                made.append(BLANK)
            own = self._made.get(found.path)
            if own is None:
                own = self._made[found.path] = self._rows_of(found)
            made += own
        return made

    def _rows_of(self, found: Found) -> tuple[Row, ...]:
        whole = found.path in self.unfolded
        shown = len(found.hits) if whole else min(FIRST_HITS, len(found.hits))
        rows = [Row(_key(SESSION, 0, found.path), selectable=False)]
        rows += [Row(_key(HIT, number, found.path)) for number in range(shown)]
        if found.total > FIRST_HITS:
            rows.append(Row(_key(MORE, 0, found.path)))
        return tuple(rows)

    def number_of(self, path: str, hit: int) -> int:
        """Return which of all hits one is, in the order shown, 1-based."""
        before = 0
        for found in self.ordered():
            if found.path == path:
                return before + hit + 1
            before += found.total
        return 0


def _key(what: str, number: int, path: str) -> str:
    return f"{what}:{number}:{path}"


def address(key: str) -> tuple[str, int, str]:
    """Return what a key stands for, the number of the hit (0-based), and the session's path."""
    what, _, rest = key.partition(":")
    number, _, path = rest.partition(":")
    return what, int(number) if number.isdigit() else 0, path
