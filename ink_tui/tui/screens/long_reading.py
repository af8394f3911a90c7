"""The reading of a whole session in a thread: it tells how far it is, and can be stopped."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class ReadingStopped(Exception):
    """Nobody waits for the session any more."""


class LongReading:
    """Made on the loop; `between` is called in the thread that reads."""

    def __init__(self, told: Callable[[int, int], None]) -> None:
        """Make it.

        Args:
            told: Takes, on the loop, how many bytes have been read and how many there are. It is
                not called for a session that is read in one piece.
        """
        self._loop = asyncio.get_running_loop()
        self._told = told
        self._tells = False
        self._stopped = False

    def stop(self) -> None:
        """End the reading before its next piece; what was read is kept for the next time."""
        self._stopped = True

    def between(self, done: int, size: int) -> None:
        """Tell how far the reading is.

        Args:
            done: Bytes that have been read.
            size: Bytes of the file; 0 while there is nothing to tell.

        Raises:
            ReadingStopped: It is to end here.
        """
        if self._stopped:
            raise ReadingStopped
        self._tells = self._tells or done < size
        if self._tells and size:
            self._loop.call_soon_threadsafe(self._tell, done, size)

    def _tell(self, done: int, size: int) -> None:
        if not self._stopped:
            self._told(done, size)
