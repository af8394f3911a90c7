"""The application: it owns theme, key map and the first screen, and nothing else."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.tui.screens.browser import BrowserScreen
from ink_tui.tui.services import Leave, Services
from ink_tui.tui.themes import DEFAULT_THEME, register_themes
from ink_tui.tui.widgets.bindings import textual_keymap
from ink_tui.tui.widgets.early_keys import EarlyKeysApp

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.screen import Screen

    from ink_tui.tui.screens.preflight import PreflightScreen


class InkTuiApp(EarlyKeysApp[Leave], inherit_bindings=False):
    """Browse sessions and the agents that continue them."""

    TITLE = "ink-tui"
    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "styles/app.tcss"

    def __init__(self, services: Services) -> None:
        """Make the application.

        Args:
            services: The outside world.
        """
        super().__init__()
        self.services = services
        self.when_ready: Callable[[], object] | None = None
        """Called once the application runs."""
        self.crash: str | None = None
        """Kinds and places of the error that ended the program, without any value; None if none."""
        register_themes(self)
        wanted = services.config.ui.theme
        self.theme = wanted if wanted in self.available_themes else DEFAULT_THEME

    def _fatal_error(self) -> None:
        """End after an error of ours, remembering where it was.

        Textual's own version prints the values of local variables, and text of sessions with them
        (`trust.md` 2.8); there is no public way to change that.
        """
        error = sys.exc_info()[1]
        self.crash = "" if error is None else _places(error)
        self._close_messages_no_wait()

    def get_default_screen(self) -> Screen[None]:
        """Return the browser."""
        return BrowserScreen(self.services)

    def on_mount(self) -> None:
        """Put the user's own keys in place."""
        if self.when_ready is not None:
            self.when_ready()
        self.set_keymap(textual_keymap(self.services.config.keymap))

    async def on_preflight_screen_agent_wanted(self, message: PreflightScreen.AgentWanted) -> None:
        """Show the open preflight for another agent."""
        browser = self.screen_stack[0]
        if isinstance(browser, BrowserScreen):
            await browser.resuming.another_agent(message.screen, message.agent)

    def on_preflight_screen_undo_wanted(self, message: PreflightScreen.UndoWanted) -> None:
        """Undo the last change to the session that the open preflight is about."""
        browser = self.screen_stack[0]
        if isinstance(browser, BrowserScreen):
            browser.resuming.undo_in(message.screen)


def _places(error: BaseException) -> str:
    """Return kind and places of an error and of what caused it, without messages or values."""
    found: list[str] = []
    current: BaseException | None = error
    while current is not None and len(found) < 200:
        found.append(type(current).__name__)
        found.extend(
            f"  {Path(frame.filename).name}:{frame.lineno} in {frame.name}"
            for frame in traceback.extract_tb(current.__traceback__)
        )
        current = current.__cause__ or current.__context__
    return "\n".join(found)


def build_app(services: Services) -> InkTuiApp:
    """Return the application: the one factory for the command line, tests and pictures."""
    return InkTuiApp(services)
