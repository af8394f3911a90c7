"""The pages of a clean-up: what to be rid of, what would go, how far it is, what stayed. Pure.

Whatever would be moved is listed session by session under its folder, and has to have been on the
screen before it can be moved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.keymap import DEFAULT_KEYMAP
from ink_tui.model.cleanup import going_words, rule_words
from ink_tui.model.row_words import title_words
from ink_tui.model.text import one_line, short_path
from ink_tui.model.words import counted
from ink_tui.tui.render import figures
from ink_tui.tui.render.cells import width
from ink_tui.tui.render.dialog_rows import (
    DIALOG_WIDTH,
    RAISED_BLANK,
    Choice,
    DialogRows,
    dialog_width,
    foot_rows,
    key_name,
    lines_of,
    more_row,
    own_words,
    paragraph,
    raised,
    side_pad,
    title_row,
)
from ink_tui.tui.render.list_rows import age_of
from ink_tui.tui.render.question_rows import STAY, STOP, TRASH
from ink_tui.tui.render.rows import Cut, Ground, Piece, Role, Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.keymap import Keymap
    from ink_tui.model.cleanup import CleanupRule, Selection, Staying
    from ink_tui.model.families import Family
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.transcript_look import Look

_AGE_CELLS, _SIZE_CELLS = 9, 13
"""Widest age and widest size: `13 Nov 24`, `999,999 bytes`."""
_WORDS_FROM = 72
"""Dialogs of this width say how many sub-agent sessions go along; narrower ones only count."""
_LEAST_BODY = 3
"""Lines of what is said for which consequences are cut rather than given a second line."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a clean-up."""

    title: str
    choices: tuple[Choice, ...]
    default: str
    """Id of the choice that is selected first: the one that moves nothing."""
    cancelled: str
    """Id of the choice that `esc` makes."""
    note: str = ""
    sentences: tuple[str, ...] = ()
    goes: tuple[Family, ...] = ()
    stays: tuple[Staying, ...] = ()
    stays_title: str = ""
    under_way: bool = False
    """Work goes on meanwhile: `esc` stops it, a further `enter` on what began it does not."""


def counting_page(done: int, total: int) -> Page:
    """Return the page that is shown while sessions are read.

    Args:
        done: Sessions read so far.
        total: Sessions to read; 0 while that is not known.
    """
    said = f"Reading {done:,} of {total:,} sessions." if total else "Looking at all sessions."
    stop = Choice(STAY, "Stop", "nothing is moved")
    return Page("Clean up", (stop,), STAY, STAY, sentences=(said,), under_way=True)


def kinds_page(found: Sequence[tuple[CleanupRule, Selection]]) -> Page:
    """Return the page that asks what to be rid of.

    Args:
        found: What each rule would take and leave.
    """
    choices = [_kind(rule, selection) for rule, selection in found]
    leave = Choice(STAY, "Leave everything", "nothing is moved")
    said = (
        "What is chosen is listed first. It goes to the trash and can be put back from there. "
        "Sessions that are marked, in use or damaged stay."
    )
    return Page("Clean up", (*choices, leave), STAY, STAY, sentences=(said,))


def _kind(rule: CleanupRule, selection: Selection) -> Choice:
    number, stay = len(selection.goes), len(selection.stays)
    words = figures.size(selection.size) if number else "nothing"
    if stay:
        words += f", {stay:,} {'stays' if stay == 1 else 'stay'}"
    # Where all of it stays, the list tells why.
    return Choice(rule.id, rule_words(rule, number), words, enabled=bool(number or stay))


def preview_page(selection: Selection) -> Page:
    """Return the page that lists what would go and what stays, before anything is moved."""
    leave = Choice(STAY, "Leave them", "nothing is moved")
    stay = len(selection.stays)
    stays_title = f"{counted(stay, 'session')} {'stays' if stay == 1 else 'stay'}" if stay else ""
    if not selection.goes:
        return Page(
            "Nothing would go",
            (Choice(STAY, "Close", "nothing is moved"),),
            STAY,
            STAY,
            stays=selection.stays,
            stays_title=stays_title,
        )
    what, size = going_words(selection.rows), figures.size(selection.size)
    return Page(
        f"Move {what} to the trash?",
        (Choice(TRASH, "Move to trash", f"{what}, {size}"), leave),
        STAY,
        STAY,
        note=size,
        sentences=("It can be put back from there. What changes before it is moved stays.",),
        goes=selection.goes,
        stays=selection.stays,
        stays_title=stays_title,
    )


def moving_page(done: int, total: int, octets: int) -> Page:
    """Return the page that is shown while sessions are moved.

    Args:
        done: Sessions that were come to.
        total: Sessions to move.
        octets: Bytes that have gone.
    """
    stop = Choice(STOP, "Stop", "what has gone can be put back from the trash")
    said = f"{done:,} of {counted(total, 'session')}, {figures.size(octets)}"
    return Page("Moving to the trash", (stop,), STOP, STOP, sentences=(said,), under_way=True)


def account_page(sentence: str, stayed: Sequence[Staying]) -> Page:
    """Return the page that tells why some of what was listed stayed.

    Args:
        sentence: What went and what did not.
        stayed: What stayed after all.
    """
    return Page(
        "Not everything went",
        (Choice(STAY, "Close", ""),),
        STAY,
        STAY,
        sentences=(sentence,),
        stays=tuple(stayed),
        stays_title=f"{counted(len(stayed), 'session')} stayed",
    )


