"""A terminal emulator for tests: what a person would see of the bytes that a program wrote.

pyte draws the screen. What it lacks or reads wrongly is done here, in front of it:

* the alternate screen (private mode 1049), private modes as a record, the kitty keyboard stack;
* sequences it would misread as text or colours (``CSI < u``, ``CSI > 4 ; 2 m``, DCS, APC, colons);
* clusters of several characters in one place (joined emoji, variation selectors, marks), at which
  pyte drops the rest of the text;
* the answers that a terminal gives to questions (cursor position, attributes, known modes).
"""

from __future__ import annotations

import codecs
import copy
import re
from dataclasses import dataclass
from typing import Any

import pyte
from wcwidth import wcswidth, wcwidth

_SEQUENCE = re.compile(
    r"""
    \x1b\[(?P<prefix>[<=>?]?)(?P<params>[0-9;:]*)(?P<inter>[ -/]*)(?P<final>[@-~])   # CSI
  | \x1b(?P<string>[\]PX^_])(?P<body>[^\x07\x1b]*)(?:\x07|\x1b\\)                    # OSC, DCS ...
  | \x1b(?P<escape>[ -/]*[0-OQ-WYZ\\`-~])                                            # ESC x
    """,
    re.VERBOSE,
)
_INCOMPLETE = re.compile(
    r"\x1b(?:\[[<=>?]?[0-9;:]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?|[ -/]*)?\Z", re.DOTALL
)
_JOINER = "\u200d"
_EMOJI_SELECTOR = "\ufe0f"
_ALTERNATE = {47, 1047, 1049}
_SYNCHRONISED = 2026


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of the screen: its text ("" behind a wide character) and how it is drawn.

    Colours are six hexadecimal digits, a name of the sixteen colours, or ``default``.
    """

    text: str
    foreground: str
    background: str
    bold: bool
    italic: bool
    underline: bool
    reverse: bool
    strike: bool


class _ClusterScreen(pyte.Screen):
    """pyte's screen, drawing clusters instead of single characters."""

    _after: tuple[int, int] = (-1, -1)
    """Cursor place behind the last cluster: a joining character belongs to it only from there."""
    _base: tuple[int, int] = (-1, -1)

    def draw(self, data: str) -> None:
        for char in data:
            if self._joins(char):
                continue
            place = (self.cursor.y, self.cursor.x)
            super().draw(char)
            width = wcwidth(char)
            if width > 0:
                end = (self.cursor.y, self.cursor.x)
                self._base = (end[0], end[1] - width) if end != place else place
                self._after = end

    def _joins(self, char: str) -> bool:
        """Add a character to the cluster before the cursor, if it belongs to one."""
        if (self.cursor.y, self.cursor.x) != self._after:
            return wcwidth(char) == 0
        line = self.buffer[self._base[0]]
        cell = line[self._base[1]]
        if not (wcwidth(char) == 0 or cell.data.endswith(_JOINER)):
            return False
        joined = cell.data + char
        line[self._base[1]] = cell._replace(data=joined)
        if char == _EMOJI_SELECTOR and wcswidth(cell.data) == 1 and wcswidth(joined) == 2:
            self._widen(line, cell)
        return True

    def _widen(self, line: Any, cell: Any) -> None:
        if self.cursor.x < self.columns:
            line[self.cursor.x] = cell._replace(data="")
            self.cursor.x += 1
            self._after = (self.cursor.y, self.cursor.x)

    def report_device_status(self, mode: int = 0, **_: Any) -> None:
        """Answers are the emulator's."""

    def report_device_attributes(self, mode: int = 0, **_: Any) -> None:
        """Answers are the emulator's."""


