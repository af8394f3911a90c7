"""Mouse events as Textual reports them, as mouse events of a terminal engine."""

from __future__ import annotations

from typing import Literal

from textual import events

from ink_tui.agent.engine import MouseEvent

Button = Literal["none", "left", "middle", "right", "wheel_up", "wheel_down"]
_BUTTONS: dict[int, Button] = {1: "left", 2: "middle", 3: "right"}


def mouse_event(event: events.MouseEvent, *, held: bool) -> MouseEvent:
    """Return a mouse event in cells of the widget that got it.

    Args:
        event: The event, with its place relative to the widget.
        held: Whether a button is held down.
    """
    button: Button
    if isinstance(event, events.MouseScrollUp):
        button = "wheel_up"
    elif isinstance(event, events.MouseScrollDown):
        button = "wheel_down"
    else:
        button = _BUTTONS.get(event.button, "none")
    action: Literal["press", "release", "motion"] = "press"
    if isinstance(event, events.MouseUp):
        action = "release"
    elif isinstance(event, events.MouseMove):
        action = "motion"
    return MouseEvent(
        action,
        button,
        column=max(int(event.x), 0),
        row=max(int(event.y), 0),
        shift=event.shift,
        ctrl=event.ctrl,
        alt=event.meta,
        held=held,
    )
