"""S4 and S5: hostile ids, names and folders in argument lists and paths."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from typing import TYPE_CHECKING

from ink_tui.agent.agents import Agent
from ink_tui.agent.launch import is_safe_id, plan_launch
from ink_tui.errors import InkTuiError
from ink_tui.formats.ink.layout import ink_dir_name
from ink_tui.model.fork_points import fork_plan
from ink_tui.store.fork import write_fork
from ink_tui.store.library import Library
from ink_tui.store.repair_plan import diagnosis_of
from tests.e2e.terminal import default_environment, installed_command
from tests.e2e.tracing import FolderState, best_tracer, programs
from tests.sessions import HEADER, answer, simple, user
from tests.unit.launch_files import fake_agent
from tests.unit.repair_files import NOW

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from tests.reliability.ledger import Ledger, Row

HOSTILE = [
    *("-r", "--resume", "--", "-", "--config=/etc/passwd", "-c", "--yolo", "-rf /", "--help"),
    *("a\n--flag", "good\n", "\ngood", "good\r", "a\tb", "a b", " a", "a ", "a\0b", "\0"),
    *("$(id)", "`id`", "a;id", "a|id", "a&id", "a&&id", "a>b", "a<b", "$HOME", "${IFS}", "a'b"),
    *('a"b', "a\\b", "*", "?", "[a]", "{a,b}", "~", "~root", "!", "#a", "%s", "%n", "=a", "a=b"),
    *("..", ".", "../x", "a/../b", "a..b", "/etc/passwd", "a/b", "a\\..\\b", "trailing.", "...."),
    *("con", "NUL", "com1", "lpt9.txt", "aux.jsonl", "", "x" * 129, "x" * 5_000, "\ud800", "é"),
    *("\x1b]0;x\x07", "\x9b31m", "\u202egood", "go\u200bod", "ｇｏｏｄ", "{id}", "{path}", "{cwd}"),
    *("-\u2028", "@file", "+x", ",", ":", "c:", "\\\\srv\\share", "good\n-x", "٣"),
]
"""Texts that must never become an argument by which a session is named."""

_GOOD = ["a", "0", "x" * 128, "776f8464-57b4-5b9b-9aae-ccf9b8925ceb", "a.b_c-d", "A" * 36, "9-a.b"]

_SHELLS = {"sh", "bash", "dash", "zsh", "ash", "ksh", "env"}

_ECHO = """#!/bin/sh
printf '%s\\0' "$0" "$@" > "$OUT"
"""


def safe_ids(row: Row, safe: Callable[[str], bool]) -> None:
    """Hold a judge of ids against texts that are known to be good or bad."""
    for text in HOSTILE:
        row.trial()
        row.check(not safe(text), repr(text), "counts as safe")
    for text in _GOOD:
        row.trial()
        row.check(safe(text), repr(text), "counts as unsafe")


def test_hostile_ids(ledger: Ledger) -> None:
    what = "ids, names and folders of any shape: never a flag, never another argument, no shell"
    with ledger.row("S4 ids", what, least=85) as row:
        safe_ids(row, is_safe_id)


def _write(folder: Path, name: bytes, session_id: str, cwd: str) -> Path:
    folder.mkdir(exist_ok=True)
    raw = os.fsencode(folder) + b"/" + name
    content = json.dumps({**HEADER, "id": session_id, "cwd": cwd}).encode() + b"\n"
    with open(raw, "wb") as file:  # noqa: PTH123 - a name in bytes
        file.write(content + user("a1", None, "x") + answer("a2", "a1", "y"))
    return folder / os.fsdecode(name)


def test_what_the_agent_is_given(ledger: Ledger, tmp_path: Path) -> None:
    what = "the arguments an agent really gets are those shown; hostile ids become the file"
    program = fake_agent(tmp_path / "bin", "mine", _ECHO)
    mine = Agent("mine", (str(program), "--resume={id}", "--", "{id}", "{cwd}"))
    out = tmp_path / "out"
    with ledger.row("S4", what, least=150) as row:
        for number, text in enumerate(HOSTILE + _GOOD):
            folder_name = "".join(c for c in text if c not in "/\0").encode("utf-8", "replace")[
                :200
            ]
            work = os.fsencode(tmp_path) + b"/w%d-" % number + folder_name
            os.mkdir(work)  # noqa: PTH102 - a name in bytes
            cwd = os.fsdecode(work)
            for name in (b"2026-x.jsonl", folder_name[:100].lstrip(b".") + b".jsonl"):
                row.trial()
                root = tmp_path / f"s{number}-{len(name)}"
                path = _write(root, name, text, cwd)
                diagnosis = diagnosis_of(path.read_bytes())
                plan = plan_launch(diagnosis, path, root=root, agents=(mine,), agent="mine")
                if not plan.allowed:
                    row.note("refused")
                    row.check(not plan.argv and bool(plan.sentence), repr(text), plan.argv)
                    continue
                argument = plan.resume_argument or ""
                row.check(is_safe_id(argument), repr(text), "argument", repr(argument))
                wanted = (str(program), f"--resume={argument}", "--", argument, cwd)
                row.check(plan.argv == wanted, repr(text), plan.argv)
                row.check(not plan.shell, repr(text), "a shell takes part")
                if plan.copy_command:
                    parts = shlex.split(plan.copy_command)
                    row.check(parts == ["cd", cwd, "&&", *plan.argv], repr(text), parts)
                if not number % 3:
                    os.spawnve(os.P_WAIT, plan.program, plan.argv, {"OUT": str(out)})
                    got = tuple(os.fsdecode(part) for part in out.read_bytes().split(b"\0")[:-1])
                    row.check(got[1:] == plan.argv[1:], repr(text), got)
                    row.note("started")


def test_paths_that_lead_outside(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    what = "ids and folders that point elsewhere: nothing outside the root is read or written"
    monkeypatch.setenv("HOME", str(tmp_path))
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.jsonl").write_bytes(simple())
    tricks = [
        *("../outside", "../../outside", "/", str(outside), "..", ".", "a/../../outside", "~/x"),
        *("C:\\Windows", "\\\\srv\\x", "a\nb", "a\0b", "x" * 300, "..\\outside", "/../outside"),
        *("/./", "//", "///x", "-", "--", "/a/..", "\ud800", "é", "E\u0301", "A", "a", " ", "\t"),
        *("$HOME", "`x`", "*", "{cwd}", "%2e%2e", "..%2f", "/proc/self/root", "/dev/fd/0", "con"),
        *("....//", "a//b", "./..", ".../", "\u202e", "\\", ":", "a:b", "\x1b[2J"),
    ]
    with ledger.row("S5", what, least=80) as row:
        for number, cwd in enumerate(tricks):
            row.trial()
            name = ink_dir_name(cwd)
            row.check("/" not in name and "\\" not in name, repr(cwd), "folder", repr(name))
            root = tmp_path / f"root{number}"
            path = _write(root, b"a.jsonl", HEADER["id"], cwd)
            before = FolderState.of(outside)
            plan = fork_plan(diagnosis_of(path.read_bytes()))
            for into in (None, cwd):
                row.trial()
                try:
                    made = write_fork(path, plan, root=root, now_ms=NOW, cwd=into)
                    real = made.path.resolve()
                    row.check(real.is_relative_to(root), repr(cwd), "written to", real)
                    row.note("copied")
                except InkTuiError:
                    row.note("refused")
            row.check(not before.differences(FolderState.of(outside)), repr(cwd), "outside changed")
        _links(row, tmp_path, outside)


def _links(row: Row, folder: Path, outside: Path) -> None:
    """Links, loops and strange names in a root: shown as what they are, never followed."""
    root = folder / "linked"
    root.mkdir()
    (root / "out").symlink_to(outside)
    (root / "loop").symlink_to(root)
    (root / "a").mkdir()
    (root / "a" / "up").symlink_to("..")
    (root / "a" / "secret.jsonl").symlink_to(outside / "secret.jsonl")
    (root / "a" / "self.jsonl").symlink_to("self.jsonl")
    with open(os.fsencode(root) + b"/a/\xff\xfe.jsonl", "wb") as file:  # noqa: PTH123 - in bytes
        file.write(simple())
    listing = Library([str(root)]).scan(quick=False)
    row.trial(len(listing.rows))
    read = [item for item in listing.rows if item.error_kind is None]
    row.check(len(read) == 1 and "\udcff" in read[0].path, "read", [item.path for item in read])
    kinds = sorted(str(item.error_kind) for item in listing.rows if item.error_kind)
    row.check(kinds == ["symlink", "symlink"], "kinds", kinds)


_CWDS = ["$(touch pwned)", "`id`;id", "a b&&id", "-rf", "a\nb", "'\"\\", "\x1b]0;x\x07", "{id}%s"]


def test_no_shell_takes_part(ledger: Ledger, tmp_path: Path) -> None:
    what = "the installed command starts an agent in hostile folders: one program, no shell"
    config = tmp_path / "config.toml"
    config.write_text('[agents.mine]\nresume = ["/bin/echo", "--resume={id}", "{cwd}"]\n', "utf-8")
    home = tmp_path / "home"
    home.mkdir()
    with ledger.row("S4 traced", what, least=8) as row:
        for number, name in enumerate(_CWDS):
            row.trial()
            work = tmp_path / f"w{number}" / name
            work.mkdir(parents=True)
            path = _write(tmp_path / f"s{number}", b"2026-x.jsonl", HEADER["id"], str(work))
            os.utime(path, ns=(0, 0))
            tracer = best_tracer(tmp_path / f"w{number}")
            command = [installed_command(), "resume", str(path), "--agent", "mine"]
            command += ["--config", str(config), "--sessions-dir", str(path.parent)]
            env = {**default_environment(), "HOME": str(home)}
            run = subprocess.run(
                tracer.wrap(command),
                env=tracer.environment(env),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=60,
            )
            wanted = ("/bin/echo", f"--resume={HEADER['id']}", str(work))
            started = programs(tracer.accesses())
            row.check(run.returncode == 0, name, run.stderr[-300:])
            row.check(started[-1] == wanted, name, started[-1])
            shells = [argv for argv in started if argv[0].rsplit("/", 1)[-1] in _SHELLS]
            row.check(not shells, name, "a shell:", shells)
            row.check(not list(work.iterdir()), name, "something was made in the folder")
