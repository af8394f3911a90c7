"""The block of the record that is selected in a session, whole, wherever it is selected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.errors import InkTuiError
from ink_tui.model.outline_rows import RowKind
from ink_tui.model.transcript import Block, TextBody, ThinkingBody, Transcript
from ink_tui.model.transcript_build import build_transcript
from ink_tui.model.tree import branch_to
from ink_tui.model.whole_blocks import is_light, wanted_spans, whole_block
from ink_tui.store.whole_records import read_records
from ink_tui.tui.render.head_lines import Tab

if TYPE_CHECKING:
    from ink_tui.model.entries import EntryId
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.reader import FarReader
    from ink_tui.tui.widgets.session_pane import SessionPane

_KINDS = {RowKind.THINKING: ThinkingBody, RowKind.ASSISTANT: TextBody}


@dataclass(frozen=True, slots=True)
class RecordAtHand:
    """What is selected in a session; `whole_at_hand` finds its block."""

    path: str
    """File of the session."""
    cwd: str
    """Folder of the session, as its header has it."""
    diagnosis: Diagnosis | None
    """`None` where only the end of a long session is known."""
    transcript: Transcript
    block: Block | None
    """The block itself, where that is what is selected."""
    entry_id: EntryId | None
    call_id: str | None
    kind: type[ThinkingBody] | type[TextBody] | None
    """Which block of the record is meant, where it has several."""


def selected_in(pane: SessionPane) -> RecordAtHand | None:
    """Return what is selected in the tab of a session that is shown; `None` for nothing."""
    path, views = pane.path, pane.views
    if path is None:
        return None
    block: Block | None = None
    kind: type[ThinkingBody] | type[TextBody] | None = None
    entry_id, call_id = pane.entry_id, None
    if pane.active is Tab.TRANSCRIPT:
        block = pane.transcript.view.selected
    elif pane.active is Tab.TREE and pane.tree_view.highlighted is not None:
        row = pane.tree_view.highlighted
        call_id = row.call.call_id if row.call is not None else None
        kind = _KINDS.get(row.kind)
    elif pane.active is Tab.CONTEXT:
        entry_id = pane.context_view.entry_of(pane.context_view.selected or "")
    if block is None and entry_id is None:
        return None
    if views is not None:
        diagnosis: Diagnosis | None = views.opened.diagnosis
        header = views.opened.diagnosis.session.header
        cwd = header.cwd if header is not None else ""
    else:
        diagnosis = pane.ending.diagnosis if pane.ending is not None else None
        cwd = pane.ending.cwd if pane.ending is not None else ""
    transcript = pane.whole_transcript
    return RecordAtHand(path, cwd, diagnosis, transcript, block, entry_id, call_id, kind)


def whole_at_hand(at: RecordAtHand, far: FarReader | None) -> Block | None:
    """Return the block with all of its texts; only their start where the file has no more.

    Blocks, call it from a thread.

    Args:
        at: What is selected.
        far: What reads very long lines.

    Returns:
        `None` where the record has no block.
    """
    block = at.block or _block_of(at, at.transcript)
    if block is None and at.entry_id is not None and at.diagnosis is not None:
        branch = branch_to(at.diagnosis.session, at.entry_id)
        block = _block_of(at, build_transcript(at.diagnosis, branch))
    if block is None or not is_light(block):
        return block
    try:
        records = read_records(at.path, wanted_spans(block), far)
    except InkTuiError:
        return block
    return whole_block(block, records) or block


def _block_of(at: RecordAtHand, transcript: Transcript) -> Block | None:
    if at.entry_id is None:
        return None
    if at.kind is not None:
        for block in transcript.blocks:
            if block.entry_id == at.entry_id and isinstance(block.body, at.kind):
                return block
    return transcript.block_of(at.entry_id, at.call_id) or transcript.block_of(at.entry_id)
