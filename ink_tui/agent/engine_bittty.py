"""Terminal engine over `bittty`, in Python alone: for platforms without the native one.

This module, `engine_bittty_board`, `engine_bittty_cells` and `engine_bittty_input` are the only
ones that touch the package.

Bytes are handed to its parser in short pieces, so that no sequence of a hostile child can grow
in its buffers and caches, and one that it stumbles over is skipped.
"""

from __future__ import annotations

import codecs
import logging
import re
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

from bittty.devices.modes import MouseProtocol
from bittty.present import (
    Bell,
    RowsScrolledOff,
    ScrollbackCleared,
    SyncOutputChanged,
    TitleChanged,
)

from ink_tui.agent.engine import (
    MAX_TITLE_CHARACTERS,
    Cursor,
    EngineEvents,
    KeyEvent,
    Modes,
    MouseEvent,
    Row,
    View,
)
from ink_tui.agent.engine_bittty_board import make_board, set_default_colors, set_size
from ink_tui.agent.engine_bittty_cells import History, RowReader
from ink_tui.agent.engine_bittty_input import (
    hold_buttons,
    is_safe,
    paste_bytes,
    send_key,
    send_mouse,
)
from ink_tui.model.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_STRING = 4096
"""Characters of an OSC, DCS or APC string; a longer one is swallowed unread."""

MAX_SEQUENCE = 128
"""Characters of a CSI sequence; a longer one is swallowed too."""

_PIECE = 4096
_LONG_SEQUENCE = re.compile(rf"(?:\x1b\[|\x9b)[\x20-\x3f]{{{MAX_SEQUENCE},}}[\x40-\x7e]")
_END_OF_STRING = re.compile("[\x07\x18\x1a\x1b\x9c]")
_END_OF_SEQUENCE = re.compile("[\x18\x1a\x1b\x40-\x7e]")
# One token as the parser sees it: text, a sequence, a string, or one character.
_TOKEN = re.compile(
    "[^\x00-\x1f\x7f-\x9f]+"
    r"|(?:\x1b\[|\x9b)[\x20-\x3f]*[\x40-\x7e]"
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x9c]*(?:\x1b\\\\|[\x07\x9c])?"
    r"|\x1b?.",
    re.DOTALL,
)

_log = logging.getLogger(__name__)


