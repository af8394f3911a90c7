"""One message of a context over the screen, whole, as it would be sent."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.containers import Vertical
from textual.screen import ModalScreen

from ink_tui.keymap import Context
from ink_tui.model.entries import EntryId
from ink_tui.model.message_blocks import blocks_of
from ink_tui.model.messages import AssistantMessage
from ink_tui.model.transcript import Transcript
from ink_tui.store.whole_messages import whole_message
from ink_tui.tui.messages import ActionChosen
from ink_tui.tui.render.message_lines import hint_line, message_head
from ink_tui.tui.render.rows import Ground
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.lines import Lines
from ink_tui.tui.widgets.message_view import MessageView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ink_tui.model.context import ContextMessage
    from ink_tui.model.messages import ToolCall
    from ink_tui.model.session import Session
    from ink_tui.tui.render.rows import Piece
    from ink_tui.tui.services import Services

_WIDTH = 110
"""Cells that a message takes where there is room."""
_FULL_BELOW, _FULL_UNDER = 100, 30
"""Screens narrower, or lower, than this give it all there is."""


@dataclass(frozen=True, slots=True)
class Messages:
    """The messages of a context, and where they come from."""

    path: str
    session: Session
    items: tuple[ContextMessage, ...]

    def calls_before(self, at: int) -> dict[str, ToolCall]:
        """Return the calls that results in a message may answer, by their id.

        Args:
            at: Place of the message, 0-based.
        """
        found: dict[str, ToolCall] = {}
        for item in reversed(self.items[:at]):
            if isinstance(item.message, AssistantMessage):
                for call in item.message.calls:
                    found.setdefault(call.call_id, call)
                if found:
                    break
        return found


class _Bar(Lines):
    """Some lines on a raised ground."""

    def __init__(self, screen: MessageScreen, *, foot: bool) -> None:
        super().__init__(glyphs=screen.services.glyphs)
        self._of = screen
        self._foot = foot
        self.styles.height = 1 if foot else 2

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        """Return the keys, or what the message is."""
        return (self._of.foot_line(cells),) if self._foot else self._of.head_lines(cells)

    def ground(self, line: int) -> Ground:
        """Return what lies under a line."""
        return Ground.RAISED


class MessageScreen(ModalScreen[EntryId | None]):
    """Shows a message and goes to those beside it; the result is a record to go to."""

    AUTO_FOCUS = "MessageView"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for(Context.MESSAGE)]
    DEFAULT_CSS = """
    MessageScreen {
        align: center middle;
        background: $background 60%;
        #message { background: $background; }
        MessageView { height: 1fr; }
    }
    """

    def __init__(self, services: Services, messages: Messages, at: int) -> None:
        """Make the screen.

        Args:
            services: The outside world.
            messages: The messages of the context.
            at: Place of the one to show first, 0-based.
        """
        super().__init__()
        self.services = services
        self.messages = messages
        self.at = at
        glyphs = services.glyphs
        self.head = _Bar(self, foot=False)
        self.view = MessageView(now=services.now, zone=services.zone, glyphs=glyphs)
        self.foot = _Bar(self, foot=True)

    @property
    def item(self) -> ContextMessage:
        """The message that is shown."""
        return self.messages.items[self.at]

    def compose(self) -> ComposeResult:
        """Head, message, keys."""
        with Vertical(id="message"):
            yield self.head
            yield self.view
            yield self.foot

    def on_mount(self) -> None:
        """Show the message."""
        self._fit()
        self._show()

    def on_resize(self) -> None:
        """Fit to the new size."""
        self._fit()

    def _fit(self) -> None:
        cells, rows = self.size
        box = self.query_one("#message")
        box.styles.width = cells if cells < _FULL_BELOW else min(cells - 4, _WIDTH)
        box.styles.height = rows if rows < _FULL_UNDER else rows - 4

    def head_lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        """Return what stands over the message."""
        of = len(self.messages.items)
        return message_head(self.item, self.at + 1, of, cells, self.services.glyphs)

    def foot_line(self, cells: int) -> tuple[Piece, ...]:
        """Return the keys."""
        keymap = self.services.config.keymap
        return hint_line(keymap.footer(Context.MESSAGE), cells, self.services.glyphs)

    def _show(self) -> None:
        self.head.refresh()
        self.run_worker(self._read(self.at), group="sides", exclusive=True)

    async def _read(self, at: int) -> None:
        blocks = await asyncio.to_thread(self._blocks, at)
        self.view.set_transcript(blocks, follow=False, other=True)
        self.view.action_first_row()

    def _blocks(self, at: int) -> Transcript:
        """Return the blocks of a message, whole; blocks."""
        messages, far = self.messages, self.services.library.far
        item = messages.items[at]
        message = whole_message(messages.path, messages.session, item, at, far)
        blocks = blocks_of(message, f"m{at}", messages.calls_before(at))
        return Transcript(tuple(blocks), len(blocks), 0)

    @on(ActionChosen)
    async def _action_chosen(self, message: ActionChosen) -> None:
        message.stop()
        await self.run_action(message.action_id.replace("-", "_"))

    # Actions of the key table

    def action_message_before(self) -> None:
        """Show the message before."""
        self._go(self.at - 1)

    def action_message_after(self) -> None:
        """Show the message after."""
        self._go(self.at + 1)

    def _go(self, at: int) -> None:
        if 0 <= at < len(self.messages.items):
            self.at = at
            self._show()

    def action_message_record(self) -> None:
        """Go to the record that holds it."""
        self.dismiss(self.item.entry_id)

    def action_message_close(self) -> None:
        """Close."""
        self.dismiss(None)
