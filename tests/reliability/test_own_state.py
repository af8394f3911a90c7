"""R18: our journal and our locks, cut short and with flipped bits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ink_tui.errors import InkTuiError, RefusedError
from ink_tui.store.holders import find_holder
from ink_tui.store.journal import journal_path
from ink_tui.store.locks import lock_owner, lock_path, session_lock
from ink_tui.store.repair import apply_repair, can_undo, last_backup, plan_repair, undo_last
from tests.unit.repair_files import GOOD, NOW, put, repair

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row

_TORN = GOOD + b'{"type":"mess'


def _look(row: Row, path: Path, state: Path, what: object) -> None:
    """Ask everything that reads the journal; only our own errors may come, as sentences."""
    row.trial()
    before = path.read_bytes()
    for ask in (can_undo, last_backup):
        try:
            ask(path, state_dir=state)
        except InkTuiError as error:
            row.check(str(error).endswith("."), what, error)
        except Exception as error:  # noqa: BLE001 - the violation that is looked for
            row.check(False, what, ask.__name__, repr(error))
    row.check(path.read_bytes() == before, what, "changed by looking")


def _undo(row: Row, path: Path, state: Path, what: object) -> str:
    """Undo; the file is as it was before the repair, or it was refused and is untouched."""
    before = path.read_bytes()
    try:
        undo_last(path, state_dir=state, now_ms=NOW, confirmed=True)
    except InkTuiError as error:
        row.check(path.read_bytes() == before, what, "changed though refused")
        return str(error)
    row.check(path.read_bytes() == _TORN, what, "the undo gave something else")
    return ""


def test_a_damaged_journal(ledger: Ledger, tmp_path: Path) -> None:
    what = "journal cut at every byte, every third bit flipped: nothing stops, no wrong undo"
    state = tmp_path / "state"
    path = put(tmp_path / "store", _TORN)
    repair(path, state)
    repaired = path.read_bytes()
    journal = journal_path(state)
    good = journal.read_bytes()
    begun = good.index(b"\n") + 1
    with ledger.row("R18 journal", what, least=5_000) as row:
        for cut in range(len(good) + 1):
            journal.write_bytes(good[:cut])
            _look(row, path, state, cut)
            if cut % 20 == 0:
                said = _undo(row, path, state, cut)
                row.check(not said or cut < begun, cut, said)
                if 0 < cut < begun - 1:
                    row.check("cannot be read" in said, cut, "silent about the journal:", said)
                path.write_bytes(repaired)
        for bit in range(0, 8 * len(good), 3):
            changed = bytearray(good)
            changed[bit >> 3] ^= 1 << (bit & 7)
            journal.write_bytes(changed)
            _look(row, path, state, bit)
            if bit % 20 == 0:
                _undo(row, path, state, bit)
                path.write_bytes(repaired)
        journal.write_bytes(good[:begun] + good[begun:][:40])
        put(path.parent, _TORN)
        row.check(bool(repair(path, state).cut_bytes), "a cut journal stops a repair")


_STRANGE: list[Any] = [
    *(
        None,
        True,
        -1,
        0,
        1.5,
        10**30,
        1e308,
        "",
        "\0",
        "a\0b",
        "\ud800",
        "/",
        ".",
        "..",
        "/dev/null",
    ),
    *([], {}, [[]], "x" * 5_000, "../../etc/passwd", "\x1b]0;x\x07"),
]


def test_strange_values_in_the_journal(ledger: Ledger, tmp_path: Path) -> None:
    what = "journal with strange values in every field: refused in words, nothing changed"
    state = tmp_path / "state"
    path = put(tmp_path / "store", _TORN)
    repair(path, state)
    repaired = path.read_bytes()
    journal = journal_path(state)
    lines = [json.loads(raw) for raw in journal.read_bytes().splitlines()]
    with ledger.row("R18 values", what, least=300) as row:
        for field in lines[-1]:
            for value in _STRANGE:
                for fields in ({field: value}, {field: value, "what": "done"}):
                    changed = lines[-1] | fields
                    journal.write_text(json.dumps(changed) + "\n")
                    _look(row, path, state, (field, value))
                    _undo(row, path, state, (field, value))
                    path.write_bytes(repaired)


def test_damaged_locks(ledger: Ledger, tmp_path: Path) -> None:
    what = "lock files cut, flipped or strange: a repair goes on or says who holds the session"
    state = tmp_path / "state"
    path = put(tmp_path / "store", _TORN)
    lock = lock_path(state, path)
    with session_lock(state, path, "repair"):
        good = lock.read_bytes()
    owner = json.loads(good)
    damaged = [good[:cut] for cut in range(len(good))]
    for bit in range(8 * len(good)):
        changed = bytearray(good)
        changed[bit >> 3] ^= 1 << (bit & 7)
        damaged.append(bytes(changed))
    damaged += [
        json.dumps(owner | {field: value}).encode() for field in owner for value in _STRANGE
    ]
    damaged += [b'{"pid":1e999}', b"[" * 100_000, b"\xff\xfe", b"\0" * 4_096]
    with ledger.row("R18 locks", what, least=1_500) as row:
        for number, content in enumerate(damaged):
            row.trial()
            lock.write_bytes(content)
            try:
                lock_owner(state, path)
                lease = path.with_name(path.name + ".lease") / "lease-1-a-b"
                lease.parent.mkdir(exist_ok=True)
                lease.write_bytes(content)
                find_holder(
                    path, session_id="", cwd="", state_dir=state, now_ms=NOW, processes=list
                )
                if number % 8 == 0:
                    put(path.parent, _TORN)
                    apply_repair(plan_repair(path, now_ms=NOW), state_dir=state, now_ms=NOW)
                    row.note("repaired")
            except RefusedError as error:
                row.check(error.kind == "in-use" and "Lock: " in str(error), number, error)
                row.note("held")
            except Exception as error:  # noqa: BLE001 - the violation that is looked for
                row.check(False, number, content[:60], repr(error))
