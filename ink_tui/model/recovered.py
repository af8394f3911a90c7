"""Records that stand whole on lines that cannot be read (`trust.md` 2.3).

They are shown and can be copied into a new session, but they are none of the records that the
agent reads: they count in no figure of the file and never decide where it continues.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ink_tui.model.entries import Record


class RecoveredHow(StrEnum):
    """Why the line of a recovered record cannot be read."""

    GLUED = "glued"
    """The record shares its line with a fragment or with other records."""
    BEFORE_ZEROS = "zeros"
    """The record stands beside a run of zero bytes."""
    SPLIT = "split"
    """Line breaks stand raw inside one of its strings, so it covers several lines."""
    FIRST_LINE = "first-line"
    """The record stands where the header should be."""


@dataclass(frozen=True, slots=True)
class RecoveredRecord:
    """One whole record on a bad line."""

    record: Record
    """Its span is the exact place of its own bytes: no fragment, no zero byte, no last newline."""
    how: RecoveredHow
    lines: int = 1
    """Physical lines that it covers, from `record.span.line` on."""

    @property
    def note(self) -> str:
        """Where it was found, in words."""
        first = self.record.span.line
        if self.lines > 1:
            return f"recovered from lines {first:,} to {first + self.lines - 1:,}"
        return f"recovered from line {first:,}"
