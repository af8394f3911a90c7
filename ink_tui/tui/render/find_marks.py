"""Marks on what was found: underlined where it stands in a row, or in the lines of a block.

What is drawn is not what the file holds: Markdown is laid out, lines are wrapped. So the found
texts themselves are looked for in what is drawn; one that goes on in the next line is found too.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ink_tui.model.text import clean
from ink_tui.tui.render.rows import Ground, Piece, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.find import Spot
    from ink_tui.tui.render.lines import Line
    from ink_tui.tui.render.rows import Row

CURRENT_GROUND = Ground.SELECTED
"""What lies under the hit that one stands on."""

_Place = tuple[int, int, int]
"""Line, start and end in characters of it."""


@dataclass(frozen=True, slots=True)
class Marking:
    """What is to be marked in one block."""

    words: tuple[str, ...]
    """What was found in it."""
    nth: int | None = None
    """Which place is the one that one stands on; `None` for none of this block."""
    of_end: int | None = None
    """Places that stand last, among which `nth` counts: those of an output, under its call."""


def marking_of(words: tuple[str, ...], spot: Spot | None, part_chars: int) -> Marking:
    """Return what to mark in a block.

    Args:
        words: What was found in it.
        spot: The hit that one stands on, if it is in this block.
        part_chars: Characters of a text that are drawn at once.
    """
    if spot is None:
        return Marking(words)
    text = spot.text
    if not text.starts:
        of_end = text.before + text.count if text.kind == "result" else None
        return Marking(words, text.before + spot.nth, of_end)
    nth = min(spot.nth, len(text.starts) - 1)
    part = text.starts[nth] // part_chars
    first = bisect_left(text.starts, part * part_chars)
    behind = bisect_left(text.starts, (part + 1) * part_chars)
    return Marking(words, nth - first, behind - first if text.kind == "result" else None)


def mark_block(
    head: tuple[Piece, ...], lines: Sequence[Line], marking: Marking
) -> tuple[tuple[Piece, ...], list[Line]]:
    """Return the text of a block's head and its lines, with marks on what was found.

    Args:
        head: The text of the head; empty for none.
        lines: The lines under it.
        marking: What to mark.
    """
    rows = [head, *(line.pieces for line in lines)]
    pattern = _pattern(marking.words)
    if pattern is None:
        return head, list(lines)
    places = _places(rows, pattern, max(map(len, marking.words)))
    current = -1
    if marking.nth is not None and places:
        skipped = 0 if marking.of_end is None else max(0, len(places) - marking.of_end)
        current = min(skipped + marking.nth, len(places) - 1)
    by_line: dict[int, list[tuple[int, int, bool]]] = {}
    for number, parts in enumerate(places):
        for line, start, end in parts:
            by_line.setdefault(line, []).append((start, end, number == current))
    marked = [
        _marked(pieces, sorted(by_line[number])) if number in by_line else pieces
        for number, pieces in enumerate(rows)
    ]
    under = [
        replace(line, pieces=marked[number + 1]) if number + 1 in by_line else line
        for number, line in enumerate(lines)
    ]
    return marked[0], under


def is_current(pieces: Sequence[Piece]) -> bool:
    """Whether a line holds the hit that one stands on."""
    return any(piece.underline and piece.ground is CURRENT_GROUND for piece in pieces)


def mark_row(row: Row, words: tuple[str, ...], count: int, inside: int, separator: str) -> Row:
    """Return a row of the tree with marks on what was found in its record.

    What its own text does not show is counted in its note.

    Args:
        row: The row as it is drawn.
        words: What was found.
        count: Hits in what the row stands for.
        inside: Hits in rows that are folded in it.
        separator: What stands between two notes.
    """
    pattern, shown = _pattern(words), 0
    if pattern is not None:
        spans = [match.span() for match in pattern.finditer(_text(row.text))]
        shown = len(spans)
        row = replace(row, text=_marked(row.text, [(*span, False) for span in spans]))
    said = f"{inside:,} found inside" if inside else ""
    if not inside and shown < count:
        said = f"{count:,} found"
    if not said:
        return row
    piece = Piece(said, Role.WARNING, underline=True)
    note = (*row.note, Piece(f" {separator} ", Role.DIM), piece) if row.note else (piece,)
    return replace(row, note=note, note_short=(piece,) if row.note_short is not None else None)


@lru_cache(maxsize=64)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return what finds some texts as they are drawn; the lines of one are found one by one."""
    drawn = {part.strip("\r\t") for word in words for part in clean(word).split("\n")}
    wanted = sorted((part for part in drawn if part.strip()), key=lambda part: (-len(part), part))
    return re.compile("|".join(map(re.escape, wanted))) if wanted else None


