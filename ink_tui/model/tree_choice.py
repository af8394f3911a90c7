"""What a person has chosen to see of every tree: kinds of rows, and what stands at their right."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FilterMode(StrEnum):
    """What the tree shows."""

    DEFAULT = "default"
    NO_TOOLS = "no tools"
    USER_ONLY = "user only"
    LABELLED = "labelled"
    PROBLEMS = "problems"
    ALL = "all"
    """Also position markers and labels as records of their own."""


class TreeColumn(StrEnum):
    """What stands in the last column of the tree."""

    TIMES = "times"
    DURATIONS = "durations"
    """How long a call ran, and how long an answer was waited for."""
    BOTH = "durations and times"
    TOKENS = "tokens in and out"
    """What an answer was reported to have read and written (`formats/ink.md` 4.2)."""


@dataclass(frozen=True, slots=True)
class TreeChoice:
    """Filter and last column of the tree."""

    mode: FilterMode = FilterMode.DEFAULT
    column: TreeColumn = TreeColumn.TIMES


USUAL = TreeChoice()
"""What is seen where nothing was chosen."""
