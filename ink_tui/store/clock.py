"""The present, as everything that compares file times takes it."""

from __future__ import annotations

import time


def system_clock() -> int:
    """Return the present in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
