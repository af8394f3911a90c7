"""A session as the parts of a document, in words; what Markdown and HTML are written from.

Everything in it is cleaned. Secrets are taken out before the session is parsed
(`ink_tui.model.redaction`), so nothing here knows of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

from ink_tui.model.context import model_in_force
from ink_tui.model.dates import duration_words
from ink_tui.model.health import build_health
from ink_tui.model.light import arguments_note, start_note
from ink_tui.model.messages import ImageBlock, TextBlock
from ink_tui.model.text import clean, one_line
from ink_tui.model.tool_facts import ToolKind, exit_code, tool_facts
from ink_tui.model.transcript import (
    TOOL_STATE_WORDS,
    Block,
    CompactionBody,
    NoteBody,
    OrphanBody,
    SummaryBody,
    TextBody,
    ThinkingBody,
    ToolBody,
    TurnBody,
    UnknownBody,
    UnreadableBody,
    UserBody,
)
from ink_tui.model.transcript_build import build_transcript
from ink_tui.model.words import MARK_WORDS, counted

if TYPE_CHECKING:
    from ink_tui.model.diff import DiffLine
    from ink_tui.model.messages import ContentBlock, Cut, JsonValue, ToolCall
    from ink_tui.model.verdict import Diagnosis

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NO_MESSAGE = "(no message yet)"


@dataclass(frozen=True, slots=True)
class TurnPart:
    """The head of a turn."""

    number: int
    total: int
    title: str
    when: str
    """Moment and length in words; empty when neither is known."""


@dataclass(frozen=True, slots=True)
class SpeechPart:
    """What the user or the assistant said."""

    who: str
    """`user` or `assistant`."""
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class FoldPart:
    """Text that is not part of the talk: thinking, a summary, damage."""

    title: str
    text: str
    problem: bool = False


@dataclass(frozen=True, slots=True)
class CallPart:
    """A call and its result."""

    tool: str
    what: str
    state: str
    """Exit code or state in words; empty for a call that went well."""
    problem: bool
    """Whether it has no result and nobody knows whether it ran."""
    counts: tuple[int, int] | None
    """Lines added and removed."""
    duration: str
    arguments: str
    """All arguments, where the rest does not show them; else empty."""
    changes: tuple[tuple[DiffLine, ...], ...]
    output: str | None
    """`None` when no result was saved."""


@dataclass(frozen=True, slots=True)
class BoundaryPart:
    """A compaction."""

    title: str
    note: str
    """Says what is no longer in the context; empty for all but the last one."""
    summary: str


@dataclass(frozen=True, slots=True)
class NotePart:
    """Bookkeeping in one line."""

    text: str


PartBody: TypeAlias = TurnPart | SpeechPart | FoldPart | CallPart | BoundaryPart | NotePart


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the document."""

    body: PartBody
    dim: bool
    """Whether it stands above the last compaction: the model no longer sees it."""


@dataclass(frozen=True, slots=True)
class Document:
    """A session to read outside of the program."""

    title: str
    facts: tuple[tuple[str, str], ...]
    """Names and texts, one line each."""
    problems: tuple[str, ...]
    """What is wrong with the session, worst first."""
    parts: tuple[Part, ...]
    remark: str
    """What was taken out of it, in a sentence."""


def build_document(diagnosis: Diagnosis, file_name: str, remark: str) -> Document:
    """Return the document of the branch that a resume would continue; never raises.

    Args:
        diagnosis: The session, secrets already taken out.
        file_name: How its file is called.
        remark: What is said about what was taken out.
    """
    transcript = build_transcript(diagnosis)
    parts = tuple(
        Part(body, block.dim)
        for block in transcript.blocks
        if (body := _part(block, transcript.turns)) is not None
    )
    return Document(
        title=one_line(diagnosis.title) or _NO_MESSAGE,
        facts=tuple(_facts(diagnosis, file_name)),
        problems=tuple(_problems(diagnosis)),
        parts=parts,
        remark=one_line(remark),
    )


def _facts(diagnosis: Diagnosis, file_name: str) -> list[tuple[str, str]]:
    session = diagnosis.session
    header = session.header
    health = build_health(diagnosis)
    found: list[tuple[str, str]] = []
    if header is not None:
        found += [("session", one_line(str(header.id))), ("folder", one_line(header.cwd))]
        found.append(("started", _moment(header.time_ms)))
    found.append(("last record", _moment(session.last_time_ms)))
    found.append(("model", one_line("/".join(part for part in model_in_force(session) if part))))
    if header is not None and header.forked_from is not None:
        found.append(("forked from", one_line(header.forked_from[0])))
    found.append(("file", one_line(file_name)))
    found.append(("state", one_line(f"{health.headline}: {health.reason}")))
    others = len(diagnosis.tree.tips) - 1
    if others > 0:
        branches = counted(others, "other branch", "other branches")
        found.append(("not shown", f"{branches}; this is the one that a resume would continue"))
    return [(name, text) for name, text in found if text]


