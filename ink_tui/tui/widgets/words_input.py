"""The line that texts are typed into: a slash, a field, and what it says at its right."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from textual.widgets import Input

from ink_tui.tui.render.rows import Ground, Piece, Role, fit, line_width
from ink_tui.tui.widgets.line_bar import LineBar

if TYPE_CHECKING:
    from textual.events import Key


class WordsInput(Input):
    """A field that also takes the joiners and tags of which emoji are made, typed one by one.

    Terminals send them as keys of their own, and Textual takes only what Python calls printable.
    """

    async def _on_key(self, event: Key) -> None:
        if _joins(event):
            event.stop()
            event.prevent_default()
            self.replace(event.character or "", *self.selection)


class LineInput(WordsInput):
    """A field that is one raised line among others, without a frame."""

    DEFAULT_CSS = """
    LineInput {
        width: 1fr; height: 1; border: none; padding: 0;
        background: $surface; color: $foreground;
        &:focus { border: none; background: $surface; background-tint: transparent 0%; }
        &>.input--placeholder { color: $foreground-disabled; }
    }
    """


class Slash(LineBar):
    """The slash before a field."""

    GROUND = Ground.RAISED
    DEFAULT_CSS = """
    Slash { width: 3; }
    """

    def line(self, cells: int) -> tuple[Piece, ...]:
        """Return the slash, bold while the field has the focus."""
        return fit((Piece(" /", Role.ACCENT, bold=self.has_class("-lit")),), cells)

    def light(self, *, lit: bool) -> None:
        """Say whether the field has the focus."""
        self.set_class(lit, "-lit")
        self.refresh()


class FieldWords(LineBar):
    """What a field says at its right, as wide as its words."""

    GROUND = Ground.RAISED
    DEFAULT_CSS = """
    FieldWords { width: auto; }
    """
    pieces: tuple[Piece, ...] = ()
    room: int | None = None
    """Most cells that it takes; None sets no limit."""

    def get_content_width(self, container: object, viewport: object) -> int:
        """Return the width of the words, or the room that there is."""
        cells = line_width(self.pieces)
        return cells if self.room is None else min(cells, max(0, self.room))

    def line(self, cells: int) -> tuple[Piece, ...]:
        """Return the words."""
        return fit(self.pieces, cells, self.glyphs.ellipsis)

    def say(self, pieces: tuple[Piece, ...]) -> None:
        """Say something else."""
        if pieces != self.pieces:
            wider = line_width(pieces) != line_width(self.pieces)
            self.pieces = pieces
            self.refresh(layout=wider)


def is_typed(key: Key) -> bool:
    """Return whether a key stands for a character of a text."""
    return key.is_printable or _joins(key)


def _joins(key: Key) -> bool:
    char = key.character
    return char is not None and len(char) == 1 and unicodedata.category(char) == "Cf"
