"""A list of rows drawn line by line: session list, tree, transcript, health and dialogs use it.

Only lines on the screen are laid out and drawn. The selection follows a row's key, not its place:
rows that arrive, move or vanish leave the selected row at the same height of the screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ink_tui.keymap import Context
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.palette import palette_of
from ink_tui.tui.render.row_index import RowIndex
from ink_tui.tui.render.rows import LIST_COLUMNS, Columns, Ground, Role, Row, lay_out, part_at
from ink_tui.tui.render.strips import to_strip
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.scroll_bar import use_scroll_bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.binding import BindingType

    from ink_tui.tui.render.rows import Piece

_LAID_OUT_LIMIT = 2000
"""Rows whose layout is remembered; some screens full."""


class RowsView(ScrollView, can_focus=True):
    """Rows with a selection."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for(Context.ROWS)]
    DEFAULT_CSS = """
    RowsView {
        background: $background;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
    }
    """

    class Highlighted(Message):
        """Another row is selected, or none."""

        def __init__(self, view: RowsView, key: str | None) -> None:
            super().__init__()
            self.view = view
            self.key = key

        @property
        def control(self) -> RowsView:
            """The view, for `@on` with a selector."""
            return self.view

        def can_replace(self, message: Message) -> bool:
            """A newer selection makes one that waits in the queue pointless."""
            return isinstance(message, RowsView.Highlighted) and message.view is self.view

    class Opened(Message):
        """A row was opened: by `enter` or a second click."""

        def __init__(self, view: RowsView, key: str) -> None:
            super().__init__()
            self.view = view
            self.key = key

        @property
        def control(self) -> RowsView:
            """The view, for `@on` with a selector."""
            return self.view

    class PartClicked(Opened):
        """A part of a row with a meaning of its own was clicked, such as a fold triangle."""

        def __init__(self, view: RowsView, key: str, part: str) -> None:
            super().__init__(view, key)
            self.part = part

    def __init__(
        self,
        *,
        columns: Columns = LIST_COLUMNS,
        glyphs: Glyphs = UNICODE,
        id: str | None = None,  # noqa: A002  (Textual's name)
        classes: str | None = None,
    ) -> None:
        """Make an empty view.

        Args:
            columns: The fixed columns of its rows.
            glyphs: Where the mark of a cut and the scroll bar come from.
            id: Id of the widget.
            classes: Style classes of the widget.
        """
        super().__init__(id=id, classes=classes)
        self.columns = columns
        self.glyphs = glyphs
        self.drawn_lines = 0
        """Lines drawn so far; tests bound it."""
        self.laid_out_rows = 0
        """Rows laid out so far; tests bound it."""
        self._index = RowIndex(())
        self._cursor: int | None = None
        self._hover: int | None = None
        self._laid_out: dict[int, tuple[tuple[Piece, ...], ...]] = {}
        self._laid_out_width = 0

    def on_mount(self) -> None:
        """Put the scroll bar of the glyphs in place."""
        use_scroll_bar(self, self.glyphs)

    # Rows and selection

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, seen or not."""
        return tuple(self._index.rows)

    @property
    def selected(self) -> str | None:
        """Key of the selected row."""
        return None if self._cursor is None else self._index.rows[self._cursor].key

    @property
    def selected_index(self) -> int | None:
        """Place of the selected row among all rows."""
        return self._cursor

    @property
    def at_end(self) -> bool:
        """Whether the last row that can be selected is selected."""
        return self._cursor is not None and self._cursor == self._index.last

    def set_rows(self, rows: Sequence[Row], *, follow: bool = False) -> None:
        """Show other rows; the selection stays on its thing, or goes to the nearest one left.

        The selected row keeps its height on the screen; where it is scrolled away, the first row on
        the screen that is still there keeps it.

        Args:
            rows: All rows. Keys of rows that can be selected are unique.
            follow: Select the last row if the last row was selected, as a view does that stands at
                the end of what is appended to.
        """
        was, old, old_cursor = self.selected, self._index, self._cursor
        follows = follow and self.at_end
        anchor = old.anchor(old_cursor, self.scroll_offset.y, self._page)
        self._index = RowIndex(rows)
        self._laid_out.clear()
        self._hover = None
        self._cursor = self._index.last if follows else self._index.nearest(old, old_cursor)
        self.virtual_size = Size(0, self._index.lines)
        kept = self._index.find(anchor[0]) if anchor else None
        if anchor and kept is not None:
            self._scroll_lines(self._index.top(kept) - anchor[1])
        if follows or self.selected != was:
            self._show_cursor()
        self.refresh()
        if self.selected != was:
            self.post_message(self.Highlighted(self, self.selected))

    def row(self, key: str) -> Row | None:
        """Return the row of a key, if it can be selected."""
        index = self._index.find(key)
        return None if index is None else self._index.rows[index]

    def put_row(self, row: Row) -> bool:
        """Draw a row in another look; return whether there is one of its key and height.

        Costs no more in a longer list.

        Args:
            row: What stands in the place of the row with its key.
        """
        index = self._index.put(row)
        if index is None:
            return False
        self._laid_out.pop(index, None)
        self._refresh_row(index)
        return True

    def select(self, key: str, *, centre: bool = False) -> bool:
        """Select the row of a key and show it; return whether there is such a row.

        Args:
            key: Key of a row that can be selected.
            centre: Put it in the middle of the screen rather than just on it.
        """
        index = self._index.find(key)
        if index is None:
            return False
        self._move_to(index)
        if centre:
            self._scroll_lines(self._index.top(index) - self._page // 2)
        return True

    def _move_to(self, index: int | None) -> None:
        if index is None:
            return
        if index != self._cursor:
            self._refresh_row(self._cursor)
            self._cursor = index
            self._refresh_row(index)
            self.post_message(self.Highlighted(self, self.selected))
        self._show_cursor()

    # Scrolling

    @property
    def _page(self) -> int:
        return self.scrollable_content_region.height

    def _scroll_lines(self, top: int) -> None:
        self.scroll_to(y=max(0, min(top, self.max_scroll_y)), animate=False, force=True)

    def _show_cursor(self) -> None:
        """Scroll as little as shows the selected row, and the heading that stands over it."""
        if self._cursor is None or not self._page:
            return
        top, bottom = self._index.top(self._cursor), self._index.top(self._cursor + 1)
        heading = self._index.heading_top(self._cursor)
        if bottom - heading <= self._page:
            top = heading
        if top < self.scroll_offset.y:
            self._scroll_lines(top)
        elif bottom > self.scroll_offset.y + self._page:
            self._scroll_lines(bottom - self._page)

    def on_resize(self) -> None:
        """Keep the selected row on the screen in the new size."""
        self._laid_out.clear()
        self._show_cursor()

    # Drawing

    def render_line(self, y: int) -> Strip:
        """Draw one line of the screen."""
        palette = palette_of(self.app)
        cells = self.scrollable_content_region.width
        line = self.scroll_offset.y + y
        self.drawn_lines += 1
        if line >= self._index.lines:
            return Strip.blank(cells, palette.look(Role.TEXT))
        index = self._index.at_line(line)
        pieces = self._lines(index, cells)[line - self._index.top(index)]
        return to_strip(pieces, palette, self._ground(index))

    def _lines(self, index: int, cells: int) -> tuple[tuple[Piece, ...], ...]:
        if cells != self._laid_out_width or len(self._laid_out) >= _LAID_OUT_LIMIT:
            self._laid_out.clear()
            self._laid_out_width = cells
        lines = self._laid_out.get(index)
        if lines is None:
            self.laid_out_rows += 1
            row = self.whole_row(self._index.rows[index])
            lines = lay_out(row, cells, self.columns_of(row), self.glyphs.ellipsis)
            self._laid_out[index] = lines
        return lines

    def whole_row(self, row: Row) -> Row:
        """Return a row with its content; a view of very many rows makes it when it is drawn."""
        return row

    def columns_of(self, row: Row) -> Columns:
        """Return the fixed columns of a row; one set for all unless a view says otherwise."""
        return self.columns

    def _ground(self, index: int) -> Ground:
        row = self._index.rows[index]
        if index == self._cursor:
            return Ground.SELECTED if self.has_focus else Ground.SELECTED_BLURRED
        if index == self._hover and row.selectable and row.ground is Ground.PLAIN:
            return Ground.HOVER
        return row.ground

    def _refresh_row(self, index: int | None) -> None:
        if index is None or index >= len(self._index):
            return
        top = self._index.top(index) - self.scroll_offset.y
        self.refresh(Region(0, top, self.size.width, self._index.rows[index].height))

    # Focus and mouse

    def on_focus(self) -> None:
        """Draw the selection as the focused one."""
        self._refresh_row(self._cursor)

    def on_blur(self) -> None:
        """Draw the selection as that of another pane."""
        self._refresh_row(self._cursor)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show the row under the pointer."""
        self._hover_over(self._row_under(event))

    def on_leave(self) -> None:
        """Show no row as under the pointer."""
        self._hover_over(None)

    def on_click(self, event: events.Click) -> None:
        """Select by a click, open by a second one, report a part that has its own meaning."""
        index = self._row_under(event)
        if index is None:
            return
        event.stop()
        part = self._part_under(event, index)
        row = self._index.rows[index]
        if row.selectable:
            self._move_to(index)
        if part:
            self.post_message(self.PartClicked(self, row.key, part))
        elif event.chain == 2 and row.selectable:
            self.post_message(self.Opened(self, row.key))

    def _hover_over(self, index: int | None) -> None:
        if index != self._hover:
            self._refresh_row(self._hover)
            self._hover = index
            self._refresh_row(index)

    def _row_under(self, event: events.MouseEvent) -> int | None:
        offset = event.get_content_offset(self)
        if offset is None:
            return None
        line = self.scroll_offset.y + offset.y
        return self._index.at_line(line) if line < self._index.lines else None

    def _part_under(self, event: events.MouseEvent, index: int) -> str:
        offset = event.get_content_offset(self)
        if offset is None:
            return ""
        line = self.scroll_offset.y + offset.y - self._index.top(index)
        return part_at(self._lines(index, self.scrollable_content_region.width)[line], offset.x)

    # Actions of the key table

    def action_row_up(self) -> None:
        """Select the row above."""
        self._step(-1)

    def action_row_down(self) -> None:
        """Select the row below."""
        self._step(1)

    def action_page_up(self) -> None:
        """Select the row one page above."""
        self._step_lines(-self._page)

    def action_page_down(self) -> None:
        """Select the row one page below."""
        self._step_lines(self._page)

    def action_half_page_up(self) -> None:
        """Select the row half a page above."""
        self._step_lines(-(self._page // 2))

    def action_half_page_down(self) -> None:
        """Select the row half a page below."""
        self._step_lines(self._page // 2)

    def action_first_row(self) -> None:
        """Select the first row."""
        self._move_to(self._index.first)

    def action_last_row(self) -> None:
        """Select the last row."""
        self._move_to(self._index.last)

    def action_open(self) -> None:
        """Open the selected row."""
        if self._cursor is not None:
            self.post_message(self.Opened(self, self._index.rows[self._cursor].key))

    def _step(self, step: int) -> None:
        start = self._cursor if self._cursor is not None else -1
        target = self._index.following(start, step)
        if target is None and self._cursor is not None:
            # At the end there may still be rows to see that cannot be selected.
            self._scroll_lines(0 if step < 0 else self.max_scroll_y)
            self._show_cursor()
        self._move_to(target)

    def _step_lines(self, lines: int) -> None:
        if self._cursor is None:
            return
        index = self._index.line_step(self._cursor, lines)
        if index == self._cursor:
            self._step(1 if lines > 0 else -1)
        else:
            self._move_to(index)
