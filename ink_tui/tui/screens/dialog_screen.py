"""What all dialogs do alike: laying out at each size, moving between options, scrolling, clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.screen import ModalScreen, ScreenResultType

from ink_tui.keymap import DEFAULT_KEYMAP, Context, Keymap
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.dialog import Dialog

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ink_tui.tui.render.dialog_rows import DialogRows
    from ink_tui.tui.widgets.rows_view import RowsView


class DialogScreen(ModalScreen[ScreenResultType]):
    """A dialog on the dimmed screen; subclasses say what it shows and what choosing means."""

    AUTO_FOCUS = "OptionsView"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for(Context.DIALOG)]
    DEFAULT_CSS = """
    DialogScreen {
        align: center middle;
        background: $background 60%;
    }
    """

    def __init__(self, selected: str, glyphs: Glyphs = UNICODE, keymap: Keymap = DEFAULT_KEYMAP):
        """Make the dialog.

        Args:
            selected: Id of the option selected first; empty for none.
            glyphs: The set to draw with.
            keymap: The table with the user's keys, for the keys that are shown.
        """
        super().__init__()
        self.glyphs = glyphs
        self.keymap = keymap
        self._selected = selected
        self._dialog = Dialog(glyphs)
        self._must_see = 0

    # For subclasses

    def dialog_rows(self, screen: tuple[int, int]) -> DialogRows:
        """Return what the dialog shows on a screen of a width and a height in cells."""
        raise NotImplementedError

    def choose(self, option_id: str) -> None:
        """Do an option."""
        raise NotImplementedError

    def selection_moved(self) -> None:
        """Forget what belonged to the option that was selected before."""

    # Showing

    @property
    def selected(self) -> str:
        """Id of the selected option, empty for none."""
        return self._selected

    def compose(self) -> ComposeResult:
        """Put the dialog on the screen."""
        yield self._dialog

    def on_mount(self) -> None:
        """Lay the dialog out for the first time."""
        self.show()

    def on_resize(self) -> None:
        """Lay the dialog out anew; the selection stays."""
        self.show()

    def show(self) -> None:
        """Lay the dialog out for the present size and state."""
        if self.is_mounted:
            rows = self.dialog_rows((self.size.width, self.size.height))
            self._must_see = rows.must_see
            self._dialog.show(rows, self._selected or None)

    def unseen(self) -> bool:
        """Show what must be seen before anything is written; return whether it was not yet."""
        if self._dialog.body.seen >= self._must_see:
            return False
        self._dialog.body.show_line(self._must_see)
        return True

    def select(self, option_id: str | None) -> None:
        """Select an option."""
        if option_id is not None and option_id != self._selected:
            self._selected = option_id
            self.selection_moved()
            self.show()

    # Mouse

    def on_rows_view_highlighted(self, message: RowsView.Highlighted) -> None:
        """Follow a click on an option."""
        if message.view is self._dialog.foot:
            self.select(self._dialog.foot.selected)

    def on_rows_view_opened(self, message: RowsView.Opened) -> None:
        """Do the option that was clicked a second time."""
        self.select(message.key)
        self.choose(message.key)

    async def on_rows_view_part_clicked(self, message: RowsView.PartClicked) -> None:
        """Do what a clicked key hint says."""
        await self.run_action(self.keymap.action(message.part).method)

    # Actions of the key table

    def action_choose_option(self) -> None:
        """Do the selected option."""
        self.choose(self._selected)

    def action_option_up(self) -> None:
        """Select the option above."""
        self._dialog.foot.step(-1)
        self.select(self._dialog.foot.selected)

    def action_option_down(self) -> None:
        """Select the option below."""
        self._dialog.foot.step(1)
        self.select(self._dialog.foot.selected)

    def action_dialog_page_up(self) -> None:
        """Scroll what is said back."""
        self._dialog.body.page(-1)

    def action_dialog_page_down(self) -> None:
        """Scroll what is said on."""
        self._dialog.body.page(1)
