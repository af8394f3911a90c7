"""Rows in fixed columns: what list, tree, transcript and dialogs draw (`ui.md` section 1, point 5).

A row is a value: pieces of text with roles instead of colours. `lay_out` turns it into lines of an
exact width in cells. The columns are mark, kind, text, note, time; the text takes what is left and
is cut, the note and the time are never pushed out. Every text is cleaned here once more, as the
last filter before the terminal, and foreign text that was cleaned before passes unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.text import one_line
from ink_tui.tui.render.cells import ELLIPSIS, cut_middle, cut_path, head, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Role(StrEnum):
    """What a text is, in place of a colour (`ui.md` 2.1)."""

    TEXT = "text"
    MUTED = "muted"
    DIM = "dim"
    ACCENT = "accent"
    WARNING = "warning"
    ERROR = "error"
    SUCCESS = "success"
    HAIR = "hair"
    """Hair lines and rules, never text."""


class Ground(StrEnum):
    """What lies under a row."""

    PLAIN = "plain"
    RAISED = "raised"
    BAND = "band"
    ADDED = "added"
    REMOVED = "removed"
    HOVER = "hover"
    SELECTED = "selected"
    SELECTED_BLURRED = "selected-blurred"


class Cut(StrEnum):
    """Where a text that is too wide is cut."""

    END = "end"
    MIDDLE = "middle"
    PATH = "path"
    NEVER = "never"
    """Only when nothing else is left to cut."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text in one look."""

    text: str
    role: Role = Role.TEXT
    bold: bool = False
    italic: bool = False
    underline: bool = False
    cut: Cut = Cut.END
    part: str = ""
    """Name of what a click on it means, empty for the row as a whole."""
    ground: Ground | None = None
    """A ground of its own on the row's; a selected row hides it."""
    ansi: int | None = None
    """One of the sixteen colours of a terminal, for outputs of tools; `None` is the role's."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Widths of the fixed columns in cells."""

    mark: int = 2
    """Mark or rail with its space."""
    kind: int = 0
    """Kind with its space; 0 for rows without one."""
    time: int = 0
    """Least width of the time column; a row without a time keeps it free."""
    pad: int = 1
    """Blank cells at the left and the right edge of the pane."""
    gap: int = 2
    """Blank cells before the note and before the time."""
    short_below: int = 76
    """Panes narrower than this show the short form of a note."""


LIST_COLUMNS = Columns(gap=1)
"""The list: mark, title, age."""
TREE_COLUMNS = Columns(kind=10, time=5)
"""The tree: rail or mark, kind, text, note, time."""
PLAIN_COLUMNS = Columns(mark=0)
"""Text alone, with a note at the right."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row, one or two lines high."""

    key: str
    """Identity of the thing; the selection follows it."""
    text: tuple[Piece, ...] = ()
    mark: tuple[Piece, ...] = ()
    kind: tuple[Piece, ...] = ()
    note: tuple[Piece, ...] = ()
    note_short: tuple[Piece, ...] | None = None
    """What stands for the note in a narrow pane; None keeps the note, empty drops it."""
    time: tuple[Piece, ...] = ()
    below: tuple[Piece, ...] | None = None
    """A second line under the text; None for rows of one line."""
    fill: Piece | None = None
    """A glyph that fills what the text leaves, as in a compaction row."""
    indent: int = 0
    """Cells that kind and text move to the right."""
    selectable: bool = True
    ground: Ground = Ground.PLAIN

    @property
    def height(self) -> int:
        """Height in lines."""
        return 1 if self.below is None else 2


BLANK = Row("", selectable=False)
"""A row of nothing, between groups."""


def filtered(text: str, cells: int) -> str:
    """Return what may be drawn of a text: cleaned, on one line, no longer than could be visible.

    Args:
        text: Any string.
        cells: The widest that it could be drawn; more than this is not even looked at.
    """
    limit = 64 + 16 * max(0, cells)
    shown = text if len(text) <= limit else text[:limit]
    if shown.isascii() and shown.isprintable():
        return shown
    return one_line(shown)


def line_width(pieces: Iterable[Piece]) -> int:
    """Return the width of pieces in cells."""
    return sum(width(piece.text) for piece in pieces)


def part_at(pieces: Iterable[Piece], cell: int) -> str:
    """Return the part that a cell of a drawn line belongs to, empty for none."""
    for piece in pieces:
        cell -= width(piece.text)
        if cell < 0:
            return piece.part
    return ""


def fit(
    pieces: Sequence[Piece], cells: int, mark: str = ELLIPSIS, *, right: bool = False
) -> tuple[Piece, ...]:
    """Return pieces that are exactly so many cells wide together.

    Where they are too wide, paths and middles are shortened first, to half of their width at the
    most; then the end is cut, around the pieces that are never to be cut.

    Args:
        pieces: What to show, not yet cleaned.
        cells: Width asked for.
        mark: What stands where something was cut away.
        right: Put the blanks before, not behind.
    """
    if cells <= 0:
        return ()
    shown = _cleaned(pieces, cells)
    excess = line_width(shown) - cells
    if excess > 0:
        shown = _drop_blanks(shown, excess)
        excess = line_width(shown) - cells
    if excess > 0:
        shown = _shorten_middles(shown, excess, mark)
        excess = line_width(shown) - cells
    if excess > 0:
        shown = _cut_end(shown, cells, mark)
        excess = line_width(shown) - cells
    kept = tuple(piece for piece in shown if piece.text)
    blank = _blank(-excess)
    return blank + kept if right else kept + blank


