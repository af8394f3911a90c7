"""Colours in the output of tools: the sequences `ESC [ ... m` alone, no other of a terminal.

They are read from cleaned text, where every control character is visible already: `ESC [` stands
there as `␛[` and its 8-bit form as `<U+009B>`. So nothing here can act on a terminal, nothing has
to be kept beside the text, and every other sequence stays as it is seen. Parameter bytes are those
of ECMA-48, 0x30 to 0x3F; a sequence that begins with `<`, `=`, `>` or `?` is private and stays
(`trust.md` 2.7).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_RUNS = 10_000
"""Runs of one look in one text; what follows keeps its sequences."""

_SGR = re.compile(r"(?:␛\[|<U\+009B>)((?:[0-;][0-?]*)?)m")
_BASIC = (
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127),
    (255, 0, 0),
    (0, 255, 0),
    (255, 255, 0),
    (92, 92, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 255),
)
"""What the sixteen colours are taken for when the nearest of them is looked for."""
_STEPS = (0, 95, 135, 175, 215, 255)


@dataclass(frozen=True, slots=True)
class StyledRun:
    """Text in one look."""

    text: str
    colour: int | None = None
    """One of the sixteen colours of a terminal, 0 to 15; `None` is the usual one."""
    bold: bool = False
    italic: bool = False
    underline: bool = False


def has_sgr(text: str) -> bool:
    """Return whether a cleaned text holds a sequence that sets colours."""
    return _SGR.search(text) is not None


def styled_runs(text: str, most: int = MOST_RUNS) -> tuple[StyledRun, ...]:
    """Return a cleaned text in runs of one look, its colour sequences taken out.

    Grounds, concealed and reversed text change nothing, so that no text can be hidden.

    Args:
        text: Cleaned text; other sequences in it stay.
        most: Runs that are made; the rest of the text is in the last one, sequences and all.
    """
    found: list[StyledRun] = []
    look = StyledRun("")
    at = 0
    for match in _SGR.finditer(text):
        if match.start() > at:
            if len(found) + 1 >= most:
                break
            found.append(replace(look, text=text[at : match.start()]))
        at = match.end()
        look = _changed(look, match.group(1))
    if at < len(text):
        found.append(replace(look, text=text[at:]))
    return tuple(found)


def _changed(look: StyledRun, parameters: str) -> StyledRun:
    """Return the look after one sequence."""
    values = _values(parameters)
    for value in values:
        if value == 0:
            look = StyledRun("")
        elif value == 1:
            look = replace(look, bold=True)
        elif value == 3:
            look = replace(look, italic=True)
        elif value in (4, 21):
            look = replace(look, underline=True)
        elif value == 22:
            look = replace(look, bold=False)
        elif value == 23:
            look = replace(look, italic=False)
        elif value == 24:
            look = replace(look, underline=False)
        elif 30 <= value <= 37:
            look = replace(look, colour=value - 30)
        elif 90 <= value <= 97:
            look = replace(look, colour=value - 82)
        elif value == 39:
            look = replace(look, colour=None)
        elif value in (38, 48):
            colour = _long_colour(values)
            if value == 38:
                look = replace(look, colour=colour)
    return look


def _values(parameters: str) -> Iterator[int]:
    """Yield the numbers of a sequence; a missing one is 0, one that is none is -1."""
    for part in parameters.split(";"):
        main, *rest = part.split(":")
        if main == "4" and rest == ["0"]:
            yield 24
            continue
        if main in ("38", "48") and rest:
            # With colons a colour space may stand before the three figures; it is left out.
            figures = rest if rest[0] != "2" or len(rest) < 5 else [rest[0], *rest[2:5]]
        else:
            figures = []
        for figure in (main, *figures):
            yield int(figure) if figure.isdecimal() and len(figure) < 5 else -1 if figure else 0


def _long_colour(values: Iterator[int]) -> int | None:
    """Take the rest of `38;5;N` or `38;2;R;G;B` and return the nearest of the sixteen colours."""
    kind = next(values, -1)
    if kind == 5:
        return _of_256(next(values, -1))
    if kind == 2:
        red, green, blue = next(values, -1), next(values, -1), next(values, -1)
        return _nearest(red, green, blue)
    return None


def _of_256(number: int) -> int | None:
    if 0 <= number < 16:
        return number
    if 16 <= number < 232:
        cube = number - 16
        return _nearest(_STEPS[cube // 36], _STEPS[cube // 6 % 6], _STEPS[cube % 6])
    if 232 <= number < 256:
        grey = 8 + 10 * (number - 232)
        return _nearest(grey, grey, grey)
    return None


def _nearest(red: int, green: int, blue: int) -> int | None:
    if not all(0 <= value < 256 for value in (red, green, blue)):
        return None

    def distance(index: int) -> int:
        other = _BASIC[index]
        return (red - other[0]) ** 2 + (green - other[1]) ** 2 + (blue - other[2]) ** 2

    return min(range(16), key=distance)
