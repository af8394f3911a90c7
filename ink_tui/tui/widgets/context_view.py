"""The context tab: what a resume would send to the model, from the resume point or elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.message import Message

from ink_tui.keymap import Context
from ink_tui.model.lens import Walk
from ink_tui.tui.render.context_rows import (
    FOLD_KEY,
    LEFT_OUT_KEY,
    TABLE_COLUMNS,
    columns_of,
    context_rows,
)
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.render.waiting_rows import CONTEXT_WAITS, waiting_rows
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, tzinfo

    from textual.binding import BindingType

    from ink_tui.model.context_table import ContextTable, TableRow
    from ink_tui.model.entries import EntryId
    from ink_tui.model.lens import Lens
    from ink_tui.tui.render.rows import Columns, Row

_AROUND = 15
"""Rows above and below the table that should be on the screen with it."""


class ContextView(RowsView):
    """Sentence, bar, table and notes; `Opened` asks for the full message of `row_of(key)`."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for(Context.LENS, Context.CONTEXT)]
    DEFAULT_CSS = """
    ContextView { scrollbar-gutter: stable; }
    """

    @dataclass
    class WalkWanted(Message):
        """The context from another record on the way is to be shown."""

        walk: Walk
        step: int

        def can_replace(self, message: Message) -> bool:
            """Never: each message is a step of its own."""
            return False

    class LensLeft(Message):
        """The context from the resume point is to be shown again."""

    def __init__(
        self,
        *,
        now: Callable[[], datetime] | None = None,
        zone: tzinfo | None = None,
        glyphs: Glyphs = UNICODE,
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        """Make an empty view.

        Args:
            now: The present, aware; without it the time of a record is not shown.
            zone: The user's zone.
            glyphs: The set to draw with.
            id: Id of the widget.
        """
        super().__init__(columns=TABLE_COLUMNS, glyphs=glyphs, id=id)
        self._table: ContextTable | None = None
        self._lens: Lens | None = None
        self._unfolded = False
        self._now, self._zone = now, zone
        self._waits: str | None = None
        """How far the session has been read that the table waits for; None when it is whole."""

    @property
    def lens(self) -> Lens | None:
        """What is shown of another record than the resume point."""
        return self._lens

    def set_table(self, table: ContextTable) -> None:
        """Take what a resume would send; the selection stays on its message."""
        self._table, self._waits = table, None
        self._show()

    def set_lens(self, lens: Lens | None) -> None:
        """Show what a resume from another record would send; `None`: from the resume point."""
        if lens is None and self._lens is None:
            return
        at_top = not self.scroll_offset.y
        self._lens = lens
        self._show()
        if at_top:  # the rows that say what is shown are more now, or fewer
            self._scroll_lines(0)

    def wait(self, progress: str) -> None:
        """Say that this is known when the whole session has been read, and how far that is."""
        self._table = self._lens = None
        self._waits = progress
        self._show()

    def clear(self) -> None:
        """Show nothing."""
        self._table = self._waits = self._lens = None
        self.set_rows(())

    @property
    def _shown(self) -> ContextTable | None:
        return self._lens.table if self._lens is not None else self._table

    def row_of(self, key: str) -> TableRow | None:
        """Return the message or call of a row."""
        rows = self._shown.rows if self._shown is not None else ()
        return next((row for row in rows if row.key == key), None)

    def entry_of(self, key: str) -> EntryId | None:
        """Return the record that a row leads to."""
        if key == LEFT_OUT_KEY:
            return self._shown.first_left_out if self._shown is not None else None
        row = self.row_of(key)
        return row.entry_id if row is not None else None

    def columns_of(self, row: Row) -> Columns:
        """Return the columns of the table, or those of a sentence."""
        return columns_of(row)

    def on_resize(self) -> None:
        """Draw bar and sentences for the new width."""
        self._show()

    def on_rows_view_opened(self, message: RowsView.Opened) -> None:
        """Unfold the middle of the table; any other row is the screen's to open."""
        if message.key.startswith(FOLD_KEY):
            message.stop()
            self._unfolded = True
            at = self.selected_index
            self._show()
            if at is not None:
                self.select(self.rows[at].key)

    def on_rows_view_part_clicked(self, message: RowsView.PartClicked) -> None:
        """Unfold by a click on the triangle, go back by one on the words that say so."""
        if message.part == "lens-back":
            message.stop()
            self.action_lens_back()
        else:
            self.on_rows_view_opened(message)

    def _show(self) -> None:
        cells = self.scrollable_content_region.width
        if self._waits is not None:
            self.set_rows(waiting_rows(CONTEXT_WAITS, self._waits, cells))
        table = self._shown
        if table is None or not cells:
            return
        room = self.scrollable_content_region.height - _AROUND
        look = Look(cells, self.glyphs)
        if self._now is not None and self._zone is not None:
            look = Look(cells, self.glyphs, self._now(), self._zone)
        place = self._lens.place if self._lens is not None else None
        self.set_rows(context_rows(table, look, room=room, unfolded=self._unfolded, place=place))

    # Actions of the key table

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the way back to others while there is none here."""
        return action != "lens_back" or self._lens is not None

    def action_lens_back(self) -> None:
        """Show what a resume from the resume point would send again."""
        self.post_message(self.LensLeft())

    def action_lens_previous_turn(self) -> None:
        """Show what a resume from the user turn before would send."""
        self.post_message(self.WalkWanted(Walk.TURN, -1))

    def action_lens_next_turn(self) -> None:
        """Show what a resume from the next user turn would send."""
        self.post_message(self.WalkWanted(Walk.TURN, 1))

    def action_lens_previous_record(self) -> None:
        """Show what a resume from the record before would send."""
        self.post_message(self.WalkWanted(Walk.RECORD, -1))

    def action_lens_next_record(self) -> None:
        """Show what a resume from the next record would send."""
        self.post_message(self.WalkWanted(Walk.RECORD, 1))
