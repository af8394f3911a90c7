"""How much output of an agent is taken at a time, so that a slow terminal engine stays polite."""

from __future__ import annotations

READ_BYTES = 1 << 16
"""Most bytes taken from the terminal in one wake of the loop."""

MIN_READ_BYTES = 1 << 12
SLOW_SECONDS, QUICK_SECONDS = 0.03, 0.01


class ReadPace:
    """The bytes to take next: half as many after a slow turn, twice as many after a quick one.

    An engine in Python alone takes a tenth of a second for `READ_BYTES` of short rows, and the
    screen would stand still meanwhile.
    """

    def __init__(self) -> None:
        self.size = READ_BYTES

    def took(self, seconds: float) -> None:
        """Take note of how long the last bytes kept the loop busy."""
        if seconds > SLOW_SECONDS:
            self.size = max(self.size // 2, MIN_READ_BYTES)
        elif seconds < QUICK_SECONDS:
            self.size = min(self.size * 2, READ_BYTES)
