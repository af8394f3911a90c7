"""The drawing half of the transcript: only blocks on the screen, and a margin, are laid out.

Heights are estimated first and corrected when a block is laid out; the line at the top of the
screen stays where it is while that happens. The selection follows a block's key.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ink_tui.model.transcript import EMPTY, Block, ThinkingBody, TurnBody
from ink_tui.tui.render.block_places import BlockPlaces, start_of
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.palette import palette_of
from ink_tui.tui.render.raw_lines import raw_lines
from ink_tui.tui.render.rows import Ground, Piece, Role, fit, lay_out
from ink_tui.tui.render.strips import to_strip
from ink_tui.tui.render.transcript_look import Depth, Fold, Look
from ink_tui.tui.render.transcript_rows import (
    TURN_COLUMNS,
    can_fold,
    estimated_height,
    lay_out_block,
    lay_out_lines,
    turn_head,
    usual_fold,
)
from ink_tui.tui.widgets.scroll_bar import use_scroll_bar
from ink_tui.tui.widgets.whole_texts import WholeTexts

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, tzinfo

    from ink_tui.model.entries import EntryId
    from ink_tui.model.transcript import Transcript
    from ink_tui.tui.render.lines import Line

MARGIN = 12
"""Lines above and below the screen that are laid out as well."""

AHEAD = 16
"""Blocks above and below the top one whose texts are asked for before they are on the screen."""

_CACHED_BLOCKS = 256

NOTHING_SAID = "This session has no message yet."


class TranscriptCanvas(ScrollView, can_focus=True):
    """The blocks of a branch with a selection; draws, scrolls and follows, knows no keys."""

    ALLOW_SELECT = False
    nothing_said = NOTHING_SAID
    DEFAULT_CSS = """
    TranscriptCanvas {
        background: $background;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
    }
    """

    def __init__(
        self,
        *,
        now: Callable[[], datetime],
        zone: tzinfo,
        glyphs: Glyphs = UNICODE,
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        """Make an empty view.

        Args:
            now: The present, for times; aware.
            zone: The user's zone.
            glyphs: The set to draw with.
            id: Id of the widget.
        """
        super().__init__(id=id)
        self.glyphs = glyphs
        self.output_colours = False
        """Draw outputs of tools in their own colours; set before there is a transcript."""
        self.laid_out_blocks = 0
        """Blocks laid out so far; tests bound it."""
        self.laid_out_lines = 0
        """Lines laid out so far; tests bound it."""
        self._now = now
        self._zone = zone
        self._look = Look(0, glyphs)
        self._transcript = EMPTY
        self._places = BlockPlaces((), self._estimate)
        self._ready: BlockPlaces | None = None
        """Places of the blocks that will be shown next."""
        self._cursor: int | None = None
        self._folds: dict[str, Fold] = {}
        self._all_folded = False
        self._thinking_open = False
        self._raw: dict[str, tuple[bytes, int, bytes]] = {}
        self._lines: dict[int, tuple[Line, ...]] = {}
        self._whole = WholeTexts()
        self._settling = self._end_wanted = False
        """Go to the end as soon as there is a size: in a tab that was never shown there is none."""

    def on_mount(self) -> None:
        """Put the scroll bar of the glyphs in place."""
        use_scroll_bar(self, self.glyphs)

    # Blocks and selection

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What is shown."""
        return self._transcript.blocks

    @property
    def selected(self) -> Block | None:
        """The selected block; whole if its texts are there."""
        return None if self._cursor is None else self._whole.of(self.blocks[self._cursor])

    @property
    def at_end(self) -> bool:
        """Whether the last line is on the screen."""
        return self.scroll_offset.y >= self.max_scroll_y

    def set_transcript(
        self,
        transcript: Transcript,
        *,
        cwd: str = "",
        follow: bool | None = None,
        other: bool | None = None,
    ) -> None:
        """Show other blocks; selection and place stay on their blocks.

        Args:
            transcript: What to show.
            cwd: The session's folder; paths in it are shown without it.
            follow: Go to the end; None does so if the end is on the screen now.
            other: Whether it is that of another session; None judges by its first block.
        """
        was = self.selected
        first_time = not self.blocks
        follows = (not first_time and self.at_end) if follow is None else follow
        last_selected = self._cursor is not None and self._cursor == self._places.last
        anchors = self._places.seen(self.scroll_offset.y, self._page)
        if other is None:
            other = start_of(self.blocks) != start_of(transcript.blocks)
        if other:
            self._folds.clear()
            self._raw.clear()
            self._whole.clear()
        self._transcript = transcript
        self._look = replace(self._look, cwd=cwd, now=self._now(), turns=transcript.turns)
        ready, self._ready = self._ready, None
        if ready is None or ready.blocks is not transcript.blocks:
            ready = self._places.with_blocks(transcript.blocks)
        self._places = ready
        self._lines.clear()
        self._cursor = self._places.find(was.key) if was is not None else None
        if self._cursor is None or follow or (follows and last_selected):
            self._cursor = self._places.last if follows else self._places.first
        self._end_wanted = follows
        if follows:
            self._to_end()
        else:
            self._settle(self._places.still_there(anchors))
        self.refresh()
        if self.selected != was:
            self._selection_changed()

    def select(self, key: str, *, top: bool = False) -> bool:
        """Select the block of a key and show it; return whether there is such a block.

        Args:
            key: Key of a block.
            top: Put it at the top of the screen.
        """
        index = self._places.find(key)
        if index is None:
            return False
        self._move_to(index, top=top)
        return True

    def select_entry(self, entry_id: EntryId, call_id: str | None = None) -> bool:
        """Select the block of an entry; return whether there is one.

        Args:
            entry_id: The entry.
            call_id: A call of it; None for its first block.
        """
        index = self._places.show(entry_id, call_id)
        return index is not None and self.select(self.blocks[index].key, top=True)

    def _move_to(self, index: int | None, *, top: bool = False) -> None:
        if index is None:
            return
        self._end_wanted = False
        if index != self._cursor:
            self._cursor = index
            self._selection_changed()
        self._show_cursor(top=top)
        self.refresh()

    def _selection_changed(self) -> None:
        """Take note that another block is selected; for the view that people use."""

    # Folds

    def fold_of(self, index: int) -> Fold:
        """Return how far a block is unfolded."""
        return self._fold(self.blocks[index])

    def _fold(self, block: Block) -> Fold:
        own = self._folds.get(block.key)
        if own is not None:
            return own
        if self._all_folded and can_fold(block):
            return Fold(Depth.HEAD)
        if self._thinking_open and isinstance(block.body, ThinkingBody):
            return Fold(Depth.WHOLE)
        return usual_fold(block)

    def _refold(self) -> None:
        """Lay out anew after folds have changed; the selected block stays where it is."""
        self._lines.clear()
        self._places.estimate_all()
        self._settle()
        self._show_cursor()
        self.refresh()

    # Laying out and scrolling

    @property
    def _page(self) -> int:
        return self.scrollable_content_region.height

    def _estimate(self, block: Block) -> int:
        return estimated_height(block, self._fold(block), self._look.cells or 80)

    def _lay_out(self, index: int) -> tuple[Line, ...]:
        """Return the lines of a block; its height is right from then on."""
        lines = self._lines.get(index)
        if lines is None:
            if len(self._lines) >= _CACHED_BLOCKS:
                self._lines.clear()
            block = self._whole.of(self.blocks[index])
            lines = lay_out_block(block, self.fold_of(index), self._look)
            if block.key in self._raw:
                raw = raw_lines(*self._raw[block.key][:2], self._look, self._raw[block.key][2])
                lines += lay_out_lines(raw, self._look)
            self.laid_out_blocks += 1
            self.laid_out_lines += len(lines)
            self._lines[index] = lines
        self._places.set_height(index, len(lines))
        return lines

    def _settle(self, start: tuple[int, int] | None = None) -> None:
        """Lay out what is on the screen and a margin, and keep the top line where it is.

        Args:
            start: Block and line to have at the top; None for what is there now.
        """
        if self._settling or not self._look.cells or not self._page:
            return
        self._settling = True
        try:
            self._settle_at(start)
        finally:
            self._settling = False
        self._ask_for_texts()

    def _ask_for_texts(self) -> None:
        """Ask for the whole of the light blocks laid out; for the view that people use."""

    def _settle_at(self, start: tuple[int, int] | None) -> None:
        places, count = self._places, len(self.blocks)
        if not count:
            self.virtual_size = Size(0, 0)
            return
        index, line = places.at_line(self.scroll_offset.y) if start is None else start
        if index >= count:
            index, line = count - 1, places.height(count - 1)
        self._lay_out(index)
        line = min(line, places.height(index) - 1)
        below, at = places.height(index) - line, index
        while below < self._page + MARGIN and at + 1 < count:
            at += 1
            self._lay_out(at)
            below += places.height(at)
        # What is missing below is filled from above, so that the last screen is whole.
        above, at = 0, index
        wanted = MARGIN + max(0, self._page - below, -line)
        while above < wanted and at > 0:
            at -= 1
            self._lay_out(at)
            above += places.height(at)
        for near in range(max(0, at - AHEAD), min(count, index + AHEAD)):
            self._whole.of(self.blocks[near])
        self.virtual_size = Size(0, places.total)
        self._scroll_lines(places.top(index) + line)

    def _to_end(self) -> None:
        if self.blocks and self._look.cells:
            last = len(self.blocks) - 1
            self._lay_out(last)
            self._settle((last, self._places.height(last)))
            self._scroll_lines(self.max_scroll_y)

    def _scroll_lines(self, top: int) -> None:
        self.scroll_to(y=max(0, min(top, self.max_scroll_y)), animate=False, force=True)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Lay out what has come on the screen."""
        super().watch_scroll_y(old_value, new_value)
        self._settle()

    def on_resize(self) -> None:
        """Lay out for the new width; the line at the top stays there."""
        cells = self.scrollable_content_region.width
        if not cells:
            return
        if cells == self._look.cells:
            self._settle()
            return
        first = not self._look.cells
        at_end = self.at_end and not first
        anchors = self._places.seen(self.scroll_offset.y, self._page)
        look = replace(self._look, cells=cells, now=self._now(), zone=self._zone)
        self._look = replace(look, colours=self.output_colours and not self.app.no_color)
        self._lines.clear()
        self._places.estimate_all()
        if at_end or (first and self._end_wanted):
            self._to_end()
        else:
            self._settle(self._places.still_there(anchors))
            if first:
                self._show_cursor(top=True)
        self.refresh()

    def _show_cursor(self, *, top: bool = False) -> None:
        """Scroll as little as shows the selected block under its turn's head."""
        if self._cursor is None or not self._page or not self._look.cells:
            return
        for _ in range(3):  # heights may change while blocks come on the screen
            self._lay_out(self._cursor)
            first = self._places.top(self._cursor)
            last = first + self._places.height(self._cursor)
            # The row at the top is the turn's head, which stays while the turn is read.
            first = max(0, first - (2 if self._places.heads(self._cursor) else 1))
            now = self.scroll_offset.y
            if top or first < now or last - first > self._page:
                target = first
            elif last > now + self._page:
                target = last - self._page
            else:
                break
            if target == now:
                break
            self._scroll_lines(target)
            self._settle()

    def render_line(self, y: int) -> Strip:
        """Draw one line of the screen."""
        palette = palette_of(self.app)
        cells = self.scrollable_content_region.width
        if not self.blocks or cells != self._look.cells:
            text = f" {self.nothing_said}" if y == 1 and not self.blocks else ""
            return to_strip(fit((Piece(text, Role.MUTED),), cells, self.glyphs.ellipsis), palette)
        line = self.scroll_offset.y + y
        head = self._sticky(line) if y == 0 else None
        if head is not None:
            return to_strip(head, palette, Ground.BAND)
        index, inside = self._places.at_line(line)
        lines = self._lay_out(index) if index < len(self.blocks) else ()
        if inside >= len(lines):
            return Strip.blank(cells, palette.look(Role.TEXT))
        ground = lines[inside].ground
        if index == self._cursor and inside == 0:
            ground = Ground.SELECTED if self.has_focus else Ground.SELECTED_BLURRED
        return to_strip(lines[inside].pieces, palette, ground)

    def _sticky(self, line: int) -> tuple[Piece, ...] | None:
        """Return the head of the turn that the top line belongs to, if it is scrolled away."""
        head = self._places.head_over(line)
        block = self.blocks[head] if head is not None else None
        if block is None or not isinstance(block.body, TurnBody):
            return None
        row = turn_head(block, block.body, self._look)
        return lay_out(row, self._look.cells, TURN_COLUMNS, self.glyphs.ellipsis)[0]
