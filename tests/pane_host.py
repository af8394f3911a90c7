"""A small app around one live pane, and waiting by events and polls with a deadline."""

from __future__ import annotations

import asyncio
import os
import sys
import textwrap
import time
from typing import TYPE_CHECKING

from textual import events
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.widgets import Static

from ink_tui.agent.engine_choice import load_engine
from ink_tui.agent.environment import child_environment
from ink_tui.agent.pty_process import launcher
from ink_tui.tui.widgets.terminal_pane import TerminalPane

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from textual.app import ComposeResult

    from ink_tui.agent.engine import EngineFactory
    from ink_tui.agent.pty_process import PtyProcess

DEADLINE = 10.0


async def until(true: Callable[[], object], what: str = "", seconds: float = DEADLINE) -> None:
    """Return as soon as `true()` holds; fail with `what` after the deadline."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"not within {seconds} s: {what or true}"
        await asyncio.sleep(0.005)


def python(script: str, *arguments: str) -> list[str]:
    """Return the command that runs a small script, quick to start."""
    return [sys.executable, "-S", "-E", "-I", "-c", textwrap.dedent(script), *arguments]


class PaneHost(App[None], inherit_bindings=False):
    """One pane and every message it posts, by name."""

    ENABLE_COMMAND_PALETTE = False
    CSS = "#beside { height: 1; } #beside:focus { color: red; }"

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: Path | str | None = None,
        leave_chord: str = "ctrl+right_square_bracket",
        engine: EngineFactory | None = None,
    ) -> None:
        super().__init__()
        self.heard: list[tuple[str, object]] = []
        start = launcher(argv, cwd, child_environment(os.environ))
        self.pane = TerminalPane(start, engine or load_engine(), leave_chord=leave_chord, id="pane")

    def compose(self) -> ComposeResult:
        yield self.pane
        beside = Static("beside", id="beside")
        beside.can_focus = True
        yield beside

    def on_mount(self) -> None:
        self.pane.focus()

    @property
    def process(self) -> PtyProcess:
        """The process of the pane, which must have been started."""
        assert self.pane.process is not None
        return self.pane.process

    def names(self) -> list[str]:
        """Return the names of the messages heard so far."""
        return [name for name, _ in self.heard]

    def on_terminal_pane_leave_chord(self) -> None:
        self.heard.append(("LeaveChord", None))

    def on_terminal_pane_menu_key(self, event: TerminalPane.MenuKey) -> None:
        self.heard.append(("MenuKey", event.key))

    def on_terminal_pane_keyboard_changed(self) -> None:
        self.heard.append(("Keyboard", self.pane.keyboard))

    def on_terminal_pane_exited(self, event: TerminalPane.Exited) -> None:
        self.heard.append(("Exited", event.state))

    def on_terminal_pane_titled(self, event: TerminalPane.Titled) -> None:
        self.heard.append(("Titled", event.title))

    def on_terminal_pane_bell(self) -> None:
        self.heard.append(("Bell", None))

    def on_terminal_pane_paste_asks(self, event: TerminalPane.PasteAsks) -> None:
        self.heard.append(("PasteAsks", event.text))

    def on_terminal_pane_input_refused(self) -> None:
        self.heard.append(("InputRefused", None))

    async def shown(self, text: str) -> None:
        """Wait until the pane shows a text."""
        await until(lambda: text in self.pane.screen_text(), f"the screen shows {text!r}")


def keys_of(data: str) -> list[events.Key]:
    """Parse what an outer terminal sends for one key."""
    parser = XTermParser()
    messages = [*parser.feed(data), *parser.feed("")]
    return [message for message in messages if isinstance(message, events.Key)]


async def press(host: PaneHost, *sent: str) -> None:
    """Send keys to the app the way its driver does, in the bytes of an outer terminal."""
    assert host._driver is not None
    for data in sent:
        for key in keys_of(data):
            key.set_sender(host)
            host._driver.send_message(key)
