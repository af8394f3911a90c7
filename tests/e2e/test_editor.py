"""A file opened in an editor that takes the terminal, in a real pseudo-terminal."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from tests.e2e.terminal import Terminal, default_environment, installed_command
from tests.sessions import user
from tests.transcript_samples import Script, call, result

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.e2e

NAME = "a $(touch owned); b.py"
EDITOR = """#!/bin/sh
trap 'echo interrupted' INT
printf 'EDITOR'; for each in "$@"; do printf ' [%s]' "$each"; done; echo
while ! read -r code; do :; done
exit "$code"
"""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / NAME).write_text("x\n")
    return folder


@pytest.fixture
def session(tmp_path: Path, work: Path) -> Path:
    script = Script(str(work)).user("change it")
    script.answer(call("c", "edit", path=NAME, edits=[{"oldText": "x", "newText": "y"}]), seconds=1)
    script.results(result("c", "edit", "Edited (1 edit(s) applied):\n\n@@ line 7 @@"), seconds=1)
    path = tmp_path / "sessions" / "one" / "s.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(script.data())
    return path


@pytest.fixture
def terminal(tmp_path: Path, session: Path) -> Iterator[Terminal]:
    editor, home = tmp_path / "vim", tmp_path / "home"
    editor.write_text(EDITOR)
    editor.chmod(0o700)
    home.mkdir()
    env = {k: v for k, v in default_environment().items() if not k.startswith("XDG_")}
    env |= {"HOME": str(home), "VISUAL": f"{editor} -n"}
    argv = [installed_command(), "--sessions-dir", str(session.parent.parent)]
    with Terminal.start(argv, env=env, size=(120, 36), cwd=tmp_path) as running:
        running.wait_for("┃ edit").send("2").wait_for("turn 1 of 1")
        yield running


def test_the_editor_has_the_terminal_and_gives_it_back(
    terminal: Terminal, session: Path, work: Path
) -> None:
    terminal.send("e").wait_for(f"EDITOR [-n] [+7] [{work}/{NAME}]")
    assert terminal.left_on() == []  # it finds the terminal as a program expects it
    terminal.send("ctrl+c").wait_for("interrupted")
    with session.open("ab") as file:
        file.write(user("u", "e3", "said meanwhile"))
    deadline = time.monotonic() + 1.5  # longer than the watch takes: nothing may be drawn
    while time.monotonic() < deadline:
        terminal._read(0.1)
    assert "said meanwhile" not in terminal.text
    terminal.write("0\n").wait_for("said meanwhile").wait_for("turn 1 of 2")
    assert "EDITOR" not in terminal.text
    assert not os.path.lexists(work / "owned")
    terminal.send("q")
    assert terminal.wait_exit() == 0
    assert terminal.left_on() == []


def test_an_editor_that_fails_is_told_of(terminal: Terminal) -> None:
    terminal.send("e").wait_for("EDITOR")
    terminal.write("3\n").wait_for("vim ended with 3.")
    terminal.send("q")
    assert terminal.wait_exit() == 0
