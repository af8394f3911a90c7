"""The panes of the main screen: composition, layout, focus, header and footer."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Static

from ink_tui.keymap import Context
from ink_tui.model.groups import Arrangement
from ink_tui.model.text import one_line, short_path
from ink_tui.tui.messages import SplitterMoved, SplitterReset
from ink_tui.tui.render.bars import HeaderFacts
from ink_tui.tui.render.layout import Place, pane_widths, too_small
from ink_tui.tui.render.rows import Role
from ink_tui.tui.render.state_pieces import own_words
from ink_tui.tui.widgets.agent_area import AgentArea
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.early_keys import focus_now
from ink_tui.tui.widgets.empty_state import EmptyState
from ink_tui.tui.widgets.filter_field import FilterInput
from ink_tui.tui.widgets.footer_bar import FooterBar
from ink_tui.tui.widgets.hair_line import HairLine
from ink_tui.tui.widgets.header_bar import HeaderBar
from ink_tui.tui.widgets.session_list import SessionList
from ink_tui.tui.widgets.sizes import tell_sizes

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.widget import Widget

    from ink_tui.store.watch_values import WatchState
    from ink_tui.tui.services import Services
    from ink_tui.tui.widgets.session_pane import SessionPane
    from ink_tui.tui.widgets.transcript_pane import TranscriptPane


class PanesScreen(Screen[None]):
    """List, session and agents: where they stand and which has the focus."""

    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [
        # The keys of an ended agent stand first: they act only while its pane has the focus.
        *bindings_for(Context.AGENT_EXITED, Context.EVERYWHERE, Context.SESSION, Context.BROWSER),
        # Where there is nothing to list, the list is not there to take its own key; and what it
        # cannot do by itself is done here.
        *(
            each
            for each in bindings_for(Context.LIST)
            if each.id in ("show-hidden", "pin", "star", "archive", "note", "trash", "clean-up")
        ),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (22, "-short"), (25, "-middle"), (30, "-tall")]

    def __init__(self, services: Services) -> None:
        """Make the screen.

        Args:
            services: The outside world.
        """
        super().__init__()
        self.services = services
        glyphs, now, zone = services.glyphs, services.now, services.zone
        config = services.config
        self.keymap = config.keymap
        self.header = HeaderBar(glyphs=glyphs, id="header")
        self.list = SessionList(
            now=now,
            zone=zone,
            home=services.home,
            current_cwd=services.cwd,
            glyphs=glyphs,
            id="sessions",
        )
        chord = self.keymap.action("leave-agent").keys[0]
        self.area = AgentArea(keymap=self.keymap, glyphs=glyphs, leave_chord=chord, id="agents")
        self.footer = FooterBar(glyphs=glyphs, id="footer")
        self.nothing = EmptyState(glyphs=glyphs, keymap=self.keymap, id="nothing")
        self._row = Horizontal(id="panes")
        self._small = Static("Make the window larger (40x10 or more)", id="too-small", markup=False)
        self.splitters = (
            HairLine(vertical=True, splitter=True, glyphs=glyphs, id="list-edge"),
            HairLine(vertical=True, splitter=True, glyphs=glyphs, id="session-edge"),
        )
        self.place = Place.LIST
        self.one_pane = False
        self._moved = 0
        self.noticed: WatchState | None = None
        self.read_once = False

    @cached_property
    def session(self) -> SessionPane:
        """The pane of a session; loaded and made when it is first asked for."""
        from ink_tui.tui.widgets.session_pane import SessionPane

        services = self.services
        pane = SessionPane(
            now=services.now,
            zone=services.zone,
            home=services.home,
            glyphs=services.glyphs,
            id="session",
        )
        pane.set_output_colours(wanted=services.config.ui.output_colours)
        return pane

    @property
    def has_session_pane(self) -> bool:
        """Whether the pane of a session is made: the first rows do without it."""
        return "session" in self.__dict__

    async def put_session_pane(self) -> None:
        """Put the pane of a session in its place, if it is not there yet."""
        if not self.session.is_attached:
            await self._row.mount(self.session, after=self.splitters[0])
            self.lay_out()
            tell_sizes(self.session)
            if self.place is Place.SESSION:
                self.session.focus_view()

    def compose(self) -> ComposeResult:
        """Header, panes, footer."""
        yield self.header
        with self._row:
            yield self.list
            yield self.splitters[0]
            if self.services.wanted is not None:
                yield self.session
            yield self.splitters[1]
            yield self.area
        yield self.nothing
        yield self._small
        yield self.footer

    def on_mount(self) -> None:
        """Show the panes, still empty."""
        self.lay_out()
        self.list.view.focus()
        self.draw_header()

    # Layout

    def on_resize(self) -> None:
        """Fit the panes to the new size."""
        self.lay_out()

    def lay_out(self) -> None:
        """Give each pane its place and width, and say what stands where nothing does."""
        columns, rows = self.size
        small = too_small(columns, rows)
        empty = self.read_once and not self.list.listing.sessions and not self.area.runs
        empty = empty and not self.list.asked.filter
        empty = empty and (not self.has_session_pane or self.session.path is None)
        # The list itself says how many are archived, or outside its scope.
        empty = empty and not self.list.listing.archived and not self.list.listing.outside
        self._small.display = small
        self.nothing.display = empty and not small
        self._row.display = not small and not empty
        for bar in (self.header, self.footer):
            bar.display = not small
        widths = pane_widths(
            columns,
            self.place,
            has_agent=bool(self.area.runs),
            one_pane=self.one_pane,
            moved=self._moved,
            folders=self.list.asked.arrangement is not Arrangement.FOLDER,
        )
        panes: list[tuple[Widget, int]] = [(self.list, widths.list), (self.area, widths.agent)]
        if self.has_session_pane:
            panes.append((self.session, widths.session))
            self.session.back = not widths.list
        for pane, cells in panes:
            pane.display = cells > 0
            if cells:
                pane.styles.width = cells
        self.splitters[0].display = bool(widths.list and widths.session)
        self.splitters[1].display = bool(widths.session and widths.agent)
        self.draw_footer()

    def go(self, place: Place) -> None:
        """Go to a pane: show it and put the focus in it."""
        if place is Place.AGENT and not self.area.runs:
            place = Place.SESSION
        self.place = place
        self.lay_out()
        if place is Place.LIST:
            focus_now(self.list.view)
        elif place is Place.SESSION:
            self.session.focus_view()
        else:
            self.area.focus_agent()

    @on(SplitterMoved)
    def _drag(self, message: SplitterMoved) -> None:
        self.move_edge(message.cells)

    def move_edge(self, cells: int) -> None:
        """Move the edge of the left pane to the right, or to the left."""
        self._moved += cells
        self.lay_out()

    @on(SplitterReset)
    def _reset_splitter(self) -> None:
        self._moved = 0
        self.lay_out()

    # Focus

    def on_descendant_focus(self) -> None:
        """Follow the focus: the pane that has it is in accent, the footer shows its keys."""
        if self.area.has_focus_within:
            self.place = Place.AGENT
        elif self.has_session_pane and self.session.has_focus_within:
            self.place = Place.SESSION
        elif self.list.has_focus_within:
            self.place = Place.LIST
        if self.has_session_pane:
            self.session.lit = self.place is Place.SESSION
        self.area.lit = self.place is Place.AGENT
        self.draw_footer()
        self.place_changed()

    def place_changed(self) -> None:
        """Take in that the focus moved, maybe to another pane."""

    @property
    def key_context(self) -> Context:
        """Where a key goes now."""
        if self.nothing.display:
            return Context.EVERYWHERE
        if isinstance(self.focused, FilterInput):
            return Context.FILTER
        if self.place is Place.AGENT:
            return self.area.key_context
        return self.session.key_context if self.place is Place.SESSION else Context.LIST

    def on_session_pane_tab_shown(self) -> None:
        """Offer what acts in another tab."""
        self.draw_footer()

    def on_transcript_pane_replay_changed(self) -> None:
        """Offer what acts while the transcript is played."""
        self.draw_footer()

    def on_transcript_pane_told(self, message: TranscriptPane.Told) -> None:
        """Say what a replay could not do."""
        message.stop()
        self.tell(message.sentence)

    @on(AgentArea.KeyboardMoved)
    def draw_footer(self) -> None:
        """Offer what acts now."""
        shown = ("back",) if self.place is Place.SESSION and self.session.back else ()
        self.footer.show(self.keymap, self.key_context, shown)

    # Header

    def show_watch(self, state: WatchState) -> None:
        """Say in the header how changes are noticed."""
        self.noticed = state
        self.draw_header()

    @on(SessionList.FilterChanged)
    def draw_header(self) -> None:
        """Say what is shown, how it is kept up to date, and what time it is."""
        shown, state = self.list.listing, self.noticed
        roots = self.services.library.roots
        root = short_path(roots[0], self.services.home) if roots else ""
        if self.services.demo is not None:
            words = "demo · a private copy, nothing of yours is touched"
            root = own_words(words, self.services.glyphs)
        elif len(roots) > 1:
            root += f" and {len(roots) - 1} more"
        reason = state.reason if state is not None else ""
        now = self.services.now().astimezone(self.services.zone)
        self.header.facts = HeaderFacts(
            root=root,
            sessions=shown.sessions,
            folders=shown.folders,
            archived=shown.archived,
            scope=shown.scope,
            outside=shown.outside,
            empty=self.nothing.display,
            attention=shown.attention,
            watch=state.word if state is not None else "reading",
            watch_role=Role.WARNING if reason else Role.SUCCESS,
            watch_reason=reason,
            clock=f"{now:%H:%M}",
        )

    # Notes

    def tell(self, sentence: str, *, error: bool = False) -> None:
        """Show one sentence about what was asked for; an error stays until it is dismissed."""
        self.app.clear_notifications()
        self.notify(
            one_line(sentence),
            severity="error" if error else "information",
            timeout=86_400 if error else 4,
            markup=False,
        )
