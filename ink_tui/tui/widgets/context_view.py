"""The context tab: what a resume would send to the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.tui.render.context_rows import FOLD_KEY, TABLE_COLUMNS, columns_of, context_rows
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.waiting_rows import CONTEXT_WAITS, waiting_rows
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from ink_tui.model.context_table import ContextTable, TableRow
    from ink_tui.tui.render.rows import Columns, Row

_AROUND = 13
"""Rows above and below the table that should be on the screen with it."""


class ContextView(RowsView):
    """Sentence, bar, table and notes; `Opened` asks for the full message of `row_of(key)`."""

    DEFAULT_CSS = """
    ContextView { scrollbar-gutter: stable; }
    """

    def __init__(
        self,
        *,
        glyphs: Glyphs = UNICODE,
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        """Make an empty view.

        Args:
            glyphs: The set to draw with.
            id: Id of the widget.
        """
        super().__init__(columns=TABLE_COLUMNS, glyphs=glyphs, id=id)
        self._table: ContextTable | None = None
        self._unfolded = False
        self._waits: str | None = None
        """How far the session has been read that the table waits for; None when it is whole."""

    def set_table(self, table: ContextTable) -> None:
        """Show what a resume would send; the selection stays on its message."""
        self._table, self._waits = table, None
        self._show()

    def wait(self, progress: str) -> None:
        """Say that this is known when the whole session has been read, and how far that is."""
        self._table, self._waits = None, progress
        self._show()

    def clear(self) -> None:
        """Show nothing."""
        self._table = self._waits = None
        self.set_rows(())

    def row_of(self, key: str) -> TableRow | None:
        """Return the message or call of a row."""
        rows = self._table.rows if self._table is not None else ()
        return next((row for row in rows if row.key == key), None)

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
        """Unfold by a click on the triangle."""
        self.on_rows_view_opened(message)

    def _show(self) -> None:
        cells = self.scrollable_content_region.width
        if self._waits is not None:
            self.set_rows(waiting_rows(CONTEXT_WAITS, self._waits, cells))
        if self._table is None or not cells:
            return
        room = self.scrollable_content_region.height - _AROUND
        self.set_rows(
            context_rows(self._table, cells, self.glyphs, room=room, unfolded=self._unfolded)
        )
