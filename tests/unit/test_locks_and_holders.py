"""Our own lock, and who else is seen to use a session."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from ink_tui.errors import RefusedError, StoreError
from ink_tui.model.liveness import Holder, HolderKind
from ink_tui.store.atomic import append_line, create_file, replace_file
from ink_tui.store.holders import find_holder, lease_holder
from ink_tui.store.locks import (
    clear_dead_locks,
    lock_owner,
    lock_path,
    process_alive,
    process_started,
    session_lock,
)
from ink_tui.store.processes import (
    Process,
    ancestors,
    list_processes,
    parse_ps,
    working_directory,
)

NOW = 1_772_453_040_000
ID = "776f8464-57b4-5b9b-9aae-ccf9b8925ceb"


def holder(
    path: Path, processes: list[Process], state_dir: Path, cwds: dict[int, str] | None = None
) -> Holder:
    return find_holder(
        path,
        session_id=ID,
        cwd="/srv/work",
        state_dir=state_dir,
        now_ms=NOW,
        processes=lambda: processes,
        directory_of=lambda pid: (cwds or {}).get(pid),
    )


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "store" / "2026-x.jsonl"
    path.parent.mkdir()
    path.write_bytes(b"")
    return path


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    return tmp_path / "state"


def test_a_lock_is_seen_while_it_is_held_and_gone_after(session: Path, state_dir: Path) -> None:
    with session_lock(state_dir, session, "agent") as owner:
        path = lock_path(state_dir, session)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert owner.pid == os.getpid()
        assert lock_owner(state_dir, session) == owner
        with pytest.raises(RefusedError), session_lock(state_dir, session, "repair"):
            pass
    assert lock_owner(state_dir, session) is None
    assert not path.exists()


def test_one_lock_for_each_way_to_write_the_path(session: Path, state_dir: Path) -> None:
    link = session.parent.parent / "link"
    link.symlink_to(session.parent)
    assert lock_path(state_dir, link / session.name) == lock_path(state_dir, session)


@pytest.mark.parametrize(
    ("fields", "living"),
    [
        ({"pid": 2**22 + 1, "started": "x"}, False),
        ({"pid": os.getpid(), "started": "another boot:1"}, False),
        ({"pid": os.getpid(), "started": process_started(os.getpid())}, True),
        ({"pid": os.getpid(), "started": ""}, True),
        ({"pid": 2**22 + 1, "started": "x", "host": "elsewhere"}, True),
        ({"pid": -1, "started": ""}, False),
    ],
)
def test_stale_locks_are_recognised(
    session: Path, state_dir: Path, fields: dict[str, object], living: bool
) -> None:
    content = {"host": socket.gethostname(), "purpose": "agent", **fields}
    create_file(lock_path(state_dir, session), json.dumps(content).encode())
    assert (lock_owner(state_dir, session) is not None) == living
    if living:
        with pytest.raises(RefusedError), session_lock(state_dir, session, "repair"):
            pass
    else:
        with session_lock(state_dir, session, "repair"):
            pass


def test_a_lock_file_full_of_rubbish_is_stale(session: Path, state_dir: Path) -> None:
    create_file(lock_path(state_dir, session), b"\0\0{")
    with session_lock(state_dir, session, "repair"):
        pass


def test_only_one_of_many_processes_gets_the_lock(session: Path, state_dir: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from ink_tui.store.locks import session_lock\n"
        "from ink_tui.errors import RefusedError\n"
        "try:\n"
        "    with session_lock(Path(sys.argv[1]), Path(sys.argv[2]), 'repair'):\n"
        "        print('held', flush=True); sys.stdin.read()\n"
        "except RefusedError as error: print(error.kind, flush=True)\n"
    )
    command = [sys.executable, "-c", script, str(state_dir), str(session)]
    running = [
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        for _ in range(3)
    ]
    words = []
    for process in running:
        assert process.stdout is not None
        words.append(process.stdout.readline().strip())
    for process in running:
        process.communicate("")
    assert sorted(words) == ["held", "in-use", "in-use"]


def test_process_facts() -> None:
    assert process_alive(os.getpid())
    assert not process_alive(0)
    assert process_started(os.getpid())
    assert process_started(2**22 + 1) == ""
    mine = next(process for process in list_processes() if process.pid == os.getpid())
    assert mine.parent == os.getppid()
    assert working_directory(os.getpid()) == str(Path.cwd())
    assert {os.getpid(), os.getppid()} <= ancestors(os.getpid(), list_processes())


def test_a_real_process_that_names_the_session_is_found(session: Path, state_dir: Path) -> None:
    name = str(uuid.uuid4())  # so that no other test's process names it
    script = "import sys; print('ready', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", script, "--resume", name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        # Its arguments are not to be seen from outside until it runs.
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        found = find_holder(session, session_id=name, cwd="", state_dir=state_dir, now_ms=NOW)
        process.communicate(b"")
    assert found.kind is HolderKind.CERTAIN
    assert found.pid == process.pid


def test_a_killed_process_holds_nothing_before_it_is_reaped(session: Path, state_dir: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from ink_tui.store.locks import session_lock\n"
        "with session_lock(Path(sys.argv[1]), Path(sys.argv[2]), 'agent'):\n"
        "    print('held', flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(state_dir), str(session)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        owner = lock_owner(state_dir, session)
        assert owner is not None
        assert owner.pid == process.pid
        process.kill()
        # Wait for the end without taking the status: the process stays as a zombie.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not process_alive(process.pid)
        assert lock_owner(state_dir, session) is None
        with session_lock(state_dir, session, "repair"):
            pass


def test_a_lock_that_cannot_be_read_is_not_taken_over(
    session: Path, state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with session_lock(state_dir, session, "repair"):
        lock = lock_path(state_dir, session)
        content = lock.read_bytes()

        def fail(_descriptor: int, _length: int, _offset: int) -> bytes:
            raise OSError(5, "Input/output error")

        with monkeypatch.context() as patch:
            patch.setattr(os, "pread", fail)
            assert lock_owner(state_dir, session) is None
            assert clear_dead_locks(state_dir) == 0
            with (
                pytest.raises(StoreError, match="Input/output error"),
                session_lock(state_dir, session, "repair"),
            ):
                pass
        assert lock.read_bytes() == content


def test_what_ps_prints_is_read() -> None:
    assert parse_ps("  12   1 /usr/bin/ink -r abc\nrubbish\n") == [
        Process(12, 1, ("/usr/bin/ink", "-r", "abc"), "")
    ]


@pytest.mark.parametrize(
    ("argv", "kind"),
    [
        (("ink", "-r", ID), HolderKind.CERTAIN),
        (("ink", f"--resume={ID}"), HolderKind.CERTAIN),
        (("node", "/usr/bin/ink.js", "-r", ID[:8]), HolderKind.CERTAIN),
        (("ink", "-r", "2026-x"), HolderKind.CERTAIN),
        (("python3", "x.py", ID), HolderKind.CERTAIN),
        (("python3", "-m", "ink_tui", "agent", "--resume", ID), HolderKind.CERTAIN),
        (("python3", "-m", "ink_tui", "show", ID), HolderKind.NONE),
        (("/venv/bin/ink-tui", ID), HolderKind.NONE),
        (("vim", ID[:8]), HolderKind.NONE),
        (("ink", "-r", ID[:3]), HolderKind.POSSIBLE),
        (("ink",), HolderKind.POSSIBLE),
        (("node", "/usr/bin/ink"), HolderKind.POSSIBLE),
        (("node", "--no-warnings", "/opt/ink.mjs"), HolderKind.POSSIBLE),
        (("vim", "ink"), HolderKind.NONE),
        (("drink",), HolderKind.NONE),
    ],
)
def test_processes_of_this_machine(
    session: Path, state_dir: Path, argv: tuple[str, ...], kind: HolderKind
) -> None:
    process = Process(999_999, 1, argv, "")
    found = holder(session, [process], state_dir, {999_999: "/srv/work"})
    assert found.kind is kind
    if kind is not HolderKind.NONE:
        assert "999999" in found.who


@pytest.mark.parametrize("joined", [False, True])
def test_an_agent_that_is_bound_to_other_roots_holds_its_copy_only(
    session: Path, state_dir: Path, tmp_path: Path, joined: bool
) -> None:
    link = tmp_path / "link"
    link.symlink_to(session.parent)

    def found(root: str, name: str = ID) -> HolderKind:
        option = (f"--sessions-dir={root}",) if joined else ("--sessions-dir", root)
        argv = ("ink-tui", "agent", "--resume", name, *option)
        return holder(session, [Process(999_999, 1, argv, "ink-tui")], state_dir).kind

    assert found("/elsewhere") is HolderKind.NONE
    assert found(str(session.parent)) is HolderKind.CERTAIN
    assert found(str(link)) is HolderKind.CERTAIN
    assert found("store") is HolderKind.CERTAIN, "any folder may be meant"
    assert found("/elsewhere", str(session)) is HolderKind.CERTAIN, "the file itself is named"


def test_an_agent_in_another_folder_is_no_holder(session: Path, state_dir: Path) -> None:
    process = Process(999_999, 1, ("ink",), "ink")
    assert holder(session, [process], state_dir, {999_999: "/srv"}).kind is HolderKind.NONE
    assert holder(session, [process], state_dir, {}).kind is HolderKind.NONE


def test_the_path_in_the_arguments_is_certain(session: Path, state_dir: Path) -> None:
    process = Process(999_999, 1, ("tail", "-f", str(session)), "tail")
    assert holder(session, [process], state_dir).kind is HolderKind.CERTAIN


def test_we_and_our_parents_are_not_others(session: Path, state_dir: Path) -> None:
    mine = Process(os.getpid(), 77, ("ink", "-r", ID), "ink")
    shell = Process(77, 1, ("sh", "-c", ID, ID), "sh")
    assert holder(session, [mine, shell], state_dir).kind is HolderKind.NONE


def test_the_guard_of_our_own_pane_is_no_holder(session: Path, state_dir: Path) -> None:
    argv = ("python3", "-S", "-E", "-I", "/x/ink_tui/agent/guard.py", "3", "--", "ink", "-r", ID)
    ours = Process(999_999, os.getpid(), argv, "python3")
    assert holder(session, [ours], state_dir).kind is HolderKind.NONE
    another = Process(999_999, 1, argv, "python3")
    assert holder(session, [another], state_dir).kind is HolderKind.CERTAIN


def test_our_own_pane_comes_first(session: Path, state_dir: Path) -> None:
    pane = Holder(HolderKind.CERTAIN, "the pane beside it", 5)
    found = find_holder(
        session,
        session_id=ID,
        cwd="",
        state_dir=state_dir,
        now_ms=NOW,
        own_pane=pane,
        processes=list,
    )
    assert found == pane


# --- leases of sub-agents -------------------------------------------------------------------


def lease(session: Path, name: str, content: bytes, age_ms: int) -> None:
    folder = session.with_name(session.name + ".lease")
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_bytes(content)
    stamp = (NOW - age_ms) * 1_000_000
    os.utime(path, ns=(stamp, stamp))


def fields(pid: int, host: str | None = None) -> bytes:
    return json.dumps({"pid": pid, "host": host or socket.gethostname()}).encode() + b"\n"


@pytest.mark.parametrize(
    ("name", "content", "age_ms", "kind"),
    [
        ("lease-1-a-b", fields(os.getpid()), 3_600_000, HolderKind.CERTAIN),
        ("lease-1-a-b", fields(2**22 + 1), 30_000, HolderKind.CERTAIN),
        ("lease-1-a-b", fields(2**22 + 1), 61_000, HolderKind.NONE),
        ("lease-1-a-b", fields(1, "elsewhere"), 61_000, HolderKind.CERTAIN),
        ("lease-1-a-b", b"{", 30_000, HolderKind.POSSIBLE),
        ("lease-1-a-b", b"{", 61_000, HolderKind.NONE),
        (".staging-1", fields(os.getpid()), 0, HolderKind.NONE),
    ],
    ids=["alive", "recent", "stale", "elsewhere", "torn-recent", "torn-stale", "staging"],
)
def test_leases(session: Path, name: str, content: bytes, age_ms: int, kind: HolderKind) -> None:
    lease(session, name, content, age_ms)
    assert lease_holder(session, NOW).kind is kind


def test_a_lease_file_of_an_old_build_is_possible(session: Path) -> None:
    session.with_name(session.name + ".lease").write_bytes(b"")
    assert lease_holder(session, NOW).kind is HolderKind.POSSIBLE


# --- files of our own -----------------------------------------------------------------------


def test_files_of_our_own_are_private_and_whole(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        path = tmp_path / "a" / "b" / "file"
        replace_file(path, b"one")
        replace_file(path, b"two")
        create_file(path.with_name("new"), b"x")
        append_line(path.with_name("log"), b"1\n")
        append_line(path.with_name("log"), b"2\n")
    finally:
        os.umask(old)
    assert path.read_bytes() == b"two"
    assert path.with_name("log").read_bytes() == b"1\n2\n"
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for folder in (path.parent, path.parent.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    with pytest.raises(StoreError, match="File exists"):
        create_file(path, b"no")
    assert path.read_bytes() == b"two"


@pytest.mark.parametrize("name", ["write", "fsync"])
def test_a_failed_write_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = tmp_path / "file"
    replace_file(path, b"old")

    def fail(*_arguments: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, name, fail)
    with pytest.raises(StoreError, match="Input/output error"):
        replace_file(path, b"new")
    with pytest.raises(StoreError):
        create_file(tmp_path / "other", b"new")
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["file"]


def test_a_cut_line_of_the_log_does_not_swallow_the_next(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"1\n2")
    append_line(path, b"3\n")
    assert path.read_bytes() == b"1\n2\n3\n"
