"""Reading one session whole for its list row."""

from __future__ import annotations

from dataclasses import replace

from ink_tui.model.row_making import row_of
from ink_tui.store.findings import Finding
from ink_tui.store.history import history_of
from ink_tui.store.reader import SessionReader


def read_whole(path: str, *, child: bool, seen: bytes = b"") -> Finding:
    """Return what a session file is, read from its first byte to its last.

    Args:
        path: The file.
        child: Whether it lies in a folder of sub-agent sessions.
        seen: Digests of what it held before; a change of that is noted in the row.

    Raises:
        UnreadableError: It cannot be read.
    """
    reader = SessionReader(path, seen=history_of(seen), skimming=True)
    diagnosis = reader.read()
    state = reader.state
    assert state is not None
    row = row_of(diagnosis, path, child_by_place=child)
    row = replace(row, changed_ms=state.changed_ms, rewritten_at=reader.changed_at)
    return Finding(state, row, reader.history.to_bytes())
