"""Searching everything that was said or run: P14, and the peers' stores (S2).

The command is measured, `ink-tui search --json`: one object per hit with `path` and `line`, newest
session first (`design.md` section 5). On the peers' stores what the search screen asks is measured,
too: a process that was started before and is kept.
"""

from __future__ import annotations

import json
import subprocess
import time
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, TypeAlias

from ink_tui.model.query import parse
from ink_tui.model.query_sessions import Surroundings
from ink_tui.store.search.beside import SearchBeside
from ink_tui.store.search.engine import SearchOptions
from ink_tui.store.search.ripgrep import find_ripgrep
from ink_tui.store.search.sessions import newest_first
from ink_tui.store.search.values import FoundIn, SearchTarget
from tests.benchmarks.measure_files import words
from tests.benchmarks.outcomes import Case, Outcome, by_limit, by_ratio
from tests.benchmarks.pairs import Pairs, RefusedError, Series, steady, take_pairs
from tests.benchmarks.texts import RARE_CHINESE, RARE_WORD

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.benchmarks.bench import Bench
    from tests.benchmarks.corpus import Store, StorePlan

    Searching: TypeAlias = Callable[[Store, str], tuple[float, float]]


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
                f"rare word in the peers' {number}, {how}, {what} hit{more}: ≤ {limit:g}x rg -F",
                partial(search.against_rg, plan, run, which, limit),
            )
            for how, run in (("screen", search.beside), ("command", search.ours))
            for which, (what, more, limit) in enumerate((("first", "", 1.0), ("all", "s", 2.0)))
        ]
    return found


class Search:
    """Searches with the program and with ripgrep; what they find must be true."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self._kept: SearchBeside | None = None
        self._targets: dict[Path, tuple[SearchTarget, ...]] = {}

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
        _check({(hit["path"], hit["line"]) for hit in hits}, store, word)
        return first, whole

    def beside(self, store: Store, word: str) -> tuple[float, float]:
        """Search as the screen does and return the seconds to the first hit and to the end."""
        if self._kept is None:
            self._kept = SearchBeside()
            self._kept.prepare()
        if store.root not in self._targets:
            files = newest_first([str(store.root)]).files
            self._targets[store.root] = tuple(SearchTarget(file.path) for file in files)
        targets = self._targets[store.root]
        around = Surroundings(now_ms=time.time_ns() // 1_000_000)
        options = SearchOptions(ripgrep=find_ripgrep())
        begun = time.perf_counter()
        first: float | None = None
        hits: set[tuple[str, int]] = set()
        for event in self._kept.search(parse(word), around, targets, options):
            if isinstance(event, FoundIn):
                first = first or time.perf_counter() - begun
                hits |= {(event.path, hit.line) for hit in event.hits}
        whole = time.perf_counter() - begun
        _check(hits, store, word)
        return first or whole, whole

    def close(self) -> None:
        """End the process that searched."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def _pairs(
        self, plan: StorePlan, word: str, which: int, *, exact: bool, run: Searching | None = None
    ) -> Pairs:
        asked = run or self.ours
        self.bench.needs_command("search")
        store = self.bench.corpus.store(plan)
        runs = self.bench.sizes.runs
        if plan is self.bench.sizes.files[-1]:
            runs = self.bench.sizes.few_runs
        return steady(
            lambda: take_pairs(
                lambda: asked(store, word)[which],
                lambda: self.ripgrep(store, word, exact=exact),
                runs,
            )
        )

    def complete(self, plan: StorePlan, word: str, limit: float, *, exact: bool) -> Outcome:
        return by_ratio(self._pairs(plan, word, 1, exact=exact), limit)

    def against_rg(
        self,
        plan: StorePlan,
        run: Searching,
        which: int,
        limit: float,
    ) -> Outcome:
        """Measure a search of a store against ripgrep.

        Args:
            plan: The store.
            run: Searches it.
            which: 0 for the first hit, 1 for all.
            limit: Most times the reference.
        """
        try:
            return by_ratio(self._pairs(plan, RARE_WORD, which, exact=True, run=run), limit)
        finally:
            self.close()

    def first_hit(self, plan: StorePlan, word: str) -> Outcome:
        pairs = self._pairs(plan, word, 0, exact=False)
        series = Series(pairs.ours, pairs.reference)
        return by_limit(series, median(pairs.ours), 0.300)


def _check(found: set[tuple[str, int]], store: Store, word: str) -> None:
    """Refuse a run that does not find what is true: files and lines."""
    true = {(str(store.root / path), line) for path, line in store.truth.hits(word)}
    if found != true:
        raise RefusedError(f"{len(found - true)} hits are wrong, {len(true - found)} missing")
