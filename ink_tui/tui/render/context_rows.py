"""The context tab as rows: sentence, bar with legend, table, what it means. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.context import Origin
from ink_tui.model.context_table import SETUP_NOTE, ContextTable, FoldedRows, TableRow, folded
from ink_tui.tui.render import figures
from ink_tui.tui.render.cells import pad_left, width, wrap
from ink_tui.tui.render.rows import BLANK, Columns, Cut, Ground, Piece, Role, Row
from ink_tui.tui.render.transcript_look import Look, time_of

if TYPE_CHECKING:
    from ink_tui.model.lens import LensPlace
    from ink_tui.tui.render.glyphs import Glyphs

TABLE_COLUMNS = Columns(mark=6, kind=11, time=6)
TEXT_COLUMNS = Columns(mark=0)
TEXT_WIDTH = 100

FOLD_KEY = "more:"
"""How keys of rows begin that stand for a folded part of the table."""

LEFT_OUT_KEY = "left-out"
"""Key of the row that leads to what the compaction left out."""
SIDES_KEY = "sides"
"""Key of the row that leads to the compaction beside what it replaced."""

_TEXT = "text:"
"""How keys of rows begin that are no part of the table."""

_NARROW = 60


def columns_of(row: Row) -> Columns:
    """Return the columns of a row: the table's, or none for sentences."""
    words = row.key in ("", LEFT_OUT_KEY, SIDES_KEY) or row.key.startswith(_TEXT)
    return TEXT_COLUMNS if words else TABLE_COLUMNS


def context_rows(
    table: ContextTable,
    look: Look,
    *,
    room: int,
    unfolded: bool,
    place: LensPlace | None = None,
) -> list[Row]:
    """Return all rows of the context tab.

    Args:
        table: What a resume would send.
        look: Width of the pane, glyphs, present and zone.
        room: Rows of the table that fit; a longer one is folded in its middle.
        unfolded: Show the middle all the same.
        place: The record that it would be sent from; `None` for the resume point.
    """
    cells, glyphs = look.cells, look.glyphs
    rows = _title(look, place)
    if table.unavailable:
        rows.extend(_sentence("why", table.unavailable, cells, glyphs.failed, Role.ERROR))
        rows.extend([BLANK, *_notes(table, cells)])
        return rows
    rows.extend([_sums(table, cells), BLANK])
    rows.extend(
        [
            Row("text:bar", text=_bar(table, max(1, cells - 2), glyphs), selectable=False),
            Row("text:legend", text=_legend(table, cells, glyphs), selectable=False),
            BLANK,
        ]
    )
    rows.extend(_table(table, glyphs, room=room, unfolded=unfolded))
    rows.append(BLANK)
    for number, problem in enumerate(table.problems):
        rows.extend(_sentence(f"problem{number}", problem, cells, glyphs.decide, Role.WARNING))
    rows.extend(_notes(table, cells))
    return rows


def _title(look: Look, place: LensPlace | None) -> list[Row]:
    """Return what the table is of: for another record than the resume point, which one that is."""
    what, joins = "on resume", "from "
    if place is not None:
        what, joins = "from this record", "back to "
    short = "What is sent" if look.cells < _NARROW and place is not None else ""
    title = Piece(f"{short or 'What the agent would be sent'} {what}", bold=True)
    part = "lens-back" if place is not None else ""
    note = (Piece(joins, Role.MUTED, part=part), Piece("resume point", Role.ACCENT, part=part))
    rows = [
        Row(
            "text:title",
            text=(title,),
            note=note,
            note_short=note if place is not None else (),
            selectable=False,
        )
    ]
    if place is None:
        return rows
    at = f"record {place.number:,} of {place.of:,}"
    more = "" if place.on_trunk else f" {look.glyphs.separator} another branch"
    rows.append(
        Row(
            "text:from",
            text=(Piece(f"{place.kind}  ", Role.MUTED), Piece(place.text, bold=True)),
            note=(Piece(f"{at}{more}", Role.MUTED),),
            time=(Piece(time_of(place.time_ms, look), Role.DIM),),
            ground=Ground.BAND,
            selectable=False,
        )
    )
    return rows


def _sums(table: ContextTable, cells: int) -> Row:
    how = "measured" if table.measured else "estimated"
    messages = figures.counted(table.messages, "message")
    about = "" if table.measured else "about "
    window = f"{about}{table.tokens:,} of {table.window:,} tokens"
    if cells < _NARROW:
        window = f"{about}{figures.tokens(table.tokens)} of {figures.tokens(table.window)} tokens"
    return Row(
        "text:sums",
        text=(Piece(f"{messages}, {window}"), Piece(f"   {table.share} %", Role.MUTED)),
        note=(Piece(how, Role.MUTED),),
        selectable=False,
    )


def _fills(glyphs: Glyphs) -> dict[Origin, Piece]:
    return {
        Origin.SUMMARY: Piece(glyphs.bar_summary, Role.MUTED),
        Origin.KEPT: Piece(glyphs.bar_kept, Role.MUTED),
        Origin.SINCE: Piece(glyphs.bar_since, Role.ACCENT),
    }


