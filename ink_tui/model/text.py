"""Cleaning of foreign text, done once at the formats border.

Text from a session file may hold anything: terminal control sequences, bidirectional overrides,
invisible characters, half surrogates, towers of combining marks. `clean` turns each of them into
something that can be seen and that a terminal cannot act on. Nothing is deleted silently.

The rules come from `trust.md` 2.7: control characters become control pictures, other dangerous
characters their code point in angle brackets, half surrogates U+FFFD.
"""

from __future__ import annotations

import re
import unicodedata

MAX_MARKS = 8
"""Combining marks kept on one base character; the rest is counted and named."""

_MARKS = (
    "\u0300-\u034e\u0350-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe20-\ufe2f"
)

_SUSPECT = re.compile(  # one class with one range above U+FFFF: searched ten times as fast
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but for tab and newline, DEL, C1
    "\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U00010000-\U0010ffff]"
)
_ABOVE = re.compile(  # of those above U+FFFF, which are mostly emoji, the suspect ones
    "[\U000110bd\U000110cd\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    + "".join(chr(plane << 16 | 0xFFFE) + chr(plane << 16 | 0xFFFF) for plane in range(1, 17))
    + "]"
)
_TOWER = re.compile(f"[{_MARKS}][{_MARKS}]{{{MAX_MARKS},}}")  # begins with a class: as fast
_CONTROL_PICTURES = {chr(code): chr(0x2400 + code) for code in range(0x20) if chr(code) != "\r"} | {
    "\x7f": "\u2421"
}
_SHOWN_ASCII = bytes([*b"\t\n", *range(0x20, 0x7F)])
_SHORT = 200
_LONE_CONTROLS = _CONTROL_PICTURES | {"\r": "\u240d"}
_LOOKING_BEFORE = re.compile("[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""What is judged by the character before it."""

_ZWNJ, _ZWJ = "\u200c", "\u200d"
_VS16 = "\ufe0f"
_KEYCAP = "\u20e3"
_HIDING = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories of characters that a person cannot see."""


def clean(text: str) -> str:
    """Return text that is safe to draw: no control but newline and tab, nothing invisible.

    Idempotent. A carriage return directly before a newline is part of the line end and goes with
    it; every other dangerous character stays visible in another form.

    Args:
        text: Any string, half surrogates included.
    """
    if text.isascii():
        if len(text) <= _SHORT and text.isprintable():  # slower than the next step for long ones
            return text
        controls = text.encode().translate(None, _SHOWN_ASCII)
        return _pictured(text, controls.decode()) if controls else text
    if "\x1b" in text and not _LOOKING_BEFORE.search(text):
        text = text.replace("\x1b", _CONTROL_PICTURES["\x1b"])  # many, where there are any
    text = _SUSPECT.sub(_visible, text)
    return text if text.isascii() else _TOWER.sub(_lower, text)


def one_line(text: str) -> str:
    """Return cleaned text on a single row: newlines and tabs become one space each."""
    return clean(text).replace("\n", " ").replace("\t", " ")


def short_path(path: str, home: str) -> str:
    """Return a path for people: cleaned, on one line, the home folder written `~`."""
    home = home.rstrip("/")
    if home and (path == home or path.startswith(home + "/")):
        path = "~" + path[len(home) :]
    return one_line(path)


def first_line(text: str) -> str:
    """Return the first line that is not blank, without its outer blanks; empty if there is none.

    Blank is meant as JavaScript's `trim` means it (`formats/ink.md` 7.1), so that titles agree
    with the agent's.
    """
    for line in text.split("\n"):
        stripped = line.strip(JS_BLANKS)
        if stripped:
            return stripped
    return ""


JS_BLANKS = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""The characters that JavaScript's `trim` removes; Python's `str.strip` differs."""


def hidden_count(raw: str) -> int:
    """Return how many dangerous characters `clean` would make visible in a raw string."""
    seen = sum(1 for match in _SUSPECT.finditer(raw) if _visible(match) not in ("", match.group()))
    return seen + sum(1 for _tower in _TOWER.finditer(raw))


def without_hidden(text: str) -> tuple[str, tuple[str, ...]]:
    """Return words that a person typed without what cannot be seen, and what was left out.

    What `clean` draws as it stands stays: joiners inside emoji and between shaped letters,
    variation selectors, flags of two letters, keycaps, eight marks on a letter. So does nothing
    else that hides, directs or controls.

    Args:
        text: Any string on one line.

    Returns:
        The words, and the code points that were left out as `U+202E`, each once.
    """
    left_out: list[str] = []

    def shown(match: re.Match[str]) -> str:
        return match.group() if _visible(match) == match.group() else leave_out(match.group())

    def lower(match: re.Match[str]) -> str:
        return match.group()[:MAX_MARKS] + leave_out(match.group()[MAX_MARKS:])

    def leave_out(chars: str) -> str:
        left_out.extend(f"U+{ord(char):04X}" for char in chars)
        return ""

    before = None
    while text != before:  # what stood between two others may have kept them apart
        before = text
        text = _TOWER.sub(lower, _SUSPECT.sub(shown, text))
        text = "".join(
            leave_out(char)
            if unicodedata.category(char) in _HIDING and char not in (_ZWJ, _ZWNJ)
            else char
            for char in text
        )
    return text, tuple(dict.fromkeys(left_out))


def _pictured(text: str, controls: str) -> str:
    """Return ASCII text with some control characters replaced, one kind after the other."""
    if "\r" in controls:
        text = text.replace("\r\n", "\n")
    for control in dict.fromkeys(controls):
        text = text.replace(control, _LONE_CONTROLS[control])
    return text


def _lower(match: re.Match[str]) -> str:
    tower = match.group()
    return f"{tower[:MAX_MARKS]}<{len(tower) - MAX_MARKS} more marks>"


def _visible(match: re.Match[str]) -> str:
    char = match.group()
    known = _CONTROL_PICTURES.get(char)
    if known is not None:
        return known
    code = ord(char)
    if code > 0xFFFF and not _ABOVE.match(char):
        return char
    if char == "\r":
        return "" if match.string[match.end() : match.end() + 1] == "\n" else _LONE_CONTROLS["\r"]
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    before = match.string[match.start() - 1] if match.start() else ""
    after = match.string[match.end() : match.end() + 1]
    if char in (_ZWJ, _ZWNJ) and _joins(before, after):
        return char
    if (0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF) and _takes_selector(before):
        return char
    return f"<U+{code:04X}>"


def _joins(before: str, after: str) -> bool:
    """Whether a joiner between two characters shapes them instead of hiding something."""
    if not before or not after:
        return False
    if _is_pictograph(before) or before == _VS16:
        return _is_pictograph(after)
    shaped = before > "\u0590" and after > "\u0590"
    return (
        shaped
        and unicodedata.category(before)[0] in "LM"
        and unicodedata.category(after)[0] in "LM"
    )


def _takes_selector(before: str) -> bool:
    """Whether a variation selector may follow this character."""
    if not before:
        return False
    return before in "0123456789#*" or unicodedata.category(before) in (
        "So",
        "Sm",
        "Po",
        "Lo",
        "Sk",
        "Cn",
    )


def _is_pictograph(char: str) -> bool:
    code = ord(char)
    return 0x1F000 <= code <= 0x1FAFF or 0x2190 <= code <= 0x2BFF or code in (0x3030, 0x303D)