def _problems(diagnosis: Diagnosis) -> list[str]:
    found: list[str] = []
    for fault in build_health(diagnosis).faults:
        span = fault.fault.span
        word = MARK_WORDS[fault.mark]
        place = f" (line {span.line:,})" if span is not None else ""
        found.append(one_line(f"{word}: {fault.text}{place}" if word else f"{fault.text}{place}"))
    return found


def _part(block: Block, turns: int) -> PartBody | None:
    body = block.body
    if isinstance(body, TurnBody):
        pieces = (_moment(block.time_ms), duration_words(body.duration_ms))
        when = " · ".join(piece for piece in pieces if piece)
        return TurnPart(body.number, turns, one_line(body.title), when)
    if isinstance(body, UserBody):
        return SpeechPart("user", _content(body.content), one_line(body.label))
    if isinstance(body, TextBody):
        return SpeechPart("assistant", _text(body.text, body.cut), one_line(body.label))
    if isinstance(body, ThinkingBody):
        return FoldPart("thinking", _text(body.text, body.cut))
    if isinstance(body, ToolBody):
        return _call(body)
    if isinstance(body, CompactionBody):
        return _boundary(body)
    if isinstance(body, NoteBody):
        return NotePart(f"{body.kind}: {one_line(body.text)}")
    return _fold(block)


def _fold(block: Block) -> FoldPart | None:
    body = block.body
    place = f" (line {block.span.line:,})" if block.span else ""
    if isinstance(body, SummaryBody):
        return FoldPart("summary of a branch that was left", _text(body.text, body.cut))
    if isinstance(body, UnknownBody):
        kind = one_line(body.type_name) or "without a type"
        title = f"readable but damaged: unknown {body.what}, {kind}{place}"
        return FoldPart(title, clean(body.preview), problem=True)
    if isinstance(body, UnreadableBody):
        what = "readable but damaged: line cannot be read"
        if body.tail:
            what = "needs a decision: the last record is not complete"
        return FoldPart(what + place, clean(body.detail), problem=True)
    if isinstance(body, OrphanBody):
        tool = one_line(body.result.tool)
        title = f"readable but damaged: result without a call: {tool}{place}"
        return FoldPart(title, _content(body.result.content), problem=True)
    return None


def _call(body: ToolBody) -> CallPart:
    facts = tool_facts(body.call)
    code = exit_code(body.result) if body.result is not None else None
    shown_whole = bool(facts.changes) or facts.what == _only_text(body.call)
    return CallPart(
        tool=one_line(body.call.tool) or "(no name)",
        what=facts.what,
        state=f"exit {code}" if code else TOOL_STATE_WORDS[body.state],
        problem=body.result is None,
        counts=facts.counts,
        duration=duration_words(body.duration_ms),
        arguments="" if shown_whole else _arguments(body.call, facts.kind),
        changes=facts.changes,
        output=None if body.result is None else _content(body.result.content),
    )


def _only_text(call: ToolCall) -> str | None:
    """Return the one argument of a call with a single one, else `None`."""
    arguments = call.arguments
    if isinstance(arguments, Mapping) and len(arguments) == 1:
        (value,) = arguments.values()
        return value if isinstance(value, str) else None
    return None


def _text(text: str, cut: Cut | None) -> str:
    """Return a text, and behind one that is only the start of one that it is."""
    return clean(text) if cut is None else f"{clean(text)}\n{start_note(cut)}"


def _arguments(call: ToolCall, kind: ToolKind) -> str:
    """Return all arguments: a command as it stands, anything else as JSON."""
    if call.brief is not None:
        return arguments_note(call)
    only = _only_text(call)
    if only is not None and kind is ToolKind.BASH:
        return clean(only)
    if not call.arguments:
        return ""
    return clean(json.dumps(_plain(call.arguments), ensure_ascii=False, indent=2))


def _plain(value: JsonValue) -> Any:
    """Return a frozen value as the containers that `json` knows; at most 64 levels deep."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def _boundary(body: CompactionBody) -> BoundaryPart:
    before = f"{body.tokens_before:,}" if body.tokens_before is not None else "unknown"
    after = "an unknown number of" if body.tokens_after is None else f"about {body.tokens_after:,}"
    kept = "kept messages unknown" if body.kept is None else counted(body.kept, "message") + " kept"
    note = "Everything above is no longer in the context." if body.latest else ""
    return BoundaryPart(
        f"compacted: {before} to {after} tokens, {kept}", note, _text(body.summary, body.cut)
    )


def _content(content: tuple[ContentBlock, ...]) -> str:
    pieces: list[str] = []
    for block in content:
        if isinstance(block, TextBlock):
            pieces.append(_text(block.text, block.cut))
        elif isinstance(block, ImageBlock):
            pieces.append(f"[{one_line(block.mime_type)}, {block.size:,} characters]")
        else:
            name = one_line(block.type_name)
            pieces.append(f"[unknown block: {name}]\n{clean(block.preview)}")
    return "\n".join(pieces)


def _moment(time_ms: int | None) -> str:
    """Return a time in UTC; empty for one that is unknown or that no calendar holds."""
    if time_ms is None:
        return ""
    try:
        moment = _EPOCH + timedelta(milliseconds=time_ms)
    except OverflowError:
        return ""
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"
