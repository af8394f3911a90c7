"""Entries of one line of the tree to rows: what each record says in one row."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.model.context import tokens_after
from ink_tui.model.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    InfoEntry,
    MessageEntry,
    ThinkingLevelEntry,
)
from ink_tui.model.messages import (
    AssistantMessage,
    Badge,
    ImageBlock,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)
from ink_tui.model.outline_facts import LineFacts, id_of
from ink_tui.model.outline_rows import CallLook, OutlineRow, Rail, RowKind, Sizes
from ink_tui.model.text import JS_BLANKS, one_line
from ink_tui.model.tool_calls import CallState, PairedCall, pair_calls
from ink_tui.model.tool_facts import ToolKind, exit_code, tool_facts, tool_kind
from ink_tui.model.words import Mark, StateCode, counted, fault_words, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ink_tui.model.entries import Node
    from ink_tui.model.messages import ContentBlock, Message, ToolResult

TEXT_CHARS = 400
"""Characters of a text that a row holds; wider than any screen."""

_MANY_LINES = 100
"""Output of this many lines and more is counted in the note."""

BADGE_WORDS: Mapping[Badge, str] = {
    Badge.FORCE_QUIT: "outcome unknown",
    Badge.INTERRUPTED: "interrupted",
    Badge.MAX_TURNS: "not run: turn limit",
    Badge.NO_RESPONSE: "no response, outcome unknown",
    Badge.BLOCKED: "blocked",
    Badge.CLOSED_UNKNOWN: "closed: unknown whether it ran",
}
"""What a result says that the agent itself invented (`formats/ink.md` 4.5)."""

_LOOK_WORDS: Mapping[CallLook, tuple[Mark, str]] = {
    CallLook.OPEN: (Mark.DECIDE, words("open-calls").tree),
    CallLook.GAP: (Mark.DECIDE, words("gap-not-at-tail").tree),
    CallLook.RUNNING: (Mark.LIVE, words(StateCode.LIVE).tree),
    CallLook.BEFORE: (Mark.NONE, words(StateCode.UNANSWERED_BEFORE).tree),
    CallLook.LEFT: (Mark.NONE, words(StateCode.UNANSWERED_LEFT).tree),
}


def line_rows(nodes: Sequence[Node], facts: LineFacts) -> list[list[OutlineRow]]:
    """Return the rows of each entry of a line, in order; merged results give no rows.

    Args:
        nodes: The entries of the line in reading order.
        facts: What is known beside them.
    """
    placed = [
        (at, node, node.message) for at, node in enumerate(nodes) if isinstance(node, MessageEntry)
    ]
    pairing = pair_calls([message for _, _, message in placed])
    calls: dict[int, list[tuple[PairedCall, MessageEntry | None]]] = {}
    stray: dict[int, list[ToolResult]] = {}
    for paired in pairing.calls:
        answer = placed[paired.result_index][1] if paired.result_index is not None else None
        if answer is not None and (answer.id, paired.call.call_id) in facts.strays:
            assert paired.result is not None
            assert paired.result_index is not None
            stray.setdefault(placed[paired.result_index][0], []).append(paired.result)
            paired, answer = replace(paired, result=None, state=CallState.GAP), None
        calls.setdefault(placed[paired.message_index][0], []).append((paired, answer))
    for index, result in pairing.orphans:
        stray.setdefault(placed[index][0], []).append(result)
    rows = [
        _finish(_node_rows(node, at, calls.get(at, []), stray.get(at, []), facts), node, at, facts)
        for at, node in enumerate(nodes)
    ]
    _hand_on_labels(nodes, rows, facts)
    return rows


def compaction_sizes(entry: CompactionEntry) -> Sizes:
    """Return the size before and after a compaction; the one after is an estimate."""
    return Sizes(entry.tokens_before, tokens_after(entry), len(entry.retained_tail or ()))


def snippet(text: str) -> str:
    """Return the start of a cleaned text on one line."""
    return one_line(text[: 4 * TEXT_CHARS].strip(JS_BLANKS)[:TEXT_CHARS])


def result_notes(call: ToolCall | None, result: ToolResult) -> tuple[tuple[str, ...], bool]:
    """Return the words for a result and whether they tell of a failure; none for plain success."""
    if result.badge is not None:
        return (BADGE_WORDS[result.badge],), result.badge is not Badge.CLOSED_UNKNOWN
    code = exit_code(result)
    if code:
        return (f"exit {code}",), True
    if result.is_error:
        return ("failed",), True
    tool = call.tool if call is not None else result.tool
    kind = tool_kind(tool)
    if kind is ToolKind.SEARCH and tool.lower() == "grep":
        hits = sum(1 for line in result.text.split("\n") if line.count(":") > 1)
        return (counted(hits, "hit"),) if hits else (), False
    if kind in (ToolKind.BASH, ToolKind.OTHER):
        lines = result.text.count("\n") + 1
        if lines >= _MANY_LINES:
            return (counted(lines, "line"),), False
    return (), False


def _finish(rows: list[OutlineRow], node: Node, at: int, facts: LineFacts) -> list[OutlineRow]:
    """Put in what all rows of an entry share: time, line, rail, label and damage."""
    gone = facts.trunk and at < facts.last_compaction
    kept = gone and node.id in facts.kept
    rail = Rail.NONE if not facts.trunk else Rail.GONE if gone else Rail.TRUNK
    note = facts.recovered.get((node.span.offset, node.span.length))
    fault = facts.bad.get(node.span.offset) if note is None else None
    found: list[OutlineRow] = []
    for number, row in enumerate(rows):
        row = replace(
            row,
            key=f"{node.span.offset}:{number}",
            entry_id=node.id,
            time_ms=node.time_ms,
            span=node.span,
            rail=rail,
            dim=row.dim or (gone and not kept),
            kept=kept,
            label=facts.labels.get(node.id, "") if node.id and number == 0 else "",
        )
        if note is not None and number == 0:
            row = replace(row, notes=(note, *row.notes))
        if fault is not None:
            row = replace(row, mark=Mark.DAMAGED, notes=(fault_words(fault).tree, *row.notes))
        found.append(row)
    return found


def _hand_on_labels(nodes: Sequence[Node], rows: list[list[OutlineRow]], facts: LineFacts) -> None:
    """Show the label of a merged result with the call that it answers."""
    if not facts.labels:
        return
    homeless = {
        id_of(node): facts.labels[id_of(node)]
        for node, own in zip(nodes, rows, strict=True)
        if not own and node.id in facts.labels
    }
    if not homeless:
        return
    for own in rows:
        for number, row in enumerate(own):
            label = homeless.pop(row.result_id, "") if row.result_id is not None else ""
            if label:
                joined = f"{row.label}, {label}" if row.label else label
                own[number] = replace(row, label=joined)


def _row(kind: RowKind, word: str, text: str = "") -> OutlineRow:
    return OutlineRow("", kind, word, text)


def _node_rows(
    node: Node,
    at: int,
    calls: list[tuple[PairedCall, MessageEntry | None]],
    stray: list[ToolResult],
    facts: LineFacts,
) -> list[OutlineRow]:
    if isinstance(node, MessageEntry):
        return _message_rows(node, at, calls, stray, facts)
    if isinstance(node, CompactionEntry):
        sizes = compaction_sizes(node)
        thin = not facts.trunk or at != facts.last_compaction
        row = replace(_row(RowKind.COMPACTION, "compacted"), sizes=sizes, thin=thin, bold=not thin)
        if node.retained_tail is None:
            row = replace(row, mark=Mark.DAMAGED, notes=(words("malformed-compaction").list,))
        return [row]
    if isinstance(node, BranchSummaryEntry):
        return [_row(RowKind.SUMMARY, "summary", snippet(node.summary))]
    if isinstance(node, ThinkingLevelEntry):
        return [_row(RowKind.LEVEL, "level", f"thinking {snippet(node.level)}")]
    if isinstance(node, InfoEntry):
        return [_row(RowKind.NAME, "name", snippet(node.name) or "the name was cleared")]
    text = f"{node.type_name}  {node.preview}" if node.type_name else node.preview
    return [replace(_row(RowKind.UNKNOWN, "unknown", snippet(text)), mark=Mark.DAMAGED)]


def _message_rows(
    node: MessageEntry,
    at: int,
    calls: list[tuple[PairedCall, MessageEntry | None]],
    stray: list[ToolResult],
    facts: LineFacts,
) -> list[OutlineRow]:
    message: Message = node.message
    if isinstance(message, UserMessage):
        text = snippet(_content_text(message.content)) or "(no text)"
        return [replace(_row(RowKind.USER, "user", text), bold=True)]
    if isinstance(message, AssistantMessage):
        return _assistant_rows(node, message, at, calls, facts)
    if isinstance(message, ToolResultMessage):
        if message.results is None:
            text = "results that cannot be read"
            return [replace(_row(RowKind.RESULT, "result", text), mark=Mark.DAMAGED)]
        if not message.results:
            return [_row(RowKind.RESULT, "result", "an empty batch of results")]
        return [_stray_row(node, result, at, facts) for result in stray]
    text = snippet(message.preview)
    note = f"role “{one_line(message.role)[:40]}”" if message.role else "no role"
    return [replace(_row(RowKind.UNKNOWN, "unknown", text), notes=(note,), mark=Mark.DAMAGED)]


def _assistant_rows(
    node: MessageEntry,
    message: AssistantMessage,
    at: int,
    calls: list[tuple[PairedCall, MessageEntry | None]],
    facts: LineFacts,
) -> list[OutlineRow]:
    rows: list[OutlineRow] = []
    waiting = iter(calls)
    for block in message.blocks:
        if isinstance(block, ThinkingBlock):
            rows.append(_row(RowKind.THINKING, "thinking", snippet(block.text)))
        elif isinstance(block, TextBlock):
            if block.text.strip(JS_BLANKS):
                rows.append(_row(RowKind.ASSISTANT, "assistant", snippet(block.text)))
        elif isinstance(block, ToolCall):
            paired, answer = next(waiting)
            rows.append(_call_row(node, paired, answer, at, len(calls) == 1, facts))
        else:
            text = snippet(f"{block.type_name}  {block.preview}")
            rows.append(replace(_row(RowKind.UNKNOWN, "unknown", text), mark=Mark.DAMAGED))
    if not rows:
        rows.append(replace(_row(RowKind.ASSISTANT, "assistant", "(no text)"), dim=True))
    if message.stop_reason == "max_tokens" and rows[-1].kind is RowKind.ASSISTANT:
        rows[-1] = replace(rows[-1], notes=("cut off at the token limit",))
    return rows


def _call_row(
    node: MessageEntry,
    paired: PairedCall,
    answer: MessageEntry | None,
    at: int,
    alone: bool,
    facts: LineFacts,
) -> OutlineRow:
    call, result = paired.call, paired.result
    what = tool_facts(call)
    row = replace(
        _row(RowKind.CALL, one_line(call.tool)[:40].strip() or "call", what.what[:TEXT_CHARS]),
        call=call,
        changes=what.counts if what.edits or what.content is not None else None,
    )
    if facts.twice == (node.id, call.call_id):
        row = replace(row, mark=Mark.DAMAGED, notes=(words("duplicate-call-id").list,))
    if result is None:
        return without_result(row, _look(node, paired, at, facts))
    notes, failed = result_notes(call, result)
    took = None
    if alone and answer is not None and answer.time_ms is not None and node.time_ms is not None:
        took = max(0, answer.time_ms - node.time_ms)
    return replace(
        row,
        result=result,
        result_id=answer.id if answer is not None else None,
        result_span=answer.span if answer is not None else None,
        notes=(*row.notes, *notes),
        failed=failed,
        duration_ms=took,
        child_id=result.child_id,
        child_records=facts.child_records.get(result.child_id) if result.child_id else None,
    )


def without_result(row: OutlineRow, look: CallLook) -> OutlineRow:
    """Return a call's row as it looks without a result."""
    mark, note = _LOOK_WORDS[look]
    loud = mark is not Mark.NONE
    return replace(
        row,
        look=look,
        mark=mark if row.mark is Mark.NONE else row.mark,
        notes=(note, *row.notes),
        bold=loud,
        dim=row.dim or not loud,
    )


