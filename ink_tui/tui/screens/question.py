"""A small question with a few answers: quitting, undoing, a paste of many lines (`ui.md` 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.keymap import DEFAULT_KEYMAP, Keymap
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.question_rows import question_rows
from ink_tui.tui.screens.dialog_screen import DialogScreen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events

    from ink_tui.tui.render.dialog_rows import Choice, DialogRows


class QuestionScreen(DialogScreen[str]):
    """A question; the result is the id of an answer, `cancelled` when it was closed by `esc`."""

    def __init__(
        self,
        title: str,
        sentences: Sequence[str],
        choices: Sequence[Choice],
        *,
        default: str,
        cancelled: str,
        glyphs: Glyphs = UNICODE,
        keymap: Keymap = DEFAULT_KEYMAP,
    ) -> None:
        """Ask a question.

        Args:
            title: What is seen: `2 agents are running`.
            sentences: What it means, a paragraph each; foreign text is cleaned.
            choices: The answers; a letter as key answers at once.
            default: Id of the answer selected first; it can be chosen.
            cancelled: Id of the answer that `esc` gives.
            glyphs: The set to draw with.
            keymap: The table with the user's keys, for the keys that are shown.
        """
        super().__init__(default, glyphs, keymap)
        self.question = title
        self.sentences = tuple(sentences)
        self.choices = tuple(choices)
        self.cancelled = cancelled

    def dialog_rows(self, screen: tuple[int, int]) -> DialogRows:
        """Return the question laid out for a screen."""
        return question_rows(
            self.question,
            self.sentences,
            self.choices,
            self._selected,
            screen,
            self.glyphs,
            self.keymap,
        )

    def choose(self, option_id: str) -> None:
        """Give an answer, if it can be given."""
        if any(choice.id == option_id and choice.enabled for choice in self.choices):
            self.dismiss(option_id)

    def action_cancel(self) -> None:
        """Close the question as if it had not been asked."""
        self.dismiss(self.cancelled)

    def on_key(self, event: events.Key) -> None:
        """Give the answer whose own key was pressed."""
        for choice in self.choices:
            if choice.key and event.key == choice.key:
                event.stop()
                self.choose(choice.id)
                return
