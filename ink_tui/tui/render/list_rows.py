"""The session list as rows (`ui.md` section 4, "List row")."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from ink_tui.model.groups import ItemKind
from ink_tui.model.marks import STARRED
from ink_tui.model.row_words import FactClass
from ink_tui.model.text import short_path
from ink_tui.model.words import counted
from ink_tui.tui.render import figures
from ink_tui.tui.render.cells import pad
from ink_tui.tui.render.rows import BLANK, LIST_COLUMNS, Cut, Piece, Role, Row
from ink_tui.tui.render.state_pieces import MARK_ROLES, mark_piece, own_words, star_piece

if TYPE_CHECKING:
    from ink_tui.model.groups import Listing, ListItem
    from ink_tui.model.row_words import SecondLine
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.transcript_look import Look

FOLD = "fold"
"""Part of a heading that folds its group."""

SESSION_COLUMNS = replace(LIST_COLUMNS, short_below=54)
"""Columns of the list; narrower panes leave the folder out, where sections are not folders."""

_FOLDER_CELLS = 13
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def list_rows(
    listing: Listing, look: Look, *, home: str = "", selected: str | None = None
) -> list[Row]:
    """Return the rows of a list, a blank one between its groups.

    Args:
        listing: What to show.
        look: Glyphs, present and zone.
        home: The user's home folder, written `~`.
        selected: Key of the item whose title is bold.
    """
    ages = {
        item.key: age_of(item.row.last_ms, look) for item in listing.items if item.row is not None
    }
    # Beside a column of folders the ages are a column as well.
    column = max(map(len, ages.values()), default=0) if any(i.folder for i in listing.items) else 0
    rows: list[Row] = []
    for item in listing.items:
        if item.kind is ItemKind.GROUP:
            if rows:
                rows.append(BLANK)
            rows.append(_group_row(item, look.glyphs, home))
        elif item.kind is ItemKind.SESSION:
            age = ages.get(item.key, "").rjust(column)
            rows.append(_session_row(item, age, look.glyphs, bold=item.key == selected))
        else:
            if item.kind is ItemKind.ARCHIVED and rows:
                rows.append(BLANK)
            rows.append(_more_row(item))
    return rows


def _more_row(item: ListItem) -> Row:
    text = (Piece(item.title, Role.MUTED, part=FOLD),)
    return Row(item.key, text=text, indent=2 * item.depth)


def with_bold_title(row: Row, *, bold: bool) -> Row:
    """Return the row of a session with its title in bold, or not."""
    if not row.text:
        return row
    return replace(row, text=(*row.text[:-1], replace(row.text[-1], bold=bold)))


def nothing_rows(listing: Listing, query: str, look: Look) -> list[Row]:
    """Return what stands in an empty list.

    Args:
        listing: The list without items.
        query: What is in the filter field.
        look: The glyphs.
    """
    said: list[str] = []
    if query.strip():
        said = [f"Nothing matches “{query.strip()}”.", "esc clears the filter"]
    elif listing.hidden:
        hidden = counted(listing.hidden, "session")
        verb = "is" if listing.hidden == 1 else "are"
        said = [f"{hidden} without a message {verb} hidden.", ". shows them"]
    return [
        Row(
            f"nothing:{number}",
            text=(Piece(own_words(words, look.glyphs), Role.MUTED),),
            selectable=False,
        )
        for number, words in enumerate(said)
    ]


def age_of(time_ms: int | None, look: Look) -> str:
    """Return how long ago a moment was; empty for one that no calendar holds."""
    if time_ms is None:
        return ""
    try:
        moment = _EPOCH + timedelta(milliseconds=time_ms)
        return figures.age(moment, look.now, look.zone)
    except (OverflowError, ValueError):
        return ""


def _group_row(item: ListItem, glyphs: Glyphs, home: str) -> Row:
    text = [Piece(short_path(item.title, home), Role.MUTED, bold=True, cut=Cut.PATH, part=FOLD)]
    if item.folder_missing:
        text.append(Piece("   folder missing", Role.MUTED, bold=True, cut=Cut.NEVER, part=FOLD))
    note: tuple[Piece, ...] = ()
    if item.attention and not item.opened:
        note = (Piece(f"{glyphs.decide} {item.attention}", Role.WARNING),)
    triangle = glyphs.opened if item.opened else glyphs.folded
    return Row(
        item.key,
        mark=(Piece(f"{triangle} ", Role.MUTED, part=FOLD),),
        text=tuple(text),
        note=note,
        time=(Piece(figures.count(item.count), Role.DIM),),
        # An open group is headed, not entered; a folded one must be reached to open it.
        selectable=not item.opened,
    )


def _session_row(item: ListItem, age: str, glyphs: Glyphs, *, bold: bool) -> Row:
    role = Role.MUTED if item.depth or item.rests else Role.TEXT
    text: tuple[Piece, ...] = (Piece(item.title, role, bold=bold),)
    if item.marks.starred:
        text = (star_piece(glyphs), *text)
    if item.depth:
        text = (Piece(f"{glyphs.child} ", Role.MUTED, cut=Cut.NEVER), *text)
    # The star has its glyph; the words of the others stand in the note.
    said = "  ".join(word for word in item.marks.words if word != STARRED)
    words = (Piece(said, Role.MUTED),) if said else ()
    note = words
    if item.folder:
        gap = (Piece("  ", Role.MUTED),) if words else ()
        note = (*note, *gap, Piece(pad(item.folder, _FOLDER_CELLS, glyphs.ellipsis), Role.MUTED))
    below = None if item.line is None else (_below(item.line, glyphs),)
    return Row(
        item.key,
        mark=mark_piece(item.mark, glyphs),
        text=text,
        note=note,
        note_short=words,
        time=(Piece(age, Role.DIM),),
        below=below,
        indent=2 * max(0, item.depth - 1),
    )


def _below(line: SecondLine, glyphs: Glyphs) -> Piece:
    role = MARK_ROLES[line.mark]
    if line.fact is FactClass.WAITING:
        role = Role.WARNING
    return Piece(own_words(line.words, glyphs), role)
