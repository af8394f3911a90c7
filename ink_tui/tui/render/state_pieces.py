"""States as pieces: the glyph and the colour of a mark, and our own words in the glyphs in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.words import Mark
from ink_tui.tui.render.rows import Cut, Piece, Role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.tui.render.glyphs import Glyphs

MARK_ROLES: Mapping[Mark, Role] = {
    Mark.NONE: Role.MUTED,
    Mark.LIVE: Role.SUCCESS,
    Mark.DECIDE: Role.WARNING,
    Mark.DAMAGED: Role.WARNING,
    Mark.FAILED: Role.ERROR,
}
"""The colour that repeats a mark."""


def mark_glyph(mark: Mark, glyphs: Glyphs) -> str:
    """Return the glyph of a mark; empty for none."""
    return {
        Mark.NONE: "",
        Mark.LIVE: glyphs.live,
        Mark.DECIDE: glyphs.decide,
        Mark.DAMAGED: glyphs.damaged,
        Mark.FAILED: glyphs.failed,
    }[mark]


def mark_piece(mark: Mark, glyphs: Glyphs) -> tuple[Piece, ...]:
    """Return the mark in its colour; nothing for none."""
    glyph = mark_glyph(mark, glyphs)
    return (Piece(glyph, MARK_ROLES[mark], bold=True),) if glyph else ()


def star_piece(glyphs: Glyphs) -> Piece:
    """Return the star before the text of what the user has starred."""
    return Piece(f"{glyphs.star} ", Role.ACCENT, cut=Cut.NEVER)


def own_words(text: str, glyphs: Glyphs) -> str:
    """Return words of ours in the glyphs in use: separators, quotes and arrows in ASCII as well."""
    if not glyphs.ascii or text.isascii():
        return text
    for glyph, plain in (
        ("·", glyphs.separator),
        ("→", glyphs.arrow),
        ("…", glyphs.ellipsis),
        ("“", '"'),
        ("”", '"'),
        ("−", glyphs.minus),  # noqa: RUF001  (the glyph meant)
    ):
        text = text.replace(glyph, plain)
    return text
