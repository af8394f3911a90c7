"""The shared look of dialogs: a raised surface without a border on a dimmed screen (`ui.md` 1).

The head and the foot with the options stay; the body between them scrolls when there is no room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical

from ink_tui.tui.render.dialog_rows import BODY_COLUMNS, lines_of
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.rows import Ground
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ink_tui.tui.render.dialog_rows import DialogRows


class BodyView(RowsView, can_focus=False, inherit_bindings=False):
    """Rows of a dialog that are read, not chosen; the wheel and the dialog's keys scroll them."""

    BINDINGS: ClassVar[list[BindingType]] = []
    DEFAULT_CSS = """
    BodyView {
        background: $surface;
        scrollbar-background: $surface;
        scrollbar-background-hover: $surface;
        scrollbar-background-active: $surface;
    }
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
        super().__init__(columns=BODY_COLUMNS, glyphs=glyphs, id=id)

    seen = 0
    """Lines from the start up to the last one that has been on the screen."""
    read_through = 0
    """Lines from the start that have been on the screen one after the other, none left out."""

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Remember how far was read."""
        super().watch_scroll_y(old_value, new_value)
        self._see(round(new_value))

    def on_resize(self) -> None:
        """Remember what a first look shows."""
        self._see(self.scroll_offset.y)

    def _see(self, top: int) -> None:
        bottom = top + self.size.height
        self.seen = max(self.seen, bottom)
        if top <= self.read_through:
            self.read_through = max(self.read_through, bottom)

    def start_over(self) -> None:
        """Go to the start; nothing else counts as seen any more."""
        self.scroll_to(y=0, animate=False, force=True)
        self.seen = self.read_through = self.size.height

    def show_line(self, line: int) -> None:
        """Scroll so that a line counted from the start is the last one seen."""
        self.scroll_to(y=max(0, line - self.size.height), animate=False, force=True)

    def page(self, pages: int) -> None:
        """Scroll by pages, negative towards the start."""
        self.scroll_lines(max(1, self.size.height - 1) * pages)

    def scroll_lines(self, lines: int) -> None:
        """Scroll by lines, negative towards the start."""
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False, force=True)


class OptionsView(RowsView, can_focus=True, inherit_bindings=False):
    """Options of a dialog: a click selects one, a second click on it does it, however late."""

    BINDINGS: ClassVar[list[BindingType]] = []
    DEFAULT_CSS = """
    OptionsView {
        background: $surface;
        overflow-y: hidden;
    }
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
        super().__init__(glyphs=glyphs, id=id)
        self._clicked: str | None = None

    def forget_click(self) -> None:
        """Take the next click as a first one, as when what the options mean has changed."""
        self._clicked = None

    def step(self, rows: int) -> None:
        """Select the option above (negative) or below."""
        self._clicked = None
        self._step(rows)

    def on_click(self, event: events.Click) -> None:
        """Select by a click, open by a second click on the same option."""
        event.prevent_default()
        index = self._row_under(event)
        if index is None:
            return
        event.stop()
        row = self.rows[index]
        part = self._part_under(event, index)
        if part:
            self.post_message(self.PartClicked(self, row.key, part))
        elif row.selectable and self._clicked == row.key:
            self.post_message(self.Opened(self, row.key))
        elif row.selectable:
            self._clicked = row.key
            self.select(row.key)


class ResultsView(OptionsView, can_focus=False):
    """Options under a text field, which keeps the focus; the selected one is drawn as focused."""

    DEFAULT_CSS = """
    ResultsView {
        overflow-y: auto;
        scrollbar-background: $surface;
        scrollbar-background-hover: $surface;
        scrollbar-background-active: $surface;
    }
    """

    def _ground(self, index: int) -> Ground:
        return Ground.SELECTED if index == self.selected_index else super()._ground(index)


class Dialog(Vertical):
    """The surface of a dialog, with its head, its body and its foot."""

    DEFAULT_CSS = """
    Dialog {
        background: $surface;
        width: auto;
        height: auto;
    }
    Dialog > RowsView {
        width: 1fr;
    }
    """

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        """Make an empty dialog.

        Args:
            glyphs: The set to draw with.
        """
        super().__init__()
        self.head = BodyView(glyphs=glyphs, id="dialog-head")
        self.body = BodyView(glyphs=glyphs, id="dialog-body")
        self.foot = OptionsView(glyphs=glyphs, id="dialog-foot")

    def compose(self) -> ComposeResult:
        """Put head, body and foot below each other."""
        yield self.head
        yield self.body
        yield self.foot

    def show(self, rows: DialogRows, selected: str | None = None) -> None:
        """Show rows laid out for the present size of the screen.

        Args:
            rows: What to show.
            selected: Key of the option to select; None keeps the selection.
        """
        self.styles.width = rows.width
        self.styles.height = rows.height
        self.styles.padding = (rows.pad, rows.side)
        self.foot.columns = rows.foot_columns
        for view, shown, lines in (
            (self.head, rows.head, lines_of(rows.head)),
            (self.body, rows.body, rows.body_lines),
            (self.foot, rows.foot, lines_of(rows.foot)),
        ):
            view.styles.height = lines
            view.set_rows(shown)
        if selected is not None:
            self.foot.select(selected)
