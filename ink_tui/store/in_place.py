"""Moving the resume point of an Ink file to an earlier record, with a backup and an undo."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from ink_tui.errors import RefusedError
from ink_tui.formats.ink.constants import FILE_SUFFIX
from ink_tui.formats.ink.encode import encode_position, iso_stamp
from ink_tui.model.changes import ChangeKind
from ink_tui.model.liveness import Freshness, Holder, HolderKind
from ink_tui.model.verdict import Verdict
from ink_tui.store.change import Change, change_end
from ink_tui.store.repair import RepairOutcome
from ink_tui.store.repair_plan import diagnosis_of

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.model.entries import EntryId
    from ink_tui.model.in_place import InPlace
    from ink_tui.store.file_state import FileState


def marker_of(leaf: EntryId) -> bytes:
    """Return the line that is appended: a position marker, newline included."""
    return encode_position(leaf)


def continue_in_place(
    path: Path,
    state: FileState,
    wanted: InPlace,
    *,
    state_dir: Path,
    now_ms: int,
    fresh: Freshness,
    holder: Holder,
) -> RepairOutcome:
    """Append the position marker, by the eight steps of `trust.md` 2.5.

    Args:
        path: The session file.
        state: Its state when the choice was shown; it must be in it still.
        wanted: Where it is to go on.
        state_dir: Our own state folder: backups, journal and locks live below it.
        now_ms: The present, in milliseconds since 1970.
        fresh: How lately the file was written to.
        holder: Who holds the session now, looked up again just before.

    Raises:
        RefusedError: Nothing was changed: somebody may use the file, it changed since, or Ink
            would not go on from the record.
        StoreError: The system refused; the sentence says what state the file is in.
    """
    leaf = wanted.leaf
    if not wanted.allowed or leaf is None:
        raise RefusedError("not-allowed", f"Nothing was changed: {wanted.refusal}.")
    if fresh is not Freshness.COLD or holder.kind is not HolderKind.NONE:
        raise RefusedError(
            "in-use", "The session may be in use. Nothing was changed. Fork it into a copy instead."
        )

    def accept(content: bytes) -> str | None:
        diagnosis = diagnosis_of(content)
        if diagnosis.leaf != leaf:
            return "The agent would not go on from this record."
        if diagnosis.verdict is not Verdict.CLEAN:
            return "The session could not be continued from this record."
        return None

    stamp = iso_stamp(now_ms).replace(":", "-").replace(".", "-")
    stem = path.name.removesuffix(FILE_SUFFIX)[:120]
    backup = f"{stem}.{stamp}-{secrets.token_hex(4)}.backup"
    added = marker_of(leaf)
    change = Change(
        path, state, state.size, added, backup, purpose="fork", kind=ChangeKind.POSITION
    )
    done = change_end(change, state_dir, now_ms, accept)
    return RepairOutcome(
        path=path,
        state=done.after,
        backup=done.backup,
        cut_bytes=done.cut,
        added_bytes=len(added),
        closed=(),
        sentence=f"Continues from line {wanted.line:,} in this session, u undoes it",
    )
