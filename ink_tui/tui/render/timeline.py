"""The timeline of a replay: what was, what is ahead, where it stands. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.replay import Mark
from ink_tui.tui.render import figures
from ink_tui.tui.render.cells import cut, pad, pad_left, width
from ink_tui.tui.render.rows import Piece, Role, fit
from ink_tui.tui.render.timeline_legend import SeenSize, hover_words, legend, mark_piece
from ink_tui.tui.render.transcript_look import moment_of, time_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ink_tui.model.replay import Playback, Schedule
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.transcript_look import Look

_WIDE = 90
"""Panes as wide as this have room for a time and a gap beside each other."""

_OF_WINDOW = 70
"""Panes as wide as this have room for the size of the model's window."""

_TIME, _TIME_NARROW = 15, 10
"""Cells of the time and the gap before it; always the same, so that the bar stands still."""

_LONG_GAP_S = 60
"""Gaps from here on are written over the marks of calls."""

HIT = "_"
"""A place where something was found and that has no mark of its own: underlined, like all hits."""

_ORDER = {mark: rank for rank, mark in enumerate(Mark)}

SEEN_WORDS = "as the model saw it"


@dataclass(frozen=True, slots=True)
class Timeline:
    """All that three rows show."""

    schedule: Schedule
    playback: Playback
    hover: int | None = None
    """Position under the pointer."""
    seen: SeenSize | None = None
    """Set while only that is shown which the model had in its context."""
    in_file: int | None = None
    """Compactions of the whole file, where that is known."""


def timeline(
    shown: Timeline, look: Look, marks: tuple[Piece, ...] | None = None
) -> tuple[tuple[Piece, ...], ...]:
    """Return hair line, marks and bar, each exactly as wide as the pane.

    Args:
        shown: What is shown.
        look: Width, glyphs and time.
        marks: What `mark_cells` gives for the place of the bar, where that is known.
    """
    start, room = bar_place(shown, look)
    if marks is None:
        marks = mark_cells(shown.schedule, room, look.glyphs)
    bar = (
        *_left(shown, look, start),
        *_bar(shown, room, look.glyphs),
        *_right(shown, look),
    )
    rows = (_hair(shown, look), (Piece(" " * start), *marks), bar)
    return tuple(fit(row, look.cells, look.glyphs.ellipsis) for row in rows)


def bar_place(shown: Timeline, look: Look) -> tuple[int, int]:
    """Return the first cell of the bar and its width; neither goes by where the replay stands."""
    start = (_TIME if look.cells >= _WIDE else _TIME_NARROW) + 4
    right = sum(width(piece.text) for piece in _right(shown, look))
    return start, max(0, look.cells - start - right)


def position_at(cell: int, shown: Timeline, look: Look, *, beyond: bool = False) -> int | None:
    """Return the position that a cell of the bar stands for; `None` outside the bar.

    Args:
        cell: The cell of the pane, 0-based.
        shown: What is shown.
        look: How it is shown.
        beyond: Take what lies beside the bar for its nearer end.
    """
    start, room = bar_place(shown, look)
    last = shown.schedule.last
    if not last or not room or not (beyond or start <= cell < start + room):
        return None
    if room == 1 or last == 1:
        return last
    inside = max(0, min(room - 1, cell - start))
    return 1 + round(inside * (last - 1) / (room - 1))


def mark_cells(schedule: Schedule, room: int, glyphs: Glyphs) -> tuple[Piece, ...]:
    """Return one cell for each place of the bar; of several marks in one the worst is drawn.

    Args:
        schedule: What stands on the timeline.
        room: Cells of the bar.
        glyphs: The set to draw with.
    """
    if room < 1:
        return ()
    found: dict[int, Mark] = {}
    for position, mark in schedule.marks:
        at = _column(position, schedule.last, room)
        other = found.get(at)
        if other is None or _ORDER[mark] < _ORDER[other]:
            found[at] = mark
    cells = [mark_piece(found[at], glyphs) if at in found else Piece(" ") for at in range(room)]
    gaps = [(position, step) for position, step in enumerate(schedule.steps, 1) if step.gap]
    # The longest one first: a short one never stands in its way.
    gaps.sort(key=lambda each: -each[1].gap_s)
    for position, step in gaps[: 4 * room]:
        over = {" ", glyphs.separator} if step.gap_s >= _LONG_GAP_S else {" "}
        _write_gap(cells, _column(position, schedule.last, room), step.gap, over)
    return tuple(cells)


def with_hits(marks: tuple[Piece, ...], hits: Iterable[int], last: int) -> tuple[Piece, ...]:
    """Return the cells of the marks, underlined where something was found.

    Args:
        marks: One piece for each cell, as `mark_cells` gives them.
        hits: Positions in which a find has found something.
        last: The last position.
    """
    cells = list(marks)
    for at in {_column(min(hit, last), last, len(cells)) for hit in hits} if cells else ():
        text = HIT if cells[at].text == " " else cells[at].text
        cells[at] = Piece(text, Role.WARNING, bold=cells[at].bold, underline=True)
    return tuple(cells)


def _column(position: int, last: int, room: int) -> int:
    return 0 if last <= 1 else round((position - 1) * (room - 1) / (last - 1))


