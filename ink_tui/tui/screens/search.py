"""Search everywhere: one field that keeps the focus, and the keys that act meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on, work

from ink_tui.keymap import Context
from ink_tui.tui.messages import ActionChosen
from ink_tui.tui.render.search_results import MORE, address
from ink_tui.tui.render.search_rows import UNFOLD
from ink_tui.tui.screens.commands import CommandsScreen
from ink_tui.tui.screens.completing import Typed
from ink_tui.tui.screens.help import HelpScreen
from ink_tui.tui.screens.results import ResultsScreen
from ink_tui.tui.screens.search_values import HitWanted
from ink_tui.tui.screens.searching import Searching
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.binding import BindingType


class SearchScreen(ResultsScreen):
    """Moves among the hits, opens them, completes and clears the query."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_for(Context.SEARCH),
        *bindings_for(Context.EVERYWHERE),
    ]

    # Keys

    @on(ActionChosen)
    async def _action_chosen(self, message: ActionChosen) -> None:
        message.stop()
        await self.run_action(message.action_id.replace("-", "_"))

    def _move(self, move: Callable[[], None]) -> None:
        self._moved = True
        move()

    def action_hit_up(self) -> None:
        """Go to the hit above."""
        self._move(self.hits.action_row_up)

    def action_hit_down(self) -> None:
        """Go to the hit below."""
        self._move(self.hits.action_row_down)

    def action_hits_page_up(self) -> None:
        """Go one page of hits up."""
        self._move(self.hits.action_page_up)

    def action_hits_page_down(self) -> None:
        """Go one page of hits down."""
        self._move(self.hits.action_page_down)

    def action_open_hit(self) -> None:
        """Open the session at the selected hit, or show more hits of it."""
        if self.hits.selected is not None:
            self._open(self.hits.selected)

    def _open(self, key: str) -> None:
        selected = self.selected
        if address(key)[0] == MORE:
            self._unfold(address(key)[2])
        elif selected is not None:
            self.dismiss(HitWanted(*selected))

    def _unfold(self, path: str) -> None:
        self._moved = True
        self.results.fold(path)
        self._draw()

    @on(RowsView.Opened)
    def _opened(self, message: RowsView.Opened) -> None:
        message.stop()
        if isinstance(message, RowsView.PartClicked) and message.part != UNFOLD:
            return
        self._open(message.key)

    def on_click(self) -> None:
        """A click selects: the selection is a person's from then on."""
        self._moved = True

    def action_hit_order(self) -> None:
        """Show the newest sessions first, or the best."""
        self._kept.best_first = self.results.best_first = not self.results.best_first
        self._moved = False
        self._draw()
        self.notify_order()

    def notify_order(self) -> None:
        """Say in which order the sessions stand."""
        words = "The best first" if self.results.best_first else "The newest first"
        self.app.clear_notifications()
        self.notify(words, timeout=2, markup=False)

    def action_clear_query(self) -> None:
        """Clear the query."""
        self.field.input.value = ""

    def action_search(self) -> None:
        """Select the whole query, to type another one."""
        self.field.input.focus()
        self.field.input.action_select_all()

    def action_search_back(self) -> None:
        """Take a completion back, else go back; the query is kept."""
        before = self._completing.taken_back()
        if before is None:
            self.dismiss(None)
        else:
            self._put(before)

    def action_complete(self) -> None:
        """Complete what stands at the cursor, in turn."""
        self._complete(1)

    def action_complete_back(self) -> None:
        """Go back to the completion before."""
        self._complete(-1)

    def _complete(self, step: int) -> None:
        typed = Typed(self.field.input.value, self.field.input.cursor_position)
        tools = {hit.tool for each in self.results.ordered() for hit in each.hits if hit.tool}
        put = self._completing.go(typed, step, self.searching.offers(tools))
        if put is not None:
            self._put(put)

    def _put(self, typed: Typed) -> None:
        self.field.input.value = typed.text
        self.field.input.cursor_position = typed.cursor
        self._say_below()

    # Keys of everywhere

    @work
    async def action_commands(self) -> None:
        """Find any command by its name."""
        screen = CommandsScreen(Context.SEARCH, glyphs=self.services.glyphs, keymap=self.keymap)
        chosen = await self.app.push_screen_wait(screen)
        if chosen is not None:
            await self.run_action(chosen.replace("-", "_"))

    def action_help(self) -> None:
        """Show the keys of the search."""
        screen = HelpScreen(Context.SEARCH, glyphs=self.services.glyphs, keymap=self.keymap)
        self.app.push_screen(screen)

    def action_read_again(self) -> None:
        """Search again, in the sessions that are known now."""
        self.searching = Searching(self.services, self.service, self._known())
        self._ask()

    def action_to_agent(self) -> None:
        """Type to the agent."""
        self.dismiss("to-agent")

    def action_quit(self) -> None:
        """Quit; the browser asks first while agents run."""
        self.dismiss("quit")