def _look(node: MessageEntry, paired: PairedCall, at: int, facts: LineFacts) -> CallLook:
    if not facts.trunk:
        return CallLook.LEFT
    state: CallState | None
    if at < facts.last_compaction:
        state = facts.kept_open.get(paired.call.call_id) if node.id in facts.kept else None
    else:
        state = facts.open_states.get((node.id, paired.call.call_id), paired.state)
    if state is None:
        return CallLook.BEFORE
    if state is CallState.OPEN:
        return CallLook.RUNNING if facts.running else CallLook.OPEN
    return CallLook.GAP


def _stray_row(node: MessageEntry, result: ToolResult, at: int, facts: LineFacts) -> OutlineRow:
    notes, failed = result_notes(None, result)
    # Off the trunk the call may stand before the branch point; then nothing is wrong with it.
    in_context = facts.trunk and at > facts.last_compaction
    astray = (node.id, result.call_id) in facts.strays or in_context
    word = one_line(result.tool)[:40].strip() or "result"
    row = replace(
        _row(RowKind.RESULT, word, snippet(_content_text(result.content)) or "(no output)"),
        result=result,
        notes=notes or ("result",),
        failed=failed,
        child_id=result.child_id,
        child_records=facts.child_records.get(result.child_id) if result.child_id else None,
    )
    if astray:
        row = replace(row, mark=Mark.DAMAGED, notes=(words("orphan-result").tree, *notes))
    return row


def _content_text(content: tuple[ContentBlock, ...]) -> str:
    parts: list[str] = []
    for block in content:
        if isinstance(block, TextBlock):
            parts.append(block.text)
        elif isinstance(block, ImageBlock):
            parts.append(f"[image {block.mime_type}]")
        else:
            parts.append(f"[{block.type_name or 'unknown block'}] {block.preview}")
    return "\n".join(parts)
