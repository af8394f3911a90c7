"""A small question with a few answers: quitting, undoing, a paste of many lines (`ui.md` 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.screen import ModalScreen

from ink_tui.keymap import DEFAULT_KEYMAP, Context, Keymap
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.question_rows import question_rows
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.dialog import Dialog, OptionsView
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ink_tui.tui.render.dialog_rows import Choice


class QuestionScreen(ModalScreen[str]):
    """A question; the result is the id of an answer, `cancelled` when it was closed by `esc`."""

    AUTO_FOCUS = "OptionsView"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for(Context.DIALOG)]
    DEFAULT_CSS = """
    QuestionScreen {
        align: center middle;
        background: $background 60%;
    }
    """

    def __init__(
        self,
        title: str,
        sentences: Sequence[str],
        choices: Sequence[Choice],
        *,
        default: str,
        cancelled: str,
        glyphs: Glyphs = UNICODE,
        keymap: Keymap = DEFAULT_KEYMAP,
    ) -> None:
        """Ask a question.

        Args:
            title: What is seen: `2 agents are running`.
            sentences: What it means, a paragraph each; foreign text is cleaned.
            choices: The answers; a letter as key answers at once.
            default: Id of the answer selected first; it can be chosen.
            cancelled: Id of the answer that `esc` gives.
            glyphs: The set to draw with.
            keymap: The table with the user's keys, for the keys that are shown.
        """
        super().__init__()
        self.question = title
        self.sentences = tuple(sentences)
        self.choices = tuple(choices)
        self.cancelled = cancelled
        self.glyphs = glyphs
        self.keymap = keymap
        self.selected = default
        self._dialog = Dialog(glyphs)

    def compose(self) -> ComposeResult:
        """Put the dialog on the dimmed screen."""
        yield self._dialog

    def on_mount(self) -> None:
        """Lay the dialog out for the first time."""
        self._show()

    def on_resize(self) -> None:
        """Lay the dialog out anew; the selection stays."""
        self._show()

    def _show(self) -> None:
        if self.is_mounted:
            rows = question_rows(
                self.question,
                self.sentences,
                self.choices,
                self.selected,
                (self.size.width, self.size.height),
                self.glyphs,
                self.keymap,
            )
            self._dialog.show(rows, self.selected)

    def _select(self, choice_id: str | None) -> None:
        if choice_id is not None and choice_id != self.selected:
            self.selected = choice_id
            self._show()

    def on_rows_view_highlighted(self, message: RowsView.Highlighted) -> None:
        """Follow a click on an answer."""
        if message.view is self._dialog.foot:
            self._select(self._dialog.foot.selected)

    def on_rows_view_opened(self, message: RowsView.Opened) -> None:
        """Give the answer that was clicked a second time."""
        self._answer(message.key)

    async def on_rows_view_part_clicked(self, message: RowsView.PartClicked) -> None:
        """Do what a clicked key hint says."""
        await self.run_action(self.keymap.action(message.part).method)

    def on_key(self, event: events.Key) -> None:
        """Give the answer whose own key was pressed."""
        for choice in self.choices:
            if choice.key and event.key == choice.key:
                event.stop()
                self._answer(choice.id)
                return

    def _answer(self, choice_id: str) -> None:
        if any(choice.id == choice_id and choice.enabled for choice in self.choices):
            self.dismiss(choice_id)

    def action_choose_option(self) -> None:
        """Give the selected answer."""
        self._answer(self.selected)

    def action_cancel(self) -> None:
        """Close the question as if it had not been asked."""
        self.dismiss(self.cancelled)

    def action_option_up(self) -> None:
        """Select the answer above."""
        self._dialog.foot.step(-1)
        self._select(self._dialog.foot.selected)

    def action_option_down(self) -> None:
        """Select the answer below."""
        self._dialog.foot.step(1)
        self._select(self._dialog.foot.selected)

    def action_dialog_page_up(self) -> None:
        """Scroll the sentences back."""
        self._dialog.body.page(-1)

    def action_dialog_page_down(self) -> None:
        """Scroll the sentences on."""
        self._dialog.body.page(1)
