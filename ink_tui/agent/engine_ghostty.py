"""Terminal engine over libghostty-vt through `pyghostty`.

This module, `engine_ghostty_cells` and `engine_ghostty_input` are the only ones that touch its
ffi.

Rows are read through the render state: it names the rows that have changed, gives the packed cells
of a row in one call, and a packed cell is decoded once and remembered (`live-pane.md` 2.1).
"""

from __future__ import annotations

import logging
import weakref
from array import array
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from pyghostty._ffi import check, ffi, lib
from pyghostty.core import init_sized

from ink_tui.agent.engine import (
    CELL_PIXELS,
    MAX_TITLE_CHARACTERS,
    PLAIN,
    Attribute,
    CellStyle,
    Color,
    Cursor,
    EngineEvents,
    KeyEvent,
    Modes,
    MouseEvent,
    Row,
    Run,
    View,
)
from ink_tui.agent.engine_ghostty_cells import Cell, color_of, decode
from ink_tui.agent.engine_ghostty_input import InputEncoder, new_holder, new_object
from ink_tui.agent.engine_text import drawable_cluster
from ink_tui.model.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

SCROLLBACK_LINES = 10_000
SCROLLBACK_BYTES = 4 << 20
"""Both limits hold, whichever is met first: about 3,500 rows of 144 columns, 6,000 of 80.

The bytes are meant to be met first. Giving up rows by count costs the engine near 1 µs a row, which
slows a flood of short rows twentyfold.
"""

MAX_CACHED_CELLS = 20_000
_APC_BYTES = 4096
_NAME = b"ink-tui"

_log = logging.getLogger(__name__)

ffi.cdef(
    "typedef struct { GhosttyTerminalScrollViewportTag tag; intptr_t delta; uint64_t pad; }"
    " InkScrollViewport;"
)
# The real type holds a union, which cffi cannot pass by value; this twin has the same layout.
if ffi.sizeof("InkScrollViewport") != ffi.sizeof("GhosttyTerminalScrollViewport"):
    raise ImportError("the scroll call of this libghostty-vt has another layout")
_scroll_viewport = ffi.cast(
    "void(*)(GhosttyTerminal, InkScrollViewport)",
    ffi.addressof(lib, "ghostty_terminal_scroll_viewport"),
)

_ATTRIBUTES = tuple(
    (name, int(bit))
    for name, bit in (
        ("bold", Attribute.BOLD),
        ("faint", Attribute.FAINT),
        ("italic", Attribute.ITALIC),
        ("underline", Attribute.UNDERLINE),
        ("blink", Attribute.BLINK),
        ("inverse", Attribute.INVERSE),
        ("invisible", Attribute.INVISIBLE),
        ("strikethrough", Attribute.STRIKE),
        ("overline", Attribute.OVERLINE),
    )
)
_SHAPES = {0: "bar", 2: "underline"}


