"""Heights of many blocks, with sums and searches in logarithmic time.

Heights are estimated first and corrected when a block is laid out, so sums change often; a Fenwick
tree keeps a correction and the search for the block on a line cheap in a session of any length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Heights:
    """Heights in lines, none of them negative."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        """Take the heights of all blocks in order."""
        self._heights = list(heights)
        size = len(self._heights)
        self._sums = [0, *self._heights]
        for at in range(1, size + 1):
            above = at + (at & -at)
            if above <= size:
                self._sums[above] += self._sums[at]
        self._top_bit = 1 << size.bit_length() >> 1 if size else 0

    def with_end(self, kept: int, more: Iterable[int]) -> Heights:
        """Return the first of these heights with others behind them; costs what is behind them.

        Args:
            kept: How many of these stay.
            more: The heights behind them.
        """
        found = Heights()
        found._heights = [*self._heights[:kept], *more]
        sums = found._sums = self._sums[: kept + 1]
        for at in range(kept + 1, len(found._heights) + 1):
            total, below = found._heights[at - 1], at - 1
            while below > at - (at & -at):
                total += sums[below]
                below -= below & -below
            sums.append(total)
        size = len(found._heights)
        found._top_bit = 1 << size.bit_length() >> 1 if size else 0
        return found

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    def set(self, index: int, height: int) -> int:
        """Change the height of a block; return by how much it grew."""
        grown = height - self._heights[index]
        if grown:
            self._heights[index] = height
            at = index + 1
            while at < len(self._sums):
                self._sums[at] += grown
                at += at & -at
        return grown

    def top(self, index: int) -> int:
        """Return the first line of a block; of the index behind the last one, the total."""
        total = 0
        while index > 0:
            total += self._sums[index]
            index -= index & -index
        return total

    @property
    def total(self) -> int:
        """Height of all blocks."""
        return self.top(len(self._heights))

    def find(self, line: int) -> tuple[int, int]:
        """Return the block that holds a line, and the line inside it.

        Lines above the first block belong to it; lines below the last give the index behind it.
        """
        line = max(0, line)
        at, bit, left = 0, self._top_bit, line
        while bit:
            after = at + bit
            if after < len(self._sums) and self._sums[after] <= left:
                at, left = after, left - self._sums[after]
            bit >>= 1
        return at, left
