"""A compaction beside what it replaced: two sides, or one at a time where there is no room."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from ink_tui.keymap import Context
from ink_tui.model.compaction_sides import after_blocks, compactions_of, sides_of
from ink_tui.model.entries import CompactionEntry
from ink_tui.model.messages import AssistantMessage
from ink_tui.store.whole_messages import whole_node
from ink_tui.tui.messages import ActionChosen
from ink_tui.tui.render.compaction_rows import (
    READING,
    SidesShown,
    after_lines,
    before_lines,
    before_rows,
    top_line,
)
from ink_tui.tui.render.context_rows import TABLE_COLUMNS, columns_of
from ink_tui.tui.render.layout import TWO_PANES
from ink_tui.tui.render.rows import Piece, Role, fit
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.screens.message import Messages, MessageScreen
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.footer_bar import FooterBar
from ink_tui.tui.widgets.hair_line import HairLine
from ink_tui.tui.widgets.lines import Lines
from ink_tui.tui.widgets.message_view import MessageView
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ink_tui.model.compaction_sides import Sides
    from ink_tui.model.entries import EntryId
    from ink_tui.model.messages import ToolCall
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.rows import Columns, Row
    from ink_tui.tui.services import Services


@dataclass(frozen=True, slots=True)
class RecordChosen:
    """A record is to be shown in the session."""

    entry_id: EntryId


class _Head(Lines):
    """The title, or what stands over one side."""

    def __init__(self, screen: CompactionScreen, what: str) -> None:
        super().__init__(glyphs=screen.services.glyphs)
        self._of = screen
        self._what = what
        self.styles.height = 1 if what == "top" else 2

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        """Return the lines at a width."""
        return self._of.lines_of(self._what, cells)


class BeforeView(RowsView):
    """What was there, one row for each message."""

    DEFAULT_CSS = """
    BeforeView { height: 1fr; scrollbar-gutter: stable; }
    """

    def columns_of(self, row: Row) -> Columns:
        """Return the columns of a message, or those of a sentence."""
        return columns_of(row)


class CompactionScreen(Screen[RecordChosen | str | None]):
    """Shows one compaction after the other; the result is a record or an action of the browser."""

    AUTO_FOCUS = "BeforeView"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_for(Context.COMPACTION, Context.EVERYWHERE),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (25, "-tall")]
    DEFAULT_CSS = """
    CompactionScreen {
        layout: vertical;
        background: $background;
        #compaction-top { margin-bottom: 1; }
        &.-low #compaction-top { margin-bottom: 0; }
        #sides { height: 1fr; }
        #before, #after { width: 1fr; height: 1fr; }
        MessageView { height: 1fr; }
    }
    """

    def __init__(
        self, services: Services, path: str, diagnosis: Diagnosis, entry_id: EntryId
    ) -> None:
        """Make the screen.

        Args:
            services: The outside world.
            path: The file of the session.
            diagnosis: The session as it is shown; what is written meanwhile is not taken in.
            entry_id: The compaction to show first.
        """
        super().__init__()
        self.services = services
        self.path = path
        self.diagnosis = diagnosis
        self.entry_id = entry_id
        self.shown: SidesShown | None = None
        self.keymap = services.config.keymap
        glyphs = services.glyphs
        self.top = _Head(self, "top")
        self.top.id = "compaction-top"
        self.before = BeforeView(columns=TABLE_COLUMNS, glyphs=glyphs)
        self.after = MessageView(now=services.now, zone=services.zone, glyphs=glyphs)
        self._heads = (_Head(self, "before"), _Head(self, "after"))
        self._edge = HairLine(vertical=True, glyphs=glyphs)
        self._boxes = (Vertical(id="before"), Vertical(id="after"))
        self.footer = FooterBar(glyphs=glyphs)
        self._in_after = False

    def compose(self) -> ComposeResult:
        """Title, both sides, footer."""
        yield self.top
        with Horizontal(id="sides"):
            for box, head, view in zip(
                self._boxes, self._heads, (self.before, self.after), strict=True
            ):
                with box:
                    yield head
                    yield HairLine(glyphs=self.services.glyphs)
                    yield view
                if view is self.before:
                    yield self._edge
        yield self.footer

    def on_mount(self) -> None:
        """Read the compaction."""
        self.footer.show(self.keymap, Context.COMPACTION)
        self._lay_out()
        self._show(self.entry_id)

    def on_resize(self) -> None:
        """Show both sides where there is room for them."""
        self._lay_out()

    def _lay_out(self) -> None:
        two = self.size.width >= TWO_PANES
        self._edge.display = two
        self._boxes[0].display = two or not self._in_after
        self._boxes[1].display = two or self._in_after

    # What is shown

    def lines_of(self, what: str, cells: int) -> Sequence[tuple[Piece, ...]]:
        """Return the title, or what stands over a side.

        Args:
            what: `top`, `before` or `after`.
            cells: The width.
        """
        glyphs, sides = self.services.glyphs, self.shown.sides if self.shown is not None else None
        if what == "top":
            look = Look(cells, glyphs, self.services.now(), self.services.zone)
            return (top_line(sides, cells, glyphs, self.keymap, look),)
        if sides is None:
            said = READING if what == "before" else ""
            return (fit((Piece(f" {said}", Role.MUTED),), cells, glyphs.ellipsis),)
        if what == "before":
            return before_lines(sides, cells, glyphs, lit=not self._in_after)
        return after_lines(sides, cells, glyphs, lit=self._in_after)

    def _show(self, entry_id: EntryId) -> None:
        self.entry_id = entry_id
        self.run_worker(self._read(entry_id), group="sides", exclusive=True)

    async def _read(self, entry_id: EntryId) -> None:
        shown = await asyncio.to_thread(self._load, entry_id)
        if shown is None:
            return
        self.shown = shown
        self.before.set_rows(shown.rows)
        self.before.action_first_row()
        cwd = self.diagnosis.session.header.cwd if self.diagnosis.session.header else ""
        self.after.set_transcript(shown.after, cwd=cwd, follow=False, other=True)
        self.after.action_first_row()
        self._refresh_heads()

    def _load(self, entry_id: EntryId) -> SidesShown | None:
        """Return a compaction from both sides, its own record whole; blocks."""
        sides = sides_of(self.diagnosis.session, entry_id)
        if sides is None:
            return None
        entry = whole_node(self.path, sides.entry, self.services.library.far)
        assert isinstance(entry, CompactionEntry)
        after = after_blocks(entry, _calls_of(sides))
        return SidesShown(sides, before_rows(sides, self.services.glyphs), after)

    def _refresh_heads(self) -> None:
        for each in (self.top, *self._heads):
            each.refresh()

    def on_descendant_focus(self) -> None:
        """Light the head of the side that has the focus."""
        self._in_after = self.after.has_focus
        self._refresh_heads()

    # What was there

    def on_rows_view_opened(self, message: RowsView.Opened) -> None:
        """Show a message that was there, whole."""
        message.stop()
        at, sides = self._at(message.key), self.shown.sides if self.shown is not None else None
        if sides is None or at is None or sides.sent.context is None:
            return
        items = sides.sent.context.messages
        messages = Messages(self.path, self.diagnosis.session, items)
        self.app.push_screen(MessageScreen(self.services, messages, at), self._record_chosen)

    def _at(self, key: str | None) -> int | None:
        """Return the place of a row's message in the context, 0-based."""
        rows = self.shown.sides.table.rows if self.shown is not None else ()
        return next((row.number - 1 for row in rows if row.key == key), None)

    def _record_chosen(self, entry_id: EntryId | None) -> None:
        if entry_id is not None:
            self.dismiss(RecordChosen(entry_id))

    @on(ActionChosen)
    async def _action_chosen(self, message: ActionChosen) -> None:
        message.stop()
        method = f"action_{message.action_id.replace('-', '_')}"
        for node in (self.focused or self).ancestors_with_self:
            if hasattr(node, method):
                await self.app.run_action(method.removeprefix("action_"), node)
                return

    # Actions of the key table

    def action_other_side(self) -> None:
        """Go from what was there to what stands for it, and back."""
        self._in_after = not self._in_after
        self._lay_out()
        (self.after if self._in_after else self.before).focus()

    def action_side_next(self) -> None:
        """Show the next compaction."""
        self._step(1)

    def action_side_previous(self) -> None:
        """Show the compaction before."""
        self._step(-1)

    def _step(self, step: int) -> None:
        found = compactions_of(self.diagnosis.session)
        at = found.index(self.entry_id) + step
        if 0 <= at < len(found):
            self._show(found[at])
            return
        words = "This is the last compaction." if step > 0 else "This is the first compaction."
        self.app.clear_notifications()
        self.notify(words, timeout=4, markup=False)

    def action_side_record(self) -> None:
        """Go to the record of the selected message, or to the compaction."""
        wanted: EntryId | None = self.entry_id
        if not self._in_after and self.shown is not None:
            at, context = self._at(self.before.selected), self.shown.sides.sent.context
            wanted = context.messages[at].entry_id if at is not None and context else wanted
        if wanted is not None:
            self.dismiss(RecordChosen(wanted))

    def action_side_back(self) -> None:
        """Go back."""
        self.dismiss(None)

    # Keys of everywhere

    @work
    async def action_commands(self) -> None:
        """Find any command by its name."""
        from ink_tui.tui.screens.commands import CommandsScreen

        glyphs: Glyphs = self.services.glyphs
        screen = CommandsScreen(Context.COMPACTION, glyphs=glyphs, keymap=self.keymap)
        chosen = await self.app.push_screen_wait(screen)
        if chosen is not None:
            self.post_message(ActionChosen(chosen))

    def action_help(self) -> None:
        """Show the keys that act here."""
        from ink_tui.tui.screens.help import HelpScreen

        glyphs: Glyphs = self.services.glyphs
        self.app.push_screen(HelpScreen(Context.COMPACTION, glyphs=glyphs, keymap=self.keymap))

    def action_search(self) -> None:
        """Search everywhere."""
        self.dismiss("search")

    def action_quit(self) -> None:
        """Quit; the browser asks first while agents run."""
        self.dismiss("quit")


def _calls_of(sides: Sides) -> dict[str, ToolCall]:
    """Return the calls that stood in the context before a compaction, by their id."""
    items = sides.sent.context.messages if sides.sent.context is not None else ()
    said = [item.message for item in items if isinstance(item.message, AssistantMessage)]
    return {call.call_id: call for message in said for call in message.calls}
