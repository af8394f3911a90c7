"""Ending from outside: a signal, or a terminal that is gone.

A terminal that still stands is restored by the application's own end. One that is gone cannot be
written to, and an application that tries waits for ever; then only what must not be left behind is
removed, and the process ends at once. The guards of running agents notice that and clear up.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from ink_tui.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from ink_tui.tui.app import InkTuiApp

WATCH_SECONDS = 1.0
"""How often the terminal is looked at: not every loss of one is told by a signal."""


class Ending:
    """Ends an application when the system asks for it."""

    def __init__(self, app: InkTuiApp, clear_up: Callable[[], None]) -> None:
        """Make it.

        Args:
            app: What is to be ended.
            clear_up: Removes what must not be left behind.
        """
        self._app = app
        self._clear_up = clear_up

    def watch(self) -> None:
        """Heed signals, and watch the terminal once the application runs."""
        signal.signal(signal.SIGHUP, self._heed)
        signal.signal(signal.SIGTERM, self._heed)
        self._app.when_ready = lambda: self._app.set_interval(WATCH_SECONDS, self._look)

    def _heed(self, number: int, _frame: FrameType | None) -> None:
        if not terminal_stands():
            self._vanish(number)
        self._app.call_later(self._app.exit)

    def _look(self) -> None:
        if not terminal_stands():
            self._vanish(signal.SIGHUP)

    def _vanish(self, number: int) -> NoReturn:
        with suppress(StoreError, OSError):
            self._clear_up()
        os._exit(128 + number)


def terminal_stands() -> bool:
    """Return whether the terminal that the program was started on is still there."""
    stdin = sys.__stdin__
    try:
        return stdin is not None and os.isatty(stdin.fileno())
    except (OSError, ValueError):
        return False
