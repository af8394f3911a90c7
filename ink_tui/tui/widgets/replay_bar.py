"""The timeline under a transcript while a replay runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual.message import Message
from textual.widget import Widget

from ink_tui.model.replay import Playback, Schedule
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.palette import palette_of
from ink_tui.tui.render.strips import to_strip
from ink_tui.tui.render.timeline import (
    Timeline,
    bar_place,
    mark_cells,
    position_at,
    timeline,
    with_hits,
)
from ink_tui.tui.render.transcript_look import Look

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, tzinfo

    from textual import events
    from textual.strip import Strip

    from ink_tui.tui.render.rows import Piece

LOW_SCREEN = 20
"""Screens lower than this have no row of marks."""


class ReplayBar(Widget):
    """Hair line, marks and bar; the bar can be clicked, dragged and wheeled."""

    DEFAULT_CSS = """
    ReplayBar {
        dock: bottom;
        height: 3;
        display: none;
        background: $background;
    }
    ReplayBar.-low { height: 2; }
    """

    class Sought(Message):
        """Somebody clicked a place on the bar, or drags along it."""

        def __init__(self, position: int, *, held: bool) -> None:
            super().__init__()
            self.position = position
            self.held = held
            """Whether the button is still down: nothing comes by itself meanwhile."""

        def can_replace(self, message: Message) -> bool:
            """Of places that wait in the queue only the last one counts."""
            return isinstance(message, ReplayBar.Sought)

    def __init__(
        self, *, now: Callable[[], datetime], zone: tzinfo, glyphs: Glyphs = UNICODE
    ) -> None:
        """Make a bar that is not shown yet.

        Args:
            now: The present, for times; aware.
            zone: The user's zone.
            glyphs: The set to draw with.
        """
        super().__init__()
        self._now = now
        self._look = Look(0, glyphs, zone=zone)
        self._shown = Timeline(Schedule(()), Playback())
        self._hits: tuple[int, ...] = ()
        self._sought: int | None = None
        """Where the replay will be as soon as it has got there."""
        self._held = False
        self._rows: tuple[tuple[Piece, ...], ...] | None = None
        self._marks: tuple[Schedule, int, tuple[Piece, ...]] | None = None

    @property
    def shown(self) -> Timeline:
        """What is shown."""
        return self._shown

    @property
    def held(self) -> bool:
        """Whether somebody drags along the bar."""
        return self._held

    def show(self, shown: Timeline) -> None:
        """Show where a replay stands; what is under the pointer stays."""
        hover = self._shown.hover
        if hover is not None and hover > shown.schedule.last:
            hover = None
        self._shown = replace(shown, hover=hover)
        self._sought = None
        self.display = True
        self._fit()
        self._redraw()

    def tick(self) -> None:
        """Draw the time of a running call anew; call it once a second while an agent works."""
        if self.display and self._shown.schedule.running_ms is not None:
            self._redraw()

    def show_hits(self, hits: tuple[int, ...]) -> None:
        """Say at which positions a find has found something."""
        if hits != self._hits:
            self._hits, self._marks = hits, None
            self._redraw()

    def on_resize(self) -> None:
        """Leave the row of marks out of a low screen."""
        self._fit()
        self._redraw()

    def _fit(self) -> None:
        self.set_class(self.app.size.height < LOW_SCREEN, "-low")

    def _redraw(self) -> None:
        self._rows = None
        self.refresh()

    def hide(self) -> None:
        """Go away."""
        self._let_go()
        self._shown = replace(self._shown, hover=None)
        self.display = False

    def render_line(self, y: int) -> Strip:
        """Draw one of the rows."""
        palette = palette_of(self.app)
        if self._rows is None:
            look = self._look_now()
            self._rows = timeline(self._shown, look, self._mark_cells(look))
        rows = self._rows
        if self.size.height < 3:
            rows = (rows[0], rows[2])
        return to_strip(rows[min(y, len(rows) - 1)], palette)

    def _mark_cells(self, look: Look) -> tuple[Piece, ...]:
        """Return the marks; of a long session they are found once for each width of the bar."""
        schedule, room = self._shown.schedule, bar_place(self._shown, look)[1]
        known = self._marks
        if known is None or known[0] is not schedule or known[1] != room:
            cells = mark_cells(schedule, room, look.glyphs)
            known = (schedule, room, with_hits(cells, self._hits, schedule.last))
            self._marks = known
        return known[2]

    # Mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Go to the place that is pressed, and take hold of the bar."""
        event.stop()
        position = self._under(event)
        if event.button == 1 and position is not None:
            self.capture_mouse()
            self._held = True
            self._seek(position)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Say what is under the pointer; while the button is down, go there."""
        event.stop()
        position = self._under(event, beyond=self._held)
        if position != self._shown.hover:
            self._shown = replace(self._shown, hover=position)
            self._redraw()
        if self._held and position is not None and position != self._place:
            self._seek(position)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go: a replay that plays goes on from here."""
        event.stop()
        if self._held:
            self._let_go()
            self._seek(self._place)

    def on_leave(self) -> None:
        """Say nothing of what was under the pointer."""
        if self._shown.hover is not None and not self._held:
            self._shown = replace(self._shown, hover=None)
            self._redraw()

    def on_click(self, event: events.Click) -> None:
        """Keep from what lies around it what was a click on the bar."""
        event.stop()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Go one record forward."""
        self._wheel(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Go one record back."""
        self._wheel(event, -1)

    def _wheel(self, event: events.MouseEvent, step: int) -> None:
        event.stop()
        last = self._shown.schedule.last
        position = max(1, min(last, self._place + step))
        if last and position != self._place:
            self._seek(position)

    @property
    def _place(self) -> int:
        """Where the replay is, or will be in a moment."""
        return self._sought if self._sought is not None else self._shown.playback.position

    def _seek(self, position: int) -> None:
        self._sought = position
        self.post_message(self.Sought(position, held=self._held))

    def _let_go(self) -> None:
        if self._held:
            self._held = False
            self.release_mouse()

    def _under(self, event: events.MouseEvent, *, beyond: bool = False) -> int | None:
        """Return the position under the pointer."""
        x = event.screen_x - self.content_region.x
        return position_at(x, self._shown, self._look_now(), beyond=beyond)

    def _look_now(self) -> Look:
        return replace(self._look, cells=self.size.width, now=self._now())
