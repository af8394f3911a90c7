"""A small dialog with one field to type into."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ink_tui.keymap import Context
from ink_tui.model.text import one_line
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.words_input import WordsInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ink_tui.tui.render.glyphs import Glyphs


class FieldScreen(ModalScreen[str | None]):
    """One field; the result is what was typed, or None when the dialog was closed by `esc`."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for(Context.DIALOG)]
    DEFAULT_CSS = """
    FieldScreen {
        align: center middle;
        background: $background 60%;
        #field {
            background: $surface;
            width: 76;
            max-width: 100%;
            height: auto;
            padding: 1 2;
        }
        Static { height: auto; }
        #field-title { text-style: bold; }
        #field-trouble { color: $warning; }
        #field-hint { color: $foreground-muted; }
        Input, Input:focus {
            height: 1;
            border: none;
            padding: 0;
            margin: 1 0;
            background: $panel;
        }
    }
    """

    def __init__(
        self,
        title: str,
        suggestion: str,
        hint: str,
        *,
        glyphs: Glyphs,
        longest: int = 0,
        left_out: Callable[[str], str] | None = None,
    ) -> None:
        """Make the dialog.

        Args:
            title: What is asked for.
            suggestion: What stands in the field at first.
            hint: What will happen, in a sentence.
            glyphs: The set to draw with.
            longest: Most characters that can be typed; 0 sets no limit.
            left_out: Names the characters that will not be taken over; it is told while one
                types.
        """
        super().__init__()
        self.glyphs = glyphs
        self._asks = one_line(title)
        self._hint = one_line(hint)
        self._left_out = left_out
        self._input = WordsInput(
            one_line(suggestion), id="field-text", compact=True, max_length=longest
        )
        self._trouble = Static("", id="field-trouble", markup=False)

    def compose(self) -> ComposeResult:
        """Title, field, what is wrong with it, keys."""
        with Vertical(id="field"):
            yield Static(self._asks, id="field-title", markup=False)
            yield self._input
            yield self._trouble
            yield Static(f"{self._hint}\nenter go on  esc cancel", id="field-hint", markup=False)

    @on(Input.Changed)
    def _changed(self, message: Input.Changed) -> None:
        message.stop()
        hidden = self._left_out(message.value) if self._left_out is not None else ""
        if hidden:
            self.say(f"Cannot be seen and is left out: {hidden}")
        else:
            self._trouble.update("")

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.check_typed(message.value)

    def check_typed(self, typed: str) -> None:
        """Take what was typed, or say what is wrong with it."""
        self.dismiss(typed)

    def say(self, sentence: str) -> None:
        """Say what is wrong with what was typed."""
        self._trouble.update(f"{self.glyphs.decide} {sentence}")

    def action_cancel(self) -> None:
        """Close; nothing is changed."""
        self.dismiss(None)
