"""R18: the copies that repairs keep, and the list of what went to the trash, damaged."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from ink_tui.errors import InkTuiError
from ink_tui.store.repair import can_undo, undo_last
from tests.reliability.trials import trial_of
from tests.reliability.works import WORKS, content_for
from tests.unit.repair_files import NOW, put, repair

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row


def _damaged(good: bytes, every: int) -> Iterator[tuple[str, bytes]]:
    """Yield some bytes cut at every byte, and with a bit flipped, one of so many."""
    for cut in range(len(good)):
        yield f"cut {cut}", good[:cut]
    for bit in range(0, 8 * len(good), every):
        changed = bytearray(good)
        changed[bit >> 3] ^= 1 << (bit & 7)
        yield f"bit {bit}", bytes(changed)


def _refused(row: Row, path: Path, state: Path, what: str) -> None:
    """The undo is refused in a sentence, and nothing changes."""
    row.trial()
    before = path.read_bytes()
    try:
        row.check(not can_undo(path, state_dir=state), what, "is offered")
    except InkTuiError as error:
        row.check(str(error).endswith("."), what, "not a sentence:", error)
    try:
        undo_last(path, state_dir=state, now_ms=NOW)
        row.check(False, what, "was undone with a damaged copy")
    except InkTuiError as error:
        row.check(str(error).endswith("."), what, "not a sentence:", error)
        row.check("copy" in str(error) or "cannot be read" in str(error), what, "why:", error)
    except Exception as error:  # noqa: BLE001 - the violation that is looked for
        row.check(False, what, repr(error))
    row.check(path.read_bytes() == before, what, "the session was changed")


def _in_place_of(copy: Path) -> dict[str, Callable[[], object]]:
    """Ways to put something else where a copy was."""
    return {
        "gone": lambda: None,
        "a folder": copy.mkdir,
        "a pipe": lambda: os.mkfifo(copy),
        "a link to nothing": lambda: copy.symlink_to("nowhere"),
        "a link to zeros": lambda: copy.symlink_to("/dev/zero"),
        "a link to itself": lambda: copy.symlink_to(copy),
    }


def test_damaged_copies(ledger: Ledger, memory: Path) -> None:
    what = "the copy of a repair cut at every byte, every 13th bit flipped, gone: no undo from it"
    state = memory / "state"
    torn = content_for("repair")
    path = put(memory / "store", torn)
    copy = repair(path, state).backup
    with ledger.row("R18 copies", what, least=3_500) as row:
        for kind, content in _damaged(torn, 13):
            copy.write_bytes(content)
            _refused(row, path, state, kind)
        copy.unlink()
        for kind, make in _in_place_of(copy).items():
            make()
            _refused(row, path, state, kind)
            if os.path.lexists(copy):
                (copy.rmdir if kind == "a folder" else copy.unlink)()
        copy.write_bytes(torn)
        undo_last(path, state_dir=state, now_ms=NOW)
        row.check(path.read_bytes() == torn, "a good copy is not taken")


def test_a_damaged_list_of_what_went(ledger: Ledger, memory: Path) -> None:
    what = "the list of what went to the trash cut at every byte, bits flipped: sessions still go"
    first = trial_of(memory / "first", "trash", content_for("trash"))
    WORKS["trash"](first.path, first.state)
    good = (first.state / "trash.jsonl").read_bytes()
    first.close()
    with ledger.row("R18 trash", what, least=600) as row:
        for number, (kind, content) in enumerate(_damaged(good, 16)):
            row.trial()
            trial = trial_of(memory / str(number), "trash", content_for("trash"))
            trial.state.mkdir()
            journal = trial.state / "trash.jsonl"
            journal.write_bytes(content)
            trial.again(row, kind)
            gone = not trial.path.exists()
            row.check(gone, kind, "did not go")
            after = journal.read_bytes()
            row.check(after.startswith(content), kind, "the list was written over")
            noted = [json.loads(line)["what"] for line in after.splitlines()[-2:]]
            row.check(noted == ["begin", "done"], kind, "was not noted", noted)
            trial.close()


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_what_stands_in_place_of_the_list_stops_in_words(memory: Path, kind: str) -> None:
    trial = trial_of(memory / "trial", "trash", content_for("trash"))
    trial.state.mkdir()
    journal = trial.state / "trash.jsonl"
    if kind == "folder":
        journal.mkdir()
    else:
        journal.symlink_to(memory / "elsewhere")
    with pytest.raises(InkTuiError, match=r"trash\.jsonl cannot be appended to"):
        WORKS["trash"](trial.path, trial.state)
    assert trial.path.read_bytes() == trial.old
    assert not (memory / "elsewhere").exists()
