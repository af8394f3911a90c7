"""What every terminal pane does with the mouse and its scroll-back view."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.widget import Widget

from ink_tui.agent.engine import KeyEvent, Modes
from ink_tui.tui.render.terminal_keys import scroll_step
from ink_tui.tui.render.terminal_mouse import mouse_event

if TYPE_CHECKING:
    from textual import events

    from ink_tui.agent.engine import TermEngine
    from ink_tui.agent.exit_state import ExitState

WHEEL_ROWS = 3


class TerminalView(Widget):
    """The part of a pane that moves its view and hands the mouse to a child that asked for it."""

    ALLOW_SELECT = False
    _WHEEL: ClassVar[dict[str, int]] = {"wheel_up": -WHEEL_ROWS, "wheel_down": WHEEL_ROWS}

    engine: TermEngine | None = None
    exit_state: ExitState | None = None
    _button_held = False

    def capture(self) -> None:
        """Take the keyboard for the agent."""
        raise NotImplementedError

    def press(self, press: KeyEvent) -> None:
        """Send one key to the agent, back at the newest rows."""
        raise NotImplementedError

    def send(self, data: bytes) -> None:
        """Send bytes to the agent; nothing happens once it has ended."""
        raise NotImplementedError

    def want_paint(self) -> None:
        """Paint as soon as it is allowed."""
        raise NotImplementedError

    def scroll_rows(self, rows: int) -> None:
        """Move the view by rows, negative towards the past; new output does not move it back."""
        if self.engine is not None:
            self.engine.scroll(rows)
            self.want_paint()

    def show_oldest(self) -> None:
        """Show the oldest rows that are kept."""
        if self.engine is not None:
            self.engine.scroll_to_start()
            self.want_paint()

    def show_newest(self) -> None:
        """Show the newest rows and follow them."""
        if self.engine is not None:
            self.engine.scroll_to_end()
            self.want_paint()

    def scroll_by_key(self, key: str) -> bool:
        """Move the view as a key of the scroll-back view asks; say whether it is one."""
        rows = self.engine.rows if self.engine is not None else 0
        step = scroll_step(key, page=max(rows - 1, 1))
        if step:
            self.scroll_rows(step)
        elif key in ("home", "g"):
            self.show_oldest()
        elif key in ("end", "G"):
            self.show_newest()
        else:
            return False
        return True

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take focus and keyboard; the agent sees the press if it asked for the mouse."""
        self._button_held = True
        if self._mouse_wanted(event):
            self.capture_mouse()
            self._send_mouse(event)
        self.capture()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """End a press."""
        if self._mouse_wanted(event):
            self._send_mouse(event)
        self.release_mouse()
        self._button_held = False

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell the agent of a drag or motion, if it asked for them."""
        if self._mouse_wanted(event):
            self._send_mouse(event)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Turn the wheel towards the past."""
        self._wheel(event)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Turn the wheel towards the newest rows."""
        self._wheel(event)

    def _wheel(self, event: events.MouseEvent) -> None:
        event.stop()
        press = mouse_event(event, held=False)
        if self._mouse_wanted(event):
            self._send_mouse(event)
        elif self._modes().alternate_screen:
            # Full-screen programs keep no scroll-back; the wheel is arrow keys there.
            key = KeyEvent("arrow_up" if press.button == "wheel_up" else "arrow_down")
            for _ in range(WHEEL_ROWS):
                self.press(key)
        else:
            self.scroll_rows(self._WHEEL[press.button])

    def _modes(self) -> Modes:
        return self.engine.modes() if self.engine is not None else Modes()

    def _mouse_wanted(self, event: events.MouseEvent) -> bool:
        """Whether the agent asked for the mouse; with Shift it stays with the terminal."""
        return self._modes().mouse and not event.shift and self.exit_state is None

    def _send_mouse(self, event: events.MouseEvent) -> None:
        if self.engine is not None:
            event.stop()
            self.send(self.engine.encode_mouse(mouse_event(event, held=self._button_held)))
