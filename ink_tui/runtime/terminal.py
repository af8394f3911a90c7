"""The terminal of the built-in agent: plain text, a little colour, a line editor."""

from __future__ import annotations

import codecs
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ink_tui.model.text import clean
from ink_tui.runtime.wrapping import wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.runtime.stops import Signals


class Terminal(Protocol):
    """What the loop needs of a terminal."""

    def write(self, text: str) -> None:
        """Write text that is already clean and styled."""

    def say(self, text: str) -> None:
        """Write rows of our own, broken by words at the terminal's width."""

    def ask(self, prompt: str) -> str | None:
        """Return a line that the user typed, or `None` at the end of the input.

        Raises:
            KeyboardInterrupt: Ctrl+C.
            Ended: A signal asks the program to end.
        """


@dataclass(frozen=True, slots=True)
class Style:
    """How words are set off; each mark is followed by a word, so that colour is never needed."""

    colour: bool
    unicode: bool

    def dim(self, text: str) -> str:
        """Return quiet text."""
        return self._paint("2", text)

    def bold(self, text: str) -> str:
        """Return text that stands out."""
        return self._paint("1", text)

    def accent(self, text: str) -> str:
        """Return text that says "type here, or this"."""
        return self._paint("34", text)

    def warning(self, text: str) -> str:
        """Return text that asks for a decision."""
        return self._paint("33", text)

    def failed(self, text: str) -> str:
        """Return text about a failure."""
        return self._paint("31", text)

    @property
    def prompt(self) -> str:
        """The mark before the user's line."""
        return "› " if self.unicode else "> "  # noqa: RUF001 - this very mark is meant

    @property
    def rule(self) -> str:
        """A short line between parts."""
        return ("─" if self.unicode else "-") * 3

    @property
    def cut(self) -> str:
        """The mark of cut text."""
        return "…" if self.unicode else "~"

    @property
    def dot(self) -> str:
        """The mark between facts of one row."""
        return "·" if self.unicode else "-"

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text


def style_for(env: Mapping[str, str], encoding: str, *, is_terminal: bool) -> Style:
    """Return the style that suits a terminal.

    Args:
        env: The environment; `NO_COLOR` and `TERM=dumb` switch colour off.
        encoding: Encoding of the output; without the marks in it they are ASCII.
        is_terminal: Whether the output is a terminal.
    """
    try:
        "›─…·".encode(encoding)  # noqa: RUF001 - these very marks are meant
        fits = True
    except (UnicodeEncodeError, LookupError):
        fits = False
    term = env.get("TERM", "")
    colour = is_terminal and not env.get("NO_COLOR") and term not in ("", "dumb")
    return Style(colour=colour, unicode=fits and term != "linux")


class Console:
    """The process's own terminal, with Python's line editor when there is one."""

    def __init__(self, signals: Signals) -> None:
        self._signals = signals
        for stream in (sys.stdin, sys.stdout):
            # A stream that a test put in place has no such method, and needs none.
            change = getattr(stream, "reconfigure", None)
            if change is not None:
                change(errors="replace" if stream is sys.stdin else "backslashreplace")
        if sys.stdin.isatty():
            import readline

            readline.set_auto_history(True)
        self.style = style_for(
            os.environ, sys.stdout.encoding or "ascii", is_terminal=sys.stdout.isatty()
        )

    def write(self, text: str) -> None:
        """Write text; a terminal that is gone takes nothing and is no error."""
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except OSError:
            # The signal that follows a lost terminal ends the program in order.
            self._to_nowhere()

    def say(self, text: str) -> None:
        """Write rows of our own, broken by words at the width that the terminal has now."""
        self.write(wrapped(text, self._columns()))

    def _columns(self) -> int:
        """Return the terminal's width in cells; 0, which breaks nothing, where there is none."""
        try:
            return os.get_terminal_size(sys.stdout.fileno()).columns
        except (OSError, ValueError):
            return 0

    def ask(self, prompt: str) -> str | None:
        """Return a line that the user typed, or `None` at the end of the input."""
        painted = prompt
        if self.style.colour and sys.stdin.isatty():
            # The editor must not count what has no width.
            painted = f"\x01\x1b[34m\x02{prompt}\x01\x1b[0m\x02"
        try:
            with self._signals.raising():
                return input(painted)
        except EOFError:
            self.write("\n")
            return None
        except OSError:
            self._to_nowhere()
            return None

    def _to_nowhere(self) -> None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - kept open


class LiveText:
    """Makes a stream of foreign bytes safe to show while it comes."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""

    def feed(self, piece: bytes) -> str:
        """Return clean text for the next bytes; a character or line end cut in two waits."""
        text = self._held + self._decoder.decode(piece)
        self._held = ""
        if text.endswith("\r"):
            text, self._held = text[:-1], "\r"
        return clean(text)

    def rest(self) -> str:
        """Return what still waited at the end."""
        text = self._held + self._decoder.decode(b"", final=True)
        self._held = ""
        return clean(text)
