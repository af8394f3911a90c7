"""The headless commands: names of fields, exit statuses, help without the screen's library."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ink_tui.cli import _COMMANDS
from ink_tui.model.marks import SessionMarks
from ink_tui.paths import STATE_DIR_VARIABLE
from ink_tui.store.marks import change_marks, marks_path
from tests.cases import CASES_DIR, all_cases, run_cli, run_json
from tests.sessions import HEADER, answer, line, simple, user

ROW = {
    *("path", "id", "cwd", "title", "last_activity", "empty", "child", "parent_id"),
    *("verdict", "error_kind", "complete"),
}
PLAN = {
    *("allowed", "refusal_reason_kind", "agent", "argv", "cwd", "resume_id"),
    *("resume_argument", "shell", "copy_command", "writes"),
}
TORN = str(CASES_DIR / "01-tail-fragment" / "session.jsonl")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A store with two sessions of a folder that exists and one without a message."""
    work = tmp_path / "work"
    work.mkdir()
    folder = tmp_path / "store" / "folder"
    folder.mkdir(parents=True)
    for name in ("1", "2"):
        ident = f"{name}1111111-1111-4111-8111-111111111111"
        header = line({**HEADER, "id": ident, "cwd": str(work)})
        talk = user("a1", None, f"question {name}", int(name)) + answer("a2", "a1", "answer")
        (folder / f"{name}.jsonl").write_bytes(header + talk)
        os.utime(folder / f"{name}.jsonl", (1_000, 1_000))
    (folder / "3.jsonl").write_bytes(line({**HEADER, "id": "3", "cwd": str(work)}))
    return tmp_path / "store"


def test_list(root: Path) -> None:
    status, out, err = run_cli("list", "--json", "--sessions-dir", str(root))
    rows = [json.loads(text) for text in out.splitlines()]
    assert (status, err) == (0, "")
    assert all(row.keys() >= ROW for row in rows)
    assert [row["title"] for row in rows] == [
        "question 1",
        "question 2",
    ]  # both end as late: by path
    assert all(row["complete"] and row["verdict"] == "clean" for row in rows)
    assert len(run_json("list", "--json", "--all", "--sessions-dir", str(root))) == 3
    quick = run_json("list", "--json", "--quick", "--sessions-dir", str(root))
    assert [row.keys() for row in quick] == [row.keys() for row in rows]


