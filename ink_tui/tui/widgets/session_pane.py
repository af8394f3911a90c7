"""One session: its head and its four tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import ContentSwitcher

from ink_tui.keymap import Context
from ink_tui.model.marks import NO_MARKS
from ink_tui.model.outline_rows import NO_OUTLINE, RowKind
from ink_tui.model.outline_view import key_of_call
from ink_tui.model.transcript import EMPTY, with_stars
from ink_tui.tui.render.head_lines import HeadFacts, Tab
from ink_tui.tui.render.layout import tree_beside
from ink_tui.tui.widgets.beside_pane import BesidePane
from ink_tui.tui.widgets.context_view import ContextView
from ink_tui.tui.widgets.detail_pane import DetailPane
from ink_tui.tui.widgets.hair_line import HairLine
from ink_tui.tui.widgets.health_view import HealthView
from ink_tui.tui.widgets.note_band import NoteBand
from ink_tui.tui.widgets.session_head import SessionHead
from ink_tui.tui.widgets.session_tree import SessionTree
from ink_tui.tui.widgets.transcript_pane import TranscriptPane

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, tzinfo

    from textual.app import ComposeResult
    from textual.widget import Widget

    from ink_tui.model.entries import EntryId
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.marks import Marks, SessionMarks
    from ink_tui.model.row_words import Activity
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.session_views import SessionViews
    from ink_tui.tui.widgets.rows_view import RowsView

_CONTEXTS = {
    Tab.TREE: Context.TREE,
    Tab.TRANSCRIPT: Context.TRANSCRIPT,
    Tab.CONTEXT: Context.CONTEXT,
    Tab.HEALTH: Context.HEALTH,
}


class SessionPane(Vertical):
    """Takes ready views; remembers which tab is shown."""

    DEFAULT_CSS = """
    SessionPane { width: 1fr; height: 1fr; background: $background; }
    SessionPane > ContentSwitcher { height: 1fr; }
    SessionPane #tree SessionTree { height: 1fr; }
    SessionPane #beside-edge { display: none; }
    """

    active: reactive[Tab] = reactive(Tab.TREE)
    """The tab that is shown."""
    lit: reactive[bool] = reactive(False)
    """Whether the focus is here."""
    back: reactive[bool] = reactive(False)
    """Whether a way back to the list is shown."""

    class TabShown(Message):
        """Another tab is shown."""

    class SessionWanted(Message):
        """A copy of the session is to be shown."""

        def __init__(self, path: str) -> None:
            super().__init__()
            self.path = path
            """Its file."""

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
        super().__init__(id=id)
        self.views: SessionViews | None = None
        self._marks = NO_MARKS
        self._transcript = EMPTY
        self._overview: tuple[SessionRow, Activity | None, str, SessionMarks] | None = None
        self._now = now
        self.head = SessionHead(glyphs=glyphs)
        self.band = NoteBand(glyphs=glyphs)
        self.tree_view = SessionTree(now=now, zone=zone, glyphs=glyphs)
        self.detail = DetailPane(now=now, zone=zone, home=home, glyphs=glyphs)
        self.transcript = TranscriptPane(now=now, zone=zone, glyphs=glyphs, id=Tab.TRANSCRIPT)
        self.context_view = ContextView(glyphs=glyphs, id=Tab.CONTEXT)
        self.health = HealthView(glyphs=glyphs, id=Tab.HEALTH)
        self._rule = HairLine(glyphs=glyphs, id="detail-rule")
        self.beside = BesidePane(now=now, zone=zone, glyphs=glyphs)
        self._edge = HairLine(vertical=True, glyphs=glyphs, id="beside-edge")
        self._column = Vertical(id="tree-column")

    def set_output_colours(self, *, wanted: bool) -> None:
        """Draw outputs of tools in their own colours, or not."""
        self.transcript.view.output_colours = self.beside.view.output_colours = wanted

    def compose(self) -> ComposeResult:
        """Head, note, tabs."""
        yield self.head
        yield self.band
        with ContentSwitcher(initial=Tab.TREE):
            with Horizontal(id=Tab.TREE):
                with self._column:
                    yield self.tree_view
                    yield self._rule
                    yield self.detail
                yield self._edge
                yield self.beside
            yield self.transcript
            yield self.context_view
            yield self.health

    def on_resize(self) -> None:
        """Show the transcript beside the tree where there is room for both."""
        cells = tree_beside(self.size.width)
        self._column.styles.width = cells or "1fr"
        self._edge.display = self.beside.display = cells > 0
        self._show_beside()

    # What is shown

    @property
    def path(self) -> str | None:
        """File of the session that is shown."""
        return self.views.opened.path if self.views is not None else None

    def show(self, views: SessionViews, note: str = "") -> None:
        """Show a session, or a newer state of the same one.

        Args:
            views: The session, ready to be shown.
            note: One sentence for the band, such as that the file was deleted.
        """
        fresh = self.path != views.opened.path
        self.views = views
        session = views.opened.diagnosis.session
        cwd = session.header.cwd if session.header is not None else ""
        if fresh:
            self.transcript.stop_replay()
        self.band.sentence = note
        self.tree_view.set_outline(views.outline, views.opened.path, self._own_marks)
        self._transcript = with_stars(views.transcript, self._own_marks.stars)
        self.transcript.set_transcript(self._transcript, cwd=cwd, follow=True if fresh else None)
        self.context_view.set_table(views.table)
        self._show_health()
        self._draw_head()

    @property
    def session_id(self) -> str | None:
        """Id of the session that is shown, where it can be read."""
        return self.views.opened.row.session_id if self.views is not None else None

    @property
    def _own_marks(self) -> SessionMarks:
        return self._marks.of(self.session_id)

    def set_marks(self, marks: Marks) -> None:
        """Say what is marked, on this session and on others."""
        before, self._marks = self._own_marks, marks
        if self.views is None or self._own_marks == before:
            return
        self.tree_view.set_marks(self._own_marks)
        if self._own_marks.stars != before.stars:
            header = self.views.opened.diagnosis.session.header
            cwd = header.cwd if header is not None else ""
            self._transcript = with_stars(self.views.transcript, self._own_marks.stars)
            self.transcript.set_transcript(self._transcript, cwd=cwd)
            self._show_beside()
        self._draw_head()

    def clear(self, note: str = "") -> None:
        """Show no session: what stood here would be taken for what could not be read."""
        self.views = None
        self.band.sentence = note
        self.head.facts = HeadFacts(title=" ")
        self._transcript = EMPTY
        self.transcript.stop_replay()
        self.transcript.set_transcript(EMPTY)
        self.tree_view.set_outline(NO_OUTLINE, "")
        self.context_view.clear()
        self.health.clear()
        self.beside.clear()
        self._show_detail()

    def _show_health(self) -> None:
        views = self.views
        if views is None:
            return
        from ink_tui.model.health import quiet  # came with the views; the first screen has none

        seconds = self._now().timestamp() - views.opened.state.changed_ms / 1000
        row = views.opened.row
        self.health.set_health(views.health, quiet(row.freshness, seconds, row.holder))

    def _draw_head(self) -> None:
        views = self.views
        if views is None:
            return
        facts = views.size_words if self.active is Tab.HEALTH else views.head.facts
        head = views.head
        self.head.facts = HeadFacts(
            head.title,
            head.short_id,
            head.to_settle,
            facts,
            back=self.back,
            starred=self._own_marks.starred,
        )

    def watch_back(self) -> None:
        """Show or hide the way back."""
        self._draw_head()

    def watch_lit(self, lit: bool) -> None:
        """Draw the active tab as that of the focused pane, or not."""
        self.head.lit = lit

    def watch_active(self, tab: Tab) -> None:
        """Show another tab; the focus goes with it."""
        if not self.is_mounted:
            return
        had_focus = self.has_focus_within
        self.query_one(ContentSwitcher).current = tab
        self.head.active = tab
        self._draw_head()
        if had_focus:
            self.focus_view()
        self.post_message(self.TabShown())

    @property
    def view(self) -> Widget:
        """What takes the focus in the tab that is shown."""
        views: dict[Tab, Widget] = {
            Tab.TREE: self.tree_view,
            Tab.TRANSCRIPT: self.transcript.view,
            Tab.CONTEXT: self.context_view,
            Tab.HEALTH: self.health,
        }
        return views[self.active]

    def focus_view(self) -> None:
        """Put the focus in the tab that is shown."""
        self.view.focus()

    @property
    def key_context(self) -> Context:
        """Where a key goes while the focus is here."""
        if self.active is Tab.TRANSCRIPT and self.transcript.playback is not None:
            return Context.REPLAY
        return _CONTEXTS[self.active]

    @property
    def entry_id(self) -> EntryId | None:
        """The record that is selected in the tab that is shown."""
        if self.active is Tab.TREE:
            row = self.tree_view.highlighted
            return row.entry_id if row is not None else None
        if self.active is Tab.TRANSCRIPT:
            block = self.transcript.view.selected
            return block.entry_id if block is not None else None
        return None

    def go_to(self, entry_id: EntryId, call_id: str | None = None) -> None:
        """Show a record in the transcript, or one call of it."""
        self.active = Tab.TRANSCRIPT
        self.transcript.view.select_entry(entry_id, call_id)

    def show_record(self, entry_id: EntryId, call_id: str | None = None) -> bool:
        """Select a record in the tree and in the transcript; return whether one of them has it.

        Args:
            entry_id: The record.
            call_id: A call that it holds or answers; None for the record as a whole.
        """
        tree = self.tree_view
        key = key_of_call(tree.outline, entry_id, call_id) if call_id is not None else None
        key = key or tree.outline.by_entry.get(entry_id)
        in_tree = key is not None and tree.reveal(key, centre=True)
        view = self.transcript.view
        read = view.select_entry(entry_id, call_id) or view.select_entry(entry_id)
        if self.active not in (Tab.TREE, Tab.TRANSCRIPT) or not in_tree:
            self.active = Tab.TRANSCRIPT if read else Tab.TREE
        return in_tree or read

    def tick(self) -> None:
        """Draw running times anew."""
        self.tree_view.tick()

    # From the views

    def on_health_view_bytes_wanted(self, message: HealthView.BytesWanted) -> None:
        """Give the bytes of a fault, which were read with the session."""
        message.stop()
        if self.views is not None:
            self.health.set_bytes(message.fault.key, self.views.windows.get(message.fault.key, ()))

    def on_rows_view_opened(self, message: RowsView.Opened) -> None:
        """Go from a fault, or from a message of the context, to its record."""
        message.stop()
        entry_id = None
        if message.view is self.health:
            fault = self.health.fault_of(message.key)
            entry_id = fault.entry_id if fault is not None else None
        elif message.view is self.context_view:
            row = self.context_view.row_of(message.key)
            entry_id = row.entry_id if row is not None else None
        if entry_id is not None:
            self.go_to(entry_id)
            self.focus_view()

    def on_session_tree_entry_highlighted(self, message: SessionTree.EntryHighlighted) -> None:
        """Say in the detail what is selected."""
        message.stop()
        self._show_detail()
        self._show_beside()

    def _show_beside(self) -> None:
        if self.views is not None:
            self.beside.follow(self.views, self._transcript, self.tree_view.highlighted)

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
        row = self.tree_view.highlighted
        if self._overview is not None:
            self.detail.show_session(*self._overview)
        elif row is None or self.views is None:
            self.detail.clear()
        else:
            views = self.views
            hints = {RowKind.FORK: "open the fork" if row.opens else "", RowKind.HIDDEN: ""}
            self.detail.show_entry(
                row,
                views.opened.diagnosis,
                hints.get(row.kind, "full record"),
                evidence=views.evidence,
            )

    def on_session_tree_entry_opened(self, message: SessionTree.EntryOpened) -> None:
        """Go to the record's block in the transcript, or to the bytes of what is no record."""
        message.stop()
        if message.row.kind is RowKind.FORK:
            if message.row.opens:
                self.post_message(self.SessionWanted(message.row.opens))
            return
        if message.entry_id is not None:
            call = message.row.call
            self.go_to(message.entry_id, call.call_id if call is not None else None)
        else:
            self.active = Tab.HEALTH
        self.focus_view()
