"""The timeline of a replay: what was, what is ahead, where it stands. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.replay import Mark
from ink_tui.tui.render.cells import pad, pad_left, width
from ink_tui.tui.render.rows import Piece, Role, fit
from ink_tui.tui.render.transcript_look import time_of

if TYPE_CHECKING:
    from ink_tui.model.replay import Playback, Schedule
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.transcript_look import Look

_TIME = 10
"""Least cells of the time at the left, mark included."""

_ORDER = {mark: rank for rank, mark in enumerate(Mark)}


def timeline(schedule: Schedule, playback: Playback, look: Look) -> tuple[tuple[Piece, ...], ...]:
    """Return hair line, marks and bar, each exactly as wide as the pane."""
    glyphs, cells = look.glyphs, look.cells
    start, room = bar_place(schedule, playback, look)
    step = schedule.steps[playback.position - 1] if playback.position else None
    time = time_of(step.time_ms, look) if step is not None else ""
    state = glyphs.playing if playback.playing else glyphs.paused
    left = (
        Piece(" "),
        Piece(f"{state} ", Role.ACCENT),
        Piece(pad(time, max(0, start - 3), glyphs.ellipsis), Role.ACCENT, bold=True),
    )
    bar = (*left, *_bar(schedule, playback, room, glyphs), Piece(_right(schedule, playback, look)))
    marks = (Piece(" " * start), *_marks(schedule, room, glyphs))
    hair = (Piece(" "), Piece(glyphs.rule * max(0, cells - 2), Role.HAIR))
    return tuple(fit(row, cells, glyphs.ellipsis) for row in (hair, marks, bar))


def bar_place(schedule: Schedule, playback: Playback, look: Look) -> tuple[int, int]:
    """Return the first cell of the bar and its width."""
    step = schedule.steps[playback.position - 1] if playback.position else None
    time = width(time_of(step.time_ms, look)) if step is not None else 0
    start = max(_TIME, time + 4)
    return start, max(0, look.cells - start - width(_right(schedule, playback, look)))


def position_at(cell: int, schedule: Schedule, playback: Playback, look: Look) -> int | None:
    """Return the position that a cell of the bar stands for; `None` outside the bar."""
    start, room = bar_place(schedule, playback, look)
    if not schedule.last or not room or not start <= cell < start + room:
        return None
    if room == 1 or schedule.last == 1:
        return schedule.last
    return 1 + round((cell - start) * (schedule.last - 1) / (room - 1))


def _column(position: int, last: int, room: int) -> int:
    return 0 if last <= 1 else round((position - 1) * (room - 1) / (last - 1))


def _right(schedule: Schedule, playback: Playback, look: Look) -> str:
    speed = f"{playback.speed:g}{'x' if look.glyphs.ascii else '×'}"  # noqa: RUF001 - meant
    last = f"{schedule.last:,}"
    place = f"{pad_left(f'{playback.position:,}', len(last))}/{last}"
    return f"  {place} {pad_left(speed, 5)} "


def _bar(schedule: Schedule, playback: Playback, room: int, glyphs: Glyphs) -> tuple[Piece, ...]:
    if room < 1:
        return ()
    at = _column(max(1, playback.position), schedule.last, room)
    return (
        Piece(glyphs.bar_full * at, Role.ACCENT),
        Piece(glyphs.here, Role.ACCENT),
        Piece(glyphs.rule * (room - at - 1), Role.HAIR),
    )


def _marks(schedule: Schedule, room: int, glyphs: Glyphs) -> list[Piece]:
    """Return one cell for each place of the bar; of two marks in one the worse is drawn."""
    if room < 1:
        return []
    found: dict[int, Mark] = {}
    for position, step in enumerate(schedule.steps, 1):
        if step.mark is not None:
            at = _column(position, schedule.last, room)
            other = found.get(at)
            if other is None or _ORDER[step.mark] < _ORDER[other]:
                found[at] = step.mark
    looks = {
        Mark.PROBLEM: Piece(glyphs.decide, Role.WARNING, bold=True),
        Mark.FAILED: Piece(glyphs.failed, Role.ERROR),
        Mark.COMPACTION: Piece(glyphs.compacted, bold=True),
        Mark.TURN: Piece(glyphs.turn, Role.MUTED),
    }
    cells = [looks[found[at]] if at in found else Piece(" ") for at in range(room)]
    for position, step in enumerate(schedule.steps, 1):
        if step.gap:
            _write_gap(cells, _column(position, schedule.last, room), step.gap)
    return cells


def _write_gap(cells: list[Piece], end: int, gap: str) -> None:
    """Write how long a gap really was before the record behind it, where all cells are free."""
    start = end - len(gap)
    around = cells[max(0, start - 1) : end]
    if start >= 1 and all(piece.text == " " for piece in around):
        cells[start:end] = [Piece(char, Role.DIM) for char in gap]
