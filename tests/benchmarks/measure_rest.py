"""Keys while indexing, memory, idling and the bare start: P11, P12, P15, P16, memory (S5)."""

from __future__ import annotations

import time
from functools import cache, partial
from statistics import median
from typing import TYPE_CHECKING

from tests.benchmarks.bench import START_S
from tests.benchmarks.measure_files import key_latency, words
from tests.benchmarks.outcomes import (
    Case,
    Outcome,
    Verdict,
    by_amount,
    by_ratio,
    duration,
    judged,
)
from tests.benchmarks.pairs import Pairs, percentile, steady, take_pairs
from tests.benchmarks.programs.bare_app import WORD as BARE_WORD

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.benchmarks.bench import Bench
    from tests.benchmarks.corpus import Store, StorePlan
    from tests.benchmarks.pty_driver import PtyProgram

_SAMPLE_S = 0.1
_BUSY_S = 0.5


def cases(bench: Bench) -> list[Case]:
    """Return the rows of this module, not measured yet."""
    rest = _Rest(bench)
    sizes = bench.sizes
    last = sizes.files[-1]
    found = [
        Case(
            "P11",
            f"keys while indexing {what}: p95 ≤ 2x idle p95 + 10 ms, slowest ≤ 200 ms",
            partial(rest.keys_while_indexing, plan),
        )
        for plan, what in (
            (sizes.busy, words(sizes.busy)),
            (sizes.busy_line, f"a line of {sizes.busy_line.long_line // 1_000_000} MB"),
        )
    ]
    found += [
        Case(
            "P12",
            f"memory of its own, {sizes.large.sessions:,} sessions: ≤ bare app + 30 MB",
            rest.memory_of_list,
        ),
        Case(
            "P12",
            f"memory of its own, first screen of {words(last)}: ≤ bare app + 40 MB",
            rest.memory_at_first_screen,
        ),
        Case(
            "P12",
            f"memory of its own, {words(last)} indexed: ≤ bare app + 0.12x bytes",
            rest.memory_when_indexed,
        ),
        Case("P15", f"idle for {sizes.idle_s:g} s: processor ≤ 1.5 %, no output", rest.idle),
        Case("P16", "--version: ≤ 5x python -c pass, without Textual", rest.version),
    ]
    for plan in sizes.peers:
        number = f"{plan.sessions + len(plan.big):,}"
        found += [
            Case(
                "S5",
                f"peak memory, listing the peers' {number}: ≤ 150 MB",
                partial(rest.peak, plan, opened=False, limit=150),
            ),
            Case(
                "S5",
                f"peak memory, session of {words(plan)} open in the peers' {number}: ≤ 250 MB",
                partial(rest.peak, plan, opened=True, limit=250),
            ),
        ]
    return found


