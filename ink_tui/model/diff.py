"""Line differences of two texts, for edits that a call asks for (`formats/ink.md` 4.6)."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

CONTEXT_LINES = 2
"""Equal lines shown before and after a change."""

_MATCHED_LINES = 200
"""More changed lines than this are not matched line by line: all out, then all in."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a difference."""

    sign: str
    """`-` removed, `+` added, a space for an equal line."""
    number: int
    """1-based line in the text it stands in: the old one for removed lines, else the new one."""
    text: str


def line_diff(old: str, new: str) -> tuple[DiffLine, ...]:
    """Return the changed lines of two texts with a little of what stands around them.

    Args:
        old: The text before; empty when it is new.
        new: The text after.
    """
    before, after = _lines(old), _lines(new)
    head, foot = _equal_ends(before, after)
    middle_old, middle_new = before[head : len(before) - foot], after[head : len(after) - foot]
    end = len(after) - foot
    above = range(max(0, head - CONTEXT_LINES), head)
    below = range(end, min(len(after), end + CONTEXT_LINES))
    return (
        *(DiffLine(" ", at + 1, after[at]) for at in above),
        *_changes(middle_old, middle_new, head),
        *(DiffLine(" ", at + 1, after[at]) for at in below),
    )


def counts(lines: tuple[DiffLine, ...]) -> tuple[int, int]:
    """Return how many lines a difference adds and removes."""
    return sum(line.sign == "+" for line in lines), sum(line.sign == "-" for line in lines)


def change_counts(old: str, new: str) -> tuple[int, int]:
    """Return how many lines the difference of two texts adds and removes.

    As `counts` of `line_diff`, without making it where no line can match another one.
    """
    before, after = _lines(old), _lines(new)
    head, foot = _equal_ends(before, after)
    gone, come = before[head : len(before) - foot], after[head : len(after) - foot]
    if set(gone).isdisjoint(come):
        return len(come), len(gone)
    return counts(tuple(_changes(gone, come, head)))


def _equal_ends(before: list[str], after: list[str]) -> tuple[int, int]:
    """Return how many lines two texts have in common at their start, and behind that at the end."""
    head = _common(before, after)
    limit = min(len(before), len(after)) - head
    return head, min(limit, _common(before[::-1], after[::-1])) if limit else 0


def _changes(old: list[str], new: list[str], head: int) -> list[DiffLine]:
    if len(old) > _MATCHED_LINES or len(new) > _MATCHED_LINES:
        gone = [DiffLine("-", head + at + 1, text) for at, text in enumerate(old)]
        return gone + [DiffLine("+", head + at + 1, text) for at, text in enumerate(new)]
    found: list[DiffLine] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for what, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if what == "equal":
            found.extend(DiffLine(" ", head + at + 1, new[at]) for at in range(new_from, new_to))
            continue
        found.extend(DiffLine("-", head + at + 1, old[at]) for at in range(old_from, old_to))
        found.extend(DiffLine("+", head + at + 1, new[at]) for at in range(new_from, new_to))
    return found


def _lines(text: str) -> list[str]:
    if not text:
        return []
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def _common(one: list[str], other: list[str]) -> int:
    """Return how many lines at the start are equal."""
    same = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        same += 1
    return same
