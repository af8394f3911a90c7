"""C: programs that are wrong on purpose. A check that does not notice them proves nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ink_tui.agent import launch
from ink_tui.model.text import clean
from ink_tui.store import change, fork, marks
from ink_tui.store.atomic import sync_folder
from tests.reliability.ledger import Row
from tests.reliability.test_arguments import safe_ids
from tests.reliability.test_foreign_text import cleaned_strings
from tests.reliability.test_other_writers import late_records
from tests.reliability.test_power_cut import power_cuts

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from ink_tui.store.file_state import OpenFile
    from tests.reliability.ledger import Ledger


def _judge(ledger: Ledger, name: str, what: str, checked: Row) -> None:
    """The control is caught when its check counted violations."""
    with ledger.row(f"C {name}", f"control: {what}, caught", least=1) as row:
        row.trial()
        row.note("violations of the control", checked.violations)
        row.check(checked.violations > 0, f"{checked.trials} trials did not notice: {what}")


def _row() -> Row:
    return Row("control", "", 0)


def test_cutting_before_the_copy(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = _row(), _row()
    real = change._back_up
    opened: list[tuple[OpenFile, change.Change]] = []

    def remember(file: OpenFile, what: change.Change) -> None:
        opened.append((file, what))

    def cut_first(content: bytes, backup: Path) -> str:
        file, what = opened[-1]
        os.ftruncate(file.descriptor, what.keep)
        return real(content, backup)

    (tmp_path / "right").mkdir()
    power_cuts(before, tmp_path / "right", monkeypatch)
    assert not before.violations
    (tmp_path / "wrong").mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(change, "_require_unchanged", remember)
        patch.setattr(change, "_back_up", cut_first)
        power_cuts(after, tmp_path / "wrong", patch)
    _judge(ledger, "cut first", "the file is cut before its copy is made", after)


def _write(path: Path, content: bytes) -> None:
    """Write what a file is to hold under its own name."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    os.ftruncate(descriptor, 0)
    os.write(descriptor, content)
    os.fsync(descriptor)
    os.close(descriptor)
    sync_folder(path.parent)


def test_writing_over_our_own_file(
    ledger: Ledger, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = _row()
    with monkeypatch.context() as patch:
        patch.setattr(marks, "replace_file", lambda path, content: _write(path, content))
        power_cuts(wrong, memory, patch, "state")
    _judge(ledger, "write over", "our own file is written over where it is", wrong)


def test_publishing_before_it_is_whole(
    ledger: Ledger, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = _row()
    with monkeypatch.context() as patch:
        patch.setattr(fork, "_publish", lambda copy, target: _write(target, copy))
        power_cuts(wrong, memory, patch, "salvage")
    _judge(ledger, "name first", "a copy has its name before it is whole", wrong)


def test_no_second_look(ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right, wrong = _row(), _row()
    late_records(right, tmp_path, monkeypatch, 4)
    assert not right.violations
    with monkeypatch.context() as patch:
        patch.setattr(change, "_require_unchanged", lambda _file, _change: None)
        late_records(wrong, tmp_path, patch, 4)
    _judge(ledger, "no second look", "the file is not looked at again before it is cut", wrong)


def test_deleting_escapes_only(ledger: Ledger) -> None:
    right, wrong = _row(), _row()
    cleaned_strings(right, clean, 2_000)
    assert not right.violations
    cleaned_strings(wrong, lambda text: text.replace("\x1b", ""), 2_000)
    _judge(ledger, "escape only", "only the escape character is deleted from text", wrong)


def test_match_instead_of_fullmatch(ledger: Ledger) -> None:
    right, wrong = _row(), _row()
    safe_ids(right, launch.is_safe_id)
    assert not right.violations
    safe_ids(wrong, lambda text: launch._SAFE.match(text) is not None)
    _judge(ledger, "match", "an id counts as safe when its beginning is", wrong)
