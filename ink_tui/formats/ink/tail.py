"""The state of the end of the file and what a repair would do to it (`formats/ink.md` 7.3, 7.4).

Only the last line may be judged here; anything bad before it is damage and stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.faults import Tail, TailState

if TYPE_CHECKING:
    from ink_tui.formats.ink.records import BadLine


@dataclass(frozen=True, slots=True)
class Rest:
    """The bytes after the last newline of a file."""

    offset: int
    """First of them, 0-based."""
    length: int
    blank: bool


def judge_tail(dropped: BadLine | None, rest: Rest | None, size: int) -> Tail:
    """Return the tail of a file.

    Args:
        dropped: The last line that is not blank, when Ink's parser refuses it.
        rest: The bytes after the last newline, if there are any.
        size: Bytes of the file.
    """
    if dropped is not None:
        start = dropped.span.offset
        return Tail(_state(dropped), "truncated", size - start, dropped.span, start)
    if rest is None:
        return Tail(TailState.OK, "none", 0, None, size)
    if rest.blank:
        # Blanks without a newline: Ink would glue its next record to them.
        return Tail(TailState.TORN_FRAGMENT, "truncated", rest.length, None, rest.offset)
    return Tail(TailState.UNTERMINATED, "unterminated", 1, None, size)


def _state(dropped: BadLine) -> TailState:
    if dropped.record is not None:
        return TailState.FOREIGN_TAIL if dropped.record.foreign else TailState.INVALID_TAIL
    if dropped.holds_record:
        return TailState.INVALID_TAIL
    return TailState.TORN_FRAGMENT
