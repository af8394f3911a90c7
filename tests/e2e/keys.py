"""What a terminal sends for a key, by the names that Textual and the key table use."""

from __future__ import annotations

_PLAIN = {
    "enter": "\r",
    "esc": "\x1b",
    "escape": "\x1b",
    "tab": "\t",
    "shift+tab": "\x1b[Z",
    "backspace": "\x7f",
    "space": " ",
    "question_mark": "?",
    "slash": "/",
    "ctrl+space": "\x00",
    "ctrl+backslash": "\x1c",
    "ctrl+right_square_bracket": "\x1d",
    "ctrl+]": "\x1d",
    "ctrl+underscore": "\x1f",
}
_LETTERED = {"up": "A", "down": "B", "right": "C", "left": "D", "home": "H", "end": "F"}
_NUMBERED = {
    "insert": 2,
    "delete": 3,
    "pageup": 5,
    "pgup": 5,
    "pagedown": 6,
    "pgdn": 6,
    "f5": 15,
    "f6": 17,
    "f7": 18,
    "f8": 19,
    "f9": 20,
    "f10": 21,
    "f11": 23,
    "f12": 24,
}
_FUNCTION = {"f1": "P", "f2": "Q", "f3": "R", "f4": "S"}
_MODIFIERS = {"shift": 1, "alt": 2, "ctrl": 4}


def encode(key: str) -> str:
    """The characters for one key: a name (``ctrl+c``, ``shift+up``, ``f1``) or one character.

    Raises:
        ValueError: The name is not known.
    """
    if key in _PLAIN:
        return _PLAIN[key]
    if len(key) == 1:
        return key
    *held, name = key.split("+")
    if held == ["ctrl"] and len(name) == 1 and name.isalpha():
        return chr(ord(name.lower()) & 0x1F)
    if held == ["alt"] and len(name) == 1:
        return "\x1b" + name
    if not set(held) <= _MODIFIERS.keys():
        raise ValueError(f"no such key: {key!r}")
    sum_of_held = sum(_MODIFIERS[modifier] for modifier in held)
    suffix = f";{sum_of_held + 1}" if held else ""
    if name in _LETTERED:
        return f"\x1b[{'1' if held else ''}{suffix}{_LETTERED[name]}"
    if name in _NUMBERED:
        return f"\x1b[{_NUMBERED[name]}{suffix}~"
    if name in _FUNCTION:
        return f"\x1b[1{suffix}{_FUNCTION[name]}" if held else f"\x1bO{_FUNCTION[name]}"
    raise ValueError(f"no such key: {key!r}")


def mouse(column: int, row: int, button: int = 0, pressed: bool = True) -> str:
    """A press or release at a place counted from 0; button 64 is the wheel up, 65 down."""
    return f"\x1b[<{button};{column + 1};{row + 1}{'M' if pressed else 'm'}"


def paste(text: str) -> str:
    """Text as a terminal pastes it (bracketed, private mode 2004)."""
    return f"\x1b[200~{text}\x1b[201~"