class _Rest:
    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.sizes = bench.sizes
        self.bare_memory = cache(self._bare_memory)
        self.big_memory = cache(self._big_memory)

    # P11

    def keys_while_indexing(self, plan: StorePlan) -> Outcome:
        store = self.bench.corpus.store(plan)
        busy: list[float] = []
        slowest = 0.0
        idle: list[float] = []
        early = False
        for _ in range(self.sizes.few_runs):
            while_busy, later, still = self._keys(store)
            early |= not still
            busy.append(percentile(while_busy, 0.95))
            slowest = max(slowest, *while_busy)
            idle.append(percentile(later, 0.95))
        pairs = Pairs(tuple(busy), tuple(idle))
        outcome = by_ratio(pairs, 2, plus=0.010)
        verdict = outcome.verdict
        if slowest > 0.200 and verdict is Verdict.PASS:
            verdict = Verdict.MISS
        ended = "indexing ended before the last key" if early else ""
        parts = (f"slowest key {duration(slowest)}", ended, outcome.note)
        note = "; ".join(part for part in parts if part)
        return Outcome(outcome.measured, outcome.ratio, verdict, note)

    def _keys(self, store: Store) -> tuple[list[float], list[float], bool]:
        """Return latencies from the first rows on, and of the same keys when all is read.

        The third value tells whether the program was still busy after the first keys.
        """
        with self.bench.browse(store.root) as program:
            program.wait_for(store.truth.newest.word, START_S)
            busy = self._some_keys(program)
            cpu = program.cpu_seconds()
            program.drain(_BUSY_S)
            still = program.cpu_seconds() - cpu > _BUSY_S / 4
            program.until_idle(self.sizes.patience_s)
            return busy, self._some_keys(program), still

    def _some_keys(self, program: PtyProgram) -> list[float]:
        """Move the selection down and up again among sessions that are small."""
        found = []
        for number in range(self.sizes.keys):
            down = number // 10 % 2 == 0
            found.append(key_latency(program, b"j" if down else b"k"))
        return found

    # P12

    def _bare_memory(self) -> float:
        amounts = []
        for _ in range(3):
            with self.bench.bare() as program:
                program.wait_for(BARE_WORD, START_S)
                program.drain(0.5)
                amounts.append(program.memory())
        return median(amounts)

    def _over_bare(self, used: float, limit: float, note: str = "") -> Outcome:
        bare = self.bare_memory()
        words_of_bare = f"{used:.1f} MB, bare app {bare:.1f} MB"
        both = "; ".join(part for part in (words_of_bare, note) if part)
        return by_amount(used - bare, limit, "MB over bare", both)

    def memory_of_list(self) -> Outcome:
        store = self.bench.corpus.store(self.sizes.large)
        with self.bench.browse(store.root) as program:
            used, note = self._greatest(program, program.memory)
        return self._over_bare(used, 30, note)

    def _big_memory(self) -> tuple[float, float]:
        store = self.bench.corpus.store(self.sizes.files[-1])
        with self.bench.open(store) as program:
            program.wait_for(store.biggest.end_word, self.sizes.patience_s)
            first = program.memory()
            program.until_idle(self.sizes.patience_s)
            return first, program.memory()

    def memory_at_first_screen(self) -> Outcome:
        return self._over_bare(self.big_memory()[0], 40)

    def memory_when_indexed(self) -> Outcome:
        store = self.bench.corpus.store(self.sizes.files[-1])
        used = self.big_memory()[1]
        share = (used - self.bare_memory()) / (store.truth.size / 1e6)
        return self._over_bare(
            used, 0.12 * store.truth.size / 1e6, f"{share:.2f}x bytes of the file"
        )

    def _greatest(self, program: PtyProgram, amount: Callable[[], float]) -> tuple[float, str]:
        """Return the greatest amount of memory until all is done, or for as long as is given."""
        greatest, rests = 0.0, 0
        until = time.perf_counter() + self.sizes.patience_s / 3
        before, looked = program.cpu_seconds(), time.perf_counter()
        while time.perf_counter() < until:
            program.drain(_SAMPLE_S)
            greatest = max(greatest, amount())
            if time.perf_counter() - looked >= 1:
                now = program.cpu_seconds()
                rests = rests + 1 if now - before < 0.05 else 0
                before, looked = now, time.perf_counter()
            if rests >= 2:
                return greatest, ""
        return greatest, "it was still busy when the look ended"

    # S5

    def peak(self, plan: StorePlan, *, opened: bool, limit: float) -> Outcome:
        store = self.bench.corpus.store(plan)
        program = self.bench.open(store) if opened else self.bench.browse(store.root)
        with program:
            used, note = self._greatest(program, partial(program.memory, "VmRSS"))
        return by_amount(used, limit, "MB", note)

    # P15, P16

    def idle(self) -> Outcome:
        store = self.bench.corpus.store(self.sizes.small)
        with self.bench.browse(store.root) as program:
            program.until_idle(self.sizes.patience_s)
            # The clock in the header changes once a minute; that is no output of idling.
            left = 59 - time.time() % 60
            if left < self.sizes.idle_s:
                program.drain(left + 2)
            cpu, total, begun = program.cpu_seconds(), program.total, time.perf_counter()
            program.drain(self.sizes.idle_s)
            share = (program.cpu_seconds() - cpu) / (time.perf_counter() - begun) * 100
            said = program.total - total
        good = share <= 1.5 and said == 0
        return Outcome(
            f"{share:.1f} % and {said:,} bytes",
            f"{share / 1.5:.2f} of the limit",
            judged(good, noisy=False),
            "between two changes of the clock's minute",
        )

    def version(self) -> Outcome:
        python = str(self.bench.python)

        def ours() -> float:
            return self.bench.run([self.bench.program, "--version"]).seconds

        def reference() -> float:
            return self.bench.run([python, "-c", "pass"]).seconds

        imported = self.bench.run([python, "-X", "importtime", self.bench.program, "--version"])
        loaded = b"textual" in imported.err
        outcome = by_ratio(steady(lambda: take_pairs(ours, reference, self.sizes.runs)), 5)
        if loaded:
            return Outcome(outcome.measured, outcome.ratio, Verdict.MISS, "Textual is imported")
        return outcome
