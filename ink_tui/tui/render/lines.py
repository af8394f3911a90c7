"""Lines of running text in pieces: wrapping, dimming and laying them out on a ground.

Rows have fixed columns (`rows.py`); these are for text that runs over many lines, such as answers,
outputs and differences.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ink_tui.tui.render.cells import ELLIPSIS, chop, wrap
from ink_tui.tui.render.rows import Cut, Ground, Piece, Role, fit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TAB = 4
"""Cells between tab stops."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a block, not yet brought to the width of the pane."""

    pieces: tuple[Piece, ...]
    ground: Ground = Ground.PLAIN


EMPTY_LINE = Line(())


def wrap_pieces(pieces: Sequence[Piece], cells: int) -> list[tuple[Piece, ...]]:
    """Return pieces in lines of at most so many cells, each character in its own look.

    Args:
        pieces: Running text; newlines in it break.
        cells: Width of a line.
    """
    text = "".join(piece.text for piece in pieces)
    found: list[tuple[Piece, ...]] = []
    at = 0
    for line in wrap(text, max(2, cells)):
        while at < len(text) and text[at] in " \n" and not text.startswith(line, at):
            at += 1
        if text.startswith(line, at):
            found.append(between(pieces, at, at + len(line)))
            at += len(line)
        else:
            found.append((replace(pieces[0], text=line),))
    return found


def chop_pieces(pieces: tuple[Piece, ...], cells: int) -> list[tuple[Piece, ...]]:
    """Return a line in lines of at most so many cells, broken anywhere; 0 leaves it as it is."""
    text = "".join(piece.text for piece in pieces)
    if not cells or not text:
        return [pieces]
    found: list[tuple[Piece, ...]] = []
    at = 0
    for line in chop(text, cells):
        found.append(between(pieces, at, at + len(line)))
        at += len(line)
    return found


def between(pieces: Sequence[Piece], start: int, end: int) -> tuple[Piece, ...]:
    """Return the pieces that hold the characters from one index to another."""
    found: list[Piece] = []
    at = 0
    for piece in pieces:
        if at >= end:
            break
        after = at + len(piece.text)
        if after > start:
            text = piece.text[max(0, start - at) : end - at]
            if text:
                found.append(replace(piece, text=text))
        at = after
    return tuple(found)


def tabs_out(text: str) -> str:
    """Return text with its tabs made blanks up to the next stop."""
    return text.expandtabs(TAB) if "\t" in text else text


def indented(lines: Iterable[Line], lead: Piece, rest: Piece | None = None) -> list[Line]:
    """Return lines with a piece in front: one for the first line, one for those after it."""
    found: list[Line] = []
    for line in lines:
        front = lead if not found or rest is None else rest
        found.append(replace(line, pieces=(front, *line.pieces)))
    return found


_QUIET = frozenset({Role.TEXT, Role.MUTED, Role.ACCENT})


def dimmed(lines: Iterable[Line], *, states: bool = True) -> list[Line]:
    """Return lines as text that the model no longer sees; states keep their colours.

    Args:
        lines: The lines.
        states: Whether amber tells a state in them; in a text it only marks code and figures.
    """
    quiet = _QUIET if states else _QUIET | {Role.WARNING}
    return [
        replace(line, pieces=tuple(_dim(piece, quiet) for piece in line.pieces)) for line in lines
    ]


def _dim(piece: Piece, quiet: frozenset[Role]) -> Piece:
    if piece.role in quiet:
        return replace(piece, role=Role.DIM, ansi=None)
    return piece


def brought_to(line: Line, cells: int, mark: str = ELLIPSIS, pad: int = 1) -> tuple[Piece, ...]:
    """Return the pieces of a line at exactly a pane's width, with its blank edges.

    Args:
        line: The line.
        cells: Width of the pane.
        mark: What stands where something was cut away.
        pad: Blank cells at the left and the right edge.
    """
    if cells <= 2 * pad:
        return fit(line.pieces, cells, mark)
    edge = Piece(" " * pad, cut=Cut.NEVER)
    return (edge, *fit(line.pieces, cells - 2 * pad, mark), edge)
