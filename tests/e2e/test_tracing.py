"""The tracer, tried on programs that must be caught, of each kind, and on one that must pass."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.e2e import tracing
from tests.e2e.strace import parse
from tests.e2e.terminal import Terminal, default_environment
from tests.e2e.tracing import (
    AuditTracer,
    FolderState,
    StraceTracer,
    Tracer,
    TracingError,
    best_tracer,
    changes,
    programs,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.e2e

LOOKING = """
import os, pathlib
for place, folders, files in os.walk("."):
    for name in files:
        path = pathlib.Path(place, name)
        path.stat(); path.read_bytes(); os.access(path, os.W_OK)
os.close(os.open("a.jsonl", os.O_RDONLY | os.O_NOFOLLOW))
open("../outside", "w").close()
os.rename("../outside", "../outside2")
"""
"""Reads everything, and writes beside the folder: must pass."""

GUILTY: dict[str, tuple[str, str]] = {
    "open-append": ("write", "os.open('a.jsonl', os.O_WRONLY | os.O_APPEND)"),
    "open-both": ("write", "open('a.jsonl', 'r+b')"),
    "create": ("create", "open('new', 'x')"),
    "create-in-descriptor": (
        "create",
        "d = os.open('.', os.O_RDONLY); os.chdir('/'); os.open('n', os.O_CREAT, dir_fd=d)",
    ),
    "open-refused": (
        "write",
        "import contextlib\nwith contextlib.suppress(OSError): os.open('sub', os.O_WRONLY)",
    ),
    "open-through-link": ("write", "open('../door/a.jsonl', 'r+b')"),
    "rename": ("rename", "os.rename('a.jsonl', 'b.jsonl')"),
    "rename-out": ("rename", "os.rename('a.jsonl', '../b.jsonl')"),
    "rename-in": ("rename", "open('../c', 'w').close(); os.rename('../c', 'c')"),
    "rename-after-chdir": ("rename", "os.chdir('sub'); os.rename('../a.jsonl', 'a')"),
    "unlink": ("unlink", "os.unlink('a.jsonl')"),
    "rmdir": ("rmdir", "os.rmdir('empty')"),
    "mkdir": ("mkdir", "os.mkdir('m')"),
    "utime": ("utime", "os.utime('a.jsonl')"),
    "utime-descriptor": ("utime", "os.utime(os.open('a.jsonl', os.O_RDONLY))"),
    "chmod": ("chmod", "os.chmod('a.jsonl', 0o600)"),
    "chmod-descriptor": ("chmod", "os.fchmod(os.open('a.jsonl', os.O_RDONLY), 0o600)"),
    "chown": ("chown", "os.chown('a.jsonl', -1, -1)"),
    "truncate": ("truncate", "os.truncate('a.jsonl', 3)"),
    "link": ("link", "os.link('a.jsonl', '../other')"),
    "symlink": ("symlink", "os.symlink('/nowhere', 's')"),
    "xattr": (
        "xattr",
        "import contextlib\n"
        "with contextlib.suppress(OSError): os.setxattr('a.jsonl', 'user.x', b'1')",
    ),
    "socket": ("socket", "import socket; socket.socket(socket.AF_UNIX).bind('k')"),
    "thread": (
        "create",
        "import threading; threading.Thread(target=lambda: open('t', 'w').close()).start()",
    ),
    "child": (
        "create",
        "import subprocess, sys; subprocess.run([sys.executable, '-c', 'open(\"c\", \"w\")'])",
    ),
    "odd-name": ("create", "open(b'a \" <\\xff>\\n(', 'w')"),
}
STRACE_ONLY = {
    "mkfifo": ("mknod", "os.mkfifo('f')"),
    "other-program": ("create", "import subprocess; subprocess.run(['/usr/bin/touch', 'c'])"),
    "isolated-python": (
        "unlink",
        "import subprocess, sys\n"
        "subprocess.run([sys.executable, '-ISc', 'import os; os.unlink(\"a.jsonl\")'])",
    ),
    "killed": (
        "unlink",
        "import os, signal; os.unlink('a.jsonl'); os.kill(os.getpid(), signal.SIGKILL)",
    ),
}
needs_strace = pytest.mark.skipif(
    os.environ.get("CI") != "true" and not tracing.strace_works(), reason="strace is missing"
)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    (folder / "sub").mkdir(parents=True)
    (folder / "empty").mkdir()
    (folder / "a.jsonl").write_bytes(b"one\ntwo\n")
    (folder / "sub" / "b.jsonl").write_bytes(b"three\n")
    (tmp_path / "door").symlink_to(folder)
    return folder


def run(tracer: Tracer, code: str, cwd: Path) -> list[tracing.Access]:
    """Run a small program in a folder and return what the tracer saw."""
    subprocess.run(
        tracer.wrap([sys.executable, "-c", f"import os\n{code}"]),
        env=tracer.environment({"PATH": os.environ["PATH"]}),
        cwd=cwd,
        check=False,
        timeout=60,
        capture_output=True,
    )
    return tracer.accesses()


def strace_tracer(store: Path) -> Tracer:
    return StraceTracer(store.parent, cwd=store)


def audit_tracer(store: Path) -> Tracer:
    return AuditTracer(store.parent)


both = pytest.mark.parametrize(
    "make", [pytest.param(strace_tracer, marks=needs_strace), audit_tracer]
)


@both
class TestBothTracers:
    def test_looking_passes(self, make: Callable[[Path], Tracer], store: Path) -> None:
        before = FolderState.of(store)
        seen = run(make(store), LOOKING, store)
        assert changes(seen, store) == []
        assert before.differences(FolderState.of(store)) == []
        read = {access.path for access in seen if access.kind == "read"}
        assert {str(store / "a.jsonl"), str(store / "sub" / "b.jsonl")} <= read
        assert [access.kind for access in changes(seen, store.parent)] == [
            "create",
            "rename",
            "rename",
        ]

    @pytest.mark.parametrize("name", GUILTY)
    def test_guilty_is_caught(self, make: Callable[[Path], Tracer], store: Path, name: str) -> None:
        kind, code = GUILTY[name]
        caught = changes(run(make(store), code, store), store)
        assert kind in {access.kind for access in caught}, caught

    def test_programs_are_listed(self, make: Callable[[Path], Tracer], store: Path) -> None:
        code = "import subprocess; subprocess.run(['/bin/echo', '一 二', '--id=x y'])"
        assert ("/bin/echo", "一 二", "--id=x y") in programs(run(make(store), code, store))


@needs_strace
@pytest.mark.parametrize("name", STRACE_ONLY)
def test_guilty_that_only_strace_sees(store: Path, name: str) -> None:
    kind, code = STRACE_ONLY[name]
    caught = changes(run(strace_tracer(store), code, store), store)
    assert kind in {access.kind for access in caught}, caught


@both
def test_a_program_in_a_terminal_is_traced(make: Callable[[Path], Tracer], store: Path) -> None:
    """Keys, exit status and the terminal's modes are as without the tracer."""
    tracer = make(store)
    code = "input('ready'); open('new', 'w').close(); raise SystemExit(3)"
    with Terminal.start(
        tracer.wrap([sys.executable, "-c", code]),
        env=tracer.environment(default_environment()),
        cwd=store,
    ) as terminal:
        terminal.wait_for("ready").send("enter")
        assert terminal.wait_exit() == 3
        assert terminal.left_on() == []
        assert terminal.processes() == []
    assert [access.path for access in changes(tracer.accesses(), store)] == [str(store / "new")]


