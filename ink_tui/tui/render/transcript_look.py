"""What the rows of a transcript depend on beside the block: place, glyphs, time, folds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import TYPE_CHECKING

from ink_tui.tui.render import figures
from ink_tui.tui.render.glyphs import UNICODE

if TYPE_CHECKING:
    from datetime import tzinfo

    from ink_tui.tui.render.find_marks import Marking
    from ink_tui.tui.render.glyphs import Glyphs

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

PART_CHARS = 16_000
"""Characters of one text that are laid out at once; the rest is a key away."""


class Depth(IntEnum):
    """How much of a block is shown."""

    HEAD = 0
    """One row."""
    PREVIEW = 1
    """Head and the last lines."""
    WHOLE = 2
    """Everything, a part at a time."""


@dataclass(frozen=True, slots=True)
class Fold:
    """How far a block is unfolded."""

    depth: Depth
    part: int = 0
    """Which part of a very long text is shown, 0-based."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a layout depends on beside the block and its fold."""

    cells: int
    """Width of the pane."""
    glyphs: Glyphs = UNICODE
    now: datetime = field(default=_EPOCH)
    zone: tzinfo = UTC
    cwd: str = ""
    """Folder that paths are shown relative to."""
    wrap: bool = True
    """Whether long lines of outputs go on in the next row; otherwise they are cut."""
    colours: bool = False
    """Whether outputs of tools are drawn in their own colours."""
    turns: int = 0
    """Turns of the transcript."""
    found: Marking | None = None
    """What a find in the session marks in the block; None where it found nothing."""


def moment_of(time_ms: int | None) -> datetime | None:
    """Return a time as a moment; `None` for one that no calendar holds."""
    try:
        return None if time_ms is None else _EPOCH + timedelta(milliseconds=time_ms)
    except OverflowError:
        return None


def time_of(time_ms: int | None, look: Look) -> str:
    """Return a time as the transcript writes it; empty for one that no calendar holds."""
    try:
        return figures.clock(moment_of(time_ms), look.now, look.zone)
    except (OverflowError, ValueError):
        return ""


def took(duration_ms: int | None) -> str:
    """Return a duration as the transcript writes it; empty below a tenth of a second."""
    return "" if duration_ms is None else figures.duration(duration_ms / 1000)


def parts_of(text: str) -> int:
    """Return in how many parts a text is shown."""
    return max(1, -(-len(text) // PART_CHARS))


def part_of(text: str, part: int) -> str:
    """Return one part of a text, 0-based."""
    return text[part * PART_CHARS : (part + 1) * PART_CHARS]


def next_fold(fold: Fold, parts: int, usual: Depth) -> Fold:
    """Return what `enter` makes of a fold: open, then part after part, then as it was.

    Args:
        fold: The fold now.
        parts: In how many parts the block is shown whole.
        usual: The depth that it has by itself.
    """
    if fold.depth is not Depth.WHOLE:
        return Fold(Depth.WHOLE)
    if fold.part + 1 < parts:
        return replace(fold, part=fold.part + 1)
    return Fold(Depth.HEAD if usual is Depth.WHOLE else usual)
