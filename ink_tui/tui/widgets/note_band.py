"""A band over a view with one sentence: the file was deleted, another program wrote here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.reactive import reactive

from ink_tui.tui.render.lines import wrap_pieces
from ink_tui.tui.render.rows import Ground, Piece, Role, fit
from ink_tui.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.geometry import Size


class NoteBand(Lines):
    """A sentence on the band's ground, never cut; hidden while there is nothing to say."""

    DEFAULT_CSS = """
    NoteBand { height: auto; display: none; }
    """

    sentence: reactive[str] = reactive("", layout=True)

    def watch_sentence(self, sentence: str) -> None:
        """Show the band only when it says something."""
        self.display = bool(sentence)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines the sentence takes."""
        return len(self.lines(width))

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        """Return the sentence with its mark."""
        mark, blank = Piece(f" {self.glyphs.decide} ", Role.WARNING, bold=True), Piece("   ")
        return [
            fit((blank if number else mark, *pieces), cells, self.glyphs.ellipsis)
            for number, pieces in enumerate(wrap_pieces((Piece(self.sentence),), cells - 4))
        ]

    def ground(self, line: int) -> Ground:
        """Return the band's ground."""
        return Ground.BAND
