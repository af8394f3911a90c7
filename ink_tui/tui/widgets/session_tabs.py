"""The tabs of a session: what stands where, which is shown, and where the focus goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import ContentSwitcher

from ink_tui.keymap import Context
from ink_tui.model.outline_view import key_of_call
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.layout import tree_beside
from ink_tui.tui.widgets.beside_pane import Beside, BesidePane
from ink_tui.tui.widgets.context_view import ContextView
from ink_tui.tui.widgets.detail_pane import DetailPane
from ink_tui.tui.widgets.early_keys import focus_now
from ink_tui.tui.widgets.find_field import FindField
from ink_tui.tui.widgets.found_views import FoundTree
from ink_tui.tui.widgets.hair_line import HairLine
from ink_tui.tui.widgets.health_view import HealthView
from ink_tui.tui.widgets.note_band import NoteBand
from ink_tui.tui.widgets.session_head import SessionHead
from ink_tui.tui.widgets.transcript_pane import TranscriptPane

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, tzinfo

    from textual.app import ComposeResult
    from textual.widget import Widget

    from ink_tui.model.entries import EntryId
    from ink_tui.tui.render.glyphs import Glyphs

_CONTEXTS = {
    Tab.TREE: Context.TREE,
    Tab.TRANSCRIPT: Context.TRANSCRIPT,
    Tab.CONTEXT: Context.CONTEXT,
    Tab.HEALTH: Context.HEALTH,
}


class SessionTabs(Vertical):
    """Head, note and four views; it knows no session."""

    DEFAULT_CSS = """
    SessionTabs { width: 1fr; height: 1fr; background: $background; }
    SessionTabs > ContentSwitcher { height: 1fr; }
    SessionTabs #tree SessionTree { height: 1fr; }
    SessionTabs #beside-edge { display: none; }
    """

    active: reactive[Tab] = reactive(Tab.TREE)
    """The tab that is shown."""
    lit: reactive[bool] = reactive(False)
    """Whether the focus is here."""
    back: reactive[bool] = reactive(False)
    """Whether a way back to the list is shown."""

    class TabShown(Message, namespace="session_pane"):
        """Another tab is shown."""

    def __init__(
        self,
        *,
        now: Callable[[], datetime],
        zone: tzinfo,
        home: str,
        glyphs: Glyphs,
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        """Make empty tabs.

        Args:
            now: The present, aware.
            zone: The user's zone.
            home: The user's home folder, written `~`.
            glyphs: The set to draw with.
            id: Id of the widget.
        """
        super().__init__(id=id)
        self.head = SessionHead(glyphs=glyphs)
        self.band = NoteBand(glyphs=glyphs)
        self.find = FindField(glyphs=glyphs)
        self.tree_view = FoundTree(now=now, zone=zone, glyphs=glyphs)
        self.detail = DetailPane(now=now, zone=zone, home=home, glyphs=glyphs)
        self.transcript = TranscriptPane(now=now, zone=zone, glyphs=glyphs, id=Tab.TRANSCRIPT)
        self.context_view = ContextView(now=now, zone=zone, glyphs=glyphs, id=Tab.CONTEXT)
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
        yield self.find
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
        self._lay_beside()

    def turn_beside(self) -> bool:
        """Show the next thing in the third column, or none; return whether there is room for it."""
        if not tree_beside(self.size.width):
            return False
        self.beside.turn()
        self._lay_beside()
        return True

    def _lay_beside(self) -> None:
        cells = tree_beside(self.size.width) if self.beside.shows is not Beside.OFF else 0
        self._column.styles.width = cells or "1fr"
        self._edge.display = self.beside.display = cells > 0
        self._show_beside()

    def watch_lit(self, lit: bool) -> None:
        """Draw the active tab as that of the focused pane, or not."""
        self.head.lit = lit

    def watch_back(self) -> None:
        """Show or hide the way back."""
        self._draw_head()

    def watch_active(self, tab: Tab) -> None:
        """Show another tab; the focus goes with it."""
        if not self.is_mounted:
            return
        had_focus = self.has_focus_within and not self.find.has_focus_within
        self.query_one(ContentSwitcher).current = tab
        self.head.active = tab
        self._draw_head()
        if had_focus:
            self.focus_view()
        self.post_message(self.TabShown())

    def _draw_head(self) -> None:
        """Say what session is shown; for the pane that knows it."""

    def _show_beside(self) -> None:
        """Show the selected record beside the tree; for the pane that knows the session."""

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
        focus_now(self.view)

    @property
    def key_context(self) -> Context:
        """Where a key goes while the focus is here."""
        if self.active is Tab.TRANSCRIPT and self.transcript.playback is not None:
            return Context.REPLAY
        if self.active is Tab.CONTEXT and self.context_view.lens is not None:
            return Context.LENS
        return _CONTEXTS[self.active]

    @property
    def entry_id(self) -> EntryId | None:
        """The record that is selected in the tab that is shown; of a lens, the one it is from."""
        if self.active is Tab.TREE:
            row = self.tree_view.highlighted
            return row.entry_id if row is not None else None
        if self.active is Tab.TRANSCRIPT:
            block = self.transcript.view.selected
            return block.entry_id if block is not None else None
        if self.active is Tab.CONTEXT and self.context_view.lens is not None:
            return self.context_view.lens.entry_id
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
        self.transcript.bar.tick()
