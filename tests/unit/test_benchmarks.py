"""The benchmarks measure what they say: true stores, right figures, and runs that do not count."""

from __future__ import annotations

import json
import shutil
import sys
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.benchmarks.__main__ import chosen
from tests.benchmarks.bench import Bench, Done
from tests.benchmarks.corpus import Corpus, Store, StorePlan
from tests.benchmarks.measure_search import Search
from tests.benchmarks.measure_watch import read_of
from tests.benchmarks.outcomes import (
    Case,
    Outcome,
    Row,
    Verdict,
    by_amount,
    by_limit,
    by_ratio,
    measure,
)
from tests.benchmarks.pairs import (
    NotBuiltError,
    NoToolError,
    Pairs,
    RefusedError,
    Series,
    TooSlowError,
    percentile,
    steady,
    take_pairs,
)
from tests.benchmarks.pty_driver import PtyProgram
from tests.benchmarks.report import Surroundings, document, table
from tests.benchmarks.sizes import QUICK
from tests.benchmarks.texts import RARE_CHINESE, RARE_WORD
from tests.benchmarks.truth import Truth

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE = StorePlan("sample", 30, 2_500, folders=3, big=(400_000,), seed=7)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Corpus(tmp_path_factory.mktemp("stores")).store(SAMPLE)


@pytest.fixture
def bench(tmp_path: Path, sample: Store) -> Bench:
    return Bench(Corpus(sample.root.parents[1]), tmp_path, QUICK)


# Figures


def test_the_ratio_is_the_median_of_the_ratios_not_the_ratio_of_medians() -> None:
    pairs = Pairs((2.0, 6.0, 30.0), (1.0, 2.0, 3.0))
    assert pairs.ratio == 3.0  # of 2, 3 and 10


def test_pairs_take_turns_and_begin_by_turns() -> None:
    order: list[str] = []

    def run(name: str, value: float) -> float:
        order.append(name)
        return value

    pairs = take_pairs(lambda: run("ours", 2.0), lambda: run("ref", 1.0), 3)
    assert order == ["ref", "ours", "ours", "ref", "ref", "ours"]
    assert (pairs.ours, pairs.reference) == ((2.0,) * 3, (1.0,) * 3)


@pytest.mark.parametrize(
    ("reference", "noisy"), [((1.0, 1.6), False), ((1.0, 1.61), True), ((1.0,), False)]
)
def test_a_reference_that_varies_more_than_the_limit_is_noisy(
    reference: tuple[float, ...], noisy: bool
) -> None:
    assert Pairs(reference, reference).noisy is noisy
    assert Series((), reference).noisy is noisy


def test_a_noisy_series_is_begun_anew_twice_at_most() -> None:
    noisy, calm = Pairs((1.0, 1.0), (1.0, 2.0)), Pairs((1.0, 1.0), (1.0, 1.0))
    for given in ([calm], [noisy, calm], [noisy, noisy, noisy]):
        left = list(given)
        assert steady(partial(left.pop, 0)) is given[-1]
        assert left == []


@pytest.mark.parametrize(
    ("part", "value"), [(0.5, 10), (0.95, 19), (0.951, 20), (1.0, 20), (0.0, 1), (0.05, 1)]
)
def test_percentiles_are_values_that_were_measured(part: float, value: float) -> None:
    assert percentile(list(range(20, 0, -1)), part) == value


def test_there_is_no_percentile_of_nothing() -> None:
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.5)


# Verdicts


@pytest.mark.parametrize(
    ("ours", "reference", "verdict"),
    [
        ((1.5, 1.5), (1.0, 1.0), Verdict.PASS),
        ((1.6, 1.6), (1.0, 1.0), Verdict.MISS),
        ((1.5, 1.5), (1.0, 1.7), Verdict.NOISY),
        ((9.9, 9.9), (1.0, 1.7), Verdict.NOISY),
    ],
)
def test_a_ratio_passes_misses_or_says_nothing(
    ours: tuple[float, ...], reference: tuple[float, ...], verdict: Verdict
) -> None:
    assert by_ratio(Pairs(ours, reference), 1.5).verdict is verdict


def test_what_may_come_on_top_is_taken_off_before_the_ratio_is_judged() -> None:
    pairs = Pairs((0.030,), (0.010,))
    assert by_ratio(pairs, 2).verdict is Verdict.MISS
    assert by_ratio(pairs, 2, plus=0.010).verdict is Verdict.PASS


