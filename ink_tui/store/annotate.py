"""Naming a session and labelling its records, in records of Ink's own (`formats/ink.md` 3.5, 3.6).

Only a session that needs nothing, that nobody holds and that rests is written to; the append goes
the way of a repair, with a copy, the journal and an undo.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.errors import RefusedError
from ink_tui.formats.ink.constants import FILE_SUFFIX
from ink_tui.formats.ink.encode import (
    encode_label,
    encode_name,
    encode_position,
    iso_stamp,
    new_entry_id,
)
from ink_tui.model.changes import ChangeKind
from ink_tui.model.entries import InfoEntry, LabelEntry, ModelMarker, PositionMarker
from ink_tui.model.liveness import Freshness, Holder, HolderKind, freshness
from ink_tui.model.text import clean, without_hidden
from ink_tui.model.verdict import Verdict
from ink_tui.store.change import CHANGED, Change, change_end
from ink_tui.store.repair import RepairOutcome
from ink_tui.store.repair_plan import diagnosis_of, entry_count, read_strictly

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ink_tui.model.entries import EntryId
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.file_state import FileState

LONGEST = 200
"""Characters of a name or a label."""
_SHOWN_POINTS = 3
"""Code points that are named when characters are left out."""


@dataclass(frozen=True, slots=True)
class Annotatable:
    """A session that may be written to, as it was when that was found out."""

    path: Path
    state: FileState
    diagnosis: Diagnosis

    @property
    def name(self) -> str:
        """The name in force on the current branch; empty when there is none."""
        names = (node.name for node in self.diagnosis.branch.entries if isinstance(node, InfoEntry))
        return next(reversed(tuple(names)), "").strip()

    def label(self, target: EntryId) -> str:
        """Return the label of a record; empty when it has none."""
        return self.diagnosis.session.labels.get(target, "")


def look_to_annotate(
    path: Path, *, now_ms: int, holder_of: Callable[[Diagnosis], Holder], resting: bool = False
) -> Annotatable:
    """Read a session and make sure that it may be written to; changes nothing.

    Args:
        path: The session file.
        now_ms: The present, in milliseconds since 1970.
        holder_of: Tells who holds the session.
        resting: Our own pane was the last writer and its agent has ended: then a file that
            changed a moment ago may be written to.

    Raises:
        RefusedError: It is no plain file of ours, needs a repair or more, is a sub-agent session,
            or may be in use.
        StoreError: It cannot be read.
    """
    reading = read_strictly(path)
    diagnosis = reading.diagnosis
    header = diagnosis.session.header
    if diagnosis.verdict is not Verdict.CLEAN or header is None:
        raise RefusedError(
            "not-clean", "Only a session that needs nothing is written to. Repair or fork it first."
        )
    if header.parent_id is not None:
        raise RefusedError(
            "child", "A sub-agent session belongs to its parent; it is not written to."
        )
    _require_free(holder_of(diagnosis))
    fresh = freshness(now_ms, reading.state.mtime_ns // 1_000_000)
    if fresh is not Freshness.COLD and not resting:
        raise RefusedError(
            "recent", "The file changed less than a minute ago. Wait until it rests."
        )
    return Annotatable(path, reading.state, diagnosis)


def write_label(
    at: Annotatable,
    target: EntryId,
    label: str,
    *,
    state_dir: Path,
    now_ms: int,
    holder: Holder,
    new_id: Callable[[], str] | None = None,
) -> RepairOutcome:
    """Put a label on a record, or take it off; the next turn goes on where it would have.

    Ink counts a label as an entry that makes a position marker stale. So where one holds, the
    same marker follows the label.

    Args:
        at: The session.
        target: The record.
        label: What it is called; empty takes the label off.
        state_dir: Our own state folder.
        now_ms: The present, in milliseconds since 1970.
        holder: Who holds the session now, looked up again just before.
        new_id: Source of the entry's id; the default draws random ones.

    Raises:
        RefusedError: Nothing was changed: no such record, or the file changed or is in use.
        StoreError: The system refused; the sentence says what state the file is in.
    """
    before = at.diagnosis
    words, left_out = _one_line(label)
    if target not in before.session.nodes:
        raise RefusedError("no-record", CHANGED)
    added = encode_label(_fresh_id(before, new_id), before.leaf, now_ms, target, words)
    if before.leaf != _last_node(before):
        added += encode_position(before.leaf)

    def accept(after: Diagnosis) -> bool:
        return after.leaf == before.leaf and after.session.labels.get(target, "") == clean(words)

    said = f"Labelled “{clean(words)}”" if words else "Label taken off"
    sentence = _sentence(said, left_out)
    how = _How(ChangeKind.LABEL, state_dir, now_ms, holder)
    return _append(at, added, accept, sentence, how)


def write_name(
    at: Annotatable,
    name: str,
    *,
    state_dir: Path,
    now_ms: int,
    holder: Holder,
    new_id: Callable[[], str] | None = None,
) -> RepairOutcome:
    """Name a session, or clear its name; as in Ink the name is an entry and becomes the leaf.

    Args:
        at: The session.
        name: What it is called; empty clears the name.
        state_dir: Our own state folder.
        now_ms: The present, in milliseconds since 1970.
        holder: Who holds the session now, looked up again just before.
        new_id: Source of the entry's id; the default draws random ones.

    Raises:
        RefusedError: Nothing was changed: there is no message yet, or the file changed or is in
            use.
        StoreError: The system refused; the sentence says what state the file is in.
    """
    before = at.diagnosis
    words, left_out = _one_line(name)
    if before.leaf is None:
        raise RefusedError("empty", "There is no message yet that a name could stand after.")
    entry_id = _fresh_id(before, new_id)
    added = encode_name(entry_id, before.leaf, now_ms, words)

    def accept(after: Diagnosis) -> bool:
        newest = after.session.nodes.get(after.leaf) if after.leaf is not None else None
        return (
            isinstance(newest, InfoEntry)
            and newest.id == entry_id
            and newest.parent_id == before.leaf
        )

    said = f"Renamed to “{clean(words)}”" if words else "Name cleared"
    sentence = _sentence(said, left_out)
    how = _How(ChangeKind.NAME, state_dir, now_ms, holder)
    return _append(at, added, accept, sentence, how)


@dataclass(frozen=True, slots=True)
class _How:
    kind: ChangeKind
    state_dir: Path
    now_ms: int
    holder: Holder


def _append(
    at: Annotatable,
    added: bytes,
    accept: Callable[[Diagnosis], bool],
    sentence: str,
    how: _How,
) -> RepairOutcome:
    _require_free(how.holder)
    entries = entry_count(at.diagnosis.session) + 1

    def judge(content: bytes) -> str | None:
        after = diagnosis_of(content)
        if after.verdict is not Verdict.CLEAN or entry_count(after.session) != entries:
            return "The session would no longer be clean."
        return None if accept(after) else "The agent would read the record in another way."

    stamp = iso_stamp(how.now_ms).replace(":", "-").replace(".", "-")
    stem = at.path.name.removesuffix(FILE_SUFFIX)[:120]
    backup = f"{stem}.{stamp}-{secrets.token_hex(4)}.backup"
    change = Change(at.path, at.state, at.state.size, added, backup, purpose="note", kind=how.kind)
    done = change_end(change, how.state_dir, how.now_ms, judge)
    return RepairOutcome(
        path=at.path,
        state=done.after,
        backup=done.backup,
        cut_bytes=done.cut,
        added_bytes=len(added),
        closed=(),
        sentence=sentence,
    )


def _sentence(said: str, left_out: str) -> str:
    without = f" without {left_out}, which cannot be seen" if left_out else ""
    return f"{said}{without}, u undoes it"


def _require_free(holder: Holder) -> None:
    if holder.kind is HolderKind.CERTAIN:
        raise RefusedError("in-use", f"In use by {holder.who}. Wait until it is done.")
    if holder.kind is HolderKind.POSSIBLE:
        who = holder.who or "a process"
        raise RefusedError("in-use", f"It may be in use by {who}. Wait until that has ended.")


def left_out_of(typed: str) -> str:
    """Return which characters of a name or a label are not written, as words; empty for none."""
    return _left_out(without_hidden(" ".join(typed.split()))[1])


def _one_line(typed: str) -> tuple[str, str]:
    """Return what was typed as words with single blanks, and what was left out, in words."""
    words, left_out = without_hidden(" ".join(typed.split()))
    words = without_hidden(words[:LONGEST])[0]  # the cut may have come behind a joiner
    return " ".join(words.split()), _left_out(left_out)


def _left_out(points: tuple[str, ...]) -> str:
    shown = ", ".join(points[:_SHOWN_POINTS])
    more = len(points) - _SHOWN_POINTS
    return f"{shown} and {more} more" if more > 0 else shown


def _fresh_id(diagnosis: Diagnosis, new_id: Callable[[], str] | None) -> str:
    taken = {
        record.id
        for record in diagnosis.session.records
        if not isinstance(record, PositionMarker | ModelMarker) and record.id is not None
    }
    return new_entry_id(taken, new_id)


def _last_node(diagnosis: Diagnosis) -> EntryId | None:
    """Return the last entry of the file that is no label: the leaf where no marker holds."""
    for record in reversed(diagnosis.session.records):
        if not isinstance(record, PositionMarker | ModelMarker | LabelEntry):
            return record.id
    return None
