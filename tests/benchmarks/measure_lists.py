"""Lists of many sessions: P1 to P5, and first rows in the stores of the peers (S1)."""

from __future__ import annotations

from functools import cache, partial
from statistics import median
from typing import TYPE_CHECKING

from tests.benchmarks.bench import START_S
from tests.benchmarks.outcomes import Case, Outcome, Verdict, by_ratio, duration, judged
from tests.benchmarks.pairs import NotBuiltError, Pairs, TooSlowError, steady, take_pairs

if TYPE_CHECKING:
    from pathlib import Path

    from tests.benchmarks.bench import Bench
    from tests.benchmarks.corpus import Store, StorePlan


def cases(bench: Bench) -> list[Case]:
    """Return the rows of this module, not measured yet."""
    lists = _Lists(bench)
    sizes = bench.sizes
    small, large = f"{sizes.small.sessions:,}", f"{sizes.large.sessions:,}"
    found = [
        Case(
            "P1",
            f"first rows, {small} sessions, warm: ≤ 1.4x bare app",
            partial(lists.warm_rows, sizes.small, 1.4),
        ),
        Case(
            "P2",
            f"first rows, {large} sessions, no cache: ≤ 1.8x bare app",
            partial(lists.cold_rows, sizes.large, 1.8),
        ),
        Case("P3", f"all {large} rows, no cache: ≤ 4x F", lists.quick_rows),
        Case("P3", f"all {large} rows, warm cache: ≤ 1.5x F", lists.cached_rows),
        Case("P4", f"P3/F at {large} ≤ 1.3x P3/F at {small}", lists.growth),
        Case("P5", f"deep index of {large} sessions: ≤ 1.2x O", lists.deep),
    ]
    for plan, cold in zip(sizes.peers, (1.6, 2.2), strict=True):
        rows = f"first rows, peers' {plan.sessions + len(plan.big):,} sessions"
        found += [
            Case("S1", f"{rows}, warm: ≤ 1.3x bare app", partial(lists.warm_rows, plan, 1.3)),
            Case("S1", f"{rows}, cold: ≤ {cold}x bare app", partial(lists.cold_rows, plan, cold)),
        ]
    return found


class _Lists:
    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.sizes = bench.sizes
        self.primed = cache(self._primed)
        self.quick_pairs = cache(self._quick_pairs)

    def start(self, store: Store, home: Path | None) -> Pairs:
        """Take starts until the newest title is drawn, in turn with the bare application."""
        word = store.truth.newest.word

        def ours() -> float:
            with self.bench.browse(store.root, home=home) as program:
                return program.wait_for(word, START_S) - program.started

        return steady(lambda: take_pairs(ours, self.bench.bare_start, self.sizes.runs))

    def _primed(self, plan: StorePlan) -> Path:
        """Return a home in which all there is to cache of a store has been cached."""
        store = self.bench.corpus.store(plan)
        home = self.bench.new_home()
        with self.bench.browse(store.root, home=home) as program:
            program.until_idle(self.sizes.patience_s)
            program.send(b"q")
            program.drain(30)  # to its end: what is kept may be written last
            if not program.ended:
                raise TooSlowError("the program did not end within 30 s of its key to quit")
        return home

    def warm_rows(self, plan: StorePlan, limit: float) -> Outcome:
        home = self.primed(plan)
        note = "" if _has_cache(home) else "no cache is kept yet"
        return by_ratio(self.start(self.bench.corpus.store(plan), home), limit, note)

    def cold_rows(self, plan: StorePlan, limit: float) -> Outcome:
        return by_ratio(self.start(self.bench.corpus.store(plan), None), limit)

    # Rows as JSON: processes of their own on both sides

    def _quick_pairs(self, size: str) -> tuple[Pairs, int]:
        """Return the pairs, and how many rows do not tell how their file ends."""
        plan = self.sizes.small if size == "small" else self.sizes.large
        store = self.bench.corpus.store(plan)
        untold = 0

        def ours() -> float:
            nonlocal untold
            done = self.bench.list_rows(store, quick=True)
            untold = sum(1 for row in done.rows if row["torn_bytes"] is None)
            return done.seconds

        def floor() -> float:
            return self.bench.floor_listing(store)

        return steady(lambda: take_pairs(ours, floor, self.sizes.runs)), untold

    def quick_rows(self) -> Outcome:
        pairs, untold = self.quick_pairs("large")
        outcome = by_ratio(pairs, 4)
        if not untold:
            return outcome
        note = f"{untold:,} rows do not tell how their file ends, which the target asks for"
        verdict = Verdict.MISS if outcome.verdict is Verdict.PASS else outcome.verdict
        return Outcome(
            outcome.measured,
            outcome.ratio,
            verdict,
            "; ".join(part for part in (outcome.note, note) if part),
        )

    def cached_rows(self) -> Outcome:
        if not _has_cache(self.primed(self.sizes.small)):
            raise NotBuiltError("no cache is kept yet")
        store = self.bench.corpus.store(self.sizes.large)
        home = self.primed(self.sizes.large)

        def ours() -> float:
            return self.bench.list_rows(store, quick=False, home=home).seconds

        def floor() -> float:
            return self.bench.floor_listing(store)

        return by_ratio(steady(lambda: take_pairs(ours, floor, self.sizes.runs)), 1.5)

    def growth(self) -> Outcome:
        small, large = self.quick_pairs("small")[0], self.quick_pairs("large")[0]
        growth = large.ratio / small.ratio
        return Outcome(
            f"{small.ratio:.2f}x and {large.ratio:.2f}x",
            f"{growth:.2f}x",
            judged(growth <= 1.3, noisy=small.noisy or large.noisy),
            f"ours {duration(median(small.ours))} and {duration(median(large.ours))}",
        )

    def deep(self) -> Outcome:
        store = self.bench.corpus.store(self.sizes.large)

        def ours() -> float:
            return self.bench.list_rows(store, quick=False).seconds

        def floor() -> float:
            return self.bench.floor_decode(store)

        pairs = steady(lambda: take_pairs(ours, floor, self.sizes.few_runs))
        return by_ratio(pairs, 1.2, f"{store.truth.size / 1e6:,.0f} MB")


def _has_cache(home: Path) -> bool:
    return any(path.is_file() for path in (home / "cache").rglob("*"))