class GhosttyEngine:
    """A libghostty-vt terminal; see `TermEngine` for what each method does."""

    name = "ghostty"
    version = version("pyghostty")

    def __init__(self, columns: int, rows: int, events: EngineEvents) -> None:
        self.columns = columns
        self.rows = rows
        terminal = new_object("GhosttyTerminal", "terminal", columns, rows)
        self._terminal = terminal
        self._state = new_object("GhosttyRenderState", "render_state")
        self._rows = new_holder("GhosttyRenderStateRowIterator", "render_state_row_iterator")
        self._cells = new_holder("GhosttyRenderStateRowCells", "render_state_row_cells")
        self._input = InputEncoder(terminal)
        handles = (
            *self._input.handles,
            (lib.ghostty_render_state_row_cells_free, self._cells[0]),
            (lib.ghostty_render_state_row_iterator_free, self._rows[0]),
            (lib.ghostty_render_state_free, self._state),
            (lib.ghostty_terminal_free, terminal),
        )
        self._free = weakref.finalize(self, _free_all, handles)
        self._style = init_sized("GhosttyStyle")
        self._cursor = init_sized("GhosttyRenderStateCursor")
        self._view = ffi.new("GhosttyCellsView*")
        self._u32 = ffi.new("uint32_t*")
        self._y = ffi.new("uint16_t*")
        self._mode = ffi.new("GhosttyTerminalModeConfig*")
        self._cell_cache: dict[int, Cell] = {}
        self._size = ffi.new("GhosttySizeReportSize*")
        self._note_size()
        self._kept = _connect(terminal, events, self._size)
        _configure(terminal)

    def feed(self, data: bytes) -> None:
        """See `TermEngine.feed`."""
        lib.ghostty_terminal_vt_write(self._terminal, data, len(data))

    def resize(self, columns: int, rows: int) -> None:
        """See `TermEngine.resize`."""
        check(lib.ghostty_terminal_resize(self._terminal, columns, rows, *CELL_PIXELS), "resize")
        self.columns, self.rows = columns, rows
        self._note_size()

    def _note_size(self) -> None:
        self._size.columns, self._size.rows = self.columns, self.rows
        self._size.cell_width, self._size.cell_height = CELL_PIXELS

    def set_colors(
        self, foreground: tuple[int, int, int], background: tuple[int, int, int]
    ) -> None:
        """See `TermEngine.set_colors`."""
        for option, color in (
            (lib.GHOSTTY_TERMINAL_OPT_COLOR_FOREGROUND, foreground),
            (lib.GHOSTTY_TERMINAL_OPT_COLOR_BACKGROUND, background),
        ):
            _set(self._terminal, option, ffi.new("GhosttyColorRgb*", color))

    def dirty_rows(self) -> dict[int, Row]:
        """See `TermEngine.dirty_rows`."""
        check(lib.ghostty_render_state_update(self._state, self._terminal), "render state")
        get = lib.ghostty_render_state_row_get
        iterator_key = lib.GHOSTTY_RENDER_STATE_DATA_ROW_ITERATOR
        check(lib.ghostty_render_state_get(self._state, iterator_key, self._rows), "rows")
        rows = self._rows[0]
        found: dict[int, Row] = {}
        while lib.ghostty_render_state_row_iterator_next_dirty(rows, self._y):
            get(rows, lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS_RAW, self._view)
            get(rows, lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS, self._cells)
            found[self._y[0]] = self._read_row()
        check(lib.ghostty_render_state_clean(self._state), "clean")
        if len(self._cell_cache) > MAX_CACHED_CELLS:
            self._cell_cache.clear()
        return found

    def _read_row(self) -> Row:
        packed = array("Q")
        packed.frombytes(ffi.buffer(self._view.ptr, self._view.len * 8)[:])
        cache = self._cell_cache
        runs: list[Run] = []
        texts: list[str] = []
        columns = 0
        current: tuple[int, Color] | None = None
        style = PLAIN
        for x, raw in enumerate(packed):
            cell = cache.get(raw)
            if cell is None:
                cell = cache[raw] = decode(raw)
            if cell.tail:
                columns += 1
                continue
            key = (cell.style_id, cell.background)
            if key != current:
                if columns:
                    runs.append(Run("".join(texts), columns, style))
                    texts, columns = [], 0
                style = self._style_at(x, cell)
                current = key
            if cell.alone:
                if columns:
                    runs.append(Run("".join(texts), columns, style))
                    texts, columns = [], 0
                current = None
            texts.append(self._cluster_at(x) if cell.text is None else cell.text)
            columns += 1
        if columns:
            runs.append(Run("".join(texts), columns, style))
        return tuple(runs)

    def _style_at(self, x: int, cell: Cell) -> CellStyle:
        if not cell.style_id:
            return PLAIN if cell.background is None else CellStyle(background=cell.background)
        cells, style = self._cells[0], self._style
        lib.ghostty_render_state_row_cells_select(cells, x)
        key = lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_STYLE
        lib.ghostty_render_state_row_cells_get(cells, key, style)
        attributes = 0
        for name, bit in _ATTRIBUTES:
            if getattr(style, name):
                attributes |= bit
        background = cell.background
        if background is None:
            background = color_of(style.bg_color)
        return CellStyle(color_of(style.fg_color), background, attributes)

    def _cluster_at(self, x: int) -> str:
        cells = self._cells[0]
        get = lib.ghostty_render_state_row_cells_get
        lib.ghostty_render_state_row_cells_select(cells, x)
        get(cells, lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_GRAPHEMES_LEN, self._u32)
        points = ffi.new("uint32_t[]", max(self._u32[0], 1))
        get(cells, lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_GRAPHEMES_BUF, points)
        return drawable_cluster("".join(map(chr, points)))

    def cursor(self) -> Cursor | None:
        """See `TermEngine.cursor`; as of the last `dirty_rows`."""
        key = lib.GHOSTTY_RENDER_STATE_DATA_CURSOR
        check(lib.ghostty_render_state_get(self._state, key, self._cursor), "cursor")
        found = self._cursor
        if not found.viewport_has_value:
            return None
        column = found.viewport_x - 1 if found.wide_tail else found.viewport_x
        shape: Any = _SHAPES.get(int(found.visual_style), "block")
        return Cursor(column, found.viewport_y, bool(found.visible), shape)

    def title(self) -> str:
        """See `TermEngine.title`."""
        text = ffi.new("GhosttyString*")
        lib.ghostty_terminal_get(self._terminal, lib.GHOSTTY_TERMINAL_DATA_TITLE, text)
        raw: bytes = ffi.buffer(text.ptr, min(text.len, 4096))[:] if text.len else b""
        return one_line(raw.decode("utf-8", "replace")[:MAX_TITLE_CHARACTERS]).strip()

    def modes(self) -> Modes:
        """See `TermEngine.modes`."""
        screen = self._get("ACTIVE_SCREEN", "GhosttyTerminalScreen*")
        return Modes(
            alternate_screen=int(screen) == lib.GHOSTTY_TERMINAL_SCREEN_ALTERNATE,
            bracketed_paste=self._has_mode(2004),
            focus_reports=self._has_mode(1004),
            mouse=any(self._has_mode(number) for number in (9, 1000, 1002, 1003)),
            synchronized=self._has_mode(2026),
        )

    def _has_mode(self, number: int) -> bool:
        self._mode.mode = number
        key = lib.GHOSTTY_TERMINAL_DATA_MODE
        check(lib.ghostty_terminal_get(self._terminal, key, self._mode), "mode")
        return bool(self._mode.value)

    def _get(self, name: str, kind: str) -> Any:
        out = ffi.new(kind)
        key = getattr(lib, f"GHOSTTY_TERMINAL_DATA_{name}")
        check(lib.ghostty_terminal_get(self._terminal, key, out), name)
        return out[0]

    def view(self) -> View:
        """See `TermEngine.view`."""
        bar = self._get("SCROLLBAR", "GhosttyTerminalScrollbar*")
        return View(int(bar.total), int(bar.offset), int(bar.len))

    def scroll(self, rows: int) -> None:
        """See `TermEngine.scroll`."""
        self._scroll(lib.GHOSTTY_SCROLL_VIEWPORT_DELTA, rows)

    def scroll_to_start(self) -> None:
        """See `TermEngine.scroll_to_start`."""
        self._scroll(lib.GHOSTTY_SCROLL_VIEWPORT_TOP, 0)

    def scroll_to_end(self) -> None:
        """See `TermEngine.scroll_to_end`."""
        self._scroll(lib.GHOSTTY_SCROLL_VIEWPORT_BOTTOM, 0)

    def _scroll(self, tag: int, rows: int) -> None:
        where = ffi.new("InkScrollViewport*", {"tag": tag, "delta": rows})
        _scroll_viewport(self._terminal, where[0])

    def encode_key(self, event: KeyEvent) -> bytes:
        """See `TermEngine.encode_key`."""
        return self._input.key(event)

    def encode_paste(self, text: str) -> bytes:
        """See `TermEngine.encode_paste`."""
        return self._input.paste(text, bracketed=self._has_mode(2004))

    def paste_is_safe(self, text: str) -> bool:
        """See `TermEngine.paste_is_safe`."""
        data = text.encode("utf-8", "replace")
        return bool(lib.ghostty_paste_is_safe(data, len(data)))

    def encode_mouse(self, event: MouseEvent) -> bytes:
        """See `TermEngine.encode_mouse`."""
        return self._input.mouse(event, self.columns, self.rows)

    def encode_focus(self, focused: bool) -> bytes:
        """See `TermEngine.encode_focus`."""
        if not self._has_mode(1004):
            return b""
        return b"\x1b[I" if focused else b"\x1b[O"

    def close(self) -> None:
        """See `TermEngine.close`."""
        self._free()


