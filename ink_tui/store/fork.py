"""Writing a copy of a session: a new file, raw bytes, original untouched (`formats/ink.md` 5.1).

The copy is made under a name that Ink does not list, read back, and given its real name only when
it is clean; an existing file is never replaced.
"""

from __future__ import annotations

import errno
import os
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.errors import RefusedError, StoreError
from ink_tui.formats.ink.constants import CHILDREN_FOLDER, UNKNOWN_OUTCOME
from ink_tui.formats.ink.encode import NewResult, encode_header, encode_tool_results, new_entry_id
from ink_tui.formats.ink.layout import ink_dir_name, session_file_name
from ink_tui.formats.ink.raw import with_escaped_breaks, with_parent
from ink_tui.model.entries import SessionId
from ink_tui.model.salvage import SalvagePlan, header_to_copy
from ink_tui.model.text import clean
from ink_tui.model.verdict import Verdict
from ink_tui.store.atomic import private_folder, sync_folder, system_error, write_whole
from ink_tui.store.files import open_for_reading, read_range
from ink_tui.store.repair_plan import diagnosis_of
from ink_tui.store.scratch import clear_scratch, scratch_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.model.entries import LabelEntry, Node, Span
    from ink_tui.model.fork_points import ForkPlan
    from ink_tui.model.session import Header, Session

NO_FOLDER = (
    "The file does not say which folder the session belongs to. Name one for the copy. Nothing "
    "was written."
)
CHANGED = "The session changed since it was looked at. Nothing was written. Look again."


@dataclass(frozen=True, slots=True)
class ForkOutcome:
    """The new session."""

    path: Path
    session_id: SessionId
    records: int
    """Entries copied, without header, labels and closing record."""
    closed: tuple[str, ...]
    """Ids of the calls that the copy closes."""
    sentence: str
    cwd: str
    """Working directory of the copy."""


def write_fork(
    source: Path,
    plan: ForkPlan,
    *,
    root: Path,
    now_ms: int,
    cwd: str | None = None,
    folder: Path | None = None,
    new_uuid: Callable[[], str] | None = None,
) -> ForkOutcome:
    """Write the copy that a plan describes and publish it only when it reads back as clean.

    Args:
        source: The session file that is copied.
        plan: What goes into the copy (`ink_tui.model.fork_points`).
        root: The session root that the source lies in.
        now_ms: The present, in milliseconds since 1970: the copy's own time stamp.
        cwd: Another working directory for the copy ("relocate"); `None` keeps the source's.
        folder: Where the copy goes; `None` puts it beside the source, or where Ink looks from
            `cwd`.
        new_uuid: Source of the session id and of the file name's id.

    Raises:
        RefusedError: The plan is refused, the source changed since it was made, or the working
            directory does not exist.
        StoreError: The system refused; nothing was published.
    """
    if plan.refusal is not None:
        raise RefusedError(plan.refusal, plan.sentence)
    content = _read(source)
    session = diagnosis_of(content).session
    header = header_to_copy(session) if isinstance(plan, SalvagePlan) else session.header
    if not _unchanged(session, plan) or (header is None and not isinstance(plan, SalvagePlan)):
        raise RefusedError("changed-since", CHANGED)
    real_cwd = _checked_cwd(cwd) if cwd is not None else None
    if real_cwd is None and isinstance(plan, SalvagePlan) and plan.needs_folder:
        raise RefusedError("cwd-missing", NO_FOLDER)
    new_cwd = real_cwd or (header.cwd if header is not None else "")
    draw = new_uuid or (lambda: str(uuid.uuid4()))
    session_id = SessionId(draw())
    origin = (header.id, plan.end) if header is not None else None
    pieces = [encode_header(session_id, now_ms, new_cwd, origin)]
    pieces.extend(_records(content, plan.entries, plan))
    pieces.extend(_closing(plan, now_ms))
    pieces.extend(_records(content, plan.labels, plan))
    copy = b"".join(pieces)
    _require_clean(copy)
    target = (folder or _folder(source, header, root, real_cwd)) / session_file_name(now_ms, draw())
    _publish(copy, target)
    records = len(plan.entries)
    return ForkOutcome(
        path=target,
        session_id=session_id,
        records=records,
        closed=tuple(call.call_id for call in plan.closing),
        sentence=f"{'Saved' if isinstance(plan, SalvagePlan) else 'Forked'}: {records:,} "
        f"record{'s' if records != 1 else ''} copied, the original is untouched",
        cwd=new_cwd,
    )


def top_level_folder(source: Path, root: Path, *, child: bool) -> Path:
    """Return the folder of the store that a top-level copy of a session belongs into.

    A sub-agent session lies in a folder `children` below it, where Ink's list does not look.

    Args:
        source: The session file.
        root: The session root.
        child: Whether its header names a parent.
    """
    parent = source.parent
    if parent.name == CHILDREN_FOLDER and (child or parent.parent != root):
        return parent.parent
    return parent


