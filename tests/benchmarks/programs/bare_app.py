"""The reference of every start: a Textual application that shows one word and nothing else."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static

WORD = "barebareword"


class BareApp(App[None]):
    """One Static."""

    def compose(self) -> ComposeResult:
        yield Static(WORD)


if __name__ == "__main__":
    BareApp().run()