class BitttyEngine:
    """A `bittty` board; see `TermEngine` for what each method does."""

    name = "bittty"
    version = version("bittty")

    def __init__(self, columns: int, rows: int, events: EngineEvents) -> None:
        self.columns = columns
        self.rows = rows
        self._board = make_board(columns, rows)
        self._cable = _Cable(events.reply)
        self._board.host.attach(self._cable)
        self._history = History()
        self._board.display.attach(_Listener(events, self._history))
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._swallowed_to: re.Pattern[str] | None = None
        """What ends the overlong string or sequence that is being swallowed."""
        self._reader = RowReader()
        self._shown: dict[int, Row] = {}
        self._page: Any = None
        self._seen = 0
        self._place: tuple[int, int] | None = None
        """Where the view begins while it is scrolled back; None follows the newest rows."""

    def feed(self, data: bytes) -> None:
        """See `TermEngine.feed`."""
        text = self._decoder.decode(data)
        for start in range(0, len(text), _PIECE):
            self._feed_piece(text[start : start + _PIECE])

    def _feed_piece(self, text: str) -> None:
        parser = self._board.parser
        if self._swallowed_to is not None:
            end = self._swallowed_to.search(text)
            if end is None:
                return
            self._swallowed_to = None
            text = text[end.start() + (end.group() != "\x1b") :]
        # What it still holds of an unfinished sequence is judged together with the rest of it.
        text = parser.buffer + text
        parser.reset()
        self._parse(_LONG_SEQUENCE.sub("", text))
        in_sequence = parser.mode == "csi"
        if len(parser.buffer) > (MAX_SEQUENCE if in_sequence else MAX_STRING):
            self._swallowed_to = _END_OF_SEQUENCE if in_sequence else _END_OF_STRING
            parser.reset()

    def _parse(self, text: str) -> None:
        parser = self._board.parser
        again = False
        while text:
            try:
                parser.feed(text)
            except Exception:  # noqa: BLE001 - foreign bytes in a foreign parser
                # Whatever a child sends, it must not end the program that shows it. A cursor
                # that some sequences leave below the last row is the usual reason: put it back
                # and try again, once.
                _log.debug("A sequence of the child failed", exc_info=True)
                left = parser.buffer[parser.pos :]
                parser.reset()
                self._board.cursor.clamp_to_terminal()
                again = not (again and len(left) == len(text))
                if not again:
                    token = _TOKEN.match(left)
                    left = left[token.end() :] if token else ""
                text = left
            else:
                return

    def resize(self, columns: int, rows: int) -> None:
        """See `TermEngine.resize`."""
        set_size(self._board, columns, rows)
        self.columns, self.rows = columns, rows
        self._shown.clear()
        self._page = None

    def set_colors(
        self, foreground: tuple[int, int, int], background: tuple[int, int, int]
    ) -> None:
        """See `TermEngine.set_colors`."""
        set_default_colors(self._board, foreground, background)

    def dirty_rows(self) -> dict[int, Row]:
        """See `TermEngine.dirty_rows`."""
        page = self._board.display.page
        kept, offset = self._kept_and_offset()
        # A view that is scrolled back, or has just been, is compared row by row.
        same = page is self._page and offset == kept
        rows = page.dirty_rows(self._seen) if same else range(self.rows)
        self._seen = page.observe()
        self._page = page if offset == kept else None
        found: dict[int, Row] = {}
        for y in rows:
            at = offset + y
            cells = self._history.cells(at, self.columns) if at < kept else page.grid[at - kept]
            row = self._reader.row(cells, self.columns)
            if self._shown.get(y) != row:
                found[y] = self._shown[y] = row
        return found

    def _kept_and_offset(self) -> tuple[int, int]:
        """Return how many rows lie above the screen, and above the view."""
        if self._board.blitter.in_alt_screen:
            return 0, 0
        kept = self._history.count(self.columns)
        if self._place is None:
            return kept, kept
        return kept, self._history.row_at(self._place, self.columns)

    def cursor(self) -> Cursor | None:
        """See `TermEngine.cursor`."""
        board = self._board
        kept, offset = self._kept_and_offset()
        row = board.cursor.y + kept - offset
        if not 0 <= row < self.rows:
            return None
        column = min(board.cursor.display_x, self.columns - 1)
        if column and not board.display.page.grid[board.cursor.y][column][1]:
            column -= 1
        shape: Literal["block", "bar", "underline"] = board.cursor.shape
        return Cursor(column, row, bool(board.modes.cursor_visible), shape)

    def title(self) -> str:
        """See `TermEngine.title`."""
        return one_line(self._board.title.title[:MAX_TITLE_CHARACTERS]).strip()

    def modes(self) -> Modes:
        """See `TermEngine.modes`."""
        modes = self._board.modes
        return Modes(
            alternate_screen=bool(self._board.blitter.in_alt_screen),
            bracketed_paste=bool(modes.bracketed_paste),
            focus_reports=bool(modes.focus_reporting),
            mouse=self._board.mouse.protocol is not MouseProtocol.OFF,
            synchronized=bool(modes.synchronized_output),
        )

    def view(self) -> View:
        """See `TermEngine.view`."""
        kept, offset = self._kept_and_offset()
        return View(kept + self.rows, offset, self.rows)

    def scroll(self, rows: int) -> None:
        """See `TermEngine.scroll`."""
        kept, offset = self._kept_and_offset()
        self._scroll_to(max(0, min(offset + rows, kept)), kept)

    def scroll_to_start(self) -> None:
        """See `TermEngine.scroll_to_start`."""
        self._scroll_to(0, self._kept_and_offset()[0])

    def scroll_to_end(self) -> None:
        """See `TermEngine.scroll_to_end`."""
        self._place = None

    def _scroll_to(self, row: int, kept: int) -> None:
        if not self._board.blitter.in_alt_screen:
            self._place = self._history.place(row, self.columns) if row < kept else None

    def encode_key(self, event: KeyEvent) -> bytes:
        """See `TermEngine.encode_key`."""
        return self._sent(lambda: send_key(self._board, event))

    def encode_paste(self, text: str) -> bytes:
        """See `TermEngine.encode_paste`."""
        return paste_bytes(text, bracketed=bool(self._board.modes.bracketed_paste))

    def paste_is_safe(self, text: str) -> bool:
        """See `TermEngine.paste_is_safe`."""
        return is_safe(text)

    def encode_mouse(self, event: MouseEvent) -> bytes:
        """See `TermEngine.encode_mouse`."""
        if self._board.mouse.protocol is MouseProtocol.OFF:
            return b""
        self._sent(lambda: hold_buttons(self._board, event))
        return self._sent(lambda: send_mouse(self._board, event))

    def encode_focus(self, focused: bool) -> bytes:
        """See `TermEngine.encode_focus`."""
        return self._sent(lambda: self._board.keyboard.report_focus(focused))

    def _sent(self, call: Callable[[], object]) -> bytes:
        """Return what a call would have sent to the child."""
        sent: list[bytes] = []
        reply = self._cable.send
        self._cable.send = sent.append
        try:
            call()
        finally:
            self._cable.send = reply
        return b"".join(sent)

    def close(self) -> None:
        """See `TermEngine.close`."""
        self._board.display.detach()
        self._board.host.detach()
        self._history.clear()


class _Cable:
    """What the board is plugged into: a `bittty` connection that only carries bytes away."""

    closed = False

    def __init__(self, reply: Callable[[bytes], object]) -> None:
        self.send: Callable[[bytes], object] = lambda data: _tell(reply, data)

    def write(self, text: str) -> int:
        """Send text."""
        return self.write_bytes(text.encode("utf-8", "replace"))

    def write_bytes(self, data: bytes) -> int:
        """Send bytes."""
        self.send(data)
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def resize(self, rows: int, cols: int) -> None:
        """The pseudo-terminal is resized by the pane."""


class _Listener:
    """Hears what the board tells its screen."""

    keeps_scrollback = True

    def __init__(self, events: EngineEvents, history: History) -> None:
        self._events = events
        self._history = history

    def present(self, event: Any) -> None:
        """Take one event of the board."""
        match event:
            case RowsScrolledOff():
                self._history.take(event.lines)
            case ScrollbackCleared():
                self._history.clear()
            case Bell():
                _tell(self._events.bell)
            case TitleChanged():
                _tell(self._events.title)
            case SyncOutputChanged():
                _tell(self._events.hold, bool(event.enabled))


def _tell(listener: Callable[..., object], *arguments: object) -> None:
    try:
        listener(*arguments)
    except Exception:  # noqa: BLE001 - logged, as the native engine does
        # A listener that fails must not leave the board in the middle of a sequence.
        _log.exception("A listener of the terminal engine failed")