@dataclass(frozen=True, slots=True)
class PageBody:
    """What a page says, laid out for a width: it may be thousands of rows, and is kept."""

    rows: tuple[Row, ...]
    lines: int
    must_see: int
    """Lines up to the end of the list of what goes."""


def page_body(page: Page, screen_width: int, look: Look, *, home: str = "") -> PageBody:
    """Return what a page says, laid out for the width of a screen.

    Args:
        page: What it says.
        screen_width: Cells of the screen.
        look: Glyphs, present and zone.
        home: The user's home folder, written `~`.
    """
    cells, glyphs = _cells(screen_width), look.glyphs
    rows: list[Row] = []
    for sentence in page.sentences:
        rows += paragraph(own_words(sentence, glyphs), cells, Role.MUTED)
    for folder, families in _by_folder(page.goes):
        if rows:
            rows.append(RAISED_BLANK)
        rows.append(_heading(folder, home))
        rows += [_going_row(family, cells, look) for family in families]
    must_see = lines_of(rows) if page.goes else 0
    if page.stays:
        if rows:
            rows.append(RAISED_BLANK)
        rows.append(raised(Piece(page.stays_title, Role.MUTED, bold=True)))
        for each in page.stays:
            rows += _staying_rows(each, cells, glyphs)
    return PageBody(tuple(rows), lines_of(rows), must_see)


def page_rows(
    page: Page,
    body: PageBody,
    selected: str,
    screen: tuple[int, int],
    glyphs: Glyphs,
    *,
    asking: str = "",
    keymap: Keymap = DEFAULT_KEYMAP,
) -> DialogRows:
    """Return a page laid out for a screen.

    Args:
        page: What it says.
        body: The same laid out for the width of the screen.
        selected: Id of the selected choice.
        screen: Width and height of the screen in cells.
        glyphs: The set to draw with.
        asking: A sentence above the choices in the place of the key that scrolls.
        keymap: The table with the user's keys.
    """
    high, cells = screen[1], _cells(screen[0])
    head = (title_row(own_words(page.title, glyphs), page.note if cells >= _WORDS_FROM else ""),)
    pad = 1 if high >= 2 + lines_of(head) + body.lines + 1 + 2 * len(page.choices) else 0
    least = lines_of(head) + min(body.lines, _LEAST_BODY) + 1
    below = "all" if high >= least + 2 * len(page.choices) else "selected"
    options, columns = foot_rows(
        page.choices,
        selected,
        cells,
        glyphs,
        enter=key_name(keymap, "cancel" if page.under_way else "choose-option", glyphs),
        below=below,
    )
    room = max(1, high - 2 * pad - lines_of(head) - 1 - lines_of(options))
    seen = min(body.lines, room)
    between = more_row(keymap, glyphs) if seen < body.lines else RAISED_BLANK
    if asking:
        between = raised(Piece(own_words(asking, glyphs), Role.WARNING))
    return DialogRows(
        width=dialog_width(screen[0], DIALOG_WIDTH),
        pad=pad,
        side=side_pad(screen[0]),
        head=head,
        body=body.rows,
        body_lines=seen,
        foot=(between, *options),
        foot_columns=columns,
        must_see=body.must_see,
    )


def _cells(screen_width: int) -> int:
    """Return the cells inside the dialog."""
    return max(1, dialog_width(screen_width, DIALOG_WIDTH) - 2 * side_pad(screen_width))


def _by_folder(families: Sequence[Family]) -> list[tuple[str, list[Family]]]:
    """Return families by working folder, both in the order in which they come."""
    found: dict[str, list[Family]] = {}
    for family in families:
        found.setdefault(family.session.cwd, []).append(family)
    return list(found.items())


def _heading(folder: str, home: str) -> Row:
    words = short_path(folder, home) or "no working folder"
    return raised(Piece(one_line(words), Role.MUTED, bold=True, cut=Cut.PATH))


def _going_row(family: Family, cells: int, look: Look) -> Row:
    """Return the row of a session that would go: title, what goes along, age, size."""
    row, number = family.session, len(family.children)
    along = ""
    if number:
        along = (
            f"and {counted(number, 'sub-agent session')}" if cells >= _WORDS_FROM else f"+{number}"
        )
    age, size = age_of(row.last_ms, look), figures.size(family.size)
    title = [Piece(own_words(title_words(row), look.glyphs))]
    if not row.title and row.session_id is not None:
        title.append(Piece(f"  {one_line(row.session_id)[:8]}", Role.DIM))
    return Row(
        "",
        text=tuple(title),
        note=(Piece(along, Role.MUTED),) if along else (),
        time=(
            Piece(f"{age:>{_AGE_CELLS}}", Role.DIM),
            Piece(f"{size:>{_SIZE_CELLS + 2}}", Role.MUTED),
        ),
        selectable=False,
        ground=Ground.RAISED,
    )


def _staying_rows(each: Staying, cells: int, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return the title of a session that stays, and why: beside it where both fit, else below."""
    title, reason = title_words(each.row), own_words(one_line(each.reason), glyphs)
    shown = Piece(own_words(title, glyphs))
    if width(title) + width(reason) + 2 <= cells:
        return (raised(shown, note=(Piece(reason, Role.MUTED),)),)
    return (raised(shown), *paragraph(reason, cells, Role.MUTED, indent=2))
