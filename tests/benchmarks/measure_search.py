"""Searching everything that was said or run: P14, and the peers' stores (S2).

The command is measured, `ink-tui search --json`: one object per hit with `path` and `line`, newest
session first (`design.md` section 5).
"""

from __future__ import annotations

import json
import subprocess
import time
from functools import partial
from statistics import median
from typing import TYPE_CHECKING

from tests.benchmarks.measure_files import words
from tests.benchmarks.outcomes import Case, Outcome, by_limit, by_ratio
from tests.benchmarks.pairs import Pairs, RefusedError, Series, steady, take_pairs
from tests.benchmarks.texts import RARE_CHINESE, RARE_WORD

if TYPE_CHECKING:
    from tests.benchmarks.bench import Bench
    from tests.benchmarks.corpus import Store, StorePlan


def cases(bench: Bench) -> list[Case]:
    """Return the rows of this module, not measured yet."""
    search = Search(bench)
    last = bench.sizes.files[-1]
    found = []
    for word, kind in ((RARE_WORD, "Latin"), (RARE_CHINESE, "Chinese")):
        found += [
            Case(
                "P14",
                f"{kind} word in {words(last)}, all hits: ≤ 8x rg -i",
                partial(search.complete, last, word, 8.0, exact=False),
            ),
            Case(
                "P14",
                f"{kind} word in {words(last)}, first hit: ≤ 300 ms",
                partial(search.first_hit, last, word),
            ),
        ]
    for plan in bench.sizes.peers:
        number = f"{plan.sessions + len(plan.big):,}"
        found += [
            Case(
                "S2",
                f"rare word in the peers' {number}, first hit: ≤ 1x rg -F of the store",
                partial(search.first_against_rg, plan),
            ),
            Case(
                "S2",
                f"rare word in the peers' {number}, all hits: ≤ 2x rg -F",
                partial(search.complete, plan, RARE_WORD, 2.0, exact=True),
            ),
        ]
    return found


class Search:
    """Searches with the program and with ripgrep; what they find must be true."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench

    def ripgrep(self, store: Store, word: str, *, exact: bool) -> float:
        """Search with ripgrep and return its seconds; it must find what is true.

        Args:
            store: Where.
            word: A planted word; it stands there in small and in capital letters.
            exact: Look for these two spellings, `-F`; else for any, `-F -i`.
        """
        program = self.bench.tool("rg")
        how = ["-e", word, "-e", word.upper()] if exact else ["-i", "-e", word]
        argv = [program, "-F", "--count", "--no-ignore", "--hidden", "--no-config", *how]
        done = self.bench.run([*argv, str(store.root)])
        found = sum(int(line.rpartition(b":")[2]) for line in done.out.splitlines())
        if found != len(store.truth.hits(word)):
            raise RefusedError(f"rg finds {found} lines, true are {len(store.truth.hits(word))}")
        return done.seconds

    def ours(self, store: Store, word: str) -> tuple[float, float]:
        """Search and return the seconds to the first hit and to the end; all hits must be true."""
        argv = [self.bench.program, "search", "--json", "--sessions-dir", str(store.root)]
        begun = time.perf_counter()
        with subprocess.Popen(
            [*argv, "--", word],
            env=self.bench.environment(),
            cwd=self.bench.scratch,
            stdout=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline()]
            first = time.perf_counter() - begun
            lines += process.stdout.readlines()
        whole = time.perf_counter() - begun
        if process.returncode != 0:
            raise RefusedError(f"ink-tui search exited with {process.returncode}")
        hits = [json.loads(line) for line in lines]
        found = {(hit["path"], hit["line"]) for hit in hits}
        true = {(str(store.root / path), line) for path, line in store.truth.hits(word)}
        if found != true:
            raise RefusedError(f"{len(found - true)} hits are wrong, {len(true - found)} missing")
        return first, whole

    def _pairs(self, plan: StorePlan, word: str, which: int, *, exact: bool) -> Pairs:
        self.bench.needs_command("search")
        store = self.bench.corpus.store(plan)
        runs = self.bench.sizes.runs
        if plan is self.bench.sizes.files[-1]:
            runs = self.bench.sizes.few_runs
        return steady(
            lambda: take_pairs(
                lambda: self.ours(store, word)[which],
                lambda: self.ripgrep(store, word, exact=exact),
                runs,
            )
        )

    def complete(self, plan: StorePlan, word: str, limit: float, *, exact: bool) -> Outcome:
        return by_ratio(self._pairs(plan, word, 1, exact=exact), limit)

    def first_against_rg(self, plan: StorePlan) -> Outcome:
        return by_ratio(self._pairs(plan, RARE_WORD, 0, exact=True), 1)

    def first_hit(self, plan: StorePlan, word: str) -> Outcome:
        pairs = self._pairs(plan, word, 0, exact=False)
        series = Series(pairs.ours, pairs.reference)
        return by_limit(series, median(pairs.ours), 0.300)
