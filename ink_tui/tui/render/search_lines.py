"""The lines around a search: its title, what can be typed, what is wrong with it, what is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.keymap import display_key
from ink_tui.model.query_filters import Filter
from ink_tui.model.text import one_line
from ink_tui.tui.render import figures
from ink_tui.tui.render.cells import width
from ink_tui.tui.render.rows import Cut, Piece, Role, fit, line_width
from ink_tui.tui.render.search_rows import kind_words
from ink_tui.tui.render.state_pieces import own_words
from ink_tui.tui.render.transcript_look import moment_of

if TYPE_CHECKING:
    from ink_tui.keymap import Keymap
    from ink_tui.model.query import Problem
    from ink_tui.model.query_complete import Completion
    from ink_tui.store.search.values import Hit
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.transcript_look import Look

TITLE = "Search everywhere"
_HINTS = (
    *(f"{name.value}:" for name in (Filter.DIR, Filter.DATE, Filter.MODEL, Filter.ROLE)),
    *(f"{name.value}:" for name in (Filter.TOOL, Filter.FILE, Filter.VERDICT)),
    *("is:live", "has:compaction", " -word", ' "phrase"', " re:pattern"),
)
LEAD = 4
"""Cells before the first character of the query."""


def top_line(cells: int, glyphs: Glyphs, keymap: Keymap) -> tuple[Piece, ...]:
    """Return the title, with the way back at both ends."""
    back = keymap.action("search-back")
    left = (
        Piece(f" {glyphs.back} ", Role.ACCENT, part=back.id),
        Piece(TITLE, bold=True, part=back.id),
    )
    key = display_key(back.keys[0], ascii_only=glyphs.ascii)
    right = (
        Piece(key, Role.ACCENT, cut=Cut.NEVER, part=back.id),
        Piece(f" {back.label} ", Role.MUTED, cut=Cut.NEVER, part=back.id),
    )
    return (*fit(left, cells - line_width(right), glyphs.ellipsis), *right)


def hint_lines(cells: int, glyphs: Glyphs, keymap: Keymap) -> tuple[tuple[Piece, ...], ...]:
    """Return what can be typed; whole words only, as many as fit."""
    action = keymap.action("complete")
    key = display_key(action.keys[0], ascii_only=glyphs.ascii)
    pieces = [Piece(" " * LEAD), Piece(key, Role.ACCENT, part=action.id)]
    pieces.append(Piece(" completes ", Role.DIM, part=action.id))
    room = cells - line_width(pieces)
    for hint in _HINTS:
        room -= width(hint) + 1
        if room < 0:
            break
        pieces.append(Piece(f" {hint}", Role.DIM))
    return (fit(pieces, cells, glyphs.ellipsis), fit((), cells))


def candidate_lines(
    completion: Completion, number: int, cells: int, glyphs: Glyphs
) -> tuple[tuple[Piece, ...], ...]:
    """Return what fits at the cursor, the chosen one set off, and what it means.

    Args:
        completion: What fits.
        number: The chosen one, 0-based.
        cells: Width of the screen.
        glyphs: The set to draw with.
    """
    texts = [one_line(each.text) for each in completion.candidates]
    first, used = number, width(texts[number])
    while first > 0 and used + width(texts[first - 1]) + 2 <= (cells - LEAD) // 2:
        first -= 1
        used += width(texts[first]) + 2
    pieces = [Piece(" " * LEAD)]
    for at in range(first, len(texts)):
        chosen = at == number
        role = Role.ACCENT if chosen else Role.MUTED
        pieces += [Piece(texts[at], role, bold=chosen, underline=chosen), Piece("  ")]
        if line_width(pieces) > cells:
            break
    meaning = own_words(completion.candidates[number].meaning, glyphs)
    said = (Piece(" " * LEAD), Piece(meaning, Role.DIM))
    return (fit(pieces, cells, glyphs.ellipsis), fit(said, cells, glyphs.ellipsis))


def problem_lines(
    text: str, problem: Problem, scrolled: int, cells: int, glyphs: Glyphs
) -> tuple[tuple[Piece, ...], ...]:
    """Return a caret row for the line under the query, and what is wrong with it.

    Args:
        text: The query.
        problem: What is wrong.
        scrolled: Cells of the query that are scrolled away at its left.
        cells: Width of the screen.
        glyphs: The set to draw with.
    """
    before = width(text[: problem.column])
    carets = max(1, width(text[problem.column : problem.column + problem.length]))
    start = LEAD + before - scrolled
    carets = max(1, carets + min(0, start - LEAD))
    caret = (Piece(" " * max(LEAD, start)), Piece("^" * carets, Role.WARNING, bold=True))
    sentence = own_words(one_line(problem.sentence), glyphs)
    said = (Piece(" " * LEAD), Piece(sentence, Role.WARNING))
    return (fit(caret, cells, ""), fit(said, cells, glyphs.ellipsis))


def preview_head(hit: Hit, number: int, total: int, look: Look) -> tuple[tuple[Piece, ...], ...]:
    """Return what stands over the preview: kind, time and line of the hit, and a rule.

    Args:
        hit: The selected hit.
        number: Which one it is, 1-based.
        total: All hits.
        look: Width, glyphs, present and zone.
    """
    cells, glyphs = look.cells, look.glyphs
    moment = moment_of(hit.time_ms)
    facts = [figures.clock_exact(moment, look.now, look.zone)] if moment is not None else []
    facts.append(f"line {figures.count(hit.line)}")
    said = own_words("  " + " · ".join(facts), glyphs)
    right = f"hit {figures.count(number)} of {figures.count(total)} "
    left = (Piece(f" {one_line(kind_words(hit))}", bold=True), Piece(said, Role.MUTED))
    room = cells - width(right)
    first = (*fit(left, room, glyphs.ellipsis), Piece(right, Role.MUTED))
    rule = (Piece(" "), Piece(glyphs.rule * max(0, cells - 2), Role.HAIR), Piece(" "))
    return (fit(first, cells, glyphs.ellipsis), fit(rule, cells, glyphs.ellipsis))
