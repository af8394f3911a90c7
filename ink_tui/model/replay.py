"""The replay of a transcript: when each record comes, and what stands on the timeline.

Pure: time is an argument everywhere, so a replay can be played through in a test without waiting.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.transcript import CompactionBody, ToolBody, TurnBody

if TYPE_CHECKING:
    from ink_tui.model.transcript import Block, Transcript

LONGEST_WAIT = 2.0
"""Seconds that a gap takes at most at speed 1; the real gap is kept as text."""

SHORTEST_WAIT = 0.05
"""Seconds between records that carry the same time."""

UNKNOWN_WAIT = 0.5
"""Seconds before a record whose distance to the one before is not known."""

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)


class Mark(StrEnum):
    """What a record is on the timeline; the first of these that fits is drawn."""

    PROBLEM = "problem"
    FAILED = "failed"
    COMPACTION = "compaction"
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class Step:
    """One record of a replay."""

    wait: float
    """Seconds at speed 1 from the record before to this one."""
    gap: str
    """The real distance in words, such as `38m`; empty where it was not shortened."""
    time_ms: int | None
    """The record's own time; where it has none, that of the last one that has."""
    mark: Mark | None
    key: str
    """Key of its first block; empty for a record without one, such as a result."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """All records of a replay in reading order."""

    steps: tuple[Step, ...]

    @property
    def last(self) -> int:
        """The last position; position 0 shows nothing."""
        return len(self.steps)

    def next_mark(self, position: int, *marks: Mark) -> int:
        """Return the position of the next record with such a mark, else the same position."""
        for at in range(position + 1, self.last + 1):
            if self.steps[at - 1].mark in marks:
                return at
        return position

    def previous_mark(self, position: int, *marks: Mark) -> int:
        """Return the position of the nearest earlier record with such a mark, else the same."""
        for at in range(min(position, self.last + 1) - 1, 0, -1):
            if self.steps[at - 1].mark in marks:
                return at
        return position


@dataclass(frozen=True, slots=True)
class Playback:
    """Where a replay stands."""

    position: int = 0
    """How many records have been reached."""
    playing: bool = True
    speed: float = 1.0
    following: bool = False
    """At the end, and to go on with what is appended."""

    def at(self, position: int, schedule: Schedule) -> Playback:
        """Return the playback moved to a position, inside the schedule."""
        inside = max(0, min(schedule.last, position))
        return replace(self, position=inside, following=self.following and inside == schedule.last)

    def toggled(self) -> Playback:
        """Return it paused, or playing on."""
        return replace(self, playing=not self.playing)

    def faster(self) -> Playback:
        """Return it at the next speed up."""
        return replace(self, speed=next((s for s in SPEEDS if s > self.speed), SPEEDS[-1]))

    def slower(self) -> Playback:
        """Return it at the next speed down."""
        return replace(self, speed=next((s for s in reversed(SPEEDS) if s < self.speed), SPEEDS[0]))

    def at_end(self, schedule: Schedule) -> Playback:
        """Return it at the end, following what is appended."""
        return replace(self, position=schedule.last, playing=True, following=True)

    def wait(self, schedule: Schedule) -> float | None:
        """Return the seconds until the next record comes; `None` when none comes by itself."""
        if not self.playing or self.position >= schedule.last:
            return None
        return schedule.steps[self.position].wait / self.speed


def build_schedule(transcript: Transcript) -> Schedule:
    """Return when each record of a transcript comes."""
    first: dict[int, Block] = {}
    marks: dict[int, Mark] = {}
    times: dict[int, int] = {}
    for block in transcript.blocks:
        first.setdefault(block.step, block)
        if block.time_ms is not None:
            times.setdefault(block.step, block.time_ms)
        mark = _mark(block)
        step = _result_step(block) if mark is Mark.FAILED else block.step
        if mark is not None and _rank(mark) < _rank(marks.get(step)):
            marks[step] = mark
        _result_time(block, times)
    steps: list[Step] = []
    last_ms: int | None = None
    for number in range(1, transcript.steps + 1):
        now_ms = times.get(number)
        wait, gap = _distance(last_ms, now_ms)
        last_ms = now_ms if now_ms is not None else last_ms
        here = first.get(number)
        key = here.key if here is not None else ""
        steps.append(Step(wait if number > 1 else 0.0, gap, last_ms, marks.get(number), key))
    return Schedule(tuple(steps))


def gap_text(seconds: float) -> str:
    """Return a distance in its largest unit: `12s`, `38m`, `3h`, `2d`."""
    whole = round(seconds)
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if whole >= size:
            return f"{whole // size}{unit}"
    return f"{whole}s"


def _distance(before_ms: int | None, now_ms: int | None) -> tuple[float, str]:
    if before_ms is None or now_ms is None:
        return UNKNOWN_WAIT, ""
    seconds = (now_ms - before_ms) / 1000
    if seconds > LONGEST_WAIT:
        return LONGEST_WAIT, gap_text(seconds)
    return max(SHORTEST_WAIT, seconds), ""


def _result_time(block: Block, times: dict[int, int]) -> None:
    """Note the time of the record that holds a call's result; it has no block of its own."""
    body = block.body
    if not isinstance(body, ToolBody) or body.result_step is None or block.time_ms is None:
        return
    if body.duration_ms is not None:
        times.setdefault(body.result_step, block.time_ms + body.duration_ms)


def _result_step(block: Block) -> int:
    """Return the position at which it is seen that a call failed."""
    body = block.body
    return (body.result_step if isinstance(body, ToolBody) else None) or block.step


def _mark(block: Block) -> Mark | None:
    if block.is_problem:
        return Mark.PROBLEM
    if block.is_failure:
        return Mark.FAILED
    if isinstance(block.body, CompactionBody):
        return Mark.COMPACTION
    return Mark.TURN if isinstance(block.body, TurnBody) else None


def _rank(mark: Mark | None) -> int:
    order = list(Mark)
    return order.index(mark) if mark is not None else len(order)
