"""The transcript as people use it: keys, mouse and what it tells the screen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.message import Message

from ink_tui.keymap import Context
from ink_tui.model.transcript import Block, CompactionBody, ThinkingBody, TurnBody
from ink_tui.tui.render.block_places import BlockPlaces
from ink_tui.tui.render.rows import part_at
from ink_tui.tui.render.transcript_look import next_fold
from ink_tui.tui.render.transcript_rows import block_parts, can_fold, usual_fold
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.transcript_canvas import TranscriptCanvas

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from textual import events
    from textual.binding import Binding, BindingType

    from ink_tui.model.entries import Span
    from ink_tui.model.transcript import Transcript

SHARED_ACTIONS = frozenset(
    {
        *("next-turn", "previous-turn", "next-compaction", "previous-compaction"),
        *("next-problem", "previous-problem"),
    }
)
"""Actions of the session that move inside the transcript."""


def _bindings() -> list[Binding]:
    shared = bindings_for(Context.SESSION, Context.BROWSER)
    own = bindings_for(Context.ROWS, Context.TRANSCRIPT)
    return [*own, *(binding for binding in shared if binding.id in SHARED_ACTIONS)]


class TranscriptView(TranscriptCanvas):
    """The blocks of a branch, with a selection."""

    BINDINGS: ClassVar[list[BindingType]] = [*_bindings()]
    replaying = False
    """While a replay runs, its keys act before those of the transcript."""

    class Highlighted(Message):
        """Another block is selected, or none."""

        def __init__(self, view: TranscriptView, block: Block | None) -> None:
            super().__init__()
            self.view = view
            self.block = block

        @property
        def control(self) -> TranscriptView:
            """The view, for `@on` with a selector."""
            return self.view

        def can_replace(self, message: Message) -> bool:
            """A newer selection makes one that waits in the queue pointless."""
            return isinstance(message, TranscriptView.Highlighted) and message.view is self.view

    class RawWanted(Message):
        """Somebody wants to see the bytes of a record; `set_raw` takes what the screen read."""

        def __init__(self, view: TranscriptView, key: str, span: Span) -> None:
            super().__init__()
            self.view = view
            self.key = key
            self.span = span

        @property
        def control(self) -> TranscriptView:
            """The view, for `@on` with a selector."""
            return self.view

    class WholeWanted(Message):
        """Light blocks came on the screen; `set_whole` takes what the screen read of them."""

        def __init__(self, view: TranscriptView, blocks: tuple[Block, ...]) -> None:
            super().__init__()
            self.view = view
            self.blocks = blocks

        @property
        def control(self) -> TranscriptView:
            """The view, for `@on` with a selector."""
            return self.view

    def _selection_changed(self) -> None:
        self.post_message(self.Highlighted(self, self.selected))

    def _ask_for_texts(self) -> None:
        missing = self._whole.take_missing()
        if missing:
            # Later: a message that is made while a parent acts goes no further than to it.
            self.call_later(lambda: self.post_message(self.WholeWanted(self, missing)))

    def prepare(self, transcript: Transcript) -> None:
        """Find the places of blocks that will be shown next; may be called in another thread.

        It takes a while for the long transcript of another session, and no key acts meanwhile.
        """
        self._ready = BlockPlaces(transcript.blocks, self._estimate)

    def set_whole(self, found: Mapping[str, tuple[Block, Block | None]]) -> None:
        """Show blocks with all of their texts; the line at the top stays where it is.

        Args:
            found: By key the light block and the whole one; `None` where it cannot be had.
        """
        self._whole.put(found)
        at_end, places = self.at_end, self._places
        top = self.scroll_offset.y
        first, inside = places.at_line(top)
        last = places.at_line(top + self._page)[0]
        seen = range(first, min(last + 1, len(self.blocks)))
        # What was whole already stays where it is; what comes in above it pushes nothing down.
        still = next((at for at in seen if self.blocks[at].key not in found), None)
        row = places.top(still) - top if still is not None else 0
        for key in found:
            index = places.find_any(key)
            if index is not None and self._lines.pop(index, None) is not None:
                self._lay_out(index)
        if at_end:
            self._to_end()
        elif still is not None:
            self._settle(places.at_line(max(0, places.top(still) - row)))
        else:
            self._settle((first, inside))
        self.refresh()

    def set_raw(self, key: str, data: bytes, length: int, end: bytes = b"") -> None:
        """Show a record's bytes under its block.

        Args:
            key: Key of the block.
            data: The start of the record's line; no more than `RAW_BYTES` and a little is drawn.
            length: Bytes of the whole line.
            end: Its last bytes, where they are not in the start.
        """
        self._raw[key] = (data, length, end)
        self._refold()

    # Focus and mouse

    def on_focus(self) -> None:
        """Draw the selection as the focused one."""
        self.refresh()

    def on_blur(self) -> None:
        """Draw the selection as that of another pane."""
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Select by a click; one more or one on a triangle folds; the head leads to its turn."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        head = self._places.head_over(self.scroll_offset.y) if offset.y == 0 else None
        if head is not None:
            event.stop()
            self._move_to(self._places.following(head, 1), top=True)
            return
        index, inside = self._places.at_line(self.scroll_offset.y + offset.y)
        if index >= len(self.blocks):
            return
        event.stop()
        lines = self._lay_out(index)
        part = part_at(lines[inside].pieces, offset.x) if inside < len(lines) else ""
        if not isinstance(self.blocks[index].body, TurnBody):
            self._cursor = index
            self._selection_changed()
            self.refresh()
        if part or event.chain == 2:
            self.action_open()

    # Actions of the key table

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave to a replay what it does itself."""
        taken = {
            "previous_block",
            "next_block",
            "first_row",
            "last_row",
            *(name.replace("-", "_") for name in SHARED_ACTIONS),
        }
        return not (self.replaying and action in taken)

    def action_row_up(self) -> None:
        """Scroll one line up."""
        self._scroll_by(-1)

    def action_row_down(self) -> None:
        """Scroll one line down."""
        self._scroll_by(1)

    def action_page_up(self) -> None:
        """Scroll one page up."""
        self._scroll_by(1 - self._page)

    def action_page_down(self) -> None:
        """Scroll one page down."""
        self._scroll_by(self._page - 1)

    def action_half_page_up(self) -> None:
        """Scroll half a page up."""
        self._scroll_by(-(self._page // 2))

    def action_half_page_down(self) -> None:
        """Scroll half a page down."""
        self._scroll_by(self._page // 2)

    def action_first_row(self) -> None:
        """Go to the start."""
        self._move_to(self._places.first)
        if self.blocks:
            self._settle((0, 0))

    def action_last_row(self) -> None:
        """Go to the end."""
        self._move_to(self._places.last)
        self._to_end()

    def show_end(self) -> None:
        """Scroll to the end; the selection stays."""
        self._to_end()

    def action_previous_block(self) -> None:
        """Select the block before."""
        self._move_to(self._places.following(self._cursor, -1))

    def action_next_block(self) -> None:
        """Select the block after."""
        self._move_to(self._places.following(self._cursor, 1))

    def action_open(self) -> None:
        """Unfold the selected block, show its next part, or fold it again."""
        block = self.selected
        if block is None or self._cursor is None or not can_fold(block):
            return
        fold = self.fold_of(self._cursor)
        self._folds[block.key] = next_fold(fold, block_parts(block), usual_fold(block).depth)
        self._lines.pop(self._cursor, None)
        self._settle()
        self._show_cursor()
        self.refresh()

    def action_fold_all(self) -> None:
        """Fold all blocks, or give each its usual fold again."""
        self._all_folded = not self._all_folded
        self._folds.clear()
        self._refold()

    def action_fold_thinking(self) -> None:
        """Unfold all thinking, or fold it."""
        self._thinking_open = not self._thinking_open
        for block in self.blocks:
            if isinstance(block.body, ThinkingBody):
                self._folds.pop(block.key, None)
        self._refold()

    def action_wrap(self) -> None:
        """Wrap long lines of outputs, or cut them."""
        self._look = replace(self._look, wrap=not self._look.wrap)
        self._refold()

    def action_raw_record(self) -> None:
        """Ask for the bytes of the selected block's record, or hide them again."""
        block = self.selected
        if block is None or block.span is None:
            return
        if self._raw.pop(block.key, None) is not None:
            self._refold()
        else:
            self.post_message(self.RawWanted(self, block.key, block.span))

    def action_next_turn(self) -> None:
        """Select the next message of the user."""
        self._jump(1, lambda index: self._places.heads(index), top=True)

    def action_previous_turn(self) -> None:
        """Select the message of the user before."""
        self._jump(-1, lambda index: self._places.heads(index), top=True)

    def action_next_problem(self) -> None:
        """Select the next block that needs a person."""
        self._jump(1, lambda index: self.blocks[index].is_problem)

    def action_previous_problem(self) -> None:
        """Select the block before that needs a person."""
        self._jump(-1, lambda index: self.blocks[index].is_problem)

    def action_next_compaction(self) -> None:
        """Select the next compaction."""
        self._jump(1, lambda index: isinstance(self.blocks[index].body, CompactionBody))

    def action_previous_compaction(self) -> None:
        """Select the compaction before."""
        self._jump(-1, lambda index: isinstance(self.blocks[index].body, CompactionBody))

    def _jump(self, step: int, fits: Callable[[int], bool], *, top: bool = False) -> None:
        index = self._places.following(self._cursor, step)
        while index is not None and not fits(index):
            index = self._places.following(index, step)
        self._move_to(index, top=top)

    def _scroll_by(self, lines: int) -> None:
        """Scroll; the selection goes to the nearest block on the screen, at the ends beyond."""
        before = self.scroll_offset.y
        self._scroll_lines(before + lines)
        self._settle()
        if self.scroll_offset.y == before:
            self._move_to(self._places.following(self._cursor, 1 if lines > 0 else -1))
            return
        top = self.scroll_offset.y + 1
        index = self._places.nearest_between(self._cursor, top, top + self._page - 1)
        if index is not None and index != self._cursor:
            self._cursor = index
            self._selection_changed()
        self.refresh()
