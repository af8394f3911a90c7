"""What a resume would send, as figures, table rows and sentences (`formats/ink.md` section 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.context import (
    CHARS_PER_TOKEN,
    COMPACTION_RESERVE,
    CONTEXT_WINDOW,
    Context,
    ContextMessage,
    Origin,
    message_chars,
    model_in_force,
    thinking_level,
)
from ink_tui.model.entries import BranchSummaryEntry, CompactionEntry, MessageEntry
from ink_tui.model.faults import FaultCode
from ink_tui.model.light import START_CHARS
from ink_tui.model.messages import AssistantMessage, ToolCall, ToolResultMessage, UserMessage
from ink_tui.model.sent import Sent
from ink_tui.model.text import JS_BLANKS, first_line, one_line
from ink_tui.model.tool_calls import CallState, Pairing
from ink_tui.model.tool_facts import tool_facts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ink_tui.model.entries import EntryId
    from ink_tui.model.messages import Message
    from ink_tui.model.session import Session
    from ink_tui.model.tree import Branch
    from ink_tui.model.verdict import Diagnosis

COMPACTS_AT = CONTEXT_WINDOW - COMPACTION_RESERVE
"""Tokens at which Ink compacts by itself."""

_TEXT_CHARS = 2_000
"""How much of a message's start is looked at for its row."""

FOLD_HEAD, FOLD_TAIL = 6, 8
"""Rows that stay when the middle of a long table is folded."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One message of the context, or one call without result in it."""

    key: str
    number: int
    """1-based place in the context."""
    kind: str
    """`summary`, `user`, `assistant`, `result`, `unknown`, or the tool's name of an open call."""
    text: str
    """In one line, cleaned."""
    origin: Origin
    tokens: int
    """Estimated; an open call counts what its name and arguments do."""
    entry_id: EntryId | None
    open_call: bool = False
    """A call without a result; the message that holds it is the row above."""


@dataclass(frozen=True, slots=True)
class FoldedRows:
    """Rows of the table's middle that one row stands for."""

    rows: tuple[TableRow, ...]

    @property
    def tokens(self) -> int:
        """Their tokens together; an open call is part of the message that holds it."""
        return sum(row.tokens for row in self.rows if not row.open_call)


@dataclass(frozen=True, slots=True)
class ContextTable:
    """Everything the context tab says."""

    messages: int
    tokens: int
    measured: bool
    window: int
    compacts_at: int
    parts: tuple[tuple[Origin, int], ...]
    """Estimated tokens by origin, in context order; origins without a message are left out."""
    rows: tuple[TableRow, ...]
    compacted: bool
    problems: tuple[str, ...]
    """Why a provider would refuse it, in sentences."""
    left_out: int
    """Earlier records that the summary stands for."""
    left_out_tokens: int
    """Estimated tokens of what these say, each counted once: copies in a retained tail are not."""
    first_left_out: EntryId | None
    """The first of them; `None` where none are left out."""
    model: str
    """Provider and model that a resume restores; empty when the file names none."""
    thinking: str
    """Thinking level that a resume restores; empty when the file names none."""
    unavailable: str = ""
    """Why there is no context at all, in a sentence."""

    @property
    def share(self) -> int:
        """Per cent of the window, rounded."""
        return round(100 * self.tokens / self.window)


SETUP_NOTE = "The system prompt and the tools come from the agent's present set-up."

_UNAVAILABLE: Mapping[FaultCode | None, str] = {
    FaultCode.MISSING_PARENT: (
        "The chain of records is broken: a parent was never written. "
        "Ink cannot build a context from here."
    ),
    FaultCode.CYCLE: "The chain of records runs in a ring. Ink cannot build a context from here.",
    FaultCode.MALFORMED_COMPACTION: (
        "The last compaction does not hold the messages it kept. Ink fails on it."
    ),
}


def build_table(
    diagnosis: Diagnosis,
    window: int = CONTEXT_WINDOW,
    compacts_at: int = COMPACTS_AT,
    last: tuple[Context | None, ContextTable] | None = None,
    *,
    grown: bool = False,
) -> ContextTable:
    """Return what the context tab says of the resume point; never raises.

    Args:
        diagnosis: The session.
        window: Size of the model's window in tokens.
        compacts_at: Tokens at which the agent compacts by itself.
        last: The context before and what was said of it; rows of messages that it shares with the
            present one are not made again.
        grown: Nothing but messages has been appended since.
    """
    sent = Sent(diagnosis.leaf, diagnosis.branch, diagnosis.context, diagnosis.pairing)
    return table_of(diagnosis.session, sent, window, compacts_at, last, grown=grown)


