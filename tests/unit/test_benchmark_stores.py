"""The stores of the benchmarks: always the same bytes, and true in all that is said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest

from tests.benchmarks.corpus import Corpus, Store, StorePlan
from tests.benchmarks.texts import RARE_CHINESE, RARE_WORD
from tests.benchmarks.truth import DEEP, EXACT, differences
from tests.cases import run_json

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE = StorePlan("sample", 160, 2_500, folders=6, big=(400_000,), seed=7)
"""Small, with every kind of session."""


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Corpus(tmp_path_factory.mktemp("stores")).store(SAMPLE)


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


def test_all_turns_of_a_wide_session_begin_at_its_first_record(tmp_path: Path) -> None:
    store = Corpus(tmp_path).store(StorePlan("wide", turns=60, wide=True))
    (session,) = store.truth.sessions
    assert (session.records, session.branches) == (2 * 60 + 59, 60)
    lines = map(orjson.loads, store.path_of(session).read_bytes().splitlines())
    entries = [line for line in lines if line["type"] == "message"]
    first = entries[0]["id"]
    assert sum(entry["parentId"] == first for entry in entries) == 60
    rows = run_json("list", "--json", "--all", "--sessions-dir", str(store.root))
    assert differences(rows, store.truth, store.root, (*EXACT, *DEEP)) == []


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
