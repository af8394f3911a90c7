"""A session's document as one HTML page that loads nothing and runs nothing.

Every foreign text goes through one function that escapes it (`escaped`), and none ever becomes the
name of an element or an attribute, or the value of one. The page's own policy forbids scripts and
every load all the same.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

from ink_tui.model.export.document import (
    BoundaryPart,
    CallPart,
    FoldPart,
    NotePart,
    SpeechPart,
    TurnPart,
)
from ink_tui.model.export.html_prose import block, escaped, prose
from ink_tui.model.export.html_style import STYLE
from ink_tui.model.text import one_line
from ink_tui.model.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ink_tui.model.diff import DiffLine
    from ink_tui.model.export.document import Document, Part

_FOLDED_LINES = 12
"""Longer results are folded, and all those of an edit whose lines are shown."""
_FAILED_LINES = 40
"""The same for a call that failed: its result is what the reader looks for."""
_LISTED_TURNS = 4
"""Sessions of fewer turns need no list of them."""
_TITLE_LENGTH = 120
"""Characters of a title that only points at a text."""
_SIGNS = {"+": "add", "-": "del"}


def html(document: Document) -> Iterator[str]:
    """Yield the lines of a document as an HTML page, without newlines."""
    digest = b64encode(sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield '<head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<title>{escaped(document.title)}</title>"
    yield f"<style>{STYLE}</style></head>"
    yield "<body>"
    yield f"<header><h1>{escaped(document.title)}</h1>"
    facts = (f"<dt>{escaped(name)}</dt><dd>{escaped(text)}</dd>" for name, text in document.facts)
    yield f"<dl>{''.join(facts)}</dl>"
    yield f'<p class="remark">{escaped(document.remark)}</p>'
    if document.problems:
        rows = "".join(f"<li>{escaped(problem)}</li>" for problem in document.problems)
        yield f'<ul class="problems">{rows}</ul>'
    yield "</header><main>"
    if not document.parts:
        yield '<p class="note">This session has no message yet.</p>'
    yield from _contents(document.parts)
    for number, part in enumerate(document.parts):
        yield _part(part, document.parts[number + 1 : number + 2])
    yield "</main></body></html>"


def _contents(parts: tuple[Part, ...]) -> Iterator[str]:
    """Yield the list of turns, each a link to its place in the page."""
    turns = [part.body for part in parts if isinstance(part.body, TurnPart)]
    if len(turns) < _LISTED_TURNS:
        return
    yield f'<nav><details class="contents"><summary>{len(turns):,} turns</summary><ol>'
    for turn in turns:
        title = escaped(_short(turn.title) or "(no text)")
        yield f'<li><a href="#turn-{turn.number}">{title}</a></li>'
    yield "</ol></details></nav>"


def _short(title: str) -> str:
    return title if len(title) <= _TITLE_LENGTH else title[:_TITLE_LENGTH] + "…"


def _turn(body: TurnPart, following: tuple[Part, ...], dim: str) -> str:
    """Return the head of a turn; its title is only for an outline where the next text says it."""
    title = f"<span>{escaped(body.title)}</span>"
    said = following[0].body if following else None
    if isinstance(said, SpeechPart) and one_line(said.text.lstrip()).startswith(body.title):
        title = f'<span class="hidden">{escaped(_short(body.title))}</span>'
    when = f"<small>{escaped(body.when)}</small>" if body.when else ""
    head = f"<b>turn {body.number} of {body.total}</b>{title}{when}"
    return f'<h2 class="turn{dim}" id="turn-{body.number}">{head}</h2>'


def _part(part: Part, following: tuple[Part, ...]) -> str:
    body = part.body
    dim = " dim" if part.dim else ""
    if isinstance(body, TurnPart):
        return _turn(body, following, dim)
    if isinstance(body, SpeechPart):
        label = f'<span class="label">#{escaped(body.label)}</span>' if body.label else ""
        who = "user" if body.who == "user" else "assistant"
        said = f'<p class="who">{who}{label}</p>{"".join(prose(body.text))}'
        return f'<section class="said {who}{dim}">{said}</section>'
    if isinstance(body, FoldPart):
        problem = " problem" if body.problem else ""
        return _fold(body.title, body.text, f"fold{problem}{dim}")
    if isinstance(body, CallPart):
        return _call(body, dim)
    if isinstance(body, BoundaryPart):
        note = f' <span class="note">{escaped(body.note)}</span>' if body.note else ""
        fold = _fold("summary", body.summary, "fold")
        return f'<div class="boundary"><b>{escaped(body.title)}</b>{note}{fold}</div>'
    return f'<p class="note{dim}">{escaped(body.text)}</p>' if isinstance(body, NotePart) else ""


def _call(body: CallPart, dim: str) -> str:
    head = [f"<b>{escaped(body.tool)}</b>", f'<code class="what">{escaped(body.what)}</code>']
    if body.counts is not None:
        head.append(f"<small>+{body.counts[0]:,} -{body.counts[1]:,}</small>")
    if body.state:
        words = f"needs a decision: {body.state}" if body.problem else body.state
        head.append(f'<span class="state">{escaped(words)}</span>')
    if body.duration:
        head.append(f"<small>{escaped(body.duration)}</small>")
    pieces = [f'<div class="head">{"".join(head)}</div>']
    if body.arguments:
        is_object = body.arguments.startswith("{") and not body.problem
        pieces.append(_pre(body.arguments, "arguments", 0 if is_object else _FOLDED_LINES))
    pieces += (_diff(change) for change in body.changes)
    if body.output:
        most = 0 if body.changes and not body.state else _FOLDED_LINES
        pieces.append(_pre(body.output, "result", _FAILED_LINES if body.state else most))
    problem = " problem" if body.problem else ""
    return f'<section class="call{problem}{dim}">{"".join(pieces)}</section>'


def _diff(change: tuple[DiffLine, ...]) -> str:
    rows = (
        f'<span class="{_SIGNS.get(line.sign, "same")}">{escaped(line.sign + line.text)}</span>'
        for line in change
    )
    return f'<pre class="diff">{"".join(rows)}</pre>'


def _pre(text: str, what: str, most: int) -> str:
    """Return a text as it stands; one of more lines than that is folded."""
    lines = text.count("\n") + 1
    if lines <= most:
        return block(text)
    return _fold(f"{what}, {counted(lines, 'line')}", text, "long")


def _fold(title: str, text: str, style: str) -> str:
    body = block(text) if text else ""
    return f'<details class="{style}"><summary>{escaped(title)}</summary>{body}</details>'
