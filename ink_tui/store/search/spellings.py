r"""Which files spell characters as escapes, remembered while the program runs.

Agents write text as it is and escape only what they must: quotation marks, backslashes and control
characters. A file could still spell any letter as `\u0061`, and looking for that, too, makes the
first look at many files more than twice as slow. So it is asked once for each state of a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import os

SPELLED_SOURCE = r"\\u(?:[1-9a-fA-F]|0[1-9a-fA-F]|00[2-9a-fA-F])"
"""Finds every escape but those of control characters below a blank."""


class FileState(NamedTuple):
    """What tells one state of a file from another."""

    inode: int
    size: int
    mtime_ns: int


def state_of(status: os.stat_result) -> FileState:
    """Return the state that a status tells."""
    return FileState(status.st_ino, status.st_size, status.st_mtime_ns)


class Spellings:
    """Remembers of each state of a file whether it spells characters as escapes."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[FileState, bool]] = {}

    def spells(self, path: str, state: FileState) -> bool | None:
        """Return whether a file does; `None` when it was not asked in this state."""
        known = self._known.get(path)
        return known[1] if known is not None and known[0] == state else None

    def learn(self, path: str, state: FileState, *, spells: bool) -> None:
        """Remember what was found.

        Args:
            path: The file.
            state: Its state before it was looked at.
            spells: Whether it spells characters as escapes.
        """
        self._known[path] = (state, spells)