def _free_all(handles: tuple[tuple[Any, Any], ...]) -> None:
    for free, handle in handles:
        free(handle)


def _set(terminal: Any, option: int, value: Any) -> None:
    check(lib.ghostty_terminal_set(terminal, option, value), f"terminal option {option}")


def _configure(terminal: Any) -> None:
    """Set limits and what a child may not do: pictures, title reports (`live-pane.md` section 8).

    Writing to the clipboard (OSC 52) is off because no handler for it is ever connected.
    """
    options: tuple[tuple[str, str, Any], ...] = (
        ("SCROLLBACK_MAX_LINES", "size_t*", SCROLLBACK_LINES),
        ("SCROLLBACK_MAX_BYTES", "size_t*", SCROLLBACK_BYTES),
        ("KITTY_IMAGE_STORAGE_LIMIT", "uint64_t*", 0),
        ("APC_MAX_BYTES", "size_t*", _APC_BYTES),
        ("TITLE_REPORT", "bool*", False),
        # Widths by grapheme cluster, as the screen measures them; survives a full reset.
        ("MODE_DEFAULT", "GhosttyTerminalModeConfig*", {"mode": 2027, "value": True}),
        ("MODE", "GhosttyTerminalModeConfig*", {"mode": 2027, "value": True}),
    )
    for name, kind, value in options:
        _set(terminal, getattr(lib, f"GHOSTTY_TERMINAL_OPT_{name}"), ffi.new(kind, value))
    # No value means off; their values have types of their own (a path for temporary files).
    for medium in ("FILE", "TEMP_FILE", "SHARED_MEM"):
        name = f"GHOSTTY_TERMINAL_OPT_KITTY_IMAGE_MEDIUM_{medium}"
        _set(terminal, getattr(lib, name), ffi.NULL)


