"""The scroll bar of ASCII mode; otherwise Textual's own is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.color import Color
from rich.segment import Segment, Segments
from rich.style import Style
from textual.scrollbar import ScrollBarRender

from ink_tui.tui.render.glyphs import ASCII

if TYPE_CHECKING:
    from textual.widget import Widget

    from ink_tui.tui.render.glyphs import Glyphs


_PLAIN = Color.default()


class AsciiScrollBarRender(ScrollBarRender):
    """Draws a bar of ASCII characters: its place can be seen without colour."""

    @classmethod
    def render_bar(
        cls,
        size: int = 25,
        virtual_size: float = 50,
        window_size: float = 20,
        position: float = 0,
        thickness: int = 1,
        vertical: bool = True,
        back_color: Color = _PLAIN,
        bar_color: Color = _PLAIN,
    ) -> Segments:
        """Return the segments of a bar.

        Args:
            size: Length of the bar in cells.
            virtual_size: Length of what is scrolled, in cells.
            window_size: Length of what is seen; 0 when all is.
            position: First cell that is seen.
            thickness: Width of the bar in cells.
            vertical: Whether the bar stands.
            back_color: Ground.
            bar_color: Colour of the thumb.
        """
        start, end = _thumb(size, virtual_size, window_size, position)
        across = thickness if vertical else 1
        thumb = Style(color=bar_color, bgcolor=back_color, meta={"@mouse.down": "grab"})
        before = Style(color=bar_color, bgcolor=back_color, meta={"@mouse.down": "scroll_up"})
        after = Style(color=bar_color, bgcolor=back_color, meta={"@mouse.down": "scroll_down"})
        track = (ASCII.scroll_track if vertical else ASCII.rule) * across
        segments = [
            Segment(track, before) if at < start
            else Segment(ASCII.scroll_thumb * across, thumb) if at < end
            else Segment(track, after)
            for at in range(size)
        ]  # fmt: skip
        if vertical:
            return Segments(segments, new_lines=True)
        return Segments([*segments, Segment.line()] * thickness, new_lines=False)


def _thumb(size: int, virtual_size: float, window_size: float, position: float) -> tuple[int, int]:
    """Return the first cell of the thumb and the cell behind its last."""
    if not window_size or not size or virtual_size <= window_size:
        return 0, 0
    length = max(1, round(window_size * size / virtual_size))
    share = min(1.0, max(0.0, position / (virtual_size - window_size)))
    start = round((size - length) * share)
    return start, start + length


def use_scroll_bar(widget: Widget, glyphs: Glyphs) -> None:
    """Give a widget that scrolls the scroll bar that goes with a set of glyphs."""
    if glyphs.ascii:
        # Textual documents setting it on an instance, though it declares a class variable.
        for bar in (widget.vertical_scrollbar, widget.horizontal_scrollbar):
            bar.renderer = AsciiScrollBarRender  # type: ignore[misc]

    def follow(shown: bool) -> None:
        # Textual tells a bar where it stands only while it is shown.
        if shown:
            widget.vertical_scrollbar.position = widget.scroll_y

    widget.watch(widget, "show_vertical_scrollbar", follow)