def table_of(
    session: Session,
    sent: Sent,
    window: int = CONTEXT_WINDOW,
    compacts_at: int = COMPACTS_AT,
    last: tuple[Context | None, ContextTable] | None = None,
    *,
    grown: bool = False,
) -> ContextTable:
    """Return what the context tab says of what a resume from a record would send; never raises.

    Args:
        session: The session.
        sent: What would be sent.
        window: Size of the model's window in tokens.
        compacts_at: Tokens at which the agent compacts by itself.
        last: Another context and what was said of it, of this session.
        grown: Nothing but messages has been appended since.
    """
    before = last[1] if grown and last is not None else None
    if before is not None:
        names, thinking = before.model, before.thinking
    else:
        names = one_line("/".join(name for name in model_in_force(session) if name))
        thinking = one_line(thinking_level(session) or "")
    context = sent.context
    error = sent.branch.error or (context.error if context is not None else None)
    if context is None or error is not None:
        reason = _UNAVAILABLE.get(error, "There is no context.")
        return ContextTable(
            0, 0, False, window, compacts_at, (), (), False, (), 0, 0, None, names, thinking, reason
        )
    if before is not None:
        left_tokens, first_left = before.left_out_tokens, before.first_left_out
    else:
        left_tokens, first_left = _left_out(sent.branch, context)
    return ContextTable(
        messages=len(context.messages),
        tokens=context.tokens,
        measured=context.measured,
        window=window,
        compacts_at=compacts_at,
        parts=_parts(context),
        rows=tuple(_rows(context, sent.pairing, _known_rows(context, last))),
        compacted=context.compacted,
        problems=tuple(_problems(sent.pairing)),
        left_out=context.left_out,
        left_out_tokens=left_tokens,
        first_left_out=first_left,
        model=names,
        thinking=thinking,
    )


