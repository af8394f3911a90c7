"""`ink-tui list`: the sessions of a store, newest activity first."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ink_tui.commands.output import OK, complain, print_json, print_line
from ink_tui.model.text import one_line
from ink_tui.model.verdict import Verdict

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow
    from ink_tui.store.library import Library


def list_sessions(library: Library, *, as_json: bool, quick: bool, show_all: bool) -> int:
    """Print one row per session; empty and sub-agent sessions only when asked for.

    Args:
        library: The store.
        as_json: Print JSON Lines.
        quick: Print what the head and the last 64 KB of each file tell.
        show_all: Include sessions without a message and sub-agent sessions.
    """
    listing = library.scan(quick=quick)
    for root in listing.missing_roots:
        complain(f"{root} does not exist: no sessions there. ink-tui --demo shows some.")
    if not listing.rows and len(listing.missing_roots) < len(listing.roots):
        looked = ", ".join(root for root in listing.roots if root not in listing.missing_roots)
        complain(f"no sessions below {looked}. ink-tui --demo shows some.")
    for row in listing.rows:
        if not show_all and (row.child or (row.empty and row.error_kind is None)):
            continue
        if as_json:
            print_json(row_fields(row))
        else:
            print_line(_plain(row))
    return OK


def row_fields(row: SessionRow) -> dict[str, object]:
    """Return a list row by the names of `design.md` section 5; unknown facts are null."""
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
        "torn_bytes": row.torn_bytes if known else None,
        "model": row.model_id,
        "live": row.freshness,
    }


def _plain(row: SessionRow) -> str:
    when = iso_time(row.last_ms) or "-"
    identity = one_line(row.session_id or "-")[:8]
    title = one_line(row.title) or one_line(row.path.rsplit("/", 1)[-1])
    problem = "" if row.verdict in (None, Verdict.CLEAN) else row.error_kind or row.verdict
    return f"{when}  {identity:<8}  {title}" + (f"  ({problem})" if problem else "")


def iso_time(moment_ms: int | None) -> str | None:
    """Return a moment in milliseconds since 1970 as a time in UTC; nothing for none."""
    if moment_ms is None:
        return None
    return datetime.fromtimestamp(moment_ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
