"""The third column of wide screens: the transcript beside the tree, where the tree stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Vertical

from ink_tui.model.transcript import EMPTY
from ink_tui.tui.render.rows import Piece, Role, fit
from ink_tui.tui.widgets.found_views import FoundTranscript
from ink_tui.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime, tzinfo

    from textual.app import ComposeResult

    from ink_tui.model.outline_rows import OutlineRow
    from ink_tui.model.transcript import Transcript
    from ink_tui.tui.render.glyphs import Glyphs


class _Heading(Lines):
    """Says what the column shows, over a rule."""

    DEFAULT_CSS = """
    _Heading { height: 2; }
    """

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        """Return the two lines."""
        said = (Piece(" Transcript", bold=True), Piece("   follows the tree", Role.MUTED))
        rule = (Piece(" "), Piece(self.glyphs.rule * max(0, cells - 2), Role.HAIR))
        cut = self.glyphs.ellipsis
        return (fit(said, cells, cut), fit(rule, cells, cut))


class BesidePane(Vertical):
    """Shows the block of the record that is selected in the tree; it takes no keys."""

    DEFAULT_CSS = """
    BesidePane { width: 1fr; height: 1fr; display: none; }
    BesidePane > TranscriptView { height: 1fr; }
    """

    def __init__(self, *, now: Callable[[], datetime], zone: tzinfo, glyphs: Glyphs) -> None:
        """Make an empty column that is not shown.

        Args:
            now: The present, aware.
            zone: The user's zone.
            glyphs: The set to draw with.
        """
        super().__init__()
        self._heading = _Heading(glyphs=glyphs)
        self.view = FoundTranscript(now=now, zone=zone, glyphs=glyphs)
        self.view.can_focus = False
        self._path: str | None = None
        self._transcript: Transcript | None = None

    def compose(self) -> ComposeResult:
        """Heading over transcript."""
        yield self._heading
        yield self.view

    def clear(self) -> None:
        """Show nothing."""
        self._path = self._transcript = None
        self.view.set_transcript(EMPTY)

    def follow(self, path: str, cwd: str, transcript: Transcript, row: OutlineRow | None) -> None:
        """Show where a row of the tree is in the transcript; does nothing while not shown.

        Args:
            path: File of the session.
            cwd: Its folder; paths in it are shown without it.
            transcript: Its transcript, with what is marked in it.
            row: The row; one without a record of its own leaves the column as it is.
        """
        if not self.display:
            return
        if self._transcript is not transcript:
            fresh = self._path != path
            self._path, self._transcript = path, transcript
            follow = True if fresh else None
            self.view.set_transcript(transcript, cwd=cwd, follow=follow, other=fresh)
        if row is not None and row.entry_id is not None:
            self.view.select_entry(row.entry_id, row.call.call_id if row.call is not None else None)
