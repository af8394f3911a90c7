"""A small Textual program on which the terminal harness is tried."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text
from textual.app import App, ComposeResult
from textual.widgets import Static

if TYPE_CHECKING:
    from textual import events

ROWS = {
    "chinese": "给解析器加上支持",
    "japanese": "READMEを書き直す",
    "emoji": "a🚀b",
    "joined": "a👩\u200d🚀b",
    "selector": "a❤\ufe0fb",
    "marks": "ae\u0301b",
    "box": "├╴┃╎╌",
}


class SampleApp(App[int]):
    """Shows every row between bars, which must stand below each other."""

    CSS = "Static { height: 1; } #log { dock: bottom; }"
    BINDINGS = [("q", "leave(0)", "quit"), ("x", "leave(7)", "fail")]

    def compose(self) -> ComposeResult:
        for name, text in ROWS.items():
            row = Text.assemble(
                (f"{name:10}", Style(color="#112233", bgcolor="#ffeedd", bold=True)), "|", text
            )
            row.pad_right(30 - row.cell_len)
            yield Static(Text.assemble(row, "|"))
        yield Static("keys:", id="log")

    def on_key(self, event: events.Key) -> None:
        self.query_one("#log", Static).update(f"keys: {event.key}.")

    def on_click(self, event: events.Click) -> None:
        self.query_one("#log", Static).update(f"click: {event.screen_x},{event.screen_y}.")

    def on_paste(self, event: events.Paste) -> None:
        self.query_one("#log", Static).update(f"paste: {event.text}.")

    def on_resize(self, event: events.Resize) -> None:
        self.query_one("#log", Static).update(f"size: {event.size.width}x{event.size.height}.")

    def action_leave(self, status: int) -> None:
        self.exit(return_code=status)


if __name__ == "__main__":
    app = SampleApp()
    app.run()
    sys.exit(app.return_code or 0)
