"""What the head and the last 64 KB of a session file tell, for a first row at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.formats.registry import INK
from ink_tui.model.listing import SessionRow
from ink_tui.model.row_making import row_of
from ink_tui.model.summary import is_empty
from ink_tui.model.verdict import diagnose
from ink_tui.store.files import open_for_reading, read_range

if TYPE_CHECKING:
    from ink_tui.store.discover import FoundFile

EDGE_BYTES = 65_536
"""Bytes read at either end of a file."""


def quick_row(found: FoundFile) -> SessionRow:
    """Return the row of a file from its two ends; `complete` when they are the whole file.

    Title and working directory come from the head, the time from the newest stamp in the last
    64 KB; everything that needs the whole file is unknown.

    Raises:
        UnreadableError: The file cannot be read.
    """
    with open_for_reading(found.path) as (descriptor, state):
        head = read_range(descriptor, 0, EDGE_BYTES)
        rest = state.size - len(head)
        end = read_range(descriptor, max(len(head), state.size - EDGE_BYTES), min(rest, EDGE_BYTES))
    if rest <= EDGE_BYTES:
        parser = INK.parser()
        parser.feed(head + end)
        row = row_of(diagnose(parser.session()), found.path, child_by_place=found.child_by_place)
        return replace(row, changed_ms=state.changed_ms)
    head = head[: head.rfind(b"\n") + 1]
    first_line = head[: head.find(b"\n") + 1]
    parser = INK.parser()
    parser.feed(head)
    begun = diagnose(parser.session())
    parser = INK.parser()
    parser.feed(first_line + end[end.find(b"\n") + 1 :])
    ended = parser.session()
    row = row_of(begun, found.path, child_by_place=found.child_by_place)
    refused = begun.session.header is None
    return SessionRow(
        path=found.path,
        session_id=row.session_id,
        cwd=row.cwd,
        title=row.title,
        last_ms=ended.last_time_ms or state.changed_ms,
        started_ms=row.started_ms,
        size=state.size,
        child=row.child,
        parent_id=row.parent_id,
        launch_parent_id=row.launch_parent_id,
        forked_from=row.forked_from,
        forked_at=row.forked_at,
        empty=row.empty and refused,
        message_seen=row.message_seen or not is_empty(ended),
        verdict=row.verdict if refused else None,
        error_kind=row.error_kind if refused else None,
        changed_ms=state.changed_ms,
        tail_known=False,
        complete=False,
    )
