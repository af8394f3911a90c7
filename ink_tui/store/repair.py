"""Repairing the end of an Ink file in place, with a backup, a journal and an undo."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.errors import RefusedError, StoreError
from ink_tui.formats.ink.encode import iso_stamp
from ink_tui.model.liveness import (
    NOBODY,
    Freshness,
    Holder,
    HolderKind,
    freshness,
    use_doubt,
)
from ink_tui.model.text import clean
from ink_tui.model.words import counted
from ink_tui.store.atomic import system_error
from ink_tui.store.change import BACKUPS, Change, change_end
from ink_tui.store.file_state import open_strictly
from ink_tui.store.files import open_for_reading, read_range
from ink_tui.store.journal import journal_path, last_change, unreadable_lines
from ink_tui.store.repair_plan import (
    AddNewline,
    CloseCalls,
    CutTail,
    RepairPlan,
    RepairStep,
    diagnosis_of,
    entry_count,
    plan_repair,
)

if TYPE_CHECKING:
    from ink_tui.model.changes import ChangeKind
    from ink_tui.store.file_state import FileState
    from ink_tui.store.journal import JournalLine

__all__ = [
    "AddNewline",
    "CloseCalls",
    "CutTail",
    "RepairOutcome",
    "RepairPlan",
    "RepairStep",
    "UndoPlan",
    "apply_repair",
    "can_undo",
    "last_backup",
    "plan_repair",
    "plan_undo",
    "repair_doubt",
    "undo_last",
    "undoable",
]


@dataclass(frozen=True, slots=True)
class RepairOutcome:
    """What a repair, or its undo, has done."""

    path: Path
    state: FileState
    """The file afterwards."""
    backup: Path
    """Copy of the file as it was before, in our own state folder; of its end alone where a record
    was only appended."""
    cut_bytes: int
    added_bytes: int
    closed: tuple[str, ...]
    """Ids of the calls that were closed."""
    sentence: str
    """The result in words, for example "Repaired: 213 bytes saved aside, u undoes it"."""


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """What an undo of our last change would do."""

    kind: ChangeKind
    """What it takes back."""
    time_ms: int
    """When that was written, in milliseconds since 1970."""
    state: FileState
    """The file as it is now, which is as that change left it."""
    cut_bytes: int
    added_bytes: int

    @property
    def deed(self) -> str:
        """What it does to the file: `cuts 312 bytes and puts 213 bytes back`."""
        deeds = []
        if self.cut_bytes:
            deeds.append(f"cuts {counted(self.cut_bytes, 'byte')}")
        if self.added_bytes:
            deeds.append(f"puts {counted(self.added_bytes, 'byte')} back")
        return " and ".join(deeds)

    @property
    def sentence(self) -> str:
        """What it takes back and does, in words."""
        return f"Undoes {self.kind.words}: {self.deed}."

    def doubt(self, holder: Holder, now_ms: int, *, own_pane_ended: bool = False) -> str:
        """Return why it must be confirmed a second time, as a sentence; empty when it need not.

        Content that is as we left it speaks against a writer, so even a file that changed a moment
        ago only needs that.

        Args:
            holder: Who holds the session.
            now_ms: The present, in milliseconds since 1970.
            own_pane_ended: Our own pane was the last writer and its agent has exited: then a file
                that changed a moment ago counts as cold.
        """
        changed_ms = self.state.mtime_ns // 1_000_000
        fresh = Freshness.COLD if own_pane_ended else freshness(now_ms, changed_ms)
        return use_doubt(holder, fresh, max(0, now_ms - changed_ms))


def apply_repair(
    plan: RepairPlan,
    *,
    state_dir: Path,
    now_ms: int,
    holder: Holder = NOBODY,
    confirmed: bool = False,
) -> RepairOutcome:
    """Do what a plan says, by the eight steps of `trust.md` 2.5.

    Args:
        plan: The plan that was shown.
        state_dir: Our own state folder: backups, journal and locks live below it.
        now_ms: The present, in milliseconds since 1970.
        holder: Who holds the session now, looked up again just before.
        confirmed: The user was asked a second time.

    Raises:
        RefusedError: Nothing was changed: the plan is not allowed, the file changed since, ...
        StoreError: The system refused; the sentence says what state the file is in.
    """
    if not plan.allowed or plan.state is None:
        raise RefusedError(plan.refusal_kind or "not-allowed", plan.sentence)
    if not plan.steps:
        raise RefusedError("nothing-to-do", plan.sentence)
    _require_free(holder, confirmed=confirmed)
    if plan.needs_confirmation and not confirmed:
        raise RefusedError(
            "confirmation-needed",
            "The session may be in use. Confirm a second time, or fork it instead.",
        )
    calls = tuple(
        call for step in plan.steps if isinstance(step, CloseCalls) for call in step.call_ids
    )

    def accept(content: bytes) -> str | None:
        diagnosis = diagnosis_of(content)
        if diagnosis.repair_needed:
            return "The repaired file would still need a repair."
        if entry_count(diagnosis.session) != plan.entries_after:
            return "The repaired file would not hold the same records."
        return None

    change = Change(plan.path, plan.state, plan.keep, plan.added, plan.backup_name, calls)
    done = change_end(change, state_dir, now_ms, accept)
    return RepairOutcome(
        path=plan.path,
        state=done.after,
        backup=done.backup,
        cut_bytes=done.cut,
        added_bytes=len(plan.added),
        closed=calls,
        sentence=_outcome_sentence(plan, done.cut, len(calls)),
    )


def repair_doubt(plan: RepairPlan, now_ms: int) -> str:
    """Return why a repair must be confirmed a second time, as a sentence; empty if it need not.

    Args:
        plan: The repair.
        now_ms: The present, in milliseconds since 1970.
    """
    if not plan.needs_confirmation or plan.state is None:
        return ""
    age_ms = max(0, now_ms - plan.state.mtime_ns // 1_000_000)
    in_use = use_doubt(plan.holder, plan.freshness, age_ms)
    return in_use or "The agent will go on at another record than you left off at."


def undo_last(
    path: Path,
    *,
    state_dir: Path,
    now_ms: int,
    holder: Holder = NOBODY,
    confirmed: bool = False,
    own_pane_ended: bool = False,
) -> RepairOutcome:
    """Reverse our last change of a file, while nothing was written since.

    Args:
        path: The session file.
        state_dir: Our own state folder.
        now_ms: The present, in milliseconds since 1970.
        holder: Who holds the session now.
        confirmed: The user was asked a second time.
        own_pane_ended: Our own pane was the last writer and its agent has exited: then a file
            that changed a moment ago counts as cold.

    Raises:
        RefusedError: `nothing-to-undo`, `changed-since` (the sentence names the backup), `in-use`,
            `confirmation-needed`.
        StoreError: The system refused.
    """
    state = _present_state(path)
    line = _change_to_undo(path, state, state_dir)
    _require_free(holder, confirmed=confirmed)
    doubt = _undo_plan(line, state).doubt(NOBODY, now_ms, own_pane_ended=own_pane_ended)
    if doubt and not confirmed:
        raise RefusedError("confirmation-needed", f"{doubt} Confirm a second time, or wait.")
    copy = _backup_content(line)

    def accept(content: bytes) -> str | None:
        same = hashlib.sha256(content).hexdigest() == line.digest_before
        return None if same else "The undo would not give back the file as it was."

    put_back = copy[line.keep - line.copied_from :]
    stamp = iso_stamp(now_ms).replace(":", "-").replace(".", "-")
    backup_name = f"undo.{stamp}-{secrets.token_hex(4)}.backup"
    change = Change(
        path,
        state,
        line.keep,
        put_back,
        backup_name,
        purpose="undo",
        undoes=line.change,
        kind=line.kind,
    )
    done = change_end(change, state_dir, now_ms, accept)
    return RepairOutcome(
        path=path,
        state=done.after,
        backup=done.backup,
        cut_bytes=done.cut,
        added_bytes=len(put_back),
        closed=(),
        sentence=f"Undone: {line.kind.words}; the file is as it was before",
    )


def plan_undo(path: Path, *, state_dir: Path) -> UndoPlan:
    """Return what an undo would do; changes nothing.

    Raises:
        RefusedError: `nothing-to-undo`, `changed-since` or `backup-damaged`.
        StoreError: The journal or the file cannot be read.
    """
    state = _present_state(path)
    line = _change_to_undo(path, state, state_dir)
    _backup_content(line)
    return _undo_plan(line, state)


def can_undo(path: Path, *, state_dir: Path) -> bool:
    """Return whether our last change of a file can be reversed in place; changes nothing.

    Raises:
        StoreError: The journal or the file cannot be read.
    """
    try:
        plan_undo(path, state_dir=state_dir)
    except RefusedError:
        return False
    return True


def undoable(path: Path, state: FileState, *, state_dir: Path) -> ChangeKind | None:
    """Return what an undo would take back, or `None`; looks at the journal alone, never raises.

    Args:
        path: The session file.
        state: Its present state.
        state_dir: Our own state folder.
    """
    try:
        return _change_to_undo(path, state, state_dir).kind
    except StoreError:
        return None


def last_backup(path: Path, *, state_dir: Path) -> Path | None:
    """Return the copy of the whole file that our last change of it kept, or `None`.

    Where an undo in place is refused, it can be copied to a session of its own
    (`ink_tui.store.fork.write_fork` with `folder`).

    Raises:
        StoreError: The journal or the file cannot be read.
    """
    line = last_change(state_dir, path, _present_state(path))
    return Path(line.backup) if line is not None and not line.copied_from else None


def _undo_plan(line: JournalLine, state: FileState) -> UndoPlan:
    return UndoPlan(
        line.kind, line.time_ms, state, state.size - line.keep, line.before.size - line.keep
    )


def _present_state(path: Path) -> FileState:
    with open_strictly(path, write=False) as opened:
        try:
            return opened.state()
        except OSError as error:
            raise system_error(path, "read", error, "Nothing was changed.") from error


def _change_to_undo(path: Path, state: FileState, state_dir: Path) -> JournalLine:
    """Return our last change when the file is still as that change left it."""
    line = last_change(state_dir, path, state)
    if line is None:
        sentence = "There is no change of this session to undo."
        damaged = unreadable_lines(state_dir)
        if damaged:
            sentence += (
                f" But {damaged:,} line{'s' if damaged != 1 else ''} of "
                f"{clean(str(journal_path(state_dir)))} cannot be read; the copies that repairs "
                f"kept lie in {clean(str(state_dir / BACKUPS))}."
            )
        raise RefusedError("nothing-to-undo", sentence)
    if not state.same_content(line.after):
        before = (
            "Fork it at the record before to go on without it."
            if line.copied_from
            else f"The file as it was before lies in {clean(line.backup)}; it can be opened as a "
            "session of its own."
        )
        raise RefusedError(
            "changed-since",
            f"The session was written to since our change, so it is not undone in place. {before}",
        )
    return line


def _backup_content(line: JournalLine) -> bytes:
    """Return the copy that was made before a change, when it is still what it was."""
    try:
        with open_for_reading(line.backup) as (descriptor, state):
            content = read_range(descriptor, 0, state.size)
    except ValueError as error:  # a zero byte in the path
        raise RefusedError(
            "backup-damaged", "The journal names no copy of the file. Nothing was changed."
        ) from error
    if hashlib.sha256(content).hexdigest() != line.backup_digest:
        raise RefusedError(
            "backup-damaged",
            f"The copy {clean(line.backup)} is not what it was. Nothing was changed.",
        )
    return content


def _require_free(holder: Holder, *, confirmed: bool) -> None:
    if holder.kind is HolderKind.CERTAIN:
        raise RefusedError(
            "in-use", f"In use by {holder.who}. Wait until it is done, or fork the session."
        )
    if holder.kind is HolderKind.POSSIBLE and not confirmed:
        raise RefusedError(
            "confirmation-needed",
            f"{holder.who or 'A process'} may use this session. Confirm a second time, or fork it "
            "instead.",
        )


def _outcome_sentence(plan: RepairPlan, cut: int, calls: int) -> str:
    parts: list[str] = []
    if cut:
        parts.append(f"{cut:,} byte{'s' if cut != 1 else ''} saved aside")
    elif any(isinstance(step, AddNewline) for step in plan.steps):
        parts.append("newline added")
    if calls:
        parts.append(f"{calls} call{'s' if calls != 1 else ''} closed as unknown")
    return f"Repaired: {', '.join(parts)}, u undoes it"
