"""Which panes are shown at which size, and how wide they are (`ui.md` section 3). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SMALLEST = (40, 10)
"""Columns and rows below which only a sentence is shown."""

TWO_PANES = 100
"""Columns from which list and session stand side by side."""

THREE_PANES = 160
"""Columns from which list, session and agent stand side by side."""

LIST_WIDTH, LIST_WIDTH_WIDE = 42, 48
LIST_LIMITS = (30, 60)
LIST_WIDTH_FOLDERS = 60
"""Width of a list that has a column of folders, as one by urgency has."""

SESSION_LEAST = 44
"""Width that a list with folders leaves to the session: its tabs fit."""

SESSION_BESIDE_AGENT = 50
_TREE_WIDTH_WIDE = 80
_TREE_LEAST, _BESIDE_LEAST = 60, 50


class Place(StrEnum):
    """The pane that one is in."""

    LIST = "list"
    SESSION = "session"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class PaneWidths:
    """Width of each pane in cells; 0 hides it. Hair lines stand between those shown."""

    list: int
    session: int
    agent: int

    @property
    def shown(self) -> tuple[Place, ...]:
        """The panes that can be seen, left to right."""
        sizes = ((Place.LIST, self.list), (Place.SESSION, self.session), (Place.AGENT, self.agent))
        return tuple(place for place, cells in sizes if cells)


def pane_widths(
    columns: int,
    place: Place,
    *,
    has_agent: bool,
    one_pane: bool = False,
    moved: int = 0,
    folders: bool = False,
) -> PaneWidths:
    """Return the width of each pane.

    Args:
        columns: Width of the screen.
        place: The pane one is in; it is always among those shown.
        has_agent: Whether an agent pane is open.
        one_pane: Whether the user asked for one pane at a time.
        moved: Cells that the user moved the left pane's edge to the right.
        folders: Whether the list has a column of folders.
    """
    if one_pane or columns < TWO_PANES:
        return PaneWidths(
            columns if place is Place.LIST else 0,
            columns if place is Place.SESSION else 0,
            columns if place is Place.AGENT else 0,
        )
    if has_agent and place is not Place.LIST:
        if columns >= THREE_PANES:
            left = _clamp(LIST_WIDTH + moved, *LIST_LIMITS)
            session = min(_TREE_WIDTH_WIDE, (columns - left - 2) // 2)
            return PaneWidths(left, session, columns - left - session - 2)
        session = _clamp(SESSION_BESIDE_AGENT + moved, 30, columns - 41)
        return PaneWidths(0, session, columns - session - 1)
    usual = LIST_WIDTH_WIDE if columns >= THREE_PANES else LIST_WIDTH
    if folders:
        usual = min(LIST_WIDTH_FOLDERS, columns - 1 - SESSION_LEAST)
    left = _clamp(usual + moved, *LIST_LIMITS)
    return PaneWidths(left, columns - left - 1, 0)


def tree_beside(columns: int) -> int:
    """Return the width of the tree in a session pane that shows the transcript beside it.

    Args:
        columns: Width of the session pane.

    Returns:
        0 where there is no room for both.
    """
    if columns < THREE_PANES - LIST_WIDTH_WIDE - 1:
        return 0
    return _clamp(columns - 1 - _BESIDE_LEAST, _TREE_LEAST, _TREE_WIDTH_WIDE)


def too_small(columns: int, rows: int) -> bool:
    """Return whether nothing sensible fits."""
    return columns < SMALLEST[0] or rows < SMALLEST[1]


def _clamp(value: int, least: int, most: int) -> int:
    return max(least, min(most, value))
