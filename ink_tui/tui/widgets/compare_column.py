"""What lies below the head of a comparison: two columns that scroll as one, or what was done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.outline_rows import RowKind
from ink_tui.tui.render.compare_rows import (
    COMMON,
    END,
    ColumnRows,
    DoneLines,
    common_row,
)
from ink_tui.tui.render.rows import BLANK, PLAIN_COLUMNS, TREE_COLUMNS
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.render.tree_rows import tree_columns, tree_row
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime, tzinfo

    from ink_tui.model.outline_rows import OutlineRow
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.rows import Columns, Row


class CompareColumn(RowsView):
    """The records of one side; each line stands beside the same line of the other column."""

    def __init__(
        self,
        side: int,
        *,
        now: Callable[[], datetime],
        zone: tzinfo,
        glyphs: Glyphs,
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        """Make an empty column.

        Args:
            side: 0 for the left one, 1 for the right one.
            now: The present, aware.
            zone: The user's zone.
            glyphs: The set to draw with.
            id: Id of the widget.
        """
        super().__init__(columns=TREE_COLUMNS, glyphs=glyphs, id=id)
        self.side = side
        self.partner: CompareColumn | None = None
        """The other column; it scrolls with this one."""
        self._look = Look(0, glyphs, now(), zone)
        self._drawn: Mapping[str, OutlineRow] = {}

    def show(self, column: ColumnRows, records: int, *, opened: bool, beside: bool = True) -> None:
        """Show the rows of this side.

        Args:
            column: Its rows.
            records: Records that both sides have.
            opened: Whether they are shown.
            beside: Whether the other column stands beside it, and its lines leave room here.
        """
        if column.drawn is not self._drawn:
            self._drawn = column.drawn
            self.columns = tree_columns(self._drawn.values(), self._look)
        rows = (*(column.common if opened else ()), *column.own)
        shown = rows if beside else [row for row in rows if row.selectable]
        self.set_rows([common_row(records, self.glyphs, opened=opened), *shown])

    def whole_row(self, row: Row) -> Row:
        """Return what is drawn for a row; made for the rows on the screen alone."""
        found = self._drawn.get(row.key)
        return row if found is None else tree_row(found, self._look)

    def columns_of(self, row: Row) -> Columns:
        """Return the fixed columns of a row; rows of ours have none."""
        return PLAIN_COLUMNS if row.key in (COMMON, END) else self.columns

    @property
    def record(self) -> OutlineRow | None:
        """The selected row, if it tells of a record."""
        return self._drawn.get(self.selected) if self.selected is not None else None

    def select_line(self, line: int) -> None:
        """Select the row at a line, or the nearest one that can be selected."""
        rows = self.rows
        for distance in range(len(rows)):
            for at in (line + distance, line - distance):
                if 0 <= at < len(rows) and rows[at].selectable:
                    self.select(rows[at].key)
                    return

    def step_turn(self, step: int) -> None:
        """Select the next message of the user, or the last one before the selected row.

        Args:
            step: 1 for the next one, -1 for the one before.
        """
        rows, at = self.rows, self.selected_index
        while at is not None and 0 <= (at := at + step) < len(rows):
            found = self._drawn.get(rows[at].key)
            if found is not None and found.kind is RowKind.USER:
                self.select(found.key)
                return

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Take the other column along."""
        super().watch_scroll_y(old_value, new_value)
        partner = self.partner
        if partner is not None and partner.display and partner.scroll_offset.y != round(new_value):
            partner.scroll_to(y=new_value, animate=False, force=True)


class DoneView(RowsView):
    """Files, commands and figures of both sides, or of one where there is no room for two."""

    def __init__(self, *, glyphs: Glyphs, id: str | None = None) -> None:  # noqa: A002  (Textual's name)
        """Make it empty.

        Args:
            glyphs: The set to draw with.
            id: Id of the widget.
        """
        super().__init__(columns=PLAIN_COLUMNS, glyphs=glyphs, id=id)
        self._done = DoneLines(())
        self._side: int | None = None

    def show(self, done: DoneLines, side: int | None) -> None:
        """Show what was done.

        Args:
            done: The lines.
            side: The one side that is shown; `None` for both.
        """
        self._done, self._side = done, side
        self.set_rows(done.rows() or [BLANK])

    def whole_row(self, row: Row) -> Row:
        """Return what is drawn for a row; made for the rows on the screen alone."""
        cells = self.scrollable_content_region.width - 2 * self.columns.pad
        middle = self.outer_size.width // 2 + 1 if self._side is None else 0
        found = self._done.row(
            row.key, max(0, cells), self.glyphs, middle=middle, side=self._side or 0
        )
        return found or row
