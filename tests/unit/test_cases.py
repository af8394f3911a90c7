"""Every case through the headless commands, with a count of what was compared."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ink_tui.commands.check import content_facts
from ink_tui.model.row_making import row_of
from ink_tui.store.reader import SessionReader
from tests.cases import REAL_DIR, Case, all_cases, run_cli, run_json

CASES = all_cases()
WITH_STEPS = [case for case in CASES if "steps" in case.expected]
WITH_RENDER = [case for case in CASES if "render" in case.expected]
WITH_LISTING = [case for case in CASES if "listing" in case.expected]


def _compare(name: str, expected: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    return [
        f"{name}: {field} is {answer.get(field)!r}, not {value!r}"
        for field, value in expected.items()
        if field not in answer or answer[field] != value
    ]


def _check(case: Case, folder: Path, sessions: dict[str, Any]) -> list[str]:
    wrong: list[str] = []
    for name, expected in sessions.items():
        dropped = case.needs_dropped_rights and name != "secret.jsonl"
        answers = run_json("check", "--json", str(folder / name), dropped=dropped)
        assert len(answers) == 1
        wrong += _compare(f"{case.name}/{name}", expected, answers[0])
    return wrong


def test_check_answers_every_case(open_place: Path) -> None:
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for case in CASES:
        counts["cases"] += 1
        scratch = open_place / case.name
        scratch.mkdir(mode=0o755)
        for step in case.expected.get("steps", [None]):
            number = step["step"] if step else None
            sessions = step["sessions"] if step else case.expected["sessions"]
            wrong += _check(case, case.place(scratch, number), sessions)
            counts["states"] += len(sessions)
            counts["fields"] += sum(len(expected) for expected in sessions.values())
    print(f"{counts['cases']} cases, {counts['states']} states, {counts['fields']} fields")
    assert not wrong, "\n".join(wrong)
    assert counts["cases"] == 46
    assert counts["states"] == 59
    assert counts["fields"] >= 1320


@pytest.mark.parametrize("case", WITH_STEPS, ids=lambda case: case.name)
def test_small_reads_equal_a_fresh_load(case: Case, tmp_path: Path) -> None:
    readers: dict[str, SessionReader] = {}
    for step in case.expected["steps"]:
        folder = case.place(tmp_path, step["step"])
        for name, expected in step["sessions"].items():
            reader = readers.setdefault(name, SessionReader(str(folder / name)))
            diagnosis = reader.read()
            facts = content_facts(diagnosis, child=row_of(diagnosis, name).child)
            known = {key: value for key, value in expected.items() if key in facts}
            assert _compare(f"{case.name} step {step['step']}", known, facts) == []


@pytest.mark.parametrize(
    "case", [c for c in CASES if "listing" in c.expected], ids=lambda c: c.name
)
def test_list_shows_what_the_case_says(case: Case, open_place: Path) -> None:
    folder = case.place(open_place)
    root = folder / "root" if (folder / "root").is_dir() else folder
    listing = case.expected["listing"]
    dropped = case.needs_dropped_rights
    rows = run_json("list", "--json", "--sessions-dir", str(root), dropped=dropped)
    names = {str(Path(row["path"]).relative_to(folder)): row for row in rows}
    checked = 0
    if "visible" in listing:
        assert set(names) == set(listing["visible"])
        checked += 1
    if "order" in listing:
        assert [row["id"] for row in rows] == listing["order"]
        checked += 1
    for place, groups in listing.get("groups", {}).items():
        found = {row["cwd"] for name, row in names.items() if name.startswith(f"{place}/")}
        assert found == set(groups)
    for wanted, target in listing.get("lookup", {}).items():
        answer = run_json("locate", "--json", "--sessions-dir", str(root), wanted)[0]
        if target in ("none", "ambiguous"):
            assert (answer["path"], answer["reason"]) == (None, target)
        else:
            assert Path(answer["path"]) == folder / target
    if "unreadable" in listing:
        refused = {name for name, row in names.items() if row["error_kind"] and not row["id"]}
        assert set(listing["unreadable"]) <= refused
        checked += 1
    if "bulk" in listing:
        everything = run_json("list", "--json", "--all", "--sessions-dir", str(root))
        assert len(everything) == listing["bulk"]
        checked += 1
    assert checked + len(listing.keys() & {"groups", "lookup"}) == len(listing)


def test_real_transcripts() -> None:
    import json

    expected = json.loads((REAL_DIR / "expected.json").read_text("utf-8"))
    assert len(expected) == 2
    wrong: list[str] = []
    for name, facts in expected.items():
        answer = run_json("check", "--json", str(REAL_DIR / name))[0]
        wrong += _compare(name, facts, answer)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("case", WITH_RENDER, ids=lambda case: case.name)
def test_show_prints_what_the_case_says(case: Case, tmp_path: Path) -> None:
    folder = case.place(tmp_path)
    status, out, _err = run_cli("show", "--plain", str(folder / "session.jsonl"))
    assert status == 0
    for text in case.expected["render"].get("must_contain", []):
        assert text in out
    for escaped in case.expected["render"].get("must_not_emit", []):
        raw = escaped.encode().decode("unicode_escape")
        assert raw not in out
    assert "\x1b" not in out
