"""A widget of a few lines drawn from pieces: session heads, agent tabs, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.strip import Strip
from textual.widget import Widget

from ink_tui.tui.messages import ActionChosen
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.palette import palette_of
from ink_tui.tui.render.rows import Ground, Role, part_at
from ink_tui.tui.render.strips import to_strip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events

    from ink_tui.tui.render.rows import Piece


class Lines(Widget):
    """Some lines; a click on a part that names an action chooses that action."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    Lines { width: 1fr; height: auto; }
    """

    def __init__(
        self,
        *,
        glyphs: Glyphs = UNICODE,
        id: str | None = None,  # noqa: A002  (Textual's name)
        classes: str | None = None,
    ) -> None:
        """Make an empty widget.

        Args:
            glyphs: The set to draw with.
            id: Id of the widget.
            classes: Style classes of the widget.
        """
        super().__init__(id=id, classes=classes)
        self.glyphs = glyphs

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        """Return what is shown, each line exactly so many cells wide."""
        raise NotImplementedError

    def ground(self, line: int) -> Ground:
        """Return what lies under a line."""
        return Ground.PLAIN

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        palette = palette_of(self.app)
        cells = self.size.width
        lines = self.lines(cells)
        if y >= len(lines):
            return Strip.blank(cells, palette.look(Role.TEXT, self.ground(y)))
        return to_strip(lines[y], palette, self.ground(y))

    def on_click(self, event: events.Click) -> None:
        """Choose the action under the pointer."""
        lines = self.lines(self.size.width)
        action_id = part_at(lines[event.y], event.x) if event.y < len(lines) else ""
        if action_id:
            event.stop()
            self.post_message(ActionChosen(action_id))
