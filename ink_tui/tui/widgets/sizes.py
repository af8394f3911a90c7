"""Telling widgets their size that were mounted on a screen which is being shown.

Textual sends a first `Resize` to what a new layout has and the last one had not. While a widget is
mounted, Textual may ask where it is and make a layout for that answer (`Compositor.full_map`): the
next one then holds nothing new, and the widget is laid out but never told (Textual 8.2.8).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.events import Resize
from textual.widget import Widget

if TYPE_CHECKING:
    from collections.abc import Iterator


def tell_sizes(top: Widget) -> None:
    """Tell a widget that was just mounted, and all in it, how large they are, once they are.

    One that was told already is told the same once more.
    """
    top.refresh(layout=True)
    top.call_after_refresh(_tell, top)


def _tell(top: Widget) -> None:
    for widget in _with_children(top):
        if widget.is_running and widget.outer_size:
            sizes = (widget.outer_size, widget.virtual_size, widget.container_size)
            widget.post_message(Resize(*sizes))


def _with_children(top: Widget) -> Iterator[Widget]:
    return (node for node in top.walk_children(with_self=True) if isinstance(node, Widget))
