"""Where a session can be forked, and what a fork copies (`design.md` section 6).

At a user message everything before it is copied and its text becomes the new prompt; at any other
entry everything through it, with the results of its calls. Calls that stay open are closed in the
copy. A path that cannot be continued ends at its last entry that can. Lines that cannot be read,
or are of a kind that is not known, are never copied.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.context import build_context
from ink_tui.model.entries import EntryId, MessageEntry, UnknownEntry
from ink_tui.model.faults import FaultCode
from ink_tui.model.fork_scan import PathState, path_states
from ink_tui.model.light import has_cut
from ink_tui.model.messages import ToolResultMessage, UserMessage
from ink_tui.model.tool_calls import pair_calls
from ink_tui.model.tree import branch_to

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ink_tui.model.entries import LabelEntry, Node
    from ink_tui.model.messages import Message, ToolCall
    from ink_tui.model.verdict import Diagnosis

NOTHING_PRECEDES = "nothing-precedes"
NOTHING_TO_COPY = "nothing-to-copy"
NO_SUCH_ENTRY = "no-such-entry"


class ForkHow(StrEnum):
    """Where a copy ends, seen from the entry that was chosen."""

    BEFORE = "before"
    """Everything before a user message; its text goes into the new prompt."""
    THROUGH = "through"
    """Everything through the entry, with the results of its calls."""


@dataclass(frozen=True, slots=True)
class ForkPoint:
    """One entry at which a fork is offered."""

    entry_id: EntryId
    how: ForkHow
    end: EntryId
    """The last entry that is copied."""
    records: int
    """How many entries are copied, the header and labels not counted."""
    closes: bool
    """Whether open calls are closed in the copy."""
    moved: bool
    """The copy ends earlier than asked for, because the rest cannot be continued."""


@dataclass(frozen=True, slots=True)
class ForkPlan:
    """What goes into a copy, or why there cannot be one."""

    entry_id: EntryId | None
    """The entry that was asked for; `None` when the file has none."""
    how: ForkHow
    entries: tuple[Node, ...]
    """Entries that are copied, in path order; empty when refused."""
    labels: tuple[LabelEntry, ...]
    """Labels on them, in file order."""
    closing: tuple[ToolCall, ...]
    """Open calls that the copy closes with an error result of unknown outcome."""
    prompt: str
    """Text of the user message that was chosen, cleaned; empty otherwise."""
    moved: bool
    sentence: str
    """What is copied, which entry was taken when it had to be another one, or why nothing is."""
    refusal: str | None
    """Short stable word; `None` when the copy can be made."""

    @property
    def allowed(self) -> bool:
        """Whether the copy can be made."""
        return self.refusal is None

    @property
    def end(self) -> EntryId | None:
        """The last entry that is copied."""
        return self.entries[-1].id if self.entries else None


def fork_points(diagnosis: Diagnosis) -> tuple[ForkPoint, ...]:
    """Return the entries at which a fork is offered, in file order."""
    if _file_refusal(diagnosis) is not None:
        return ()
    states = path_states(diagnosis.session, diagnosis.tree)
    trunk = frozenset(node.id for node in diagnosis.branch.entries if node.id is not None)
    points: list[ForkPoint] = []
    for entry_id, node in diagnosis.session.nodes.items():
        if isinstance(node, UnknownEntry):
            continue
        how, base = _base(node)
        found = _end(diagnosis, states, trunk, base) if base is not None else None
        if found is not None:
            end, moved = found
            state = states[end]
            points.append(ForkPoint(entry_id, how, end, state.depth, state.open, moved))
    return tuple(points)


def fork_plan_at(diagnosis: Diagnosis, entry_id: EntryId) -> ForkPlan:
    """Return what a fork at an entry copies, or why it cannot be made."""
    refused = _file_refusal(diagnosis)
    if refused is not None:
        return _refused(entry_id, *refused)
    node = diagnosis.session.nodes.get(entry_id)
    if node is None:
        return _refused(entry_id, NO_SUCH_ENTRY, "This record is not in the session any more.")
    how, base = _base(node)
    if base is None:
        return _refused(
            entry_id,
            NOTHING_PRECEDES,
            "Nothing precedes this message, so there is nothing to fork.",
        )
    return _plan(diagnosis, entry_id, how, base)


def fork_plan(diagnosis: Diagnosis) -> ForkPlan:
    """Return what a fork of the whole session copies.

    Through the resume point; where its path cannot be walked to a start, through the newest record
    before the break that can be continued.
    """
    leaf = diagnosis.leaf
    refused = _file_refusal(diagnosis)
    if refused is not None:
        return _refused(leaf, *refused)
    if leaf is not None and diagnosis.branch.error is None:
        return _plan(diagnosis, leaf, ForkHow.THROUGH, leaf)
    states = path_states(diagnosis.session, diagnosis.tree)
    at = diagnosis.branch.at
    fallback: EntryId | None = None
    for entry_id in diagnosis.session.nodes:
        if entry_id == at and fallback is not None:
            break
        if entry_id in states and states[entry_id].nearest_clean == entry_id:
            fallback = entry_id
    if fallback is None:
        kind = diagnosis.branch.error or NOTHING_TO_COPY
        return _refused(leaf, kind, f"Nothing can be copied: {_WHY.get(kind, _NO_MESSAGE)}.")
    return _plan(diagnosis, leaf or fallback, ForkHow.THROUGH, leaf or fallback, fallback)


def _file_refusal(diagnosis: Diagnosis) -> tuple[str, str] | None:
    """Return why a file as a whole is not copied from."""
    session = diagnosis.session
    if session.error_kind is FaultCode.EMPTY_FILE:
        return session.error_kind, "The file is empty; there is nothing to copy."
    if session.error_kind is FaultCode.UNSUPPORTED_VERSION:
        return session.error_kind, (
            "The session was written by a newer version; a copy could lose what it means."
        )
    if session.header is None or session.header.version != 1:
        return FaultCode.BAD_HEADER, (
            "The first line is not a session header, so it is not known what the rest belongs to."
        )
    return None


def _base(node: Node) -> tuple[ForkHow, EntryId | None]:
    """Return how a fork at an entry is meant and the last entry it asks for."""
    if isinstance(node, MessageEntry) and isinstance(node.message, UserMessage):
        return ForkHow.BEFORE, node.parent_id
    return ForkHow.THROUGH, node.id


def _end(
    diagnosis: Diagnosis,
    states: Mapping[EntryId, PathState],
    trunk: frozenset[EntryId],
    base: EntryId,
) -> tuple[EntryId, bool] | None:
    """Return where the copy ends and whether that is earlier than asked for."""
    state = states.get(base)
    if state is None:
        return None
    end = base if state.good else state.nearest_clean
    if end is None:
        return None
    while states[end].open:
        results = [
            child
            for child in diagnosis.tree.children.get(end, ())
            if states[child].good and _holds_results(diagnosis.session.nodes[child])
        ]
        if not results:
            break
        end = next((child for child in results if child in trunk), results[-1])
    return end, not state.good


def _holds_results(node: Node) -> bool:
    return isinstance(node, MessageEntry) and isinstance(node.message, ToolResultMessage)


def _plan(
    diagnosis: Diagnosis,
    entry_id: EntryId,
    how: ForkHow,
    base: EntryId,
    instead: EntryId | None = None,
) -> ForkPlan:
    session = diagnosis.session
    states = path_states(session, diagnosis.tree)
    trunk = frozenset(node.id for node in diagnosis.branch.entries if node.id is not None)
    found = _end(diagnosis, states, trunk, instead or base)
    why = _why(diagnosis, base)
    if found is None:
        kind = why or NOTHING_TO_COPY
        if how is ForkHow.BEFORE and why is None:
            return _refused(
                entry_id,
                NOTHING_PRECEDES,
                "No message precedes this one, so there is nothing to fork.",
            )
        return _refused(entry_id, kind, f"Nothing can be copied: {_WHY.get(kind, _NO_MESSAGE)}.")
    end, moved = found
    moved = moved or instead is not None
    entries = branch_to(session, end).entries
    messages = [item.message for item in build_context(entries).messages]
    closing = tuple(paired.call for paired in pair_calls(messages).closable)
    copied = {node.id for node in entries}
    labels = tuple(label for label in session.label_entries if label.target_id in copied)
    node = session.nodes.get(entry_id)
    prompt = ""
    if how is ForkHow.BEFORE and isinstance(node, MessageEntry):
        prompt = prompt_of(node.message)
    sentence = _sentence(how, entries, len(closing), why if moved else None, moved=moved)
    if isinstance(node, MessageEntry) and has_cut(node.message) and how is ForkHow.BEFORE:
        sentence = sentence.replace("its text is kept for", "its text is too long for")
    return ForkPlan(entry_id, how, entries, labels, closing, prompt, moved, sentence, None)


def prompt_of(message: Message) -> str:
    """Return the text of a user's message for a new prompt; empty where only its start is kept."""
    return message.text if isinstance(message, UserMessage) and not has_cut(message) else ""


