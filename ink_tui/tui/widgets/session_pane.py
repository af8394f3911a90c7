"""One session: what its tabs show, first of its end alone where it is long, then of the whole."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual.message import Message

from ink_tui.model.find import NOTHING
from ink_tui.model.marks import NO_MARKS
from ink_tui.model.outline_rows import NO_OUTLINE, RowKind
from ink_tui.model.transcript import EMPTY, with_stars
from ink_tui.tui.render.head_lines import HeadFacts, Tab
from ink_tui.tui.widgets.session_tabs import SessionTabs

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, tzinfo

    from ink_tui.model.entries import EntryId
    from ink_tui.model.find import Finding, Spot
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.marks import Marks, SessionMarks
    from ink_tui.model.outline_rows import Outline
    from ink_tui.model.row_words import Activity
    from ink_tui.model.transcript import Transcript
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.tui.render.ending_views import EndingViews
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.session_views import SessionViews
    from ink_tui.tui.widgets.health_view import HealthView
    from ink_tui.tui.widgets.rows_view import RowsView
    from ink_tui.tui.widgets.session_tree import SessionTree


class SessionPane(SessionTabs):
    """Takes ready views; remembers which tab is shown."""

    class TabShown(SessionTabs.TabShown):
        """Another tab is shown."""

    class SessionWanted(Message):
        """A copy of the session is to be shown."""

        def __init__(self, path: str) -> None:
            super().__init__()
            self.path = path
            """Its file."""

    class CompactionWanted(Message):
        """A compaction is to be shown beside what it replaced."""

        def __init__(self, entry_id: EntryId) -> None:
            super().__init__()
            self.entry_id = entry_id
            """Its record."""

    class ContextRowOpened(Message):
        """A row of the context was opened."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key
            """Key of the row."""

    def __init__(
        self,
        *,
        now: Callable[[], datetime],
        zone: tzinfo,
        home: str,
        glyphs: Glyphs,
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        """Make an empty pane.

        Args:
            now: The present, aware.
            zone: The user's zone.
            home: The user's home folder, written `~`.
            glyphs: The set to draw with.
            id: Id of the widget.
        """
        super().__init__(now=now, zone=zone, home=home, glyphs=glyphs, id=id)
        self.views: SessionViews | None = None
        """The session, read whole: the only views by which anything may be written or started."""
        self.ending: EndingViews | None = None
        """The end of the session, while the whole is still being read; there are no views then."""
        self._progress = ""
        self._marks = NO_MARKS
        self._transcript = EMPTY
        self._overview: tuple[SessionRow, Activity | None, str, SessionMarks] | None = None
        self._now = now
        self._finding: tuple[Finding, Spot | None] = (NOTHING, None)

    # What is shown

    @property
    def path(self) -> str | None:
        """File of the session that is shown, whole or not."""
        if self.views is not None:
            return self.views.opened.path
        return self.ending.path if self.ending is not None else None

    @property
    def session_id(self) -> str | None:
        """Id of the session that is shown, where it can be read."""
        if self.views is not None:
            return self.views.opened.row.session_id
        return self.ending.session_id if self.ending is not None else None

    @property
    def _diagnosis(self) -> Diagnosis | None:
        if self.views is not None:
            return self.views.opened.diagnosis
        return self.ending.diagnosis if self.ending is not None else None

    @property
    def _cwd(self) -> str:
        """Working directory of the session, as its header has it."""
        if self.views is not None:
            header = self.views.opened.diagnosis.session.header
            return header.cwd if header is not None else ""
        return self.ending.cwd if self.ending is not None else ""

    def show(self, views: SessionViews, note: str = "") -> None:
        """Show a session, or a newer state of the same one.

        Args:
            views: The session, ready to be shown.
            note: One sentence for the band, such as that the file was deleted.
        """
        fresh = self.path != views.opened.path
        self.views, self.ending, self._progress = views, None, ""
        self.band.sentence = note
        self.transcript.set_source(views.opened.diagnosis, views.opened.row.compactions)
        self._put(views.opened.path, views.outline, views.transcript, fresh=fresh)
        if fresh:
            self.context_view.set_lens(None)
        self.context_view.set_table(views.table)
        self._show_health()
        self._draw_head()

    def show_ending(self, ending: EndingViews) -> None:
        """Show the end of a session whose whole is being read, or a newer end of the same one."""
        fresh = self.path != ending.path
        self.views, self.ending = None, ending
        if fresh:
            self._progress = ""
            self.band.sentence = ""
        self._put(ending.path, ending.outline, ending.transcript, fresh=fresh)
        self.tell_progress(self._progress)

    def tell_progress(self, words: str) -> None:
        """Say how far the session has been read whose end is shown."""
        if self.ending is None:
            return
        self._progress = words
        self.context_view.wait(words)
        self.health.wait(words)
        self.beside.wait(words)
        self._draw_head()

    def _put(self, path: str, outline: Outline, transcript: Transcript, *, fresh: bool) -> None:
        """Show tree and transcript; those of the same session keep selection and place."""
        if fresh:
            self.transcript.stop_replay()
        row, block = self.tree_view.highlighted, self.transcript.view.selected
        source = self._diagnosis.session if self._diagnosis is not None else None
        self.tree_view.set_outline(outline, path, self._own_marks, source)
        self._transcript = with_stars(transcript, self._own_marks.stars)
        self.transcript.set_transcript(
            self._transcript, cwd=self._cwd, follow=True if fresh else None, other=fresh
        )
        if fresh:
            return
        # A result that stood alone stands with its call now.
        if row is not None and row.entry_id is not None and outline.row(row.key) is None:
            self.tree_view.select_entry(row.entry_id)
        if block is not None and block.entry_id is not None:
            after = self.transcript.view.selected
            if after is None or (after.key != block.key and not self.transcript.view.at_end):
                self.transcript.view.select_entry(block.entry_id)

    @property
    def _own_marks(self) -> SessionMarks:
        return self._marks.of(self.session_id)

    def set_marks(self, marks: Marks) -> None:
        """Say what is marked, on this session and on others."""
        before, self._marks = self._own_marks, marks
        shown = self.views or self.ending
        if shown is None or self._own_marks == before:
            return
        self.tree_view.set_marks(self._own_marks)
        if self._own_marks.stars != before.stars:
            self._transcript = with_stars(shown.transcript, self._own_marks.stars)
            self.transcript.set_transcript(self._transcript, cwd=self._cwd)
            self._show_beside()
        self._draw_head()

    def clear(self, note: str = "") -> None:
        """Show no session: what stood here would be taken for what could not be read."""
        self.views = self.ending = None
        self.band.sentence = note
        self.head.facts = HeadFacts(title=" ")
        self._transcript = EMPTY
        self.transcript.stop_replay()
        self.transcript.set_transcript(EMPTY)
        self.find.close()
        self.show_finding(NOTHING, None)
        self.tree_view.set_outline(NO_OUTLINE, "")
        self.context_view.clear()
        self.health.clear()
        self.beside.clear()
        self._show_detail()

    # What was found in it

    @property
    def whole_transcript(self) -> Transcript:
        """The transcript, also of records that a replay has not reached."""
        return self._transcript

    def show_finding(self, finding: Finding, spot: Spot | None) -> None:
        """Mark what was found, and the hit that one stands on; nothing moves."""
        self._finding = (finding, spot)
        self._show_detail()
        self.tree_view.show_finding(finding)
        self.transcript.bar.show_hits(finding.steps)
        for view in (self.transcript.view, self.beside.view):
            view.show_finding(finding, spot)

    def show_spot_in_tree(self, spot: Spot) -> bool:
        """Select the row of a hit, unfolded; return whether the filter had hidden it."""
        self._finding = (self._finding[0], spot)
        mode = self.tree_view.mode
        if spot.text.row is not None:
            self.tree_view.reveal(spot.text.row)
        self._show_beside()
        return self.tree_view.mode is not mode

    def show_spot_in_transcript(self, spot: Spot) -> bool:
        """Scroll to a hit, its block unfolded; return whether it is there."""
        self._finding = (self._finding[0], spot)
        self.transcript.reach(spot.text.step)
        return self.transcript.view.show_spot(spot)

    def _show_health(self) -> None:
        views = self.views
        if views is None:
            return
        from ink_tui.model.health import quiet  # came with the views; the first screen has none

        seconds = self._now().timestamp() - views.opened.state.changed_ms / 1000
        row = views.opened.row
        wrote = quiet(row.freshness, seconds, row.holder)
        self.health.set_health(views.health, wrote)
        self.beside.set_judged(views.table, views.health, wrote, views.windows)

    def _draw_head(self) -> None:
        shown = self.views or self.ending
        if shown is None:
            return
        head = shown.head
        if self.views is not None and self.active is Tab.HEALTH:
            head = replace(head, facts=self.views.size_words)
        seen = self.tree_view.seen_words if self.active is Tab.TREE else ()
        if seen:
            head = replace(head, facts=seen[0], short_facts=seen[1:])
        starred = self._own_marks.starred
        self.head.facts = replace(head, back=self.back, starred=starred, progress=self._progress)

    # From the views

    def on_health_view_bytes_wanted(self, message: HealthView.BytesWanted) -> None:
        """Give the bytes of a fault, which were read with the session."""
        message.stop()
        if self.views is not None:
            self.health.set_bytes(message.fault.key, self.views.windows.get(message.fault.key, ()))

    def on_rows_view_opened(self, message: RowsView.Opened) -> None:
        """Go from a fault to its record; what a row of the context leads to is the screen's."""
        message.stop()
        if message.view is self.context_view:
            self.post_message(self.ContextRowOpened(message.key))
        elif message.view is self.health:
            fault = self.health.fault_of(message.key)
            if fault is not None and fault.entry_id is not None:
                self.go_to(fault.entry_id)
                self.focus_view()

    def on_session_tree_entry_highlighted(self, message: SessionTree.EntryHighlighted) -> None:
        """Say in the detail what is selected."""
        message.stop()
        self._show_detail()
        self._show_beside()

    def on_session_tree_seen_changed(self, message: SessionTree.SeenChanged) -> None:
        """Say in the head how much of the tree is seen."""
        message.stop()
        self._draw_head()

    def _show_beside(self) -> None:
        path = self.path
        if path is not None:
            row, spot = self.tree_view.highlighted, self._finding[1]
            self.beside.follow(path, self._cwd, self._transcript, row)
            if spot is not None and row is not None and row.key == spot.text.row:
                self.beside.view.show_spot(spot)

    def set_overview(
        self, row: SessionRow | None, activity: Activity | None = None, origin: str = ""
    ) -> None:
        """Say in the detail how a session stands, or what is selected in the tree again.

        Args:
            row: The row of the list to tell of; None tells of the tree's.
            activity: What an agent does in it.
            origin: Title of the session that it was copied from, where that is known.
        """
        overview = None
        if row is not None:
            overview = (row, activity, origin, self._marks.of(row.session_id))
        if overview != self._overview:
            self._overview = overview
            self._show_detail()

    def _show_detail(self) -> None:
        row, diagnosis = self.tree_view.highlighted, self._diagnosis
        if self._overview is not None:
            self.detail.show_session(*self._overview)
        elif row is None or diagnosis is None:
            self.detail.clear()
        else:
            hints = {
                RowKind.FORK: "open the fork" if row.opens else "",
                RowKind.HIDDEN: "",
                RowKind.COMPACTION: "before and after",
            }
            self.detail.show_entry(
                row,
                diagnosis,
                "open its session" if row.guest else hints.get(row.kind, "full record"),
                evidence=self.views.evidence if self.views is not None else None,
                so_far=self.views is None,
                found=self._finding[0].row_words.get(row.key, ()),
            )

    def on_session_tree_entry_opened(self, message: SessionTree.EntryOpened) -> None:
        """Go to the record's block in the transcript, or to the bytes of what is no record."""
        message.stop()
        if message.row.kind is RowKind.FORK:
            if message.row.opens:
                self.post_message(self.SessionWanted(message.row.opens))
            return
        if message.row.kind is RowKind.COMPACTION and message.entry_id is not None:
            self.post_message(self.CompactionWanted(message.entry_id))
            return
        if message.entry_id is not None:
            call = message.row.call
            self.go_to(message.entry_id, call.call_id if call is not None else None)
            spot = self._finding[1]
            if spot is not None and spot.text.row == message.row.key:
                self.show_spot_in_transcript(spot)
                # Where the tab was not shown before, it gets its size when it is drawn.
                self.call_after_refresh(self.show_spot_in_transcript, spot)
        else:
            self.active = Tab.HEALTH
        self.focus_view()
