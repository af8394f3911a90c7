"""The figures of the reliability tests: added up, held against what is promised, and written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.reliability.ledger import Ledger, Row, read_rows, write_report

if TYPE_CHECKING:
    from pathlib import Path


def fill(folder: Path, row_id: str, trials: int, *, part: str = "long", piece: str = "") -> None:
    with Ledger(folder).row(row_id, "it holds", least=trials - 1, part=part, piece=piece) as row:
        row.trial(trials)
        row.note("seen", trials)


def test_pieces_of_a_row_are_added_up(tmp_path: Path) -> None:
    fill(tmp_path, "R2", 5, part="CI")
    for trials, piece in ((10, "one"), (20, "two")):
        fill(tmp_path, "R2", trials, piece=piece)
    ci, long = read_rows(tmp_path)
    assert (ci.part, ci.trials, ci.least) == ("CI", 5, 4)
    assert (long.part, long.trials, long.least, long.notes) == ("long", 30, 28, {"seen": 30})
    assert long.line().startswith("| R2 | long | it holds (seen 30) | 30 | 28 | 0 |")


@pytest.mark.parametrize(("trials", "holds"), [(3, True), (2, True), (3, False)])
def test_too_few_trials_and_violations_fail(tmp_path: Path, trials: int, holds: bool) -> None:
    ledger = Ledger(tmp_path)

    def run() -> None:
        with ledger.row("R1", "x", least=3) as row:
            row.trial(trials)
            row.check(holds, "broken")

    if trials == 3 and holds:
        run()
    else:
        with pytest.raises(AssertionError, match="only 2 trials of 3" if holds else "broken"):
            run()
    (row,) = read_rows(tmp_path)
    assert (row.trials, row.violations) == (trials, int(not holds))


def test_a_test_that_breaks_off_is_a_violation(tmp_path: Path) -> None:
    with pytest.raises(KeyError), Ledger(tmp_path).row("R1", "x", least=0):
        raise KeyError
    assert read_rows(tmp_path)[0].violations == 1


def test_rows_of_a_run_replace_their_own_and_keep_all_others(tmp_path: Path) -> None:
    report = tmp_path / "REPORT.md"
    write_report(report, [Row("R10 x", "a", 1, trials=1), Row("R2", "b", 1, "long", trials=2)])
    write_report(report, [Row("R2", "c", 1, trials=3), Row("S1", "d", 1, "long", trials=4)])
    write_report(report, [Row("R2", "e", 1, trials=5)])
    rows = [line for line in report.read_text("utf-8").splitlines() if line.startswith("| ")]
    assert rows[0].startswith("| row | part |")
    assert [tuple(cell.strip() for cell in row.split("|")[1:5]) for row in rows[1:]] == [
        ("R2", "CI", "e", "5"),
        ("R2", "long", "b", "2"),
        ("R10 x", "CI", "a", "1"),
        ("S1", "long", "d", "4"),
    ]
