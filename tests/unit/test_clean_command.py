"""`ink-tui clean` as people run it: the installed command, the real trash, a home of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cases import run_cli
from tests.clean_stores import DAY, NOW, put

COMMAND = Path(sys.executable).with_name("ink-tui")
YOUNG = NOW / DAY - time.time() * 1000 / DAY + 1
"""Age that is one day, for a program with the machine's own clock."""


class Home:
    """A home folder with a store and a trash on the same device."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / ".ink" / "sessions"
        self.work = self.root / "work"
        self.trash = folder / "share" / "Trash" / "files"

    @property
    def env(self) -> dict[str, str]:
        return {
            "HOME": str(self.folder),
            "XDG_DATA_HOME": str(self.folder / "share"),
            "XDG_STATE_HOME": str(self.folder / "state"),
            "PATH": "/usr/bin:/bin",
        }

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [COMMAND, "clean", *arguments],
            env=self.env,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, *arguments: str) -> tuple[int, str, str]:
        with self.start(*arguments) as process:
            out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def json(self, *arguments: str) -> tuple[int, dict[str, dict[str, Any]]]:
        status, out, err = self.run("--json", *arguments)
        assert err == ""
        rows = [json.loads(line) for line in out.splitlines()]
        return status, {Path(row["path"]).name: row for row in rows}

    def names(self) -> list[str]:
        return sorted(path.name for path in self.root.rglob("*.jsonl"))

    def trashed(self) -> list[str]:
        return sorted(path.name for path in self.trash.iterdir()) if self.trash.exists() else []


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    put(made.work / "old.jsonl", "old-session")
    put(made.work / "children" / "below.jsonl", "below", parent="old-session")
    put(made.work / "children" / "orphan.jsonl", "orphan", parent="gone")
    put(made.work / "empty.jsonl", "empty-session", messages=0, age_days=YOUNG)
    put(made.work / "young.jsonl", "young", age_days=YOUNG)
    put(made.work / "torn.jsonl", "torn", tail=b'{"type":')
    return made


def test_without_yes_it_only_shows(home: Home) -> None:
    before = home.names()
    status, rows = home.json("--empty", "--older-than", "90", "--orphans")
    assert status == 0
    assert {name: row["action"] for name, row in rows.items()} == {
        "empty.jsonl": "goes",
        "old.jsonl": "goes",
        "orphan.jsonl": "goes",
        "torn.jsonl": "stays",
    }
    old = rows["old.jsonl"]
    below = home.work / "children" / "below.jsonl"
    assert old["children"] == [str(below)]
    assert old["size"] == below.stat().st_size + (home.work / "old.jsonl").stat().st_size
    assert (old["reason"], rows["torn.jsonl"]["reason"]) == (None, "torn tail")
    assert home.names() == before
    assert not (home.folder / "state").exists()


def test_people_read_sizes_reasons_and_what_to_do(home: Home) -> None:
    status, out, err = home.run("--older-than", "90")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("To the trash would go 1 session and 1 sub-agent session, ")
    assert "task of old-session" in lines[1]
    assert "with 1 sub-agent session" in lines[1]
    assert lines[2:] == [
        "1 session would stay:",
        "  task of torn: torn tail",
        "Nothing was moved. --yes moves it; it can be put back from the trash.",
    ]


def test_with_yes_it_goes_to_the_trash_of_the_desktop(home: Home) -> None:
    content = (home.work / "old.jsonl").read_bytes()
    status, out, err = home.run("--empty", "--older-than", "90", "--orphans", "--yes")
    assert (status, err) == (0, "")
    assert "Moved to the trash: 2 sessions and 2 sub-agent sessions, " in out
    assert out.splitlines()[-1].endswith("They can be put back from there.")
    assert home.names() == ["torn.jsonl", "young.jsonl"]
    assert home.trashed() == ["below.jsonl", "empty.jsonl", "old.jsonl", "orphan.jsonl"]
    assert (home.trash / "old.jsonl").read_bytes() == content
    info = (home.trash.parent / "info" / "old.jsonl.trashinfo").read_text("ascii")
    assert f"Path={home.work}/old.jsonl" in info
    status, out, _err = home.run("--empty", "--older-than", "90", "--orphans", "--yes")
    assert status == 1
    assert out.splitlines()[-1] == "Nothing is to be cleaned up."


def test_what_is_pinned_or_held_stays(home: Home) -> None:
    state = home.folder / "state" / "ink-tui"
    state.mkdir(parents=True)
    marks = {"version": 1, "sessions": {"old-session": {"pinned": True}}}
    (state / "marks.json").write_text(json.dumps(marks))
    waits = [sys.executable, "-c", "input()", "empty-session"]
    with subprocess.Popen(waits, stdin=subprocess.PIPE) as holder:
        status, rows = home.json("--empty", "--older-than", "90", "--yes")
        holder.communicate(b"\n", timeout=30)
    assert status == 1
    assert rows["old.jsonl"]["reason"] == "pinned"
    assert "in use by python" in rows["empty.jsonl"]["reason"]
    assert home.trashed() == []


def test_a_failure_is_told_and_the_rest_goes(home: Home) -> None:
    for name in "abcde":
        put(home.root / name / f"{name}.jsonl", name, messages=0)
    # The trash holds a name that is too long for the note that goes with it.
    long = "c" * 249 + ".jsonl"
    (home.root / "c" / "c.jsonl").rename(home.root / "c" / long)
    status, rows = home.json("--empty", "--yes")
    assert status == 1
    assert {row["id"]: row["action"] for row in rows.values()} == {
        **dict.fromkeys(["a", "b", "d", "e", "empty-session"], "moved"),
        "c": "failed",
    }
    assert "cannot be moved to the trash" in rows[long]["reason"]
    assert home.trashed() == ["a.jsonl", "b.jsonl", "d.jsonl", "e.jsonl", "empty.jsonl"]
    assert (home.root / "c" / long).exists()


def test_two_programs_at_once_lose_nothing(home: Home) -> None:
    for number in range(25):
        put(home.root / "many" / f"{number:02}.jsonl", f"many-{number}")
    wanted = {path.read_bytes() for path in (home.root / "many").iterdir()}
    programs = [home.start("--older-than", "30", "--yes", "--json") for _ in range(2)]
    moved: list[str] = []
    for program in programs:
        out, _err = program.communicate(timeout=60)
        assert program.returncode in (0, 1)
        rows = [json.loads(line) for line in out.splitlines()]
        moved += [row["path"] for row in rows if row["action"] == "moved"]
    assert len(moved) == len(set(moved)) == 26
    assert home.names() == ["empty.jsonl", "orphan.jsonl", "torn.jsonl", "young.jsonl"]
    assert wanted <= {path.read_bytes() for path in home.trash.iterdir()}


@pytest.mark.parametrize(
    "wrong",
    [(), ("--older-than",), ("--older-than", "0"), ("--older-than", "-3"), ("--older-than", "1.5")],
)
def test_wrong_usage(wrong: tuple[str, ...], tmp_path: Path) -> None:
    status, out, err = run_cli("clean", *wrong, "--sessions-dir", str(tmp_path))
    assert (status, out) == (2, "")
    assert "days" in err or "expected" in err or "--older-than DAYS" in err


def test_nothing_there_is_nothing_found(tmp_path: Path) -> None:
    status, out, err = run_cli("clean", "--empty", "--sessions-dir", str(tmp_path / "none"))
    assert (status, out) == (1, "Nothing is to be cleaned up.\n")
    assert "does not exist" in err
    (tmp_path / "some").mkdir()
    status, out, err = run_cli("clean", "--empty", "--sessions-dir", str(tmp_path / "some"))
    assert (status, err) == (1, "")


def test_the_store_of_the_predecessor_is_only_read(tmp_path: Path) -> None:
    home = Home(tmp_path)
    put(home.work / "a.jsonl", "a")
    put(tmp_path / ".imp" / "sessions" / "work" / "b.jsonl", "b")
    status, rows = home.json("--older-than", "30", "--yes")
    assert (status, rows["a.jsonl"]["action"], rows["b.jsonl"]["action"]) == (0, "moved", "stays")
    assert "only read" in rows["b.jsonl"]["reason"]
    assert (tmp_path / ".imp" / "sessions" / "work" / "b.jsonl").exists()
