"""`ink-tui compare`: branches and sessions, for people and for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cases import run_cli, run_json
from tests.sessions import HEADER, answer, line, session, simple, user
from tests.unit.test_compare import two_ways

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def branched(tmp_path: Path) -> str:
    path = tmp_path / "branched.jsonl"
    path.write_bytes(two_ways())
    return str(path)


def test_the_newest_other_branch_in_words(branched: str) -> None:
    status, out, err = run_cli("compare", branched)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "in common: 2 records"
    assert "left: go, 3 records, 1 turn · 1 call · 900 tokens in, 40 out" in lines
    assert "  user: this way" in lines
    assert "  bash: make  [exit 2]" in lines
    assert "  src/a.py: changed +1 -0 | changed +2 -1  [both]" in lines
    assert "  - | make (exit 2, 1.0 s)" in lines


def test_a_named_branch_for_programs(branched: str) -> None:
    (told,) = run_json("compare", "--json", branched, "--branch", "b1")
    assert told["common"] == 2
    assert told["left"]["records"] == ["d1", "d2", "d3"]
    assert told["right"]["records"] == ["b1", "b2", "b3"]
    assert (told["left"]["current"], told["right"]["current"]) == (True, False)
    assert told["files"][0]["path"] == "src/a.py"
    assert told["files"][0]["both_changed"] is True


def test_two_sessions(tmp_path: Path, branched: str) -> None:
    other = tmp_path / "other.jsonl"
    head = {**HEADER, "id": "other", "forkedFrom": {"id": HEADER["id"], "entry": "a2"}}
    other.write_bytes(
        line(head) + user("a1", None, "go", 1) + answer("a2", "a1", "both") + user("x", "a2", "y")
    )
    (told,) = run_json("compare", "--json", branched, str(other))
    assert told["common"] == 2
    assert told["right"]["records"] == ["x"]
    assert told["right"]["session"] == "other"
    (back,) = run_json("compare", "--json", str(other), branched)
    assert (back["left"]["records"], back["right"]["records"]) == (["x"], ["d1", "d2", "d3"])


def test_hostile_text_is_cleaned(tmp_path: Path) -> None:
    path = tmp_path / "ill.jsonl"
    path.write_bytes(
        session(
            user("a1", None, "go"),
            user("b1", "a1", "\x1b[31mred \u202e", second=2),
            user("c1", "a1", "on", second=3),
        )
    )
    status, out, _err = run_cli("compare", str(path))
    assert status == 0
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_what_cannot_be_compared(tmp_path: Path, branched: str) -> None:
    alone = tmp_path / "alone.jsonl"
    alone.write_bytes(simple())
    for arguments, sentence in (
        ((str(alone),), "one branch"),
        ((branched, "--branch", "nobody"), "no record has the id"),
        (("/nowhere/x.jsonl",), "no session fits"),
        ((branched, "/nowhere/y.jsonl"), ""),
    ):
        status, out, err = run_cli("compare", *arguments)
        assert (status, out) == (1, ""), arguments
        assert sentence in err
    status, out, err = run_cli("compare", branched, str(alone), "--branch", "b1")
    assert (status, out) == (2, "")
    assert "--branch is for" in err
    assert json.loads(run_cli("compare", "--json", str(alone), str(alone))[1])["common"] == 4