def test_limits_of_time_need_a_steady_machine_and_amounts_do_not() -> None:
    calm, noisy = Series((), (1.0, 1.0)), Series((), (1.0, 2.0))
    assert by_limit(calm, 0.12, 0.12).verdict is Verdict.PASS
    assert by_limit(calm, 0.13, 0.12).verdict is Verdict.MISS
    assert by_limit(noisy, 0.01, 0.12).verdict is Verdict.NOISY
    assert by_amount(30.0, 30, "MB").verdict is Verdict.PASS
    assert by_amount(30.1, 30, "MB").verdict is Verdict.MISS


@pytest.mark.parametrize(
    ("error", "verdict"),
    [
        (RefusedError("why"), Verdict.REFUSED),
        (TooSlowError("why"), Verdict.MISS),
        (NotBuiltError("why"), Verdict.NOT_BUILT),
        (NoToolError("why"), Verdict.NOT_MEASURED),
    ],
)
def test_what_goes_wrong_is_a_verdict_with_its_reason(error: Exception, verdict: Verdict) -> None:
    def take() -> Outcome:
        raise error

    row = measure(Case("P1", "something", take))
    assert row.outcome.verdict is verdict
    assert "why" in row.outcome.measured + row.outcome.note


# Runs that do not count


def test_a_command_that_fails_or_ends_otherwise_does_not_count(bench: Bench) -> None:
    with pytest.raises(RefusedError, match="exited with 3: so it is"):
        bench.run([sys.executable, "-c", "import sys; print('so it is', file=sys.stderr); exit(3)"])
    assert bench.run([sys.executable, "-c", "exit(3)"], good=3).out == b""


def test_a_command_that_prints_something_else_does_not_count() -> None:
    with pytest.raises(RefusedError):
        _ = Done(1.0, b"no json\n").rows


def test_rows_that_are_not_true_do_not_count(bench: Bench, sample: Store) -> None:
    assert len(bench.list_rows(sample, quick=False).rows) == len(sample.truth.sessions)
    fewer = Store(sample.plan, sample.root, Truth(sample.truth.sessions[1:]))
    with pytest.raises(RefusedError, match="1 differences from the truth"):
        bench.list_rows(fewer, quick=False)


def test_references_count_what_is_true_or_do_not_count(bench: Bench, sample: Store) -> None:
    assert bench.floor_listing(sample) > 0
    assert bench.floor_decode(sample) > 0
    fewer = Store(sample.plan, sample.root, Truth(sample.truth.sessions[1:]))
    with pytest.raises(RefusedError, match="the reference counted"):
        bench.floor_listing(fewer)
    with pytest.raises(RefusedError, match="the reference counted"):
        bench.floor_decode(fewer)


_SEARCH = """#!{python} -S
import json, sys
print({printed!r})
sys.exit({status})
"""


def _fake_search(folder: Path, sample: Store, hits: set[tuple[str, int]], status: int = 0) -> str:
    """Return the path of a program that answers a search with some hits, each of them twice."""
    lines = [
        json.dumps({"path": str(sample.root / path), "line": line})
        for path, line in sorted(hits)
        for _ in range(2)
    ]
    program = folder / "fake"
    program.write_text(
        _SEARCH.format(python=sys.executable, printed="\n".join(lines), status=status), "utf-8"
    )
    program.chmod(0o700)
    return str(program)


def test_a_search_counts_only_with_all_true_hits_and_no_other(
    bench: Bench, sample: Store, tmp_path: Path
) -> None:
    true = sample.truth.hits(RARE_CHINESE)
    assert len(true) > 1
    search = Search(bench)
    bench.program = _fake_search(tmp_path, sample, true)
    first, whole = search.ours(sample, RARE_CHINESE)
    assert 0 < first <= whole
    (wrong,) = [(path, line + 1) for path, line in list(true)[:1]]
    for hits, status, words in (
        (true | {wrong}, 0, "1 hits are wrong, 0 missing"),
        (set(list(true)[1:]), 0, "0 hits are wrong, 1 missing"),
        (true, 1, "exited with 1"),
    ):
        bench.program = _fake_search(tmp_path, sample, hits, status)
        with pytest.raises(RefusedError, match=words):
            search.ours(sample, RARE_CHINESE)


