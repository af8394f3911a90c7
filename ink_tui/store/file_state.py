"""The state of a file as a value: whether it is still the file that was looked at."""

from __future__ import annotations

from dataclasses import dataclass

TAIL_BYTES = 64 * 1024
"""Bytes at the end of the file that the digest covers (`trust.md` 2.5)."""


@dataclass(frozen=True, slots=True)
class FileState:
    """Enough of a file's state to notice any change made by another program."""

    dev: int
    inode: int
    size: int
    """Bytes."""
    mtime_ns: int
    tail_digest: str
    """SHA-256 of the last 64 KiB, as hex."""
