"""Foreign text as pieces of a page: a text as it stands, and the talk with its few marks.

Of Markdown only what makes a talk readable becomes elements: fenced code, headings, tables, items
of lists, bold and code. All else stays as it was typed; links and images are never made.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6} +(.+)$")
_ITEM = re.compile(r"( {0,24})(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
_RULE = re.compile(r":?-+:?")
"""One cell of the line between the head of a table and its rows."""
_BAR = re.compile(r"(?<!\\)\|")
_CODE = re.compile(r"`([^`\n]{1,2000})`")
_BOLD = re.compile(r"\*\*([^*\n]{1,2000})\*\*")
_STEPS = 3
"""Depths of a list that are told apart."""


def escaped(text: str) -> str:
    """Return foreign text as characters that no parser takes for anything else."""
    return escape(text, quote=True)


def block(text: str) -> str:
    """Return a text as it stands, in a fixed width."""
    # A newline directly behind the tag would be dropped by the reader's parser.
    return f"<pre>\n{escaped(text)}</pre>"


def prose(text: str) -> Iterator[str]:
    """Yield a text of the talk as elements; nothing of it is lost but the marks themselves."""
    lines = text.strip("\n").split("\n")
    plain: list[str] = []
    place = 0
    while place < len(lines):
        made, taken = _element(lines, place)
        if taken:
            yield from _paragraph(plain)
            plain = []
            yield made
        else:
            plain.append(lines[place])
        place += max(1, taken)
    yield from _paragraph(plain)


def _element(lines: Sequence[str], place: int) -> tuple[str, int]:
    """Return the element that begins at a line and how many lines it takes; 0 for none."""
    line = lines[place]
    if (opened := _FENCE.match(line)) is not None:
        return _fenced(lines, place, opened[1])
    if (heading := _HEADING.match(line)) is not None:
        return f'<p class="heading">{_inline(heading[1])}</p>', 1
    if (item := _ITEM.match(line)) is not None:
        depth = min(_STEPS, len(item[1]) // 2)
        return f'<p class="item in{depth}">{_inline(line.strip(" "))}</p>', 1
    rows = _table_lines(lines, place)
    return (_table(lines[place : place + rows]), rows) if rows else ("", 0)


def _fenced(lines: Sequence[str], place: int, fence: str) -> tuple[str, int]:
    end = place + 1
    while end < len(lines) and not _closes(lines[end], fence):
        end += 1
    language = lines[place].strip().lstrip(fence[0]).strip()
    label = f'<p class="language">{escaped(language)}</p>' if language else ""
    body = block("\n".join(lines[place + 1 : end]))
    return label + body, min(end + 1, len(lines)) - place


def _closes(line: str, fence: str) -> bool:
    opened = _FENCE.match(line)
    return opened is not None and opened[1].startswith(fence) and not line.strip().strip(fence[0])


def _table_lines(lines: Sequence[str], place: int) -> int:
    """Return how many lines a table takes that begins here; 0 when none does."""
    if place + 1 >= len(lines) or "|" not in lines[place] or "|" not in lines[place + 1]:
        return 0
    rule = _cells(lines[place + 1])
    if not all(_RULE.fullmatch(cell) for cell in rule) or len(rule) != len(_cells(lines[place])):
        return 0
    end = place + 2
    while end < len(lines) and "|" in lines[end]:
        end += 1
    return end - place


def _cells(line: str) -> list[str]:
    bare = line.strip().removeprefix("|")
    if bare.endswith("|") and not bare.endswith("\\|"):
        bare = bare[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _BAR.split(bare)]


def _table(lines: Sequence[str]) -> str:
    head = "".join(f"<th>{_inline(cell)}</th>" for cell in _cells(lines[0]))
    rows = ("".join(f"<td>{_inline(cell)}</td>" for cell in _cells(line)) for line in lines[2:])
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide">{table}</div>'


def _paragraph(lines: Sequence[str]) -> Iterator[str]:
    text = "\n".join(lines).strip("\n")
    if text:
        yield f"<p>{_inline(text)}</p>"


def _inline(text: str) -> str:
    """Return text with its code and bold marks as elements; everything is escaped first."""
    pieces: list[str] = []
    done = 0
    for match in _CODE.finditer(text):
        pieces.append(_BOLD.sub(r"<b>\1</b>", escaped(text[done : match.start()])))
        pieces.append(f"<code>{escaped(match[1])}</code>")
        done = match.end()
    pieces.append(_BOLD.sub(r"<b>\1</b>", escaped(text[done:])))
    return "".join(pieces)
