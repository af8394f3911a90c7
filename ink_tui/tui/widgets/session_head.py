"""Title and tabs of a session."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual.reactive import reactive

from ink_tui.tui.render.head_lines import HeadFacts, Tab, session_tabs, title_line
from ink_tui.tui.render.state_pieces import own_words
from ink_tui.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.tui.render.rows import Piece


class SessionHead(Lines):
    """Three lines: title, tabs, rule; assign `facts`, `active` and `lit` to change them."""

    DEFAULT_CSS = """
    SessionHead { height: 3; }
    """

    facts: reactive[HeadFacts] = reactive(HeadFacts())
    active: reactive[Tab] = reactive(Tab.TREE)
    """The tab that is shown."""
    lit: reactive[bool] = reactive(False)
    """Whether the session has the focus."""

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        """Return title, tabs and rule."""
        facts = replace(
            self.facts,
            facts=own_words(self.facts.facts, self.glyphs),
            short_facts=tuple(own_words(form, self.glyphs) for form in self.facts.short_facts),
        )
        tabs = session_tabs(
            facts,
            self.active,
            cells,
            self.glyphs,
            focused=self.lit,
            plain=self.app.no_color,
        )
        return title_line(self.facts, cells, self.glyphs), tabs.tabs, tabs.rule