def _connect(terminal: Any, events: EngineEvents, size: Any) -> list[Any]:
    """Connect the callbacks; the result must live as long as the terminal."""

    def attributes(_terminal: Any, _data: Any, out: Any) -> bool:
        out.primary.conformance_level = 62
        out.primary.features[0] = 22
        out.primary.num_features = 1
        out.secondary.device_type = 1
        out.secondary.firmware_version = 10
        out.secondary.rom_cartridge = 0
        return True

    def report_size(_terminal: Any, _data: Any, out: Any) -> bool:
        out[0] = size[0]
        return True

    name_bytes = ffi.new("uint8_t[]", _NAME)
    name_text = ffi.new("GhosttyString*", {"ptr": name_bytes, "len": len(_NAME)})
    calls: tuple[tuple[str, str, Callable[..., Any]], ...] = (
        ("WRITE_PTY", "WritePty", lambda _t, _u, data, n: _tell(events.reply, data, n)),
        ("BELL", "Bell", lambda _t, _u: _tell(events.bell)),
        ("TITLE_CHANGED", "TitleChanged", lambda _t, _u: _tell(events.title)),
        ("RENDER_HOLD", "RenderHold", lambda _t, _u, held: _tell(events.hold, bool(held))),
        ("DEVICE_ATTRIBUTES", "DeviceAttributes", attributes),
        ("SIZE", "Size", report_size),
        ("XTVERSION", "Xtversion", lambda _t, _u: name_text[0]),
    )
    kept: list[Any] = [name_bytes, name_text]
    for option, kind, call in calls:
        callback = ffi.callback(f"GhosttyTerminal{kind}Fn", call, onerror=_log_failure)
        kept.append(callback)
        _set(terminal, getattr(lib, f"GHOSTTY_TERMINAL_OPT_{option}"), callback)
    return kept


def _tell(listener: Callable[..., object], *arguments: Any) -> None:
    if len(arguments) == 2:
        data, size = arguments
        arguments = (ffi.buffer(data, size)[:],)
    listener(*arguments)


def _log_failure(_kind: Any, failure: BaseException, trace: Any) -> None:
    # An exception cannot travel through native code; it would only be printed over the screen.
    _log.error("A listener of the terminal engine failed", exc_info=failure.with_traceback(trace))
