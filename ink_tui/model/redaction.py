"""A session file's bytes without secrets: every string of every record, names of fields included.

The lines stay what they are: JSON stays JSON, a damaged line stays damaged, and only strings that
held a secret are written anew. So one pass serves every format of an export, and what is shortened
later is shortened without its secret.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ink_tui.model.secret_shapes import SHAPES
from ink_tui.model.secrets import Redacted, redact, redact_value

if TYPE_CHECKING:
    from collections.abc import Mapping

HOME_FOLDER = "home-folder"
"""The kind under which shortened paths are counted."""

_STRING = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+\\?+)("(?P<name>\s{0,8}:)?+)?+', re.DOTALL)
"""A string of JSON, whole or torn; the possessive forms keep a long one from being walked twice."""
_RECORD_START = re.compile(r"\n(?=\{)")
_ESCAPED = ("\\u", "\\/")
"""Escapes in which any needle may be hidden."""
_LEAST = 8
"""Characters of the shortest text that can hold a secret."""


@dataclass(frozen=True, slots=True)
class RedactedFile:
    """The bytes of a session without secrets."""

    data: bytes
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many were taken out, by kind; `home-folder` counts shortened paths."""


class Redaction:
    """Takes secrets out of texts and counts them.

    Args:
        home: The user's home folder, which becomes `~` in paths; `None` or `/` leaves paths alone.
    """

    def __init__(self, home: str | None = None) -> None:
        self.counts: Counter[str] = Counter()
        self._home = home.rstrip("/") if home else ""
        before, after = r"(?<![A-Za-z0-9._~/-])", r"(?![A-Za-z0-9._-])"
        self._at_home = re.compile(before + re.escape(self._home) + after) if self._home else None

    def text(self, text: str) -> str:
        """Return a text without secrets and with the home folder shortened."""
        return self._counted(redact(text)) if len(text) >= _LEAST else self._short(text)

    def file(self, data: bytes) -> RedactedFile:
        """Return a session file's bytes without secrets.

        Args:
            data: Any bytes; what is not UTF-8 is kept as it is.
        """
        # A line that starts no record belongs to the one before: a secret may go on in it.
        lines = _RECORD_START.split(data.decode("utf-8", "surrogateescape"))
        kept = "\n".join(self._line(line) for line in lines)
        return RedactedFile(kept.encode("utf-8", "surrogateescape"), dict(self.counts))

    def _line(self, line: str) -> str:
        if not self._may_hold(line):
            return line
        kept = self._strings(line)
        # What a quote parts on a damaged line, a name from its value, is told only as a whole.
        return kept if _is_json(line) else self.text(kept)

    def _strings(self, line: str) -> str:
        """Return a line with each of its strings, and what stands between them, redacted."""
        pieces: list[str] = []
        done = 0
        name = ""
        for match in _STRING.finditer(line):
            pieces.append(self._between(line[done : match.start()]))
            literal = match[1]
            if match["name"] is not None:
                pieces.append(self._string(match, ""))
                name = literal
            else:
                pieces.append(self._string(match, name))
                # The name holds for the items of a list, too, until the next name.
            done = match.end()
        pieces.append(self._between(line[done:]))
        return "".join(pieces)

    def _may_hold(self, line: str) -> bool:
        if any(escape in line for escape in _ESCAPED):
            return True
        if "PRIVATE KEY" in line or (self._home and self._home in line):
            return True
        folded = line.lower()
        return any(
            needle in (folded if shape.fold else line)
            for shape in SHAPES
            for needle in shape.needles
        )

    def _between(self, text: str) -> str:
        """Return what stands outside of strings: in sound JSON never long enough for a secret."""
        return self.text(text) if len(text) >= _LEAST else text

    def _string(self, match: re.Match[str], name: str) -> str:
        """Return one string as it stands, or written anew where it held something."""
        literal = match[1]
        sound = literal[: len(literal) - len(_torn_escape(literal))]
        value = _decoded(sound)
        if len(value) < _LEAST:
            found = self._short(value)
        else:
            found = self._counted(redact_value(name, value) if name else redact(value))
        return match[0] if found == value else self._anew(match, found)

    @staticmethod
    def _anew(match: re.Match[str], value: str) -> str:
        # Bytes that were not UTF-8 stand as half surrogates and must not become escapes.
        written = json.dumps(value, ensure_ascii=False)[1:-1]
        torn = _torn_escape(match[1])
        return f'"{_escaped_halves(written)}{torn}{match[2] or ""}'

    def _counted(self, found: Redacted) -> str:
        self.counts.update(found.counts)
        return self._short(found.text)

    def _short(self, text: str) -> str:
        """Return a text with the home folder in its paths shortened."""
        if self._at_home is None or self._home not in text:
            return text
        short, number = self._at_home.subn("~", text)
        self.counts[HOME_FOLDER] += number
        return short


_TORN_ESCAPE = re.compile(r"(?:\\\\)*+(\\(?:u[0-9a-fA-F]{0,3})?)$")
_HALF = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def _torn_escape(literal: str) -> str:
    """Return the escape at the end of a string that was cut in the middle of it; else nothing."""
    if "\\" not in literal[-5:]:
        return ""
    start = len(literal) - len(literal[-5:].split("\\", 1)[1]) - 1
    while start > 0 and literal[start - 1] == "\\":
        start -= 1
    match = _TORN_ESCAPE.match(literal, start)
    return match[1] if match is not None else ""


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _decoded(literal: str) -> str:
    """Return what the inside of a JSON string says; as it stands where it is not sound."""
    if "\\" not in literal:
        return literal
    try:
        value = json.loads(f'"{literal}"', strict=False)
    except ValueError:
        return literal
    return value if isinstance(value, str) else literal


def _escaped_halves(written: str) -> str:
    """Return JSON text in which half surrogates from escapes are escapes again."""
    return _HALF.sub(lambda match: f"\\u{ord(match[0]):04x}", written)
