"""The session list as rows (`ui.md` section 4, "List row")."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from ink_tui.model.groups import ItemKind
from ink_tui.model.marks import STARRED
from ink_tui.model.row_words import FactClass
from ink_tui.model.scope import SCOPE_WORDS, Scope
from ink_tui.model.text import one_line, short_path
from ink_tui.model.words import counted
from ink_tui.tui.render import figures
from ink_tui.tui.render.cells import pad, wrap
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
_STANDS_APART = frozenset({ItemKind.ARCHIVED, ItemKind.OUTSIDE})
"""What stands below all sections."""
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
    apart = {item.key for item in listing.items if item.kind in _STANDS_APART}
    for item in listing.items:
        if item.kind is ItemKind.GROUP:
            if rows:
                rows.append(BLANK)
            rows.append(_group_row(item, look.glyphs, home))
        elif item.kind is ItemKind.SESSION:
            age = ages.get(item.key, "").rjust(column)
            rows.append(_session_row(item, age, look.glyphs, bold=item.key == selected))
        else:
            if item.kind in _STANDS_APART and rows and rows[-1].key not in apart:
                rows.append(BLANK)
            rows.append(_more_row(item, look.glyphs))
    return rows


def _more_row(item: ListItem, glyphs: Glyphs) -> Row:
    text = (Piece(item.title, Role.MUTED, part=FOLD),)
    return Row(item.key, text=text, note=_attention(item, glyphs), indent=2 * item.depth)


def _attention(item: ListItem, glyphs: Glyphs) -> tuple[Piece, ...]:
    """Return how many of the sessions that an item stands for need a person."""
    return (Piece(f"{glyphs.decide} {item.attention}", Role.WARNING),) if item.attention else ()


def with_bold_title(row: Row, *, bold: bool) -> Row:
    """Return the row of a session with its title in bold, or not."""
    if not row.text:
        return row
    return replace(row, text=(*row.text[:-1], replace(row.text[-1], bold=bold)))


def nothing_rows(listing: Listing, query: str, look: Look) -> list[Row]:
    """Return what is said in a list that shows no session; nothing in any other.

    Args:
        listing: The list.
        query: What is in the filter field.
        look: The glyphs.
    """
    kinds = {item.kind for item in listing.items}
    if not kinds <= _STANDS_APART or (query.strip() and ItemKind.ARCHIVED in kinds):
        return []
    said: list[str] = []
    scoped = listing.scope is not Scope.ALL
    place = f" in {SCOPE_WORDS[listing.scope]}" if scoped else ""
    ways = ["enter shows all folders"] if ItemKind.OUTSIDE in kinds else []
    if query.strip():
        said = [
            f"Nothing matches “{one_line(query).strip()}”{place}.",
            "esc clears the filter",
            "ctrl+f searches inside sessions",
            *ways,
        ]
    elif listing.hidden:
        hidden = counted(listing.hidden, "session")
        verb = "is" if listing.hidden == 1 else "are"
        said = [f"{hidden} without a message {verb} hidden{place}.", ". shows them", *ways]
    elif scoped:
        said = [f"No session{place}.", *ways]
    return [
        Row(
            f"nothing:{number}",
            text=(Piece(own_words(words, look.glyphs), Role.MUTED),),
            selectable=False,
        )
        for number, words in enumerate(said)
    ]


def trouble_rows(trouble: str, look: Look) -> list[Row]:
    """Return what is wrong with the filter, over the list that it does not filter.

    Args:
        trouble: A sentence; empty for a filter that is understood.
        look: Width and glyphs.
    """
    words = own_words(one_line(trouble), look.glyphs)
    return [
        Row(f"trouble:{number}", text=(Piece(line, Role.WARNING),), selectable=False)
        for number, line in enumerate(wrap(words, max(1, look.cells - 5)) if trouble else [])
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
    note = _attention(item, glyphs) if not item.opened else ()
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
    if item.outside:
        said = "  ".join(filter(None, ("outside", said)))
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
