"""When a terminal may be painted: at most 60 times a second, and not in the middle of a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

FRAME_SECONDS = 1 / 60
MAX_HOLD_SECONDS = 0.1
"""A child that begins a frame and does not end it is painted all the same after this time."""

END_OF_FRAME = b"\x1b[?2026l"


class PaintPacer:
    """Remembers the last paint and whether the child is drawing a frame (mode 2026)."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._painted = float("-inf")
        self._held: float | None = None

    def hold(self, held: bool) -> None:
        """Take note that the child begins or ends a frame; a begun frame is not begun again."""
        if not held:
            self._held = None
        elif self._held is None:
            self._held = self._clock()

    def delay(self) -> float:
        """Return the seconds until a paint is allowed, 0 for now."""
        now = self._clock()
        wait = self._painted + FRAME_SECONDS - now
        if self._held is not None:
            wait = max(wait, self._held + MAX_HOLD_SECONDS - now)
        return max(wait, 0.0)

    def painted(self) -> None:
        """Take note of a paint; a frame that was cut short gets its full time again."""
        self._painted = self._clock()
        if self._held is not None:
            self._held = self._painted


def split_at_frame_end(data: bytes) -> tuple[bytes, bytes]:
    """Return output up to the end of its last whole frame, and the rest; the first may be empty.

    Painting between the two shows a whole frame, even if the rest begins another one.
    """
    end = data.rfind(END_OF_FRAME)
    if end < 0:
        return b"", data
    end += len(END_OF_FRAME)
    return data[:end], data[end:]
