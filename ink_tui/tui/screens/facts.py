"""The facts of a session over the screen; they are counted in a thread."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ink_tui.errors import InkTuiError
from ink_tui.keymap import DEFAULT_KEYMAP, Keymap
from ink_tui.model.facts_words import Section, fact_sections
from ink_tui.model.session_facts import session_facts
from ink_tui.model.text import one_line
from ink_tui.store.reader import read_session
from ink_tui.tui.render.facts_rows import facts_rows
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.screens.scrolling_dialog import ScrollingDialog

if TYPE_CHECKING:
    from ink_tui.tui.render.dialog_rows import DialogRows

MOST_LINES = 500
"""Lines of one kind that are drawn; `show --facts` prints all."""


class FactsScreen(ScrollingDialog):
    """Files, commands, tools, turns, tokens and sizes; it scrolls where it does not fit."""

    def __init__(
        self,
        path: str,
        *,
        glyphs: Glyphs = UNICODE,
        keymap: Keymap = DEFAULT_KEYMAP,
    ) -> None:
        """Make it; the session is read once it is shown.

        Args:
            path: The session file.
            glyphs: The set to draw with.
            keymap: The table with the user's keys.
        """
        super().__init__("", glyphs, keymap)
        self.path = path
        self.title_shown = ""
        self.sections: tuple[Section, ...] | None = None
        self.trouble = ""

    def on_mount(self) -> None:
        """Show that the session is being read, and read it."""
        super().on_mount()
        self.run_worker(self._count(), exclusive=True)

    async def _count(self) -> None:
        try:
            self.title_shown, self.sections = await asyncio.to_thread(_facts_of, self.path)
        except InkTuiError as error:
            self.trouble = str(error)
        self.show()

    def dialog_rows(self, screen: tuple[int, int]) -> DialogRows:
        """Return the facts laid out for a screen."""
        return facts_rows(
            self.title_shown,
            self.sections,
            screen,
            self.glyphs,
            self.keymap,
            trouble=self.trouble,
        )


def _facts_of(path: str) -> tuple[str, tuple[Section, ...]]:
    """Return title and facts of a session; blocks, call it from a thread."""
    diagnosis, _state = read_session(path)
    sections = fact_sections(session_facts(diagnosis), MOST_LINES)
    return one_line(diagnosis.title) or "(no message yet)", sections
