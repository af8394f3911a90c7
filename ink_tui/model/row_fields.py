"""A list row by the names of `design.md` section 5, as commands print it; unknown is null."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.marks import SessionMarks


def content_fields(row: SessionRow) -> dict[str, object]:
    """Return what follows from the file alone: the fields that stand first."""
    known = row.complete
    return {
        "path": row.path,
        "id": row.session_id,
        "cwd": row.cwd or None,
        "title": row.title if known or row.title else None,
        "last_activity": iso_time(row.last_ms),
        "empty": row.empty if known else None,
        "child": row.child,
        "parent_id": row.parent_id,
        "verdict": row.verdict,
        "error_kind": row.error_kind,
        "complete": row.complete,
        "size": row.size,
        "forked_from": row.forked_from,
        "records": row.records,
        "messages": row.messages,
        "branches": row.branches,
        "compactions": row.compactions,
        "open_calls": row.open_calls if known else None,
        "torn_bytes": row.torn_bytes if row.tail_known else None,
        "model": row.model_id,
    }


def mark_fields(marks: SessionMarks) -> dict[str, object]:
    """Return what is marked on a session: the fields that stand last."""
    return {
        "pinned": marks.pinned,
        "starred": marks.starred,
        "archived": marks.archived,
        "note": marks.note,
    }


def is_left_out(row: SessionRow) -> bool:
    """Whether a row is printed only where all are asked for: sub-agents' and empty ones."""
    return row.child or (row.empty and row.error_kind is None)


def moment_of(row: SessionRow) -> int:
    """Return the moment by which rows are ordered, in milliseconds since 1970."""
    return row.last_ms or row.changed_ms or 0


def iso_time(moment_ms: int | None) -> str | None:
    """Return a moment in milliseconds since 1970 as a time in UTC; nothing for none."""
    if moment_ms is None:
        return None
    return datetime.fromtimestamp(moment_ms // 1000, UTC).isoformat()[:19] + "Z"
