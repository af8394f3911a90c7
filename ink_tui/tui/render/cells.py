"""Widths in terminal cells: measuring, cutting, padding and wrapping by grapheme clusters.

Every width on the screen comes from here, and here from the tables that Textual itself draws with,
so that what is laid out and what is drawn agree. A cluster is never cut in half; where only half of
a two-cell cluster would fit, a space takes its place, so results keep their width to the cell.
"""

from __future__ import annotations

from rich.cells import cell_len, split_graphemes

ELLIPSIS = "…"
"""Default mark of a cut; ASCII glyphs bring their own."""


def width(text: str) -> int:
    """Return the width of a text in cells."""
    return cell_len(text)


def graphemes(text: str) -> list[tuple[str, int]]:
    """Return the clusters of a text with their widths in cells."""
    spans, _ = split_graphemes(text)
    return [(text[start:end], cells) for start, end, cells in spans]


def head(text: str, cells: int) -> str:
    """Return the longest start of a text that is at most so many cells wide."""
    if cells <= 0:
        return ""
    if text.isascii():
        return text[:cells]
    end, used = 0, 0
    spans, _ = split_graphemes(text)
    for _, span_end, span_cells in spans:
        if used + span_cells > cells:
            break
        end, used = span_end, used + span_cells
    return text[:end]


def tail(text: str, cells: int) -> str:
    """Return the longest end of a text that is at most so many cells wide."""
    if cells <= 0:
        return ""
    if text.isascii():
        return text[-cells:]
    start, used = len(text), 0
    spans, _ = split_graphemes(text)
    for span_start, _, span_cells in reversed(spans):
        if used + span_cells > cells:
            break
        start, used = span_start, used + span_cells
    return text[start:]


def cut(text: str, cells: int, mark: str = ELLIPSIS) -> str:
    """Return the text, cut at its end with a mark inside the last cell if it is too wide."""
    if cells <= 0:
        return ""
    if width(text) <= cells:
        return text
    return head(text, cells - width(mark)) + mark if cells > width(mark) else head(mark, cells)


def cut_middle(text: str, cells: int, mark: str = ELLIPSIS) -> str:
    """Return the text, its middle replaced by a mark if it is too wide."""
    if cells <= 0:
        return ""
    if width(text) <= cells:
        return text
    room = cells - width(mark)
    if room <= 0:
        return head(mark, cells)
    end = tail(text, (room + 1) // 2)
    return head(text, room - width(end)) + mark + end


def cut_path(path: str, cells: int, mark: str = ELLIPSIS) -> str:
    """Return a path cut in the middle, keeping its last part as far as that fits."""
    if width(path) <= cells:
        return path
    at = max(path.rstrip("/\\").rfind("/"), path.rstrip("/\\").rfind("\\"))
    last = path[at:] if at > 0 else ""
    room = cells - width(mark) - width(last)
    if not last or room < 0:
        return cut_middle(path[at + 1 :] if at > 0 else path, cells, mark)
    return head(path[:at], room) + mark + last


def cut_around(text: str, start: int, cells: int, mark: str = ELLIPSIS) -> str:
    """Return a snippet around a hit, cut on both sides, the hit at 40 % of the width.

    Args:
        text: One line.
        start: Index of the hit's first character.
        cells: Width of the snippet.
        mark: What stands where something was cut away.
    """
    if width(text) <= cells:
        return text
    before = text[:start]
    wanted = max(0, cells * 2 // 5)
    if width(before) <= wanted:
        return cut(text, cells, mark)
    rest = text[start:]
    if width(rest) <= cells - max(wanted, width(mark)):
        lead = tail(before, cells - width(mark) - width(rest))
        return mark + lead + rest
    lead = tail(before, wanted - width(mark))
    shown = mark + lead
    if width(shown) >= cells:
        return cut(rest, cells, mark)
    return shown + cut(rest, cells - width(shown), mark)


def pad(text: str, cells: int, mark: str = ELLIPSIS) -> str:
    """Return the text at exactly this width: cut with a mark, or spaces added on the right."""
    shown = cut(text, cells, mark)
    return shown + " " * (cells - width(shown))


def pad_left(text: str, cells: int, mark: str = ELLIPSIS) -> str:
    """Return the text at exactly this width, at the right: cut with a mark, or spaces before."""
    shown = cut(text, cells, mark)
    return " " * (cells - width(shown)) + shown


def chop(text: str, cells: int) -> list[str]:
    """Return the text in pieces of at most so many cells, none of them empty.

    A cluster wider than the whole width becomes a question mark.
    """
    if cells <= 0:
        return []
    pieces: list[str] = []
    piece, used = "", 0
    for cluster, cluster_cells in graphemes(text):
        shown, shown_cells = (cluster, cluster_cells) if cluster_cells <= cells else ("?", 1)
        if used + shown_cells > cells:
            pieces.append(piece)
            piece, used = "", 0
        piece, used = piece + shown, used + shown_cells
    if piece:
        pieces.append(piece)
    return pieces


def wrap(text: str, cells: int) -> list[str]:
    """Return the text in lines of at most so many cells, broken at spaces where there are any.

    Newlines break too; the blanks at a break are dropped, all others kept. A word wider than a line
    is broken between clusters, and so is writing without spaces.
    """
    if cells <= 0:
        return []
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lines += _wrap_paragraph(paragraph, cells)
    return lines


def _wrap_paragraph(paragraph: str, cells: int) -> list[str]:
    if width(paragraph) <= cells:
        return [paragraph]
    lines: list[str] = []
    line, used = "", 0
    for word, gap in _words(paragraph):
        word_cells = width(word)
        if used + word_cells > cells and used:
            lines.append(line.rstrip(" "))
            line, used = "", 0
        if word_cells > cells:
            *full, word = chop(word, cells)
            lines += full
            word_cells = width(word)
        line, used = line + word + gap, used + word_cells + len(gap)
    lines.append(line.rstrip(" "))
    # Blanks at a break may reach over the edge; they are not drawn.
    return [head(each, cells) for each in lines]


def _words(paragraph: str) -> list[tuple[str, str]]:
    """Return the words with the blanks that follow each; blanks at the start are a word of none."""
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(paragraph):
        end = paragraph.find(" ", at)
        end = len(paragraph) if end < 0 else end
        gap_end = end
        while gap_end < len(paragraph) and paragraph[gap_end] == " ":
            gap_end += 1
        found.append((paragraph[at:end], paragraph[end:gap_end]))
        at = gap_end
    return found
