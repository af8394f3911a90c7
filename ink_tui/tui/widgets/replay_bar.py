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
from ink_tui.tui.render.timeline import position_at, timeline
from ink_tui.tui.render.transcript_look import Look

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, tzinfo

    from textual import events
    from textual.strip import Strip

LOW_SCREEN = 20
"""Screens lower than this have no row of marks."""


class ReplayBar(Widget):
    """Hair line, marks and bar; the bar can be clicked."""

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
        """Somebody clicked a place on the bar."""

        def __init__(self, position: int) -> None:
            super().__init__()
            self.position = position

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
        self._schedule = Schedule(())
        self._playback = Playback()

    def show(self, schedule: Schedule, playback: Playback) -> None:
        """Show where a replay stands."""
        self._schedule, self._playback = schedule, playback
        self.display = True
        self._fit()
        self.refresh()

    def on_resize(self) -> None:
        """Leave the row of marks out of a low screen."""
        self._fit()

    def _fit(self) -> None:
        self.set_class(self.app.size.height < LOW_SCREEN, "-low")

    def hide(self) -> None:
        """Go away."""
        self.display = False

    def render_line(self, y: int) -> Strip:
        """Draw one of the rows."""
        palette = palette_of(self.app)
        look = self._look_now()
        rows = timeline(self._schedule, self._playback, look)
        if self.size.height < 3:
            rows = (rows[0], rows[2])
        return to_strip(rows[min(y, len(rows) - 1)], palette)

    def on_click(self, event: events.Click) -> None:
        """Go to the place that was clicked."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        event.stop()
        position = position_at(offset.x, self._schedule, self._playback, self._look_now())
        if position is not None:
            self.post_message(self.Sought(position))

    def _look_now(self) -> Look:
        return replace(self._look, cells=self.size.width, now=self._now())
