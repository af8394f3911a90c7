"""What the line of the filter says of the list: its sections and its scope, each to be clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.scope import SCOPE_WORDS
from ink_tui.tui.render.rows import Piece, Role, line_width
from ink_tui.tui.render.state_pieces import own_words

if TYPE_CHECKING:
    from ink_tui.model.groups import ListQuery
    from ink_tui.tui.render.glyphs import Glyphs

SECTIONS, SCOPE, HIDDEN = "sections", "scope", "show-hidden"
"""Actions of the parts, and thereby what a click on one does."""


def view_words(query: ListQuery, cells: int, glyphs: Glyphs) -> tuple[Piece, ...]:
    """Return the words that fit, a blank behind them: `by folder · all folders`.

    Args:
        query: How the list is shown.
        cells: Room for all.
        glyphs: The set to draw with.
    """
    sections, scope = query.arrangement.value, SCOPE_WORDS[query.scope]
    short = sections.removeprefix("by ")
    hidden = [(HIDDEN, "with hidden ones"), (HIDDEN, "with hidden")] if query.show_hidden else []
    forms = [
        *([(SECTIONS, sections), (SCOPE, scope), each] for each in hidden),
        *([(SECTIONS, short), (SCOPE, scope), each] for each in hidden),
        *([(SCOPE, scope), each] for each in hidden),
    ] or [
        [(SECTIONS, sections), (SCOPE, scope)],
        [(SECTIONS, short), (SCOPE, scope)],
    ]
    forms += [[(SCOPE, scope)]]
    for form in forms:
        pieces = _line(form, glyphs)
        if line_width(pieces) <= cells:
            return pieces
    return ()


def _line(form: list[tuple[str, str]], glyphs: Glyphs) -> tuple[Piece, ...]:
    found: list[Piece] = []
    for part, words in form:
        if found:
            found.append(Piece(own_words(" · ", glyphs), Role.DIM))
        found.append(Piece(words, Role.DIM, part=part))
    return (*found, Piece(" "))
