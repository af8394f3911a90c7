"""Code as lines of pieces: highlighted by roles, so that every theme and no colour can show it.

Pygments is loaded when the first code is drawn; the words of a language follow the one accent,
figures stand out, comments step back (`ui.md` section 1, point 2).
"""

from __future__ import annotations

from functools import lru_cache

from ink_tui.tui.render.rows import Piece, Role

HIGHLIGHT_CHARS = 8_000
"""Longer code is drawn plain: highlighting costs about 6 ms per 1,000 characters."""

_LOOKS: tuple[tuple[str, Role, bool], ...] = (
    ("Token.Comment", Role.DIM, False),
    ("Token.Keyword", Role.ACCENT, False),
    ("Token.Name.Function", Role.TEXT, True),
    ("Token.Name.Class", Role.TEXT, True),
    ("Token.Name.Tag", Role.ACCENT, False),
    ("Token.Literal.Number", Role.WARNING, False),
    ("Token.Literal.String.Doc", Role.DIM, False),
    ("Token.Literal.String", Role.MUTED, False),
    ("Token.Operator.Word", Role.ACCENT, False),
    ("Token.Generic.Deleted", Role.ERROR, False),
    ("Token.Generic.Inserted", Role.SUCCESS, False),
    ("Token.Generic.Heading", Role.TEXT, True),
)


def code_pieces(code: str, language: str) -> list[tuple[Piece, ...]]:
    """Return the lines of some code in pieces; a language that is not known is drawn plain.

    Args:
        code: Cleaned text, its tabs made blanks.
        language: The word after the fence, or a file name's ending.
    """
    lines = code.split("\n")
    if not language or len(code) > HIGHLIGHT_CHARS:
        return [(Piece(line),) if line else () for line in lines]
    found = _highlighted(code, language.lower())
    # A lexer may change line ends; if it did, its lines are not ours.
    if ["".join(piece.text for piece in line) for line in found] != lines:
        return [(Piece(line),) if line else () for line in lines]
    return list(found)


@lru_cache(maxsize=64)
def _highlighted(code: str, language: str) -> tuple[tuple[Piece, ...], ...]:
    from rich.syntax import Syntax  # 48 ms: only when there is code on the screen

    lexer = Syntax("", language).lexer
    if lexer is None:
        return tuple((Piece(line),) if line else () for line in code.split("\n"))
    lexer.stripnl = lexer.ensurenl = False
    lines: list[list[Piece]] = [[]]
    for kind, text in lexer.get_tokens(code):
        role, bold = _look(str(kind))
        for number, part in enumerate(text.split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append(Piece(part, role, bold=bold))
    return tuple(tuple(line) for line in lines)


@lru_cache(maxsize=256)
def _look(kind: str) -> tuple[Role, bool]:
    for start, role, bold in _LOOKS:
        if kind.startswith(start):
            return role, bold
    return Role.TEXT, False
