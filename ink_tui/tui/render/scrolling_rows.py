"""The frame of a dialog that only tells: title, way out, as much of its text as fits. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.tui.render.dialog_rows import (
    BODY_COLUMNS,
    RAISED_BLANK,
    DialogRows,
    dialog_width,
    key_name,
    lines_of,
    more_row,
    raised,
    side_pad,
)
from ink_tui.tui.render.rows import Cut, Piece, Role

if TYPE_CHECKING:
    from ink_tui.keymap import Keymap
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.rows import Row

_ROOMY_FROM = 20
"""Screens of fewer lines have no blank lines around the text."""


def text_cells(screen: int, widest: int) -> int:
    """Return the width of the text on a screen of a width.

    Args:
        screen: Cells of the screen.
        widest: Cells that the dialog takes where there is room for it.
    """
    # The scroll bar takes a cell; one more parts it from the text.
    return max(1, dialog_width(screen, widest) - 2 * side_pad(screen) - 2)


def scrolling_rows(
    title: str,
    beside: str,
    body: tuple[Row, ...],
    screen: tuple[int, int],
    widest: int,
    glyphs: Glyphs,
    keymap: Keymap,
) -> DialogRows:
    """Return a dialog that tells something, laid out for a screen.

    Args:
        title: What it is.
        beside: What it is about, beside the title.
        body: What is told, for a text of `text_cells`.
        screen: Width and height of the screen in cells.
        widest: Cells that the dialog takes where there is room for it.
        glyphs: The set to draw with.
        keymap: The table with the user's keys.
    """
    high = screen[1]
    close = key_name(keymap, "cancel", glyphs)
    head: tuple[Row, ...] = (
        raised(
            Piece(title, bold=True),
            Piece(f"   {beside}", Role.MUTED),
            note=(
                Piece(close, Role.ACCENT, part="cancel", cut=Cut.NEVER),
                Piece(" close", Role.MUTED, part="cancel", cut=Cut.NEVER),
            ),
        ),
    )
    pad = 1 if high >= _ROOMY_FROM else 0
    if pad:
        head += (RAISED_BLANK,)
    room = max(1, high - 2 * pad - lines_of(head))
    foot: tuple[Row, ...] = ()
    if lines_of(body) > room:
        foot = (more_row(keymap, glyphs),)
        room = max(1, room - 1)
    return DialogRows(
        width=dialog_width(screen[0], widest),
        pad=pad,
        side=side_pad(screen[0]),
        head=head,
        body=body,
        body_lines=min(lines_of(body), room),
        foot=foot,
        foot_columns=BODY_COLUMNS,
    )
