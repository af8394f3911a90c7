"""Which entries of a tree a copy may end at: the pairing rule on every path at once.

One walk over the whole tree keeps the strict scan of `formats/ink.md` 8.1 up to date and takes its
steps back where a branch ends, so the cost is that of the records, not of the paths.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ink_tui.model.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    EntryId,
    MessageEntry,
    Node,
    UnknownEntry,
)
from ink_tui.model.messages import AssistantMessage, Message, ToolResultMessage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.session import Session
    from ink_tui.model.tree import Tree


@dataclass(frozen=True, slots=True)
class PathState:
    """What the path from a root to one entry allows."""

    good: bool
    """A copy may end here: the path is whole, holds a message, and its calls pair up."""
    open: bool
    """Good, but the last answer has calls without a result, which the copy must close."""
    nearest_clean: EntryId | None
    """The entry itself when it is good and not open, else the nearest one before it that is."""
    depth: int
    """Entries on the path, this one included."""


@dataclass(slots=True)
class _Calls:
    """The strict scan's structures for one context."""

    seen: set[str] = field(default_factory=set)
    matched: set[str] = field(default_factory=set)
    pending: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Flags:
    """What the walk knows beside the sets; a value, so that it is simply put back."""

    last_answer: frozenset[str] = frozenset()
    """Call ids of the last answer."""
    speech_after: bool = False
    """Something other than results follows the last answer."""
    refused: bool = False
    """The scan refuses this context; only a later compaction starts a new one."""
    broken: bool = False
    """A record of the path cannot be copied; nothing after it can."""
    messages: bool = False
    """The path holds a message of its own."""


@dataclass(slots=True)
class _Undo:
    """How to take one entry back."""

    calls: _Calls
    flags: _Flags
    nearest: EntryId | None
    added: list[tuple[set[str], str]]
    removed: list[tuple[set[str], str]]


class _Walk:
    """The walk's present place."""

    def __init__(self) -> None:
        self.calls = _Calls()
        self.flags = _Flags()
        self.nearest: EntryId | None = None
        self.undo: list[_Undo] = []

    def enter(self, node: Node, *, broken: bool) -> PathState:
        """Take an entry onto the path and judge the path's end."""
        step = _Undo(self.calls, self.flags, self.nearest, [], [])
        self.undo.append(step)
        if broken or isinstance(node, UnknownEntry):
            self.flags = _changed(self.flags, broken=True)
        elif isinstance(node, CompactionEntry):
            self._compact(node, step)
        elif isinstance(node, BranchSummaryEntry):
            self.flags = _changed(self.flags, speech_after=True)
        elif isinstance(node, MessageEntry):
            self.flags = _changed(self.flags, messages=True)
            self._message(node.message, step)
        flags, pending = self.flags, self.calls.pending
        closable = not flags.speech_after and pending <= flags.last_answer
        sound = not (flags.broken or flags.refused) and (not pending or closable)
        good = sound and flags.messages and node.id is not None
        if good and not pending:
            self.nearest = node.id
        return PathState(good, good and bool(pending), self.nearest, len(self.undo))

    def leave(self) -> None:
        """Take the last entry back."""
        step = self.undo.pop()
        for target, call_id in reversed(step.added):
            target.discard(call_id)
        for target, call_id in step.removed:
            target.add(call_id)
        self.calls, self.flags, self.nearest = step.calls, step.flags, step.nearest

    def _compact(self, node: CompactionEntry, step: _Undo) -> None:
        self.calls = _Calls()
        self.flags = _Flags(
            broken=self.flags.broken,
            messages=self.flags.messages,
            refused=node.retained_tail is None,
            speech_after=True,
        )
        for message in node.retained_tail or ():
            self._message(message, step)

    def _message(self, message: Message, step: _Undo) -> None:
        if isinstance(message, AssistantMessage):
            ids = [call.call_id for call in message.calls]
            self.flags = _changed(self.flags, last_answer=frozenset(ids), speech_after=False)
            for call_id in ids:
                if call_id in self.calls.seen:
                    self.flags = _changed(self.flags, refused=True)
                else:
                    self._add(self.calls.seen, call_id, step)
                    self._add(self.calls.pending, call_id, step)
        elif isinstance(message, ToolResultMessage):
            for result in message.results or ():
                known = result.call_id in self.calls.seen
                if not known or result.call_id in self.calls.matched:
                    self.flags = _changed(self.flags, refused=True)
                    continue
                self._add(self.calls.matched, result.call_id, step)
                if result.call_id in self.calls.pending:
                    self.calls.pending.discard(result.call_id)
                    step.removed.append((self.calls.pending, result.call_id))
        else:
            self.flags = _changed(self.flags, speech_after=True)

    @staticmethod
    def _add(target: set[str], call_id: str, step: _Undo) -> None:
        target.add(call_id)
        step.added.append((target, call_id))


def _changed(
    flags: _Flags,
    *,
    last_answer: frozenset[str] | None = None,
    speech_after: bool | None = None,
    refused: bool = False,
    broken: bool = False,
    messages: bool = False,
) -> _Flags:
    return _Flags(
        flags.last_answer if last_answer is None else last_answer,
        flags.speech_after if speech_after is None else speech_after,
        flags.refused or refused,
        flags.broken or broken,
        flags.messages or messages,
    )


def path_states(session: Session, tree: Tree) -> Mapping[EntryId, PathState]:
    """Return what the path to each entry allows; entries that no root leads to are left out."""
    states: dict[EntryId, PathState] = {}
    walk = _Walk()
    waiting: list[EntryId | None] = list(reversed(tree.roots))
    while waiting:
        entry_id = waiting.pop()
        if entry_id is None:
            walk.leave()
            continue
        node = session.nodes[entry_id]
        at_root = not walk.undo
        states[entry_id] = walk.enter(node, broken=at_root and node.parent_id is not None)
        waiting.append(None)
        waiting.extend(reversed(tree.children.get(entry_id, ())))
    return states
