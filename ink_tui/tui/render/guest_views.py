"""The records of another session for a tree that unfolds it, made ready in a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.ids import EntryId
from ink_tui.model.liveness import Freshness, HolderKind
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_guests import guest_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.outline_rows import OutlineRow
    from ink_tui.store.library import Library


def load_guests(
    library: Library,
    path: str,
    child_records: Mapping[str, int],
    *,
    copied: bool,
    running: bool = False,
) -> tuple[OutlineRow, ...]:
    """Read a session and return what a tree shows of it; blocks on its file.

    Args:
        library: Where it is read.
        path: Its file.
        child_records: Records of sub-agent sessions by header id.
        copied: Only what it has beyond its original.
        running: An agent of ours holds it.

    Raises:
        UnreadableError: It cannot be read and never was.
    """
    opened = library.open(path)
    header = opened.diagnosis.session.header
    after = None
    if copied and header is not None and header.forked_from is not None:
        after = header.forked_from[1]
    live = (
        running
        or opened.row.freshness is Freshness.WRITING
        or opened.row.holder.kind is HolderKind.CERTAIN
    )
    outline = build_outline(opened.diagnosis, child_records=child_records, running=live)
    return guest_rows(outline, path, EntryId(after) if after is not None else None)
