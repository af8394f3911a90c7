"""R7: a whole record behind a fragment on one line is found, shown, and never cut."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.model.outline import build_outline
from ink_tui.model.plain import transcript_text
from ink_tui.model.recovered import RecoveredHow
from ink_tui.store.file_state import FileState
from ink_tui.store.repair_plan import Reading, diagnosis_of, plan_of
from tests.reliability.samples import fifty_records
from tests.sessions import HEADER, line, user
from tests.unit.repair_files import NOW, OLD_NS

if TYPE_CHECKING:
    from ink_tui.model.session import Session
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.repair_plan import RepairPlan
    from tests.reliability.ledger import Ledger, Row

SEED = 20_260_307
_HEAD = line(HEADER)
_NOTE = "recovered from line 3"
_ENDS = ("no newline", "newline", "more records")
"""What follows the glued line; each cut takes the next one."""


def _glued(record: bytes, cut: int, whole: bytes) -> tuple[bytes, int, str]:
    """Return a session whose third line holds both, where the whole one begins, and its end."""
    held = json.loads(whole)
    before = _HEAD + user(held["parentId"], None, "before")
    end = _ENDS[cut % len(_ENDS)]
    after = {"no newline": b"", "newline": b"\n"}.get(end)
    if after is None:
        after = b"\n" + user("z1", held["id"], "go on")
    return before + record[:cut] + whole + after, len(before) + cut, end


def _plan(data: bytes, diagnosis: Diagnosis) -> RepairPlan:
    state = FileState(1, 1, len(data), OLD_NS, "")
    reading = Reading(diagnosis, state, data[diagnosis.session.tail.offset :])
    return plan_of(Path("session.jsonl"), reading, now_ms=NOW)


def _found(row: Row, session: Session, at: int, whole: bytes, words: str) -> None:
    """The glued record was found, it alone, at its exact bytes."""
    wanted = json.loads(whole)["id"]
    found = [getattr(piece.record, "id", None) for piece in session.recovered]
    row.check(found == [wanted], words, "found", found, "of", wanted)
    for piece in session.recovered:
        span = (piece.record.span.offset, piece.record.span.length)
        row.check(span == (at, len(whole)), words, "at", span)
        row.check(piece.how is RecoveredHow.GLUED, words, piece.how)


def _shown(row: Row, diagnosis: Diagnosis, wanted: str, words: str) -> None:
    """The glued record is a row of the tree, and the transcript says where it was found."""
    rows = [each for each in build_outline(diagnosis).rows if each.entry_id == wanted]
    row.check(any(_NOTE in each.notes for each in rows), words, "is not so marked in the tree")
    told = any(_NOTE in each for each in transcript_text(diagnosis))
    row.check(told, words, "is not in the transcript")


def _glue(row: Row, number: int, record: bytes, cut: int, whole: bytes) -> None:
    data, at, end = _glued(record, cut, whole)
    words = f"record {number} cut at {cut}, {end}"
    diagnosis = diagnosis_of(data)
    row.trial()
    row.note(end)
    _found(row, diagnosis.session, at, whole, words)
    _shown(row, diagnosis, json.loads(whole)["id"], words)
    plan = _plan(data, diagnosis)
    row.check(not plan.allowed and not plan.steps, words, "would be repaired:", plan.sentence)


def _every_cut(row: Row, seed: int, *, every: int = 1) -> None:
    records = fifty_records()
    draw = random.Random(seed)
    for number, record in enumerate(records):
        for cut in range(1 + draw.randrange(every), len(record), every):
            _glue(row, number, record, cut, records[draw.randrange(len(records))])


def test_every_cut_of_fifty_records(ledger: Ledger) -> None:
    what = "50 records cut at every byte, another glued behind: it alone is found, shown, never cut"
    with ledger.row("R7", what, least=10_000) as row:
        _every_cut(row, SEED)
