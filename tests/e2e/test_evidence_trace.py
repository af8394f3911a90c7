"""Looking for evidence changes nothing: a trace of the system calls, and the folder's state."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ink_tui.store.demo import create_demo
from tests.e2e.terminal import default_environment
from tests.e2e.tracing import FolderState, best_tracer, changes
from tests.sessions import HEADER, answer, line, user

pytestmark = pytest.mark.e2e

PROGRAM = """
import sys
from ink_tui.store.evidence import look_at_calls
from ink_tui.store.reader import read_session
for path in sys.argv[1:]:
    for seen in look_at_calls(path, read_session(path)[0], budget_s=30):
        print(seen.words)
"""


def test_looking_opens_nothing_for_writing_and_no_pipe(tmp_path: Path) -> None:
    with create_demo(1_772_453_040_000, tmp_path / "home") as demo:
        pipe = demo.cwd / "pipe"
        os.mkfifo(pipe)
        (demo.cwd / "link").symlink_to(demo.cwd / "src" / "sum.ts")
        second = demo.root / "second.jsonl"
        calls = (
            ("c1", "edit", {"path": "pipe", "oldText": "a", "newText": "b"}),
            ("c2", "write", {"path": "new/file.ts", "content": "x"}),
            ("c3", "write", {"path": "link", "content": "x"}),
            ("c4", "bash", {"command": "touch owned; rm -r ."}),
        )
        second.write_bytes(
            line({**HEADER, "cwd": str(demo.cwd)})
            + user("u1", None, "go")
            + answer("a1", "u1", calls=calls)
        )
        before = FolderState.of(demo.home)
        tracer = best_tracer(tmp_path)
        env = tracer.environment(default_environment())
        paths = [env.get("PYTHONPATH", ""), str(Path(__file__).parents[2])]
        env["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        run = subprocess.run(
            tracer.wrap([sys.executable, "-c", PROGRAM, str(demo.first), str(second)]),
            env=env,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert run.stdout.splitlines() == [
            "the file holds the new text",
            "cannot be checked",
            "cannot be checked",
            "the file does not exist",
            "cannot be checked",
            "cannot be checked",
        ]
        accesses = tracer.accesses()
        opened = {access.path for access in accesses if access.kind == "read"}
        assert str(demo.cwd / "src" / "sum.ts") in opened  # the trace sees what is read
        assert str(pipe) not in opened
        assert changes(accesses, demo.home) == []
        assert before.differences(FolderState.of(demo.home)) == []
