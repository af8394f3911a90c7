"""Key presses as Textual names them, as key events of a terminal engine."""

from __future__ import annotations

from textual.keys import key_to_character

from ink_tui.agent.engine import KeyEvent

_NAMES = {
    "enter": "enter",
    "tab": "tab",
    "escape": "escape",
    "backspace": "backspace",
    "space": "space",
    "insert": "insert",
    "delete": "delete",
    "home": "home",
    "end": "end",
    "pageup": "page_up",
    "pagedown": "page_down",
    "up": "arrow_up",
    "down": "arrow_down",
    "left": "arrow_left",
    "right": "arrow_right",
    **{f"f{number}": f"f{number}" for number in range(1, 25)},
}
# Textual's own short names; all others are Unicode names, which `key_to_character` knows.
_CHARACTERS = {
    "slash": "/",
    "backslash": "\\",
    "at": "@",
    "minus": "-",
    "plus": "+",
    "underscore": "_",
}
# A terminal cannot tell Ctrl+@ from Ctrl+Space; both are the byte 0.
_SAME = {"ctrl+@": "ctrl+space", "ctrl+at": "ctrl+space", "backtab": "shift+tab"}

_MENU = {
    **{letter: letter for letter in "bszdk123456789"},
    "right_square_bracket": "]",
    "question_mark": "?",
}


def menu_key(key: str) -> str:
    """Return the name of a key of the leave menu; every other key leaves the menu: `esc`.

    Args:
        key: Textual's name of the key that followed the leave chord.
    """
    return _MENU.get(key, "esc")


def key_event(key: str, character: str | None) -> KeyEvent | None:
    """Return the key press behind a Textual key, or None if it is none.

    Args:
        key: Textual's name, such as `a`, `ctrl+c`, `alt+shift+b`, `ctrl+right_square_bracket`.
        character: The text it types, where there is one.
    """
    *modifiers, base = _SAME.get(key, key).split("+")
    name = _NAMES.get(base)
    if name is None:
        name = _CHARACTERS.get(base) or (base if len(base) == 1 else key_to_character(base))
    if character and character.isprintable() and not {"ctrl", "alt"} & set(modifiers):
        # Text is text, whatever key it came from: an input method may have composed it.
        return KeyEvent("space" if character == " " else character)
    if name is None:
        return None
    if "shift" in modifiers and len(name) == 1 and character and character.isprintable():
        name = character
    return KeyEvent(
        name,
        shift="shift" in modifiers,
        ctrl="ctrl" in modifiers,
        alt="alt" in modifiers,
        meta="meta" in modifiers or "super" in modifiers,
    )


def scroll_step(key: str, *, page: int) -> int:
    """Return by how many rows a key moves a view, negative towards the past; 0 for other keys.

    Args:
        key: Textual's name of the key.
        page: Rows of a page.
    """
    steps = {
        "up": -1,
        "k": -1,
        "down": 1,
        "j": 1,
        "pageup": -page,
        "pagedown": page,
        "ctrl+u": -max(page // 2, 1),
        "ctrl+d": max(page // 2, 1),
    }
    return steps.get(key, 0)
