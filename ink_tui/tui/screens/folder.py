"""Asking for the folder in which a session is to go on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work

from ink_tui.tui.screens.field import FieldScreen

if TYPE_CHECKING:
    from ink_tui.tui.render.glyphs import Glyphs


class FolderScreen(FieldScreen):
    """One field; the result is an absolute path of a folder that exists, or None."""

    def __init__(self, suggestion: str, *, glyphs: Glyphs) -> None:
        """Make the question.

        Args:
            suggestion: The folder that stands in the field at first.
            glyphs: The set to draw with.
        """
        hint = "The session is copied; the original stays as it is."
        super().__init__("Resume in another folder", suggestion, hint, glyphs=glyphs)

    def check_typed(self, typed: str) -> None:
        """Take a folder that exists."""
        self._look_for(typed)

    @work(exclusive=True)
    async def _look_for(self, typed: str) -> None:
        found = await asyncio.to_thread(_folder, typed)
        if found is not None:
            self.dismiss(found)
        else:
            self.say("There is no such folder.")


def _folder(typed: str) -> str | None:
    if not typed.strip():
        return None
    try:
        path = Path(typed.strip()).expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        return None
    return str(path) if path.is_dir() else None
