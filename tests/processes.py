"""Waiting for processes that are not children of the tests."""

from __future__ import annotations

import os
import select


def ends(pid: int, seconds: float = 30) -> bool:
    """Return whether a process has ended, or does so in time; it need not have been collected.

    A killed process still runs for a moment, until it is scheduled. Take a process that would
    outlive the wait by itself.

    Args:
        pid: Its id.
        seconds: The longest wait.
    """
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)
