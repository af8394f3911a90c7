"""Records of a session read again from their places, with all of their texts.

A session of a big file is kept light (`ink_tui.model.light`): what is shown or copied whole is read
here, in a worker.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.formats.ink.constants import FAR_BYTES
from ink_tui.formats.registry import INK
from ink_tui.model.entries import MessageEntry
from ink_tui.model.light import has_cut
from ink_tui.model.messages import AssistantMessage, UserMessage
from ink_tui.model.row_making import grown_row, row_of
from ink_tui.model.summary import gist_of
from ink_tui.model.whole_blocks import is_start_of
from ink_tui.store.files import UnreadableError, open_for_reading, read_range
from ink_tui.store.history import history_of
from ink_tui.store.reader import SessionReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ink_tui.model.entries import Node, Record, Span
    from ink_tui.model.gist import Gist
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.reader import FarReader


LIGHT_ABOVE = 16 << 20
"""Bytes of a file above which only the start of its long texts is kept (`ink_tui.model.light`)."""


def light_reader(path: str, history: bytes, far: FarReader | None) -> SessionReader:
    """Return a reader that keeps a big file light.

    Args:
        path: The file.
        history: Digests of what it held before this program started; empty where none are known.
        far: Reads very long lines elsewhere.
    """
    return SessionReader(path, seen=history_of(history), light_above=LIGHT_ABOVE, far=far)


def read_records(
    path: str, spans: Iterable[Span], far: FarReader | None = None
) -> dict[int, Record]:
    """Return the records at some places of a file, by their offset; what is none is left out.

    Oversized records are left out as well: only their bytes can be looked at.

    Args:
        path: The file.
        spans: The places.
        far: Reads very long ones elsewhere.

    Raises:
        UnreadableError: The file cannot be read.
    """
    found: dict[int, Record] = {}
    with open_for_reading(path) as (descriptor, _state):
        for span in dict.fromkeys(spans):
            if span.oversized:
                continue
            if far is not None and span.length > FAR_BYTES:
                record = far.record(path, span)
            else:
                record = INK.record(read_range(descriptor, span.offset, span.length), span)
            if record is not None:
                found[span.offset] = record
    return found


def row_of_read(reader: SessionReader, diagnosis: Diagnosis, *, child_by_place: bool) -> SessionRow:
    """Return the list row of a session that was read, with all that it tells of what was said.

    Args:
        reader: It has read the session.
        diagnosis: The session.
        child_by_place: Whether the file lies in a folder of sub-agent sessions.
    """
    known = reader.row
    if known is not None and known[1] is diagnosis:
        return known[0]
    row = grown_row(*known, diagnosis) if known is not None else None
    row = row or row_of(diagnosis, reader.path, child_by_place=child_by_place)
    if reader.light:
        with suppress(UnreadableError):
            gist = whole_gist(reader.path, diagnosis.branch.entries, reader.far)
            row = replace(row, gist=gist)
    reader.row = (row, diagnosis)
    return row


def whole_gist(path: str, branch: Sequence[Node], far: FarReader | None = None) -> Gist:
    """Return the first and last things that were said, whole, of a branch that is kept light.

    Args:
        path: The file.
        branch: Entries from a root to the leaf.
        far: Reads very long records elsewhere.

    Raises:
        UnreadableError: The file cannot be read.
    """
    asked = _first_said(branch, UserMessage)
    others = (_first_said(reversed(branch), kind) for kind in (UserMessage, AssistantMessage))
    said = [node for node in (asked, *others) if node is not None]
    records = read_records(path, [node.span for node in said if has_cut(node.message)], far)
    return gist_of(tuple(_fitting(node, records.get(node.span.offset)) for node in said))


def _first_said(
    branch: Iterable[Node], kind: type[UserMessage | AssistantMessage]
) -> MessageEntry | None:
    """Return the first message of a kind that says something."""
    for node in branch:
        if not isinstance(node, MessageEntry):
            continue
        message = node.message
        if not isinstance(message, UserMessage | AssistantMessage):
            continue
        if isinstance(message, kind) and message.text:
            return node
    return None


def _fitting(node: MessageEntry, record: Record | None) -> MessageEntry:
    fits = isinstance(record, MessageEntry) and is_start_of(node, record)
    return record if fits and isinstance(record, MessageEntry) else node
