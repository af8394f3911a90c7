"""What stands in place of the list when there is nothing to list (`ui.md` 5.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Vertical

from ink_tui.keymap import DEFAULT_KEYMAP, Keymap
from ink_tui.tui.messages import ActionChosen
from ink_tui.tui.render.dialog_rows import lines_of
from ink_tui.tui.render.empty_rows import EMPTY_WIDTH, EmptyFacts, EmptyKind, empty_rows
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.rows import Columns
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from textual.app import ComposeResult


class EmptyState(Vertical):
    """A few sentences in the middle, and the ways on that exist."""

    DEFAULT_CSS = """
    EmptyState {
        align: center middle;
        background: $background;
    }
    EmptyState > RowsView {
        width: 66;
        height: auto;
    }
    """

    def __init__(
        self,
        *,
        glyphs: Glyphs = UNICODE,
        keymap: Keymap = DEFAULT_KEYMAP,
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        """Make a place that says that there are no sessions.

        Args:
            glyphs: The set to draw with.
            keymap: The table with the user's keys.
            id: Id of the widget.
        """
        super().__init__(id=id)
        self.glyphs = glyphs
        self.keymap = keymap
        self.facts = EmptyFacts(EmptyKind.NO_SESSIONS)
        self.view = RowsView(columns=Columns(mark=0, short_below=0), glyphs=glyphs)

    def compose(self) -> ComposeResult:
        """Put the rows in the middle."""
        yield self.view

    def show(self, facts: EmptyFacts) -> None:
        """Say something else."""
        self.facts = facts
        self._lay_out()

    def on_mount(self) -> None:
        """Say it for the first time."""
        self._lay_out()

    def on_resize(self) -> None:
        """Wrap the sentences anew."""
        self._lay_out()

    def _lay_out(self) -> None:
        if not self.is_mounted or self.size.width < 3:
            return
        width = min(EMPTY_WIDTH, self.size.width)
        for roomy in (True, False):
            rows = empty_rows(self.facts, width - 2, self.glyphs, self.keymap, roomy=roomy)
            if lines_of(rows) <= self.size.height:
                break
        self.view.styles.width = width
        self.view.styles.height = min(lines_of(rows), self.size.height)
        self.view.set_rows(rows)

    def on_rows_view_opened(self, message: RowsView.Opened) -> None:
        """Open the samples."""
        message.stop()
        self.post_message(ActionChosen(message.key))

    def on_rows_view_part_clicked(self, message: RowsView.PartClicked) -> None:
        """Do what a clicked key hint says."""
        message.stop()
        self.post_message(ActionChosen(message.part))
