"""Title and tabs over a session, tabs and status around an agent, as lines of pieces. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.tui.render.cells import width
from ink_tui.tui.render.rows import Piece, Role, filtered, fit, line_width
from ink_tui.tui.render.state_pieces import star_piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.tui.render.glyphs import Glyphs

_GAP = 3
_MIN_NOTE_CELLS = 16


class Tab(StrEnum):
    """The tabs of a session; the value is the id of what it shows."""

    TREE = "tree"
    TRANSCRIPT = "transcript"
    CONTEXT = "context"
    HEALTH = "health"


TAB_TITLES = {
    Tab.TREE: "Tree",
    Tab.TRANSCRIPT: "Transcript",
    Tab.CONTEXT: "Context",
    Tab.HEALTH: "Health",
}


@dataclass(frozen=True, slots=True)
class HeadFacts:
    """What stands over a session."""

    title: str = ""
    short_id: str = ""
    """First eight characters of the session id."""
    to_settle: int = 0
    """Things that ask for a decision, beside the health tab."""
    facts: str = ""
    """At the right of the tabs; dropped first."""
    short_facts: tuple[str, ...] = ()
    """What stands there where they do not fit, the longest that does."""
    back: bool = False
    """Whether a way back to the list is shown, where the list is not."""
    starred: bool = False
    progress: str = ""
    """How far the session has been read, in the place of its id; empty when that is whole."""


@dataclass(frozen=True, slots=True)
class TabLine:
    """A row of tabs and the rule below it."""

    tabs: tuple[Piece, ...]
    rule: tuple[Piece, ...]


def title_line(facts: HeadFacts, cells: int, glyphs: Glyphs) -> tuple[Piece, ...]:
    """Return the title row, exactly so many cells wide."""
    pad = (Piece(" "),) if cells > 2 else ()
    inner = cells - 2 * len(pad)
    right = (Piece(f"  {filtered(facts.short_id, inner)}", Role.DIM),) if facts.short_id else ()
    if facts.progress:
        right = (Piece(f"  {facts.progress}", Role.MUTED),)
    elif line_width(right) * 2 > inner:
        right = ()
    left: list[Piece] = []
    if facts.back:
        left = [Piece(f"{glyphs.back} ", Role.ACCENT, part="back")]
    if facts.starred:
        left.append(star_piece(glyphs))
    left.append(Piece(facts.title or ("(no title)" if facts.short_id else ""), bold=True))
    return pad + fit(left, inner - line_width(right), glyphs.ellipsis) + right + pad


def session_tabs(
    facts: HeadFacts, active: Tab, cells: int, glyphs: Glyphs, *, focused: bool, plain: bool
) -> TabLine:
    """Return the tabs of a session with the rule under the active one.

    Args:
        facts: What the session says.
        active: The tab that is shown.
        cells: Width of the pane.
        glyphs: The set to draw with.
        focused: Whether the session has the focus.
        plain: Whether colour is missing: then the focused tab has a double rule.
    """
    pad = (Piece(" "),) if cells > 2 else ()
    inner = cells - 2 * len(pad)
    gap = _GAP if inner >= 44 else 1
    shown: list[Piece] = []
    start = end = 0
    for tab, title in TAB_TITLES.items():
        if shown:
            shown.append(Piece(" " * gap))
        if tab is active:
            start = line_width(shown)
        role = Role.MUTED
        if tab is active:
            role = Role.ACCENT if focused else Role.TEXT
        shown.append(Piece(title, role, bold=tab is active, part=f"tab-{tab}"))
        if tab is Tab.HEALTH and facts.to_settle:
            number = f" {facts.to_settle}"
            shown.append(Piece(number, Role.WARNING, bold=True, part=f"tab-{tab}"))
        if tab is active:
            end = line_width(shown)
    room = inner - line_width(shown) - 2
    forms = (facts.facts, *facts.short_facts)
    said = next((form for form in forms if 0 < width(form) <= room), "")
    right = (Piece(said, Role.MUTED),) if said else ()
    left = fit(shown, inner - line_width(right), glyphs.ellipsis)
    strong = glyphs.rule_strong
    if focused and plain:
        strong = glyphs.rule_focused
    rule = _rule(
        start, min(end, inner), inner, strong, Role.ACCENT if focused else Role.TEXT, glyphs
    )
    return TabLine(pad + left + right + pad, pad + rule + pad)


@dataclass(frozen=True, slots=True)
class AgentTab:
    """One tab of the agent area."""

    number: int
    name: str
    """Agent and folder: `built-in · demo`."""
    state: str
    """`starting`, `working`, `waiting for you`, `exited 0`, `killed`, ..."""
    role: Role
    mark: str = ""


def agent_tabs(
    tabs: Sequence[AgentTab], active: int, cells: int, glyphs: Glyphs, *, focused: bool
) -> TabLine:
    """Return the tabs of the agents with the rule under the active one.

    Args:
        tabs: The tabs in order.
        active: Index of the tab that is shown.
        cells: Width of the area.
        glyphs: The set to draw with.
        focused: Whether the area has the focus.
    """
    pad = (Piece(" "),) if cells > 2 else ()
    inner = cells - 2 * len(pad)
    shown: list[Piece] = []
    start = end = 0
    role = Role.TEXT
    for index, tab in enumerate(tabs):
        if shown:
            shown.append(Piece(" " * _GAP))
        here = index == active
        part = f"agent-tab-{tab.number}"
        if here:
            start = line_width(shown)
            role = Role.ACCENT if focused else Role.TEXT
            if tab.role is Role.ERROR:
                role = Role.ERROR
        name_role = (Role.ACCENT if focused else Role.TEXT) if here else Role.MUTED
        shown.append(Piece(f"{tab.number} {tab.name} ", name_role, bold=here, part=part))
        mark = f"{tab.mark} " if tab.mark else ""
        shown.append(Piece(f"{mark}{tab.state}", tab.role, part=part))
        if here:
            end = line_width(shown)
    line = fit(shown, inner, glyphs.ellipsis)
    rule = _rule(start, min(end, inner), inner, glyphs.rule_strong, role, glyphs)
    return TabLine(pad + line + pad, pad + rule + pad)


def status_line(
    words: str, key: str, then: str, size: str, cells: int, glyphs: Glyphs, note: str = ""
) -> tuple[Piece, ...]:
    """Return the row under a terminal: where typing goes, the leave chord, a note, the size.

    Args:
        words: Where typing goes.
        key: The chord, as people write it.
        then: What the chord does.
        size: Columns and rows of the terminal.
        cells: Width of the area.
        glyphs: The set to draw with.
        note: What else there is to say about the terminal; the first to go where it is narrow.
    """
    pad = (Piece(" "),) if cells > 2 else ()
    inner = cells - 2 * len(pad)
    right = (Piece(f"  {size}", Role.DIM),) if size and inner > 60 else ()
    left: tuple[Piece, ...] = (
        Piece(words, bold=True),
        Piece("   "),
        Piece(key, Role.ACCENT, part="to-agent"),
        Piece(f" {then}", Role.MUTED, part="to-agent"),
    )
    room = inner - line_width(left) - line_width(right)
    if note and room >= _GAP + _MIN_NOTE_CELLS:
        left += fit((Piece(f"{' ' * _GAP}{note}", Role.MUTED),), room, glyphs.ellipsis)
    return pad + fit(left, inner - line_width(right), glyphs.ellipsis) + right + pad


def _rule(
    start: int, end: int, cells: int, strong: str, role: Role, glyphs: Glyphs
) -> tuple[Piece, ...]:
    pieces = (
        Piece(glyphs.rule * start, Role.HAIR),
        Piece(strong * max(0, end - start), role),
        Piece(glyphs.rule * max(0, cells - end), Role.HAIR),
    )
    return fit(pieces, cells, glyphs.ellipsis)
