"""The query of a search: one raised line with the field, and how much was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.highlighter import Highlighter
from rich.style import Style
from textual.containers import Horizontal

from ink_tui.model.query import FilterTerm, PatternTerm, parse
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.palette import palette_of
from ink_tui.tui.render.rows import Ground, Piece, Role, fit, line_width
from ink_tui.tui.widgets.line_bar import LineBar
from ink_tui.tui.widgets.words_input import WordsInput

if TYPE_CHECKING:
    from rich.text import Text
    from textual.app import ComposeResult


class _Lead(LineBar):
    """The slash before the field."""

    GROUND = Ground.RAISED
    DEFAULT_CSS = """
    _Lead { width: 3; }
    """

    def line(self, cells: int) -> tuple[Piece, ...]:
        """Return the slash in accent: the field always has the focus."""
        return fit((Piece(" /", Role.ACCENT, bold=True),), cells)


class _Count(LineBar):
    """How much was found, at the right."""

    GROUND = Ground.RAISED
    DEFAULT_CSS = """
    _Count { width: auto; }
    """
    pieces: tuple[Piece, ...] = ()

    def get_content_width(self, container: object, viewport: object) -> int:
        """Return the width of the words."""
        return line_width(self.pieces)

    def line(self, cells: int) -> tuple[Piece, ...]:
        """Return the words."""
        return fit(self.pieces, cells)


class _FilterColours(Highlighter):
    """Sets filters and patterns of a query off from its words."""

    def __init__(self, field: QueryInput) -> None:
        self._field = field

    def highlight(self, text: Text) -> None:
        """Colour the filters of a query."""
        colour = palette_of(self._field.app).colour(Role.ACCENT, Ground.RAISED).rich_color
        for term in parse(text.plain).terms:
            if isinstance(term, FilterTerm | PatternTerm):
                text.stylize(Style(color=colour), term.place.start, term.place.end)


class QueryInput(WordsInput):
    """The field itself; letters type, the keys of the search act in the screen."""

    def __init__(self, text: str) -> None:
        """Make it with a query in it."""
        super().__init__(
            text,
            placeholder="Words, or a filter such as tool:bash",
            select_on_focus=False,
            compact=True,
            id="search-query",
        )
        self.highlighter = _FilterColours(self)


class SearchField(Horizontal):
    """Slash, field and count on one raised line."""

    DEFAULT_CSS = """
    SearchField { height: 1; width: 1fr; padding: 0 1; background: $background; }
    SearchField QueryInput {
        width: 1fr; height: 1; border: none; padding: 0;
        background: $surface; color: $foreground;
        &:focus { border: none; background: $surface; background-tint: transparent 0%; }
        &>.input--placeholder { color: $foreground-disabled; }
    }
    """

    def __init__(self, text: str, *, glyphs: Glyphs = UNICODE) -> None:
        """Make the field.

        Args:
            text: The query that stands in it at first.
            glyphs: The set to draw with.
        """
        super().__init__(id="search-field")
        self._lead = _Lead(glyphs=glyphs)
        self._count = _Count(glyphs=glyphs)
        self.input = QueryInput(text)

    def compose(self) -> ComposeResult:
        """Yield the parts."""
        yield self._lead
        yield self.input
        yield self._count

    def say(self, pieces: tuple[Piece, ...]) -> None:
        """Show how much was found."""
        if pieces != self._count.pieces:
            wider = line_width(pieces) != line_width(self._count.pieces)
            self._count.pieces = pieces
            self._count.refresh(layout=wider)
