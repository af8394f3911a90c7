"""Files that a text mentions, with the line it names: `src/a.py:12`. Pure.

A guess that errs on the side of too many: what is not a file on the disk is left out later, by
`ink_tui.store.mentioned`. Takes time linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.messages import TextBlock
from ink_tui.model.tool_facts import COMMAND_KEYS, PATH_KEYS, ToolKind, edit_starts, tool_kind
from ink_tui.model.transcript import (
    CompactionBody,
    OrphanBody,
    SummaryBody,
    TextBody,
    ThinkingBody,
    ToolBody,
    UnknownBody,
    UserBody,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ink_tui.model.transcript import Body

MOST = 200
"""Files that are returned of one block."""
MENTION_CHARS = 200_000
"""Characters of a text that are looked at."""
_LONGEST = 1_000
"""Characters of a path."""

_NEVER = r"\s\"'`<>|*?;,=()\[\]{}，。、；：（）「」『』《》“”‘’！？…␊␍"  # noqa: RUF001 - meant
_WORD = re.compile(rf"[^{_NEVER}]+")
_QUOTED = re.compile(r"`([^`\n]{1,300})`|\"([^\"\n]{1,300})\"|'([^'\n]{1,300})'")
_TRACEBACK = re.compile(r'File "([^"\n]{1,1000})", line (\d{1,7})')
_PLACE = re.compile(r"^(.+?)(?::|#L)(\d{1,7})(?![\w/.])")
_IN_BRACKETS = re.compile(r"\((\d{1,7})(?:,\s?\d{1,7})?\)")
_ENDING = re.compile(r"[^./\s]\.[A-Za-z][A-Za-z0-9_+-]{0,11}$")
_LETTER = re.compile(r"\w")
_ASCII_RUN = re.compile(r"[!-~]+")
_OF_ONE_FILE = frozenset({ToolKind.READ, ToolKind.EDIT, ToolKind.WRITE})
"""Tools whose result is the text of the file that they name: what it mentions is not meant."""
_NAMES = frozenset({"Makefile", "Dockerfile", "LICENSE", "README", "Justfile", "Gemfile"})


@dataclass(frozen=True, slots=True)
class Mention:
    """A file that is mentioned."""

    path: str
    """As it is written; relative to the folder of the session unless it begins with `/` or `~/`."""
    line: int | None = None
    """1-based; `None` where no line is named."""
    certain: bool = False
    """Whether it is meant as a file: the path argument of a call that does not search a folder."""


def mentions_of(body: Body) -> tuple[Mention, ...]:
    """Return the files that a block mentions, the argument of its call first, each path once.

    Args:
        body: The block's content, whole.
    """
    found: dict[str, Mention] = {}
    for mention in _all_of(body):
        known = found.get(mention.path)
        if known is None:
            if len(found) == MOST:
                break
            found[mention.path] = mention
        elif known.line is None and mention.line is not None:
            found[mention.path] = Mention(known.path, mention.line, known.certain)
    return tuple(found.values())


def mentions_in(text: str) -> Iterator[Mention]:
    """Yield what looks like a file in a text, in order; the same may come more than once.

    Args:
        text: Cleaned text; what follows `MENTION_CHARS` is not looked at.
    """
    for line in text[:MENTION_CHARS].split("\n"):
        for match in _TRACEBACK.finditer(line):
            yield Mention(match[1], _number(match[2]))
        for match in _QUOTED.finditer(line):
            quoted = match[1] or match[2] or match[3]
            if " " in quoted:
                yield from _in_word(quoted.strip(), "")
        for match in _WORD.finditer(line):
            yield from _in_word(match.group(), line[match.end() : match.end() + 20])


def _in_word(word: str, behind: str) -> Iterator[Mention]:
    """Yield the file that a word is, and the part of it that stands among other letters."""
    if len(word) > _LONGEST or "://" in word:
        return
    yield from _file(word, behind)
    if not word.isascii():
        for match in _ASCII_RUN.finditer(word):
            yield from _file(match.group(), behind if match.end() == len(word) else "")


def _file(word: str, behind: str) -> Iterator[Mention]:
    word = word.removeprefix("@").rstrip(".:!")
    place = _PLACE.match(word)
    path, line = (place[1], _number(place[2])) if place is not None else (word, None)
    path = path.partition(":")[0]
    if line is None:
        brackets = _IN_BRACKETS.match(behind)
        line = _number(brackets[1]) if brackets is not None else None
    if _looks_like_a_file(path):
        yield Mention(path, line)


def _looks_like_a_file(path: str) -> bool:
    if not path or path.endswith("/") or path.startswith("//") or not _LETTER.search(path):
        return False
    return "/" in path or _ENDING.search(path) is not None or path in _NAMES


def _all_of(body: Body) -> Iterator[Mention]:
    if isinstance(body, ToolBody):
        yield from _of_call(body)
        return
    for text in _texts(body):
        yield from mentions_in(text)


def _of_call(body: ToolBody) -> Iterator[Mention]:
    arguments = body.call.arguments
    brief = body.call.brief
    if brief is not None and brief.is_path and brief.what:
        yield Mention(brief.what, certain=True)
    if isinstance(arguments, Mapping):
        path = _first_text(arguments, PATH_KEYS)
        if path and "\n" not in path:
            starts = edit_starts(body.result)
            offset = arguments.get("offset")
            line = offset if type(offset) is int and offset > 0 else None
            kind = tool_kind(body.call.tool)
            certain = kind is not ToolKind.SEARCH
            yield Mention(path[:_LONGEST], starts[0] if starts else line, certain)
            if kind in _OF_ONE_FILE:
                return
        yield from mentions_in(_first_text(arguments, COMMAND_KEYS))
    if body.result is not None:
        for block in body.result.content:
            if isinstance(block, TextBlock):
                yield from mentions_in(block.text)


def _texts(body: Body) -> Iterator[str]:
    if isinstance(body, TextBody | ThinkingBody | SummaryBody):
        yield body.text
    elif isinstance(body, CompactionBody):
        yield body.summary
    elif isinstance(body, UnknownBody):
        yield body.preview
    elif isinstance(body, UserBody | OrphanBody):
        content = body.content if isinstance(body, UserBody) else body.result.content
        yield from (block.text for block in content if isinstance(block, TextBlock))


def _first_text(arguments: Mapping[str, object], keys: tuple[str, ...]) -> str:
    found = (arguments.get(key) for key in keys)
    return next((value for value in found if isinstance(value, str) and value), "")


def _number(digits: str) -> int | None:
    """Return a line, counted from 1; `None` for line 0."""
    return int(digits) or None
