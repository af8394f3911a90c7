"""The replay of a transcript: when each record comes, and what stands on the timeline.

Pure: time is an argument everywhere, so a replay can be played through in a test without waiting.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.tally import Tally
from ink_tui.model.transcript import CompactionBody, ToolBody, ToolState, TurnBody

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.transcript import Block, Transcript

LONGEST_WAIT = 2.0
"""Seconds that a gap takes at most at speed 1; the real gap is kept as text."""

SHORTEST_WAIT = 0.05
"""Seconds between records that carry the same time."""

UNKNOWN_WAIT = 0.5
"""Seconds before a record whose distance to the one before is not known."""

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)


class Mark(StrEnum):
    """What stands on the timeline; of several in one cell the first of these is drawn."""

    PROBLEM = "problem"
    FAILED = "failed"
    COMPACTION = "compaction"
    TURN = "turn"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class Step:
    """One record of a replay."""

    wait: float
    """Seconds at speed 1 from the record before to this one."""
    gap: str
    """The real distance in words, such as `38m`; empty where it was not shortened."""
    gap_s: float
    """The same in seconds; 0 where it was not shortened."""
    time_ms: int | None
    """The record's own time; where it has none, that of the last one that has."""
    key: str
    """Key of its first block; empty for a record without one, such as a result."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """All records of a replay in reading order, and what stands on their timeline."""

    steps: tuple[Step, ...]
    marks: tuple[tuple[int, Mark], ...] = ()
    """Each thing once, with the position at which it is seen, in the order of positions."""
    tally: Tally = field(default_factory=Tally)
    """How many marks of each kind there are."""
    running_ms: int | None = None
    """Time of the last call that an agent that is alive has not answered yet."""

    @property
    def last(self) -> int:
        """The last position; position 0 shows nothing."""
        return len(self.steps)

    def marks_at(self, position: int) -> tuple[Mark, ...]:
        """Return what is seen at a position."""
        first = bisect_left(self.marks, position, key=_position_of)
        behind = bisect_right(self.marks, position, key=_position_of)
        return tuple(mark for _position, mark in self.marks[first:behind])

    def next_mark(self, position: int, *marks: Mark) -> int | None:
        """Return the position of the next record with such a mark; `None` where there is none."""
        first = bisect_right(self.marks, position, key=_position_of)
        return next((at for at, mark in self.marks[first:] if mark in marks), None)

    def previous_mark(self, position: int, *marks: Mark) -> int | None:
        """Return the position of the nearest earlier record with such a mark, or `None`."""
        behind = bisect_left(self.marks, position, key=_position_of)
        return next((at for at, mark in reversed(self.marks[:behind]) if mark in marks), None)


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
    return _schedule(transcript, transcript.blocks, Schedule(()))


def grown_schedule(last: Schedule, before: Transcript, transcript: Transcript) -> Schedule:
    """Return what `build_schedule` does, with little work where the starts are the same.

    Args:
        last: The schedule of another transcript.
        before: That transcript.
        transcript: The one that is shown now.
    """
    same = 0
    for old, new in zip(before.blocks, transcript.blocks, strict=False):
        if old is not new:
            break
        same += 1
    # The last record with a known block may have got another one. Of those behind it nothing is
    # known: a record need not have a block.
    known = transcript.blocks[same - 1].step if same else 0
    kept = max(0, min(known, last.last, transcript.steps) - 1)
    start = Schedule(last.steps[:kept], tuple(each for each in last.marks if each[0] <= kept))
    reaching = [
        block
        for block in transcript.blocks
        if block.step > kept or ((_result_step(block) or 0) > kept)
    ]
    return _schedule(transcript, reaching, start)


def _schedule(transcript: Transcript, blocks: Sequence[Block], start: Schedule) -> Schedule:
    """Return the schedule of a transcript that goes on with a known start.

    Args:
        transcript: The transcript.
        blocks: Those of its blocks that tell something of the records behind the start.
        start: The schedule of the first records.
    """
    keys: dict[int, str] = {}
    marks: list[tuple[int, Mark]] = []
    times: dict[int, int] = {}
    known = start.last
    for block in blocks:
        step = block.step
        keys.setdefault(step, block.key)
        if block.time_ms is not None:
            times.setdefault(step, block.time_ms)
        marks.extend(_marks(block))
        _result_time(block, times)
    marks = sorted((each for each in marks if each[0] > known), key=_position_of)
    steps = list(start.steps)
    last_ms = steps[-1].time_ms if steps else None
    for number in range(known + 1, transcript.steps + 1):
        now_ms = times.get(number)
        wait, gap_s = _distance(last_ms, now_ms)
        last_ms = now_ms if now_ms is not None else last_ms
        gap = gap_text(gap_s) if gap_s else ""
        key = keys.get(number, "")
        steps.append(Step(wait if number > 1 else 0.0, gap, gap_s, last_ms, key))
    marks = [*start.marks, *marks]
    return Schedule(tuple(steps), tuple(marks), _tally(marks), _running(transcript))


def _tally(marks: Sequence[tuple[int, Mark]]) -> Tally:
    kinds = [mark for _position, mark in marks]
    return Tally(
        turns=kinds.count(Mark.TURN),
        calls=kinds.count(Mark.CALL),
        failed=kinds.count(Mark.FAILED),
        compactions=kinds.count(Mark.COMPACTION),
        problems=kinds.count(Mark.PROBLEM),
    )


def _running(transcript: Transcript) -> int | None:
    """Return the time of the last call that runs; only those of the last turn can."""
    for block in reversed(transcript.blocks):
        body = block.body
        if isinstance(body, TurnBody):
            break
        if isinstance(body, ToolBody) and body.state is ToolState.RUNNING:
            return block.time_ms
    return None


def gap_text(seconds: float) -> str:
    """Return a distance in its largest unit: `12s`, `38m`, `3h`, `2d`."""
    whole = round(seconds)
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if whole >= size:
            return f"{whole // size}{unit}"
    return f"{whole}s"


def _distance(before_ms: int | None, now_ms: int | None) -> tuple[float, float]:
    """Return the seconds to wait, and how many there really were where that is less."""
    if before_ms is None or now_ms is None:
        return UNKNOWN_WAIT, 0.0
    seconds = (now_ms - before_ms) / 1000
    if seconds > LONGEST_WAIT:
        return LONGEST_WAIT, seconds
    return max(SHORTEST_WAIT, seconds), 0.0


def _result_time(block: Block, times: dict[int, int]) -> None:
    """Note the time of the record that holds a call's result; it has no block of its own."""
    body = block.body
    if not isinstance(body, ToolBody) or body.result_step is None or block.time_ms is None:
        return
    if body.duration_ms is not None:
        times.setdefault(body.result_step, block.time_ms + body.duration_ms)


def _result_step(block: Block) -> int | None:
    """Return the position at which the result of a call is seen."""
    body = block.body
    return body.result_step if isinstance(body, ToolBody) else None


def _marks(block: Block) -> list[tuple[int, Mark]]:
    """Return what a block puts on the timeline, and where."""
    body, step = block.body, block.step
    if isinstance(body, TurnBody):
        return [(step, Mark.TURN)]
    if isinstance(body, CompactionBody):
        return [(step, Mark.COMPACTION)]
    found = [(step, Mark.CALL)] if isinstance(body, ToolBody) else []
    if isinstance(body, ToolBody) and body.state is ToolState.FAILED:
        found.append((body.result_step or step, Mark.FAILED))
    if block.is_problem:
        found.append((step, Mark.PROBLEM))
    return found


def _position_of(mark: tuple[int, Mark]) -> int:
    return mark[0]
