"""The dialog of a clean-up: one page after the other, each asked or shown by the flow."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ink_tui.keymap import DEFAULT_KEYMAP, Keymap
from ink_tui.tui.render.cleanup_rows import Page, PageBody, page_body, page_rows
from ink_tui.tui.render.question_rows import TRASH
from ink_tui.tui.screens.dialog_screen import DialogScreen

if TYPE_CHECKING:
    from ink_tui.tui.render.dialog_rows import DialogRows
    from ink_tui.tui.render.transcript_look import Look

_READ_ON = "Read on: this is what would go."


class CleanupScreen(DialogScreen[None]):
    """Shows pages; `answer` waits for what is chosen on one, `update` shows one that goes on."""

    def __init__(
        self, page: Page, look: Look, *, home: str = "", keymap: Keymap = DEFAULT_KEYMAP
    ) -> None:
        """Open on a page.

        Args:
            page: The first page.
            look: Glyphs, present and zone.
            home: The user's home folder, written `~`.
            keymap: The table with the user's keys, for the keys that are shown.
        """
        super().__init__(page.default, look.glyphs, keymap)
        self.page = page
        self.chosen: str | None = None
        """Id of what was chosen on this page; None as long as nothing was."""
        self._look = look
        self._home = home
        self._asking = ""
        self._body: PageBody | None = None
        self._laid_out: tuple[Page, int] | None = None
        """The page and the width of the screen that the body is laid out for."""
        self._answered = asyncio.Event()

    # For the flow

    async def answer(self, page: Page) -> str:
        """Turn to a page and return the id of what is chosen on it."""
        self.turn_to(page)
        await self._answered.wait()
        assert self.chosen is not None
        return self.chosen

    def turn_to(self, page: Page) -> None:
        """Show another page from its start."""
        self.page = page
        self.chosen, self._asking, self._selected = None, "", page.default
        self._answered.clear()
        self._dialog.body.start_over()
        self._dialog.foot.forget_click()
        self.show()

    def update(self, page: Page) -> None:
        """Show how far the present page has come; what was chosen on it stays chosen."""
        self.page = page
        self.show()

    # What is shown

    def dialog_rows(self, screen: tuple[int, int]) -> DialogRows:
        """Return the page laid out for a screen."""
        laid_out = (self.page, screen[0])
        if self._body is None or self._laid_out != laid_out:
            self._body = page_body(self.page, screen[0], self._look, home=self._home)
            self._laid_out = laid_out
        return page_rows(
            self.page,
            self._body,
            self._selected,
            screen,
            self.glyphs,
            asking=self._asking,
            keymap=self.keymap,
        )

    def selection_moved(self) -> None:
        """What was asked about another choice is no longer asked."""
        self._asking = ""

    # What is chosen

    def choose(self, option_id: str) -> None:
        """Make a choice, if it can be made; what would go must have been on the screen."""
        if not any(choice.id == option_id and choice.enabled for choice in self.page.choices):
            return
        if option_id == TRASH and self.unseen():
            self._selected, self._asking = option_id, _READ_ON
            self.show()
            return
        self.chosen = option_id
        self._answered.set()

    def unseen(self) -> bool:
        """Scroll on in the list of what goes; return whether not all of it was seen yet."""
        body = self._dialog.body
        if body.read_through >= self._must_see:
            return False
        body.scroll_lines(body.read_through - body.scroll_offset.y)
        return True

    def action_choose_option(self) -> None:
        """Make the selected choice, but where `enter` has only just begun what it would stop."""
        if not self.page.under_way:
            super().action_choose_option()

    def action_cancel(self) -> None:
        """Make the choice that moves nothing, or nothing more."""
        self.choose(self.page.cancelled)