class Emulator:
    """The screen, the modes and the answers of a terminal of `columns` x `lines` cells."""

    def __init__(self, columns: int, lines: int) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._screen = _ClusterScreen(columns, lines)
        self._stream = pyte.Stream(self._screen)
        self._main: Any = None
        self.modes: set[int] = {7, 25}
        """Private modes that are set now; a fresh terminal wraps lines (7) and shows its cursor."""
        self.keyboard_depth = 0
        """How many kitty keyboard states the program has pushed and not popped."""
        self.title = ""

    @property
    def drawing(self) -> bool:
        """Whether the program is in the middle of a synchronised frame."""
        return _SYNCHRONISED in self.modes

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines."""
        return self._screen.columns, self._screen.lines

    @property
    def cursor(self) -> tuple[int, int]:
        """Column and row of the cursor, from 0."""
        return self._screen.cursor.x, self._screen.cursor.y

    def resize(self, columns: int, lines: int) -> None:
        self._screen.resize(lines, columns)

    def rows(self) -> list[str]:
        """The rows as text, without blanks at their ends."""
        return [
            "".join(self._screen.buffer[y][x].data for x in range(self._screen.columns)).rstrip()
            for y in range(self._screen.lines)
        ]

    def cell(self, column: int, row: int) -> Cell:
        """One place of the screen, counted from 0."""
        char = self._screen.buffer[row][column]
        return Cell(
            char.data,
            char.fg,
            char.bg,
            char.bold,
            char.italics,
            char.underscore,
            char.reverse,
            char.strikethrough,
        )

    def feed(self, data: bytes) -> bytes:
        """Draw what a program wrote; returns what the terminal answers."""
        text = self._rest + self._decoder.decode(data)
        incomplete = _INCOMPLETE.search(text)
        cut = incomplete.start() if incomplete else len(text)
        text, self._rest = text[:cut], text[cut:]
        answers: list[str] = []
        position = 0
        for match in _SEQUENCE.finditer(text):
            self._stream.feed(text[position : match.start()])
            position = match.end()
            if match["final"]:
                answers.append(self._control(match))
            elif match["string"] == "]":
                self._system_command(match["body"])
            elif match["escape"]:
                self._stream.feed(match.group())
        self._stream.feed(text[position:])
        return "".join(answers).encode()

    def _control(self, match: re.Match[str]) -> str:
        """Carry out one CSI sequence; returns the answer it asks for, else nothing."""
        prefix, params = match["prefix"], match["params"]
        command = match["inter"] + match["final"]
        if prefix == "?" and command in {"h", "l"}:
            for mode in (int(part) for part in params.split(";") if part):
                self._private_mode(mode, command == "h")
        elif prefix == "?" and command == "$p":
            return self._report_mode(int(params or 0))
        elif command == "u" and prefix in {">", "<"}:
            step = 1 if prefix == ">" else -int(params or 1)
            self.keyboard_depth = max(0, self.keyboard_depth + step)
        elif command == "n" and not prefix:
            return {"5": "\x1b[0n", "6": self._report_cursor()}.get(params, "")
        elif command == "c" and not prefix:
            return "\x1b[?62;22c"
        elif command == "m" and not prefix:
            self._stream.feed(f"\x1b[{_plain_colours(params)}m")
        elif not prefix and not match["inter"]:
            self._stream.feed(match.group())
        return ""

    def _private_mode(self, mode: int, on: bool) -> None:
        if mode in _ALTERNATE and on != (mode in self.modes):
            self._alternate(on)
        if on:
            self.modes.add(mode)
        else:
            self.modes.discard(mode)
        if mode in {6, 7, 25}:
            self._stream.feed(f"\x1b[?{mode}{'h' if on else 'l'}")

    def _alternate(self, on: bool) -> None:
        screen = self._screen
        if on:
            self._main = (copy.deepcopy(screen.buffer), copy.copy(screen.cursor))
            screen.erase_in_display(2)
        elif self._main is not None:
            buffer, cursor = self._main
            screen.buffer.clear()
            screen.buffer.update(buffer)
            screen.cursor = cursor
            screen.ensure_hbounds()
            screen.ensure_vbounds()
            self._main = None

    def _report_mode(self, mode: int) -> str:
        known = {7, 25, 1000, 1003, 1004, 1006, 1049, 2004, _SYNCHRONISED}
        state = (1 if mode in self.modes else 2) if mode in known else 0
        return f"\x1b[?{mode};{state}$y"

    def _report_cursor(self) -> str:
        column, row = self.cursor
        return f"\x1b[{row + 1};{min(column, self._screen.columns - 1) + 1}R"

    def _system_command(self, body: str) -> None:
        number, _, rest = body.partition(";")
        if number in {"0", "2"}:
            self.title = rest


def _plain_colours(params: str) -> str:
    """Write colours with sub-parameters (``38:2::R:G:B``) the way pyte reads them."""
    parts: list[str] = []
    for part in params.split(";"):
        fields = part.split(":")
        if fields[0] in {"38", "48"} and len(fields) > 1:
            wanted = 3 if fields[1] == "2" else 1
            parts += [fields[0], fields[1], *fields[-wanted:]]
        elif fields[0] == "4" and len(fields) > 1:
            parts.append("24" if fields[1] == "0" else "4")
        else:
            parts.append(fields[0])
    return ";".join(parts)