def test_marks_in_the_list(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = ("--sessions-dir", str(root))
    state = tmp_path / "state"
    monkeypatch.setenv(STATE_DIR_VARIABLE, str(state))
    one, two = (f"{name}1111111-1111-4111-8111-111111111111" for name in "12")
    change_marks(state, one, lambda _: SessionMarks(archived=True, note="done\x1b[31m"))
    change_marks(state, two, lambda _: SessionMarks(pinned=True, starred=True))
    (row,) = run_json("list", "--json", *where)
    marks = {key: row[key] for key in ("id", "pinned", "starred", "archived", "note")}
    assert marks == {"id": two, "pinned": True, "starred": True, "archived": False, "note": ""}
    rows = run_json("list", "--json", "--all", *where)
    assert [(row["archived"], row["note"]) for row in rows] == [
        *((True, "done\x1b[31m"), (False, ""), (False, ""))
    ]
    _status, out, _err = run_cli("list", "--all", *where)
    lines = out.splitlines()
    assert lines[0].endswith("question 1  [archived]  note: done␛[31m")
    assert lines[1].endswith("question 2  [pinned, starred]")
    os.utime(root / "folder" / "1.jsonl")  # somebody writes to it
    assert len(run_json("list", "--json", *where)) == 2
    marks_path(state).write_bytes(b"{")
    status, out, err = run_cli("list", *where)
    assert status == 0
    assert "marks.json is damaged" in err
    assert len(out.splitlines()) == 2


def test_check_has_the_fields_of_the_cases() -> None:
    named = {key for case in all_cases() for s in case.expected["sessions"].values() for key in s}
    status, out, _err = run_cli("check", "--json", TORN)
    answer_ = json.loads(out)
    assert status == 1
    assert answer_.keys() >= named | {"path", "verdict", "live", "holder"}


def test_check_of_a_folder(root: Path) -> None:
    (root / "folder" / "3.jsonl").unlink()
    status, out, _err = run_cli("check", "--json", str(root))
    assert status == 0
    assert [json.loads(text)["verdict"] for text in out.splitlines()] == ["clean", "clean"]
    (root / "folder" / "2.jsonl").write_bytes(simple()[:-5])
    assert run_cli("check", str(root))[0] == 1


def test_locate(root: Path) -> None:
    where = ("--sessions-dir", str(root))
    assert run_json("locate", "--json", "beef", *where) == [
        {"path": None, "reason": "none", "candidates": []}
    ]
    found = run_json("locate", "--json", "21", *where)
    assert found == [{"path": str(root / "folder" / "2.jsonl")}]
    (root / "folder" / "4.jsonl").write_bytes(line({**HEADER, "id": "2111"}))
    status, out, err = run_cli("locate", "--json", "211", *where)
    assert status == 1
    assert json.loads(out)["reason"] == "ambiguous"
    assert len(json.loads(out)["candidates"]) == 2
    assert "Type more of the id" in err


def test_the_launch_plan(root: Path, tmp_path: Path) -> None:
    where = ("--sessions-dir", str(root))
    (plan,) = run_json("resume", "--dry-run", "--json", "21", *where)
    assert plan.keys() >= PLAN
    assert plan["allowed"] is True
    assert plan["cwd"] == str(tmp_path / "work")
    assert plan["shell"] is False
    assert plan["argv"][1:4] == ["agent", "--resume", "21111111-1111-4111-8111-111111111111"]
    status, out, _err = run_cli("resume", "--dry-run", "--json", TORN, *where)
    assert status == 1
    assert json.loads(out)["refusal_reason_kind"] == "cwd-missing"
    assert not json.loads(out)["copy_command"]


def test_the_newest_session_of_the_current_folder(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("resume", "--last", "--dry-run", "--json", "--sessions-dir", str(root))
    monkeypatch.chdir(tmp_path / "work")
    (plan,) = run_json(*options)
    assert plan["resume_id"] == "11111111-1111-4111-8111-111111111111"
    assert plan["allowed"] is True
    monkeypatch.chdir(tmp_path)
    assert run_cli(*options)[0] == 1


def test_show() -> None:
    status, out, err = run_cli("show", "--plain", TORN)
    assert (status, err) == (0, "")
    assert "Count the crates" in out
    assert run_cli("show", TORN)[1] == out


def test_a_refused_repair_is_no_success(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(Path(TORN).read_bytes())
    status, out, _err = run_cli("repair", "--json", str(path))  # written a moment ago
    assert status == 1
    assert json.loads(out)["refusal_reason_kind"] == "writing"
    os.utime(path, (1_000, 1_000))
    status, out, _err = run_cli("repair", "--json", str(path))
    assert status == 0
    assert json.loads(out)["allowed"] is True
    assert path.read_bytes() == Path(TORN).read_bytes()


def test_nothing_printed_acts_on_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b]0;x\x07\u202e.jsonl"
    path.write_bytes(simple())
    for command in (["check", str(path)], ["locate", str(path)], ["show", str(path)]):
        _status, out, err = run_cli(*command)
        assert "\x1b" not in out + err
        assert "\u202e" not in out + err


@pytest.mark.parametrize("command", [None, *_COMMANDS])
def test_help_needs_no_screen(command: str | None) -> None:
    words = [*([command] if command else []), "--help"]
    script = (
        "import json, sys\n"
        "from ink_tui.cli import main\n"
        f"status = main({words!r})\n"
        "print(json.dumps([status, 'textual' in sys.modules, 'rich' in sys.modules]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout.splitlines()[-1]) == [0, False, False]
    assert "ink-tui" in done.stdout


def test_list_keeps_what_it_found_out_and_keeps_nothing_when_told(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    monkeypatch.setenv("INK_TUI_CACHE_DIR", str(kept))
    wanted = run_cli("list", "--json", "--no-cache", "--sessions-dir", str(root))
    assert not kept.exists()
    assert run_cli("list", "--json", "--sessions-dir", str(root)) == wanted
    assert kept.exists()
    for path in root.rglob("*.jsonl"):
        size, times = path.stat().st_size, path.stat()
        path.write_bytes(b"x" * size)  # not to be seen, or the file was read
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert run_cli("list", "--json", "--sessions-dir", str(root)) == wanted
