"""The selected hit of a search in its surroundings; it takes no keys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual.containers import Vertical

from ink_tui.model.folding import word_places
from ink_tui.tui.render.hit_preview import NO_PREVIEW
from ink_tui.tui.render.lines import between
from ink_tui.tui.render.rows import Piece, Role, fit
from ink_tui.tui.render.search_lines import preview_head
from ink_tui.tui.render.search_rows import marked_piece
from ink_tui.tui.render.transcript_look import Depth, Fold, Look
from ink_tui.tui.render.transcript_rows import block_parts, can_fold
from ink_tui.tui.widgets.lines import Lines
from ink_tui.tui.widgets.transcript_view import TranscriptView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime, tzinfo

    from textual.app import ComposeResult

    from ink_tui.model.transcript import Block
    from ink_tui.store.search.values import Hit
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.hit_preview import HitPreview
    from ink_tui.tui.render.lines import Line

_MOST_MARKS = 50
"""Places of one text in one line that are set off."""

_MOST_PARTS = 16
"""Parts of a very long text that the hit is looked for in."""


class _Head(Lines):
    """What the selected hit is, over a rule."""

    DEFAULT_CSS = """
    _Head { height: 2; }
    """

    def __init__(self, *, now: Callable[[], datetime], zone: tzinfo, glyphs: Glyphs) -> None:
        super().__init__(glyphs=glyphs)
        self._now = now
        self._zone = zone
        self._said: tuple[Hit, int, int] | None = None

    def say(self, said: tuple[Hit, int, int] | None) -> None:
        """Say which hit is shown: the hit, its number and all hits."""
        if said != self._said:
            self._said = said
            self.refresh()

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        """Return the two lines."""
        if self._said is None:
            return (fit((), cells), fit((), cells))
        look = Look(cells, self.glyphs, self._now(), self._zone)
        return preview_head(*self._said, look)


class _Blocks(TranscriptView, can_focus=False):
    """The blocks, with what was looked for set off."""

    _wanted: tuple[str, ...] = ()
    _shown: Block | None = None

    def show(self, preview: HitPreview, wanted: tuple[str, ...]) -> None:
        """Show blocks around a hit; its own is unfolded as far as the hit can be seen.

        Args:
            preview: The blocks.
            wanted: Texts to set off.
        """
        self._wanted, self._shown = wanted, preview.block
        self.set_transcript(preview.transcript, cwd=preview.cwd, follow=False)
        self._folds.clear()
        self._refold()
        self._show_hit()

    def on_resize(self) -> None:
        """Keep the hit on the screen in the new size."""
        self._show_hit()

    def _show_hit(self) -> None:
        """Unfold the block of the hit as far as is needed, and scroll to the hit."""
        block = self._shown
        index = self._places.find(block.key) if block is not None else None
        if block is None or index is None or not self._look.cells or not self._page:
            return
        self.select(block.key, top=True)
        parts = min(block_parts(block), _MOST_PARTS) if can_fold(block) else 0
        folds = [Fold(Depth.WHOLE, part) for part in range(parts)]
        line = self._marked_line(index)
        for fold in folds if line is None else ():
            self._folds[block.key] = fold
            self._lines.pop(index, None)
            line = self._marked_line(index)
            if line is not None:
                break
        else:
            if line is None and folds:
                del self._folds[block.key]
                self._lines.pop(index, None)
        self._settle()
        self.select(block.key, top=True)
        if line is not None:
            wanted = self._places.top(index) + line
            if wanted >= self.scroll_offset.y + self._page:
                self._scroll_lines(wanted - self._page // 3)
        self.refresh()

    def _marked_line(self, index: int) -> int | None:
        """Return the first line of a block in which something is set off."""
        for number, line in enumerate(self._lay_out(index)):
            if any(piece.underline and piece.role is Role.WARNING for piece in line.pieces):
                return number
        return None

    def _lay_out(self, index: int) -> tuple[Line, ...]:
        known = index in self._lines
        lines = super()._lay_out(index)
        if not known and self._wanted:
            lines = tuple(with_marks(line, self._wanted) for line in lines)
            self._lines[index] = lines
        return lines


def with_marks(line: Line, wanted: tuple[str, ...]) -> Line:
    """Return a line in which some texts are set off."""
    text = "".join(piece.text for piece in line.pieces)
    places = sorted(
        place for each in wanted if each for place in word_places(text, each, _MOST_MARKS)
    )
    if not places:
        return line
    pieces: list[Piece] = []
    at = 0
    for start, end in places:
        if end <= at:
            continue
        start = max(start, at)
        pieces += between(line.pieces, at, start)
        pieces += [marked_piece(piece) for piece in between(line.pieces, start, end)]
        at = end
    return replace(line, pieces=(*pieces, *between(line.pieces, at, len(text))))


class PreviewPane(Vertical):
    """Heading over blocks."""

    DEFAULT_CSS = """
    PreviewPane { width: 1fr; height: 1fr; }
    PreviewPane > _Blocks { height: 1fr; }
    """

    def __init__(self, *, now: Callable[[], datetime], zone: tzinfo, glyphs: Glyphs) -> None:
        """Make an empty pane.

        Args:
            now: The present, aware.
            zone: The user's zone.
            glyphs: The set to draw with.
        """
        super().__init__(id="search-preview")
        self._head = _Head(now=now, zone=zone, glyphs=glyphs)
        self.blocks = _Blocks(now=now, zone=zone, glyphs=glyphs)
        self.blocks.nothing_said = ""

    def compose(self) -> ComposeResult:
        """Put the heading over the blocks."""
        yield self._head
        yield self.blocks

    def say(self, hit: Hit, number: int, total: int) -> None:
        """Say which hit it is: its number (1-based) of all."""
        self._head.say((hit, number, total))

    def show(self, preview: HitPreview, wanted: tuple[str, ...]) -> None:
        """Show the surroundings of the hit; some texts are set off."""
        self.blocks.show(preview, wanted)

    def clear(self) -> None:
        """Show nothing."""
        self._head.say(None)
        self.blocks.show(NO_PREVIEW, ())
