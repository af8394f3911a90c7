"""A hit in its surroundings, made ready in a worker. Blocks on a bounded read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ink_tui.model.entries import EntryId
from ink_tui.model.transcript import (
    EMPTY,
    UNSETTLED,
    Block,
    OrphanBody,
    ToolBody,
    ToolState,
    Transcript,
)
from ink_tui.model.transcript_build import build_transcript
from ink_tui.model.tree import Branch
from ink_tui.model.verdict import diagnose
from ink_tui.store.search.nearby import read_nearby

if TYPE_CHECKING:
    from ink_tui.model.entries import Node
    from ink_tui.model.session import Session
    from ink_tui.store.search.nearby import Nearby
    from ink_tui.store.search.values import Hit


@dataclass(frozen=True, slots=True)
class HitPreview:
    """Some blocks around a hit."""

    transcript: Transcript
    cwd: str
    block: Block | None
    """The block of the hit; `None` where it has none of its own."""


NO_PREVIEW = HitPreview(EMPTY, "", None)


def load_preview(path: str, hit: Hit) -> HitPreview:
    """Read the records around a hit and make blocks of them; call it from a worker.

    Args:
        path: File of the session.
        hit: A hit in it.

    Raises:
        UnreadableError: The file cannot be read.
    """
    nearby = read_nearby(path, hit.offset)
    session = nearby.session
    entry_id = EntryId(hit.entry_id) if hit.entry_id is not None else None
    branch = _branch_through(session, entry_id)
    if not branch.entries:
        return NO_PREVIEW
    transcript = _as_far_as_known(build_transcript(diagnose(session), branch), nearby)
    block = None
    if entry_id is not None:
        block = transcript.block_of(entry_id, hit.call_id or None)
        block = block or transcript.block_of(entry_id)
    cwd = session.header.cwd if session.header is not None else ""
    return HitPreview(transcript, cwd, block)


def _branch_through(session: Session, entry_id: EntryId | None) -> Branch:
    """Return what leads to a record and what follows from it, as far as that was read."""
    nodes = session.nodes
    start = nodes.get(entry_id) if entry_id is not None else next(iter(nodes.values()), None)
    if start is None:
        return Branch((), None)
    before: list[Node] = []
    seen = {start.id}
    node = start
    while node.parent_id is not None and node.parent_id not in seen:
        parent = nodes.get(node.parent_id)
        if parent is None:
            break
        before.append(parent)
        seen.add(parent.id)
        node = parent
    newest = {each.parent_id: each for each in nodes.values()}
    after: list[Node] = []
    child = newest.get(start.id)
    while child is not None and child.id not in seen:
        after.append(child)
        seen.add(child.id)
        child = newest.get(child.id)
    return Branch((*reversed(before), start, *after), None)


def _as_far_as_known(transcript: Transcript, nearby: Nearby) -> Transcript:
    """Return blocks that claim nothing of what was not read: results and calls farther away."""
    blocks = transcript.blocks
    if not nearby.whole_start:
        blocks = tuple(each for each in blocks if not isinstance(each.body, OrphanBody))
    if not nearby.whole_end:
        blocks = tuple(_without_claim(each) for each in blocks)
    return replace(transcript, blocks=blocks)


def _without_claim(block: Block) -> Block:
    body = block.body
    if isinstance(body, ToolBody) and body.state in UNSETTLED:
        return replace(block, body=replace(body, state=ToolState.NOT_REACHED))
    return block
