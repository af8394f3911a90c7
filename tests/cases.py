"""The cases under `tests/data/cases`: inputs with the right answers, made where they are made."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CASES_DIR = Path(__file__).parent / "data" / "cases"
REAL_DIR = Path(__file__).parent / "data" / "real"
NOBODY = 65534


@dataclass(frozen=True, slots=True)
class Case:
    """One case: its name, its folder and its right answers."""

    name: str
    folder: Path
    expected: dict[str, Any]

    @property
    def made(self) -> bool:
        """Whether its files are made by its own program."""
        return self.expected["make"] is not None

    @property
    def needs_dropped_rights(self) -> bool:
        """Whether it needs a user whom permissions hold back, and we are not one."""
        return "not-root" in self.expected["needs"] and os.geteuid() == 0

    def place(self, scratch: Path, step: int | None = None) -> Path:
        """Return the folder with the case's files, making them in `scratch` where needed."""
        if not self.made:
            return self.folder
        command = [sys.executable, str(self.folder / "make.py"), str(scratch)]
        if step is not None:
            command.append(str(step))
        subprocess.run(command, check=True, capture_output=True)
        return scratch


def all_cases() -> list[Case]:
    """Return every case, by name."""
    return [
        Case(path.parent.name, path.parent, json.loads(path.read_text("utf-8")))
        for path in sorted(CASES_DIR.glob("*/expected.json"))
    ]


def run_cli(*arguments: str, dropped: bool = False) -> tuple[int, str, str]:
    """Run the command line in this process; return status, stdout and stderr.

    Args:
        arguments: What would stand after `ink-tui`.
        dropped: Run in a child that gave up the superuser's rights.
    """
    if dropped:
        return _run_dropped(list(arguments))
    return _run(list(arguments))


def run_json(*arguments: str, dropped: bool = False) -> list[dict[str, Any]]:
    """Run the command line and return the objects it printed."""
    _status, out, _err = run_cli(*arguments, dropped=dropped)
    return [json.loads(line) for line in out.splitlines()]


def _run(arguments: list[str]) -> tuple[int, str, str]:
    from ink_tui.cli import main

    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(arguments)
    return status, out.getvalue(), err.getvalue()


def _run_dropped(arguments: list[str]) -> tuple[int, str, str]:
    # Everything is loaded before the rights are given up: the interpreter's folder may be private.
    sample = CASES_DIR / "01-tail-fragment"
    _run(["check", "--json", str(sample / "session.jsonl")])
    _run(["list", "--json", "--sessions-dir", str(sample)])
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 70
        try:
            os.close(reader)
            os.environ["INK_TUI_CONFIG_DIR"] = "/nonexistent"  # ours is not theirs to read
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            answer = json.dumps(_run(arguments)).encode()
            with os.fdopen(writer, "wb") as pipe:
                pipe.write(answer)
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        answer = pipe.read()
    _pid, status = os.waitpid(child, 0)
    assert status == 0, "the child with dropped rights failed"
    code, out, err = json.loads(answer)
    return code, out, err
