"""Entries of one line of the tree to rows: what each record says in one row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from ink_tui.model.context import tokens_after
from ink_tui.model.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    InfoEntry,
    MessageEntry,
    ThinkingLevelEntry,
)
from ink_tui.model.light import START_CHARS, places_in
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
from ink_tui.model.outline_rows import CallLook, OutlineRow, Rail, RowKind, Sizes
from ink_tui.model.text import JS_BLANKS, one_line
from ink_tui.model.tool_calls import CallState, PairedCall
from ink_tui.model.tool_facts import ToolKind, exit_code, tool_facts, tool_kind
from ink_tui.model.words import Mark, StateCode, counted, fault_words, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    from ink_tui.model.entries import EntryId, Node, Span
    from ink_tui.model.messages import ContentBlock, Message, ToolResult
    from ink_tui.model.outline_facts import LineFacts

TEXT_CHARS = START_CHARS
"""Characters of a text that a row holds; wider than any screen."""

_MANY_LINES = 100
"""Output of this many lines and more is counted in the note."""

Answered: TypeAlias = "tuple[PairedCall, MessageEntry | None]"
"""A call, and the entry of its result where there is one."""


class _Of(TypedDict, total=False):
    """What rows of some kinds have beside what all have."""

    bold: bool
    thin: bool
    failed: bool
    look: CallLook
    call: ToolCall
    changes: tuple[int, int] | None
    result: ToolResult
    result_id: EntryId | None
    result_span: Span | None
    duration_ms: int | None
    child_id: str | None
    child_records: int | None
    sizes: Sizes


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


@dataclass(frozen=True, slots=True)
class Hanging:
    """How the rows of a branch hang from their branch point."""

    rail: Rail
    depth: int
    inside: str
    """Key of the stub, the first of them."""


def row_key(node: Node, number: int) -> str:
    """Return the key of a row of an entry, by its number among them (0-based)."""
    return f"{node.span.offset}:{number}"


def compaction_sizes(entry: CompactionEntry) -> Sizes:
    """Return the size before and after a compaction; the one after is an estimate."""
    return Sizes(entry.tokens_before, tokens_after(entry), len(entry.retained_tail or ()))


def oversized_note(span: Span) -> str:
    """Return what is said of a record that is too long for its texts to be kept."""
    return f"oversized: {span.length / 1_000_000:,.0f} MB"


def snippet(text: str) -> str:
    """Return the start of a cleaned text on one line."""
    start = text[: 4 * TEXT_CHARS].strip(JS_BLANKS)[:TEXT_CHARS]
    return one_line(start.rstrip(JS_BLANKS))


def result_notes(call: ToolCall | None, result: ToolResult) -> tuple[tuple[str, ...], bool]:
    """Return the words for a result and whether they tell of a failure; none for plain success."""
    if result.badge is not None:
        return (BADGE_WORDS[result.badge],), result.badge is not Badge.CLOSED_UNKNOWN
    code = exit_code(result)
    if code:
        return (f"exit {code}",), True
    if result.is_error:
        return ("failed",), True
    tool = result.tool or (call.tool if call is not None else "")
    kind, brief = tool_kind(tool), result.brief
    if kind is ToolKind.SEARCH and tool.lower() == "grep":
        hits = brief.places if brief is not None else places_in(result.text)
        return (counted(hits, "hit"),) if hits else (), False
    if kind in (ToolKind.BASH, ToolKind.OTHER):
        lines = brief.lines if brief is not None else result.text.count("\n") + 1
        if lines >= _MANY_LINES:
            return (counted(lines, "line"),), False
    return (), False


class EntryRows:
    """Makes the rows of one entry, each of them once."""

    def __init__(self, node: Node, at: int, facts: LineFacts, hanging: Hanging | None) -> None:
        """Make it, for one use.

        Args:
            node: The entry.
            at: Its place in its line.
            facts: What is known beside the entries of the line.
            hanging: What the rows of a branch share; `None` for other lines.
        """
        self._node, self._at, self._facts = node, at, facts
        gone = facts.trunk and at < facts.last_compaction
        self._kept = gone and node.id in facts.kept
        self._dim = gone and not self._kept
        self._rail = Rail.NONE if not facts.trunk else Rail.GONE if gone else Rail.TRUNK
        self._depth, self._inside = 0, None
        if hanging is not None:
            self._rail, self._depth, self._inside = hanging.rail, hanging.depth, hanging.inside
        span = node.span
        self._note = facts.recovered.get((span.offset, span.length)) if facts.recovered else None
        self._fault = facts.bad.get(span.offset) if self._note is None else None
        self._rows: list[OutlineRow] = []

    def made(self, calls: Sequence[Answered], stray: Sequence[ToolResult]) -> list[OutlineRow]:
        """Return the rows.

        Args:
            calls: The calls of the entry, each with the entry of its result.
            stray: Results of the entry that answer none.
        """
        node, put = self._node, self._put
        if isinstance(node, MessageEntry):
            self._put_message(node, node.message, calls, stray)
        elif isinstance(node, CompactionEntry):
            self._put_compaction(node)
        elif isinstance(node, BranchSummaryEntry):
            put(RowKind.SUMMARY, "summary", snippet(node.summary))
        elif isinstance(node, ThinkingLevelEntry):
            put(RowKind.LEVEL, "level", f"thinking {snippet(node.level)}")
        elif isinstance(node, InfoEntry):
            put(RowKind.NAME, "name", snippet(node.name) or "the name was cleared")
        else:
            text = f"{node.type_name}  {node.preview}" if node.type_name else node.preview
            put(RowKind.UNKNOWN, "unknown", snippet(text), mark=Mark.DAMAGED)
        return self._rows

    def _put(
        self,
        kind: RowKind,
        word: str,
        text: str = "",
        *,
        mark: Mark = Mark.NONE,
        notes: tuple[str, ...] = (),
        dim: bool = False,
        **more: Unpack[_Of],
    ) -> None:
        """Make a row with what all rows of an entry share: time, line, rail, label and damage."""
        node, number = self._node, len(self._rows)
        label = ""
        if number == 0:
            label = self._facts.labels.get(node.id, "") if node.id else ""
            if self._note is not None:
                notes = (self._note, *notes)
            if node.span.oversized:
                notes = (oversized_note(node.span), *notes)
        if self._fault is not None:
            mark, notes = Mark.DAMAGED, (fault_words(self._fault).tree, *notes)
        self._rows.append(
            OutlineRow(
                row_key(node, number),
                kind,
                word,
                text,
                node.id,
                notes=notes,
                time_ms=node.time_ms,
                span=node.span,
                label=label,
                mark=mark,
                rail=self._rail,
                depth=self._depth,
                dim=dim or self._dim,
                kept=self._kept,
                inside=self._inside,
                **more,
            )
        )

    def _put_compaction(self, node: CompactionEntry) -> None:
        thin = not self._facts.trunk or self._at != self._facts.last_compaction
        readable = node.retained_tail is not None
        self._put(
            RowKind.COMPACTION,
            "compacted",
            mark=Mark.NONE if readable else Mark.DAMAGED,
            notes=() if readable else (words("malformed-compaction").list,),
            sizes=compaction_sizes(node),
            thin=thin,
            bold=not thin,
        )

    def _put_message(
        self,
        node: MessageEntry,
        message: Message,
        calls: Sequence[Answered],
        stray: Sequence[ToolResult],
    ) -> None:
        if isinstance(message, UserMessage):
            text = snippet(_content_text(message.content)) or "(no text)"
            self._put(RowKind.USER, "user", text, bold=True)
        elif isinstance(message, AssistantMessage):
            self._put_answer(node, message, calls)
        elif isinstance(message, ToolResultMessage):
            if message.results is None:
                text = "results that cannot be read"
                self._put(RowKind.RESULT, "result", text, mark=Mark.DAMAGED)
            elif not message.results:
                self._put(RowKind.RESULT, "result", "an empty batch of results")
            for result in stray:
                self._put_stray(node, result)
        else:
            note = f"role “{one_line(message.role)[:40]}”" if message.role else "no role"
            text = snippet(message.preview)
            self._put(RowKind.UNKNOWN, "unknown", text, notes=(note,), mark=Mark.DAMAGED)

    def _put_answer(
        self, node: MessageEntry, message: AssistantMessage, calls: Sequence[Answered]
    ) -> None:
        waiting = iter(calls)
        for block in message.blocks:
            if isinstance(block, ThinkingBlock):
                self._put(RowKind.THINKING, "thinking", snippet(block.text))
            elif isinstance(block, TextBlock):
                if block.text.strip(JS_BLANKS):
                    self._put(RowKind.ASSISTANT, "assistant", snippet(block.text))
            elif isinstance(block, ToolCall):
                paired, answer = next(waiting)
                self._put_call(node, paired, answer, alone=len(calls) == 1)
            else:
                text = snippet(f"{block.type_name}  {block.preview}")
                self._put(RowKind.UNKNOWN, "unknown", text, mark=Mark.DAMAGED)
        if not self._rows:
            self._put(RowKind.ASSISTANT, "assistant", "(no text)", dim=True)
        last = self._rows[-1]
        if message.stop_reason == "max_tokens" and last.kind is RowKind.ASSISTANT:
            # Where a line is damaged or was recovered, what is said of that stands first.
            before = last.notes
            self._rows[-1] = replace(last, notes=(*before, "cut off at the token limit"))

    def _put_call(
        self, node: MessageEntry, paired: PairedCall, answer: MessageEntry | None, *, alone: bool
    ) -> None:
        call, result = paired.call, paired.result
        what = tool_facts(call)
        changes = what.counts
        word = one_line(call.tool)[:40].strip() or "call"
        twice = self._facts.twice == (node.id, call.call_id)
        mark = Mark.DAMAGED if twice else Mark.NONE
        notes = (words("duplicate-call-id").list,) if twice else ()
        if result is None:
            look = _look(node, paired, self._at, self._facts)
            look_mark, look_note = _LOOK_WORDS[look]
            self._put(
                RowKind.CALL,
                word,
                what.what[:TEXT_CHARS],
                mark=mark if twice else look_mark,
                notes=(look_note, *notes),
                dim=look_mark is Mark.NONE,
                bold=look_mark is not Mark.NONE,
                look=look,
                call=call,
                changes=changes,
            )
            return
        said, failed = result_notes(call, result)
        took = None
        if alone and answer is not None and answer.time_ms is not None and node.time_ms is not None:
            took = max(0, answer.time_ms - node.time_ms)
        self._put(
            RowKind.CALL,
            word,
            what.what[:TEXT_CHARS],
            mark=mark,
            notes=(*notes, *said),
            call=call,
            changes=changes,
            result=result,
            result_id=answer.id if answer is not None else None,
            result_span=answer.span if answer is not None else None,
            failed=failed,
            duration_ms=took,
            child_id=result.child_id,
            child_records=self._child_records(result),
        )

    def _put_stray(self, node: MessageEntry, result: ToolResult) -> None:
        facts = self._facts
        said, failed = result_notes(None, result)
        # Off the trunk the call may stand before the branch point; then nothing is wrong with it.
        in_context = facts.trunk and self._at > facts.last_compaction
        astray = (node.id, result.call_id) in facts.strays or in_context
        self._put(
            RowKind.RESULT,
            one_line(result.tool)[:40].strip() or "result",
            snippet(_content_text(result.content)) or "(no output)",
            mark=Mark.DAMAGED if astray else Mark.NONE,
            notes=(words("orphan-result").tree, *said) if astray else said or ("result",),
            result=result,
            failed=failed,
            child_id=result.child_id,
            child_records=self._child_records(result),
        )

    def _child_records(self, result: ToolResult) -> int | None:
        return self._facts.child_records.get(result.child_id) if result.child_id else None


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
