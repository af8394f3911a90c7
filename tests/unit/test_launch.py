"""How an agent is started: argument lists only, whatever stands in a session file."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from ink_tui.agent.agents import (
    BUILT_IN,
)
from ink_tui.agent.launch import copy_command, is_safe_id
from ink_tui.model.liveness import Holder, HolderKind
from tests.unit.case_files import CASES, case_bytes
from tests.unit.launch_files import ID, fake_agent, plan, put


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of its own: Ink's store is found through it."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def store(home: Path) -> Path:
    root = home / ".ink" / "sessions"
    root.mkdir(parents=True)
    return root


# --- the cases -------------------------------------------------------------------------------


def test_a_missing_folder_is_refused(store: Path) -> None:
    path = store / "x" / "session.jsonl"
    path.parent.mkdir()
    path.write_bytes(case_bytes("64-cwd-gone"))
    made = plan(path, store)
    assert (made.allowed, made.refusal_reason_kind) == (False, "cwd-missing")
    assert "/srv/work/removed-last-week no longer exists" in made.sentence
    assert made.argv == ()
    assert made.copy_command == ""
    assert made.cwd == "/srv/work/removed-last-week"


@pytest.mark.parametrize(
    ("cwd", "kind"),
    [
        ("/dev/null", "cwd-not-directory"),
        ("", "cwd-missing"),
        ("tests", "cwd-missing"),
        ("C:\\Users", "cwd-missing"),
        ("/tmp\0/x", "cwd-missing"),
        ("/" + "x" * 5000, "cwd-missing"),
    ],
)
def test_folders_that_are_none(store: Path, cwd: str, kind: str) -> None:
    path = store / "x.jsonl"
    path.write_bytes(put(store, "/").read_bytes().replace(b'"cwd": "/"', b'"cwd": "@"'))
    text = path.read_bytes().replace(b'"@"', json.dumps(cwd).encode())
    path.write_bytes(text)
    made = plan(path, store)
    assert made.refusal_reason_kind == kind
    assert made.sentence.endswith((".", "?"))


def test_the_copied_command_means_the_same_in_a_shell(store: Path, tmp_path: Path) -> None:
    """The folder's name of the case, made below a scratch root, and a real shell."""
    header = json.loads(case_bytes("67-cwd-shell-characters").split(b"\n")[0])
    cwd = tmp_path / header["cwd"].lstrip("/")
    cwd.mkdir(parents=True)
    program = fake_agent(tmp_path / "bin dir'$(touch pwned)")
    path = put(store, str(cwd))
    made = plan(path, store, bin_dir=program.parent)
    assert made.allowed, made.sentence
    assert made.agent == "ink"
    assert made.shell is False
    assert made.resume_id == header["id"] == made.resume_argument
    assert made.argv == (str(program), "-r", header["id"])
    assert made.cwd == str(cwd)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    for shell in ("bash", "sh"):
        run = subprocess.run(
            [shell, "-c", made.copy_command], cwd=scratch, capture_output=True, check=True
        )
        assert run.stderr == b""
        assert Path(f"{program}.pwd").read_text() == f"{cwd}\n"
        assert Path(f"{program}.argv").read_text() == f"-r\n{header['id']}\n"
    assert not list(tmp_path.rglob("pwned"))
    assert list(scratch.iterdir()) == []


def test_the_argv_started_without_a_shell_lands_there_too(store: Path, tmp_path: Path) -> None:
    cwd = tmp_path / "a; touch pwned #"
    cwd.mkdir()
    program = fake_agent(tmp_path / "bin")
    made = plan(put(store, str(cwd)), store, bin_dir=program.parent)
    subprocess.run(made.argv, executable=made.program, cwd=made.cwd, check=True)
    assert Path(f"{program}.pwd").read_text() == f"{cwd}\n"
    assert not list(tmp_path.rglob("pwned"))


@pytest.mark.parametrize("sign", ["\x1b]0;x\x07", "\n", "\u202e", "\x9b", "\ud800"])
def test_what_acts_on_a_terminal_is_not_offered_for_pasting(sign: str) -> None:
    assert copy_command(f"/tmp/{sign}", ("/bin/ink",)) == ""
    assert copy_command("/tmp/工作 's", ("/bin/ink", "-r", "x")) == (
        f"cd {shlex.quote(chr(47) + 'tmp/工作 ' + chr(39) + 's')} && /bin/ink -r x"
    )


# --- ids ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        (ID, True),
        ("a", True),
        ("a" * 128, True),
        ("a" * 129, False),
        ("", False),
        ("-rf", False),
        ("--help", False),
        ("a\n", False),
        ("a b", False),
        ("a/b", False),
        ("../x", False),
        ("a..b", False),
        ("a.", False),
        (".a", False),
        ("NUL", False),
        ("com1.txt", False),
        ("a;b", False),
        ("ａ", False),
        ("a\0", False),
    ],
)
def test_ids(text: str, safe: bool) -> None:
    assert is_safe_id(text) == safe


