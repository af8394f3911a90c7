"""Signals as facts that are looked at in safe places, so that no record is ever half handled.

A handler only notes what came. It raises at the prompt alone, where nothing is under way.
"""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType


class Ended(Exception):
    """A signal asks the program to end.

    Attributes:
        number: The signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(f"signal {number}")
        self.number = number


class Stops(Protocol):
    """What the loop asks about signals."""

    @property
    def wanted(self) -> bool:
        """Whether what is under way shall stop: Ctrl+C, or an order to end."""

    def take_interrupt(self) -> None:
        """Forget a Ctrl+C that has been dealt with.

        Raises:
            Ended: A signal asks the program to end.
        """


class Signals:
    """Handlers for SIGINT, SIGTERM, SIGHUP and SIGQUIT while it is entered."""

    ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)

    def __init__(self) -> None:
        self._interrupted = False
        self._ending: int | None = None
        self._at_prompt = False
        self._before: dict[int, object] = {}

    @property
    def wanted(self) -> bool:
        """Whether what is under way shall stop."""
        return self._interrupted or self._ending is not None

    def take_interrupt(self) -> None:
        """Forget a Ctrl+C that has been dealt with.

        Raises:
            Ended: A signal asks the program to end.
        """
        self._interrupted = False
        if self._ending is not None:
            raise Ended(self._ending)

    @contextmanager
    def raising(self) -> Iterator[None]:
        """Let signals raise `KeyboardInterrupt` or `Ended` inside the block: at the prompt.

        Raises:
            Ended: A signal has come before the block was entered.
        """
        self._at_prompt = True
        try:
            self.take_interrupt()
            yield
        finally:
            self._at_prompt = False

    def __enter__(self) -> Signals:
        for number in (signal.SIGINT, *self.ENDING):
            self._before[number] = signal.signal(number, self._note)
        # Nobody could wake us in a pane; a handler, unlike SIG_IGN, is not passed to commands.
        self._before[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, _do_nothing)
        return self

    def __exit__(self, *_: object) -> None:
        restore: Callable[..., object] = signal.signal
        for number, handler in self._before.items():
            restore(number, handler)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGINT:
            if self._at_prompt:
                raise KeyboardInterrupt
            self._interrupted = True
        else:
            self._ending = number
            if self._at_prompt:
                raise Ended(number)


def _do_nothing(_number: int, _frame: FrameType | None) -> None:
    """Take a signal without acting on it."""
