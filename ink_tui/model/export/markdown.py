"""A session's document as Markdown.

Foreign text keeps its Markdown, but cannot bring in HTML, load an image, hide a link's target or
swallow what follows: tags, images and links are spelt with entities, fences are closed, and only a
fence at the start of a line counts as one, since any other may end earlier than it seems.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ink_tui.model.export.document import (
    BoundaryPart,
    CallPart,
    FoldPart,
    NotePart,
    SpeechPart,
    TurnPart,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ink_tui.model.export.document import Document, Part

_OPEN_FENCE = re.compile(r"(`{3,}[^`]*|~{3,}.*)$")
_FENCE_RUN = re.compile(r"`{3,}|~{3,}")
_BACKTICKS = re.compile("`+")
_ACTIVE = re.compile(r"<(?=[A-Za-z/!?])|!(?=\[)|(?<=\])[(:\[]")
"""The character that makes a tag, an image or a link of what stands around it."""
_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|~&]")
_FOLDED_LINES = 12
"""Longer results are folded."""


def markdown(document: Document) -> Iterator[str]:
    """Yield the lines of a document as Markdown, without newlines."""
    yield f"# {_plain(document.title)}"
    yield ""
    for name, text in document.facts:
        yield f"- {name}: {_code(text)}"
    yield f"- {_plain(document.remark)}"
    for problem in document.problems:
        yield f"- **{_plain(problem)}**"
    if not document.parts:
        yield ""
        yield "This session has no message yet."
    for part in document.parts:
        yield ""
        yield from _part(part)


def _part(part: Part) -> Iterator[str]:
    body = part.body
    if isinstance(body, TurnPart):
        yield f"## Turn {body.number} of {body.total}: {_plain(body.title) or '(no text)'}"
        if body.when:
            yield ""
            yield f"*{_plain(body.when)}*"
    elif isinstance(body, SpeechPart):
        yield f"**{body.who}**" + (f" `#` {_code(body.label)}" if body.label else "")
        yield ""
        lines = _prose(body.text)
        yield from (
            (f"> {line}  " if line else ">" for line in lines) if body.who == "user" else lines
        )
    elif isinstance(body, FoldPart):
        yield from _folded(_plain(body.title), body.text)
    elif isinstance(body, CallPart):
        yield from _call(body)
    elif isinstance(body, BoundaryPart):
        yield "---"
        yield ""
        yield f"**{_plain(body.title)}** {body.note}".rstrip()
        yield ""
        yield from _folded("summary", body.summary)
        yield ""
        yield "---"
    elif isinstance(body, NotePart):
        yield f"*{_plain(body.text)}*"


def _call(body: CallPart) -> Iterator[str]:
    head = (
        f"**{_plain(body.tool)}** {_code(body.what)}" if body.what else f"**{_plain(body.tool)}**"
    )
    if body.counts is not None:
        head += f" +{body.counts[0]:,} -{body.counts[1]:,}"
    if body.state:
        mark = "**needs a decision: " if body.problem else "**"
        head += f" · {mark}{_plain(body.state)}**"
    yield head + (f" · {body.duration}" if body.duration else "")
    if body.arguments:
        yield ""
        yield from _fenced(body.arguments)
    for change in body.changes:
        yield ""
        yield from _fenced("\n".join(f"{line.sign}{line.text}" for line in change), "diff")
    if body.output:
        yield ""
        if body.output.count("\n") < _FOLDED_LINES:
            yield from _fenced(body.output)
        else:
            yield from _folded(f"result, {body.output.count(chr(10)) + 1:,} lines", body.output)


def _folded(title: str, text: str) -> Iterator[str]:
    """Yield a fold with a text as it stands; `title` is written already."""
    yield f"<details><summary>{title}</summary>"
    yield ""
    yield from _fenced(text)
    yield ""
    yield "</details>"


def _fenced(text: str, language: str = "") -> Iterator[str]:
    """Yield a text as it stands, in a fence that nothing in it can close."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield fence + language
    yield from text.removesuffix("\n").split("\n")
    yield fence


def _prose(text: str) -> Iterator[str]:
    """Yield the lines of foreign Markdown, tags and images disarmed, open fences closed."""
    fence = ""
    for line in text.strip("\n").split("\n"):
        if fence:
            stripped = line.lstrip(" ")
            closes = len(line) - len(stripped) < 4 and stripped.rstrip(" \t")
            if closes and closes.startswith(fence) and not closes.strip(fence[0]):
                fence = ""
            yield line
        elif _OPEN_FENCE.match(line) and (run := _FENCE_RUN.match(line)) is not None:
            fence = run[0]
            yield line
        else:
            yield _disarmed(line)
    if fence:
        yield fence


def _disarmed(line: str) -> str:
    """Return a line in which nothing is a tag, an image or a link; code stays readable.

    What looks like code is written as an element where it holds such a thing: where a reader of
    Markdown sees no code there, it still finds nothing but entities.
    """
    if _ACTIVE.search(line) is None:
        return line
    runs = [match.span() for match in _BACKTICKS.finditer(line)]
    later: dict[int, list[int]] = {}
    for at in range(len(runs) - 1, -1, -1):
        later.setdefault(runs[at][1] - runs[at][0], []).append(at)
    pieces: list[str] = []
    done = at = 0
    while at < len(runs):
        start, end = runs[at]
        same = later[end - start]
        while same and same[-1] <= at:
            same.pop()
        if not same:
            at += 1
            continue
        close = runs[same[-1]]
        code = line[end : close[0]]
        pieces.append(_ACTIVE.sub(_entity, line[done:start]))
        active = _ACTIVE.search(code) is not None
        pieces.append(f"<code>{_plain(code)}</code>" if active else line[start : close[1]])
        done, at = close[1], same[-1] + 1
    return "".join(pieces) + _ACTIVE.sub(_entity, line[done:])


def _entity(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"


def _plain(text: str) -> str:
    """Return one line of text in which nothing is markup."""
    return _SPECIAL.sub(_entity, text)


def _code(text: str) -> str:
    """Return one line of text as code that nothing in it can end."""
    if not text:
        return ""
    fence = "`" * (max((len(run) for run in _BACKTICKS.findall(text)), default=0) + 1)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{pad}{text}{pad}{fence}"