@pytest.mark.skipif(shutil.which("rg") is None, reason="ripgrep is not installed")
@pytest.mark.parametrize("word", [RARE_WORD, RARE_CHINESE])
@pytest.mark.parametrize("exact", [True, False])
def test_ripgrep_finds_what_is_planted(bench: Bench, sample: Store, word: str, exact: bool) -> None:
    assert Search(bench).ripgrep(sample, word, exact=exact) > 0
    fewer = Store(sample.plan, sample.root, Truth(()))
    with pytest.raises(RefusedError, match="rg finds"):
        Search(bench).ripgrep(fewer, word, exact=exact)


def test_commands_and_tools_that_are_not_there_are_said(bench: Bench) -> None:
    bench.needs_command("list")
    with pytest.raises(NotBuiltError, match="no command “dance”"):
        bench.needs_command("dance")
    with pytest.raises(NoToolError, match="no-such-program not found"):
        bench.tool("no-such-program")


# Programs on a terminal


def _python(code: str, tmp_path: Path) -> PtyProgram:
    return PtyProgram([sys.executable, "-S", "-c", code], {"TERM": "xterm"}, tmp_path)


def test_a_word_is_seen_when_it_comes_and_after_it_was_waited_for(tmp_path: Path) -> None:
    code = "print('first', flush=True); input(); print('second'); print('fir' 'st'); input()"
    with _python(code, tmp_path) as program:
        first = program.wait_for("first", 20)
        assert first > program.started
        pressed = program.send(b"\n")
        assert program.wait_for("second", 20) > pressed
        assert program.memory() > 0
        assert program.cpu_seconds() >= 0


def test_a_program_that_ends_before_its_word_does_not_count(tmp_path: Path) -> None:
    with (
        _python("print('good bye')", tmp_path) as program,
        pytest.raises(RefusedError, match=r"(?s)ended: .*good bye"),
    ):
        program.wait_for("never", 20)


def test_a_word_that_does_not_come_in_time_is_too_slow(tmp_path: Path) -> None:
    with _python("input()", tmp_path) as program, pytest.raises(TooSlowError):
        program.wait_for("never", 0.05)


# The rest


def test_bytes_read_of_one_file_are_added_up_from_a_trace() -> None:
    lines = [
        '11 pread64(5</s/a.jsonl>, "x"..., 65536, 0) = 1000',
        '11 read(5</s/b.jsonl>, "x"..., 10) = 10',
        "12 pread64(6</s/a.jsonl>,  <unfinished ...>",
        '11 read(3</dev/pts/1<char 136:1>>, "k", 10) = 1',
        '12 <... pread64 resumed>"x"..., 65536, 0) = 234',
        '11 read(5</s/a.jsonl>, "", 10) = 0',
        "11 read(5</s/a.jsonl>, 0x1, 10) = -1 EAGAIN (Resource temporarily unavailable)",
        "+++ exited with 0 +++",
    ]
    assert read_of(lines, "/s/a.jsonl") == 1234


def test_targets_are_chosen_by_id_and_stand_in_the_order_of_their_numbers() -> None:
    cases = [Case(name, "", lambda: Outcome("", "", Verdict.PASS)) for name in ("S1", "P10", "P2")]
    assert [case.id for case in chosen(cases, "")] == ["P2", "P10", "S1"]
    assert [case.id for case in chosen(cases, "s1, P2")] == ["P2", "S1"]
    assert chosen(cases, "P3") == []


def test_the_table_is_one_line_a_row() -> None:
    row = Row("P1", "a | b", Outcome("1 ms", "1.00x", Verdict.PASS, "two\nlines"))
    assert table([row])[2:] == [r"| P1 | a \| b | 1 ms | 1.00x | pass | two lines |"]


def test_the_file_says_where_when_and_how_large_the_run_was() -> None:
    row = Row("P1", "rows", Outcome("1 ms", "1.00x", Verdict.PASS))
    where = Surroundings("a machine", "versions", "2026-03-02 12:04 UTC", "1 min 2 s", "0.1")
    text = document([row, row], where, QUICK, part="P1")
    for wanted in (
        "a machine",
        "versions",
        "2026-03-02",
        "quick",
        "only P1",
        "2 pass",
        "stores: 1",
    ):
        assert wanted in text
    assert text.count("| P1 | rows |") == 2
