"""The table of a run, for the terminal and as a file."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.outcomes import Row, Verdict
from tests.benchmarks.pairs import NOISE_LIMIT, REPEATS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tests.benchmarks.sizes import Sizes

RESULTS = Path(__file__).parent / "RESULTS.md"
_PACKAGES = ("ink-tui", "textual", "rich", "orjson", "watchfiles")
_HEAD = ("target", "what", "measured", "ratio", "verdict", "note")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where and when a run took place."""

    machine: str
    versions: str
    begun: str
    lasted: str
    load: str


def surroundings(begun: datetime, ended: datetime, load: float) -> Surroundings:
    """Look at the machine.

    Args:
        begun: When the run began, aware.
        ended: When it ended.
        load: Processes that wanted to run when it began, averaged over a minute.
    """
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    packages = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    minutes, seconds = divmod(int((ended - begun).total_seconds()), 60)
    later = os.getloadavg()[0]
    return Surroundings(
        f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GB, "
        f"{platform.system()} {platform.release()}",
        f"Python {platform.python_version()}, {packages}, {_ripgrep()}",
        f"{begun:%Y-%m-%d %H:%M} UTC",
        f"{minutes} min {seconds} s",
        f"{load:.1f} at the start, {later:.1f} at the end",
    )


def table(rows: Sequence[Row]) -> list[str]:
    """Return the rows as a Markdown table."""
    lines = [f"| {' | '.join(_HEAD)} |", "|---|---|---|---:|---|---|"]
    for row in rows:
        outcome = row.outcome
        cells = (row.id, row.target, outcome.measured, outcome.ratio, outcome.verdict, outcome.note)
        lines.append(f"| {' | '.join(_cell(cell) for cell in cells)} |")
    return lines


def one_row(row: Row) -> str:
    """Return a row for the terminal, as soon as it is known."""
    outcome = row.outcome
    facts = " · ".join(part for part in (outcome.measured, outcome.ratio, outcome.note) if part)
    return f"{outcome.verdict:<12} {row.id:<4} {row.target}\n{'':<18}{facts}"


def summary(rows: Sequence[Row]) -> str:
    """Return how many rows have each verdict."""
    numbers = Counter(row.outcome.verdict for row in rows)
    return ", ".join(f"{numbers[verdict]} {verdict}" for verdict in Verdict if numbers[verdict])


def document(
    rows: Sequence[Row], where: Surroundings, sizes: Sizes, *, part: str, left: int = 0
) -> str:
    """Return the whole file.

    Args:
        rows: What was measured.
        where: The machine and the time.
        sizes: How large and how often.
        part: Ids that were asked for; empty for all.
        left: Rows that have not been measured.
    """
    plans = [sizes.small, sizes.large, *sizes.files, sizes.busy, sizes.busy_line, sizes.chain]
    seeds = sorted({plan.seed for plan in (*plans, sizes.short, *sizes.peers)})
    how = "quick: small stores and few runs, no verdict on the targets" if sizes.quick else "whole"
    return "\n".join(
        [
            "# Benchmark results",
            "",
            "Written by `.venv/bin/python -m tests.benchmarks`. What is measured and its reference",
            f"run in turn, {sizes.runs} pairs ({sizes.few_runs} where about a gigabyte is read);",
            "the ratio is the median of the ratios within the pairs. A series whose reference",
            f"varies more than {NOISE_LIMIT}x is begun anew up to {REPEATS} times, then it is",
            "too noisy. A run whose counts differ from the truth about the store is refused.",
            "F lists, O decodes every line, bare app is one Static of Textual. S rows are on",
            "stores like those that other programs were timed on.",
            "",
            f"- extent: {how}{f'; only {part}' if part else ''}",
            f"- machine: {where.machine}",
            f"- versions: {where.versions}",
            f"- begun {where.begun}, lasted {where.lasted}, load {where.load}",
            f"- seeds of the stores: {', '.join(map(str, seeds))}",
            f"- in all: {summary(rows)}{f'; {left} rows not measured' if left else ''}",
            "",
            *table(rows),
            "",
        ]
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _ripgrep() -> str:
    program = shutil.which("rg")
    if program is None:
        return "rg not found"
    said = subprocess.run([program, "--version"], capture_output=True, check=False, text=True)
    return said.stdout.splitlines()[0] if said.stdout else "rg does not tell its version"
