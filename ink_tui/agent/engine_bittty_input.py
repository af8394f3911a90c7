"""What keys, pastes and the mouse send to a child of the `bittty` engine, by the child's modes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bittty.keyboard.keys import KeyEvent as BoardKey
from bittty.keyboard.keys import KeyModifiers
from bittty.keyboard.xterm import extended_key

from ink_tui.agent.engine_text import unshifted

if TYPE_CHECKING:
    from ink_tui.agent.engine import KeyEvent, MouseEvent

_NAMES = {
    "space": " ",
    "page_up": "pageup",
    "page_down": "pagedown",
    "arrow_up": "up",
    "arrow_down": "down",
    "arrow_left": "left",
    "arrow_right": "right",
}
_LOST = {"enter": 13, "tab": 9, "escape": 27}
_PLAIN = frozenset((*_LOST, "backspace"))
_BUTTONS = {"none": 3, "left": 0, "middle": 1, "right": 2, "wheel_up": 64, "wheel_down": 65}
_ACTIONS = {"press": "press", "release": "release", "motion": "move"}

_END_OF_PASTE = "\x1b[201~"
_BRACKETS = ("\x1b[200~", _END_OF_PASTE)
# What a line editor or a terminal driver would act on; tabs and line ends stay.
_ACTING = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def send_key(board: Any, event: KeyEvent) -> None:
    """Let the board send a key press to its child; a character that no key types sends nothing."""
    if len(event.key) == 1 and not event.key.isprintable():
        return
    name = _NAMES.get(event.key, event.key)
    keyboard = board.keyboard
    asked = keyboard.kitty_flags or keyboard.modify_other_keys
    if not asked and name in _LOST and (event.ctrl or (event.shift and name != "tab")):
        # The plain bytes of these keys have no room for a modifier, so that a child which
        # asked for nothing could never tell Shift+Enter from Enter.
        modifier = 1 + event.shift + 2 * event.alt + 4 * event.ctrl
        board.host.write(extended_key(_LOST[name], modifier, 0))
        return
    board.input_key_event(_board_key(event, name, keyboard))


def _board_key(event: KeyEvent, name: str, keyboard: Any) -> BoardKey:
    modifiers = KeyModifiers.NONE
    for held, bit in (
        (event.shift, KeyModifiers.SHIFT),
        (event.ctrl, KeyModifiers.CTRL),
        (event.alt, KeyModifiers.ALT),
    ):
        if held:
            modifiers |= bit
    if event.meta and keyboard.kitty_flags:
        modifiers |= KeyModifiers.SUPER
    elif event.meta and (keyboard.modify_other_keys or (len(name) > 1 and name not in _PLAIN)):
        modifiers |= KeyModifiers.META
    if len(name) > 1:
        return BoardKey(name, modifiers)
    # Only the protocol of kitty names a key by what it types without Shift.
    base = unshifted(name) if keyboard.kitty_flags else name
    return BoardKey(base, modifiers, text=name, shifted_key=name if name != base else None)


def hold_buttons(board: Any, event: MouseEvent) -> None:
    """Make the board believe what an event says about held buttons; what it sends is void."""
    if event.action != "motion":
        return
    for button in ("left", "middle", "right"):
        action = "press" if event.held and event.button == button else "release"
        board.input_mouse(event.column + 1, event.row + 1, _BUTTONS[button], action, set())


def send_mouse(board: Any, event: MouseEvent) -> None:
    """Let the board send a mouse event to its child, if the child asked for it."""
    held = {
        name
        for name, down in (("shift", event.shift), ("meta", event.alt), ("ctrl", event.ctrl))
        if down
    }
    button, action = _BUTTONS[event.button], _ACTIONS[event.action]
    board.input_mouse(event.column + 1, event.row + 1, button, action, held)


def paste_bytes(text: str, *, bracketed: bool) -> bytes:
    """Return what a paste sends: no control acts, least of all an end of the paste inside it.

    Without brackets a line ends as the Enter key ends it.
    """
    plain = _ACTING.sub(" ", text)
    if not bracketed:
        plain = plain.replace("\r\n", "\r").replace("\n", "\r")
        return plain.encode("utf-8", "replace")
    begin, end = _BRACKETS
    return f"{begin}{plain}{end}".encode("utf-8", "replace")


def is_safe(text: str) -> bool:
    """Whether a paste can do no more than insert text: no line end, no end of the paste."""
    return "\n" not in text and "\r" not in text and _END_OF_PASTE not in text
