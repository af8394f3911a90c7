"""What the marks of the timeline are and how many there are of each, in words. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.context import CONTEXT_WINDOW
from ink_tui.model.faults import FaultCode
from ink_tui.model.replay import Mark
from ink_tui.tui.render.cells import width
from ink_tui.tui.render.figures import counted
from ink_tui.tui.render.rows import Piece, Role
from ink_tui.tui.render.transcript_look import time_of

if TYPE_CHECKING:
    from ink_tui.model.replay import Schedule
    from ink_tui.model.seen import Moment
    from ink_tui.model.tally import Tally
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.transcript_look import Look

_READING_ORDER = (Mark.TURN, Mark.CALL, Mark.FAILED, Mark.COMPACTION, Mark.PROBLEM)


@dataclass(frozen=True, slots=True)
class SeenSize:
    """What is said while only that is shown which the model had in its context."""

    tokens: int | None
    """Size of the context; `None` where there is none, or it is not known yet."""
    measured: bool = False
    window: int = 0
    note: str = ""
    """Why there is no size."""


_NO_CONTEXT = {
    FaultCode.MISSING_PARENT: "no context, the chain of records is broken",
    FaultCode.CYCLE: "no context, the chain of records runs in a ring",
    FaultCode.MALFORMED_COMPACTION: "no context, the kept messages are missing",
}


def seen_size(moment: Moment) -> SeenSize:
    """Return how large the context was at a position of a replay."""
    if moment.error is not None:
        return SeenSize(None, note=_NO_CONTEXT.get(moment.error, "no context"))
    return SeenSize(moment.tokens, moment.measured, CONTEXT_WINDOW)


def mark_piece(mark: Mark, glyphs: Glyphs) -> Piece:
    """Return how a mark is drawn, in one cell."""
    looks = {
        Mark.PROBLEM: Piece(glyphs.decide, Role.WARNING, bold=True),
        Mark.FAILED: Piece(glyphs.failed, Role.ERROR),
        Mark.COMPACTION: Piece(glyphs.compacted, bold=True),
        Mark.TURN: Piece(glyphs.turn, Role.MUTED),
        Mark.CALL: Piece(glyphs.separator, Role.DIM),
    }
    return looks[mark]


def legend(tally: Tally, in_file: int | None, glyphs: Glyphs, room: int) -> tuple[Piece, ...]:
    """Return each mark with how many of it there are; empty where there is no room for all.

    Words are left out where there is no room for them, the figures are not.

    Args:
        tally: How many there are on the branch that is played.
        in_file: Compactions in the whole file, said where it is another number.
        glyphs: The set to draw with.
        room: Cells that are free.
    """
    figures = {
        Mark.TURN: counted(tally.turns, "turn") if tally.turns else "",
        Mark.CALL: counted(tally.calls, "call") if tally.calls else "",
        Mark.FAILED: f"{tally.failed:,} failed" if tally.failed else "",
        Mark.COMPACTION: _compactions(tally.compactions, in_file),
        Mark.PROBLEM: counted(tally.problems, "problem") if tally.problems else "",
    }
    said = [(mark, text) for mark, text in figures.items() if text]
    for texts in (said, [(mark, text.partition(" ")[0]) for mark, text in said]):
        pieces: list[Piece] = []
        for mark, text in texts:
            pieces += [Piece("  "), mark_piece(mark, glyphs), Piece(f" {text}", Role.MUTED)]
        if pieces and sum(width(piece.text) for piece in pieces) <= room:
            return (Piece(" "), *pieces[1:], Piece(" "))
    return ()


def hover_words(schedule: Schedule, position: int, look: Look) -> str:
    """Return time and number of a record, and what is marked there.

    Args:
        schedule: The timeline.
        position: The record, 1-based.
        look: How times are written.
    """
    step = schedule.steps[position - 1]
    marks = schedule.marks_at(position)
    found = [time_of(step.time_ms, look), f"record {position:,}"]
    found.extend(_named(mark, marks.count(mark)) for mark in _READING_ORDER if mark in marks)
    if step.gap:
        found.append(f"{step.gap} after the one before")
    return f" {look.glyphs.separator} ".join(part for part in found if part)


def _named(mark: Mark, number: int) -> str:
    if mark is Mark.FAILED:
        return "failed" if number == 1 else f"{number:,} failed"
    return str(mark) if number == 1 else f"{number:,} {mark}s"


def _compactions(number: int, in_file: int | None) -> str:
    words = counted(number, "compaction")
    if in_file is not None and in_file != number:
        return f"{words} of {in_file:,} in the file"
    return words if number else ""
