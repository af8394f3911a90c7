"""The benchmarks measure what they say: true stores, right figures, and runs that do not count."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from tests.benchmarks.__main__ import chosen
from tests.benchmarks.bench import Bench, Done
from tests.benchmarks.corpus import Corpus, Store, StorePlan
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
from tests.benchmarks.report import table
from tests.benchmarks.sizes import QUICK
from tests.benchmarks.texts import RARE_CHINESE, RARE_WORD
from tests.benchmarks.truth import DEEP, EXACT, Truth, differences
from tests.cases import run_json

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE = StorePlan("sample", 160, 2_500, folders=6, big=(400_000,), seed=7)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Corpus(tmp_path_factory.mktemp("stores")).store(SAMPLE)


@pytest.fixture
def bench(tmp_path: Path, sample: Store) -> Bench:
    return Bench(Corpus(sample.root.parents[1]), tmp_path, QUICK)


# The stores


def test_a_store_holds_every_kind_of_session(sample: Store) -> None:
    sessions = sample.truth.sessions
    assert {each.torn for each in sessions} == {None, "half", "character", "newline"}
    assert any(each.dangling for each in sessions)
    assert any(each.compactions for each in sessions)
    assert any(each.branches > 1 for each in sessions)
    assert any(each.child and each.parent_id for each in sessions)
    assert any(each.title.startswith("named ") for each in sessions)
    assert sample.truth.hits(RARE_WORD)
    assert sample.truth.hits(RARE_CHINESE)


def test_the_truth_of_a_store_is_what_check_says(sample: Store) -> None:
    told = {answer["path"]: answer for answer in run_json("check", "--json", str(sample.root))}
    assert len(told) == len(sample.truth.sessions)
    for session in sample.truth.sessions:
        answer = told[str(sample.path_of(session))]
        assert {name: answer[name] for name in _CHECKED} == {
            "id": session.id,
            "cwd": session.cwd,
            "title": session.title,
            "child": session.child,
            "parent_id": session.parent_id,
            "verdict": session.verdict,
            "size": session.size,
            "branches": session.branches,
            "compactions": session.compactions,
            "torn_bytes": session.torn_bytes,
            "leaf_id": session.leaf,
            "dangling": session.dangling,
        }
        assert answer["salvage"]["records"] == session.records


_CHECKED = (
    *("id", "cwd", "title", "child", "parent_id", "verdict", "size", "branches"),
    *("compactions", "torn_bytes", "leaf_id", "dangling"),
)


def test_the_truth_of_a_store_is_what_list_says(sample: Store) -> None:
    rows = run_json("list", "--json", "--all", "--sessions-dir", str(sample.root))
    assert differences(rows, sample.truth, sample.root, (*EXACT, *DEEP)) == []


def test_planted_words_are_where_a_search_of_decoded_text_finds_them(sample: Store) -> None:
    for word in (RARE_WORD, RARE_CHINESE):
        found = set()
        for session in sample.truth.sessions:
            lines = sample.path_of(session).read_bytes().split(b"\n")
            for number, line in enumerate(lines, 1):
                if word in _decoded_text(line).lower():
                    found.add((session.path, number))
        assert found == sample.truth.hits(word)


def _decoded_text(line: bytes) -> str:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return ""
    return "\n".join(_strings(value))


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for each in value.values() for text in _strings(each)]
    if isinstance(value, list):
        return [text for each in value for text in _strings(each)]
    return []


def test_the_same_plan_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    plan = StorePlan("twice", 8, 3_000, folders=2, seed=3)
    other = StorePlan("twice", 8, 3_000, folders=2, seed=4)
    one, two, three = (
        _contents(Corpus(tmp_path / name).store(each).root)
        for name, each in (("one", plan), ("two", plan), ("three", other))
    )
    assert one == two
    assert one != three


def _contents(root: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(root)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in root.rglob("*.jsonl")
    }


def test_a_kept_store_is_taken_again_and_never_for_another(tmp_path: Path) -> None:
    plan = StorePlan("kept", 3, 2_000)
    made = Corpus(tmp_path).store(plan)
    assert Corpus(tmp_path).store(plan).truth == made.truth
    with pytest.raises(FileExistsError):
        Corpus(tmp_path).store(StorePlan("kept", 4, 2_000))


def test_a_chain_has_the_records_and_branches_it_was_asked_for(tmp_path: Path) -> None:
    store = Corpus(tmp_path).store(StorePlan("chain", turns=60, branches=9))
    (session,) = store.truth.sessions
    assert (session.records, session.branches) == (2 * 60 + 9, 10)
    rows = run_json("list", "--json", "--all", "--sessions-dir", str(store.root))
    assert differences(rows, store.truth, store.root, (*EXACT, *DEEP)) == []


@pytest.mark.parametrize("name", [*EXACT, *DEEP])
def test_each_wrong_fact_is_a_difference(sample: Store, name: str) -> None:
    rows = run_json("list", "--json", "--all", "--sessions-dir", str(sample.root))
    rows[3][name] = "something else"
    (difference,) = differences(rows, sample.truth, sample.root, (*EXACT, *DEEP))
    assert f": {name} is " in difference


def test_a_row_too_few_and_a_row_twice_are_differences(sample: Store) -> None:
    rows = run_json("list", "--json", "--all", "--sessions-dir", str(sample.root))
    first = differences(rows[1:], sample.truth, sample.root, EXACT)
    assert [each.endswith("is missing") for each in first] == [True]
    twice = differences([*rows, rows[0]], sample.truth, sample.root, EXACT)
    assert [each.endswith("stands there twice") for each in twice] == [True]


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
