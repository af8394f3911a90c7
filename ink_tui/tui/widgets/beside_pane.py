"""The third column of wide screens: what stands beside the tree and follows it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from textual.containers import Vertical

from ink_tui.model.transcript import EMPTY
from ink_tui.tui.render.rows import Piece, Role, fit
from ink_tui.tui.widgets.context_view import ContextView
from ink_tui.tui.widgets.found_views import FoundTranscript
from ink_tui.tui.widgets.health_view import HealthView
from ink_tui.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime, tzinfo

    from textual.app import ComposeResult
    from textual.widget import Widget

    from ink_tui.model.context_table import ContextTable
    from ink_tui.model.health import Health, HexWindow, Quiet
    from ink_tui.model.outline_rows import OutlineRow
    from ink_tui.model.transcript import Transcript
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.widgets.rows_view import RowsView


class Beside(StrEnum):
    """What the column shows, in the order of its key; the value is its heading."""

    TRANSCRIPT = "Transcript"
    CONTEXT = "Context"
    HEALTH = "Health"
    OFF = ""

    @property
    def after(self) -> Beside:
        """What the key shows next."""
        order = list(Beside)
        return order[(order.index(self) + 1) % len(order)]


class _Heading(Lines):
    """Says what the column shows, over a rule."""

    DEFAULT_CSS = """
    _Heading { height: 2; }
    """
    shows = Beside.TRANSCRIPT

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        """Return the two lines."""
        follows = "   follows the tree" if self.shows is Beside.TRANSCRIPT else ""
        said = (Piece(f" {self.shows}", bold=True), Piece(follows, Role.MUTED))
        rule = (Piece(" "), Piece(self.glyphs.rule * max(0, cells - 2), Role.HAIR))
        cut = self.glyphs.ellipsis
        return (fit(said, cells, cut), fit(rule, cells, cut))


class BesidePane(Vertical):
    """Shows the block of the record that is selected in the tree, or what is judged of the session.

    It takes no keys.
    """

    DEFAULT_CSS = """
    BesidePane { width: 1fr; height: 1fr; display: none; }
    BesidePane > TranscriptView { height: 1fr; }
    BesidePane > RowsView { height: 1fr; }
    """

    def __init__(self, *, now: Callable[[], datetime], zone: tzinfo, glyphs: Glyphs) -> None:
        """Make an empty column that is not shown.

        Args:
            now: The present, aware.
            zone: The user's zone.
            glyphs: The set to draw with.
        """
        super().__init__()
        self.shows = Beside.TRANSCRIPT
        """What is shown while there is room; kept for the run."""
        self._heading = _Heading(glyphs=glyphs)
        self.view = FoundTranscript(now=now, zone=zone, glyphs=glyphs)
        self.context_view = ContextView(now=now, zone=zone, glyphs=glyphs)
        self.health = HealthView(glyphs=glyphs)
        for each in (self.view, self.context_view, self.health):
            each.can_focus = False
            each.display = each is self.view
        self._windows: Mapping[str, tuple[HexWindow, ...]] = {}
        self._path: str | None = None
        self._transcript: Transcript | None = None

    def compose(self) -> ComposeResult:
        """Heading over what is shown."""
        yield self._heading
        yield self.view
        yield self.context_view
        yield self.health

    def turn(self) -> None:
        """Show the next thing."""
        self.shows = self._heading.shows = self.shows.after
        views: dict[Beside, Widget] = {
            Beside.TRANSCRIPT: self.view,
            Beside.CONTEXT: self.context_view,
            Beside.HEALTH: self.health,
        }
        for what, view in views.items():
            view.display = what is self.shows
        self._heading.refresh()

    def clear(self) -> None:
        """Show nothing."""
        self._path = self._transcript = None
        self.view.set_transcript(EMPTY)
        self.context_view.clear()
        self.health.clear()

    def wait(self, progress: str) -> None:
        """Say how far the session has been read that is to be judged."""
        self.context_view.wait(progress)
        self.health.wait(progress)

    def set_judged(
        self,
        table: ContextTable,
        health: Health,
        wrote: Quiet,
        windows: Mapping[str, tuple[HexWindow, ...]],
    ) -> None:
        """Take what is known of a session as a whole.

        Args:
            table: What a resume would send.
            health: Its faults.
            wrote: Who wrote last.
            windows: The bytes of each fault, by its key.
        """
        self._windows = windows
        self.context_view.set_table(table)
        self.health.set_health(health, wrote)

    def on_health_view_bytes_wanted(self, message: HealthView.BytesWanted) -> None:
        """Give the bytes of a fault, which were read with the session."""
        message.stop()
        key = message.fault.key
        self.health.set_bytes(key, self._windows.get(key, ()))

    def on_rows_view_highlighted(self, message: RowsView.Highlighted) -> None:
        """Keep to oneself what a click selects here."""
        message.stop()

    def follow(self, path: str, cwd: str, transcript: Transcript, row: OutlineRow | None) -> None:
        """Show where a row of the tree is in the transcript; does nothing while not shown.

        Args:
            path: File of the session.
            cwd: Its folder; paths in it are shown without it.
            transcript: Its transcript, with what is marked in it.
            row: The row; one without a record of its own leaves the column as it is.
        """
        if not self.display or self.shows is not Beside.TRANSCRIPT:
            return
        if self._transcript is not transcript:
            fresh = self._path != path
            self._path, self._transcript = path, transcript
            follow = True if fresh else None
            self.view.set_transcript(transcript, cwd=cwd, follow=follow, other=fresh)
        if row is not None and row.entry_id is not None:
            self.view.select_entry(row.entry_id, row.call.call_id if row.call is not None else None)
