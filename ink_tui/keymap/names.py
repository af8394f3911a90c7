"""Names of keys: as Textual spells them, and as people read and write them."""

from __future__ import annotations

import unicodedata
from string import punctuation

NAMED_KEYS = (
    *("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete"),
    *("backspace", "enter", "escape", "tab", "space"),
    *(f"f{number}" for number in range(1, 25)),
)
_MODIFIERS = ("ctrl", "alt", "shift")
_SPELLINGS = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
_BY_CHARACTER = {
    char: _SPELLINGS.get(name, name)
    for char in punctuation
    for name in [unicodedata.name(char).lower().replace("-", "_").replace(" ", "_")]
}
CHARACTERS = {name: char for char, name in _BY_CHARACTER.items()}
_SHORT = {"escape": "esc", "pageup": "pgup", "pagedown": "pgdn"}
_ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
_LONG = {"esc": "escape", "pgup": "pageup", "pgdn": "pagedown", "return": "enter", "del": "delete"}
_FROM_ARROW = {arrow: name for name, arrow in _ARROWS.items()}


def display_key(key: str, *, ascii_only: bool = False) -> str:
    """Return a key's name for people: `ctrl+]`, `esc`, `↑`.

    Args:
        key: A key as Textual names it.
        ascii_only: Spell arrows as words.
    """
    *modifiers, last = key.split("+")
    name = _SHORT.get(last, CHARACTERS.get(last, last))
    if not ascii_only:
        name = _ARROWS.get(name, name)
    return "+".join([*modifiers, name])


def canonical_key(written: str) -> str | None:
    """Return the Textual name of a key as people write it, or None if there is no such key."""
    text = written.strip()
    if text == "+" or text.endswith("++"):
        text = text[:-1] + "plus"
    *modifiers, last = text.split("+")
    order = [part.lower() for part in modifiers]
    if len(set(order)) < len(order) or not set(order) <= set(_MODIFIERS):
        return None
    name = _FROM_ARROW.get(last, _BY_CHARACTER.get(last, last))
    if len(name) == 1:
        if not name.isalnum():
            return None
        name = name.lower() if order else name
    else:
        name = _LONG.get(name.lower(), name.lower())
        if name not in NAMED_KEYS and name not in CHARACTERS:
            return None
    return "+".join([*(m for m in _MODIFIERS if m in order), name])


def types_a_letter(key: str) -> bool:
    """Whether a key would type a character into a text field."""
    return len(key) == 1 or key in CHARACTERS or key == "space"
