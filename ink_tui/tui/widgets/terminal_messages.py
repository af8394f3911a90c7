"""What a live pane says to the screen around it; handlers are named `on_terminal_pane_...`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from ink_tui.agent.exit_state import ExitState
    from ink_tui.errors import LaunchError
    from ink_tui.tui.widgets.terminal_view import TerminalView


class PaneMessage(Message, namespace="terminal_pane"):
    """Something a pane says; `pane` is the one that says it."""

    def __init__(self, pane: TerminalView) -> None:
        super().__init__()
        self.pane = pane

    @property
    def control(self) -> TerminalView:
        """The pane, for `on` decorators with a selector."""
        return self.pane


class LeaveChord(PaneMessage, namespace="terminal_pane"):
    """The leave chord was pressed; the next key goes to its menu."""


class MenuKey(PaneMessage, namespace="terminal_pane"):
    """A key of the leave menu: `b s z d k ] ? esc` or a digit from 1; `esc` for any other."""

    def __init__(self, pane: TerminalView, key: str) -> None:
        super().__init__(pane)
        self.key = key


class KeyboardChanged(PaneMessage, namespace="terminal_pane"):
    """Typing goes somewhere else now, see `TerminalPane.keyboard`."""


class SizeTaken(PaneMessage, namespace="terminal_pane"):
    """The terminal has another size now, see `TerminalPane.terminal_size`."""


class Exited(PaneMessage, namespace="terminal_pane"):
    """The process has ended and its last output is on the screen."""

    def __init__(self, pane: TerminalView, state: ExitState) -> None:
        super().__init__(pane)
        self.state = state


class LaunchFailed(PaneMessage, namespace="terminal_pane"):
    """The process could not be started."""

    def __init__(self, pane: TerminalView, error: LaunchError) -> None:
        super().__init__(pane)
        self.error = error


class Titled(PaneMessage, namespace="terminal_pane"):
    """The agent named its window; the title is cleaned and capped."""

    def __init__(self, pane: TerminalView, title: str) -> None:
        super().__init__(pane)
        self.title = title


class Bell(PaneMessage, namespace="terminal_pane"):
    """The agent rang the bell."""


class PasteAsks(PaneMessage, namespace="terminal_pane"):
    """A paste would be run line by line; `pane.paste(text)` sends it all the same."""

    def __init__(self, pane: TerminalView, text: str) -> None:
        super().__init__(pane)
        self.text = text


class InputRefused(PaneMessage, namespace="terminal_pane"):
    """So much input waits already that this one was not taken."""