def _drop_blanks(pieces: Sequence[Piece], excess: int) -> tuple[Piece, ...]:
    """Drop blanks at the end: nobody misses them, so no mark says that they are gone."""
    found = list(pieces)
    while excess > 0 and found:
        text = found[-1].text
        kept = text.rstrip(" ")
        drop = min(excess, len(text) - len(kept))
        found[-1] = replace(found[-1], text=text[: len(text) - drop])
        excess -= drop
        if found[-1].text:
            break
        found.pop()
    return tuple(found)


def _shorten_middles(pieces: Sequence[Piece], excess: int, mark: str) -> tuple[Piece, ...]:
    found: list[Piece] = []
    for piece in pieces:
        if excess > 0 and piece.cut in (Cut.MIDDLE, Cut.PATH):
            had = width(piece.text)
            room = max(had - excess, (had + 1) // 2)
            shorten = cut_path if piece.cut is Cut.PATH else cut_middle
            text = shorten(piece.text, room, mark)
            excess -= had - width(text)
            found.append(replace(piece, text=text))
        else:
            found.append(piece)
    return tuple(found)


def _cut_end(pieces: Sequence[Piece], cells: int, mark: str) -> tuple[Piece, ...]:
    """Cut what is too wide for certain, so that what is left is at most so many cells wide."""
    whole = line_width(piece for piece in pieces if piece.cut is Cut.NEVER)
    keep = whole < cells
    room = cells - whole - width(mark) if keep else cells - width(mark)
    found: list[Piece] = []
    done = False
    for piece in pieces:
        if keep and piece.cut is Cut.NEVER:
            found.append(piece)
        elif done:
            continue
        elif width(piece.text) <= room:
            found.append(piece)
            room -= width(piece.text)
        else:
            end = mark if room >= 0 else ""
            found.append(replace(piece, text=head(piece.text, room) + end))
            done = True
    return tuple(found)


def lay_out(
    row: Row, cells: int, columns: Columns = LIST_COLUMNS, mark: str = ELLIPSIS
) -> tuple[tuple[Piece, ...], ...]:
    """Return the lines of a row, each exactly so many cells wide.

    Args:
        row: What to show.
        cells: Width of the pane.
        columns: The fixed columns.
        mark: What stands where something was cut away.
    """
    if cells <= 0:
        return ((),) * row.height
    pad = columns.pad if cells > 2 * columns.pad else 0
    inner = cells - 2 * pad
    edge = (Piece(" " * pad),) if pad else ()
    first = edge + _first_line(row, inner, cells, columns, mark) + edge
    if row.below is None:
        return (first,)
    lead = min(columns.mark + row.indent, inner)
    blank = (Piece(" " * lead),) if lead else ()
    return (first, edge + blank + fit(row.below, inner - lead, mark) + edge)


def _first_line(row: Row, inner: int, cells: int, columns: Columns, mark: str) -> tuple[Piece, ...]:
    lead = fit(row.mark, min(columns.mark, inner), mark)
    left = inner - line_width(lead)
    time = _cleaned(row.time, inner)
    time_cells = min(max(line_width(time), columns.time), left)
    time_gap = min(columns.gap, left - time_cells) if time_cells else 0
    left -= time_cells + time_gap
    indent = min(row.indent, left)
    left -= indent
    kind_cells = min(columns.kind, left) if row.kind else 0
    left -= kind_cells
    narrow = cells < columns.short_below
    note = row.note_short if narrow and row.note_short is not None else row.note
    note = _cleaned(note, inner)
    note_cells = min(line_width(note), left)
    note_gap = min(columns.gap, left - note_cells) if note_cells else 0
    left -= note_cells + note_gap
    return (
        lead
        + _blank(indent)
        + fit(row.kind, kind_cells, mark)
        + _text(row, left, mark)
        + _blank(note_gap)
        + fit(note, note_cells, mark)
        + _blank(time_gap)
        + fit(time, time_cells, mark, right=True)
    )


def _text(row: Row, cells: int, mark: str) -> tuple[Piece, ...]:
    """Return the text column, filled up with the row's fill where it has one."""
    if row.fill is None:
        return fit(row.text, cells, mark)
    text = _cleaned(row.text, cells)
    room = cells - line_width(text) - 1
    step = width(row.fill.text)
    if room < 1 or step < 1:
        return fit(text, cells, mark)
    filling = replace(row.fill, text=row.fill.text * (room // step))
    return fit((*text, Piece(" "), filling), cells, mark)


def _cleaned(pieces: Sequence[Piece], cells: int) -> tuple[Piece, ...]:
    return tuple(replace(piece, text=filtered(piece.text, cells)) for piece in pieces)


def _blank(cells: int) -> tuple[Piece, ...]:
    return (Piece(" " * cells),) if cells > 0 else ()