def _write_gap(cells: list[Piece], end: int, gap: str, over: set[str]) -> None:
    """Write how long a gap really was before the record behind it, where all cells are free."""
    start = end - len(gap)
    around = cells[max(0, start - 1) : end]
    if start >= 1 and all(piece.text in over for piece in around):
        cells[start:end] = [Piece(char, Role.DIM) for char in gap]
        if cells[start - 1].text != " ":
            cells[start - 1] = Piece(" ")


def _hair(shown: Timeline, look: Look) -> tuple[Piece, ...]:
    """Return the hair line, with what the marks mean or what is under the pointer in it."""
    glyphs, cells = look.glyphs, look.cells
    if shown.hover is not None:
        start, room = bar_place(shown, look)
        text = f" {hover_words(shown.schedule, shown.hover, look)} "
        text = cut(text, max(0, cells - 4), glyphs.ellipsis)
        pointed = start + _column(shown.hover, shown.schedule.last, room)
        at = max(2, min(cells - 2 - width(text), pointed - width(text) // 2))
        rest = Piece(glyphs.rule * max(0, cells - 1 - at - width(text)), Role.HAIR)
        return (*_rule(at, glyphs), Piece(text, Role.ACCENT), rest)
    mode: tuple[Piece, ...] = ()
    if shown.seen is not None:
        note = f"{SEEN_WORDS}: {shown.seen.note}" if shown.seen.note else SEEN_WORDS
        mode = (*_rule(3, glyphs), Piece(f" {note} ", Role.ACCENT, bold=True))
    used = sum(width(piece.text) for piece in mode)
    words = legend(shown.schedule.tally, shown.in_file, glyphs, cells - used - 6)
    wide = sum(width(piece.text) for piece in words)
    before = cells - used - (wide + 4 if words else 1)
    rule = (Piece(glyphs.rule * before, Role.HAIR),) if mode else _rule(before, glyphs)
    return (*mode, *rule, *words, Piece(glyphs.rule * (3 if words else 0), Role.HAIR))


def _rule(cells: int, glyphs: Glyphs) -> tuple[Piece, ...]:
    """Return the start of the hair line, which leaves the first cell free."""
    return (Piece(" "), Piece(glyphs.rule * max(0, cells - 1), Role.HAIR))


def _left(shown: Timeline, look: Look, start: int) -> tuple[Piece, ...]:
    """Return the state, the time, and how long the gap is that is being waited for.

    At the end of a session in which a call runs it is said how long that has been running.
    """
    glyphs, playback = look.glyphs, shown.playback
    steps, at = shown.schedule.steps, playback.position
    since = moment_of(shown.schedule.running_ms)
    if playback.following and at == len(steps) and since is not None:
        lasts = figures.duration((look.now - since).total_seconds(), least=1)
        words = f"running {lasts}" if look.cells >= _WIDE else lasts
        return (
            Piece(" "),
            Piece(f"{glyphs.live} ", Role.SUCCESS),
            Piece(pad(words, max(0, start - 3), glyphs.ellipsis), Role.SUCCESS),
        )
    time = time_of(steps[at - 1].time_ms, look) if at else ""
    waits = playback.playing and at < len(steps)
    gap = f"+{steps[at].gap}" if waits and steps[at].gap else ""
    room = start - 4
    if gap and width(time) + 1 + len(gap) > room:
        # A short one is over before it is read; of a long one more is to be known than the time.
        time, gap = (time, "") if steps[at].gap_s < _LONG_GAP_S else ("", gap)
    rest = room - width(time) - (1 if time else 0)
    state = glyphs.playing if playback.playing else glyphs.paused
    return (
        Piece(" "),
        Piece(f"{state} ", Role.ACCENT),
        Piece(f"{time} " if time else "", Role.ACCENT, bold=True),
        Piece(pad(gap, max(0, rest), glyphs.ellipsis), Role.MUTED),
        Piece(" "),
    )


def _right(shown: Timeline, look: Look) -> tuple[Piece, ...]:
    """Return the size of the context, the place and the speed; always equally wide."""
    playback, seen = shown.playback, shown.seen
    speed = f"{playback.speed:g}{look.glyphs.times if not look.glyphs.ascii else 'x'}"
    last = f"{shown.schedule.last:,}"
    place = f"{pad_left(f'{playback.position:,}', len(last))}/{last}"
    size: tuple[Piece, ...] = ()
    if seen is not None:
        known = "" if seen.tokens is None else figures.tokens(seen.tokens)
        known = known if seen.measured or not known else f"~{known}"
        of = f" of {figures.tokens(seen.window)}" if look.cells >= _OF_WINDOW else ""
        text = f"{known}{of}" if known else ""
        size = (Piece("  "), Piece(pad_left(text, 6 + len(of)), Role.ACCENT))
    return (*size, Piece(f"  {place} {pad_left(speed, 5)} "))


def _bar(shown: Timeline, room: int, glyphs: Glyphs) -> tuple[Piece, ...]:
    if room < 1:
        return ()
    last = shown.schedule.last
    at = _column(max(1, shown.playback.position), last, room)
    drawn = [Piece(glyphs.bar_full * at, Role.ACCENT), Piece(glyphs.here, Role.ACCENT)]
    rest = room - at - 1
    pointed = _column(shown.hover, last, room) if shown.hover is not None else -1
    if pointed > at:
        drawn.append(Piece(glyphs.rule * (pointed - at - 1), Role.HAIR))
        drawn.append(Piece(glyphs.bar_full, Role.MUTED))
        rest = room - pointed - 1
    return (*drawn, Piece(glyphs.rule * rest, Role.HAIR))
