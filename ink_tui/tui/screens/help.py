"""Help for what has the focus: its keys, the marks, the words (`ui.md` 5.1 and 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.keymap import DEFAULT_KEYMAP, Context, Keymap
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.help_rows import help_rows
from ink_tui.tui.screens.scrolling_dialog import ScrollingDialog

if TYPE_CHECKING:
    from ink_tui.tui.render.dialog_rows import DialogRows


class HelpScreen(ScrollingDialog):
    """Help, built from the key table; it scrolls where it does not fit."""

    def __init__(
        self,
        focus: Context,
        *,
        glyphs: Glyphs = UNICODE,
        keymap: Keymap = DEFAULT_KEYMAP,
        watch_reason: str = "",
    ) -> None:
        """Make help.

        Args:
            focus: Context of the thing that has the focus.
            glyphs: The set to draw with.
            keymap: The table with the user's keys.
            watch_reason: Why the watch state is what it is; empty says nothing.
        """
        super().__init__("", glyphs, keymap)
        self.focus_context = focus
        self.watch_reason = watch_reason

    def dialog_rows(self, screen: tuple[int, int]) -> DialogRows:
        """Return help laid out for a screen."""
        return help_rows(self.focus_context, screen, self.glyphs, self.keymap, self.watch_reason)
