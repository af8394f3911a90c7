"""A whole transcript as lines of text, for screen readers, pipes and `show --plain`.

Linear order, words for every mark, everything cleaned: nothing in it can act on a terminal. Times
are UTC, as they stand in the file.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from ink_tui.model.health import build_health
from ink_tui.model.light import arguments_note, start_note
from ink_tui.model.messages import ImageBlock, TextBlock
from ink_tui.model.text import clean, one_line
from ink_tui.model.tool_facts import exit_code, tool_facts
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
    from collections.abc import Iterator

    from ink_tui.model.messages import ContentBlock, Cut
    from ink_tui.model.verdict import Diagnosis

NO_MESSAGE = "This session has no message yet."

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def transcript_text(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield the lines of a session's transcript, without newlines; cleaned, never shortened."""
    yield from head_lines(diagnosis)
    transcript = build_transcript(diagnosis)
    if not transcript.blocks:
        yield ""
        yield NO_MESSAGE
    for block in transcript.blocks:
        yield ""
        yield from _block(block, transcript.turns)
    if diagnosis.open_calls:
        yield ""
        yield open_calls_line(diagnosis)


def head_lines(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield what a session is and what is wrong with it, in lines."""
    session = diagnosis.session
    header = session.header
    yield f"session: {one_line(diagnosis.title) or '(no message yet)'}"
    if header is not None:
        yield f"id: {one_line(str(header.id))}"
        yield f"folder: {one_line(header.cwd)}"
    health = build_health(diagnosis)
    yield f"state: {health.headline}: {health.reason}"
    for found in health.faults:
        span = found.fault.span
        place = f" (line {span.line:,}, byte {found.start:,})" if span is not None else ""
        word = MARK_WORDS[found.mark]
        yield f"{word}: {found.text}{place}" if word else f"{found.text}{place}"


def open_calls_line(diagnosis: Diagnosis) -> str:
    """Return what is said at the end of a session with open calls."""
    return f"needs a decision: {counted(len(diagnosis.open_calls), 'call')} without result"


def block_text(block: Block, turns: int = 0) -> str:
    """Return one block as text, for copying: cleaned, in words, never shortened.

    Args:
        block: The block.
        turns: How many turns the transcript has; 0 where that is not to be said.
    """
    return "\n".join(_block(block, turns))


def _block(block: Block, turns: int) -> Iterator[str]:
    """Yield the lines of one block; the first line says what it is."""
    body = block.body
    if isinstance(body, TurnBody):
        total = f" of {turns}" if turns else ""
        yield f"--- turn {body.number}{total}{_when(block)} ---"
    elif isinstance(body, UserBody):
        yield f"user:{_labelled(body.label)}"
        yield from content_lines(body.content)
    elif isinstance(body, TextBody):
        yield f"assistant:{_labelled(body.label)}"
        yield from _lines(body.text, body.cut)
    elif isinstance(body, ThinkingBody):
        yield "thinking:"
        yield from _lines(body.text, body.cut)
    elif isinstance(body, ToolBody):
        yield from _tool(body)
    elif isinstance(body, CompactionBody):
        yield from _compaction(body)
    else:
        yield from _other(block)


def _other(block: Block) -> Iterator[str]:
    body = block.body
    place = f" (line {block.span.line:,}, byte {block.span.offset:,})" if block.span else ""
    if isinstance(body, SummaryBody):
        yield "summary of a branch that was left:"
        yield from _lines(body.text, body.cut)
    elif isinstance(body, NoteBody):
        yield f"{body.kind}: {one_line(body.text)}"
    elif isinstance(body, UnknownBody):
        kind = one_line(body.type_name) or "without a type"
        yield f"readable but damaged: unknown {body.what}, {kind}{place}"
        yield from _lines(body.preview)
    elif isinstance(body, UnreadableBody):
        what = "readable but damaged: line cannot be read"
        if body.tail:
            what = "needs a decision: the last record is not complete"
        yield f"{what}{place}: {one_line(body.detail)}"
    elif isinstance(body, OrphanBody):
        yield f"readable but damaged: result without a call: {one_line(body.result.tool)}{place}"
        yield from content_lines(body.result.content)


def _tool(body: ToolBody) -> Iterator[str]:
    facts = tool_facts(body.call)
    yield f"call: {called(body)}{call_state(body)}"
    if body.call.brief is not None:
        yield f"  {arguments_note(body.call)}"
    for number, changes in enumerate(facts.changes, 1):
        yield f"  change {number}:"
        for line in changes:
            yield f"  {line.sign} {clean(line.text)}"
    if body.result is not None:
        yield "result:"
        yield from content_lines(body.result.content)


def called(body: ToolBody) -> str:
    """Return in one line what was called: the tool, and its command, file or the like."""
    return f"{one_line(body.call.tool) or '(no name)'} {tool_facts(body.call).what}"


def call_state(body: ToolBody) -> str:
    """Return what is known of a call, to stand behind it; empty for one that went well."""
    code = exit_code(body.result) if body.result is not None else None
    state = f"exit {code}" if code else TOOL_STATE_WORDS[body.state]
    return f" [{state}]" if state else ""


def _compaction(body: CompactionBody) -> Iterator[str]:
    before = f"{body.tokens_before:,}" if body.tokens_before is not None else "unknown"
    kept = "kept messages unknown" if body.kept is None else counted(body.kept, "message") + " kept"
    after = "an unknown number of" if body.tokens_after is None else f"about {body.tokens_after:,}"
    yield f"--- compacted: {before} to {after} tokens, {kept} ---"
    if body.latest:
        yield "(everything above is no longer in the context)"
    yield from _lines(body.summary, body.cut)


def content_lines(content: tuple[ContentBlock, ...]) -> Iterator[str]:
    """Yield the lines of what a message or a result holds, each two blanks in."""
    for block in content:
        if isinstance(block, TextBlock):
            yield from _lines(block.text, block.cut)
        elif isinstance(block, ImageBlock):
            yield f"  [{one_line(block.mime_type)}, {block.size:,} characters]"
        else:
            yield f"  [unknown block: {one_line(block.type_name)}]"
            yield from _lines(block.preview)


def _lines(text: str, cut: Cut | None = None) -> Iterator[str]:
    for line in clean(text).split("\n"):
        yield f"  {line}" if line else ""
    if cut is not None:
        yield f"  {start_note(cut)}"


def _labelled(label: str) -> str:
    return f" #{one_line(label)}" if label else ""


def _when(block: Block) -> str:
    """Return the time of a block; one that no calendar holds is left out."""
    if block.time_ms is None:
        return ""
    try:
        moment = _EPOCH + timedelta(milliseconds=block.time_ms)
    except OverflowError:
        return ""
    return f", {moment:%Y-%m-%d %H:%M:%S} UTC"
