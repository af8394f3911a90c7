"""A piece of a text around a hit, cleaned and on one line, for a row of results.

The hit begins at 40 % of the width; what does not fit is cut on both sides, never inside a
character of several parts. Only the line of the text in which the hit stands is shown.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.text import clean, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

CUT = "…"
_BEFORE = 0.4
_JOINERS = ("\u200d", "\ufe0f", "\ufe0e")
_WIDE = ("W", "F")


@dataclass(frozen=True, slots=True)
class Snippet:
    """One line, safe to draw."""

    text: str
    spans: tuple[tuple[int, int], ...]
    """Where hits stand in it, in characters; empty where they could not be told."""


def snippet(text: str, places: Sequence[tuple[int, int]], cells: int) -> Snippet:
    """Return the line of a text in which the first hit stands, cut to a width.

    Args:
        text: The whole text, not cleaned.
        places: Where hits stand in it, in order; without one, its beginning is shown.
        cells: The width to fill, in terminal cells as this module counts them.
    """
    first = places[0] if places else (_first_ink(text),) * 2
    reach = 4 * cells
    begin = text.rfind("\n", max(0, first[0] - reach), first[0]) + 1
    begin = begin or max(0, first[0] - reach)
    limit = min(len(text), max(first[1], first[0] + reach) if places else first[0] + reach)
    end = text.find("\n", min(first[1], limit), limit)
    end = limit if end < 0 else end
    end = min(end, first[0] + reach)
    cut_before, cut_after = begin > 0 and text[begin - 1] != "\n", end < len(text)
    cut_after = cut_after and text[end] != "\n"
    if not cut_after and text[end - 1 : end + 1] == "\r\n":
        end -= 1  # a part of the line end
    cleaned, spans = _cleaned(text, begin, end, [p for p in places if p[0] < end and p[1] > begin])
    blank = len(cleaned) - len(cleaned.lstrip(" "))
    if blank and not cut_before and (not spans or blank <= spans[0][0]):
        cleaned = cleaned[blank:]
        spans = [(start - blank, stop - blank) for start, stop in spans]
    return _fitted(cleaned.rstrip(" "), spans, cells, cut_before=cut_before, cut_after=cut_after)


def narrowed(wide: Snippet, cells: int) -> Snippet:
    """Return a snippet cut to fewer cells, its first hit at the same share of the width."""
    text, spans = wide.text, wide.spans
    before, after = text.startswith(CUT), len(text) > 1 and text.endswith(CUT)
    inner = text[before : len(text) - after]
    moved = [(start - before, end - before) for start, end in spans]
    return _fitted(inner, moved, cells, cut_before=before, cut_after=after)


def clusters(text: str) -> list[str]:
    """Return the characters as people see them: a base with all that is drawn on it."""
    if text.isascii():
        return list(text)
    found: list[str] = []
    flags = 0
    for char in text:
        flag = "\U0001f1e6" <= char <= "\U0001f1ff"
        joins = bool(found) and (
            unicodedata.category(char)[0] == "M"
            or char in _JOINERS
            or "\U0001f3fb" <= char <= "\U0001f3ff"
            or found[-1][-1] == "\u200d"
            or "\u1160" <= char <= "\u11ff"
            or (flag and flags % 2 == 1)
        )
        flags = flags + 1 if flag else 0
        if joins:
            found[-1] += char
        else:
            found.append(char)
    return found


def cluster_cells(cluster: str) -> int:
    """Return the terminal cells that one character of `clusters` takes, as far as can be told."""
    if "\ufe0f" in cluster or unicodedata.east_asian_width(cluster[0]) in _WIDE:
        return 2
    return 2 if cluster[0] >= "\U0001f1e6" and cluster[0] <= "\U0001f1ff" else 1


def _first_ink(text: str) -> int:
    """Return where the first character that is not blank stands."""
    return len(text) - len(text.lstrip())


def _cleaned(
    text: str, begin: int, end: int, places: Sequence[tuple[int, int]]
) -> tuple[str, list[tuple[int, int]]]:
    """Return a piece of a text on one clean line, and where the places stand in it."""
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    at, length = begin, 0
    for start, stop in places:
        start, stop = max(start, at), min(stop, end)
        if start >= stop:
            continue
        before, hit = one_line(text[at:start]), one_line(text[start:stop])
        pieces += [before, hit]
        spans.append((length + len(before), length + len(before) + len(hit)))
        length += len(before) + len(hit)
        at = stop
    pieces.append(one_line(text[at:end]))
    joined = "".join(pieces)
    # Pieces that are clean alone may not be so side by side, for example marks on one letter.
    return (joined, spans) if clean(joined) == joined else (one_line(text[begin:end]), [])


def _fitted(
    text: str,
    spans: Sequence[tuple[int, int]],
    cells: int,
    *,
    cut_before: bool,
    cut_after: bool,
) -> Snippet:
    parts = clusters(text)
    widths = [1] * len(parts) if text.isascii() else [cluster_cells(part) for part in parts]
    if sum(widths) + cut_before + cut_after <= cells:
        first, last = 0, len(parts)
    else:
        hit = _cluster_at(parts, spans[0][0]) if spans else 0
        end = _cluster_at(parts, spans[0][1] - 1) + 1 if spans else 0
        first, last = _window(widths, hit, end, cells)
        cut_before, cut_after = cut_before or first > 0, cut_after or last < len(parts)
    start = sum(map(len, parts[:first]))
    shown = "".join(parts[first:last])
    head = CUT if cut_before else ""
    shift = len(head) - start
    stop = start + len(shown)
    kept = tuple(
        (max(begin, start) + shift, min(end, stop) + shift)
        for begin, end in spans
        if begin < stop and end > start
    )
    return Snippet(head + shown + (CUT if cut_after else ""), kept)


def _cluster_at(parts: Sequence[str], place: int) -> int:
    at = 0
    for number, part in enumerate(parts):
        at += len(part)
        if at > place:
            return number
    return max(0, len(parts) - 1)


def _window(widths: Sequence[int], hit: int, end: int, cells: int) -> tuple[int, int]:
    """Return which clusters are shown so that the hit begins at 40 % of the width.

    A hit that would be cut there begins earlier, so that all of it is seen if there is room.

    Args:
        widths: Cells of each cluster.
        hit: The first cluster of the hit.
        end: The first one behind it.
        cells: The width to fill.
    """
    room = max(1, cells - 2)  # a mark on either side
    before = min(room * _BEFORE, max(0, room - sum(widths[hit:end])))
    first, used = hit, 0
    while first > 0 and used + widths[first - 1] <= before:
        first -= 1
        used += widths[first]
    last = hit
    while last < len(widths) and used + widths[last] <= room:
        used += widths[last]
        last += 1
    while first > 0 and used + widths[first - 1] <= room:
        first -= 1
        used += widths[first]
    return first, last