def _text(pieces: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def _places(
    rows: Sequence[tuple[Piece, ...]], pattern: re.Pattern[str], longest: int
) -> list[tuple[_Place, ...]]:
    """Return where a pattern stands in some lines, in order; of two parts where a line ends in it.

    Args:
        rows: The lines; the first one is a head, which nothing goes on from.
        pattern: What to look for.
        longest: Characters of the longest text that it finds.
    """
    found: list[tuple[_Place, ...]] = []
    texts = [_text(pieces) for pieces in rows]
    for number, text in enumerate(texts):
        taken = found[-1][1] if found and len(found[-1]) == 2 else None
        begin = taken[2] if taken is not None and taken[0] == number else 0
        spans = [match.span() for match in pattern.finditer(text, begin)]
        found += [((number, start, end),) for start, end in spans]
        if number and number + 1 < len(texts):
            across = _across(rows[number], text, rows[number + 1], texts[number + 1])
            over = _over(across, pattern, longest, spans[-1][1] if spans else begin)
            if over is not None:
                found.append(((number, *over[0]), (number + 1, *over[1])))
    return found


@dataclass(frozen=True, slots=True)
class _Seam:
    """The end of one line and the start of the next, without their edges."""

    first: str
    first_at: int
    after: str
    after_at: int


def _across(
    pieces: tuple[Piece, ...], text: str, next_pieces: tuple[Piece, ...], next_text: str
) -> _Seam:
    lead, next_lead = _lead(pieces), _lead(next_pieces)
    return _Seam(text[lead:].rstrip(), lead, next_text[next_lead:], next_lead)


def _lead(pieces: tuple[Piece, ...]) -> int:
    """Return how many characters stand before the text of a line: blanks, a rail."""
    front = pieces[0].text if pieces else ""
    if front.endswith(" ") and not any(char.isalnum() for char in front):
        return len(front)
    return len(front) - len(front.lstrip())


def _over(
    seam: _Seam, pattern: re.Pattern[str], longest: int, begin: int
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the two parts of what goes over the end of a line."""
    cut = max(0, len(seam.first) - longest, begin - seam.first_at)
    tail = seam.first[cut:]
    if not tail or not seam.after.strip():
        return None
    for between in ("", " "):
        joined = tail + between + seam.after[:longest]
        for match in pattern.finditer(joined):
            start, end = match.span()
            if start < len(tail) and end > len(tail) + len(between):
                here = cut + seam.first_at
                there = end - len(tail) - len(between) + seam.after_at
                return (here + start, here + len(tail)), (seam.after_at, there)
    return None


def _marked(pieces: tuple[Piece, ...], spans: Sequence[tuple[int, int, bool]]) -> tuple[Piece, ...]:
    """Return pieces with the characters of some spans underlined."""
    found: list[Piece] = []
    ends = [end for _start, end, _current in spans]
    at = 0
    for piece in pieces:
        begin, behind = at, at + len(piece.text)
        at = behind
        for start, end, current in spans[bisect_right(ends, begin) :]:
            if start >= behind:
                break
            if start > begin:
                found.append(_piece(piece, at - len(piece.text), begin, start))
            begin = max(begin, start)
            hit = _piece(piece, at - len(piece.text), begin, min(end, behind))
            ground = CURRENT_GROUND if current else piece.ground
            found.append(
                replace(
                    hit,
                    role=Role.WARNING,
                    ansi=None,
                    underline=True,
                    bold=current or piece.bold,
                    ground=ground,
                )
            )
            begin = min(end, behind)
        if begin < behind:
            found.append(_piece(piece, at - len(piece.text), begin, behind))
        elif not piece.text:
            found.append(piece)
    return tuple(found)


def _piece(piece: Piece, at: int, start: int, end: int) -> Piece:
    return replace(piece, text=piece.text[start - at : end - at])
