"""Records appended while a session is shown: P8, P9, P10, and the peers' stores (S3)."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING

from tests.benchmarks.bench import PROGRAMS
from tests.benchmarks.corpus import MB, StorePlan
from tests.benchmarks.measure_files import words
from tests.benchmarks.outcomes import Case, Outcome, by_amount, by_limit, duration, judged
from tests.benchmarks.pairs import RefusedError, Series, percentile, steady_series
from tests.benchmarks.pty_driver import process_tree

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.benchmarks.bench import Bench
    from tests.benchmarks.corpus import Store
    from tests.benchmarks.pty_driver import PtyProgram

_VISIBLE_S = 20.0
_BETWEEN_S = 0.15
_GAUGE_EVERY = 10
_BUSY_FILES = 90
_BUSY_MS = 5.0
_TRACED = "read,pread64,readv,preadv,preadv2"
_ALLOWED_BYTES = 65_536
"""Bytes that may be read at each append beside the appended ones (P10)."""


def cases(bench: Bench) -> list[Case]:
    """Return the rows of this module, not measured yet."""
    watch = _Watch(bench)
    first, last = bench.sizes.files[0], bench.sizes.files[-1]
    found = [
        Case(
            "P8",
            f"append to a session of {words(plan)} visible: p95 ≤ 120 ms",
            partial(watch.visible, plan, which),
        )
        for which, plan in enumerate((first, last))
    ]
    found += [
        Case("P8", f"the same, p50 at {words(last)} ≤ 1.3x p50 at {words(first)}", watch.flat),
        Case("P9", "the same while 90 other files are written: p95 ≤ 200 ms", watch.crowd),
        Case("P10", "bytes read per append ≤ appended + 64 KB", watch.bytes_read),
    ]
    found += [
        Case(
            "S3",
            f"append in the peers' {plan.sessions + len(plan.big):,} sessions visible: "
            "p95 ≤ 120 ms",
            partial(watch.among_peers, plan),
        )
        for plan in bench.sizes.peers
    ]
    return found


@dataclass(slots=True)
class Appender:
    """Appends messages to a session file as an agent does: one whole line in one write."""

    file: Path
    leaf: str | None
    written: int = 0
    """Bytes written so far."""
    number: int = 0
    latencies: list[float] = field(default_factory=list)
    """Seconds from a write to its text on the screen."""

    def append(self, program: PtyProgram) -> None:
        """Append one record and wait until it is seen."""
        self.number += 1
        word = f"appended{self.number:04d}"
        record_id = f"{self.number:016x}"
        record = {
            "type": "message",
            "id": record_id,
            "parentId": self.leaf,
            "timestamp": "2026-06-01T10:00:00.000Z",
            "message": {"role": "user", "content": word},
        }
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        program.drain(_BETWEEN_S)
        descriptor = os.open(self.file, os.O_WRONLY | os.O_APPEND)
        moment = time.perf_counter()
        os.write(descriptor, line)
        os.close(descriptor)
        self.latencies.append(program.wait_for(word, _VISIBLE_S) - moment)
        self.leaf = record_id
        self.written += len(line)


class _Watch:
    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.sizes = bench.sizes
        self.both = cache(self._both)

    def _shown(self, store: Store, root: Path, file: Path) -> tuple[PtyProgram, Appender]:
        """Open a private copy of a session, at its end, with nothing left to do."""
        program = self.bench.browse(root, str(file))
        session = store.biggest
        program.wait_for(session.end_word, self.sizes.patience_s)
        program.until_idle(self.sizes.patience_s)
        return program, Appender(file, session.leaf)

    # P8: the smallest and the biggest file, by turns

    def _both(self) -> tuple[Series, Series]:
        stores = [
            self.bench.corpus.store(plan) for plan in (self.sizes.files[0], self.sizes.files[-1])
        ]
        copies = [self.bench.copy_of(store) for store in stores]
        small, one = self._shown(stores[0], *copies[0])
        with small:
            big, other = self._shown(stores[1], *copies[1])
            with big:
                return self._by_turns(((small, one), (big, other)))

    def _by_turns(self, shown: tuple[tuple[PtyProgram, Appender], ...]) -> tuple[Series, Series]:
        def take() -> Series:
            gauge = []
            for _, appender in shown:
                appender.latencies.clear()
            for number in range(self.sizes.appends):
                for program, appender in shown:
                    appender.append(program)
                if number % _GAUGE_EVERY == 0:
                    gauge.append(self.bench.gauge())
            return Series(tuple(shown[0][1].latencies), tuple(gauge))

        first = steady_series(take)
        return first, Series(tuple(shown[-1][1].latencies), first.gauge)

    def visible(self, plan: StorePlan, which: int) -> Outcome:
        return _judge(self.both()[which], 0.120)

    def flat(self) -> Outcome:
        small, big = self.both()
        halves = [percentile(series.samples, 0.5) for series in (small, big)]
        return Outcome(
            f"{duration(halves[0])} and {duration(halves[1])}",
            f"{halves[1] / halves[0]:.2f}x",
            judged(halves[1] <= 1.3 * halves[0], noisy=small.noisy),
        )

    # P9

    def crowd(self) -> Outcome:
        plan = StorePlan("crowd", _BUSY_FILES, 6_000, big=(MB,), damage=False)
        store = self.bench.corpus.store(plan)
        root = self.bench.scratch / "copy-crowd"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(store.root, root)
        file = root / store.biggest.path
        others = [str(path) for path in sorted(root.rglob("*.jsonl")) if path != file]
        program, appender = self._shown(store, root, file)
        command = [str(self.bench.python), str(PROGRAMS / "busy_writer.py"), str(_BUSY_MS)]
        with (
            program,
            subprocess.Popen(
                [*command, *others], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            ) as writer,
        ):
            try:
                series = self._by_turns(((program, appender),))[0]
            finally:
                told, _ = writer.communicate()
        if writer.returncode != 0 or not json.loads(told)["records"]:
            raise RefusedError("the other files were not written")
        return _judge(series, 0.200, f"{json.loads(told)['records']:,} records written meanwhile")

    # P10

    def bytes_read(self) -> Outcome:
        strace = self.bench.tool("strace")
        store = self.bench.corpus.store(self.sizes.files[-2])
        root, file = self.bench.copy_of(store)
        log = self.bench.scratch / "appends.strace"
        program, appender = self._shown(store, root, file)
        number = min(10, self.sizes.appends)
        with program:
            appender.append(program)  # the first one after a long rest may be checked more
            appender.written = 0
            program.until_idle(self.sizes.patience_s)
            pids = process_tree(program.pid)
            tracer = subprocess.Popen(
                [strace, "-f", "-y", "-e", f"trace={_TRACED}", "-o", str(log),
                 *(f"--attach={pid}" for pid in pids)],
                stderr=subprocess.PIPE,
            )  # fmt: skip
            assert tracer.stderr is not None
            try:
                for _ in pids:
                    if b"attached" not in tracer.stderr.readline():
                        raise RefusedError("strace may not attach to the program")
                for _ in range(number):
                    appender.append(program)
                program.until_idle(self.sizes.patience_s)
            finally:
                tracer.send_signal(signal.SIGINT)
                tracer.stderr.read()
                tracer.wait()
        read = read_of(log.read_text("utf-8", "replace").splitlines(), str(file))
        if not read:
            raise RefusedError("strace saw no read of the session file")
        limit = appender.written / number + _ALLOWED_BYTES
        note = f"{number} appends to {words(store.plan)}, {appender.written // number} bytes each"
        return by_amount(read / number, limit, "bytes", note)

    # S3

    def among_peers(self, plan: StorePlan) -> Outcome:
        store = self.bench.corpus.store(plan)
        root = self.bench.scratch / f"copy-{plan.name}"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(store.root, root)
        file = root / store.biggest.path
        program, appender = self._shown(store, root, file)
        with program:
            series = self._by_turns(((program, appender),))[0]
        shutil.rmtree(root)
        return _judge(series, 0.120, f"session of {file_size(store)}")


def file_size(store: Store) -> str:
    return f"{store.biggest.size / 1e6:.0f} MB"


def _judge(series: Series, limit: float, note: str = "") -> Outcome:
    halfway = f"p50 {duration(percentile(series.samples, 0.5))}"
    parts = [part for part in (halfway, note) if part]
    return by_limit(series, percentile(series.samples, 0.95), limit, "; ".join(parts))


_DONE = re.compile(
    r"^(\d+) +(?:\w+\(\d+<(?P<path>[^>]*)>|<\.\.\. \w+ resumed>).* = (?P<bytes>\d+)$"
)
_BEGUN = re.compile(r"^(\d+) +\w+\(\d+<(?P<path>[^>]*)>.*<unfinished \.\.\.>$")


def read_of(lines: Iterable[str], file: str) -> int:
    """Return how many bytes of a file were read, by a log of strace with `-f -y`.

    Args:
        lines: The log.
        file: Path of the file.
    """
    total = 0
    waiting: dict[str, str] = {}
    for line in lines:
        begun = _BEGUN.match(line)
        if begun:
            waiting[begun[1]] = begun["path"]
            continue
        done = _DONE.match(line)
        if done is None:
            continue
        path = done["path"] if done["path"] is not None else waiting.pop(done[1], "")
        if path == file:
            total += int(done["bytes"])
    return total
