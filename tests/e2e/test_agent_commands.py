"""What an agent writes stays in its pane: no title, link, note or clipboard outside of it."""

from __future__ import annotations

import base64
import os
import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e.hostile import tokens
from tests.e2e.terminal import Terminal, default_environment, installed_command
from tests.sessions import HEADER, answer, line, user

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.e2e

SECRET = base64.b64encode(b"stolen by the agent").decode()
COMMANDS = (
    *("]0;EVIL title", "]1;EVIL icon", "]2;EVIL window"),
    *("]8;;http://evil.example/", "]8;id=EVIL;https://evil.example/", "]7;file://EVIL/"),
    *("]9;EVIL note", "]777;notify;EVIL;note", "]99;i=1:d=0;EVIL", "]1337;File=inline=1:RVZJTA=="),
    *(f"]52;c;{SECRET}", f"]52;p;{SECRET}", "]52;c;?", "]4;1;rgb:EV/IL/00", "]10;?", "]50;EVIL"),
    *("P$qEVIL", "_GEVIL", "^EVIL", "XEVIL", "[21t", "[22;0t", "[5i", "[?1049l", "c"),
)
"""Commands to a terminal without their first byte."""


def _agent(folder: Path) -> Path:
    program = folder / "evil"
    said = "".join(
        f"\\033{command}{end}" for command in COMMANDS for end in ("\\007", "\\033\\\\", "\\234")
    ).replace("%", "%%")
    program.write_text(f"#!/bin/sh\nprintf '{said}'\nprintf '\\007\\007\\ncontinuing\\n'\nread a\n")
    program.chmod(0o700)
    return program


def test_nothing_an_agent_commands_reaches_the_terminal(tmp_path: Path) -> None:
    work, store = tmp_path / "work", tmp_path / "store" / "folder"
    work.mkdir()
    store.mkdir(parents=True)
    talk = user("a", None, "hello") + answer("b", "a", "well")
    path = store / "s.jsonl"
    path.write_bytes(line({**HEADER, "cwd": str(work)}) + talk)
    os.utime(path, (1_000, 1_000))
    config = tmp_path / "config.toml"
    config.write_text(f'[agents.evil]\nresume = ["{_agent(tmp_path)}", "{{id}}"]\n')
    argv = [installed_command(), "--config", str(config), "--sessions-dir", str(store.parent)]
    with Terminal.start(argv, env=default_environment(), size=(120, 36)) as terminal:
        terminal.wait_for("hello").send("r").wait_for("Ready to resume")
        if "evil" not in terminal.text:
            terminal.send("a").wait_for("evil")
        terminal.send("enter").wait_for("continuing")
        terminal.send("ctrl+]").wait_for("k stop").send("k").wait_for("killed")
        terminal.send("b").wait_for("enter open").send("ctrl+q")
        assert terminal.wait_exit() == 0
        assert terminal.left_on() == []
        raw = bytes(terminal.raw)
    assert SECRET.encode() not in raw
    assert b"EVIL" not in raw
    raw, shapes = re.subn(rb"\x1b\]22;[a-z-]*\x07", b"", raw)  # Textual's own: the pointer's shape
    assert shapes
    assert b"\x07" not in raw
    acting = {token for token in tokens(raw) if token.startswith(("osc", "string", "control"))}
    assert acting == set()
