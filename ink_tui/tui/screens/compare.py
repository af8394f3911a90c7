"""Two branches beside each other, over the whole screen."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.containers import Horizontal
from textual.screen import Screen

from ink_tui.errors import InkTuiError
from ink_tui.keymap import Context
from ink_tui.model.text import one_line
from ink_tui.tui.messages import ActionChosen
from ink_tui.tui.render.cells import wrap
from ink_tui.tui.render.compare_lines import HeadState, Page
from ink_tui.tui.render.compare_rows import COMMON, DoneLines
from ink_tui.tui.render.compare_views import load_comparison
from ink_tui.tui.render.layout import TWO_PANES
from ink_tui.tui.render.rows import PLAIN_COLUMNS, Piece, Role, Row
from ink_tui.tui.screens.commands import CommandsScreen
from ink_tui.tui.screens.fetching import whole_detail
from ink_tui.tui.screens.help import HelpScreen
from ink_tui.tui.screens.search_values import RecordWanted
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.compare_column import CompareColumn, DoneView
from ink_tui.tui.widgets.compare_head import CompareHead
from ink_tui.tui.widgets.detail_pane import DetailPane
from ink_tui.tui.widgets.footer_bar import FooterBar
from ink_tui.tui.widgets.hair_line import HairLine
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ink_tui.model.compare_choices import Other
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.tui.render.compare_views import CompareViews
    from ink_tui.tui.services import Services


READING = "Reading ..."


class CompareScreen(Screen[RecordWanted | str | None]):
    """Shows a comparison; the result is a record to open, an action of the browser, or None."""

    AUTO_FOCUS = "#compare-left"
    VERTICAL_BREAKPOINTS = [(0, "-low"), (22, "-middle"), (30, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_for(Context.COMPARE),
        *bindings_for(Context.EVERYWHERE),
    ]
    DEFAULT_CSS = """
    CompareScreen {
        layout: vertical;
        background: $background;
        #compare-body { height: 1fr; }
        #compare-body CompareColumn { width: 1fr; height: 1fr; }
        #compare-done { height: 1fr; }
        DetailPane { height: 5; }
        &.-tall DetailPane { height: 7; }
        &.-low DetailPane, &.-low #compare-rule { display: none; }
    }
    """

    def __init__(
        self,
        services: Services,
        path: str,
        other: Other,
        live: frozenset[str] = frozenset(),
        diagnosis: Diagnosis | None = None,
    ) -> None:
        """Make the screen; what is compared is read once it is shown.

        Args:
            services: The outside world.
            path: File of the session at hand.
            other: What it is compared with.
            live: Files of sessions that an agent is known to hold.
            diagnosis: The session at hand, where it has been read.
        """
        super().__init__()
        self.services = services
        self.keymap = services.config.keymap
        self._wanted = path, other, live, diagnosis
        self.views: CompareViews | None = None
        """What is compared; `None` while it is read."""
        self.side = 0
        """The side that has the focus: 0 left, 1 right."""
        self.page = Page.RECORDS
        self._opened = False
        self._said = READING
        """What stands in the place of the rows where there are none."""
        self._was_narrow = False
        """Whether the rows were made for one side at a time."""
        glyphs, now, zone = services.glyphs, services.now, services.zone
        self.head = CompareHead(now=now, zone=zone, glyphs=glyphs, keymap=self.keymap)
        self.columns = (
            CompareColumn(0, now=now, zone=zone, glyphs=glyphs, id="compare-left"),
            CompareColumn(1, now=now, zone=zone, glyphs=glyphs, id="compare-right"),
        )
        self.columns[0].partner, self.columns[1].partner = self.columns[1], self.columns[0]
        self.done = DoneView(glyphs=glyphs, id="compare-done")
        self.detail = DetailPane(now=now, zone=zone, home=services.home, glyphs=glyphs)
        self.footer = FooterBar(glyphs=glyphs)
        self._edge = HairLine(vertical=True, glyphs=glyphs)
        self._rule = HairLine(glyphs=glyphs, id="compare-rule")

    def compose(self) -> ComposeResult:
        """Head, the two columns or what was done, the detail, the footer."""
        yield self.head
        with Horizontal(id="compare-body"):
            yield self.columns[0]
            yield self._edge
            yield self.columns[1]
        yield self.done
        yield self._rule
        yield self.detail
        yield self.footer

    def on_mount(self) -> None:
        """Read what is compared."""
        self.footer.show(self.keymap, Context.COMPARE)
        self._lay_out()
        self._read()

    def on_resize(self) -> None:
        """Show both sides where there is room for them."""
        if self.narrow is not self._was_narrow:
            self._was_narrow = self.narrow
            self._show_rows()
        self._lay_out()

    @property
    def narrow(self) -> bool:
        """Whether one side is shown at a time."""
        return self.size.width < TWO_PANES

    @property
    def column(self) -> CompareColumn:
        """The column that has the focus, or had it last."""
        return self.columns[self.side]

    # Reading

    @work(group="compare", exclusive=True)
    async def _read(self) -> None:
        self._said = READING
        try:
            self.views = await asyncio.to_thread(load_comparison, *self._wanted)
        except InkTuiError as error:
            self.views, self._said = None, str(error)
            self._turn_to(Page.RECORDS)
            return
        self._was_narrow = self.narrow
        self._show_rows()
        self._lay_out()
        for column in self.columns:
            column.select_line(1)
        self._tell_record()

    def _say(self) -> None:
        """Show in the place of the rows why there are none."""
        role = Role.MUTED if self._said == READING else Role.WARNING
        cells = max(1, self.size.width - 2 * PLAIN_COLUMNS.pad)
        lines = wrap(one_line(self._said), cells)
        self.columns[0].set_rows(
            [Row("", (Piece(line, role),), selectable=False) for line in lines]
        )

    def _show_rows(self) -> None:
        if self.views is not None:
            common = self.views.comparison.common
            for column in self.columns:
                rows = self.views.columns[column.side]
                column.show(rows, common, opened=self._opened, beside=not self.narrow)

    # What is shown

    def _lay_out(self) -> None:
        """Give each part its place at this size."""
        narrow, records = self.narrow, self.page is Page.RECORDS
        self.query_one("#compare-body").display = records
        self.done.display = not records
        self.detail.display = self._rule.display = records and self.size.height >= 22
        one = narrow or self.views is None
        shown = self.side if self.views is not None else 0
        self._edge.display = not one
        for column in self.columns:
            column.display = not one or column.side == shown
        self.columns[0].styles.width = "1fr" if one else self.size.width // 2
        self._show_head()
        if self.views is None:
            self._say()
        else:
            self.done.show(DoneLines(self.views.sections), self.side if narrow else None)

    def _show_head(self) -> None:
        state = HeadState(self.page, self.side, self.narrow)
        self.head.show(self.views, state, self.size.width // 2)

    def _tell_record(self) -> None:
        """Show the selected record in the detail."""
        row = self.column.record
        if row is None or self.views is None:
            self.detail.clear()
            return
        side = (self.views.comparison.left, self.views.comparison.right)[self.side]
        self.detail.show_entry(row, side.diagnosis, "open in its session")

    def on_detail_pane_whole_wanted(self, message: DetailPane.WholeWanted) -> None:
        """Read the record of which only the start is kept."""
        message.stop()
        if self.views is not None:
            reading = self._give_row(message, self.views.paths[self.side])
            self.run_worker(reading, group="record", exclusive=True)

    async def _give_row(self, message: DetailPane.WholeWanted, path: str) -> None:
        far = self.services.library.far
        row, record = await asyncio.to_thread(whole_detail, path, message, far)
        self.detail.set_whole(message.row, row, record)

    # Rows

    @on(RowsView.Highlighted)
    def _highlighted(self, message: RowsView.Highlighted) -> None:
        message.stop()
        if message.view is self.column:
            self._tell_record()

    @on(RowsView.Opened)
    def _row_opened(self, message: RowsView.Opened) -> None:
        """Unfold what is in common, or open the session at the record."""
        message.stop()
        row = self.column.record
        if message.view not in self.columns or self.views is None:
            return
        if message.key == COMMON:
            for column in self.columns:
                column.select(COMMON)
            self._opened = not self._opened
            self._show_rows()
            return
        if row is None or row.entry_id is None:
            return
        call_id = row.call.call_id if row.call is not None else None
        self.dismiss(RecordWanted(self.views.paths[self.side], row.entry_id, call_id))

    def on_descendant_focus(self) -> None:
        """Follow the focus from side to side."""
        side = self.side
        if isinstance(self.focused, CompareColumn):
            side = self.focused.side
        if side != self.side:
            self.side = side
            self._show_head()
            self._tell_record()

    # Actions of the key table

    @on(ActionChosen)
    async def _action_chosen(self, message: ActionChosen) -> None:
        message.stop()
        await self._do(message.action_id)

    async def _do(self, action_id: str) -> None:
        """Do an action by its id: of the nearest widget around the focus that has it."""
        method = action_id.replace("-", "_")
        for node in (self.focused or self).ancestors_with_self:
            if hasattr(node, f"action_{method}"):
                await self.app.run_action(method, node)
                return

    def _go(self, side: int) -> None:
        if side == self.side or self.views is None:
            return
        line = self.column.selected_index
        self.side = side
        self._lay_out()
        if line is not None:
            self.column.select_line(line)
        if self.page is Page.RECORDS:
            self.set_focus(self.column)
        self._tell_record()

    def action_compare_other(self) -> None:
        """Go to the other side."""
        self._go(1 - self.side)

    def action_compare_left(self) -> None:
        """Go to the left side."""
        self._go(0)

    def action_compare_right(self) -> None:
        """Go to the right side."""
        self._go(1)

    def action_compare_previous_turn(self) -> None:
        """Go to the user turn before."""
        self.column.step_turn(-1)

    def action_compare_next_turn(self) -> None:
        """Go to the next user turn."""
        self.column.step_turn(1)

    def action_compare_records(self) -> None:
        """Show the records of both sides."""
        self._turn_to(Page.RECORDS)

    def action_compare_done(self) -> None:
        """Show files, commands and figures of both sides."""
        self._turn_to(Page.DONE)

    def _turn_to(self, page: Page) -> None:
        self.page = page if self.views is not None else Page.RECORDS
        self._lay_out()
        self.set_focus(self.column if self.page is Page.RECORDS else self.done)

    # Keys of everywhere

    @work
    async def action_commands(self) -> None:
        """Find any command by its name."""
        screen = CommandsScreen(Context.COMPARE, glyphs=self.services.glyphs, keymap=self.keymap)
        chosen = await self.app.push_screen_wait(screen)
        if chosen is not None:
            await self._do(chosen)

    def action_help(self) -> None:
        """Show the keys of the comparison."""
        screen = HelpScreen(Context.COMPARE, glyphs=self.services.glyphs, keymap=self.keymap)
        self.app.push_screen(screen)

    def action_back(self) -> None:
        """Go back."""
        self.dismiss(None)

    def action_read_again(self) -> None:
        """Read both from disk again."""
        self._wanted = (*self._wanted[:3], None)
        self._read()

    def action_search(self) -> None:
        """Search everywhere."""
        self.dismiss("search")

    def action_to_agent(self) -> None:
        """Type to the agent."""
        self.dismiss("to-agent")

    def action_quit(self) -> None:
        """Quit; the browser asks first while agents run."""
        self.dismiss("quit")
