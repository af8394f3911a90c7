"""R18: our file of marks, cut short, with flipped bits and with strange values."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ink_tui.errors import RefusedError
from ink_tui.model.entries import EntryId
from ink_tui.model.marks import Marks, RecordMarks, SessionMarks
from ink_tui.store.marks import change_marks, marks_path, read_marks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row

_MARKED = SessionMarks(
    pinned=True,
    archived=True,
    note="look at the retry loop",
    hidden=frozenset({EntryId("0a1b")}),
    records={EntryId("0c2d"): RecordMarks(starred=True, note="why?")},
)
_STRANGE: list[Any] = [None, True, -1, 0, 2, 1.5, 10**30, "", "\0", [], {}, [[]], {"a": {"a": 1}}]


def _star(marks: SessionMarks) -> SessionMarks:
    return replace(marks, starred=True)


def _look(row: Row, state: Path, what: object) -> Marks:
    """Read the file; whatever it holds, marks come of it, and a sentence where some are missing."""
    row.trial()
    content = marks_path(state).read_bytes()
    try:
        found = read_marks(state)
    except Exception as error:  # noqa: BLE001 - the violation that is looked for
        row.check(False, what, "reading stops the start:", repr(error))
        return Marks()
    row.check(marks_path(state).read_bytes() == content, what, "changed by looking")
    row.check(not found.notice or found.notice.endswith("."), what, found.notice)
    if not found.notice:
        try:
            json.loads(content)
        except ValueError:
            row.check(False, what, "silent about a file that is no JSON")
    return found.marks


def _change(row: Row, state: Path, what: object, known: Marks) -> None:
    """Change something; what was readable is kept, and a damaged file lies beside it."""
    path = marks_path(state)
    content, notice = path.read_bytes(), read_marks(state).notice
    try:
        change_marks(state, "new", _star)
    except RefusedError as error:
        row.check(error.kind == "newer-version", what, error)
        row.check(path.read_bytes() == content, what, "changed though refused")
        row.note("read only")
        return
    except Exception as error:  # noqa: BLE001 - the violation that is looked for
        row.check(False, what, "a change stops:", repr(error))
        return
    after = read_marks(state)
    row.check(after.notice == "", what, "still damaged:", after.notice)
    row.check(after.marks == known.with_session("new", SessionMarks(starred=True)), what, "lost")
    aside = list(state.glob("marks.json.damaged-*"))
    kept = [each.read_bytes() for each in aside]
    row.check(kept == ([content] if notice else []), what, "not set aside")
    row.note("set aside" if notice else "kept")
    for each in aside:
        each.unlink()


def _damaged(good: bytes) -> Iterator[tuple[object, bytes]]:
    for cut in range(len(good)):
        yield f"cut at {cut}", good[:cut]
    for bit in range(0, 8 * len(good), 3):
        changed = bytearray(good)
        changed[bit >> 3] ^= 1 << (bit & 7)
        yield f"bit {bit}", bytes(changed)
    value = json.loads(good)
    for at in (("version",), ("sessions",), ("sessions", "s"), ("sessions", "s", "records")):
        for strange in _STRANGE:
            yield (at, strange), _with(value, at, strange)
    for field in value["sessions"]["s"]:
        for strange in _STRANGE:
            yield (field, strange), _with(value, ("sessions", "s", field), strange)


def _with(value: Any, at: tuple[str, ...], strange: object) -> bytes:
    changed = json.loads(json.dumps(value))
    inner = changed
    for name in at[:-1]:
        inner = inner[name]
    inner[at[-1]] = strange
    return json.dumps(changed).encode()


def test_damaged_marks(ledger: Ledger, tmp_path: Path) -> None:
    what = (
        "marks cut at every byte, every third bit flipped: nothing stops, a change keeps the rest"
    )
    state = tmp_path / "state"
    change_marks(state, "s", lambda _: _MARKED)
    change_marks(state, "t", lambda marks: replace(marks, note="the one that failed twice"))
    good = marks_path(state).read_bytes()
    with ledger.row("R18 marks", what, least=1_200) as row:
        for number, (how, content) in enumerate(_damaged(good)):
            marks_path(state).write_bytes(content)
            known = _look(row, state, how)
            if number % 6 == 0:
                _change(row, state, how, known)
        marks_path(state).write_bytes(good)
        row.check(_look(row, state, "whole").of("s") == _MARKED, "the whole file is not read")
