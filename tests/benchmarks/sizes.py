"""How large the stores are and how often each thing is run: whole, or quick."""

from __future__ import annotations

from dataclasses import dataclass

from tests.benchmarks.corpus import MB, StorePlan


@dataclass(frozen=True, slots=True)
class Sizes:
    """The extent of one run."""

    quick: bool
    runs: int
    """Pairs of most measurements."""
    few_runs: int
    """Pairs where about a gigabyte is read each time."""
    patience_s: float
    """Longest that one command may take before it is called a miss."""
    appends: int
    keys: int
    idle_s: float
    small: StorePlan
    """The smaller store of listings."""
    large: StorePlan
    files: tuple[StorePlan, ...]
    """Stores of one session each, smallest first."""
    busy: StorePlan
    """Small sessions and a very big one with an ordinary look."""
    busy_line: StorePlan
    """The same with one very long line in the big one."""
    chain: StorePlan
    """One session long in records and rich in branches."""
    line: StorePlan
    """One session long in records, without a branch."""
    wide: StorePlan
    """One session whose branches all begin at one record."""
    short: StorePlan
    """One session of a hundred records."""
    peers: tuple[StorePlan, ...]
    """Stores like those that other programs were timed on (`peers.md` section 2)."""


def _file(megabytes: int) -> StorePlan:
    return StorePlan(f"file-{megabytes}", big=(megabytes * MB,), damage=False)


WHOLE = Sizes(
    quick=False,
    runs=7,
    few_runs=3,
    patience_s=900,
    appends=50,
    keys=150,
    idle_s=10,
    small=StorePlan("small", 1_000, 105_000, folders=50),
    large=StorePlan("large", 10_000, 105_000, folders=500),
    files=(_file(1), _file(10), _file(100), _file(1_000)),
    busy=StorePlan("busy", 60, 20_000, folders=1, big=(1_000 * MB,), damage=False),
    busy_line=StorePlan(
        "busy-line", 60, 20_000, folders=1, big=(200 * MB,), long_line=50 * MB, damage=False
    ),
    chain=StorePlan("chain", turns=25_000, branches=2_000),
    line=StorePlan("line", turns=10_000),
    wide=StorePlan("wide", turns=10_000, wide=True),
    short=StorePlan("short", turns=50),
    peers=(
        StorePlan("peer-200", 197, 152_000, folders=20, big=(22 * MB, 23 * MB, 24 * MB)),
        StorePlan(
            "peer-2000", 1_995, 151_000, folders=200, big=tuple(each * MB for each in range(20, 25))
        ),
    ),
)

QUICK = Sizes(
    quick=True,
    runs=3,
    few_runs=2,
    patience_s=120,
    appends=10,
    keys=30,
    idle_s=4,
    small=StorePlan("quick-small", 60, 30_000, folders=6),
    large=StorePlan("quick-large", 300, 30_000, folders=30),
    files=(_file(1), _file(2), _file(4), _file(8)),
    busy=StorePlan("quick-busy", 60, 5_000, folders=1, big=(12 * MB,), damage=False),
    busy_line=StorePlan(
        "quick-busy-line", 60, 5_000, folders=1, big=(8 * MB,), long_line=3 * MB, damage=False
    ),
    chain=StorePlan("quick-chain", turns=2_000, branches=100),
    line=StorePlan("quick-line", turns=1_000),
    wide=StorePlan("quick-wide", turns=1_000, wide=True),
    short=StorePlan("short", turns=50),
    peers=(
        StorePlan("quick-peer-200", 38, 50_000, folders=4, big=(2 * MB, 3 * MB)),
        StorePlan("quick-peer-2000", 117, 50_000, folders=12, big=(2 * MB, 3 * MB, 3 * MB)),
    ),
)
