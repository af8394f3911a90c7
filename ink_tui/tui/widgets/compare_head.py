"""What stands over a comparison: its title, its tabs and the figures of both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.tui.render.compare_lines import HeadState, page_lines, side_lines, title_line
from ink_tui.tui.render.rows import Piece, Role
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime, tzinfo

    from ink_tui.keymap import Keymap
    from ink_tui.tui.render.compare_views import CompareViews
    from ink_tui.tui.render.glyphs import Glyphs


class CompareHead(Lines):
    """Title, tabs with their rule, two lines of figures for each side that is shown."""

    DEFAULT_CSS = """
    CompareHead { height: 5; }
    """

    def __init__(
        self, *, now: Callable[[], datetime], zone: tzinfo, glyphs: Glyphs, keymap: Keymap
    ) -> None:
        """Make it without a comparison.

        Args:
            now: The present, aware.
            zone: The user's zone.
            glyphs: The set to draw with.
            keymap: The table with the user's keys.
        """
        super().__init__(glyphs=glyphs, id="compare-head")
        self._keymap = keymap
        self._now, self._zone = now, zone
        self._views: CompareViews | None = None
        self._state = HeadState()
        self._left = 0

    def show(self, views: CompareViews | None, state: HeadState, left: int) -> None:
        """Show what is compared.

        Args:
            views: The comparison; `None` while it is read.
            state: What is shown of it.
            left: Width of the left column in cells.
        """
        self._views, self._state, self._left = views, state, left
        self.refresh()

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        """Return the lines at a width."""
        views, state, glyphs = self._views, self._state, self.glyphs
        title = title_line(views, cells, glyphs, self._keymap)
        if views is None:
            return (title,)
        tabs = page_lines(state, cells, glyphs)
        if state.narrow:
            look = Look(cells, glyphs, self._now(), self._zone)
            return (title, *tabs, *side_lines(views, state.side, state, look))
        widths = self._left, max(0, cells - self._left - 1)
        left, right = (
            side_lines(views, side, state, Look(width, glyphs, self._now(), self._zone))
            for side, width in enumerate(widths)
        )
        edge = Piece(glyphs.divider, Role.HAIR)
        both = [(*one, edge, *other) for one, other in zip(left, right, strict=True)]
        return (title, *tabs, *both)
