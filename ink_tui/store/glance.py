"""First rows of session files from a look at their two ends, for thousands of files at once."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.formats.ink.glance import glance
from ink_tui.model.faults import TailState
from ink_tui.model.listing import SessionRow
from ink_tui.store.files import open_for_reading

if TYPE_CHECKING:
    from ink_tui.store.discover import FoundFile

HEAD_BYTES = 8_192
"""Bytes read at the beginning of a long file; more where the first question is not there."""

EDGE_BYTES = 65_536
"""Most bytes read at either end."""

LAST_LINE_BYTES = 1 << 20
"""Most bytes read for a last line that is longer than that; how a longer one ends is not told."""


def glance_row(found: FoundFile) -> SessionRow:
    """Return the first row of a file; `complete` only when its header is refused by Ink.

    Raises:
        UnreadableError: The file cannot be read.
    """
    looked_at = found.state is not None
    with open_for_reading(found.path, looked_at=looked_at) as (descriptor, state):
        # One read where the whole file is no more than one end.
        head = os.pread(descriptor, HEAD_BYTES if state.size > EDGE_BYTES else EDGE_BYTES, 0)
        whole = len(head) >= state.size
        end = b"" if whole else os.pread(descriptor, EDGE_BYTES, max(0, state.size - EDGE_BYTES))
        seen = glance(head, end, whole=whole)
        if not whole and (seen is None or not seen.title):
            head = os.pread(descriptor, EDGE_BYTES, 0)
            seen = glance(head, end, whole=False)
        if seen is not None and seen.tail is None:
            start = max(0, state.size - LAST_LINE_BYTES)
            longer = glance(head, os.pread(descriptor, LAST_LINE_BYTES, start), whole=False)
            seen = replace(seen, tail=longer.tail if longer is not None else None)
    if seen is None:
        from ink_tui.store.quick import quick_row  # few are refused

        return quick_row(found)
    header = seen.header
    fork = header.forked_from or (None, None)
    tail = seen.tail
    return SessionRow(
        path=found.path,
        session_id=header.id,
        cwd=header.cwd,
        title=seen.name or seen.title,
        last_ms=seen.last_ms or state.changed_ms,
        started_ms=header.time_ms,
        size=state.size,
        child=found.child_by_place or header.parent_id is not None,
        parent_id=header.parent_id,
        launch_parent_id=header.launch_parent_id,
        forked_from=fork[0],
        forked_at=fork[1],
        empty=whole and not seen.message_seen,
        message_seen=seen.message_seen,
        tail_state=tail.state if tail is not None else TailState.OK,
        torn_bytes=tail.torn_bytes if tail is not None else 0,
        tail_known=tail is not None,
        changed_ms=state.changed_ms,
        complete=False,
    )
