"""The finding half of the main screen: the search, what hits and problems lead to, and hints."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from textual import work

from ink_tui.model.ids import EntryId
from ink_tui.model.jumps import Jump
from ink_tui.model.row_words import needs_attention
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.inside import InsideScreen
from ink_tui.tui.screens.search_values import (
    HitWanted,
    Kept,
    Known,
    RecordWanted,
    with_own_agents,
)
from ink_tui.tui.widgets.early_keys import expect_field

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow
    from ink_tui.tui.render.demo_hints import DemoHints
    from ink_tui.tui.screens.unfolding import Unfolding
    from ink_tui.tui.services import Services
    from ink_tui.tui.widgets.session_tree import SessionTree


class FindingScreen(InsideScreen):
    """Leads to records, problems and tabs; in a demo it hints at the keys that do."""

    def __init__(self, services: Services) -> None:
        """Make the screen.

        Args:
            services: The outside world.
        """
        super().__init__(services)
        self.kept_query = Kept()
        self._hit: RecordWanted | None = None
        """Where the session that is being read is to be shown."""
        self._led_to: str | None = None
        """Session that the key for problems has led to, or into."""
        self._hints: DemoHints | None = None
        if services.demo is not None:
            from ink_tui.tui.render.demo_hints import DemoHints

            self._hints = DemoHints()

    def on_mount(self) -> None:
        """Start with the first hint, in a demo."""
        self._used("")

    def _used(self, action_id: str) -> None:
        """Go on to the next hint when the key of one was used."""
        if self._hints is not None:
            self._hints = self._hints.after(action_id)
            ascii_only = self.services.glyphs.ascii
            self.session.detail.set_hint(self._hints.words(self.keymap, ascii_only=ascii_only))

    # The search

    def action_search(self) -> None:
        """Search everywhere: in all that was said or run."""
        expect_field(self)
        self._search()

    @work(group="search-screen", exclusive=True)
    async def _search(self) -> None:
        # Loaded behind the first screen.
        from ink_tui.tui.screens.search import SearchScreen

        screen = SearchScreen(self.services, self.search_service, self._known, self.kept_query)
        wanted = await self.app.push_screen_wait(screen)
        if isinstance(wanted, HitWanted):
            hit = wanted.hit
            self.open_at(RecordWanted(wanted.path, hit.entry_id, hit.call_id or None))
        elif wanted is not None:
            await self.run_action(wanted.replace("-", "_"))

    def _known(self) -> Known:
        rows = self.feed.listing.rows if self.feed.listing is not None else ()
        newest = with_own_agents(sorted(rows, key=_newest_first), self.agents.activities())
        return Known(newest, self.marking.marks, unseen=self.services.library.unseen > 0)

    def open_at(self, wanted: RecordWanted) -> None:
        """Show a session at one of its records."""
        self._hit = wanted
        self.list.select(wanted.path)
        self.open_session(wanted.path)
        self.go(Place.SESSION)

    def _session_shown(self) -> None:
        super()._session_shown()
        wanted, whole = self._hit, self.session.ending is None
        if whole:
            self._hit = None
        if wanted is None or wanted.path != self.session.path or wanted.entry_id is None:
            return
        if self.session.show_record(EntryId(wanted.entry_id), wanted.call_id):
            self._hit = None
        elif whole:
            self.tell("This record is no longer in the session, or cannot be shown.")

    # Problems

    def action_next_problem(self) -> None:
        """Go to the next session that needs a person, or to the next problem of the one shown."""
        self._to_problem(1)

    def action_previous_problem(self) -> None:
        """Go to the previous session that needs a person, or problem of the one shown."""
        self._to_problem(-1)

    def _to_problem(self, step: int) -> None:
        if self.place is Place.SESSION:
            # A tab without problems of its own to go through: the tree has them all.
            self._show_tab(Tab.TREE)
            tree = self.session.tree_view
            if not tree.jump(Jump.PROBLEM, step):
                self.tell(tree.why_none(Jump.PROBLEM, step))
            return
        row = self.list.selected_row
        here = row is not None and row.path == self.session.path
        if step > 0 and here and row is not None and row.path != self._led_to:
            # The nearest problem is that of the selected session.
            self._led_to = row.path
            if needs_attention(row) and self.session.tree_view.jump_from_top(Jump.PROBLEM):
                self._used("next-problem")
                self._show_tab(Tab.TREE)
                return
        self.list.next_problem(step)
        self._led_to = self.list.selected_path

    def on_session_tree_jumped(self, message: SessionTree.Jumped) -> None:
        """Go on to the next hint when a jump has led to a problem."""
        if message.kind is Jump.PROBLEM:
            self._used("next-problem")

    def on_session_tree_nothing_there(self, message: SessionTree.NothingThere) -> None:
        """Say that there was nothing to jump to."""
        message.stop()
        self.tell(message.words)

    # Other sessions in the tree

    @cached_property
    def unfolding(self) -> Unfolding:
        """Reads what the tree unfolds of other sessions; loaded and made when it is first used."""
        from ink_tui.tui.screens.unfolding import Unfolding

        return Unfolding(self)

    def on_session_tree_guests_wanted(self, message: SessionTree.GuestsWanted) -> None:
        """Read the records of a sub-agent, or those that a copy has added."""
        message.stop()
        self.unfolding.fill(message.host)

    def on_session_tree_guest_opened(self, message: SessionTree.GuestOpened) -> None:
        """Show the session that a record belongs to, at that record."""
        message.stop()
        if message.row.opens:
            self.open_at(RecordWanted(message.row.opens, message.row.at_entry))

    def files_changed(self, files: frozenset[str]) -> None:
        """Take in that session files changed; the tree may show records of one of them."""
        super().files_changed(files)
        if self.has_session_pane and self.session.tree_view.hosts:
            self.unfolding.files_changed(files)

    # Tabs

    def action_tab_tree(self) -> None:
        """Show the tree."""
        self._show_tab(Tab.TREE)

    def action_tab_transcript(self) -> None:
        """Show the transcript."""
        self._show_tab(Tab.TRANSCRIPT)

    def action_tab_context(self) -> None:
        """Show what a resume would send to the model."""
        self._show_tab(Tab.CONTEXT)

    def action_tab_health(self) -> None:
        """Show what is damaged, byte by byte."""
        self._used("tab-health")
        self._show_tab(Tab.HEALTH)

    def _show_tab(self, tab: Tab) -> None:
        self.when_filled(partial(self._show_tab_now, tab))

    def _show_tab_now(self, tab: Tab) -> None:
        self.session.active = tab
        self.go(Place.SESSION)


def _newest_first(row: SessionRow) -> tuple[int, str]:
    moment = row.last_ms if row.last_ms is not None else row.changed_ms
    return -(moment or 0), row.path
