"""One file of any size: P6, P7, P13, P17, and the peers' session of 22 MB (S4)."""

from __future__ import annotations

from functools import cache, partial
from statistics import median
from typing import TYPE_CHECKING

from tests.benchmarks.outcomes import Case, Outcome, by_limit, by_ratio, duration, judged
from tests.benchmarks.pairs import (
    Pairs,
    Series,
    percentile,
    steady,
    steady_series,
    take_pairs,
)

if TYPE_CHECKING:
    from tests.benchmarks.bench import Bench
    from tests.benchmarks.corpus import Store, StorePlan
    from tests.benchmarks.pty_driver import PtyProgram

_WINDOWS = ((140, 40), (160, 45))
_KEY_GAP_S = 0.03


def cases(bench: Bench) -> list[Case]:
    """Return the rows of this module, not measured yet."""
    files = _Files(bench)
    plans = bench.sizes.files
    first, last = words(plans[0]), words(plans[-1])
    before = words(plans[-2])
    found = [
        Case(
            "P6",
            f"open {words(plan)} to first screen: ≤ 1.5x bare app",
            partial(files.first_screen, plan),
        )
        for plan in plans
    ]
    found.append(Case("P6", f"the same, {last} / {first}: ≤ 1.3", files.open_growth))
    found += [
        Case(
            "P7",
            f"index of {words(plan)}: ≤ 2x O",
            partial(files.index, plan),
        )
        for plan in plans
    ]
    factor = plans[-1].big[0] / plans[-2].big[0]
    limit = 1.2 * factor
    found += [
        Case(
            "P7",
            f"the same, {last} / {before}: ≤ {limit:g}",
            partial(files.index_growth, limit),
        ),
        Case("P13", f"repaint after a resize, {before} open: ≤ 150 ms", files.resize),
        Case(
            "P17",
            "cursor in a long branchy session: p95 ≤ 2x that of 100 records",
            partial(files.cursor, bench.sizes.chain),
        ),
        Case(
            "P17",
            f"the same in one chain of {2 * bench.sizes.line.turns:,} records",
            partial(files.cursor, bench.sizes.line),
        ),
        Case(
            "P17",
            f"the same among {bench.sizes.wide.turns:,} children of one record",
            partial(files.cursor, bench.sizes.wide),
        ),
        Case(
            "S4",
            f"open the peers' {words(bench.sizes.peers[0])} to first screen: ≤ 1.5x bare app",
            partial(files.first_screen, bench.sizes.peers[0]),
        ),
    ]
    return found


def words(plan: StorePlan) -> str:
    """Return the size of a store of one file for people."""
    size = max(plan.big)
    return f"{size // 1_000_000_000} GB" if size >= 1_000_000_000 else f"{size // 1_000_000} MB"


class _Files:
    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.sizes = bench.sizes
        self.opens = cache(self._opens)
        self.indexes = cache(self._indexes)

    def _runs(self, plan: StorePlan) -> int:
        return self.sizes.few_runs if plan is self.sizes.files[-1] else self.sizes.runs

    def _opens(self, plan: StorePlan) -> Pairs:
        store = self.bench.corpus.store(plan)
        word = store.biggest.end_word

        def ours() -> float:
            with self.bench.open(store) as program:
                return program.wait_for(word, self.sizes.patience_s) - program.started

        return steady(lambda: take_pairs(ours, self.bench.bare_start, self._runs(plan)))

    def first_screen(self, plan: StorePlan) -> Outcome:
        return by_ratio(self.opens(plan), 1.5)

    def open_growth(self) -> Outcome:
        first, last = self.opens(self.sizes.files[0]), self.opens(self.sizes.files[-1])
        growth = last.ratio / first.ratio
        return Outcome(
            f"{first.ratio:.2f}x and {last.ratio:.2f}x of bare",
            f"{growth:.2f}x",
            judged(growth <= 1.3, noisy=first.noisy or last.noisy),
        )

    def _indexes(self, plan: StorePlan) -> Pairs:
        store = self.bench.corpus.store(plan)

        def ours() -> float:
            return self.bench.list_rows(store, quick=False).seconds

        def floor() -> float:
            return self.bench.floor_decode(store)

        return steady(lambda: take_pairs(ours, floor, self._runs(plan)))

    def index(self, plan: StorePlan) -> Outcome:
        pairs = self.indexes(plan)
        store = self.bench.corpus.store(plan)
        lines = median(self.bench.count_lines(store) for _ in range(3))
        note = f"{store.truth.whole_lines:,} records; {median(pairs.ours) / lines:.0f}x wc -l"
        return by_ratio(pairs, 2, note)

    def index_growth(self, limit: float) -> Outcome:
        before, last = (self.indexes(plan) for plan in self.sizes.files[-2:])
        growth = median(last.ours) / median(before.ours)
        return Outcome(
            f"{duration(median(before.ours))} and {duration(median(last.ours))}",
            f"{growth:.1f}x",
            judged(growth <= limit, noisy=before.noisy or last.noisy),
        )

    def resize(self) -> Outcome:
        store = self.bench.corpus.store(self.sizes.files[-2])
        with self._opened(store) as program:
            series = steady_series(lambda: self._resizes(program))
        worst = f"slowest {duration(max(series.samples))}"
        return by_limit(series, median(series.samples), 0.150, worst)

    def _resizes(self, program: PtyProgram) -> Series:
        samples, gauge = [], []
        for run in range(self.sizes.runs + 1):
            moment = program.resize(*_WINDOWS[run % 2])
            samples.append(program.until_quiet(0.25, 20) - moment)
            gauge.append(self.bench.gauge())
        return Series(tuple(samples), tuple(gauge))

    def _opened(self, store: Store) -> PtyProgram:
        """Open a store's biggest session, wait until all is done, and go to its tree."""
        program = self.bench.open(store)
        program.wait_for(store.biggest.end_word, self.sizes.patience_s)
        program.until_idle(self.sizes.patience_s)
        program.send(b"1")
        program.until_quiet(0.25, 20)
        return program

    def cursor(self, plan: StorePlan) -> Outcome:
        """Return what the cursor takes in a session, against one of a hundred records."""
        long = self.bench.corpus.store(plan)
        short = self.bench.corpus.store(self.sizes.short)
        with self._opened(long) as ours, self._opened(short) as reference:
            pairs = steady(
                lambda: take_pairs(
                    lambda: self._cursor(ours), lambda: self._cursor(reference), self.sizes.runs
                )
            )
        session = long.biggest
        note = f"{session.records:,} records, {session.branches:,} branches"
        return by_ratio(pairs, 2, note)

    def _cursor(self, program: PtyProgram) -> float:
        """Return the p95 of some moves of the cursor up and down again."""
        moves = max(5, self.sizes.keys // 10)
        taken = [key_latency(program, key) for key in [b"k"] * moves + [b"j"] * moves]
        return percentile(taken, 0.95)


def key_latency(program: PtyProgram, key: bytes) -> float:
    """Return the seconds from a key to the first byte that comes after it."""
    program.drain(_KEY_GAP_S)
    moment = program.send(key)
    return program.first_output(20) - moment