def _bar(table: ContextTable, cells: int, glyphs: Glyphs) -> tuple[Piece, ...]:
    """Return one fill for each origin, what is free, and where the agent compacts by itself."""
    fills = _fills(glyphs)
    bar: list[Piece] = []
    for origin, count in table.parts:
        share = max(1, round(count * cells / table.window))
        bar.extend([fills[origin]] * min(share, cells - len(bar)))
    bar.extend([Piece(glyphs.bar_rest, Role.DIM)] * (cells - len(bar)))
    limit = min(cells - 1, round(table.compacts_at * cells / table.window))
    bar[limit] = Piece(glyphs.bar_limit, Role.WARNING)
    return tuple(bar)


def _legend(table: ContextTable, cells: int, glyphs: Glyphs) -> tuple[Piece, ...]:
    fills = _fills(glyphs)
    found: list[Piece] = []
    for origin, count in table.parts:
        word = str(origin) if table.compacted else "messages"
        found += [fills[origin], Piece(f" {word} {figures.tokens(count)}   ", Role.MUTED)]
    limit = f" Ink compacts at {figures.tokens(table.compacts_at)}"
    if sum(width(piece.text) for piece in found) + width(limit) + 3 <= cells:
        found += [Piece(glyphs.bar_limit, Role.WARNING), Piece(limit, Role.MUTED)]
    return tuple(found)


def _table(table: ContextTable, glyphs: Glyphs, *, room: int, unfolded: bool) -> list[Row]:
    shown = table.rows if unfolded else folded(table.rows, room)
    rows = [
        Row(
            "head",
            mark=(Piece(pad_left("#", 4), Role.DIM),),
            kind=(Piece("role", Role.DIM),),
            text=(Piece("message", Role.DIM),),
            time=(Piece("tokens", Role.DIM),),
            selectable=False,
        )
    ]
    before: TableRow | None = None
    for number, item in enumerate(shown):
        if isinstance(item, FoldedRows):
            rows.extend(_boundary(before, item.rows[0], glyphs))
            rows.append(_fold(item, number, glyphs))
            before = item.rows[-1]
        else:
            rows.extend(_boundary(before, item, glyphs))
            rows.append(_message(item, glyphs))
            before = item
    return rows


def _fold(item: FoldedRows, number: int, glyphs: Glyphs) -> Row:
    return Row(
        f"{FOLD_KEY}{number}",
        mark=(Piece(pad_left(glyphs.folded, 4), Role.DIM, part="fold"),),
        text=(Piece(f"{len(item.rows):,} more", Role.MUTED),),
        time=(Piece(figures.tokens(item.tokens), Role.DIM),),
    )


def _boundary(before: TableRow | None, row: TableRow, glyphs: Glyphs) -> list[Row]:
    """Return the row between what the compaction brought and what came after it."""
    if before is None or before.origin is Origin.SINCE or row.origin is not Origin.SINCE:
        return []
    return [
        Row(
            "text:compacted",
            text=(Piece(f"{glyphs.compaction * 4} ", Role.DIM), Piece("compacted here", bold=True)),
            fill=Piece(glyphs.compaction, Role.DIM),
            ground=Ground.BAND,
            selectable=False,
        )
    ]


def _message(row: TableRow, glyphs: Glyphs) -> Row:
    loud = row.kind in ("summary", "user")
    note: tuple[Piece, ...] = ()
    if row.open_call:
        note = (Piece(f"{glyphs.decide} no result", Role.WARNING),)
    elif row.origin is Origin.KEPT:
        note = (Piece("kept copy", Role.DIM),)
    role = Role.WARNING if row.open_call else Role.MUTED if not loud else Role.TEXT
    return Row(
        row.key,
        mark=(Piece(pad_left(f"{row.number}", 4), Role.DIM, cut=Cut.NEVER),),
        kind=(Piece(row.kind, role, bold=loud or row.open_call),),
        text=(Piece(row.text, bold=row.kind == "user"),),
        note=note,
        time=(Piece(figures.tokens(row.tokens), Role.MUTED),),
    )


def _notes(table: ContextTable, cells: int) -> list[Row]:
    found: list[Row] = []
    if table.left_out:
        noun = "record is" if table.left_out == 1 else "records are"
        size = f"about {figures.tokens(table.left_out_tokens)} tokens"
        text = f"{table.left_out:,} earlier {noun} left out, {size}; the summary stands for them."
        found.extend(_sentence("left-out", text, cells))
        found.append(_way(LEFT_OUT_KEY, "go to the first of them"))
    if table.compacted:
        found.append(_way(SIDES_KEY, "read the summary beside what it replaced"))
    model = table.model or "no model (the agent's own choice)"
    thinking = table.thinking or "not set"
    restored = f"A resume restores the model {model} and the thinking level {thinking}."
    if not table.model and not table.thinking:
        restored = "The file names no model and no thinking level; the agent uses its own."
    found.extend(_sentence("model", restored, cells))
    found.extend(_sentence("setup", SETUP_NOTE, cells))
    return found


def _way(key: str, words: str) -> Row:
    """Return a row that leads on when it is opened."""
    return Row(key, text=(Piece("  "), Piece("enter", Role.ACCENT), Piece(f" {words}", Role.MUTED)))


def _sentence(
    key: str, text: str, cells: int, mark: str = "", role: Role = Role.MUTED
) -> list[Row]:
    """Return a sentence over as many rows as it takes, its mark before the first."""
    front = f"{mark} " if mark else "  "
    lines = wrap(text, max(8, min(cells - 4, TEXT_WIDTH)))
    return [
        Row(
            f"{_TEXT}{key}{number}",
            text=(Piece(front if number == 0 else "  ", role, bold=True), Piece(line, role)),
            selectable=False,
        )
        for number, line in enumerate(lines)
    ]
