"""The `bittty` board of the second engine: which terminal it plays, and what a child may not do.

Only sequences that change the picture, the keyboard or the mouse are left in: no clipboard,
no printer, no macros, no programmable keys, no title reports, no change of size, no notes about
links, folders or fonts that nobody reads (`live-pane.md` section 8).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bittty import Board
from bittty import mode_profiles as profiles
from bittty.caps import TerminalCaps
from bittty.model import BITTTY
from bittty.options import (
    DEC_EXTENDED_CPR,
    EDITING,
    KITTY_KEYBOARD,
    XTERM_MODIFY_KEYS,
)

from ink_tui.agent.engine import CELL_PIXELS

if TYPE_CHECKING:
    from collections.abc import Callable

_CLUSTERS = 2027
_VERSION_REPLY = "\x1bP>|ink-tui\x1b\\"

# Modes that would change the size, the width of characters or the way of writing, lock the
# keyboard, write typed text to the screen, or put on another keyboard.
_NOT_PLAYED = frozenset(
    {
        profiles.XTERM_ALLOW_COLUMN,
        profiles.XTERM_COLUMN_MODE,
        profiles.UNICODE_AMBIGUOUS_WIDTH,
        profiles.CONTOUR_TEXT_REFLOW,
        profiles.DEC_ANSI,
        "dec.right-to-left",
        "dec.reverse-screen",
        "ansi.keyboard-action",
        "ansi.send-receive",
        "xterm.eight-bit-input",
        "xterm.hp-keys",
        "xterm.sun-keys",
        "xterm.sco-keys",
        "xterm.legacy-keys",
        "xterm.vt220-keys",
        "xterm.termcap-keys",
        "mintty.application-escape",
        "mintty.escape-fs",
        "xterm.margin-bell",
    }
) | frozenset(profiles.XTERM_CHROME_RESOURCES)

# A rectangle costs a whole screen of work for a few bytes; the others keep what a child sends
# them without a limit, or reach beyond the screen.
_NOT_DONE = (
    "OSC_CLIPBOARD",
    "OSC_HYPERLINK",
    "OSC_CWD",
    "OSC_FONT",
    "OSC_NOTIFY",
    "OSC_POINTER_SHAPE",
    "OSC_SHELL_MARK",
    "OSC_SPECIAL_COLOR",
    "OSC_SPECIAL_COLOR_ENABLE",
    "LINUX_SETTERM",
    "C0_ENQ",
    "S8C1T",
    "DECDMAC",
    "DECINVM",
    "MC",
    "DECMC",
    "DECUDK",
    "DECPKA",
    "DECKBD",
    "DECLL",
    "DECFRA",
    "DECERA",
    "DECSERA",
    "DECCRA",
    "DECCARA",
    "DECRARA",
    "DECRQCRA",
    "XTREPORTSGR",
    "DECSCPP",
    "DECDHL_TOP",
    "DECDHL_BOTTOM",
    "DECDWL",
    "DECSSDT",
    "DECSASD",
    "DECRSTS",
    "DECRQTSR",
    "DSR_MACRO_SPACE",
    "DSR_MEMORY_CHECKSUM",
    "DSR_PRINTER",
    "DSR_USER_KEYS",
    "XTSMTITLE",
    "XTRMTITLE",
)

_PIXELS_OF_WINDOW, _PIXELS_OF_CELL, _CELLS_OF_WINDOW, _PUSH_TITLE, _POP_TITLE = 14, 16, 18, 22, 23
_WINDOW_QUESTIONS = (
    _PIXELS_OF_WINDOW,
    _PIXELS_OF_CELL,
    _CELLS_OF_WINDOW,
    _PUSH_TITLE,
    _POP_TITLE,
)

MODEL = replace(
    BITTTY,
    da1_response="\x1b[?62;22c",
    da2_response="\x1b[>1;10;0c",
    options=frozenset(),
    control_capabilities=EDITING | {KITTY_KEYBOARD, XTERM_MODIFY_KEYS, DEC_EXTENDED_CPR},
    mode_capabilities=BITTTY.mode_capabilities - _NOT_PLAYED,
    macro_space=None,
    upss=None,
    keyboard_types=None,
    reflows=True,
)


def make_board(columns: int, rows: int) -> Any:
    """Make a board of so many columns and rows that counts widths by cluster (mode 2027)."""
    board = Board(width=columns, height=rows, model=MODEL)
    width, height = CELL_PIXELS
    board.set_caps(TerminalCaps(cell_px=CELL_PIXELS, window_px=(columns * width, rows * height)))
    registry = board.registry
    for name in _NOT_DONE:
        registry.pop(name, None)
    registry["XTVERSION"] = lambda _operation: board.host.write(_VERSION_REPLY)
    registry["XTWINOPS"] = _only_questions(registry["XTWINOPS"])
    # Cell by cell they take a second for a large screen; cells that are protected from them are
    # of use on forms alone.
    registry["DECSED"], registry["DECSEL"] = registry["ED"], registry["EL"]
    registry["REP"] = _capped_repeat(board)
    registry["RIS"] = lambda _operation: _reset(board)
    registry["OSC_RESET_FOREGROUND"] = lambda _operation: _reset_color(board, "foreground")
    registry["OSC_RESET_BACKGROUND"] = lambda _operation: _reset_color(board, "background")
    board.title.title = board.title.icon_title = ""
    _count_by_cluster(board)
    return board


def set_size(board: Any, columns: int, rows: int) -> None:
    """Change the size; a child that asked for it (mode 2048) is told."""
    width, height = CELL_PIXELS
    board.set_caps(TerminalCaps(cell_px=CELL_PIXELS, window_px=(columns * width, rows * height)))
    board.resize_from_frontend(columns, rows)


def set_default_colors(
    board: Any, foreground: tuple[int, int, int], background: tuple[int, int, int]
) -> None:
    """Name the colours that a child is told of, also after a reset."""
    board.palette_overrides.update(foreground=foreground, background=background)
    board.palette.foreground, board.palette.background = foreground, background


def _count_by_cluster(board: Any) -> None:
    board.modes.set_private_modes((_CLUSTERS,), True)


def _reset(board: Any) -> None:
    board.reset(hard=True)
    _count_by_cluster(board)


def _reset_color(board: Any, slot: str) -> None:
    default = board.palette_overrides.get(slot, getattr(MODEL.palette, slot))
    setattr(board.palette, slot, default)


def _capped_repeat(board: Any) -> Callable[[Any], None]:
    """Return a REP that writes one row at the most, whatever its count.

    Programs use it for runs inside a row. A screenful of them, in insert mode, takes seconds.
    """

    def repeat(operation: Any) -> None:
        count = operation.args[0]
        board.blitter.repeat_last_character(min(count, board.width))

    return repeat


def _only_questions(handler: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return a window handler that answers for the size and moves nothing."""

    def ask(operation: Any) -> None:
        parameters = operation.args[0]
        if parameters and parameters[0] in _WINDOW_QUESTIONS:
            handler(operation)

    return ask
