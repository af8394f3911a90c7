"""Where rows stand: lines, keys and neighbours. Pure; the view scrolls and draws by it."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.tui.render.rows import Row


class RowIndex:
    """The rows of a view, found by line, by key and by neighbourhood."""

    def __init__(self, rows: Sequence[Row]) -> None:
        """Index rows; of two that share a key the later one is found by it."""
        self.rows = list(rows)
        self._tops = [0, *accumulate(row.height for row in self.rows)]
        self._by_key = {row.key: at for at, row in enumerate(self.rows) if row.selectable}

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def lines(self) -> int:
        """Height of all rows in lines."""
        return self._tops[-1]

    def top(self, index: int) -> int:
        """Return the first line of a row; for the index behind the last row, the line behind it."""
        return self._tops[index]

    def at_line(self, line: int) -> int:
        """Return the row that holds a line; the index behind the last row for lines below."""
        return min(bisect_right(self._tops, max(0, line)) - 1, len(self.rows))

    def find(self, key: str) -> int | None:
        """Return the row of a key, if it can be selected."""
        return self._by_key.get(key)

    def put(self, row: Row) -> int | None:
        """Put a row in the place of the one with its key; return that place.

        Only its look may be another one: a row that has no such place, because it is new, cannot
        be selected or has another height, is not taken.
        """
        at = self.find(row.key)
        if at is None or row.height != self.rows[at].height or not row.selectable:
            return None
        self.rows[at] = row
        return at

    def following(self, index: int, step: int) -> int | None:
        """Return the next row in a direction that can be selected.

        Args:
            index: Where to start; this row itself is not looked at.
            step: 1 to go down, -1 to go up.
        """
        index += step
        while 0 <= index < len(self.rows):
            if self.rows[index].selectable:
                return index
            index += step
        return None

    @property
    def first(self) -> int | None:
        """The first row that can be selected."""
        return self.following(-1, 1)

    @property
    def last(self) -> int | None:
        """The last row that can be selected."""
        return self.following(len(self.rows), -1)

    def heading_top(self, index: int) -> int:
        """Return the first line of the headings over a row, or its own where it has none."""
        while index > 0 and not self.rows[index - 1].selectable:
            index -= 1
        return self._tops[index]

    def anchor(self, cursor: int | None, top: int, page: int) -> tuple[str, int] | None:
        """Return the row that is to keep its height on the screen, and that height in lines.

        The selected row if it is seen, else the first row seen that can be selected.
        """
        bottom = top + page
        if cursor is not None and top <= self._tops[cursor] < bottom:
            return self.rows[cursor].key, self._tops[cursor] - top
        for index in range(self.at_line(top), len(self.rows)):
            if self._tops[index] >= bottom:
                break
            if self.rows[index].selectable:
                return self.rows[index].key, self._tops[index] - top
        return None

    def nearest(self, old: RowIndex, cursor: int | None) -> int | None:
        """Return where an old selection, or the row of old nearest to it, stands in these rows.

        Of two equally near the lower one is taken, which moved into the place of what vanished.
        """
        if cursor is None:
            return self.first
        for distance in range(max(cursor, len(old) - cursor) + 1):
            for at in (cursor + distance, cursor - distance):
                if 0 <= at < len(old) and old.rows[at].selectable:
                    found = self.find(old.rows[at].key)
                    if found is not None:
                        return found
        return self.first

    def line_step(self, cursor: int, lines: int) -> int | None:
        """Return the row that can be selected about so many lines below a row, or above it."""
        step = 1 if lines > 0 else -1
        line = max(0, min(self._tops[cursor] + lines, self.lines - 1))
        index = self.at_line(line)
        if not self.rows[index].selectable:
            beyond = self.following(index, step)
            return beyond if beyond is not None else self.following(index, -step)
        return index
