"""A bar of one line, drawn from pieces: the base of header and footer."""

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
    from textual import events

    from ink_tui.tui.render.rows import Piece


class LineBar(Widget):
    """One line; a click on a part that names an action chooses that action."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    LineBar {
        height: 1;
        width: 1fr;
    }
    """
    GROUND = Ground.PLAIN

    def __init__(
        self,
        *,
        glyphs: Glyphs = UNICODE,
        id: str | None = None,  # noqa: A002  (Textual's name)
        classes: str | None = None,
    ) -> None:
        """Make an empty bar.

        Args:
            glyphs: The set to draw with.
            id: Id of the widget.
            classes: Style classes of the widget.
        """
        super().__init__(id=id, classes=classes)
        self.glyphs = glyphs

    def line(self, cells: int) -> tuple[Piece, ...]:
        """Return what is shown, exactly so many cells wide."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        palette = palette_of(self.app)
        cells = self.size.width
        if y:
            return Strip.blank(cells, palette.look(Role.TEXT, self.GROUND))
        return to_strip(self.line(cells), palette, self.GROUND)

    def on_click(self, event: events.Click) -> None:
        """Choose the action under the pointer."""
        action_id = part_at(self.line(self.size.width), event.x)
        if action_id:
            event.stop()
            self.post_message(ActionChosen(action_id))