def _why(diagnosis: Diagnosis, base: EntryId) -> FaultCode | None:
    """Return what is wrong with the path to an entry, if anything is."""
    branch = branch_to(diagnosis.session, base)
    if branch.error is not None:
        return branch.error
    return refusal_of_path(branch.entries)


def refusal_of_path(path: Sequence[Node]) -> FaultCode | None:
    """Return why a whole path from a start cannot be continued, or `None`."""
    if any(isinstance(node, UnknownEntry) for node in path):
        return FaultCode.UNKNOWN_ENTRY_TYPE
    context = build_context(tuple(path))
    if context.error is not None:
        return context.error
    return pair_calls([item.message for item in context.messages]).refusal


def why_not(code: FaultCode | None) -> str:
    """Return why a copy ends early, as a clause."""
    return _WHY.get(code, _ENDS) if code is not None else _ENDS


_ENDS = "the rest cannot be continued"
_NO_MESSAGE = "there is no message before it"
_WHY: Mapping[str, str] = {
    FaultCode.MISSING_PARENT: "a record before it was never written",
    FaultCode.CYCLE: "the records before it point at each other in a ring",
    FaultCode.UNKNOWN_ENTRY_TYPE: "a record before it is of a kind that is not known",
    FaultCode.MALFORMED_COMPACTION: "the compaction before it has lost its kept messages",
    FaultCode.GAP: "a call has no saved result and the chat went on after it",
    FaultCode.DUPLICATE_CALL: "two calls carry the same id",
    FaultCode.ORPHAN_RESULT: "a result belongs to no call before it",
    FaultCode.DUPLICATE_RESULT: "one call has two results",
}


def _sentence(
    how: ForkHow,
    entries: tuple[Node, ...],
    closes: int,
    why: FaultCode | None,
    *,
    moved: bool,
) -> str:
    count = f"{len(entries):,} record" + ("s" if len(entries) != 1 else "")
    line = entries[-1].span.line
    if moved:
        text = f"Copies {count}, up to line {line:,} and no further: {why_not(why)}."
    elif how is ForkHow.BEFORE:
        text = f"Copies {count}, everything before your message; its text is kept for the prompt."
    else:
        text = f"Copies {count}, through line {line:,}."
    if closes == 1:
        text += " 1 call is closed in the copy: unknown whether it ran."
    elif closes:
        text += f" {closes} calls are closed in the copy: unknown whether they ran."
    return text


def _refused(entry_id: EntryId | None, kind: str, sentence: str) -> ForkPlan:
    return ForkPlan(entry_id, ForkHow.THROUGH, (), (), (), "", False, sentence, str(kind))
