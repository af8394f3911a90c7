"""What a kill leaves: found by its name and its lock, removed by the next writer or start."""

from __future__ import annotations

import fcntl
import json
import os
import stat
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING

import pytest

from ink_tui.cli import main
from ink_tui.store.atomic import replace_file
from ink_tui.store.leftovers import clear_leftovers
from ink_tui.store.locks import lock_path, session_lock
from ink_tui.store.scratch import clear_scratch, scratch_in
from ink_tui.tui import start
from ink_tui.tui.ending import Ending
from tests.cases import run_cli

if TYPE_CHECKING:
    from pathlib import Path

NAME = ".ink-tui-0123456789ab.tmp"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_is_private_and_gone_afterwards(tmp_path: Path) -> None:
    with scratch_in(tmp_path) as new:
        assert stat.S_IMODE(new.path.stat().st_mode) == 0o600
        assert clear_scratch(tmp_path) == 0
        assert names(tmp_path) == [new.path.name]
    assert names(tmp_path) == []
    with pytest.raises(ValueError, match="stop"), scratch_in(tmp_path):
        raise ValueError("stop")
    assert names(tmp_path) == []


def test_a_file_that_was_given_a_name_stays(tmp_path: Path) -> None:
    with scratch_in(tmp_path) as new:
        new.path.rename(tmp_path / "kept")
    assert names(tmp_path) == ["kept"]


def test_only_plain_files_with_our_names_go(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"half")
    (tmp_path / ".ink-tui-0123456789ac.tmp").mkdir()
    (tmp_path / ".ink-tui-0123456789ad.tmp").symlink_to(tmp_path / "mine")
    os.mkfifo(tmp_path / ".ink-tui-0123456789ae.tmp")
    others = ["mine", ".ink-tui-0123456789AB.tmp", f"{NAME}x", f"x{NAME}", ".ink-tui-.tmp"]
    for name in others:
        (tmp_path / name).write_bytes(b"x")
    before = set(names(tmp_path))
    assert clear_scratch(tmp_path) == 1
    assert before - set(names(tmp_path)) == {NAME}


def test_a_file_that_is_being_written_stays(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"half")
    with (tmp_path / NAME).open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert clear_scratch(tmp_path) == 0
    assert clear_scratch(tmp_path) == 1


def test_a_file_cleared_up_before_it_was_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = fcntl.flock
    cleared: list[int] = []

    def late(descriptor: int, how: int) -> None:
        if not cleared:
            cleared.append(0)
            with monkeypatch.context() as patch:
                patch.setattr(fcntl, "flock", real)
                cleared[0] = clear_scratch(tmp_path)
        real(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    replace_file(tmp_path / "state.json", b"all")
    assert cleared == [1]
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"state.json": b"all"}


def test_nothing_to_clear_is_no_error(tmp_path: Path) -> None:
    assert clear_leftovers(tmp_path / "none") == 0
    assert clear_leftovers(tmp_path) == 0
    assert names(tmp_path) == []


def test_the_start_clears_half_files_and_dead_locks(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"half")
    (tmp_path / "journal.jsonl").write_bytes(b"{}")
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "one.backup").write_bytes(b"kept")
    ended = subprocess.Popen(["true"])
    ended.wait()
    with session_lock(tmp_path, tmp_path / "held.jsonl", "repair"):
        living = lock_path(tmp_path, tmp_path / "held.jsonl")
        fields = json.loads(living.read_bytes())
        away = living.with_name("away.lock")
        away.write_text(json.dumps(fields | {"host": "elsewhere", "pid": ended.pid}))
        for name, content in (
            ("dead.lock", json.dumps(fields | {"pid": ended.pid}).encode()),
            ("reused.lock", json.dumps(fields | {"started": "another boot:1"}).encode()),
            ("half.lock", living.read_bytes()[:20]),
        ):
            living.with_name(name).write_bytes(content)
        assert clear_leftovers(tmp_path) == 4
        assert names(living.parent) == sorted([".guard", living.name, away.name])
    assert names(tmp_path) == ["backups", "journal.jsonl", "locks"]
    assert names(tmp_path / "backups") == ["one.backup"]


def test_what_cannot_be_removed_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / NAME).write_bytes(b"half")
    (tmp_path / "locks").mkdir()
    (tmp_path / "locks" / "half.lock").write_bytes(b"{")

    def refuse(*_arguments: object, **_more: object) -> None:
        raise OSError(30, "Read-only file system")

    for name in ("unlink", "open", "scandir"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, refuse)
            assert clear_leftovers(tmp_path) == 0
    assert clear_leftovers(tmp_path) == 2


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Our own state folder with what a kill has left."""
    folder = tmp_path / "state"
    folder.mkdir()
    (folder / NAME).write_bytes(b"half")
    monkeypatch.setenv("INK_TUI_STATE_DIR", str(folder))
    monkeypatch.setenv("INK_TUI_CONFIG_DIR", str(tmp_path / "config"))
    return folder


def test_the_line_dialogue_clears_up_when_it_starts(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda *_: "q")
    assert run_cli("--plain", "--demo")[0] == 0
    assert names(state) == [NAME]
    assert run_cli("--plain", "--sessions-dir", str(tmp_path / "none"))[0] == 0
    assert names(state) == []


def test_the_browser_clears_up_when_it_starts(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Screen(StringIO):
        def isatty(self) -> bool:
            return True

    class App:
        crash = None
        return_code = 7

        def run(self) -> None:
            assert names(state) == []

    monkeypatch.setattr(sys, "stdin", Screen())
    monkeypatch.setattr(start, "build_app", lambda _services: App())
    monkeypatch.setattr(Ending, "watch", lambda _ending: None)
    with redirect_stdout(Screen()):
        assert main(["--sessions-dir", str(tmp_path / "none")]) == 7
