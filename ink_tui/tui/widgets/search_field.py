"""The query of a search: one raised line with the field, and how much was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.highlighter import Highlighter
from rich.style import Style
from textual.containers import Horizontal

from ink_tui.model.query import FilterTerm, PatternTerm, parse
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.palette import palette_of
from ink_tui.tui.render.rows import Ground, Piece, Role
from ink_tui.tui.widgets.words_input import FieldWords, LineInput, Slash

if TYPE_CHECKING:
    from rich.text import Text
    from textual.app import ComposeResult


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


class QueryInput(LineInput):
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
    """

    def __init__(self, text: str, *, glyphs: Glyphs = UNICODE) -> None:
        """Make the field.

        Args:
            text: The query that stands in it at first.
            glyphs: The set to draw with.
        """
        super().__init__(id="search-field")
        self._lead = Slash(glyphs=glyphs, classes="-lit")
        self._count = FieldWords(glyphs=glyphs)
        self.input = QueryInput(text)

    def compose(self) -> ComposeResult:
        """Yield the parts."""
        yield self._lead
        yield self.input
        yield self._count

    def say(self, pieces: tuple[Piece, ...]) -> None:
        """Show how much was found."""
        self._count.say(pieces)
