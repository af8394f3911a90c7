"""The lines over and under a message that is read by itself. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.keymap import display_key
from ink_tui.model.context import Origin
from ink_tui.model.context_table import described
from ink_tui.model.messages import UserMessage
from ink_tui.tui.render import figures
from ink_tui.tui.render.rows import Cut, Piece, Role, fit, line_width
from ink_tui.tui.render.state_pieces import own_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.keymap import FooterEntry
    from ink_tui.model.context import ContextMessage
    from ink_tui.tui.render.glyphs import Glyphs

_ORIGINS = {
    Origin.SUMMARY: "stands for what was left out",
    Origin.KEPT: "kept copy",
    Origin.SINCE: "",
}
_FRAMES = {
    "compaction": "Sent as a message of the user, in a frame that calls it a conversation summary.",
    "branch": "Sent as a message of the user, in a frame that calls it a branch summary.",
}
_GAP = 3


def message_head(
    item: ContextMessage, number: int, of: int, cells: int, glyphs: Glyphs
) -> tuple[tuple[Piece, ...], ...]:
    """Return what stands over a message: which one it is, its size, and how it is sent.

    Args:
        item: The message.
        number: Its place in the context, 1-based.
        of: Messages of the context.
        cells: Width of the dialog.
        glyphs: The set to draw with.
    """
    words = [described(item.message)[0], _ORIGINS[item.origin]]
    facts = own_words(" · ".join(word for word in words if word), glyphs)
    size = figures.counted(item.tokens, "token")
    right = (Piece(f"  about {size} ", Role.MUTED, cut=Cut.NEVER),)
    left = (
        Piece(f" message {number:,} of {of:,}", bold=True),
        Piece(f"  {facts}", Role.MUTED),
    )
    first = (*fit(left, cells - line_width(right), glyphs.ellipsis), *right)
    framed = item.message.framed if isinstance(item.message, UserMessage) else None
    said = _FRAMES.get(framed or "", "")
    return (
        fit(first, cells, glyphs.ellipsis),
        fit((Piece(f" {said}", Role.MUTED),), cells, glyphs.ellipsis),
    )


def hint_line(entries: Sequence[FooterEntry], cells: int, glyphs: Glyphs) -> tuple[Piece, ...]:
    """Return keys with their labels, whole ones only; each is a part that can be clicked."""
    shown: list[Piece] = [Piece(" ")]
    for entry in entries:
        pieces = [Piece(" " * (_GAP if len(shown) > 1 else 0))]
        for number, action in enumerate(entry.actions):
            key = display_key(action.keys[0], ascii_only=glyphs.ascii)
            pieces.append(Piece(f"{' ' if number else ''}{key}", Role.ACCENT, part=action.id))
        pieces.append(Piece(f" {entry.label}", Role.MUTED, part=entry.actions[0].id))
        if line_width(shown) + line_width(pieces) <= cells:
            shown += pieces
    return fit(shown, cells, glyphs.ellipsis)
