"""The lines over a comparison: which two, their figures, what is shown. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.keymap import display_key
from ink_tui.model.compare_words import side_words
from ink_tui.model.words import counted
from ink_tui.tui.render.bars import rule_line
from ink_tui.tui.render.rows import Cut, Piece, Role, fit, line_width
from ink_tui.tui.render.state_pieces import own_words
from ink_tui.tui.render.transcript_look import time_of

if TYPE_CHECKING:
    from ink_tui.keymap import Keymap
    from ink_tui.model.compare import Side
    from ink_tui.tui.render.compare_views import CompareViews, SideName
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.transcript_look import Look

TITLE = "Compare"


class Page(StrEnum):
    """What is shown of a comparison; the value is the end of the id of its action."""

    RECORDS = "records"
    DONE = "done"


PAGE_TITLES = {Page.RECORDS: "Records", Page.DONE: "Files, commands and figures"}


@dataclass(frozen=True, slots=True)
class HeadState:
    """What the head depends on beside what is compared."""

    page: Page = Page.RECORDS
    side: int = 0
    """The side that has the focus: 0 left, 1 right."""
    narrow: bool = False
    """Whether one side is shown at a time."""


def title_line(views: CompareViews | None, cells: int, glyphs: Glyphs, keymap: Keymap) -> Line:
    """Return the title, with the way back at both ends.

    Args:
        views: What is compared; `None` while it is read.
        cells: Width of the line.
        glyphs: The set to draw with.
        keymap: The table with the user's keys.
    """
    back = keymap.action("back")
    key = display_key(back.keys[0], ascii_only=glyphs.ascii)
    left = [
        Piece(f" {glyphs.back} ", Role.ACCENT, part=back.id),
        Piece(TITLE, bold=True, part=back.id),
    ]
    right: list[Piece] = []
    if views is not None:
        left.append(Piece(f"   {views.title}", Role.MUTED))
        common = views.comparison.common
        said = counted(common, "record") if common else "nothing"
        right.append(Piece(f"   {said} in common", Role.MUTED, cut=Cut.NEVER))
    right += [
        Piece(f"   {key}", Role.ACCENT, cut=Cut.NEVER, part=back.id),
        Piece(f" {back.label} ", Role.MUTED, cut=Cut.NEVER, part=back.id),
    ]
    if line_width(right) * 2 > cells:
        right = right[-2:]
    return (*fit(left, cells - line_width(right), glyphs.ellipsis), *fit(right, line_width(right)))


Line = tuple[Piece, ...]


def page_lines(state: HeadState, cells: int, glyphs: Glyphs) -> tuple[Line, Line]:
    """Return the tabs and the rule under the one that is shown."""
    pieces: list[Piece] = [Piece(" ")]
    start = end = 0
    for page, title in PAGE_TITLES.items():
        if len(pieces) > 1:
            pieces.append(Piece("   "))
        here = page is state.page
        start = line_width(pieces) if here else start
        role = Role.ACCENT if here else Role.MUTED
        pieces.append(Piece(title, role, bold=here, part=f"compare-{page}"))
        end = line_width(pieces) if here else end
    rule = (
        *rule_line(start, glyphs),
        Piece(glyphs.rule_strong * max(0, min(end, cells) - start), Role.ACCENT),
        *rule_line(max(0, cells - end), glyphs),
    )
    return fit(pieces, cells, glyphs.ellipsis), fit(rule, cells, glyphs.ellipsis)


def side_lines(views: CompareViews, side: int, state: HeadState, look: Look) -> tuple[Line, Line]:
    """Return two lines over a side: its name with records and time, and its figures.

    Args:
        views: What is compared.
        side: 0 for the left one, 1 for the right one.
        state: What has the focus.
        look: Width of the side, glyphs, present and zone.
    """
    glyphs, found = look.glyphs, views.comparison
    of = (found.left, found.right)[side]
    inner = max(0, look.cells - 2)
    right = (Piece(own_words(_extent(of, look), glyphs), Role.MUTED, cut=Cut.NEVER),)
    if line_width(right) * 2 > inner:
        right = (Piece(f"  {counted(len(of.own), 'record')}", Role.MUTED, cut=Cut.NEVER),)
    name = _name(views.names[side], side, state, glyphs)
    first = (*fit(name, inner - line_width(right), glyphs.ellipsis), *right)
    second = fit((Piece(own_words(side_words(of), glyphs), Role.MUTED),), inner, glyphs.ellipsis)
    return _padded(first, look), _padded(second, look)


def _name(name: SideName, side: int, state: HeadState, glyphs: Glyphs) -> Line:
    part = "" if side == state.side else "compare-other"
    pieces = [
        Piece(name.word, Role.ACCENT if side == state.side else Role.TEXT, bold=True, part=part)
    ]
    if state.narrow:
        pieces.append(Piece(f" {glyphs.separator} {side + 1} of 2", Role.MUTED))
    if name.text:
        pieces.append(Piece(f"  {name.text}", Role.MUTED, part=part))
    return tuple(pieces)


def _extent(side: Side, look: Look) -> str:
    since = time_of(side.since_ms, look) if side.own else ""
    return f"  {counted(len(side.own), 'record')}" + (f" since {since}" if since else "")


def _padded(line: Line, look: Look) -> Line:
    return fit((Piece(" "), *line), look.cells, look.glyphs.ellipsis)