@pytest.mark.parametrize("session_id", ["--yes-in-place", "a b", "../../x", "$(id)", "x\n-y"])
def test_an_unsafe_id_is_never_an_argument(store: Path, tmp_path: Path, session_id: str) -> None:
    program = fake_agent(tmp_path / "bin")
    path = put(store, str(tmp_path), session_id=session_id)
    made = plan(path, store, bin_dir=program.parent)
    assert made.allowed
    assert made.resume_argument == "2026-x"
    assert session_id not in made.argv
    built_in = plan(path, store, agent=BUILT_IN)
    assert built_in.resume_argument == str(path)
    assert session_id not in built_in.argv


def test_unsafe_id_and_unsafe_name_are_refused_for_ink(store: Path, tmp_path: Path) -> None:
    program = fake_agent(tmp_path / "bin")
    path = put(store, str(tmp_path), session_id="-x", name="--resume.jsonl")
    made = plan(path, store, agent="ink", bin_dir=program.parent)
    assert made.refusal_reason_kind == "unreachable"
    assert "Fork it instead" in made.sentence


@pytest.mark.parametrize("other", [ID, ID + "9"])
def test_where_ink_would_find_two_the_file_is_named(
    store: Path, tmp_path: Path, other: str
) -> None:
    program = fake_agent(tmp_path / "bin")
    path = put(store, str(tmp_path))
    put(store, str(tmp_path), session_id=other, name="2026-y.jsonl")
    made = plan(path, store, bin_dir=program.parent)
    assert made.resume_id == ID
    assert made.resume_argument == "2026-x"
    assert made.argv == (str(program), "-r", "2026-x")


def test_a_neighbour_with_another_id_changes_nothing(store: Path, tmp_path: Path) -> None:
    program = fake_agent(tmp_path / "bin")
    path = put(store, str(tmp_path))
    put(store, str(tmp_path), session_id=ID[:-1], name="2026-y.jsonl")
    (path.parent / "broken.jsonl").write_bytes(b"\0\xff")
    os.mkfifo(path.parent / "pipe.jsonl")
    assert plan(path, store, bin_dir=program.parent).resume_argument == ID


# --- refusals ----------------------------------------------------------------------------------


def test_a_held_session_is_refused(store: Path, tmp_path: Path) -> None:
    path = put(store, str(tmp_path))
    made = plan(path, store, holder=Holder(HolderKind.CERTAIN, "ink, process 7", 7))
    assert made.refusal_reason_kind == "in-use"
    assert "process 7" in made.sentence
    assert plan(path, store, holder=Holder(HolderKind.POSSIBLE, "ink", 7)).allowed


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("15-newer-version", "unsupported-version"),
        ("12-empty-file", "empty-file"),
        ("09-glued-records-inside", "invalid-json"),
        ("42-gap-in-middle", "gap-not-at-tail"),
        ("27-parent-cycle", "cycle"),
    ],
)
def test_content_that_cannot_be_continued(store: Path, name: str, kind: str) -> None:
    path = store / "session.jsonl"
    path.write_bytes(case_bytes(name))
    made = plan(path, store)
    assert (made.allowed, made.refusal_reason_kind) == (False, kind)
    assert type(made.refusal_reason_kind) is str


def test_a_sub_agent_session_is_refused_by_header_and_by_place(store: Path) -> None:
    folder = CASES / "60-child-sessions" / "root" / "srv-work-tidepool" / "children"
    by_header = store / "x" / "a.jsonl"
    by_header.parent.mkdir()
    by_header.write_bytes(next(folder.glob("*.jsonl")).read_bytes())
    assert plan(by_header, store).refusal_reason_kind == "child-session"
    by_place = store / "x" / "children" / "b.jsonl"
    by_place.parent.mkdir()
    by_place.write_bytes(case_bytes("64-cwd-gone"))
    assert plan(by_place, store).refusal_reason_kind == "child-session"
    ordinary = store / "children" / "c.jsonl"
    ordinary.parent.mkdir()
    ordinary.write_bytes(case_bytes("64-cwd-gone"))
    assert plan(ordinary, store).refusal_reason_kind == "cwd-missing"


def test_a_torn_session_says_what_would_be_lost(store: Path, tmp_path: Path) -> None:
    path = put(store, str(tmp_path))
    path.write_bytes(path.read_bytes() + b'{"type":"mess')
    made = plan(path, store)
    assert made.allowed
    assert "Repair it first" in made.sentence
