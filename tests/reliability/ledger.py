"""The figures of the reliability tests: trials, violations and time of each row of `trust.md` 2.9.

A pytest plugin, loaded by `tests/conftest.py`, so that it also runs where xdist only hands out
work. Each row is one JSON file in a folder that all workers share; at the end they are one table.
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

REPORT = Path(__file__).parents[1] / "RELIABILITY.md"
_PARTS = ("CI", "long")
_SHOWN = 5
"""Violations whose words a failing test shows."""

_HEAD = """# Reliability figures

Written by the tests themselves: `pytest -n 2 tests/reliability --write-reliability`, the long part
with `-m long` as well; rows that a run does not hold stay. A row counts trials, not tests; a test
fails with one violation, or with fewer trials than the row promises. Seconds are those of all
processes together.

| row | part | what must hold | trials | promised | violations | seconds |
|---|---|---|---:|---:|---:|---:|
"""


@dataclass(slots=True)
class Row:
    """One row of the table, filled while its test runs."""

    id: str
    what: str
    least: int
    """Trials that the row promises."""
    part: str = "CI"
    """`CI` for every change, `long` for a release."""
    trials: int = 0
    violations: int = 0
    seconds: float = 0.0
    words: list[str] = field(default_factory=list)
    """What the first violations were."""
    notes: dict[str, int] = field(default_factory=dict)
    """What else was counted, for example how many trials ended in which state."""

    def trial(self, number: int = 1) -> None:
        """Count trials."""
        self.trials += number

    def check(self, holds: bool, *words: object) -> None:
        """Count a violation when something does not hold.

        Args:
            holds: Whether it does.
            words: What is told of it; only the first few are kept.
        """
        if not holds:
            self.violations += 1
            if len(self.words) < _SHOWN:
                self.words.append(" ".join(map(str, words)))

    def note(self, word: str, number: int = 1) -> None:
        """Count something that is printed beside the figures."""
        self.notes[word] = self.notes.get(word, 0) + number

    def add(self, other: Row) -> None:
        """Add the figures of another piece of the same row."""
        self.least += other.least
        self.trials += other.trials
        self.violations += other.violations
        self.seconds += other.seconds
        self.words += other.words
        for word, number in other.notes.items():
            self.note(word, number)

    def line(self) -> str:
        """The row of the report."""
        what = self.what
        if self.notes:
            what += f" ({', '.join(f'{word} {self.notes[word]:,}' for word in sorted(self.notes))})"
        cells = (self.id, self.part, what, f"{self.trials:,}", f"{self.least:,}")
        return f"| {' | '.join(cells)} | {self.violations:,} | {self.seconds:.1f} |"


class Ledger:
    """Where the rows of one run go."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def row(
        self,
        id: str,  # noqa: A002 - what the ledger calls it
        what: str,
        *,
        least: int,
        part: str = "CI",
        piece: str = "",
    ) -> Iterator[Row]:
        """Keep the figures of one row, and fail the test when they are not good enough.

        Args:
            id: Name of the row.
            what: What must hold.
            least: Trials that are promised.
            part: `CI` or `long`.
            piece: Name of a piece of the row, where tests that may run side by side share it; its
                figures and what it promises are added up.
        """
        row = Row(id, what, least, part)
        begun = time.perf_counter()
        finished = False
        try:
            yield row
            finished = True
        finally:
            row.seconds = time.perf_counter() - begun
            if not finished:
                row.violations += 1
                row.words.append("the test broke off")
            name = f"{id}-{part}-{piece}".replace(" ", "-")
            (self._folder / f"{name}.json").write_text(json.dumps(asdict(row)), "utf-8")
            print(row.line())
        assert not row.violations, "\n".join(
            [f"{row.violations} violations in {row.trials}", *row.words]
        )
        assert row.trials >= row.least, f"only {row.trials} trials of {row.least}"


_FOLDER = pytest.StashKey[Path]()


@pytest.fixture
def ledger(pytestconfig: pytest.Config) -> Ledger:
    """Where a test keeps its figures."""
    return Ledger(pytestconfig.stash[_FOLDER])


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-reliability",
        action="store_true",
        help=f"write the figures of the reliability tests to {REPORT.name}",
    )


def pytest_configure(config: pytest.Config) -> None:
    given: dict[str, Any] = getattr(config, "workerinput", {})
    folder = given.get("reliability") or mkdtemp(prefix="reliability-")
    config.stash[_FOLDER] = Path(folder)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of xdist where the rows go."""
    node.workerinput["reliability"] = str(node.config.stash[_FOLDER])


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    rows = read_rows(config.stash[_FOLDER])
    if not rows:
        return
    terminalreporter.section("reliability")
    for row in rows:
        terminalreporter.write_line(row.line())
    trials = sum(row.trials for row in rows)
    faults = sum(row.violations for row in rows)
    terminalreporter.write_line(f"{trials:,} trials, {faults:,} violations")
    if config.getoption("--write-reliability"):
        write_report(REPORT, rows)


def pytest_unconfigure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        return
    folder = config.stash[_FOLDER]
    for path in folder.glob("*.json"):
        path.unlink()
    folder.rmdir()


def read_rows(folder: Path) -> list[Row]:
    """Return the rows that were kept in a folder, the pieces of each one added up, in order."""
    rows: dict[tuple[str, str], Row] = {}
    for path in sorted(folder.glob("*.json")):
        row = Row(**json.loads(path.read_text("utf-8")))
        if (row.id, row.part) in rows:
            rows[row.id, row.part].add(row)
        else:
            rows[row.id, row.part] = row
    return [rows[key] for key in sorted(rows, key=lambda key: _order(*key))]


def write_report(report: Path, rows: list[Row]) -> None:
    """Write the table: the rows of this run, and all others as they were written last.

    Args:
        report: The file of the table.
        rows: The rows of this run.
    """
    lines: dict[tuple[str, str], str] = {}
    known = report.read_text("utf-8").splitlines() if report.exists() else []
    for line in known:
        cells = [cell.strip() for cell in line.split("|")[1:3]]
        if len(cells) == 2 and cells[1] in _PARTS:
            lines[cells[0], cells[1]] = line
    lines |= {(row.id, row.part): row.line() for row in rows}
    ordered = sorted(lines, key=lambda key: _order(*key))
    report.write_text(_HEAD + "".join(f"{lines[key]}\n" for key in ordered), "utf-8")


def _order(row_id: str, part: str) -> tuple[str, int, str, str]:
    letter, rest = row_id[:1], row_id[1:].split(" ")[0]
    kinds = {"R": "0", "S": "1", "C": "2"}
    return kinds.get(letter, "3"), int(rest) if rest.isdigit() else 0, row_id, part
