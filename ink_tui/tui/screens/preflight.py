"""The stop before a resume or a fork: shows what will happen and asks (`ui.md` 4 and 5.2).

The screen decides nothing and does nothing: it shows a `Preflight` and returns what was chosen. It
is bound to the state of the file that the preflight describes; when that changes, the caller says
so and the first option becomes to look again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from textual.message import Message
from textual.screen import ModalScreen

from ink_tui.agent.preflight import OptionId
from ink_tui.keymap import DEFAULT_KEYMAP, Context, Keymap
from ink_tui.tui.render.dialog_rows import key_name
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.preflight_rows import (
    LOOK_AGAIN,
    PreflightView,
    can_choose,
    preflight_rows,
)
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.dialog import Dialog, OptionsView
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ink_tui.agent.preflight import Preflight


@dataclass(frozen=True, slots=True)
class PreflightChoice:
    """What a person decided in the preflight."""

    option: OptionId
    hand_over: bool
    """Leave ink-tui and become the agent in this terminal, instead of a pane."""
    confirmed: bool
    """The option was confirmed a second time, as it asked for."""
    agent: str | None
    """Name of the agent that the preflight showed; None when it showed none."""


@dataclass(frozen=True, slots=True)
class LookAgain:
    """The session has changed, and the person wants a new preflight."""


PreflightResult: TypeAlias = PreflightChoice | LookAgain | None


class PreflightScreen(ModalScreen[PreflightResult]):
    """The preflight dialog; `None` means that it was cancelled."""

    AUTO_FOCUS = "OptionsView"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for(Context.PREFLIGHT, Context.DIALOG)]
    DEFAULT_CSS = """
    PreflightScreen {
        align: center middle;
        background: $background 60%;
    }
    """

    class AgentWanted(Message):
        """Another agent is wanted: build a new preflight and give it to `screen.update`."""

        def __init__(self, screen: PreflightScreen, agent: str | None) -> None:
            super().__init__()
            self.screen = screen
            self.agent = agent
            """Name of the agent that is shown now."""

    class UndoWanted(Message):
        """The last repair of this session is to be undone; the screen stays open."""

        def __init__(self, screen: PreflightScreen) -> None:
            super().__init__()
            self.screen = screen

    def __init__(
        self,
        preflight: Preflight,
        *,
        glyphs: Glyphs = UNICODE,
        keymap: Keymap = DEFAULT_KEYMAP,
    ) -> None:
        """Show a preflight with its default option selected.

        Args:
            preflight: All facts and choices.
            glyphs: The set to draw with.
            keymap: The table with the user's keys, for the keys that are shown.
        """
        super().__init__()
        self.preflight = preflight
        self.glyphs = glyphs
        self.keymap = keymap
        self._dialog = Dialog(glyphs)
        self._view = PreflightView(selected=preflight.default.value)

    def compose(self) -> ComposeResult:
        """Put the dialog on the dimmed screen."""
        yield self._dialog

    def on_mount(self) -> None:
        """Lay the dialog out for the first time."""
        self._start()

    def on_resize(self) -> None:
        """Lay the dialog out anew; the selection stays."""
        self._show()

    # What the caller tells

    def update(self, preflight: Preflight) -> None:
        """Show another preflight of the same session: another agent, or a later state."""
        self.preflight = preflight
        self._start()

    def session_changed(self) -> None:
        """Say that the file is no longer as it was, and offer to look again."""
        self._set(replace(self._view, selected=LOOK_AGAIN, asking="", changed=True, note=""))

    def say(self, sentence: str) -> None:
        """Show one sentence above the options, such as what an undo has done."""
        self._set(replace(self._view, note=sentence))

    # What is shown

    @property
    def selected(self) -> str:
        """Id of the selected option: an `OptionId`, or `LOOK_AGAIN`."""
        return self._view.selected

    def _start(self) -> None:
        default = self.preflight.option(self.preflight.default)
        usable = default is not None and can_choose(self.preflight, default)
        selected = self.preflight.default if usable else OptionId.CANCEL
        self._set(PreflightView(selected=selected.value, details=self._view.details))

    def _set(self, view: PreflightView) -> None:
        self._view = view
        self._show()

    def _show(self) -> None:
        if self.is_mounted:
            screen = (self.size.width, self.size.height)
            rows = preflight_rows(self.preflight, screen, self._view, self.glyphs, self.keymap)
            self._dialog.show(rows, self._view.selected)

    def _select(self, option_id: str | None) -> None:
        if option_id is not None and option_id != self._view.selected:
            self._set(replace(self._view, selected=option_id, asking="", note=""))

    def on_rows_view_highlighted(self, message: RowsView.Highlighted) -> None:
        """Follow a click on an option."""
        if message.view is self._dialog.foot:
            self._select(self._dialog.foot.selected)

    def on_rows_view_opened(self, message: RowsView.Opened) -> None:
        """Do the option that was clicked a second time."""
        self._select(message.key)
        self.action_choose_option()

    async def on_rows_view_part_clicked(self, message: RowsView.PartClicked) -> None:
        """Do what a clicked key hint says."""
        await self.run_action(self.keymap.action(message.part).method)

    # What is decided

    def _choose(self, option_id: str, *, hand_over: bool = False) -> None:
        if option_id == LOOK_AGAIN:
            self.dismiss(LookAgain())
            return
        if option_id == OptionId.CANCEL.value:
            self.dismiss(None)
            return
        option = self.preflight.option(OptionId(option_id))
        if self._view.changed or option is None:
            return
        if not can_choose(self.preflight, option):
            reason = option.consequence if not option.enabled else "what it writes is not listed"
            self._set(replace(self._view, asking="", note=f"{option.name}: {reason}"))
        elif option.needs_second_confirmation and self._view.asking != option_id:
            self._set(replace(self._view, selected=option_id, asking=option_id, note=""))
        else:
            confirmed = option.needs_second_confirmation
            agent = self.preflight.launch.agent or None
            self.dismiss(PreflightChoice(option.id, hand_over, confirmed, agent))

    def action_choose_option(self) -> None:
        """Do the selected option, or ask a second time where it needs that."""
        self._choose(self._view.selected)

    def action_cancel(self) -> None:
        """Close; nothing has been changed."""
        self.dismiss(None)

    def action_option_up(self) -> None:
        """Select the option above."""
        self._dialog.foot.step(-1)
        self._select(self._dialog.foot.selected)

    def action_option_down(self) -> None:
        """Select the option below."""
        self._dialog.foot.step(1)
        self._select(self._dialog.foot.selected)

    def action_dialog_page_up(self) -> None:
        """Scroll the facts back."""
        self._dialog.body.page(-1)

    def action_dialog_page_down(self) -> None:
        """Scroll the facts on."""
        self._dialog.body.page(1)

    def action_preflight_fork(self) -> None:
        """Fork, then resume the copy."""
        self._choose(OptionId.FORK.value)

    def action_preflight_as_is(self) -> None:
        """Resume without a repair."""
        self._choose(OptionId.RESUME.value)

    def action_preflight_hand_over(self) -> None:
        """Do the selected option, and become the agent in this terminal."""
        if self._view.selected not in (OptionId.CANCEL.value, LOOK_AGAIN):
            self._choose(self._view.selected, hand_over=True)

    def action_preflight_agent(self) -> None:
        """Ask the caller for another agent."""
        self.post_message(self.AgentWanted(self, self.preflight.launch.agent or None))

    def action_preflight_details(self) -> None:
        """Show every byte, the backup's path and whole reasons, or hide them again."""
        self._set(replace(self._view, details=not self._view.details))

    def action_preflight_copy(self) -> None:
        """Copy the resume command."""
        command = self.preflight.launch.copy_command
        if command:
            self.app.copy_to_clipboard(command)
        self.say("Copied the resume command." if command else "There is no command to copy.")

    def action_preflight_undo(self) -> None:
        """Ask the caller to undo the last repair of this session."""
        self.post_message(self.UndoWanted(self))
