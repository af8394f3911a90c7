"""A compaction beside what it replaced: the lines over both sides and the rows of the left one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.keymap import display_key
from ink_tui.model.context import Origin
from ink_tui.tui.render import figures
from ink_tui.tui.render.cells import pad_left, wrap
from ink_tui.tui.render.rows import BLANK, Cut, Piece, Role, Row, fit, line_width
from ink_tui.tui.render.state_pieces import own_words
from ink_tui.tui.render.transcript_look import time_of

if TYPE_CHECKING:
    from ink_tui.keymap import Keymap
    from ink_tui.model.compaction_sides import Sides
    from ink_tui.model.context_table import TableRow
    from ink_tui.model.transcript import Transcript
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.transcript_look import Look

TITLE = "Before and after a compaction"
READING = "Reading the compaction"


@dataclass(frozen=True, slots=True)
class SidesShown:
    """A compaction made ready to be shown."""

    sides: Sides
    rows: tuple[Row, ...]
    """What was there, one row for each message."""
    after: Transcript
    """What stands for it."""


def top_line(
    sides: Sides | None, cells: int, glyphs: Glyphs, keymap: Keymap, look: Look
) -> tuple[Piece, ...]:
    """Return the title: which compaction it is, when it was, and the way back at both ends.

    Args:
        sides: The compaction; `None` while it is being read.
        cells: Width of the screen.
        glyphs: The set to draw with.
        keymap: The table with the user's keys.
        look: The present and the zone, for times.
    """
    back = keymap.action("side-back")
    facts = ""
    if sides is not None:
        when = time_of(sides.entry.time_ms, look)
        which = f"{sides.number:,} of {sides.of:,}"
        facts = own_words(" · ".join(part for part in (which, when) if part), glyphs)
    left = (
        Piece(f" {glyphs.back} ", Role.ACCENT, part=back.id),
        Piece(TITLE, bold=True, part=back.id),
        Piece(f"  {facts}", Role.MUTED),
    )
    key = display_key(back.keys[0], ascii_only=glyphs.ascii)
    right = (
        Piece(f"  {key}", Role.ACCENT, cut=Cut.NEVER, part=back.id),
        Piece(f" {back.label} ", Role.MUTED, cut=Cut.NEVER, part=back.id),
    )
    return (*fit(left, cells - line_width(right), glyphs.ellipsis), *right)


def before_lines(
    sides: Sides, cells: int, glyphs: Glyphs, *, lit: bool
) -> tuple[tuple[Piece, ...], ...]:
    """Return the head of what was there: how much, and how much of it is gone."""
    messages = figures.counted(sides.table.messages, "message")
    about = "" if sides.recorded or sides.table.measured else "about "
    size = f"{messages}, {about}{figures.tokens(sides.tokens_before)} tokens"
    size += " as Ink counted them" if sides.recorded else ""
    gone = f"{figures.tokens(sides.left_out_tokens)} tokens"
    note = f"{sides.left_out:,} left out, about {gone}; {len(sides.kept):,} kept"
    if sides.table.unavailable:
        size, note = "cannot be rebuilt", ""
    return _head("Before", size, note, cells, glyphs, lit=lit)


def after_lines(
    sides: Sides, cells: int, glyphs: Glyphs, *, lit: bool
) -> tuple[tuple[Piece, ...], ...]:
    """Return the head of what stands for it: how much, and what it is made of."""
    copies, after = sides.copies, sides.tokens_after
    if copies is None or after is None:
        return _head("After", "cannot be rebuilt", "", cells, glyphs, lit=lit)
    size = f"{figures.counted(copies + 1, 'message')}, about {figures.tokens(after)} tokens"
    kept = figures.counted(copies, "kept message")
    return _head("After", size, f"the summary and {kept}", cells, glyphs, lit=lit)


def _head(
    title: str, size: str, note: str, cells: int, glyphs: Glyphs, *, lit: bool
) -> tuple[tuple[Piece, ...], ...]:
    part = "other-side" if not lit else ""
    first = (
        Piece(f" {title}", Role.ACCENT if lit else Role.TEXT, bold=True, part=part),
        Piece(f"  {size}", Role.TEXT, part=part),
    )
    second = (Piece(f" {note}", Role.MUTED),)
    return (fit(first, cells, glyphs.ellipsis), fit(second, cells, glyphs.ellipsis))


def before_rows(sides: Sides, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return what was there, one row for each message; those that were kept say so."""
    table = sides.table
    if table.unavailable:
        lines = wrap(table.unavailable, 60)
        return tuple(
            Row(
                f"text:{at}",
                text=(Piece(f"{'' if at else glyphs.failed + ' '}{line}", Role.ERROR),),
                selectable=False,
            )
            for at, line in enumerate(lines)
        )
    if not table.rows:
        said = Piece("Nothing had been said before it.", Role.MUTED)
        return (BLANK, Row("text:none", text=(said,), selectable=False))
    return tuple(_row(row, glyphs, kept=row.number - 1 in sides.kept) for row in table.rows)


def _row(row: TableRow, glyphs: Glyphs, *, kept: bool) -> Row:
    loud = row.kind in ("summary", "user") or row.open_call
    note: tuple[Piece, ...] = ()
    if row.open_call:
        note = (Piece(f"{glyphs.decide} no result", Role.WARNING),)
    elif kept:
        note = (Piece("kept", Role.ACCENT),)
    elif row.origin is Origin.KEPT:
        note = (Piece("kept before", Role.DIM),)
    role = Role.WARNING if row.open_call else Role.TEXT if loud else Role.MUTED
    return Row(
        row.key,
        mark=(Piece(pad_left(f"{row.number}", 4), Role.DIM, cut=Cut.NEVER),),
        kind=(Piece(row.kind, role, bold=loud),),
        text=(Piece(row.text, bold=row.kind == "user"),),
        note=note,
        time=(Piece(figures.tokens(row.tokens), Role.MUTED),),
    )
