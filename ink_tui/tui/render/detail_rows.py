"""The detail under list and tree: what a selected row is, its content, and what is known about it.

A detail has a fixed height. Its head and what is known always fit; the content takes what is left
between them. Nothing here looks at a file: what was seen of one is given.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from ink_tui.model.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    MessageEntry,
    UnknownEntry,
)
from ink_tui.model.faults import Severity
from ink_tui.model.light import has_cut
from ink_tui.model.messages import (
    AssistantMessage,
    Badge,
    TextBlock,
    ThinkingBlock,
    UserMessage,
)
from ink_tui.model.outline_entries import snippet
from ink_tui.model.outline_rows import CallLook, Rail, RowKind
from ink_tui.model.text import one_line
from ink_tui.model.tool_facts import ToolKind, tool_facts
from ink_tui.model.words import Facts, Mark, StateCode, counted, fault_words, words
from ink_tui.tui.render import figures
from ink_tui.tui.render.lines import Line, tabs_out, wrap_pieces
from ink_tui.tui.render.rows import PLAIN_COLUMNS, Cut, Ground, Piece, Role, Row, lay_out
from ink_tui.tui.render.state_pieces import MARK_ROLES, own_words
from ink_tui.tui.render.tree_rows import size_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.entries import Record, Span
    from ink_tui.model.evidence import Evidence
    from ink_tui.model.messages import ToolCall
    from ink_tui.model.outline_rows import OutlineRow
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.tui.render.transcript_look import Look

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NOT_YET = "What a resume sends is known when the whole session has been read."
_TEXT_CHARS = 4_000
"""Characters of a text that a detail looks at; it shows a few rows of them."""

_BADGE_SENTENCES: Mapping[Badge, str] = {
    Badge.FORCE_QUIT: "The agent wrote that the tool had not run; it cannot know. Outcome unknown.",
    Badge.NO_RESPONSE: "The agent gave up waiting; the tool may still have run. Outcome unknown.",
    Badge.CLOSED_UNKNOWN: "A repair wrote this result: it is unknown whether the call ran.",
}


def entry_detail(
    row: OutlineRow,
    diagnosis: Diagnosis,
    look: Look,
    height: int,
    *,
    hint: str = "",
    evidence: Evidence | None = None,
    so_far: bool = False,
    record: Record | None = None,
) -> list[Line]:
    """Return the lines of the detail of a row of the tree, at most `height` of them.

    Args:
        row: The row.
        diagnosis: The session it belongs to.
        look: Width, glyphs and time.
        height: Lines there are.
        hint: What `enter` does, for the right end of the head.
        evidence: What was seen of the file of a call without a saved result.
        so_far: Only the end of the session has been read: nothing is said of the rest.
        record: Its record with all of its texts, where that was read again.
    """
    sentences: list[tuple[Piece, ...]] = [
        (_worded(sentence, look),) for sentence in _known(row, diagnosis, so_far=so_far)
    ]
    if evidence is not None and row.look in (CallLook.OPEN, CallLook.GAP) and evidence.sentence:
        sentences.append(_seen(evidence))
    known = [
        Line(pieces) for sentence in sentences for pieces in wrap_pieces(sentence, look.cells - 2)
    ]
    known = [*_note_lines(row.user_note, look, height // 2), *known][: max(0, height - 1)]
    room = max(0, height - 1 - len(known))
    content = _content(row, diagnosis, look, room, record)
    return [_head(row, look, hint), *content[:room], *known][:height]


def _note_lines(note: str, look: Look, most: int) -> list[Line]:
    """Return what the user wrote about a record, the end cut where it is too long."""
    if not note:
        return []
    lines = wrap_pieces((Piece(f"note: {one_line(note)}"),), look.cells - 2)
    rest = "".join(piece.text for pieces in lines[most - 1 :] for piece in pieces)
    kept = [*lines[: most - 1], (Piece(rest),)] if len(lines) > most else lines
    return [Line(pieces) for pieces in kept]


def _seen(evidence: Evidence) -> tuple[Piece, ...]:
    before, strong, after = evidence.sentence.partition(evidence.sentence_strong)
    return (
        Piece(before, Role.MUTED),
        Piece(strong, bold=True),
        Piece(after, Role.MUTED),
    )


def _worded(piece: Piece, look: Look) -> Piece:
    return Piece(own_words(piece.text, look.glyphs), piece.role)


def _head(row: OutlineRow, look: Look, hint: str) -> Line:
    glyphs = look.glyphs
    facts = [_exact(row.time_ms, look)]
    if row.span is not None:
        facts += [
            row.span.place,
            f"byte {row.span.offset:,}",
            figures.size(row.span.length),
        ]
    word = row.word
    if row.kind is RowKind.FOLD:
        word = f"{row.count:,} rows"
    elif row.kind is RowKind.HIDDEN:
        word = f"{counted(row.count, 'branch', 'branches')} hidden"
    said = f" {glyphs.separator} ".join(fact for fact in facts if fact)
    right: tuple[Piece, ...] = ()
    if row.look is CallLook.RUNNING:
        right = (Piece("running", Role.SUCCESS),)
    elif hint and look.cells >= 60:
        right = (Piece("enter", Role.ACCENT), Piece(f" {hint}", Role.MUTED))
    drawn = Row(
        row.key,
        text=(Piece(word, bold=True, cut=Cut.NEVER), Piece(f"  {said}", Role.MUTED)),
        note=right,
        note_short=right,
    )
    # Laid out without its blank edges, which the pane adds to every line.
    inner = max(1, look.cells - 2)
    columns = PLAIN_COLUMNS
    pieces = lay_out(drawn, inner + 2 * columns.pad, columns, glyphs.ellipsis)[0]
    return Line(pieces[1:-1] if inner > 1 else pieces)


def _exact(time_ms: int | None, look: Look) -> str:
    if time_ms is None:
        return ""
    try:
        moment = _EPOCH + timedelta(milliseconds=time_ms)
        return figures.clock_exact(moment, look.now, look.zone)
    except (OverflowError, ValueError):
        return ""


# Content


def _content(
    row: OutlineRow, diagnosis: Diagnosis, look: Look, room: int, record: Record | None
) -> list[Line]:
    if row.call is not None:
        return _call_lines(row, row.call, look, room)
    if row.result is not None:
        return _text_lines(row.result.text, look, Role.MUTED)
    if row.kind is RowKind.FOLD:
        said = "enter folds them" if row.opened else "enter unfolds them"
        return [Line((Piece(said, Role.MUTED),))]
    if row.kind is RowKind.HIDDEN:
        said = "enter shows them; a branch that is continued is always shown"
        return [Line((Piece(said, Role.MUTED),))]
    if row.kind is RowKind.RESUME:
        return []
    record = record or record_of(row, diagnosis)
    if isinstance(record, CompactionEntry):
        sizes = own_words(size_words(row.sizes), look.glyphs) if row.sizes is not None else ""
        kept = counted(row.sizes.kept if row.sizes is not None else 0, "message")
        head = Line((Piece(f"{sizes}  {kept} kept".strip(), Role.MUTED),))
        return [head, *_text_lines(record.summary, look)]
    if isinstance(record, BranchSummaryEntry):
        return _text_lines(record.summary, look)
    if isinstance(record, UnknownEntry):
        return _text_lines(record.preview, look)
    if isinstance(record, MessageEntry):
        return _text_lines(_message_text(row, record), look)
    return _text_lines(row.text, look)


def light_spans(row: OutlineRow, diagnosis: Diagnosis) -> tuple[Span, ...]:
    """Return the places of the records that a row tells of and that are not kept whole."""
    if row.call is not None or row.result is not None:
        asked = row.span if row.call is not None and row.call.brief is not None else None
        cut = row.result is not None and row.result.brief is not None
        answered = (row.result_span or row.span) if cut else None
        return tuple(span for span in (asked, answered) if span is not None)
    record = record_of(row, diagnosis)
    if isinstance(record, CompactionEntry | BranchSummaryEntry):
        return (record.span,) if record.cut is not None else ()
    cut = isinstance(record, MessageEntry) and has_cut(record.message)
    return (record.span,) if record is not None and cut else ()


def record_of(row: OutlineRow, diagnosis: Diagnosis) -> Record | None:
    """Return the record of a row: by id where the tree has it, else by its place."""
    if row.span is None:
        return None
    session, offset = diagnosis.session, row.span.offset
    node = session.nodes.get(row.entry_id) if row.entry_id is not None else None
    if node is not None and node.span.offset == offset:
        return node
    recovered = (piece.record for piece in session.recovered if piece.record.span == row.span)
    found = next(recovered, None)
    if found is not None:
        return found
    return next((each for each in session.records if each.span.offset == offset), None)


def _message_text(row: OutlineRow, entry: MessageEntry) -> str:
    """Return the whole of the text that a row shows the start of."""
    message = entry.message
    if isinstance(message, AssistantMessage):
        texts = [
            block.text for block in message.blocks if isinstance(block, TextBlock | ThinkingBlock)
        ]
        return next((text for text in texts if snippet(text) == row.text), row.text)
    if isinstance(message, UserMessage):
        return message.text or row.text
    return row.text


def _text_lines(text: str, look: Look, role: Role = Role.TEXT) -> list[Line]:
    shown = tabs_out(text[:_TEXT_CHARS].strip("\n"))
    return [Line(pieces) for pieces in wrap_pieces((Piece(shown, role),), look.cells - 2)]


def _call_lines(row: OutlineRow, call: ToolCall, look: Look, room: int) -> list[Line]:
    facts = tool_facts(call)
    if facts.kind is ToolKind.BASH:
        lines = _text_lines(f"$ {facts.what}", look)[: max(1, room - 2)]
    elif facts.counts is not None:
        lines = _change_lines(row, look, room)
    else:
        lines = _text_lines(facts.what, look)[: max(1, room - 2)]
    if row.result is not None and row.result.brief is None and len(lines) < room:
        text = row.result.text.strip("\n")
        output = text[-_TEXT_CHARS:].split("\n") if text else ["(no output)"]
        left = room - len(lines)
        lines += [Line((Piece(tabs_out(each), Role.MUTED),)) for each in output[-left:]]
    return lines


def _change_lines(row: OutlineRow, look: Look, room: int) -> list[Line]:
    assert row.call is not None
    facts = tool_facts(row.call)
    added, removed = facts.counts or (0, 0)
    if facts.writes:
        said = f"write {counted(added, 'line')}"
    else:
        said = f"replace {counted(removed, 'line')} by {added:,}"
    path = Piece(facts.what, cut=Cut.PATH)
    found = [Line((path, Piece(f"    {said}", Role.MUTED, cut=Cut.NEVER)))]
    changed = [line for lines in facts.changes for line in lines if line.sign != " "]
    fits = max(0, room - 1)
    if len(changed) > fits and facts.content is None:
        # Both sides of a change are seen: what goes, then what comes.
        gone = [line for line in changed if line.sign == "-"]
        come = [line for line in changed if line.sign == "+"]
        half = max(fits - len(come), fits // 2) if gone and come else fits
        changed = gone[:half] + come[: max(0, fits - len(gone[:half]))]
    for line in changed[:fits]:
        plus = line.sign == "+"
        sign = look.glyphs.plus if plus else look.glyphs.minus
        found.append(
            Line(
                (
                    Piece(f"  {sign} ", Role.SUCCESS if plus else Role.ERROR, cut=Cut.NEVER),
                    Piece(tabs_out(line.text)),
                ),
                Ground.ADDED if plus else Ground.REMOVED,
            )
        )
    return found


# What is known


def _known(row: OutlineRow, diagnosis: Diagnosis, *, so_far: bool) -> list[Piece]:
    """Return sentences about a row, each in its colour."""
    found: list[Piece] = []
    if row.starred:
        found.append(Piece("Starred.", Role.MUTED))
    if row.look is not CallLook.NONE:
        found.append(_look_sentence(row.look))
    if row.span is not None and (row.problem or row.mark is Mark.LIVE):
        found += _fault_sentences(row, diagnosis, so_far=so_far)
    badge = row.result.badge if row.result is not None else None
    if badge is not None and badge in _BADGE_SENTENCES:
        found.append(Piece(_BADGE_SENTENCES[badge], Role.WARNING))
    if row.child_id is not None:
        child = f"sub-agent session {one_line(row.child_id)[:8]}"
        if row.child_records is not None:
            child += f", {counted(row.child_records, 'record')}"
        found.append(Piece(child, Role.MUTED))
    if row.kind is RowKind.RESUME:
        found += [Piece(_NOT_YET, Role.MUTED)] if so_far else _resume_sentences(diagnosis)
    if row.kept:
        found.append(Piece("Kept: copied word for word past the compaction.", Role.MUTED))
    elif row.rail is Rail.GONE and row.kind is not RowKind.FOLD and row.look is CallLook.NONE:
        found.append(Piece("Summarised away: no longer in the context.", Role.MUTED))
    return found


def _look_sentence(look: CallLook) -> Piece:
    code = {
        CallLook.OPEN: "open-calls",
        CallLook.GAP: "gap-not-at-tail",
        CallLook.RUNNING: StateCode.LIVE,
        CallLook.BEFORE: StateCode.UNANSWERED_BEFORE,
        CallLook.LEFT: StateCode.UNANSWERED_LEFT,
    }[look]
    said = words(code)
    role = Role.WARNING if look in (CallLook.OPEN, CallLook.GAP) else Role.MUTED
    return Piece(said.longer, role)


def _fault_sentences(row: OutlineRow, diagnosis: Diagnosis, *, so_far: bool) -> list[Piece]:
    """Return what the faults of a row's line say; those of its calls are said already."""
    assert row.span is not None
    found: list[Piece] = []
    others = sum(each.span.offset != row.span.offset for each in diagnosis.session.records)
    for fault in diagnosis.faults:
        if fault.span is None or fault.span.offset != row.span.offset:
            continue
        if fault.code in ("open-calls", "gap-not-at-tail"):
            continue
        said = fault_words(fault, others)
        role = MARK_ROLES[said.mark]
        if fault.code in ("invalid-json", "invalid-record", "unknown-entry-type"):
            found.append(Piece(f"{_sentence(fault.detail or said.tree)}", role))
        elif row.kind not in (RowKind.TAIL, RowKind.BAD_LINE):
            found.append(Piece(_sentence(said.tree), role))
        if said.longer and not (so_far and fault.severity is Severity.DAMAGE):
            found.append(Piece(said.longer, role))
    if row.kind is RowKind.TAIL and row.mark is Mark.LIVE:
        return [Piece(words(StateCode.WRITING, Facts()).longer, Role.MUTED)]
    return found


def _resume_sentences(diagnosis: Diagnosis) -> list[Piece]:
    stale = diagnosis.tree.stale_position
    if stale is not None:
        said = words("stale-position")
        return [Piece(f"{said.tree}.", Role.WARNING), Piece(said.longer, Role.WARNING)]
    context = diagnosis.context
    if context is None or context.error is not None:
        return [Piece("The context of a resume cannot be rebuilt from here.", Role.WARNING)]
    how = "measured" if context.measured else "estimated"
    said_size = f"about {context.tokens:,} tokens, {how}"
    messages = counted(len(context.messages), "message")
    return [Piece(f"A resume from here sends {messages}, {said_size}.", Role.MUTED)]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
