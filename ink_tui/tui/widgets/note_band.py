"""A band over a view with one sentence: the file was deleted, another program wrote here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.reactive import reactive

from ink_tui.tui.render.rows import Ground, Piece, Role, fit
from ink_tui.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence


class NoteBand(Lines):
    """One line on the band's ground; hidden while there is nothing to say."""

    DEFAULT_CSS = """
    NoteBand { height: 1; display: none; }
    """

    sentence: reactive[str] = reactive("")

    def watch_sentence(self, sentence: str) -> None:
        """Show the band only when it says something."""
        self.display = bool(sentence)

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        """Return the sentence with its mark."""
        mark = Piece(f" {self.glyphs.decide} ", Role.WARNING, bold=True)
        return (fit((mark, Piece(self.sentence)), cells, self.glyphs.ellipsis),)

    def ground(self, line: int) -> Ground:
        """Return the band's ground."""
        return Ground.BAND
