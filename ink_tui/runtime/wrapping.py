"""Breaking the built-in agent's own rows by words, with a hanging indent. Pure.

A terminal breaks a long row wherever it ends, in the middle of a word and at the first column.
"""

from __future__ import annotations

import re
import unicodedata

_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_TRAILING = re.compile(r"(?:\x1b\[[0-9;]*m| +)+$")
_FRONT = re.compile(r" *(?:(?:\S+ )*?\S+ {2,}|! )?")
"""What a row starts with: blanks, and a label that two blanks part from its text, or a mark."""

_LONGEST = 24
"""Characters of a word that is still kept in one piece."""


def wrapped(text: str, columns: int) -> str:
    """Return rows broken at blanks, so that none is wider than so many cells.

    Rows that fit are unchanged. The rest of a row that does not stands under its text, not under
    its label. A word that is wider than that room is broken where it must be.

    Args:
        text: Rows, clean but for styles.
        columns: Width of the terminal in cells.
    """
    return "\n".join(_row(row, columns) for row in text.split("\n"))


def text_width(text: str) -> int:
    """Return the width of a text in cells, styles not counted."""
    return sum(map(_cells, _STYLE.sub("", text)))


def _row(row: str, columns: int) -> str:
    if columns < 1 or text_width(row) <= columns:
        return row
    front = _FRONT.match(_STYLE.sub("", row))
    indent = text_width(front.group()) if front is not None else 0
    if indent * 2 > columns:
        indent = 0
    done = ""
    line, used = "", 0
    for piece, cells in _pieces(row, columns - indent):
        blank = not piece.strip(" ")
        word = not blank and not piece.startswith("\x1b")
        if word and used + cells > columns and used > indent:
            # A blank behind the last column would make the terminal begin a row of its own.
            done += _TRAILING.sub(lambda found: found.group().replace(" ", ""), line) + "\n"
            line, used = " " * indent, indent
        if blank and cells and used <= indent and done:
            continue  # the blank at which the row was broken
        line += piece
        used += cells
    return done + line


def _pieces(row: str, room: int) -> list[tuple[str, int]]:
    """Return words, blanks, styles and wide characters with their widths; no word is wider."""
    found: list[tuple[str, int]] = []
    for piece in re.findall(r"\x1b\[[0-9;]*m| +|[^ \x1b]+", row):
        if piece.startswith("\x1b"):
            found.append((piece, 0))
        elif piece[0] == " ":
            found.append((piece, len(piece)))
        else:
            found.extend(_word(piece, room))
    return found


def _word(word: str, room: int) -> list[tuple[str, int]]:
    """Return a word, parted at its wide characters and, where it is too long, anywhere."""
    parts: list[tuple[str, int]] = []
    text, cells = "", 0
    long = len(word) > _LONGEST or text_width(word) > room
    for char in word:
        wide = _cells(char)
        if wide and text and (long or wide == 2 or _cells(text[-1]) == 2):
            parts.append((text, cells))
            text, cells = "", 0
        text += char
        cells += wide
    return [*parts, (text, cells)]


def _cells(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
