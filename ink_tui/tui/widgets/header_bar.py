"""The header: product, root, counts, what needs attention, watch state, clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.reactive import reactive

from ink_tui.tui.render.bars import HeaderFacts, header_line
from ink_tui.tui.widgets.line_bar import LineBar

if TYPE_CHECKING:
    from ink_tui.tui.render.rows import Piece


class HeaderBar(LineBar):
    """The first line of the screen; assign `facts` to change it."""

    facts: reactive[HeaderFacts] = reactive(HeaderFacts())
    """What it says."""

    def watch_facts(self, facts: HeaderFacts) -> None:
        """Keep the reason of the watch state as a tooltip."""
        self.tooltip = Content(facts.watch_reason) if facts.watch_reason else None

    def line(self, cells: int) -> tuple[Piece, ...]:
        """Return the header at a width."""
        return header_line(self.facts, cells, self.glyphs)
