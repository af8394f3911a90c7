"""R2, R3 and R6: a file that ends anywhere, or in something that is no record."""

from __future__ import annotations

import shutil
from bisect import bisect_right
from typing import TYPE_CHECKING

import pytest

from ink_tui.formats.registry import INK
from ink_tui.model.faults import FaultCode, TailState
from ink_tui.model.verdict import Diagnosis, diagnose
from ink_tui.store.repair import CutTail, apply_repair, plan_repair
from ink_tui.store.repair_plan import diagnosis_of, entry_count
from tests.reliability.samples import (
    PLAIN_BYTES,
    compacted,
    line_starts,
    plain,
    strictly_read,
    wide,
)
from tests.sessions import answer, session, simple, user
from tests.unit.case_files import REAL
from tests.unit.repair_files import NOW, put

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row

_TORN = b'{"type":"message","id":"torn","parentId":"a4","message":{"role":"us'


class _Truth:
    """What every truncation of a sound file must be, worked out from its newlines alone."""

    def __init__(self, content: bytes) -> None:
        self._starts = line_starts(content)
        self._entries = [0]
        for start in self._starts[:-1]:
            kind = content[start : start + 24]
            counts = not kind.startswith((b'{"type":"position"', b'{"type":"session_mod'))
            self._entries.append(self._entries[-1] + (counts and start > 0))

    def check(self, row: Row, cut: int, diagnosis: Diagnosis) -> None:
        """Hold the diagnosis of the first `cut` bytes against the truth."""
        number = bisect_right(self._starts, cut) - 1
        start = self._starts[number]
        at_end = cut == start
        only_newline = not at_end and self._starts[number + 1] - 1 == cut
        session = diagnosis.session
        row.trial()
        if cut == 0:
            row.check(session.error_kind is FaultCode.EMPTY_FILE, "empty", session.error_kind)
            return
        if number == 0 and not only_newline:
            row.check(session.error_kind is FaultCode.BAD_HEADER, cut, session.error_kind)
            return
        row.check(session.error_kind is None, cut, session.error_kind)
        entries = self._entries[number + only_newline]
        row.check(entry_count(session) == entries, cut, "entries", entry_count(session), entries)
        tail = (session.tail.state, session.tail.torn_bytes, session.tail.offset)
        if at_end:
            wanted = (TailState.OK, 0, cut)
        elif only_newline:
            wanted = (TailState.UNTERMINATED, 1, cut)
        else:
            wanted = (TailState.TORN_FRAGMENT, cut - start, start)
        row.check(tail == wanted, cut, tail, wanted)


def _every_byte(row: Row, content: bytes) -> None:
    """Look at every truncation with one parser that is given byte after byte."""
    truth = _Truth(content)
    parser = INK.parser()
    for cut in range(len(content) + 1):
        if cut:
            parser.feed(content[cut - 1 : cut])
        truth.check(row, cut, diagnose(parser.session()))


def test_truncation_at_every_byte(ledger: Ledger) -> None:
    what = "a file cut at any byte: one class, all whole lines kept, no exception"
    with ledger.row("R2", what, least=42_232) as row:
        _every_byte(row, plain(PLAIN_BYTES))


def test_truncation_inside_characters_and_markers(ledger: Ledger) -> None:
    what = "the same in wide characters, labels, markers and a compaction"
    with ledger.row("R2 kinds", what, least=10_000) as row:
        _every_byte(row, wide(6_000))
        _every_byte(row, compacted())


def _large(row: Row) -> None:
    """Look at every 97th truncation of a session of 1 MB, and at every one of what is special."""
    _every_byte(row, compacted())
    content = (REAL / "two-compactions.jsonl").read_bytes()
    truth = _Truth(content)
    for cut in range(0, len(content) + 1, 97):
        truth.check(row, cut, diagnosis_of(content[:cut]))


_PIECES: dict[str, tuple[int, Callable[[Row], None]]] = {
    "wide": (60_001, lambda row: _every_byte(row, wide(60_000))),
    "plain": (70_001, lambda row: _every_byte(row, plain(70_000, "<|\u2028|> "))),
    "large": (24_000, _large),
}
"""The fixtures of the long part, with the truncations of each."""


@pytest.mark.long
@pytest.mark.parametrize("piece", list(_PIECES))
def test_truncation_of_every_fixture(ledger: Ledger, piece: str) -> None:
    what = "the same in all fixtures, one of 1 MB at every 97th byte"
    least, look = _PIECES[piece]
    with ledger.row("R2", what, least=least, part="long", piece=piece) as row:
        look(row)


