"""The footer: the actions of what has the focus, from the key table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.reactive import reactive

from ink_tui.tui.render.bars import footer_line
from ink_tui.tui.render.rows import Ground
from ink_tui.tui.widgets.line_bar import LineBar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.keymap import Context, FooterEntry, KeyAction, Keymap
    from ink_tui.tui.render.rows import Piece


class FooterBar(LineBar):
    """The last line of the screen."""

    GROUND = Ground.RAISED

    entries: reactive[tuple[FooterEntry, ...]] = reactive(())
    """What is offered, best first."""
    help_action: reactive[KeyAction | None] = reactive(None)
    """What stands at the right."""

    def show(self, keymap: Keymap, focus: Context, lead: Sequence[str] = ()) -> None:
        """Offer the actions of a context.

        Args:
            keymap: The table with the user's keys.
            focus: Context of the thing that has the focus.
            lead: Ids put before all others.
        """
        self.entries = keymap.footer(focus, lead)
        self.help_action = keymap.help_action(focus)

    def line(self, cells: int) -> tuple[Piece, ...]:
        """Return the footer at a width."""
        return footer_line(self.entries, cells, self.glyphs, self.help_action)
