"""R4 and R8: flipped bits, and damage of the structure made by the hundred."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.model.faults import Fault, FaultCode, Severity
from ink_tui.model.verdict import Verdict
from ink_tui.store.file_state import FileState
from ink_tui.store.repair import CutTail
from ink_tui.store.repair_plan import Reading, diagnosis_of, entry_count, plan_of
from tests.reliability.samples import line_starts, plain
from tests.sessions import answer, line, results, session, user
from tests.unit.repair_files import NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row

SEED = 20_260_302


def _flips(row: Row, path: Path, content: bytes, bits: Iterable[int]) -> None:
    """Flip single bits; nothing may crash and no repair may reach before the last line."""
    last = line_starts(content)[-2]
    for bit in bits:
        row.trial()
        place, mask = bit >> 3, 1 << (bit & 7)
        flipped = bytearray(content)
        flipped[place] ^= mask
        changed = bytes(flipped)
        diagnosis = diagnosis_of(changed)
        state = FileState(1, 1, len(changed), 0, "")
        tail = changed[diagnosis.session.tail.offset :]
        plan = plan_of(path, Reading(diagnosis, state, tail), now_ms=NOW)
        if diagnosis.verdict is not Verdict.CLEAN or diagnosis.faults:
            row.note("noticed")
        for step in plan.steps:
            if isinstance(step, CutTail):
                row.check(step.offset >= last, bit, "cut at", step.offset)
        row.check(plan.keep >= last, bit, "keeps only", plan.keep)
        if place < last and plan.allowed:
            row.check(plan.keep >= len(content) or changed[-1:] != b"\n", bit, "cut behind it")


def test_flipped_bits(ledger: Ledger, tmp_path: Path) -> None:
    what = "every third bit of 8 KB flipped: no crash, no repair before the last line"
    content = plain(8_192)
    with ledger.row("R4", what, least=21_846) as row:
        _flips(row, tmp_path / "a.jsonl", content, range(0, 8 * len(content), 3))


@pytest.mark.long
def test_every_flipped_bit(ledger: Ledger, tmp_path: Path) -> None:
    what = f"each bit of 8 KB, and bits of 42 KB by seed {SEED}: no crash, no wrong repair"
    with ledger.row("R4", what, least=85_536, part="long") as row:
        small, large = plain(8_192), plain(42_231)
        _flips(row, tmp_path / "a.jsonl", small, range(8 * len(small)))
        chance = random.Random(SEED)
        _flips(row, tmp_path / "b.jsonl", large, chance.sample(range(8 * len(large)), 20_000))


# --- damage of the structure ------------------------------------------------------------------


class _Made:
    """A sound session of some turns as a list of lines, to be damaged."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.lines = [session()]
        self.turns = chance.randrange(3, 9)
        parent: str | None = None
        for number in range(self.turns):
            word = chance.choice(["plain text", "工作 über", 'a "quote" and \\'])
            call = (f"call{number}", chance.choice(["bash", "edit"]), {"command": word})
            self.lines += [
                user(f"u{number}", parent, word, 10 * number),
                answer(f"a{number}", f"u{number}", calls=(call,), second=10 * number + 1),
                results(f"r{number}", f"a{number}", (call[0], call[1], word)),
                answer(f"e{number}", f"r{number}", word, second=10 * number + 4),
            ]
            parent = f"e{number}"

    def inside(self) -> int:
        """Any line but the header and the last."""
        return self.chance.randrange(1, len(self.lines) - 1)

    def offset(self, number: int) -> int:
        return sum(map(len, self.lines[:number]))

    def changed(self, number: int, **fields: Any) -> None:
        self.lines[number] = line(json.loads(self.lines[number]) | fields)

    @property
    def content(self) -> bytes:
        return b"".join(self.lines)


_Wanted = tuple[FaultCode, Severity, int, bool]
"""Class, severity, byte offset, and whether the session is refused."""


