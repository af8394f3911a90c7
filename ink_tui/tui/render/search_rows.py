"""The rows of a search: sessions with their hits, and how far it has come (`ui.md`, "Search")."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.model.passages import Kind
from ink_tui.model.query import FilterTerm, WordTerm
from ink_tui.model.row_words import file_name, mark_of, title_words
from ink_tui.model.snippets import CUT, narrowed
from ink_tui.model.text import one_line, short_path
from ink_tui.tui.render import figures
from ink_tui.tui.render.cells import cut_path, head, pad, width
from ink_tui.tui.render.list_rows import age_of
from ink_tui.tui.render.rows import BLANK, Columns, Cut, Piece, Role, Row
from ink_tui.tui.render.search_results import FIRST_HITS, HIT, MORE, address
from ink_tui.tui.render.state_pieces import mark_piece, own_words
from ink_tui.tui.render.transcript_look import time_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.query import Query
    from ink_tui.model.snippets import Snippet
    from ink_tui.store.search.values import Hit, Trouble
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.search_results import Found, Results
    from ink_tui.tui.render.transcript_look import Look

UNFOLD = "unfold"
"""Part of a row that shows all hits of a session, or the first ones again."""

_KIND_CELLS, _TIME_CELLS, _COUNT_CELLS, _AGE_CELLS = 10, 9, 4, 4
_NARROW = 54
"""Results narrower than this leave out folders and times."""
_NARROW_KIND_CELLS = 8
_BAR_CELLS = 20
_NAMED = 2
"""Sessions that were not searched whole and are named."""


def search_columns(cells: int) -> Columns:
    """Return the fixed columns of the results at a width."""
    if cells < _NARROW:
        return Columns(kind=_NARROW_KIND_CELLS, gap=1, short_below=_NARROW)
    return Columns(kind=_KIND_CELLS, time=_TIME_CELLS, gap=1, short_below=_NARROW)


def result_row(key: str, results: Results, look: Look, home: str) -> Row:
    """Return a row of the results with its content.

    Args:
        key: Key of the bare row.
        results: What was found.
        look: Width, glyphs, present and zone.
        home: The user's home folder, written `~`.
    """
    what, number, path = address(key)
    found = results.found(path)
    if what == HIT:
        return _hit_row(key, found.hits[number], look)
    if what == MORE:
        return _more_row(key, found, look.glyphs, unfolded=path in results.unfolded)
    return _heading(key, found, look, home)


def _heading(key: str, found: Found, look: Look, home: str) -> Row:
    row = found.row
    title = title_words(row) if row is not None else one_line(file_name(found.path))
    folder = one_line(short_path(found.cwd or (row.cwd if row is not None else ""), home))
    room = max(8, look.cells // 3)
    shown = cut_path(folder, room, look.glyphs.ellipsis)
    age = age_of(row.last_ms, look) if row is not None else ""
    counts = f"{figures.count(found.total):>{_COUNT_CELLS}} {age:>{_AGE_CELLS}}"
    return Row(
        key,
        mark=mark_piece(mark_of(row), look.glyphs) if row is not None else (),
        text=(Piece(own_words(title, look.glyphs), bold=True),),
        note=(Piece(shown, Role.MUTED),) if shown else (),
        note_short=(),
        time=(Piece(counts, Role.MUTED),),
        selectable=False,
    )


def kind_words(hit: Hit) -> str:
    """Return what a hit is, in a word: `user`, `result`, or the tool that is called."""
    return hit.tool if hit.kind is Kind.CALL and hit.tool else hit.kind.value


def _hit_row(key: str, hit: Hit, look: Look) -> Row:
    columns = search_columns(look.cells)
    room = look.cells - 2 * columns.pad - columns.mark - columns.kind
    room -= columns.time + columns.gap if columns.time else 0
    return Row(
        key,
        kind=(Piece(head(kind_words(hit), columns.kind - 1), Role.MUTED),),
        text=hit_pieces(hit.snippet, max(1, room), look.glyphs),
        time=(Piece(time_of(hit.time_ms, look), Role.DIM),) if columns.time else (),
    )


def hit_pieces(wide: Snippet, cells: int, glyphs: Glyphs) -> tuple[Piece, ...]:
    """Return a snippet cut to a width, its hits set off."""
    shown = narrowed(wide, cells)
    pieces: list[Piece] = []
    at = 0
    for start, end in shown.spans:
        pieces += [Piece(shown.text[at:start]), marked_piece(Piece(shown.text[start:end]))]
        at = end
    pieces.append(Piece(shown.text[at:]))
    if glyphs.ascii:
        pieces = [_plain_cut(piece, glyphs) for piece in pieces]
    return tuple(piece for piece in pieces if piece.text)


def marked_piece(piece: Piece) -> Piece:
    """Return text that was looked for, set off."""
    return replace(piece, role=Role.WARNING, bold=True, underline=True, ansi=None)


def _plain_cut(piece: Piece, glyphs: Glyphs) -> Piece:
    return replace(piece, text=piece.text.replace(CUT, glyphs.ellipsis))


def _more_row(key: str, found: Found, glyphs: Glyphs, *, unfolded: bool) -> Row:
    if not unfolded:
        words = f"{glyphs.folded} {figures.count(found.total - FIRST_HITS)} more here"
    else:
        words = f"{glyphs.opened} only the first {FIRST_HITS}"
        if found.more:
            words += f"   {figures.count(found.more)} more are not listed; open the session"
    return Row(key, text=(Piece(words, Role.MUTED, part=UNFOLD),))


def last_rows(
    results: Results, query: Query, glyphs: Glyphs, *, running: bool, error: str = ""
) -> list[Row]:
    """Return what stands under the results: how far the search is, and what it could not search.

    Args:
        results: What was found.
        query: What is asked.
        glyphs: The set to draw with.
        running: Whether the search still runs.
        error: Why it ended before its time; empty when it did not.
    """
    said: list[tuple[Piece, ...]] = []
    if running:
        said.append(_progress(results, glyphs))
    elif results.full:
        words = f"stopped after {figures.count(results.hits)} hits; narrow the query"
        said.append((Piece(words, Role.WARNING),))
    elif not len(results) and query.terms and not error:
        said += [(Piece(own_words(words, glyphs), Role.MUTED),) for words in nothing_words(query)]
    if error:
        said.append((Piece(one_line(error), Role.ERROR),))
    for words in trouble_words(results.troubles):
        said.append((Piece(own_words(words, glyphs), Role.WARNING),))
    rows = [Row(f"last:{at}", text=pieces, selectable=False) for at, pieces in enumerate(said)]
    return [BLANK, *rows] if rows and len(results) else rows


def _progress(results: Results, glyphs: Glyphs) -> tuple[Piece, ...]:
    done, total = min(results.searched, results.to_search), results.to_search
    words = "searching older sessions" if len(results) else "searching sessions"
    if not total:
        return (Piece(words, Role.MUTED),)
    full = _BAR_CELLS * done // total
    return (
        Piece(f"{words}  {figures.count(done)} of {figures.count(total)} ", Role.MUTED),
        Piece(glyphs.bar_full * full, Role.ACCENT),
        Piece(glyphs.bar_rest * (_BAR_CELLS - full), Role.DIM),
    )


def nothing_words(query: Query) -> tuple[str, str]:
    """Return that nothing was found, and what to try next."""
    words = [term for term in query.terms if isinstance(term, WordTerm)]
    wanted = [term for term in words if not term.negated]
    if any(isinstance(term, FilterTerm) for term in query.terms):
        return "Nothing matches.", "A filter less looks in more sessions."
    if any(term.text != term.text.lower() for term in wanted):
        return "Nothing matches.", "Capital letters are found only as written: try small ones."
    if len(words) > 1:
        return "Nothing matches.", "All words must stand in one record: try fewer of them."
    return "Nothing matches.", "Part of a word finds the word, too: try a shorter one."


def trouble_words(troubles: Sequence[Trouble]) -> list[str]:
    """Return which sessions were not searched, or not whole, and why; the first ones by name."""
    number = len(troubles)
    if not number:
        return []
    what = "1 session was" if number == 1 else f"{figures.count(number)} sessions were"
    named = [
        f"  {one_line(file_name(each.path))}: {one_line(each.reason)}" for each in troubles[:_NAMED]
    ]
    more = [f"  and {figures.count(number - _NAMED)} more"] if number > _NAMED else []
    return [f"{what} not searched whole:", *named, *more]


def count_words(results: Results, took_ms: int | None, cells: int) -> tuple[Piece, ...]:
    """Return how much was found and in what time.

    Args:
        results: What was found.
        took_ms: How long the search took; `None` while it runs.
        cells: Width of the screen.
    """
    plus = "+" if results.full else ""
    number, sessions = figures.count(results.hits) + plus, len(results)
    if cells < 80:
        return (Piece(f"{number} in {figures.count(sessions)} ", Role.TEXT, cut=Cut.NEVER),)
    hits = f"{number} {'hit' if number == '1' else 'hits'}"
    words = f"{hits} in {figures.counted(sessions, 'session')}  "
    time = f"{took_ms / 1000:.2f} s " if took_ms is not None else ""
    return (Piece(words, cut=Cut.NEVER), Piece(pad(time, max(7, width(time))), Role.DIM))
