"""Hair lines between panes; one that parts two panes can be dragged (`ui.md` 5.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.reactive import reactive
from textual.widget import Widget

from ink_tui.tui.messages import SplitterMoved, SplitterReset
from ink_tui.tui.render.bars import rule_line
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.palette import palette_of
from ink_tui.tui.render.rows import Piece, Role
from ink_tui.tui.render.strips import to_strip

if TYPE_CHECKING:
    from textual import events
    from textual.geometry import Offset
    from textual.strip import Strip


class HairLine(Widget):
    """A line one cell thick; as a splitter it is a grab area and reports how far it is dragged."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    HairLine {
        width: 1fr;
        height: 1;
        &.-vertical { width: 1; height: 1fr; }
    }
    """

    lit: reactive[bool] = reactive(False)
    """Drawn in accent: under the pointer, or held."""

    def __init__(
        self,
        *,
        vertical: bool = False,
        splitter: bool = False,
        glyphs: Glyphs = UNICODE,
        id: str | None = None,  # noqa: A002  (Textual's name)
        classes: str | None = None,
    ) -> None:
        """Make a line.

        Args:
            vertical: Whether it stands.
            splitter: Whether it can be dragged.
            glyphs: The set to draw with.
            id: Id of the widget; its messages name it.
            classes: Style classes of the widget.
        """
        super().__init__(id=id, classes=classes)
        self.set_class(vertical, "-vertical")
        self.vertical = vertical
        self.splitter = splitter
        self.glyphs = glyphs
        self._held_at: Offset | None = None

    def render_line(self, y: int) -> Strip:
        """Draw one line of it."""
        role = Role.ACCENT if self.lit else Role.HAIR
        if self.vertical:
            return to_strip((Piece(self.glyphs.divider, role),), palette_of(self.app))
        return to_strip(rule_line(self.size.width, self.glyphs, role), palette_of(self.app))

    def on_enter(self) -> None:
        """Light up under the pointer."""
        self.lit = self.splitter

    def on_leave(self) -> None:
        """Go out, unless it is held."""
        self.lit = self._held_at is not None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold."""
        if self.splitter and event.button == 1:
            event.stop()
            self.capture_mouse()
            self._held_at = event.screen_offset
            self.lit = True

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Report each whole cell of the way."""
        if self._held_at is None:
            return
        event.stop()
        way = event.screen_offset - self._held_at
        cells = way.x if self.vertical else way.y
        if cells:
            self._held_at = event.screen_offset
            self.post_message(SplitterMoved(self.id or "", cells, final=False))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go."""
        if self._held_at is not None:
            event.stop()
            self.release_mouse()
            self._held_at = None
            self.lit = self.mouse_hover
            self.post_message(SplitterMoved(self.id or "", 0, final=True))

    def on_click(self, event: events.Click) -> None:
        """Restore the default by a double click."""
        if self.splitter and event.chain == 2:
            event.stop()
            self.post_message(SplitterReset(self.id or ""))
