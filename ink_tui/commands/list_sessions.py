"""`ink-tui list`: the sessions of a store, newest activity first."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ink_tui.commands.output import OK, complain, print_json, print_line
from ink_tui.model.archive import resting, rows_by_id
from ink_tui.model.row_words import is_live
from ink_tui.model.text import one_line
from ink_tui.model.verdict_kinds import Verdict
from ink_tui.paths import state_dir
from ink_tui.store.marks import read_marks

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.marks import SessionMarks
    from ink_tui.store.library import Library


def list_sessions(library: Library, *, as_json: bool, quick: bool, show_all: bool) -> int:
    """Print one row per session; archived, empty and sub-agent sessions only when asked for.

    An archived session that is being written is printed all the same, as the screen shows it.

    Args:
        library: The store.
        as_json: Print JSON Lines.
        quick: Print what the head and the last 64 KB of each file tell.
        show_all: Include archived sessions, those without a message and sub-agent sessions.
    """
    kept = read_marks(state_dir(os.environ))
    if kept.notice:
        complain(kept.notice)
    listing = library.scan(quick=quick)
    for root in listing.missing_roots:
        complain(f"{root} does not exist: no sessions there. ink-tui --demo shows some.")
    if not listing.rows and len(listing.missing_roots) < len(listing.roots):
        looked = ", ".join(root for root in listing.roots if root not in listing.missing_roots)
        complain(f"no sessions below {looked}. ink-tui --demo shows some.")
    by_id = rows_by_id(listing.rows)
    away = resting(listing.rows, by_id, kept.marks, is_live)
    for row in listing.rows:
        left_out = row.child or (row.empty and row.error_kind is None) or row.path in away
        if left_out and not show_all:
            continue
        marks = kept.marks.of(row.session_id)
        if as_json:
            print_json(row_fields(row, marks))
        else:
            print_line(_plain(row, marks))
    return OK


def row_fields(row: SessionRow, marks: SessionMarks) -> dict[str, object]:
    """Return a list row by the names of `design.md` section 5; unknown facts are null.

    Args:
        row: The row.
        marks: What is marked on the session.
    """
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
        "live": row.freshness,
        "pinned": marks.pinned,
        "starred": marks.starred,
        "archived": marks.archived,
        "note": marks.note,
    }


def _plain(row: SessionRow, marks: SessionMarks) -> str:
    when = iso_time(row.last_ms) or "-"
    identity = one_line(row.session_id or "-")[:8]
    title = one_line(row.title) or one_line(row.path.rsplit("/", 1)[-1])
    problem = "" if row.verdict in (None, Verdict.CLEAN) else row.error_kind or row.verdict
    parts = [f"{when}  {identity:<8}  {title}", f"({problem})" if problem else ""]
    parts += [f"[{', '.join(marks.words)}]" if marks.words else ""]
    parts += [f"note: {one_line(marks.note)}" if marks.note else ""]
    return "  ".join(part for part in parts if part)


def iso_time(moment_ms: int | None) -> str | None:
    """Return a moment in milliseconds since 1970 as a time in UTC; nothing for none."""
    if moment_ms is None:
        return None
    return datetime.fromtimestamp(moment_ms // 1000, UTC).isoformat()[:19] + "Z"
