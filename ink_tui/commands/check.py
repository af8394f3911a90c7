"""`ink-tui check`: the true state of session files, judged by content alone."""

from __future__ import annotations

import hashlib
import os
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ink_tui.commands.output import NEGATIVE, OK, complain, print_json, print_line
from ink_tui.commands.stores import holder_of
from ink_tui.model.entries import UnknownEntry
from ink_tui.model.liveness import freshness
from ink_tui.model.row_making import row_of
from ink_tui.model.summary import compaction_count
from ink_tui.model.tally import tally_of
from ink_tui.model.verdict import Verdict
from ink_tui.model.words import fault_words
from ink_tui.store.access import look_at_access
from ink_tui.store.discover import FoundFile, find_session_files, look_at
from ink_tui.store.files import UnreadableError, open_for_reading, read_range
from ink_tui.store.library import system_clock
from ink_tui.store.reader import read_session

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ink_tui.model.verdict import Diagnosis


def check(paths: Sequence[str], *, as_json: bool) -> int:
    """Print the state of every session file named, or below a folder named.

    Returns:
        0 when all are clean, 1 otherwise.
    """
    status = OK
    for found in _files(paths):
        answer = _answer(found)
        access = look_at_access(found.path)
        answer["readable_by"] = access.readers if access is not None else None
        if answer["verdict"] != Verdict.CLEAN:
            status = NEGATIVE
        if as_json:
            print_json(answer)
        else:
            print_line(f"{answer['verdict']:<11}{answer['path']}  {answer['sentence']}")
            if access is not None and access.words:
                said = f"{access.words}, {access.mode_words}"
                print_line(f"{'':<11}! {said}: {access.command(found.path)}")
    return status


def content_facts(diagnosis: Diagnosis, *, child: bool) -> dict[str, object]:
    """Return what the content of a session says, by the names of `cases/README.md`.

    Args:
        diagnosis: The session and its state.
        child: Whether it is a sub-agent session, by its place or its header.
    """
    session, tree, branch = diagnosis.session, diagnosis.tree, diagnosis.branch
    header, context = session.header, diagnosis.context
    usable = context is not None and context.error is None
    good = [record for record in session.records if not isinstance(record, UnknownEntry)]
    ids = [record.id for record in good if hasattr(record, "id")]
    return {
        "readable": session.readable,
        "error_kind": session.error_kind,
        "error_line": session.error_line,
        "error_line_agent": session.error_line_agent,
        "salvage": {"records": len(good), "bad_lines": list(session.bad_lines)},
        "torn": session.tail.torn,
        "torn_bytes": session.tail.torn_bytes,
        "tail_state": session.tail.state,
        "id": header.id if header else None,
        "version": header.version if header else None,
        "cwd": header.cwd if header else None,
        "parent_id": header.parent_id if header else None,
        "child": child,
        "title": diagnosis.title,
        "empty": row_of(diagnosis, "").empty,
        "last_activity": _iso(session.last_time_ms),
        "entries": len(ids),
        "unique_ids": len(set(ids)),
        "roots": len(tree.roots),
        "branches": len(tree.tips),
        "unreachable": len(tree.unreachable),
        "leaf_id": tree.leaf,
        "branch_error": branch.error,
        "branch_entries": len(branch.entries) if branch.error is None else None,
        "compactions": compaction_count(session),
        "compacted": context.compacted if context and usable else None,
        "compaction_boundary": context.boundary if context and usable else None,
        "context_messages": len(context.messages) if context and usable else None,
        "context_error": context.error if context else None,
        "dangling": [call.call.call_id for call in diagnosis.open_calls]
        if diagnosis.pairing
        else None,
        "repair_needed": diagnosis.repair_needed,
        "repairable": diagnosis.repairable,
        "refusal_reason_kind": diagnosis.refusal,
        "synthesised": [call.call.call_id for call in diagnosis.to_close],
    }


def _sentence(diagnosis: Diagnosis) -> str:
    worst = diagnosis.faults[0] if diagnosis.faults else None
    return fault_words(worst).tree if worst is not None else "nothing to settle"


def _files(paths: Sequence[str]) -> Iterable[FoundFile]:
    for path in paths:
        if os.path.isdir(path) and not path.endswith(".jsonl"):  # noqa: PTH112 - keeps odd bytes
            yield from find_session_files([path])
        else:
            yield look_at(path)


def _answer(found: FoundFile) -> dict[str, object]:
    answer: dict[str, object] = {"path": found.path}
    try:
        diagnosis, state = read_session(found.path)
        digest, size = _digest(found.path)
    except UnreadableError as error:
        complain(str(error))
        return answer | {
            "readable": False,
            "error_kind": error.kind,
            "verdict": Verdict.REFUSE,
            "sentence": f"cannot be read: {error.reason}",
            "on_branch": None,
            "live": None,
            "holder": None,
        }
    row = row_of(diagnosis, found.path, child_by_place=found.child_by_place)
    answer |= {"sha256": digest, "size": size} | content_facts(diagnosis, child=row.child)
    return answer | {
        "verdict": diagnosis.verdict,
        "sentence": _sentence(diagnosis),
        "on_branch": asdict(tally_of(diagnosis)),
        "live": freshness(system_clock(), state.changed_ms),
        "holder": holder_of(row).kind,
    }


def _digest(path: str) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    with open_for_reading(path) as (descriptor, _state):
        while piece := read_range(descriptor, size, 1 << 20):
            digest.update(piece)
            size += len(piece)
    return digest.hexdigest(), size


def _iso(moment_ms: int | None) -> str | None:
    if moment_ms is None:
        return None
    return datetime.fromtimestamp(moment_ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
