"""The field of a find in the session: one raised line, what was found at its right, or why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input

from ink_tui.keymap import Context
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.early_keys import focus_now
from ink_tui.tui.widgets.note_band import NoteBand
from ink_tui.tui.widgets.words_input import FieldWords, LineInput, Slash

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ink_tui.tui.render.rows import Piece

_FIELD_CELLS = 14
"""Cells that are kept for the slash, for what is typed and for the edges."""


class _Count(FieldWords):
    """Which hit of how many, at the right; a click goes to the next."""

    def on_click(self, event: events.Click) -> None:
        """Go to the next hit."""
        event.stop()
        self.post_message(FindField.NextWanted())


class FindInput(LineInput):
    """The field itself; letters type, the keys of the table leave it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for(Context.FIND)]

    def action_find_keep(self) -> None:
        """Go to the rows, keep the marks."""
        self.post_message(FindField.Kept())

    def action_find_clear(self) -> None:
        """Take the marks away and leave the field."""
        self.post_message(FindField.Cleared())


class FindField(Vertical):
    """Slash, field and count; a sentence under them where something is wrong."""

    DEFAULT_CSS = """
    FindField { height: auto; width: 1fr; background: $background; display: none; }
    FindField > Horizontal { height: 1; width: 1fr; padding: 0 1; }
    """

    class Typed(Message):
        """Something else stands in the field."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Kept(Message):
        """The field was left for the rows; what it has found stays marked."""

    class NextWanted(Message):
        """The count was clicked: the next hit is wanted."""

    class Cleared(Message):
        """Nothing is looked for any more."""

    def __init__(
        self,
        *,
        glyphs: Glyphs = UNICODE,
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        """Make a field that is not shown.

        Args:
            glyphs: The set to draw with.
            id: Id of the widget.
        """
        super().__init__(id=id)
        self._lead = Slash(glyphs=glyphs)
        self._count = _Count(glyphs=glyphs)
        self._band = NoteBand(glyphs=glyphs)
        self.input = FindInput(
            placeholder="Find in this session, or re:pattern", select_on_focus=True, compact=True
        )

    def compose(self) -> ComposeResult:
        """Yield the parts."""
        with Horizontal():
            yield self._lead
            yield self.input
            yield self._count
        yield self._band

    @property
    def words(self) -> str:
        """What it says at its right."""
        return "".join(piece.text for piece in self._count.pieces).strip()

    @property
    def sentence(self) -> str:
        """What it says is wrong; empty for nothing."""
        return self._band.sentence

    def open(self) -> None:
        """Show it and put the focus in it; what stands in it is selected."""
        self.display = True
        focus_now(self.input)

    def close(self) -> None:
        """Hide it, empty."""
        self.display = False
        with self.input.prevent(Input.Changed):
            self.input.value = ""
        self.say(())

    def say(self, pieces: tuple[Piece, ...], sentence: str = "") -> None:
        """Say what was found, or what is wrong.

        Args:
            pieces: A few words at the right.
            sentence: What is wrong, cleaned; empty for nothing.
        """
        self._band.sentence = sentence
        self._count.say(pieces)

    def on_resize(self) -> None:
        """Leave the field its room."""
        room = self.size.width - _FIELD_CELLS
        if room != self._count.room:
            self._count.room = room
            self._count.refresh(layout=True)

    @on(Input.Changed)
    def _changed(self, message: Input.Changed) -> None:
        message.stop()
        self.post_message(self.Typed(message.value))

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        message.stop()

    def on_descendant_focus(self) -> None:
        """Light the slash."""
        self._lead.light(lit=True)

    def on_descendant_blur(self) -> None:
        """Dim the slash."""
        self._lead.light(lit=False)
