"""The command palette: find anything that acts now by its name (`ui.md` 5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ink_tui.keymap import DEFAULT_KEYMAP, Context, Keymap
from ink_tui.tui.render.command_rows import (
    COMMAND_COLUMNS,
    COMMANDS_WIDTH,
    Command,
    action_commands,
    command_rows,
    find_commands,
)
from ink_tui.tui.render.dialog_rows import dialog_width, lines_of, raised, side_pad
from ink_tui.tui.render.figures import counted
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.rows import Piece, Role
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.dialog import BodyView, ResultsView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ink_tui.tui.widgets.rows_view import RowsView


class CommandsScreen(ModalScreen[str | None]):
    """The palette; the result is the id of the chosen entry, or None."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for(Context.DIALOG)]
    DEFAULT_CSS = """
    CommandsScreen {
        align: center top;
        background: $background 60%;
        #commands {
            background: $surface;
            height: auto;
        }
        #commands-line {
            height: 1;
        }
        #commands-prompt {
            width: 2;
            color: $accent;
            text-style: bold;
        }
        #commands-count {
            width: auto;
            color: $foreground-muted;
        }
        Input, Input:focus {
            width: 1fr;
            height: 1;
            border: none;
            padding: 0;
            background: $surface;
            background-tint: transparent;
        }
    }
    """

    def __init__(
        self,
        focus: Context,
        *,
        extra: Sequence[Command] = (),
        glyphs: Glyphs = UNICODE,
        keymap: Keymap = DEFAULT_KEYMAP,
    ) -> None:
        """Make the palette.

        Args:
            focus: Context of the thing that had the focus; what acts there is offered.
            extra: Further entries, such as `theme_commands` and `session_commands` return.
            glyphs: The set to draw with.
            keymap: The table with the user's keys.
        """
        super().__init__()
        self.glyphs = glyphs
        self.commands = (*action_commands(focus, glyphs, keymap), *extra)
        self._input = Input(placeholder="Command or session", id="commands-query", compact=True)
        self._count = Static("", id="commands-count", markup=False)
        self._rule = BodyView(glyphs=glyphs, id="commands-rule")
        self._results = ResultsView(glyphs=glyphs, id="commands-results")
        self._results.columns = COMMAND_COLUMNS

    def compose(self) -> ComposeResult:
        """Put the field over its results."""
        with Vertical(id="commands"):
            with Horizontal(id="commands-line"):
                yield Static(self.glyphs.chosen, id="commands-prompt", markup=False)
                yield self._input
                yield self._count
            yield self._rule
            yield self._results

    def on_mount(self) -> None:
        """Show every command."""
        self._find()

    def on_resize(self) -> None:
        """Lay the palette out anew."""
        self._show()

    @property
    def selected(self) -> str | None:
        """Id of the selected entry."""
        return self._results.selected

    def on_input_changed(self, message: Input.Changed) -> None:
        """Find what was typed."""
        message.stop()
        self._find()

    def _find(self) -> None:
        self._found = find_commands(self.commands, self._input.value)
        self._count.update(counted(len(self._found), "command"))
        first = self._found[0].command.id if self._found else ""
        self._show(first)
        self._results.scroll_to(y=0, animate=False, force=True)

    def _show(self, selected: str | None = None) -> None:
        if not self.is_mounted:
            return
        surface = self.query_one("#commands", Vertical)
        side, pad = side_pad(self.size.width), 1 if self.size.height >= 16 else 0
        over_all = dialog_width(self.size.width, COMMANDS_WIDTH)
        surface.styles.width = over_all
        surface.styles.padding = (pad, side)
        cells = max(1, over_all - 2 * side)
        self._rule.styles.height = 1
        self._rule.set_rows([raised(Piece(self.glyphs.rule * cells, Role.HAIR))])
        chosen = selected if selected is not None else self.selected or ""
        rows = command_rows(self._found, self._input.value, chosen, self.glyphs)
        room = max(1, self.size.height - 2 * pad - 2)
        self._results.styles.height = min(lines_of(rows), room)
        self._results.set_rows(rows)
        self._results.select(chosen)

    def on_rows_view_highlighted(self, message: RowsView.Highlighted) -> None:
        """Draw the mark of the selected entry."""
        if message.view is self._results:
            self._show()

    def on_rows_view_opened(self, message: RowsView.Opened) -> None:
        """Choose the entry that was clicked a second time."""
        self.dismiss(message.key)

    def on_input_submitted(self) -> None:
        """Choose the selected entry."""
        self.action_choose_option()

    def action_choose_option(self) -> None:
        """Choose the selected entry."""
        if self.selected is not None:
            self.dismiss(self.selected)

    def action_cancel(self) -> None:
        """Close the palette."""
        self.dismiss(None)

    def action_option_up(self) -> None:
        """Select the entry above."""
        self._results.step(-1)

    def action_option_down(self) -> None:
        """Select the entry below."""
        self._results.step(1)

    def action_dialog_page_up(self) -> None:
        """Select the entry one page above."""
        self._results.action_page_up()

    def action_dialog_page_down(self) -> None:
        """Select the entry one page below."""
        self._results.action_page_down()