def _repaired_on_disk(row: Row, folder: Path, content: bytes, step: int) -> None:
    truth = line_starts(content)
    for cut in range(0, len(content) + 1, step):
        row.trial()
        state = folder / f"state{cut // 600}"
        path = put(folder / "store", content[:cut])
        plan = plan_repair(path, now_ms=NOW)
        start = truth[bisect_right(truth, cut) - 1]
        if not plan.allowed:
            whole_header = cut >= truth[1] - 1
            row.check(not whole_header, cut, plan.refusal_kind)
            row.check(path.read_bytes() == content[:cut], cut, "changed though refused")
            row.note("refused")
            continue
        if not plan.needed:
            row.check(cut == start, cut, "nothing to do")
            row.note("sound")
            continue
        row.note("repaired")
        outcome = apply_repair(plan, state_dir=state, now_ms=NOW)
        after = path.read_bytes()
        kept = cut if content[cut : cut + 1] == b"\n" else start
        row.check(after[:kept] == content[:kept], cut, "a whole line was lost")
        row.check(outcome.backup.read_bytes() == content[:cut], cut, "the copy differs")
        row.check(not plan_repair(path, now_ms=NOW).needed, cut, "a second run finds work")
        try:
            strictly_read(after)
        except (ValueError, KeyError) as error:
            row.check(False, cut, error)
        if cut % 600 > 600 - step:
            shutil.rmtree(state, ignore_errors=True)


def test_repair_after_truncation(ledger: Ledger, memory: Path) -> None:
    what = "repair on disk after a cut at every third byte of 8 KB: no whole line lost, copy good"
    with ledger.row("R3", what, least=2_700) as row:
        _repaired_on_disk(row, memory, plain(8_192), 3)


@pytest.mark.long
def test_repair_after_every_truncation(ledger: Ledger, memory: Path) -> None:
    what = "repair on disk after a cut at every byte of 8 KB: no whole line lost, copy good"
    with ledger.row("R3", what, least=8_000, part="long") as row:
        _repaired_on_disk(row, memory, plain(8_192), 1)


def _plan(folder: Path, content: bytes) -> tuple[Diagnosis, int, bool]:
    """Return diagnosis, bytes that a repair would keep, and whether it is allowed."""
    plan = plan_repair(put(folder, content), now_ms=NOW)
    cuts = [step for step in plan.steps if isinstance(step, CutTail)]
    return diagnosis_of(content), cuts[0].offset if cuts else len(content), plan.allowed


def test_zero_bytes_at_the_end(ledger: Ledger, tmp_path: Path) -> None:
    what = "zero bytes, carriage returns, marks and blanks at the end: no whole record is cut"
    whole = simple()
    with ledger.row("R6", what, least=12_000) as row:
        for count in range(1, 4_097):
            zeros = b"\0" * count
            for end in (whole, whole[:-1], whole + _TORN):
                row.trial()
                diagnosis, keep, _allowed = _plan(tmp_path, end + zeros)
                row.check(keep >= len(whole) - 1, count, "cut into a whole record")
                row.check(diagnosis.session.error_kind is None, count, "called damaged")
                if end == whole:
                    row.check(keep == len(whole), count, "the zero bytes stay", keep)
                if end == whole[:-1]:
                    row.check(keep == len(end + zeros), count, "a whole record goes", keep)


def test_line_ends_and_blanks(ledger: Ledger, tmp_path: Path) -> None:
    what = "line ends of other systems, blank lines and byte order marks are never called damage"
    records = [user("a1", None, "one"), answer("a2", "a1", "two"), user("a3", "a2", "three")]
    blanks = [
        b"",
        b" ",
        b"\t",
        b"\r",
        b"\x0b",
        b"\x0c",
        b"\xc2\xa0",
        b"\xe2\x80\xa8",
        b"\xe3\x80\x80",
    ]
    ends = [b"\n", b"\r\n", b" \n", b"\t\r\n"]
    with ledger.row("R6 blanks", what, least=300) as row:
        for end in ends:
            lines = [part[:-1] + end for part in (session(), *records)]
            for blank in blanks:
                for place in range(len(lines) + 1):
                    row.trial()
                    filled = lines[:place] + [blank + b"\n"] * 2 + lines[place:]
                    diagnosis = diagnosis_of(b"".join(filled))
                    row.check(diagnosis.session.error_kind is None, end, blank, place)
                    row.check(entry_count(diagnosis.session) == 3, end, blank, "lost entries")
                row.trial()
                content = b"".join(lines) + blank
                diagnosis, keep, allowed = _plan(tmp_path, content)
                row.check(allowed and keep == len(content) - len(blank), end, blank, keep)
        mark = b"\xef\xbb\xbf"
        sound = session(*records)
        for number in range(1, 41):
            row.trial(3)
            diagnosis, keep, allowed = _plan(tmp_path, mark * number + sound)
            row.check(not allowed, "a mark before the header is repaired")
            diagnosis, keep, _allowed = _plan(tmp_path, sound + mark * number + records[0])
            row.check(keep > len(sound), "a record behind a mark is cut")
            diagnosis, keep, allowed = _plan(tmp_path, sound + mark * number)
            row.check(keep >= len(sound), "a mark at the end costs a record")
