"""What keys, pastes and the mouse send to a child of the ghostty engine, by the child's modes.

Touches the ffi of `pyghostty` like the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyghostty._ffi import check, ffi, lib
from pyghostty.core import init_sized

from ink_tui.agent.engine import CELL_PIXELS
from ink_tui.agent.engine_text import unshifted

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.agent.engine import KeyEvent, MouseEvent

_SHIFT, _CTRL, _ALT, _META = 1, 2, 4, 8
_PUNCTUATION = {
    "`": "BACKQUOTE",
    "\\": "BACKSLASH",
    "[": "BRACKET_LEFT",
    "]": "BRACKET_RIGHT",
    ",": "COMMA",
    "=": "EQUAL",
    "-": "MINUS",
    ".": "PERIOD",
    "'": "QUOTE",
    ";": "SEMICOLON",
    "/": "SLASH",
    " ": "SPACE",
}
_SAME_AS_KEYS = frozenset("im[")
_BUTTONS = {"left": 1, "right": 2, "middle": 3, "wheel_up": 4, "wheel_down": 5}
_ACTIONS = {"press": 0, "release": 1, "motion": 2}


class InputEncoder:
    """The encoders of one terminal; `handles` are freed with it, before the terminal itself."""

    def __init__(self, terminal: Any) -> None:
        self._terminal = terminal
        self._key_encoder = new_object("GhosttyKeyEncoder", "key_encoder")
        self._key_event = new_object("GhosttyKeyEvent", "key_event")
        self._mouse_encoder = new_object("GhosttyMouseEncoder", "mouse_encoder")
        self._mouse_event = new_object("GhosttyMouseEvent", "mouse_event")
        self.handles = (
            (lib.ghostty_mouse_event_free, self._mouse_event),
            (lib.ghostty_mouse_encoder_free, self._mouse_encoder),
            (lib.ghostty_key_event_free, self._key_event),
            (lib.ghostty_key_encoder_free, self._key_encoder),
        )

    def key(self, event: KeyEvent) -> bytes:
        """Return what a key press sends."""
        name, character, text = _physical(event)
        modifiers = _modifiers(event.shift, event.ctrl, event.alt) | _META * event.meta
        out, encoded = self._key_event, text.encode("utf-8", "replace")
        lib.ghostty_key_event_set_action(out, lib.GHOSTTY_KEY_ACTION_PRESS)
        lib.ghostty_key_event_set_key(out, getattr(lib, f"GHOSTTY_KEY_{name}", 0))
        lib.ghostty_key_event_set_mods(out, modifiers)
        # Shift that went into the character itself is not reported a second time.
        consumed = _SHIFT if event.shift and text and text != character else 0
        lib.ghostty_key_event_set_consumed_mods(out, consumed)
        lib.ghostty_key_event_set_utf8(out, encoded, len(encoded))
        lib.ghostty_key_event_set_unshifted_codepoint(out, ord(character) if character else 0)
        lib.ghostty_key_encoder_setopt_from_terminal(self._key_encoder, self._terminal)
        sent = _encoded(
            lambda buffer, size, written: lib.ghostty_key_encoder_encode(
                self._key_encoder, out, buffer, size, written
            )
        )
        return self._plain_control(character, sent)

    def _plain_control(self, character: str, sent: bytes) -> bytes:
        """Return Tab, Enter and Escape for Ctrl+i, Ctrl+m and Ctrl+[ to a child of the old kind.

        The engine tells them apart from the keys of that name even if the child did not ask for
        it, and such a child takes the sequence for text.
        """
        if character not in _SAME_AS_KEYS or sent != f"\x1b[{ord(character)};5u".encode():
            return sent
        flags = ffi.new("uint8_t*")
        key = lib.GHOSTTY_TERMINAL_DATA_KITTY_KEYBOARD_FLAGS
        check(lib.ghostty_terminal_get(self._terminal, key, flags), "keyboard flags")
        return sent if flags[0] else bytes([ord(character) & 0x1F])

    def paste(self, text: str, *, bracketed: bool) -> bytes:
        """Return what a paste sends."""
        data = text.encode("utf-8", "replace")
        # The encoder neutralises its input in place.
        source = ffi.new("char[]", data)
        return _encoded(
            lambda buffer, size, written: lib.ghostty_paste_encode(
                source, len(data), bracketed, buffer, size, written
            ),
            len(data) + 64,
        )

    def mouse(self, event: MouseEvent, columns: int, rows: int) -> bytes:
        """Return what a mouse event sends on a screen of so many columns and rows."""
        width, height = CELL_PIXELS
        size = init_sized("GhosttyMouseEncoderSize")
        size.screen_width, size.screen_height = columns * width, rows * height
        size.cell_width, size.cell_height = width, height
        encoder, out = self._mouse_encoder, self._mouse_event
        lib.ghostty_mouse_encoder_setopt_from_terminal(encoder, self._terminal)
        setopt = lib.ghostty_mouse_encoder_setopt
        setopt(encoder, lib.GHOSTTY_MOUSE_ENCODER_OPT_SIZE, size)
        held = ffi.new("bool*", event.held)
        setopt(encoder, lib.GHOSTTY_MOUSE_ENCODER_OPT_ANY_BUTTON_PRESSED, held)
        lib.ghostty_mouse_event_set_action(out, _ACTIONS[event.action])
        if event.button == "none":
            lib.ghostty_mouse_event_clear_button(out)
        else:
            lib.ghostty_mouse_event_set_button(out, _BUTTONS[event.button])
        lib.ghostty_mouse_event_set_mods(out, _modifiers(event.shift, event.ctrl, event.alt))
        middle = {"x": (event.column + 0.5) * width, "y": (event.row + 0.5) * height}
        lib.ghostty_mouse_event_set_position(out, ffi.new("GhosttyMousePosition*", middle)[0])
        return _encoded(
            lambda buffer, size, written: lib.ghostty_mouse_encoder_encode(
                encoder, out, buffer, size, written
            )
        )


def new_object(kind: str, prefix: str, *arguments: int) -> Any:
    """Make a native object and return its handle."""
    return new_holder(kind, prefix, *arguments)[0]


def new_holder(kind: str, prefix: str, *arguments: int) -> Any:
    """Make a native object and return the pointer to its handle, as filling calls want it."""
    holder = ffi.new(f"{kind}*")
    check(getattr(lib, f"ghostty_{prefix}_new")(ffi.NULL, holder, *arguments), prefix)
    return holder


def _encoded(call: Callable[[Any, int, Any], int], size: int = 128) -> bytes:
    buffer, written = ffi.new("char[]", size), ffi.new("size_t*")
    if call(buffer, size, written) == lib.GHOSTTY_OUT_OF_SPACE:
        size = written[0]
        buffer = ffi.new("char[]", size)
        check(call(buffer, size, written), "encode")
    return bytes(ffi.buffer(buffer, written[0])[:])


def _modifiers(shift: bool, ctrl: bool, alt: bool) -> int:
    return _SHIFT * shift | _CTRL * ctrl | _ALT * alt


def _physical(event: KeyEvent) -> tuple[str, str, str]:
    """Return the name of the key on a US keyboard, its unshifted character, and its text."""
    if len(event.key) > 1:
        return ("SPACE", " ", " ") if event.key == "space" else (event.key.upper(), "", "")
    text = event.key
    base = unshifted(text)
    if "a" <= base <= "z":
        return base.upper(), base, text
    if "0" <= base <= "9":
        return f"DIGIT_{base}", base, text
    return _PUNCTUATION.get(base, "UNIDENTIFIED"), base, text
