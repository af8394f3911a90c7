"""The field that all texts are typed into."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from textual.widgets import Input

if TYPE_CHECKING:
    from textual.events import Key


class WordsInput(Input):
    """A field that also takes the joiners and tags of which emoji are made, typed one by one.

    Terminals send them as keys of their own, and Textual takes only what Python calls printable.
    """

    async def _on_key(self, event: Key) -> None:
        if _joins(event):
            event.stop()
            event.prevent_default()
            self.replace(event.character or "", *self.selection)


def is_typed(key: Key) -> bool:
    """Return whether a key stands for a character of a text."""
    return key.is_printable or _joins(key)


def _joins(key: Key) -> bool:
    char = key.character
    return char is not None and len(char) == 1 and unicodedata.category(char) == "Cf"