class TestChoice:
    def test_ci_demands_strace(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(shutil, "which", lambda _: None)
        monkeypatch.setenv("CI", "true")
        with pytest.raises(TracingError, match="in CI it is required"):
            best_tracer(tmp_path)

    def test_elsewhere_the_weaker_one_is_loud(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(shutil, "which", lambda _: None)
        monkeypatch.delenv("CI", raising=False)
        with pytest.warns(UserWarning, match="strace is missing"):
            assert isinstance(best_tracer(tmp_path), AuditTracer)

    @needs_strace
    def test_strace_is_chosen_where_it_works(self, tmp_path: Path) -> None:
        assert isinstance(best_tracer(tmp_path), StraceTracer)


class TestNothingIsConcludedFromNothing:
    def test_no_log(self, tmp_path: Path) -> None:
        for tracer in (StraceTracer(tmp_path), AuditTracer(tmp_path)):
            with pytest.raises(TracingError, match="no trace"):
                tracer.accesses()

    def test_empty_or_strange_logs(self) -> None:
        with pytest.raises(TracingError, match="no program start"):
            parse([], "/")
        with pytest.raises(TracingError, match="not a line"):
            parse(["strace: cannot attach"], "/")
        with pytest.raises(TracingError, match="not a call"):
            parse(["12 something else"], "/")

    def test_audit_events_that_failed(self, tmp_path: Path) -> None:
        tracer = AuditTracer(tmp_path)
        tracer.log.write_text('["failed", "os.rename", "OSError", []]\n')
        with pytest.raises(TracingError, match=r"os\.rename"):
            tracer.accesses()


class TestFolderState:
    def test_equal_when_only_read(self, store: Path) -> None:
        before = FolderState.of(store)
        (store / "a.jsonl").read_bytes()
        assert FolderState.of(store) == before

    @pytest.mark.parametrize(
        ("act", "word"),
        [
            (lambda store: (store / "a.jsonl").write_bytes(b"one\ntwO\n"), "content"),
            (lambda store: os.utime(store / "a.jsonl", ns=(0, 1)), "modified"),
            (lambda store: (store / "a.jsonl").chmod(0o600), "mode"),
            (lambda store: (store / "a.jsonl").unlink(), "a.jsonl is gone"),
            (lambda store: (store / "x").symlink_to("y"), "x is new"),
            (lambda store: os.link(store / "a.jsonl", store.parent / "l"), "links"),
            (lambda store: os.truncate(store / "a.jsonl", 1), "size"),
            (lambda store: os.utime(store), ".: modified"),
        ],
    )
    def test_each_change_is_named(
        self, store: Path, act: Callable[[Path], object], word: str
    ) -> None:
        (store / "a.jsonl").chmod(0o644)
        before = FolderState.of(store)
        act(store)
        assert any(word in sentence for sentence in before.differences(FolderState.of(store)))

    def test_replaced_by_an_equal_file(self, store: Path) -> None:
        before = FolderState.of(store)
        copy = store / "sub" / "copy"
        shutil.copy2(store / "a.jsonl", copy)
        copy.replace(store / "a.jsonl")
        assert any("a.jsonl: inode" in line for line in before.differences(FolderState.of(store)))
