"""Exporting the session at hand to a file, after the format was asked for."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.errors import InkTuiError
from ink_tui.model.text import one_line
from ink_tui.store.export import FORMATS, export_beside, session_folders, taken_out
from ink_tui.tui.render.question_rows import STAY, export_question
from ink_tui.tui.screens.question import QuestionScreen

if TYPE_CHECKING:
    from ink_tui.tui.screens.reading import ReadingScreen
    from ink_tui.tui.services import Services


class Exporting:
    """Asks for the format, then writes a new file into the current folder; never over another."""

    def __init__(self, services: Services, screen: ReadingScreen) -> None:
        """Make it.

        Args:
            services: The outside world.
            screen: The main screen: it shows the question and the note.
        """
        self.services = services
        self.screen = screen

    def ask(self, path: str) -> None:
        """Ask for the format of an export of a session, then write it."""
        self.screen.run_worker(self._ask(path), group="export", exclusive=True)

    async def _ask(self, path: str) -> None:
        services = self.services
        folder = services.cwd or services.home
        title, sentences, choices = export_question(self._short(folder))
        question = QuestionScreen(
            title,
            sentences,
            choices,
            default=FORMATS[0],
            cancelled=STAY,
            glyphs=services.glyphs,
            keymap=self.screen.keymap,
        )
        chosen = await self.screen.app.push_screen_wait(question)
        if chosen not in FORMATS:
            return
        roots = session_folders(path, [Path(root) for root in services.library.roots])
        try:
            target, export = await asyncio.to_thread(
                export_beside, path, chosen, Path(folder), roots, home=services.home or None
            )
        except InkTuiError as error:
            self.screen.tell(str(error), error=True)
            return
        place = self._short(str(target))
        self.screen.tell(f"Exported to {place}: {taken_out(export.counts)}. Read it first.")

    def _short(self, path: str) -> str:
        home = self.services.home
        return one_line(f"~{path[len(home) :]}" if home and path.startswith(f"{home}/") else path)