def _left_out(branch: Branch, context: Context) -> tuple[int, EntryId | None]:
    """Return the tokens of the records that the last compaction stands for, and the first one."""
    chars, first = 0, None
    if context.compaction is None:
        return 0, None
    for node in branch.entries:
        if node is context.compaction:
            break
        if isinstance(node, MessageEntry):
            chars += message_chars(node.message)
        elif isinstance(node, BranchSummaryEntry | CompactionEntry):
            chars += node.cut.chars if node.cut is not None else len(node.summary)
        else:
            continue
        first = first or node.id
    return -(-chars // CHARS_PER_TOKEN), first


def folded(rows: Sequence[TableRow], room: int) -> tuple[TableRow | FoldedRows, ...]:
    """Return a table with its middle folded; nothing is folded if it fits.

    A fold never hides a call without result: it is shown between two folds.

    Args:
        rows: The whole table.
        room: How many rows fit.
    """
    if len(rows) <= max(room, FOLD_HEAD + FOLD_TAIL):
        return tuple(rows)
    end = len(rows) - FOLD_TAIL
    found: list[TableRow | FoldedRows] = list(rows[:FOLD_HEAD])
    hidden: list[TableRow] = []
    for at in range(FOLD_HEAD, end + 1):
        if at < end and not rows[at].open_call:
            hidden.append(rows[at])
            continue
        if len(hidden) > 1:
            found.append(FoldedRows(tuple(hidden)))
        else:
            found.extend(hidden)
        hidden = []
        if at < end:
            found.append(rows[at])
    return (*found, *rows[end:])


def _parts(context: Context) -> tuple[tuple[Origin, int], ...]:
    """Return the share of each origin; a measured total beyond the estimates counts as `since`."""
    totals = dict.fromkeys(Origin, 0)
    for item in context.messages:
        totals[item.origin] += -(-item.chars // CHARS_PER_TOKEN)
    if context.measured:
        others = totals[Origin.SUMMARY] + totals[Origin.KEPT]
        totals[Origin.SINCE] = max(totals[Origin.SINCE], context.tokens - others)
    return tuple((origin, count) for origin, count in totals.items() if count)


def _known_rows(
    context: Context, last: tuple[Context | None, ContextTable] | None
) -> list[TableRow]:
    """Return the rows of the first messages that are the very same as before."""
    before, table = last if last is not None else (None, None)
    if before is None or table is None:
        return []
    rows = [row for row in table.rows if not row.open_call]
    same = 0
    for row, old, new in zip(rows, before.messages, context.messages, strict=False):
        if old is not new and not _alike(old, new):
            break
        same = row.number
    return rows[:same]


def _alike(old: ContextMessage, new: ContextMessage) -> bool:
    """Whether the row of one message is that of another: equal origins and the same content."""
    if (old.entry_id, old.origin) != (new.entry_id, new.origin):
        return False
    # A framed summary is made anew for each context; its text is the one of its record.
    framed = new.origin is Origin.SUMMARY or isinstance(new.message, UserMessage)
    return old.message is new.message or (framed and old.message == new.message)


def _rows(context: Context, pairing: Pairing | None, known: list[TableRow]) -> list[TableRow]:
    open_calls: dict[int, list[ToolCall]] = {}
    for paired in pairing.dangling if pairing is not None else ():
        open_calls.setdefault(paired.message_index, []).append(paired.call)
    rows: list[TableRow] = []
    for index, item in enumerate(context.messages):
        if index < len(known):
            rows.append(known[index])
        else:
            kind, text = described(item.message)
            key, tokens = f"m{index}", item.tokens
            rows.append(TableRow(key, index + 1, kind, text, item.origin, tokens, item.entry_id))
        for number, call in enumerate(open_calls.get(index, ())):
            tokens = -(-(len(call.tool) + call.size) // CHARS_PER_TOKEN)
            rows.append(
                TableRow(
                    key=f"m{index}c{number}",
                    number=index + 1,
                    kind=one_line(call.tool) or "call",
                    text=call_text(call),
                    origin=item.origin,
                    tokens=tokens,
                    entry_id=item.entry_id,
                    open_call=True,
                )
            )
    return rows


def call_text(call: ToolCall) -> str:
    """Return what a call is about, with the lines it adds and removes."""
    facts = tool_facts(call)
    counts = facts.counts
    return facts.what if counts is None else f"{facts.what}  +{counts[0]} -{counts[1]}"


def described(message: Message) -> tuple[str, str]:
    """Return what a message is in a word, and its first words, cleaned, in one line."""
    if isinstance(message, UserMessage):
        kind = "summary" if message.framed else "user"
        return kind, _start(message.text) or _things(message)
    if isinstance(message, AssistantMessage):
        if text := _start(message.text):
            return "assistant", text
        calls = [f"{one_line(call.tool)} {call_text(call)}" for call in message.calls]
        return "assistant", ", ".join(calls) or "(no text)"
    if isinstance(message, ToolResultMessage):
        results = message.results or ()
        first = results[0] if results else None
        if first is None:
            return "result", "results of a shape that is not known"
        more = f" and {len(results) - 1} more" if len(results) > 1 else ""
        return "result", f"{one_line(first.tool)}: {_start(first.text)}{more}"
    return "unknown", one_line(message.role)


def _things(message: UserMessage) -> str:
    return "an image" if message.content else "(empty)"


def _start(text: str) -> str:
    return one_line(first_line(text[:_TEXT_CHARS])[:START_CHARS].rstrip(JS_BLANKS))


def _problems(pairing: Pairing | None) -> list[str]:
    if pairing is None:
        return []
    found: list[str] = []
    dangling = pairing.dangling
    if dangling:
        which = "1 call has" if len(dangling) == 1 else f"{len(dangling)} calls have"
        found.append(f"A provider will refuse this as it stands: {which} no result.")
        if any(paired.state is CallState.GAP for paired in dangling):
            found.append("The chat went on after it; it can only be forked at an earlier record.")
    name = one_line(pairing.refusal_call or "")
    if pairing.refusal is FaultCode.DUPLICATE_CALL:
        found.append(f"A provider will refuse this: the call id {name} stands twice.")
    elif pairing.refusal is FaultCode.ORPHAN_RESULT:
        found.append(f"A provider will refuse this: a result answers no call ({name}).")
    elif pairing.refusal is FaultCode.DUPLICATE_RESULT:
        found.append(f"A provider will refuse this: the call {name} has two results.")
    return found