def _folder(source: Path, header: Header | None, root: Path, real_cwd: str | None) -> Path:
    if real_cwd is None:
        child = header is not None and header.parent_id is not None
        return top_level_folder(source, root, child=child)
    return root / ink_dir_name(real_cwd)


def _checked_cwd(cwd: str) -> str:
    """Return the real path of a working directory."""
    folder = Path(cwd)
    if not folder.is_absolute() or "\0" in cwd:
        raise RefusedError("cwd-missing", f"{clean(cwd)} is not a full path of a folder.")
    try:
        real = folder.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise RefusedError(
            "cwd-missing", f"{clean(cwd)} does not exist. Choose another folder."
        ) from error
    if not real.is_dir():
        raise RefusedError(
            "cwd-not-directory", f"{clean(cwd)} is not a folder. Choose another folder."
        )
    return str(real)


def _read(source: Path) -> bytes:
    with open_for_reading(str(source)) as (descriptor, state):
        return read_range(descriptor, 0, state.size)


def _unchanged(session: Session, plan: ForkPlan) -> bool:
    """Whether every record of the plan still stands where it stood."""
    if isinstance(plan, SalvagePlan):
        pieces = (piece.record for piece in session.recovered)
        known = {record.span: record for record in (*session.records, *pieces)}
        return all(known.get(each.span) == each for each in (*plan.entries, *plan.labels))
    labels = {label.span.offset: label for label in session.label_entries}
    return all(
        node.id is not None and session.nodes.get(node.id) == node for node in plan.entries
    ) and all(labels.get(label.span.offset) == label for label in plan.labels)


def _records(
    content: bytes, records: tuple[Node, ...] | tuple[LabelEntry, ...], plan: ForkPlan
) -> list[bytes]:
    """Return the lines of records: their raw bytes but for the changes of a salvage."""
    changes = {
        change.span: change for change in (plan.changes if isinstance(plan, SalvagePlan) else ())
    }
    lines: list[bytes] = []
    for record in records:
        line = _line(content, record.span)
        change = changes.get(record.span)
        if change is not None:
            raw = line.removesuffix(b"\n")
            raw = with_escaped_breaks(raw) if change.breaks else raw
            line = (with_parent(raw, change.parent) if change.reparented else raw) + b"\n"
        lines.append(line)
    return lines


def _line(content: bytes, span: Span) -> bytes:
    """Return the raw bytes of a record, with the newline that a last or a recovered one lacks."""
    line = content[span.offset : span.offset + span.length]
    return line if line.endswith(b"\n") else line + b"\n"


def _closing(plan: ForkPlan, now_ms: int) -> list[bytes]:
    if not plan.closing:
        return []
    taken = {node.id for node in plan.entries} | {label.id for label in plan.labels}
    results = [NewResult(call.call_id, call.tool, UNKNOWN_OUTCOME, True) for call in plan.closing]
    entry_id = new_entry_id({name for name in taken if name is not None})
    return [encode_tool_results(entry_id, plan.end, now_ms, results)]


def _require_clean(copy: bytes) -> None:
    diagnosis = diagnosis_of(copy)
    if diagnosis.verdict is not Verdict.CLEAN:
        reason = next((fault.code.value for fault in diagnosis.faults), diagnosis.verdict.value)
        raise RefusedError(
            "not-clean",
            f"The copy would not be clean ({reason}). Nothing was written. Fork at an earlier "
            "record instead.",
        )


def _publish(copy: bytes, target: Path) -> None:
    """Write under a name that is not listed, read back, then give it its name."""
    folder = target.parent
    private_folder(folder)
    clear_scratch(folder)
    named = False
    try:
        with scratch_in(folder) as scratch:
            descriptor = scratch.descriptor
            write_whole(descriptor, copy)
            os.fsync(descriptor)
            written = read_range(descriptor, 0, os.fstat(descriptor).st_size)
            if written != copy:
                raise StoreError(
                    f"The copy in {clean(str(folder))} did not read back as it was written. "
                    "Nothing was published. Check the disk."
                )
            _require_clean(written)
            _name(scratch.path, target)
            named = True
        sync_folder(folder)
    except OSError as error:
        if named:
            with suppress(OSError):
                target.unlink()
        raise system_error(
            target, "written", error, "The original is untouched. Make room or fork elsewhere."
        ) from error


def _name(scratch: Path, target: Path) -> None:
    """Give the file its name without ever replacing another one.

    A hard link would leave a session with two names, which is never written to, when the process
    is killed right after it. The name holds a fresh random id, so nobody else makes it meanwhile.
    """
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    scratch.rename(target)
