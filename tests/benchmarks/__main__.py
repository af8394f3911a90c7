"""Measure every target and print the table: `python -m tests.benchmarks`."""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import sys
import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import textual

import ink_tui
from tests.benchmarks import (
    measure_files,
    measure_lists,
    measure_rest,
    measure_search,
    measure_watch,
)
from tests.benchmarks.bench import Bench
from tests.benchmarks.corpus import Corpus
from tests.benchmarks.outcomes import Case, Row, measure
from tests.benchmarks.report import RESULTS, document, one_row, summary, surroundings
from tests.benchmarks.sizes import QUICK, WHOLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MODULES = (measure_lists, measure_files, measure_watch, measure_rest, measure_search)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks and return the exit status: 0 however the targets fare."""
    options = _options(arguments)
    sizes = QUICK if options.quick else WHOLE
    begun, load = datetime.now(UTC), os.getloadavg()[0]
    with _folder(options.keep) as folder, tempfile.TemporaryDirectory(prefix="ink-bench-") as work:
        _compile()
        bench = Bench(Corpus(folder), Path(work), sizes)
        wanted = chosen(_all_cases(bench), options.only)
        if not wanted:
            print(f"no target is named {options.only}", file=sys.stderr)
            return 2
        out = options.out or (None if options.quick or options.only else RESULTS)
        rows: list[Row] = []
        for case in wanted:
            rows.append(measure(case))
            print(one_row(rows[-1]), flush=True)
            if out is not None:  # after each row: a run that is broken off leaves what it measured
                where = surroundings(begun, datetime.now(UTC), load)
                text = document(rows, where, sizes, part=options.only, left=len(wanted) - len(rows))
                out.write_text(text, "utf-8")
    print(f"\n{summary(rows)}")
    if out is not None:
        print(f"written to {out}")
    return 0


def chosen(cases: Sequence[Case], only: str) -> list[Case]:
    """Return the rows that were asked for, in the order of their ids.

    Args:
        cases: All rows.
        only: Ids with commas between them; empty for all.
    """
    names = {name.strip().upper() for name in only.split(",") if name.strip()}
    found = [case for case in cases if not names or case.id in names]
    return sorted(found, key=lambda case: (case.id[0], int(case.id[1:])))


def _all_cases(bench: Bench) -> list[Case]:
    return [case for module in _MODULES for case in module.cases(bench)]


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--only", default="", metavar="P3,P6", help="only these targets")
    parser.add_argument("--quick", action="store_true", help="small stores and few runs")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="make the stores here, or take those of before"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help=f"write the table there; a whole run writes {RESULTS.name} without it",
    )
    return parser.parse_args(arguments)


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    """Give a folder for the stores; one of our own is removed afterwards."""
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.absolute()
        return
    folder = Path(tempfile.mkdtemp(prefix="ink-bench-stores-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _compile() -> None:
    """Compile what is started: without it, a start would measure the compiler.

    Some environments set `PYTHONDONTWRITEBYTECODE`, and then no start leaves anything behind.
    """
    for package in (ink_tui, textual):
        assert package.__file__ is not None
        compileall.compile_dir(str(Path(package.__file__).parent), quiet=2)


if __name__ == "__main__":
    sys.exit(main())
