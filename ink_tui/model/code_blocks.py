"""Fenced code in a text of Markdown, as it can be copied. Pure.

Fences are those of CommonMark: three or more backticks or tildes that begin a line; the block ends
with a line of at least as many of the same, or with the text. A fence inside a list or a quote
stands indented; what stands before it is taken off its lines as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(r"^([ \t>]*)(`{3,}|~{3,})[ \t]*([^\n]*)$")
_MARKER = re.compile(r"^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?=`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """One fenced block."""

    language: str
    """The first word after the fence; empty for none."""
    text: str
    """Its lines without the fences and without a newline at the end."""


def code_blocks(text: str) -> tuple[CodeBlock, ...]:
    """Return the fenced blocks of a text in order; one that is not finished ends with the text."""
    found: list[CodeBlock] = []
    lines: list[str] = []
    fence, front, language = "", "", ""
    for line in text.split("\n"):
        if not fence:
            opening = _FENCE.match(_MARKER.sub(lambda m: " " * len(m.group()), line))
            if opening is not None and not ("`" in opening[2] and "`" in opening[3]):
                front, fence, info = opening.groups()
                language = info.split()[0] if info.split() else ""
            continue
        closing = _FENCE.match(line)
        ends = closing is not None and not closing[3].strip()
        if closing is not None and ends and closing[2].startswith(fence):
            found.append(CodeBlock(language, "\n".join(lines)))
            fence, lines = "", []
        else:
            lines.append(_without(line, front))
    if fence:
        found.append(CodeBlock(language, "\n".join(lines)))
    return tuple(found)


def _without(line: str, front: str) -> str:
    """Return a line without what stands before the fence of its block, as far as it has that."""
    at = 0
    while at < len(front) and at < len(line):
        if line[at] != front[at] and not (line[at] in " \t" and front[at] in " \t"):
            break
        at += 1
    return line[at:]
