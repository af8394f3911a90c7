"""The inside of a paragraph of Markdown: emphasis, code, links and images as pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.text import clean, one_line
from ink_tui.tui.render.rows import Piece, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token


def inline_pieces(tokens: Sequence[Token], *, bold: bool = False) -> list[Piece]:
    """Return the pieces of a paragraph; every text is cleaned again, entities may hold anything.

    Args:
        tokens: Children of an inline token.
        bold: Whether all of it is bold, as in a heading.
    """
    found: list[Piece] = []
    strong = emphasis = 0
    links: list[tuple[str, int]] = []
    for token in tokens:
        if token.type == "strong_open":
            strong += 1
        elif token.type == "strong_close":
            strong -= 1
        elif token.type in ("em_open", "em_close"):
            emphasis += 1 if token.type == "em_open" else -1
        elif token.type == "link_open":
            links.append((one_line(str(token.attrs.get("href", ""))), len(found)))
        elif token.type == "link_close":
            target, start = links.pop()
            shown = "".join(piece.text for piece in found[start:])
            if target and target not in (shown, f"mailto:{shown}"):
                found.append(Piece(f" ({target})", Role.MUTED))
        elif token.type in ("softbreak", "hardbreak"):
            found.append(Piece("\n" if token.type == "hardbreak" else " "))
        elif token.type == "code_inline":
            found.append(Piece(one_line(token.content), Role.WARNING, bold=bold))
        elif token.type == "image":
            target = one_line(str(token.attrs.get("src", "")))
            found.append(Piece(f"[image: {one_line(token.content)}] ({target})", Role.MUTED))
        elif token.type in ("s_open", "s_close"):
            found.append(Piece("~~"))
        elif token.content:
            role = Role.ACCENT if links else Role.TEXT
            text = clean(token.content).replace("\n", " ").replace("\t", " ")
            # Emphasis is bold as well: italics belong to thinking alone (`ui.md` 2.3).
            found.append(Piece(text, role, bold=bold or strong > 0 or emphasis > 0))
    return found
