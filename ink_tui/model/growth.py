"""What was appended to a session, where it can be shown by going on with what was shown before.

An agent that works appends messages to the branch that will be continued. Then almost nothing of
what was known before changes: the calls that were open, and what is said of the end. `growth_of`
tells that case from all others, in which everything must be made anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.entries import MessageEntry
from ink_tui.model.faults import TailState

if TYPE_CHECKING:
    from ink_tui.model.entries import EntryId, Node
    from ink_tui.model.session import Session
    from ink_tui.model.tool_calls import PairedCall
    from ink_tui.model.tree import Tree
    from ink_tui.model.verdict import Diagnosis


@dataclass(frozen=True, slots=True)
class Growth:
    """Messages appended to the trunk."""

    old: Diagnosis
    new: Diagnosis
    appended: tuple[MessageEntry, ...]
    """In file order; none where only the liveness of the session may be another one."""
    start: int
    """Place in the new trunk from which on entries may be shown in another way (0-based)."""

    @property
    def shown_anew(self) -> tuple[Node, ...]:
        """The entries of the trunk that must be shown anew, what was appended included."""
        return self.new.branch.entries[self.start :]


def growth_of(old: Diagnosis, new: Diagnosis) -> Growth | None:
    """Return what was appended; `None` where more than that can have changed.

    The texts of old records are not compared: a reader keeps the very same values of lines that it
    has read before.

    Args:
        old: A session as it was.
        new: The same session now.
    """
    appended = appended_messages(old.session, new.session)
    if appended is None or not _same_tree(old.tree, new.tree):
        return None
    trunk, before = new.branch.entries, old.branch.entries
    if old.branch.error is not None or new.branch.error is not None:
        return None
    if trunk[len(before) :] != appended or trunk[: len(before)] != before:
        return None
    ids = {entry.id for entry in appended}
    names = {label.target_id for label in new.session.label_entries}
    if len(ids) < len(appended) or names & ids:
        return None
    start = _first_changed(old, new)
    return Growth(old, new, appended, start) if start is not None else None


def appended_messages(old: Session, new: Session) -> tuple[MessageEntry, ...] | None:
    """Return the messages by which a sound session has grown; `None` where it did in another way.

    Args:
        old: A session as it was.
        new: The same session now.
    """
    count = len(old.records)
    appended = tuple(each for each in new.records[count:] if isinstance(each, MessageEntry))
    same = (
        len(new.records) == count + len(appended)
        and len(new.nodes) == len(old.nodes) + len(appended)
        and old.tail.state is TailState.OK
        and new.tail.state is TailState.OK
        and old.error_kind is None
        and new.error_kind is None
        and not old.recovered
        and not new.recovered
        and old.header == new.header
        and old.faults == new.faults
        and old.duplicates == new.duplicates
        and old.records == new.records[:count]
    )
    return appended if same else None


def _same_tree(old: Tree, new: Tree) -> bool:
    """Whether nothing but the end of the trunk can be another one."""
    return (
        old.leaf is not None
        and old.stale_position is None
        and new.stale_position is None
        and old.roots == new.roots
        and old.missing_parents == new.missing_parents
        and old.unreachable == new.unreachable
    )


def _first_changed(old: Diagnosis, new: Diagnosis) -> int | None:
    """Return the place in the trunk of the first entry that may be shown in another way.

    It is that of the first open call, or of an earlier one whose result stands behind that.
    `None` where calls and results do not fit, or an open call stands in what a compaction kept.
    """
    context, pairing, before = new.context, new.pairing, old.context
    if context is None or pairing is None or before is None or old.pairing is None:
        return None
    if pairing.refusal is not None or old.pairing.refusal is not None:
        return None
    if context.compaction is not before.compaction:
        return None
    first = len(before.messages)
    if old.pairing.dangling:
        first = old.pairing.dangling[0].message_index
    first = _with_late_results(pairing.calls, first)
    if first < context.boundary:
        return None
    if first >= len(before.messages):
        return len(old.branch.entries)
    return _place_of(new.branch.entries, context.messages[first].entry_id)


def _with_late_results(calls: tuple[PairedCall, ...], first: int) -> int:
    """Return the message to begin with, so that no result behind it answers a call before it."""
    for paired in reversed(calls):
        late = paired.result_index is None or paired.result_index >= first
        if late and paired.message_index < first:
            first = paired.message_index
    return first


def _place_of(trunk: tuple[Node, ...], entry_id: EntryId | None) -> int | None:
    for at in range(len(trunk) - 1, -1, -1):
        if trunk[at].id == entry_id:
            return at
    return None
