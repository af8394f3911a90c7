"""A session's document as one HTML page that loads nothing and runs nothing.

Every foreign text goes through one function that escapes it, and none ever becomes the name of an
element or an attribute, or the value of one. The page's own policy forbids scripts and every load
all the same.
"""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING

from ink_tui.model.export.document import (
    BoundaryPart,
    CallPart,
    FoldPart,
    NotePart,
    SpeechPart,
    TurnPart,
)
from ink_tui.model.export.html_style import STYLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ink_tui.model.diff import DiffLine
    from ink_tui.model.export.document import Document, Part

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6} +(.+)$")
_CODE = re.compile(r"`([^`\n]{1,2000})`")
_BOLD = re.compile(r"\*\*([^*\n]{1,2000})\*\*")
_FOLDED_LINES = 12
"""Longer results are folded."""
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
    yield f"<title>{_text(document.title)}</title>"
    yield f"<style>{STYLE}</style></head>"
    yield "<body>"
    yield f"<header><h1>{_text(document.title)}</h1>"
    facts = (f"<dt>{_text(name)}</dt><dd>{_text(text)}</dd>" for name, text in document.facts)
    yield f"<dl>{''.join(facts)}</dl>"
    yield f'<p class="remark">{_text(document.remark)}</p>'
    if document.problems:
        rows = "".join(f"<li>{_text(problem)}</li>" for problem in document.problems)
        yield f'<ul class="problems">{rows}</ul>'
    yield "</header><main>"
    if not document.parts:
        yield '<p class="note">This session has no message yet.</p>'
    for part in document.parts:
        yield _part(part)
    yield "</main></body></html>"


def _part(part: Part) -> str:
    body = part.body
    dim = " dim" if part.dim else ""
    if isinstance(body, TurnPart):
        when = f"<small>{_text(body.when)}</small>" if body.when else ""
        head = f"<b>turn {body.number} of {body.total}</b><span>{_text(body.title)}</span>"
        return f'<h2 class="turn{dim}">{head}{when}</h2>'
    if isinstance(body, SpeechPart):
        label = f'<span class="label">#{_text(body.label)}</span>' if body.label else ""
        who = "user" if body.who == "user" else "assistant"
        said = "".join(_prose(body.text))
        said = f'{label}<span class="who">{who}:</span>{said}'
        return f'<section class="said {who}{dim}">{said}</section>'
    if isinstance(body, FoldPart):
        problem = " problem" if body.problem else ""
        return _fold(body.title, body.text, f"fold{problem}{dim}")
    if isinstance(body, CallPart):
        return _call(body, dim)
    if isinstance(body, BoundaryPart):
        note = f' <span class="note">{_text(body.note)}</span>' if body.note else ""
        fold = _fold("summary", body.summary, "fold")
        return f'<div class="boundary"><b>{_text(body.title)}</b>{note}{fold}</div>'
    return f'<p class="note{dim}">{_text(body.text)}</p>' if isinstance(body, NotePart) else ""


def _call(body: CallPart, dim: str) -> str:
    head = [f"<b>{_text(body.tool)}</b>", f'<code class="what">{_text(body.what)}</code>']
    if body.counts is not None:
        head.append(f"<small>+{body.counts[0]:,} -{body.counts[1]:,}</small>")
    if body.state:
        words = f"needs a decision: {body.state}" if body.problem else body.state
        head.append(f'<span class="state">{_text(words)}</span>')
    if body.duration:
        head.append(f"<small>{_text(body.duration)}</small>")
    pieces = [f'<div class="head">{"".join(head)}</div>']
    if body.arguments:
        pieces.append(_pre(body.arguments, "arguments"))
    pieces += (_diff(change) for change in body.changes)
    if body.output:
        pieces.append(_pre(body.output, "result"))
    problem = " problem" if body.problem else ""
    return f'<section class="call{problem}{dim}">{"".join(pieces)}</section>'


def _diff(change: tuple[DiffLine, ...]) -> str:
    rows = (
        f'<span class="{_SIGNS.get(line.sign, "same")}">{_text(line.sign + line.text)}</span>'
        for line in change
    )
    return f'<pre class="diff">{"".join(rows)}</pre>'


def _pre(text: str, what: str) -> str:
    """Return a text as it stands; a long one is folded."""
    lines = text.count("\n") + 1
    if lines <= _FOLDED_LINES:
        return _block(text)
    return _fold(f"{what}, {lines:,} lines", text, "long")


def _fold(title: str, text: str, style: str) -> str:
    body = _block(text) if text else ""
    return f'<details class="{style}"><summary>{_text(title)}</summary>{body}</details>'


def _block(text: str) -> str:
    # A newline directly behind the tag would be dropped by the reader's parser.
    return f"<pre>\n{_text(text)}</pre>"


def _prose(text: str) -> Iterator[str]:
    """Yield a text of the talk: fenced code, headings, bold and code; all else as it stands."""
    fence = ""
    held: list[str] = []
    for line in text.strip("\n").split("\n"):
        opened = _FENCE.match(line)
        if fence:
            if (
                opened is not None
                and opened[1].startswith(fence)
                and not line.strip().strip(fence[0])
            ):
                yield _block("\n".join(held))
                fence, held = "", []
            else:
                held.append(line)
        elif opened is not None:
            yield from _paragraph(held)
            fence, held = opened[1], []
        elif (heading := _HEADING.match(line)) is not None:
            yield from _paragraph(held)
            held = []
            yield f'<p class="heading">{_inline(heading[1])}</p>'
        else:
            held.append(line)
    if fence:
        yield _block("\n".join(held))
    else:
        yield from _paragraph(held)


def _paragraph(lines: list[str]) -> Iterator[str]:
    text = "\n".join(lines).strip("\n")
    if text:
        yield f"<div>{_inline(text)}</div>"


def _inline(text: str) -> str:
    """Return text with its code and bold marks as elements; everything is escaped first."""
    pieces: list[str] = []
    done = 0
    for match in _CODE.finditer(text):
        pieces.append(_BOLD.sub(r"<b>\1</b>", _text(text[done : match.start()])))
        pieces.append(f"<code>{_text(match[1])}</code>")
        done = match.end()
    pieces.append(_BOLD.sub(r"<b>\1</b>", _text(text[done:])))
    return "".join(pieces)


def _text(text: str) -> str:
    """Return foreign text as characters that no parser takes for anything else."""
    return escape(text, quote=True)
