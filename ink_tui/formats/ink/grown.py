"""The session of a file that has grown by messages, from the session that it was.

An agent that works appends whole messages. Then nothing of the other lines has to be looked at
again: what is copied is copied in one go, however long the session is.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from ink_tui.formats.ink.tail import judge_tail
from ink_tui.model.entries import MessageEntry
from ink_tui.model.faults import TailState
from ink_tui.model.mappings import copied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.formats.ink.records import BadLine
    from ink_tui.model.entries import EntryId, Node, Record
    from ink_tui.model.session import Session


def grown_session(
    last: Session, appended: Sequence[Record | BadLine], lines: int, size: int
) -> Session | None:
    """Return what `build_session` makes of a file; `None` where it must look at all of it.

    Args:
        last: The session as it was; its last line was whole.
        appended: The lines that are new and not blank. The last one is whole, too.
        lines: Physical lines of the file now.
        size: Its bytes.
    """
    if last.tail.state is not TailState.OK:
        return None
    labels = {label.id for label in last.label_entries}
    fresh: dict[EntryId, MessageEntry] = {}
    newest = last.last_time_ms
    for item in appended:
        if type(item) is not MessageEntry or item.id in last.nodes or item.id in labels:
            return None
        fresh[item.id] = item
        if item.time_ms is not None and (newest is None or item.time_ms > newest):
            newest = item.time_ms
    if len(fresh) < len(appended):
        return None
    nodes: dict[EntryId, Node] = copied(last.nodes)
    nodes.update(fresh)
    return replace(
        last,
        records=(*last.records, *fresh.values()),
        nodes=MappingProxyType(nodes),
        tail=judge_tail(None, None, size),
        size=size,
        lines=lines,
        last_time_ms=newest,
    )
