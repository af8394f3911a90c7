"""Tree and transcript with marks on what a find in the session has found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.model.find import NOTHING
from ink_tui.tui.render.find_marks import is_current, mark_row, marking_of
from ink_tui.tui.render.transcript_look import PART_CHARS, Depth, Fold
from ink_tui.tui.render.transcript_rows import block_parts, can_fold
from ink_tui.tui.widgets.session_tree import SessionTree
from ink_tui.tui.widgets.transcript_view import TranscriptView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.find import Finding, Spot
    from ink_tui.model.transcript import Block
    from ink_tui.tui.render.lines import Line
    from ink_tui.tui.render.rows import Row

_ABOVE = 3
"""One part of so many of the screen is shown above a hit."""


class FoundTree(SessionTree):
    """The tree; rows of records in which something was found say so."""

    _finding = NOTHING

    def show_finding(self, finding: Finding) -> None:
        """Mark what was found; nothing takes the marks away."""
        if finding is not self._finding:
            self._finding = finding
            self._laid_out.clear()
            self.refresh()

    def whole_row(self, row: Row) -> Row:
        """Return what is drawn for a row, with its marks."""
        drawn, finding = super().whole_row(row), self._finding
        if not finding.total:
            return drawn
        shown = self._drawn.get(row.key)
        folded = shown is not None and shown.foldable and not shown.opened
        inside = finding.inside.get(row.key, 0) if folded else 0
        count = finding.rows.get(row.key, 0)
        if not count and not inside:
            return drawn
        words = finding.row_words.get(row.key, ())
        return mark_row(drawn, words, count, inside, self.glyphs.separator)


class FoundTranscript(TranscriptView):
    """The transcript; what was found is underlined, and the hit one stands on is shown."""

    _finding = NOTHING
    _spot: Spot | None = None
    _unfolded: tuple[str, Fold | None, Fold] | None = None
    """The block that a hit has unfolded: its key, its own fold before, and its fold now."""
    _asked_for: Spot | None = None
    """The hit to be shown as soon as there is a size, or the whole of its text."""

    @property
    def has_marks(self) -> bool:
        """Whether anything is marked."""
        return self._finding.total > 0

    def show_finding(self, finding: Finding, spot: Spot | None = None) -> None:
        """Mark what was found, and the hit that one stands on; it scrolls nowhere.

        Args:
            finding: What was found; nothing takes the marks away.
            spot: The hit, if there is one.
        """
        if finding is self._finding and spot == self._spot:
            return
        changed = finding is not self._finding
        spots = [each for each in (self._spot, spot) if each is not None]
        self._finding, self._spot = finding, spot
        if changed:
            self._lines.clear()
        for each in spots:
            index = self._places.find(each.text.block) if each.text.block is not None else None
            if index is not None:
                self._lines.pop(index, None)
        if spot is None:
            self._asked_for = None
        self.refresh()

    def show_spot(self, spot: Spot) -> bool:
        """Show a hit: unfold its block and scroll to it; return whether there is its block."""
        key = spot.text.block
        index = self._places.find(key) if key is not None else None
        if index is None:
            return False
        self._fold_again(self.blocks[index].key)
        self.show_finding(self._finding, spot)
        self._asked_for = spot
        self._end_wanted = False
        if index != self._cursor:
            self._cursor = index
            self._selection_changed()
        if self._look.cells and self._page:
            self._scroll_to_spot(index, spot)
        return True

    def _scroll_to_spot(self, index: int, spot: Spot) -> None:
        block = self.blocks[index]
        fold = _fold_for(spot, self._whole.of(block)) if can_fold(block) else None
        if fold is not None and not self._shows(index, fold):
            if self._unfolded is None or self._unfolded[0] != block.key:
                self._unfolded = (block.key, self._folds.get(block.key), fold)
            else:
                self._unfolded = (*self._unfolded[:2], fold)
            self._folds[block.key] = fold
            self._lines.pop(index, None)
        lines = self._lay_out(index)
        at = next((line for line, each in enumerate(lines) if is_current(each.pieces)), 0)
        row = self._places.top(index) + at
        top = self.scroll_offset.y
        # The row at the top is the turn's head, which stays while the turn is read.
        if not top < row < top + self._page - 1:
            self._settle((index, at - self._page // _ABOVE))
        else:
            self._settle()
        self.refresh()

    def _shows(self, index: int, fold: Fold) -> bool:
        """Whether a block shows a hit as it is: in full, or in the lines that are seen of it."""
        now = self.fold_of(index)
        if now.depth is Depth.WHOLE:
            return now.part == fold.part
        return any(is_current(line.pieces) for line in self._lay_out(index)) and fold.part == 0

    def _fold_again(self, key: str) -> None:
        """Fold the block again that the hit before had unfolded, if nobody else has touched it."""
        if self._unfolded is None or self._unfolded[0] == key:
            return
        (before, fold, now), self._unfolded = self._unfolded, None
        index = self._places.find(before)
        if index is None or self._folds.get(before) != now:
            return
        if fold is None:
            del self._folds[before]
        else:
            self._folds[before] = fold
        self._lines.pop(index, None)

    def _lay_out(self, index: int) -> tuple[Line, ...]:
        """Return the lines of a block, marked; its height is right from then on."""
        words = self._finding.block_words.get(self.blocks[index].key)
        if words is None or index in self._lines:
            return super()._lay_out(index)
        spot = self._spot
        mine = spot is not None and spot.text.block == self.blocks[index].key
        plain = self._look
        self._look = replace(plain, found=marking_of(words, spot if mine else None, PART_CHARS))
        try:
            return super()._lay_out(index)
        finally:
            self._look = plain

    def set_whole(self, found: Mapping[str, tuple[Block, Block | None]]) -> None:
        """Show blocks with all of their texts; a hit that is in one of them is shown again."""
        super().set_whole(found)
        if self._asked_for is not None and self._asked_for.text.block in found:
            self._show_asked()

    def on_resize(self) -> None:
        """Lay out for the new width; a hit that was asked for before there was a size is shown."""
        first = not self._look.cells
        super().on_resize()
        if first and self._look.cells:
            self._show_asked()

    def _show_asked(self) -> None:
        spot = self._asked_for
        index = self._places.find(spot.text.block or "") if spot is not None else None
        if spot is not None and index is not None:
            self._lines.pop(index, None)
            self._scroll_to_spot(index, spot)


def _fold_for(spot: Spot, block: Block) -> Fold:
    """Return the fold in which a hit is drawn."""
    text = spot.text
    start = text.starts[min(spot.nth, len(text.starts) - 1)] if text.starts else 0
    return Fold(Depth.WHOLE, min(start // PART_CHARS, block_parts(block) - 1))