def _healed_tear(made: _Made) -> _Wanted:
    number = made.inside()
    whole = made.lines[number]
    fragment = whole[: made.chance.randrange(1, len(whole) - 1)]
    made.lines.insert(number, fragment + b"\n")
    return FaultCode.INVALID_JSON, Severity.DAMAGE, made.offset(number), True


def _split_record(made: _Made) -> _Wanted:
    number = made.inside()
    whole = made.lines[number]
    place = made.chance.randrange(1, len(whole) - 1)
    made.lines[number] = whole[:place] + b"\n" + whole[place:]
    return FaultCode.INVALID_JSON, Severity.DAMAGE, made.offset(number), True


def _missing_parent(made: _Made) -> _Wanted:
    number = made.inside()
    made.changed(number, parentId="neverwritten")
    return FaultCode.MISSING_PARENT, Severity.REFUSED, made.offset(number), True


def _missing_parent_aside(made: _Made) -> _Wanted:
    number = made.inside()
    made.lines.insert(number, user("aside", "neverwritten", "aside"))
    return FaultCode.MISSING_PARENT, Severity.DAMAGE, made.offset(number), False


def _cycle(made: _Made) -> _Wanted:
    number = made.inside()
    later = made.chance.randrange(number, len(made.lines))
    made.changed(number, parentId=json.loads(made.lines[later])["id"])
    return FaultCode.CYCLE, Severity.REFUSED, made.offset(number), True


def _duplicate(made: _Made) -> _Wanted:
    number = made.chance.randrange(1, len(made.lines))
    made.lines.insert(number, made.lines[number])
    return FaultCode.DUPLICATE_ID, Severity.INFO, made.offset(number + 1), False


def _orphan(made: _Made) -> _Wanted:
    turn = made.chance.randrange(made.turns)
    number = 4 * turn + 1
    name = f"orphan{made.chance.randrange(1000)}"
    orphan = results("o1", _parent_of(made, number), (name, "bash", "x"))
    made.lines.insert(number, orphan)
    made.changed(number + 1, parentId="o1")
    return FaultCode.ORPHAN_RESULT, Severity.REFUSED, made.offset(number), True


def _parent_of(made: _Made, number: int) -> str | None:
    parent = json.loads(made.lines[number])["parentId"]
    assert parent is None or isinstance(parent, str)
    return parent


_CLASSES: dict[str, Callable[[_Made], _Wanted]] = {
    "healed tear": _healed_tear,
    "split record": _split_record,
    "missing parent": _missing_parent,
    "missing parent aside": _missing_parent_aside,
    "cycle": _cycle,
    "duplicate id": _duplicate,
    "orphan result": _orphan,
}


@pytest.mark.parametrize("name", list(_CLASSES))
def test_damage_of_the_structure(ledger: Ledger, tmp_path: Path, name: str) -> None:
    what = f"{name}: right class, severity and byte; never repaired when refused"
    with ledger.row(f"R8 {name}", what, least=300) as row:
        for seed in range(300):
            made = _Made(random.Random(SEED + seed))
            code, severity, offset, refused = _CLASSES[name](made)
            row.trial()
            diagnosis = diagnosis_of(made.content)
            found = [fault for fault in diagnosis.faults if fault.code is code]
            row.check(bool(found), seed, "not found among", [f.code for f in diagnosis.faults])
            if found:
                row.check(found[0].severity is severity, seed, found[0].severity)
                row.check(_place(found[0]) == offset, seed, "at", _place(found[0]), "not", offset)
            row.check((diagnosis.verdict is Verdict.REFUSE) == refused, seed, diagnosis.verdict)
            row.check(entry_count(diagnosis.session) >= 4 * made.turns - 1, seed, "records lost")
            state = FileState(1, 1, len(made.content), 0, "")
            plan = plan_of(tmp_path / "a.jsonl", Reading(diagnosis, state, b""), now_ms=NOW)
            row.check(not plan.steps, seed, "a repair was planned")


def _place(fault: Fault) -> int:
    return fault.span.offset if fault.span is not None else -1
