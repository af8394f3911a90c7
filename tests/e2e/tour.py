"""A tour of every screen by keys and mouse, for the proofs that hold on all of them."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.e2e.terminal import Terminal

_QUIET = 0.04
"""Seconds without output after which a screen counts as drawn."""

_ALONE = 0.13
"""Seconds after which an escape is a key of its own and not the start of a longer one."""


def settle(terminal: Terminal, quiet: float = _QUIET, limit: float = 0.6) -> None:
    """Read until nothing was written for a while."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        seen = len(terminal.raw)
        with contextlib.suppress(AssertionError):
            terminal.wait_for("\0never shown", timeout=quiet)
        if len(terminal.raw) == seen:
            return


def press(terminal: Terminal, keys: str) -> None:
    """Press keys, parted by blanks, each drawn before the next."""
    for key in keys.split():
        terminal.send(key)
        settle(terminal, _ALONE if key == "escape" else _QUIET)


LIST = (
    ("!", "by urgency"),
    ("!", "by folder"),
    (".", ""),
    ("G g", ""),
    ("left", ""),
    ("right", ""),
    ("p P p", ""),
    ("?", "the list has the focus"),
    ("escape", ""),
)
"""Keys in the list, and what must be seen after them."""

DIALOGS = (
    ("r", "d details"),
    ("d", ""),
    ("pgdn pgup", ""),
    ("d a y", ""),
    ("escape", ""),
    ("f", "d details"),
    ("escape", ""),
    ("y", ""),
    ("ctrl+p", ""),
    ("down down", ""),
    ("escape", ""),
)
"""The dialogs that are opened on a session, each cancelled."""

TABS = (
    ("1", ""),
    ("G g", ""),
    ("v v v v v", ""),
    ("left right enter enter", ""),
    ("c C [ ] { }", ""),
    ("2", ""),
    ("g d", ""),
    ("d", ""),
    ("G d", ""),
    ("d a", ""),
    ("T w w l l h enter", ""),
    ("p P c [ ]", ""),
    ("space", "pause"),
    ("+ + $ 0 l l h -", ""),
    ("space escape", ""),
    ("3", "What the agent would be sent"),
    ("G g down enter", "esc close"),
    ("right left escape", ""),
    ("{ ] [ escape", ""),
    ("b", ""),
    ("tab c C escape", ""),
    ("4", ""),
    ("down down up enter", ""),
    ("?", "has the focus"),
    ("escape", ""),
    ("1", ""),
    ("f3 f4 f5 f6 f7 f8 f3", ""),
    ("t t t t o o o o", ""),
    ("F", "user turns"),
    ("escape", ""),
    ("=", ""),
    ("enter tab 2 1 escape escape", ""),
    ("1", ""),
)
"""Every view of a session."""

LAYOUT = (("z z", ""), ("ctrl+left ctrl+right", ""), ("tab shift+tab", ""), ("ctrl+r", ""))


def walk(terminal: Terminal, steps: Sequence[tuple[str, str]]) -> None:
    """Press the keys of each step and wait for what it must show."""
    for keys, shown in steps:
        press(terminal, keys)
        if shown:
            terminal.wait_for(shown)


def type_filter(terminal: Terminal, text: str) -> None:
    """Filter the list, then clear the filter."""
    press(terminal, "/")
    terminal.write(text)
    settle(terminal)
    press(terminal, "enter / escape escape")


def choose_theme(terminal: Terminal, name: str) -> None:
    """Choose a theme in the palette of commands."""
    press(terminal, "ctrl+p")
    terminal.write(name)
    settle(terminal)
    terminal.wait_for(f"{name}")
    press(terminal, "enter")


def resize(terminal: Terminal) -> None:
    """Draw at every size that has a layout of its own, and at one that has none."""
    for columns, lines in ((80, 24), (60, 20), (30, 8), (200, 60), (120, 36)):
        terminal.resize(columns, lines)
        settle(terminal)
    terminal.wheel(20, 10)
    terminal.wheel(80, 10)
    terminal.click(10, 8)
    settle(terminal)
