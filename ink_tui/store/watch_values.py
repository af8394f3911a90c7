"""What a watch tells."""

from __future__ import annotations

from dataclasses import dataclass

POLL_SECONDS = 2.0
"""Time between two looks at what no event tells of."""


@dataclass(frozen=True, slots=True)
class Changes:
    """One batch of news from the file system."""

    files: frozenset[str]
    """Session files that were written, created or removed."""
    folders: bool
    """A full look is due: folders may have come or gone, or nothing tells what changed."""


@dataclass(frozen=True, slots=True)
class WatchState:
    """How changes are noticed at the moment."""

    word: str
    """`watching` or `polling every 2 s`."""
    reason: str = ""
    """Why it is not plain watching."""
