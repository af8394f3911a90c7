"""The stop before a resume or a fork: shows what will happen and asks (`ui.md` 4 and 5.2).

The screen decides nothing and does nothing: it shows a `Preflight` and returns what was chosen. It
is bound to the state of the file that the preflight describes; when that changes, the caller says
so and the first option becomes to look again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from textual.message import Message

from ink_tui.agent.preflight import OptionId
from ink_tui.keymap import DEFAULT_KEYMAP, Context, Keymap
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.preflight_rows import (
    CHANGES,
    LOOK_AGAIN,
    PreflightView,
    can_choose,
    preflight_rows,
)
from ink_tui.tui.screens.dialog_screen import DialogScreen
from ink_tui.tui.widgets.bindings import bindings_for

if TYPE_CHECKING:
    from textual.binding import BindingType

    from ink_tui.agent.preflight import Preflight
    from ink_tui.tui.render.dialog_rows import DialogRows


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


class PreflightScreen(DialogScreen[PreflightResult]):
    """The preflight dialog; `None` means that it was cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for(Context.PREFLIGHT)]

    class AgentWanted(Message):
        """Another agent is wanted: build a new preflight and give it to `screen.update`."""

        def __init__(self, screen: PreflightScreen, agent: str | None) -> None:
            super().__init__()
            self.screen = screen
            self.agent = agent
            """Name of the agent that is shown now."""

    class UndoWanted(Message):
        """The last change to this session is to be undone; the screen stays open."""

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
        super().__init__(_default(preflight), glyphs, keymap)
        self.preflight = preflight
        self._view = PreflightView()

    # What the caller tells

    def update(self, preflight: Preflight) -> None:
        """Show another preflight of the same session: another agent, or a later state."""
        self.preflight = preflight
        self._selected = _default(preflight)
        self._dialog.body.start_over()
        self._dialog.foot.forget_click()
        self._set(PreflightView(details=self._view.details))

    def session_changed(self) -> None:
        """Say that the file is no longer as it was, and offer to look again."""
        self._selected = LOOK_AGAIN
        self._set(replace(self._view, asking="", changed=True, note=""))

    def say(self, sentence: str) -> None:
        """Show one sentence above the options, such as what an undo has done."""
        self._set(replace(self._view, note=sentence))

    # What is shown

    def _set(self, view: PreflightView) -> None:
        self._view = view
        self.show()

    def dialog_rows(self, screen: tuple[int, int]) -> DialogRows:
        """Return the preflight laid out for a screen."""
        return preflight_rows(
            self.preflight, screen, self._selected, self._view, self.glyphs, self.keymap
        )

    def selection_moved(self) -> None:
        """A question about another option is no longer asked."""
        self._view = replace(self._view, asking="", note="")

    # What is decided

    def choose(self, option_id: str, *, hand_over: bool = False) -> None:
        """Return an option as the result, or ask a second time where it needs that.

        Args:
            option_id: An `OptionId`, or `LOOK_AGAIN`.
            hand_over: Become the agent in this terminal.
        """
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
        elif option.id in CHANGES and self.unseen():
            self._selected = option_id
            self._set(replace(self._view, note="This is what would be written."))
        elif option.needs_second_confirmation and self._view.asking != option_id:
            self._selected = option_id
            self._set(replace(self._view, asking=option_id, note=""))
        else:
            confirmed = option.needs_second_confirmation
            agent = self.preflight.launch.agent or None
            self.dismiss(PreflightChoice(option.id, hand_over, confirmed, agent))

    def action_cancel(self) -> None:
        """Close; nothing has been changed."""
        self.dismiss(None)

    def action_preflight_fork(self) -> None:
        """Fork, then resume the copy."""
        self.choose(OptionId.FORK.value)

    def action_preflight_as_is(self) -> None:
        """Resume without a repair."""
        self.choose(OptionId.RESUME.value)

    def action_preflight_hand_over(self) -> None:
        """Do the selected option, and become the agent in this terminal."""
        if self._selected not in (OptionId.CANCEL.value, LOOK_AGAIN):
            self.choose(self._selected, hand_over=True)

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
        """Ask the caller to undo the last change to this session."""
        self.post_message(self.UndoWanted(self))


def _default(preflight: Preflight) -> str:
    """Return the option selected first: the default, or cancelling where that cannot be chosen."""
    option = preflight.option(preflight.default)
    usable = option is not None and can_choose(preflight, option)
    return (preflight.default if usable else OptionId.CANCEL).value
