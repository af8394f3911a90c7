"""Packed cells of the ghostty engine, decoded; touches the ffi of `pyghostty` like the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pyghostty._ffi import ffi, lib

from ink_tui.agent.engine_text import UNDRAWABLE, is_disputed

if TYPE_CHECKING:
    from ink_tui.agent.engine import Color


class Cell(NamedTuple):
    """One decoded packed cell; `text` is None where the cluster has to be asked for.

    `alone` cells make a run of their own: should the screen measure them otherwise, the rest of
    the row still stands where it belongs.
    """

    text: str | None
    style_id: int
    background: Color
    tail: bool
    alone: bool


def decode(raw: int) -> Cell:
    """Decode one packed cell; what it means depends on nothing but its value."""
    get = lib.ghostty_cell_get
    number, style_id = ffi.new("int*"), ffi.new("uint16_t*")
    get(raw, lib.GHOSTTY_CELL_DATA_WIDE, number)
    tail = number[0] == lib.GHOSTTY_CELL_WIDE_SPACER_TAIL
    get(raw, lib.GHOSTTY_CELL_DATA_CONTENT_TAG, number)
    tag = number[0]
    get(raw, lib.GHOSTTY_CELL_DATA_STYLE_ID, style_id)
    text: str | None = " "
    background: Color = None
    alone = False
    if tag == lib.GHOSTTY_CELL_CONTENT_CODEPOINT:
        point = ffi.new("uint32_t*")
        get(raw, lib.GHOSTTY_CELL_DATA_CODEPOINT, point)
        text = UNDRAWABLE.sub(" ", chr(point[0]))
        alone = is_disputed(point[0])
    elif tag == lib.GHOSTTY_CELL_CONTENT_CODEPOINT_GRAPHEME:
        text, alone = None, True
    elif tag == lib.GHOSTTY_CELL_CONTENT_BG_COLOR_PALETTE:
        index = ffi.new("uint8_t*")
        get(raw, lib.GHOSTTY_CELL_DATA_COLOR_PALETTE, index)
        background = index[0]
    else:
        rgb = ffi.new("GhosttyColorRgb*")
        get(raw, lib.GHOSTTY_CELL_DATA_COLOR_RGB, rgb)
        background = (rgb.r, rgb.g, rgb.b)
    return Cell(text, style_id[0], background, tail, alone)


def color_of(color: Any) -> Color:
    """Return a colour of the engine as a neutral value."""
    if color.tag == lib.GHOSTTY_STYLE_COLOR_PALETTE:
        return int(color.value.palette)
    if color.tag == lib.GHOSTTY_STYLE_COLOR_RGB:
        rgb = color.value.rgb
        return (rgb.r, rgb.g, rgb.b)
    return None
