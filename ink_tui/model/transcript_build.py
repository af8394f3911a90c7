"""A diagnosed session to the blocks of a transcript (`ink_tui.model.transcript`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ink_tui.model.context import build_context, tokens_after
from ink_tui.model.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    InfoEntry,
    MessageEntry,
    ModelMarker,
    Node,
    ThinkingLevelEntry,
    UnknownEntry,
)
from ink_tui.model.faults import Fault, FaultCode
from ink_tui.model.light import has_cut
from ink_tui.model.messages import (
    AssistantMessage,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)
from ink_tui.model.recovery import as_read, joined_lines, recovered_notes
from ink_tui.model.text import first_line, one_line
from ink_tui.model.tool_calls import CallState, PairedCall, pair_calls
from ink_tui.model.transcript import (
    Block,
    Body,
    CompactionBody,
    NoteBody,
    OrphanBody,
    SummaryBody,
    TextBody,
    ThinkingBody,
    ToolBody,
    ToolState,
    Transcript,
    TurnBody,
    UnknownBody,
    UnreadableBody,
    UserBody,
    result_state,
)
from ink_tui.model.tree import Branch, branch_to, find_leaf

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ink_tui.model.messages import ToolResult
    from ink_tui.model.session import Session
    from ink_tui.model.verdict import Diagnosis

Item: TypeAlias = "Node | ModelMarker | Fault"

_LINE_FAULTS = frozenset(
    {
        FaultCode.INVALID_JSON,
        FaultCode.INVALID_RECORD,
        FaultCode.UNKNOWN_ENTRY_TYPE,
        FaultCode.TORN_FRAGMENT,
        FaultCode.INVALID_TAIL,
        FaultCode.FOREIGN_TAIL,
    }
)


def build_transcript(diagnosis: Diagnosis, branch: Branch | None = None) -> Transcript:
    """Return the blocks of a branch in reading order; never raises.

    Args:
        diagnosis: The session.
        branch: Another branch than the one a resume continues.
    """
    session, shown, items = reading_order(diagnosis, branch)
    return _Builder(session, shown, items).build()


def reading_order(
    diagnosis: Diagnosis, branch: Branch | None = None
) -> tuple[Session, Branch, list[Item]]:
    """Return the session as it is read, the branch that is read, and its records in order.

    The place of a record among them (1-based) is the step of its blocks.

    Args:
        diagnosis: The session.
        branch: Another branch than the one a resume continues.
    """
    diagnosis = as_read(diagnosis)
    shown = _read_branch(diagnosis) if branch is None else branch
    return diagnosis.session, shown, _in_reading_order(diagnosis.session, shown.entries)


@dataclass(frozen=True, slots=True)
class Before:
    """What of a branch stands before the records that are turned to blocks."""

    steps: int = 0
    turns: int = 0


def blocks_after(
    session: Session, entries: tuple[Node, ...], items: list[Item], before: Before
) -> Transcript:
    """Return the blocks of the end of a branch; `steps` and `turns` count the whole branch.

    Args:
        session: The session.
        entries: The end of the branch, behind its last compaction; no result in it may answer a
            call before it, and no call before it may be open.
        items: The same with what stands between them in the file.
        before: What stands before it.
    """
    return _Builder(session, Branch(entries, None), items, before).build()


def turn_duration(start: int | None, end: int | None) -> int | None:
    """Return how long a turn took in milliseconds; `None` where that cannot be told.

    Args:
        start: Time of the user's message, in milliseconds since 1970.
        end: Time of the turn's last message.
    """
    duration = end - start if start and end is not None else 0
    return duration if duration > 0 else None


def _read_branch(diagnosis: Diagnosis) -> Branch:
    """Return the branch that is read: what was recovered after the resume point belongs to it."""
    shown, recovered = diagnosis.branch, diagnosis.session.recovered
    leaf = find_leaf(diagnosis.session)[0] if recovered else diagnosis.leaf
    if leaf == diagnosis.leaf:
        return shown
    longer = branch_to(diagnosis.session, leaf)
    reached = diagnosis.leaf is None or any(node.id == diagnosis.leaf for node in longer.entries)
    return longer if reached and longer.error is None else shown


def _in_reading_order(session: Session, branch: Sequence[Node]) -> list[Item]:
    """Return the branch with the lines of no branch put in at their place in the file."""
    notes = recovered_notes(session)
    shown_at = joined_lines(session) | {
        record.span.offset
        for record in session.records
        if (record.span.offset, record.span.length) not in notes
    }
    aside: list[Item] = [
        record
        for record in session.records
        if isinstance(record, ModelMarker)
        or (
            isinstance(record, UnknownEntry)
            and (record.id is None or session.nodes.get(record.id) is not record)
        )
    ]
    aside.extend(
        fault
        for fault in session.faults
        if fault.code in _LINE_FAULTS
        and fault.span is not None
        and fault.span.offset not in shown_at
    )
    return in_file_order(branch, aside)


def in_file_order(branch: Sequence[Node], aside: list[Item]) -> list[Item]:
    """Return a branch with what belongs to no branch put in at its place in the file.

    Args:
        branch: Entries in reading order.
        aside: What is to be put in, in any order.
    """
    items: list[Item] = []
    waiting = iter(sorted(aside, key=_offset))
    first = next(waiting, None)
    for node in branch:
        while first is not None and _offset(first) <= node.span.offset:
            items.append(first)
            first = next(waiting, None)
        items.append(node)
    while first is not None:
        items.append(first)
        first = next(waiting, None)
    return items


def _offset(item: Item) -> int:
    return item.span.offset if item.span is not None else 0


NOTHING_BEFORE = Before()


class _Builder:
    """Walks the records of a branch once; made for one walk."""

    def __init__(
        self, session: Session, branch: Branch, items: list[Item], before: Before = NOTHING_BEFORE
    ) -> None:
        self._session = session
        self._recovered = recovered_notes(session)
        self._items = items
        entries = branch.entries
        self._compaction = next(
            (node.id for node in reversed(entries) if isinstance(node, CompactionEntry)), None
        )
        self._spoken = [node for node in entries if isinstance(node, MessageEntry)]
        self._step_of = {
            item.id: step
            for step, item in enumerate(items, before.steps + 1)
            if not isinstance(item, ModelMarker | Fault) and item.id is not None
        }
        pairing = pair_calls([node.message for node in self._spoken])
        self._calls: dict[int, list[PairedCall]] = {}
        for paired in pairing.calls:
            self._calls.setdefault(paired.message_index, []).append(paired)
        self._orphans: dict[int, list[ToolResult]] = {}
        for index, result in pairing.orphans:
            self._orphans.setdefault(index, []).append(result)
        self._dangling = _dangling(branch)
        self._turn_ends = self._ends_of_turns()
        self._before = before
        self._blocks: list[Block] = []
        self._dim = self._compaction is not None
        self._turn = before.turns
        self._index = -1

    def build(self) -> Transcript:
        before = self._before.steps
        for step, item in enumerate(self._items, before + 1):
            if isinstance(item, CompactionEntry) and item.id == self._compaction:
                self._dim = False
            for key, body in self._bodies(item):
                time_ms = None if isinstance(item, ModelMarker | Fault) else item.time_ms
                entry_id = None if isinstance(item, ModelMarker | Fault) else item.id
                self._blocks.append(Block(key, entry_id, item.span, time_ms, step, self._dim, body))
        return Transcript(tuple(self._blocks), before + len(self._items), self._turn)

    def _bodies(self, item: Item) -> Iterator[tuple[str, Body]]:
        """Yield the blocks of one record with their keys."""
        at = f"@{_offset(item)}"
        if item.span is not None and not isinstance(item, Fault):
            note = self._recovered.get((item.span.offset, item.span.length))
            if note is not None:
                yield f"{at}:recovered", NoteBody("record", note)
        if isinstance(item, Fault):
            tail = item.span is not None and item.span == self._session.tail.span
            yield at, UnreadableBody(item.detail, tail)
        elif isinstance(item, ModelMarker):
            yield at, NoteBody("model", one_line(f"{item.provider}/{item.model_id}"))
        elif isinstance(item, UnknownEntry):
            yield at, UnknownBody("record", item.type_name, item.preview)
        elif isinstance(item, MessageEntry):
            self._index += 1
            yield from self._message(item)
        elif isinstance(item, CompactionEntry):
            yield f"{item.id}:compaction", self._compacted(item)
        elif isinstance(item, BranchSummaryEntry):
            yield f"{item.id}:summary", SummaryBody(item.summary, item.cut)
        elif isinstance(item, ThinkingLevelEntry):
            yield f"{item.id}:note", NoteBody("thinking", one_line(item.level))
        elif isinstance(item, InfoEntry):
            yield f"{item.id}:note", NoteBody("name", one_line(item.name))

    def _message(self, entry: MessageEntry) -> Iterator[tuple[str, Body]]:
        message = entry.message
        if isinstance(message, UserMessage):
            yield f"{entry.id}:turn", self._head(entry, message)
            label = self._session.labels.get(entry.id, "")
            yield f"{entry.id}:user", UserBody(message.content, label)
        elif isinstance(message, AssistantMessage):
            yield from self._answer(entry, message)
        elif isinstance(message, ToolResultMessage):
            if message.results is None:
                yield f"{entry.id}:results", UnknownBody("results", "toolResult", "")
            for number, result in enumerate(self._orphans.get(self._index, ())):
                yield f"{entry.id}:orphan{number}", OrphanBody(result)
        else:
            yield f"{entry.id}:message", UnknownBody("message", message.role, message.preview)

    def _head(self, entry: MessageEntry, message: UserMessage) -> TurnBody:
        self._turn += 1
        end = self._turn_ends[self._turn - self._before.turns - 1]
        title = one_line(first_line(message.text))
        duration = turn_duration(entry.time_ms, end)
        return TurnBody(self._turn, title, duration, has_cut(message))

    def _answer(self, entry: MessageEntry, message: AssistantMessage) -> Iterator[tuple[str, Body]]:
        calls = iter(self._calls.get(self._index, ()))
        label = self._session.labels.get(entry.id, "")
        for number, block in enumerate(message.blocks):
            key = f"{entry.id}:{number}"
            if isinstance(block, TextBlock):
                if block.text.strip():
                    yield key, TextBody(block.text, label, block.cut)
                    label = ""
            elif isinstance(block, ThinkingBlock):
                if block.text.strip():
                    yield key, ThinkingBody(block.text, block.cut)
            elif isinstance(block, ToolCall):
                yield key, self._tool(entry, next(calls))
            else:
                yield key, UnknownBody("block", block.type_name, block.preview)
        if not message.blocks:
            yield f"{entry.id}:empty", NoteBody("empty", "the answer holds nothing")
        if message.stop_reason == "max_tokens":
            yield f"{entry.id}:stop", NoteBody("stopped", "the answer reached the token limit")

    def _tool(self, entry: MessageEntry, paired: PairedCall) -> ToolBody:
        if paired.result is None or paired.result_index is None:
            return ToolBody(paired.call, None, self._open_state(paired), None, None)
        answer = self._spoken[paired.result_index]
        duration = None
        if answer.time_ms is not None and entry.time_ms is not None:
            duration = max(0, answer.time_ms - entry.time_ms)
        state = result_state(paired.result)
        step = self._step_of.get(answer.id)
        return ToolBody(paired.call, paired.result, state, duration, step, answer.id, answer.span)

    def _open_state(self, paired: PairedCall) -> ToolState:
        """A call of the context is open or in a gap; a compaction makes any other harmless."""
        state = self._dangling.get(paired.call.call_id)
        if state is None and self._dim:
            return ToolState.BEFORE_COMPACTION
        return ToolState.OPEN if (state or paired.state) is CallState.OPEN else ToolState.GAP

    def _compacted(self, entry: CompactionEntry) -> CompactionBody:
        kept = entry.retained_tail
        return CompactionBody(
            entry.summary,
            entry.tokens_before,
            tokens_after(entry),
            None if kept is None else len(kept),
            entry.id == self._compaction,
            entry.cut,
        )

    def _ends_of_turns(self) -> list[int | None]:
        """Return the time of the last message of each turn."""
        ends: list[int | None] = []
        for node in self._spoken:
            if isinstance(node.message, UserMessage):
                ends.append(node.time_ms)
            elif ends and node.time_ms is not None:
                ends[-1] = node.time_ms
        return ends


def _dangling(branch: Branch) -> dict[str, CallState]:
    """Return the state of the context's calls without result, by call id."""
    if branch.error is not None:
        return {}
    context = build_context(branch.entries)
    pairing = pair_calls([item.message for item in context.messages])
    return {paired.call.call_id: paired.state for paired in pairing.dangling}
