"""The results of a search under its field, which keeps the focus."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.rows import PLAIN_COLUMNS, Ground, Row
from ink_tui.tui.render.search_results import HIT, MORE, SESSION, Results, address
from ink_tui.tui.render.search_rows import result_row, search_columns
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime, tzinfo

    from textual.binding import BindingType

    from ink_tui.tui.render.rows import Columns


class HitsView(RowsView, can_focus=False, inherit_bindings=False):
    """Sessions and hits; a row is made when it is drawn. Its keys are the screen's."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        *,
        now: Callable[[], datetime],
        zone: tzinfo,
        home: str,
        glyphs: Glyphs = UNICODE,
    ) -> None:
        """Make an empty view.

        Args:
            now: The present, aware.
            zone: The user's zone.
            home: The user's home folder, written `~`.
            glyphs: The set to draw with.
        """
        super().__init__(glyphs=glyphs, id="search-hits")
        self._now = now
        self._zone = zone
        self._home = home
        self.results = Results()

    def show(self, results: Results, last: Sequence[Row]) -> None:
        """Show results and what stands under them."""
        self.results = results
        self.set_rows([*results.rows(), *last])

    def whole_row(self, row: Row) -> Row:
        """Return a row with its content; made for the rows on the screen alone."""
        if address(row.key)[0] not in (HIT, MORE, SESSION):
            return row
        cells = self.scrollable_content_region.width
        look = Look(cells, self.glyphs, self._now(), self._zone)
        return result_row(row.key, self.results, look, self._home)

    def columns_of(self, row: Row) -> Columns:
        """Return the fixed columns of a row; what stands under the results has none."""
        if address(row.key)[0] not in (HIT, MORE, SESSION):
            return PLAIN_COLUMNS
        return search_columns(self.scrollable_content_region.width)

    def _ground(self, index: int) -> Ground:
        return Ground.SELECTED if index == self.selected_index else super()._ground(index)
