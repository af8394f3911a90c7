"""The end of a session, shown while the rest of a long file is still being read.

Only the branch that will be continued is shown, as far as it is known for certain, and nothing is
said of it that the unread records could make wrong: no number of a turn, no judgement on results
whose calls are not read, no branches, no verdict. Rows and blocks have the keys that they have when
the session is whole, so that a selection stays where it is.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from ink_tui.model.context import build_context
from ink_tui.model.entries import (
    LabelEntry,
    MessageEntry,
    ModelMarker,
    PositionMarker,
    UnknownEntry,
)
from ink_tui.model.faults import FaultCode
from ink_tui.model.messages import ToolResultMessage
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_entries import result_notes
from ink_tui.model.outline_rows import (
    EARLIER_KEY,
    LOUD,
    NO_OUTLINE,
    Outline,
    OutlineRow,
    RowKind,
)
from ink_tui.model.tool_calls import Pairing, pair_calls
from ink_tui.model.transcript import Block, NoteBody, OrphanBody, Transcript, TurnBody
from ink_tui.model.transcript_build import build_transcript
from ink_tui.model.tree import branch_to, build_tree, find_leaf
from ink_tui.model.verdict import concluded
from ink_tui.model.words import Mark

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ink_tui.model.entries import EntryId, Node, Record
    from ink_tui.model.faults import Fault
    from ink_tui.model.session import Session
    from ink_tui.model.verdict import Diagnosis

EARLIER_WORDS = "earlier records are being read"
"""What stands at the top, in the place of what is not read yet."""
SO_FAR = "so far here; the session is still being read"
"""What the resume point says: a record that is not read may make it unusable."""


def diagnosed_ending(session: Session) -> Diagnosis | None:
    """Return the known end of the branch that will be continued, as a session of its own.

    Its verdict, counts and context say nothing of the session as a whole.

    Args:
        session: What the end of the file tells, with its header.

    Returns:
        `None` where the end does not tell which branch that is.
    """
    cut = _cut(session)
    if cut is None:
        return None
    tree = build_tree(cut)
    branch = branch_to(cut, tree.leaf)
    context = build_context(branch.entries)
    pairing = None
    if context.error is None:
        # Results without a call, and ids that stand twice, are not judged: the calls may be unread.
        found = pair_calls([item.message for item in context.messages])
        pairing = Pairing(found.calls, (), None, None, None)
    return concluded(cut, tree, branch, context, pairing, "")


def _cut(session: Session) -> Session | None:
    """Return a session of the known end of its branch alone, which has no parent any more."""
    leaf = _sure_leaf(session)
    branch = branch_to(session, leaf)
    if leaf is None or branch.error is FaultCode.CYCLE:
        return None
    first, *later = _from_a_call(branch.entries)
    entries = (replace(first, parent_id=None), *later)
    by_place: dict[int, Node] = {node.span.offset: node for node in entries}
    nodes: dict[EntryId, Node] = {node.id: node for node in entries if node.id is not None}
    start = min(by_place)
    if any(piece.record.span.offset >= start for piece in session.recovered):
        return None  # what was recovered may connect what is not read
    elsewhere = {node.span.offset for node in session.nodes.values()} - by_place.keys()
    records: list[Record] = []
    for record in session.records:
        if record.span.offset < start:
            continue
        shown = by_place.get(record.span.offset)
        if shown is not None:
            records.append(shown)
        elif _stands_aside(record, session, nodes):
            records.append(record)
    labels = {target: label for target, label in session.labels.items() if target in nodes}
    cut = replace(
        session,
        records=tuple(records),
        nodes=MappingProxyType(nodes),
        labels=MappingProxyType(labels),
        faults=tuple(fault for fault in session.faults if _is_shown(fault, elsewhere, start)),
        error_line=None,
        error_line_agent=None,
        bad_lines=(),
        lines=0,
        duplicates=MappingProxyType({}),
        label_entries=tuple(each for each in records if isinstance(each, LabelEntry)),
        recovered=(),
        recovered_header=None,
    )
    return cut if find_leaf(cut)[0] == leaf else None


def _from_a_call(entries: tuple[Node, ...]) -> tuple[Node, ...]:
    """Leave out the results at the start of a branch: the call that they stand with is missing."""
    for at, node in enumerate(entries):
        if not (isinstance(node, MessageEntry) and isinstance(node.message, ToolResultMessage)):
            return entries[at:]
    return entries


def _is_shown(fault: Fault, elsewhere: set[int], start: int) -> bool:
    """Whether a fault of a line is seen in the known end: not that of a record elsewhere."""
    place = fault.span.offset if fault.span is not None else start
    return place >= start and place not in elsewhere


def _sure_leaf(session: Session) -> EntryId | None:
    """Return the leaf if no record before the end could make it another one.

    The last entry is in the end, and a marker behind it that names a record names one of the end.
    """
    for record in reversed(session.records):
        if isinstance(record, PositionMarker):
            if record.valid and record.leaf_id not in session.nodes:
                return None
        elif isinstance(record, UnknownEntry):
            if record.id is not None and session.nodes.get(record.id) is record:
                break
        elif not isinstance(record, LabelEntry | ModelMarker):
            break
    else:
        return None
    return find_leaf(session)[0]


def _stands_aside(record: Record, session: Session, nodes: Mapping[EntryId, Node]) -> bool:
    """Whether a record that is no entry of the branch is shown beside it, at its place."""
    if isinstance(record, LabelEntry):
        return record.target_id in nodes
    if isinstance(record, PositionMarker):
        return not record.valid or record.leaf_id in nodes
    if isinstance(record, UnknownEntry):
        return record.id is None or session.nodes.get(record.id) is not record
    return isinstance(record, ModelMarker)


# The tree


def ending_outline(diagnosis: Diagnosis, *, running: bool, writing: bool) -> Outline:
    """Return the rows of a known end, under one that stands for what is not read.

    Args:
        diagnosis: What `diagnosed_ending` gave.
        running: An agent is known to hold the session: open calls are running.
        writing: The file changed a moment ago: an unfinished last line is being written.
    """
    made = build_outline(diagnosis, running=running, writing=writing)
    bad = {fault.span.offset for fault in diagnosis.session.faults if fault.span is not None}
    refused = not diagnosis.session.readable
    seen = _without_fold(made.rows)
    rows = (_EARLIER_ROW, *(_without_judgement(row, bad, refused=refused) for row in seen))
    places = {row.key: at for at, row in enumerate(rows)}
    by_entry = {entry: key for entry, key in made.by_entry.items() if key in places}
    return replace(
        made,
        rows=rows,
        places=MappingProxyType(places),
        by_entry=MappingProxyType(by_entry),
        empty=False,
    )


def _without_fold(rows: Sequence[OutlineRow]) -> Iterator[OutlineRow]:
    """Yield the rows without the fold of those that were summarised away: it counts them.

    What is inside of it, and not seen while it is closed, is left out with it.
    """
    fold: str | None = None
    for row in rows:
        if row.kind is RowKind.FOLD:
            fold = row.key
        elif fold is None or row.inside != fold:
            yield row
        elif row.look in LOUD:
            yield replace(row, inside=None)


_EARLIER_ROW = OutlineRow(
    EARLIER_KEY, RowKind.HEADING, EARLIER_WORDS, "this is the end of the session"
)
UNREAD_OUTLINE = replace(
    NO_OUTLINE,
    rows=(_EARLIER_ROW,),
    places=MappingProxyType({EARLIER_KEY: 0}),
    empty=False,
)
"""The tree while nothing is known but that the session is being read."""


def _without_judgement(row: OutlineRow, bad: set[int], *, refused: bool) -> OutlineRow:
    """Return a row that says nothing which the records before it could make wrong."""
    if row.kind is RowKind.RESUME:
        said = row.text if refused else SO_FAR
        return replace(row, text=said, time_ms=None, mark=Mark.NONE)
    if row.span is not None and row.span.offset in bad:
        return row
    if row.kind is RowKind.RESULT and row.result is not None:
        notes = result_notes(None, row.result)[0]
        return replace(row, mark=Mark.NONE, notes=notes or ("result",))
    return row


# The transcript


def ending_transcript(diagnosis: Diagnosis) -> Transcript:
    """Return the blocks of a known end, under one that stands for what is not read.

    It cannot be replayed: where its records stand in the session is not known.

    Args:
        diagnosis: What `diagnosed_ending` gave.
    """
    made = build_transcript(diagnosis)
    blocks = (_EARLIER_BLOCK, *(_without_number(block) for block in made.blocks))
    return Transcript(blocks, 0, 0)


_EARLIER_BLOCK = Block(
    EARLIER_KEY, None, None, None, 0, False, NoteBody("reading", "earlier records")
)
UNREAD_TRANSCRIPT = Transcript((_EARLIER_BLOCK,), 0, 0)
"""The transcript while nothing is known but that the session is being read."""


def _without_number(block: Block) -> Block:
    if isinstance(block.body, TurnBody):
        return replace(block, body=replace(block.body, number=0))
    if isinstance(block.body, OrphanBody):
        return replace(block, body=replace(block.body, unread=True))
    return block
