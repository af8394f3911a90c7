"""Markdown to lines of pieces: headings, lists, quotes, emphasis, code, tables, links as text.

HTML is shown literally, links are shown with their target and are never made clickable. Parsing is
for what is on the screen only (`performance.md` 2.3); markdown-it is loaded with the first text.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ink_tui.model.text import clean, one_line
from ink_tui.tui.render.cells import width
from ink_tui.tui.render.code_lines import code_pieces
from ink_tui.tui.render.inline_text import inline_pieces
from ink_tui.tui.render.lines import EMPTY_LINE, Line, chop_pieces, tabs_out, wrap_pieces
from ink_tui.tui.render.rows import Ground, Piece, Role, line_width
from ink_tui.tui.render.table_rows import table_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

    from ink_tui.tui.render.glyphs import Glyphs

TEXT_WIDTH = 100
"""Widest that running text is set, in cells (`ui.md` 2.3)."""

MARKDOWN_CHARS = 20_000
"""Longer text is drawn as it stands."""

_NESTING = 40
"""Deepest nesting of lists and quotes that is drawn as such."""


@lru_cache(maxsize=128)
def markdown_lines(text: str, cells: int, glyphs: Glyphs, *, wrap: bool = True) -> tuple[Line, ...]:
    """Return a text as lines of at most so many cells, 100 for running text.

    Args:
        text: Cleaned Markdown.
        cells: Width of the place it is drawn in.
        glyphs: Where bullets and rules come from.
        wrap: Break long lines of code; otherwise they stay longer than the place.
    """
    cells = max(8, cells)
    if len(text) > MARKDOWN_CHARS:
        return tuple(plain_lines(text, cells))
    from markdown_it import MarkdownIt  # 21 ms: only when there is text on the screen

    options = {"html": False, "maxNesting": _NESTING}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    tokens = parser.parse(text)
    # The parser drops what is nested deeper; nothing may vanish from the screen.
    if any(token.level >= _NESTING - 1 for token in tokens):
        return tuple(plain_lines(text, cells))
    return tuple(_Writer(cells, glyphs, wrap=wrap).write(tokens))


def plain_lines(text: str, cells: int, piece: Piece | None = None) -> list[Line]:
    """Return a text as it stands, wrapped; every line in the look of a piece."""
    look = piece or Piece("")
    found: list[Line] = []
    for paragraph in tabs_out(text).split("\n"):
        one = Piece(paragraph, look.role, look.bold, look.italic)
        found.extend(Line(line) for line in wrap_pieces([one], min(cells, TEXT_WIDTH)))
    return found


class _Writer:
    """Walks the flat list of tokens once; made for one text."""

    def __init__(self, cells: int, glyphs: Glyphs, *, wrap: bool) -> None:
        self._wrap = wrap
        self._cells = cells
        self._glyphs = glyphs
        self._lines: list[Line] = []
        self._fronts: list[Piece] = []
        """What stands before each line, outermost first."""
        self._marker: Piece | None = None
        """A bullet or number that the next line takes in place of its innermost front."""
        self._counters: list[int | None] = []
        """Next number of each open list; `None` for bullets."""
        self._fresh = True
        """Whether the next block follows directly: at the start, after a marker, in a list."""

    def write(self, tokens: Sequence[Token]) -> list[Line]:
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.type == "table_open":
                end = next(i for i in range(at, len(tokens)) if tokens[i].type == "table_close")
                self._table(tokens[at:end])
                at = end
            elif token.type == "inline":
                self._inline(token, tokens[at - 1])
            elif token.type in ("fence", "code_block"):
                self._code(token)
            elif token.type == "hr":
                self._gap()
                self._put((Piece(self._glyphs.rule * min(24, self._room), Role.HAIR),))
            else:
                self._structure(token)
            at += 1
        return self._lines

    def _structure(self, token: Token) -> None:
        """Open or close a list, an item or a quote."""
        if token.type in ("bullet_list_open", "ordered_list_open"):
            start = token.attrs.get("start", 1)
            ordered = token.type == "ordered_list_open"
            if not self._counters:
                self._gap()
            self._counters.append(int(start) if ordered else None)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._counters.pop()
            self._fresh = bool(self._counters)
        elif token.type == "list_item_open":
            self._open_item()
        elif token.type == "list_item_close":
            if self._marker is not None:
                self._put(())
            self._fronts.pop()
            self._fresh = True
        elif token.type == "blockquote_open":
            self._gap()
            self._push(Piece(f"{self._glyphs.divider} ", Role.HAIR))
            self._fresh = True
        elif token.type == "blockquote_close":
            self._fronts.pop()
            self._fresh = False

    def _push(self, front: Piece) -> None:
        """Put something before all lines to come; at most half of the width goes to fronts."""
        taken = sum(width(piece.text) for piece in self._fronts) + width(front.text)
        self._fronts.append(front if 2 * taken <= self._cells else Piece(""))

    def _open_item(self) -> None:
        if self._marker is not None:
            self._put(())
        number = self._counters[-1]
        if number is None:
            text = f"{self._glyphs.bullet} "
        else:
            text = f"{number}. "
            self._counters[-1] = number + 1
        self._push(Piece(" " * width(text)))
        self._marker = Piece(text, Role.ACCENT)
        self._fresh = True

    def _inline(self, token: Token, before: Token) -> None:
        heading = before.type == "heading_open"
        minor = heading and before.tag not in ("h1", "h2")
        if not before.hidden:
            self._gap()
        pieces = inline_pieces(token.children or [], bold=heading)
        if minor:  # its rank is told by its grey: there is one size of letters
            pieces = [
                replace(piece, role=Role.MUTED) if piece.role is Role.TEXT else piece
                for piece in pieces
            ]
        for line in wrap_pieces(pieces, min(self._room, TEXT_WIDTH)):
            self._put(line)
        self._fresh = before.hidden

    def _code(self, token: Token) -> None:
        self._gap()
        language = one_line(token.info).split(" ")[0] if token.type == "fence" else ""
        code = tabs_out(clean(token.content)).rstrip("\n")
        lines = code_pieces(code, language)
        digits = len(str(len(lines)))
        for number, pieces in enumerate(lines, 1):
            label = Piece(f"{number:>{digits}}  " if len(lines) > 1 else "", Role.DIM)
            room = max(4, self._room - width(label.text))
            fits = not self._wrap or line_width(pieces) <= room
            for part, shown in enumerate([pieces] if fits else chop_pieces(pieces, room)):
                front = label if part == 0 else Piece(" " * width(label.text))
                self._put((front, *shown), Ground.RAISED)

    def _table(self, tokens: Sequence[Token]) -> None:
        self._gap()
        rows: list[list[tuple[Piece, ...]]] = []
        aligned: list[str] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "th_open":
                aligned.append(str(token.attrs.get("style", "")).rpartition(":")[2])
            elif token.type == "inline":
                rows[-1].append(tuple(inline_pieces(token.children or [])))
        for line in table_lines(rows, aligned, self._room, self._glyphs):
            self._put(line)

    @property
    def _room(self) -> int:
        return max(8, self._cells - sum(width(piece.text) for piece in self._fronts))

    def _gap(self) -> None:
        if self._lines and not self._fresh:
            self._lines.append(Line(tuple(self._fronts)) if self._fronts else EMPTY_LINE)
        self._fresh = False

    def _put(self, pieces: Sequence[Piece], ground: Ground = Ground.PLAIN) -> None:
        fronts = list(self._fronts)
        if self._marker is not None:
            fronts[-1] = self._marker
            self._marker = None
        self._lines.append(Line((*fronts, *pieces), ground))
