"""The filter of the session list: one raised line with a field and what the list shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Horizontal
from textual.message import Message

from ink_tui.keymap import Context
from ink_tui.model.groups import ListQuery
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.view_words import view_words
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.words_input import FieldWords, LineInput, Slash

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

_FIELD_CELLS = 14
"""Cells that are kept for the slash, for what is typed and for the edges."""


class FilterInput(LineInput):
    """The field itself; letters type, the keys of the table leave it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for(Context.FILTER)]

    class Left(Message):
        """The field was left for the rows, its text kept or cleared."""

    def action_filter_keep(self) -> None:
        """Go to the rows, keep the filter."""
        self.post_message(self.Left())

    def action_filter_clear(self) -> None:
        """Clear the filter; an empty field is left."""
        if self.value:
            self.value = ""
        else:
            self.post_message(self.Left())


class FilterField(Horizontal):
    """Slash, field and what is shown, on one raised line."""

    DEFAULT_CSS = """
    FilterField { height: 1; width: 1fr; padding: 0 1; background: $background; }
    """

    def __init__(
        self,
        *,
        glyphs: Glyphs = UNICODE,
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        """Make an empty field.

        Args:
            glyphs: The set to draw with.
            id: Id of the widget.
        """
        super().__init__(id=id)
        self._glyphs = glyphs
        self._lead = Slash(glyphs=glyphs)
        self._shown = FieldWords(glyphs=glyphs)
        self._query = ListQuery()
        self.input = FilterInput(placeholder="Filter", select_on_focus=False, compact=True)

    def compose(self) -> ComposeResult:
        """Yield the parts."""
        yield self._lead
        yield self.input
        yield self._shown

    def show(self, query: ListQuery) -> None:
        """Say how the list is shown: `by folder · all folders`."""
        self._query = query
        self._say()

    def on_resize(self) -> None:
        """Say what there is room for."""
        self._say()

    def _say(self) -> None:
        words = view_words(self._query, self.size.width - _FIELD_CELLS, self._glyphs)
        self._shown.say(words)

    def on_descendant_focus(self) -> None:
        """Light the slash."""
        self._lead.light(lit=True)

    def on_descendant_blur(self) -> None:
        """Dim the slash."""
        self._lead.light(lit=False)
