"""The live pane: one agent's terminal, drawn and typed into.

See `live-pane.md` section 8 for the rules and `ui.md` section 4 for the words. Everything here runs
on the loop of the app; painting and parsing are separate, and no thread is used.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Literal, TypeAlias

from rich.segment import Segment
from textual.geometry import Offset, Region
from textual.reactive import reactive
from textual.strip import Strip

from ink_tui.agent.engine import EngineEvents
from ink_tui.errors import LaunchError
from ink_tui.tui.render.paint_pacer import PaintPacer, split_at_frame_end
from ink_tui.tui.render.terminal_keys import key_event, menu_key
from ink_tui.tui.render.terminal_rows import spans
from ink_tui.tui.render.terminal_screen import TerminalScreen
from ink_tui.tui.widgets import terminal_messages
from ink_tui.tui.widgets.terminal_view import TerminalView

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events

    from ink_tui.agent.engine import EngineFactory, KeyEvent, TermEngine
    from ink_tui.agent.exit_state import ExitState
    from ink_tui.agent.pty_process import PtyProcess, StartProcess

Keyboard = Literal["captured", "menu", "released", "scroll"]

LEAVE_CHORD = "ctrl+right_square_bracket"
MIN_COLUMNS, MIN_ROWS = 20, 5
RESIZE_SECONDS = 0.05


class TerminalPane(TerminalView, can_focus=True):
    """Hosts one started process on a terminal engine.

    Attributes:
        keyboard: Where typing goes: `captured` to the agent, `menu` one key to the leave menu,
            `released` to the browser, `scroll` to the scroll-back view.
        exit_state: How the process ended; None while it runs.
        failure: Why the process could not be started, as a sentence.
    """

    DEFAULT_CSS = """
    TerminalPane { width: 1fr; height: 1fr; background: $background; color: $foreground; }
    """

    keyboard: reactive[Keyboard] = reactive[Keyboard]("released", init=False)

    LeaveChord: TypeAlias = terminal_messages.LeaveChord
    MenuKey: TypeAlias = terminal_messages.MenuKey
    KeyboardChanged: TypeAlias = terminal_messages.KeyboardChanged
    SizeTaken: TypeAlias = terminal_messages.SizeTaken
    Exited: TypeAlias = terminal_messages.Exited
    LaunchFailed: TypeAlias = terminal_messages.LaunchFailed
    Titled: TypeAlias = terminal_messages.Titled
    Bell: TypeAlias = terminal_messages.Bell
    PasteAsks: TypeAlias = terminal_messages.PasteAsks
    InputRefused: TypeAlias = terminal_messages.InputRefused

    def __init__(
        self,
        start: StartProcess,
        engine_factory: EngineFactory,
        *,
        leave_chord: str = LEAVE_CHORD,
        clock: Callable[[], float] = time.monotonic,
        id: str | None = None,  # noqa: A002 - the name that every Textual widget gives it
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.leave_chord = leave_chord
        self.process: PtyProcess | None = None
        self.engine: TermEngine | None = None
        self.exit_state: ExitState | None = None
        self.failure = ""
        self.paints = 0
        self.last_output: float | None = None
        self._start = start
        self._engine_factory = engine_factory
        self._clock = clock
        self._pacer = PaintPacer(clock)
        self._screen = TerminalScreen()
        self._dirty = False
        self._paint_due: float | None = None
        self._hidden = False
        self._delayed: dict[str, asyncio.TimerHandle] = {}
        self._told: set[str] = set()

    @property
    def started(self) -> bool:
        """Whether the process has written anything yet."""
        return self.last_output is not None

    @property
    def title(self) -> str:
        """The title that the agent gave its window, cleaned and capped."""
        return self.engine.title() if self.engine is not None else ""

    @property
    def terminal_size(self) -> tuple[int, int]:
        """Columns and rows that the agent was told."""
        return (self.engine.columns, self.engine.rows) if self.engine is not None else (0, 0)

    @property
    def too_small(self) -> bool:
        """Whether the pane shows a note instead of a terminal."""
        return self.size.width < MIN_COLUMNS or self.size.height < MIN_ROWS

    def screen_text(self) -> str:
        """Return what is drawn now as plain text, one line per row."""
        return self._screen.text()

    # -- life of the process

    def on_resize(self) -> None:
        """Start at the first size; later sizes are told to the agent once they stay."""
        if self.failure or not self.size:
            return
        if self.engine is None:
            self._begin()
        else:
            self._later("resize", RESIZE_SECONDS, self._apply_size)

    def _begin(self) -> None:
        columns, rows = max(self.size.width, MIN_COLUMNS), max(self.size.height, MIN_ROWS)
        heard = EngineEvents(
            reply=lambda data: self.process is not None and self.process.reply(data),
            # The engine cannot be asked while it is fed, and a flood of bells is one bell.
            bell=lambda: self._told.add("bell"),
            title=lambda: self._told.add("title"),
            hold=self._pacer.hold,
        )
        self.engine = self._engine_factory(columns, rows, heard)
        self._tint()
        self.app.theme_changed_signal.subscribe(self, lambda _theme: self._tint())
        try:
            self.process = self._start(
                columns, rows, on_output=self._take_output, on_exit=self._take_exit
            )
        except LaunchError as error:
            self.failure = str(error)
            self.refresh()
            self.post_message(self.LaunchFailed(self, error))

    def _tint(self) -> None:
        _, _, background, foreground = self.colors
        if self.engine is not None:
            self.engine.set_colors(foreground.rgb, background.rgb)

    def _apply_size(self) -> None:
        if self.engine is None or self.too_small or self.size == self.terminal_size:
            return
        self.engine.resize(*self.size)
        if self.process is not None:
            self.process.resize(*self.size)
        self.want_paint()
        self.post_message(self.SizeTaken(self))

    def _take_output(self, data: bytes) -> None:
        if self.engine is None:
            return
        self.last_output = self._clock()
        whole, rest = split_at_frame_end(data)
        if whole:
            self.engine.feed(whole)
            if not self._hidden and not self._pacer.delay():
                self._paint()
        if rest:
            self.engine.feed(rest)
        if "title" in self._told:
            self.post_message(self.Titled(self, self.title))
        if "bell" in self._told:
            self.post_message(self.Bell(self))
        self._told.clear()
        self.want_paint()

    def _take_exit(self, state: ExitState) -> None:
        self.exit_state = state
        self._pacer.hold(False)
        if self._hidden:
            self.want_paint()
        else:
            self._paint()
        if self.keyboard != "scroll":
            self.keyboard = "released"
        self.post_message(self.Exited(self, state))

    async def on_unmount(self) -> None:
        """End the process, if it still runs, and free the engine."""
        for timer in self._delayed.values():
            timer.cancel()
        if self.process is not None:
            await self.process.close()
        if self.engine is not None:
            self.engine.close()
            self.engine = None

    # -- painting

    def on_hide(self) -> None:
        """Parse on, but paint nothing that nobody sees."""
        self._hidden = True

    def on_show(self) -> None:
        """Paint what has changed meanwhile."""
        self._hidden = False
        if self.engine is None:
            self.on_resize()
        self.want_paint()

    def _later(self, name: str, seconds: float, call: Callable[[], None]) -> None:
        if name in self._delayed:
            self._delayed.pop(name).cancel()
        self._delayed[name] = asyncio.get_running_loop().call_later(seconds, call)

    def want_paint(self) -> None:
        """Paint as soon as it is allowed.

        A planned paint is moved only to an earlier time: under a flood of output it would
        otherwise be put off for ever.
        """
        self._dirty = True
        if self._hidden:
            return
        due = self._clock() + self._pacer.delay()
        if self._paint_due is None or due < self._paint_due:
            self._paint_due = due
            self._later("paint", due - self._clock(), self._paint_when_due)

    def _paint_when_due(self) -> None:
        self._paint_due = None
        if self._hidden or not self._dirty:
            return
        if self._pacer.delay() > 0:
            self.want_paint()
        else:
            self._paint()

    def _paint(self) -> None:
        """Take the changed rows from the engine and refresh only their regions."""
        engine = self.engine
        if engine is None or not self.is_attached:
            return
        self._dirty = False
        self._pacer.painted()
        self.paints += 1
        self._refresh_rows(self._screen.take(engine))
        cursor = self._screen.cursor
        if cursor is not None and self.has_focus:
            # Input methods open their window beside the cursor.
            self.app.cursor_position = self.content_region.offset + Offset(
                cursor.column, cursor.row
            )

    def _refresh_rows(self, rows: set[int]) -> None:
        width, height = self.size
        regions = [Region(0, y, width, count) for y, count in spans(rows, height)]
        if regions:
            self.refresh(*regions)

    def render_line(self, y: int) -> Strip:
        """Return one row of the pane: the terminal's, or a note's."""
        width, base = self.size.width, self.rich_style
        note = self._note()
        if note:
            text = note[y] if y < len(note) else ""
            return Strip([Segment(text)]).adjust_cell_length(width).apply_style(base)
        look = "block" if self.keyboard == "captured" and self.has_focus else "line"
        if self.exit_state is not None:
            look = ""
        return self._screen.line(y, width, look).apply_style(base)

    def _note(self) -> list[str]:
        if self.failure:
            return [self.failure]
        if self.too_small:
            return ["Make this pane larger", f"({MIN_COLUMNS}x{MIN_ROWS} or more)"]
        return []

    # -- keyboard

    def watch_keyboard(self) -> None:
        """Redraw the text cursor and tell who shows the state."""
        if self._screen.cursor is not None:
            self._refresh_rows({self._screen.cursor.row})
        self.post_message(self.KeyboardChanged(self))

    def capture(self) -> None:
        """Take the keyboard for the agent, and the focus; an ended agent takes no keys."""
        self.focus()
        if self.exit_state is None and not self.failure:
            self.keyboard = "captured"

    def release(self) -> None:
        """Give the keyboard back to the browser; the focus stays where it is."""
        self.keyboard = "released"

    def on_focus(self) -> None:
        """A pane that gets the focus captures the keyboard."""
        self.capture()
        self._send_focus(True)

    def on_blur(self) -> None:
        """A pane without the focus cannot hold the keyboard."""
        self.release()
        self._send_focus(False)

    def _send_focus(self, focused: bool) -> None:
        if self.engine is not None and (data := self.engine.encode_focus(focused)):
            self.send(data)

    def on_key(self, event: events.Key) -> None:
        """Send a key where typing goes; released keys go on to the bindings of the browser."""
        if self.keyboard == "captured":
            self._captured_key(event)
        elif self.keyboard == "menu":
            self._menu_key(event.key)
        elif self.keyboard == "scroll":
            self._scroll_key(event.key)
        elif event.key == self.leave_chord and self.exit_state is None:
            self.capture()
        else:
            return
        event.stop()
        event.prevent_default()

    def _captured_key(self, event: events.Key) -> None:
        if event.key == self.leave_chord:
            self.keyboard = "menu"
            self.post_message(self.LeaveChord(self))
            return
        press = key_event(event.key, event.character)
        if press is not None:
            self.press(press)

    def press(self, press: KeyEvent) -> None:
        """Send one key to the agent, back at the newest rows."""
        if self.engine is None:
            return
        if self.engine.view().below:
            self.engine.scroll_to_end()
            self.want_paint()
        self.send(self.engine.encode_key(press))

    def _menu_key(self, key: str) -> None:
        name = "]" if key == self.leave_chord else menu_key(key)
        self.keyboard = "released" if name == "b" else "captured"
        if name == "]" and (chord := key_event(self.leave_chord, None)) is not None:
            self.press(chord)
        elif name == "s":
            self.start_scroll()
        self.post_message(self.MenuKey(self, name))

    def send(self, data: bytes) -> None:
        """Send bytes to the agent; nothing happens once it has ended."""
        if self.process is None or self.exit_state is not None or not data:
            return
        if not self.process.write(data):
            self.post_message(self.InputRefused(self))

    def on_paste(self, event: events.Paste) -> None:
        """Send a paste, or ask first if the agent would run it line by line."""
        if self.keyboard != "captured" or self.engine is None:
            return
        event.stop()
        event.prevent_default()
        modes = self.engine.modes()
        if not modes.bracketed_paste and not self.engine.paste_is_safe(event.text):
            self.post_message(self.PasteAsks(self, event.text))
        else:
            self.paste(event.text)

    def paste(self, text: str) -> None:
        """Send a paste without asking."""
        if self.engine is not None:
            self.send(self.engine.encode_paste(text))

    # -- scroll-back

    def start_scroll(self) -> None:
        """Give the keys to the scroll-back view; `esc`, `q` and `enter` end it."""
        self.keyboard = "scroll"

    def _scroll_key(self, key: str) -> None:
        if not self.scroll_by_key(key) and key in ("escape", "q", "enter", self.leave_chord):
            self.show_newest()
            self.keyboard = "captured" if self.exit_state is None else "released"
