"""Asking for the folder in which a session is to go on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ink_tui.keymap import Context
from ink_tui.tui.widgets.bindings import bindings_for

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ink_tui.tui.render.glyphs import Glyphs


class FolderScreen(ModalScreen[str | None]):
    """One field; the result is an absolute path of a folder that exists, or None."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for(Context.DIALOG)]
    DEFAULT_CSS = """
    FolderScreen {
        align: center middle;
        background: $background 60%;
        #folder {
            background: $surface;
            width: 76;
            max-width: 100%;
            height: auto;
            padding: 1 2;
        }
        Static { height: auto; }
        #folder-title { text-style: bold; }
        #folder-trouble { color: $warning; }
        #folder-hint { color: $foreground-muted; }
        Input, Input:focus {
            height: 1;
            border: none;
            padding: 0;
            margin: 1 0;
            background: $panel;
        }
    }
    """

    def __init__(self, suggestion: str, *, glyphs: Glyphs) -> None:
        """Make the question.

        Args:
            suggestion: The folder that stands in the field at first.
            glyphs: The set to draw with.
        """
        super().__init__()
        self.glyphs = glyphs
        self._input = Input(suggestion, id="folder-path", compact=True)
        self._trouble = Static("", id="folder-trouble", markup=False)

    def compose(self) -> ComposeResult:
        """Title, field, what is wrong with it, keys."""
        with Vertical(id="folder"):
            yield Static("Resume in another folder", id="folder-title", markup=False)
            yield self._input
            yield self._trouble
            hint = "The session is copied; the original stays as it is.  enter go on  esc cancel"
            yield Static(hint, id="folder-hint", markup=False)

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self._check(message.value)

    @work(exclusive=True)
    async def _check(self, typed: str) -> None:
        found = await asyncio.to_thread(_folder, typed)
        if found is not None:
            self.dismiss(found)
        else:
            self._trouble.update(f"{self.glyphs.decide} There is no such folder.")

    def action_cancel(self) -> None:
        """Close; nothing is changed."""
        self.dismiss(None)


def _folder(typed: str) -> str | None:
    if not typed.strip():
        return None
    try:
        path = Path(typed.strip()).expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        return None
    return str(path) if path.is_dir() else None
