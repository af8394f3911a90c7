"""Nothing outlives ink-tui, and nothing is left behind by a pane that was closed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ink_tui.agent.environment import child_environment
from ink_tui.agent.pty_process import PtyProcess
from tests.pane_host import python, until

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_SECONDS = 5.0

HOST = """
import asyncio, os, sys
from ink_tui.agent.environment import child_environment
from ink_tui.agent.pty_process import PtyProcess

async def main():
    seen = bytearray()
    process = PtyProcess(sys.argv[2:], None, child_environment(os.environ), 80, 24,
                         on_output=seen.extend, on_exit=lambda state: None)
    process.start()
    while seen.count(b"stubborn") < 3 or process.pid is None:
        await asyncio.sleep(0.01)
    with open(sys.argv[1], "w") as file:
        file.write(f"{process.pid} {process._guard.pid} ")
    await asyncio.sleep(600)

asyncio.run(main())
"""

# Three processes that ignore the polite signals: the agent, a child, and a grandchild whose parent
# has ended, so that somebody else has adopted it. The child stops itself in the end.
STUBBORN = """
import os, signal, time
for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    if os.fork() == 0:
        if os.fork() == 0:
            os.write(1, b"stubborn")
            time.sleep(600)
        os._exit(0)
    os.write(1, b"stubborn")
    os.kill(os.getpid(), signal.SIGSTOP)
    time.sleep(600)
os.write(1, b"stubborn")
time.sleep(600)
"""


def status(pid: int) -> tuple[str, int, int] | None:
    """Return state, parent and session of a process by the kernel's own word."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return words[0], int(words[1]), int(words[3])


def processes() -> dict[int, tuple[str, int, int]]:
    pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return {pid: known for pid in pids if (known := status(pid)) is not None}


def session(leader: int) -> set[int]:
    """Return the living processes of a session."""
    return {pid for pid, (state, _, sid) in processes().items() if sid == leader and state != "Z"}


def alive(pid: int) -> bool:
    known = status(pid)
    return known is not None and known[0] != "Z"


def children() -> set[int]:
    """Return the children of this process, ended ones included."""
    return {pid for pid, (_, parent, _) in processes().items() if parent == os.getpid()}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that owns a stubborn agent; it writes the agent's and the guard's ids to a file."""
    command = [sys.executable, "-c", HOST, str(tmp_path / "pids"), *python(STUBBORN)]
    made = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    yield made
    made.kill()
    made.wait()


async def test_nothing_outlives_a_killed_host(
    tmp_path: Path, host: subprocess.Popen[bytes]
) -> None:
    told = tmp_path / "pids"
    await until(lambda: told.exists() and told.read_text().endswith(" "))
    leader, guard = (int(word) for word in told.read_text().split())
    assert len(session(leader)) == 3
    assert alive(guard)
    began = time.monotonic()
    host.send_signal(signal.SIGKILL)
    await until(lambda: not session(leader), "the session is gone", MAX_SECONDS)
    await until(lambda: not alive(guard), "the guard is gone", MAX_SECONDS)
    assert time.monotonic() - began <= MAX_SECONDS


async def test_a_process_that_left_the_session_is_not_touched(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    script = """
        import os, sys, time
        if os.fork() == 0:
            os.setsid()
            for fd in (0, 1, 2):
                os.close(fd)
            with open(sys.argv[1], "w") as file:
                file.write(f"{os.getpid()} ")
            time.sleep(600)
        while not os.path.exists(sys.argv[1]):
            time.sleep(0.01)
    """
    process = started(python(script, str(told)))
    assert (await process.wait()).words() == "exited 0"
    await process.close()
    daemon = int(told.read_text())
    assert alive(daemon)
    os.kill(daemon, signal.SIGKILL)


def started(argv: list[str]) -> PtyProcess:
    process = PtyProcess(
        argv,
        None,
        child_environment(os.environ),
        80,
        24,
        on_output=lambda _data: None,
        on_exit=lambda _state: None,
    )
    process.start()
    return process


def descriptors() -> set[str]:
    return {entry.name for entry in Path("/proc/self/fd").iterdir()}


async def test_nothing_is_left_after_50_panes() -> None:
    await started(["true"]).close()
    opened, born = descriptors(), children()
    for number in range(50):
        # Some end by themselves, some are ended, some cannot start.
        argv = (["true"], ["sleep", "600"], ["no-such-program-anywhere"])[number % 3]
        process = started(argv)
        if number % 3 != 1:
            await process.wait()
        await process.close()
        assert process.exit_state is not None
    assert descriptors() <= opened
    assert children() <= born


async def test_the_child_has_no_descriptor_but_its_terminal() -> None:
    seen = bytearray()
    script = """
        import os
        found = []
        for fd in range(256):
            try:
                found.append(f"{fd}={os.ttyname(fd)}")
            except OSError:
                try:
                    os.fstat(fd)
                    found.append(f"{fd}=?")
                except OSError:
                    pass
        print(" ".join(found), os.getsid(0) == os.getpid(), os.tcgetpgrp(0) == os.getpgrp())
    """
    extra = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(extra, True)
    process = PtyProcess(
        python(script),
        None,
        child_environment(os.environ),
        80,
        24,
        on_output=seen.extend,
        on_exit=lambda _state: None,
    )
    process.start()
    await process.wait()
    await process.close()
    os.close(extra)
    words = seen.decode().split()
    assert [word.partition("=")[0] for word in words[:3]] == ["0", "1", "2"]
    assert len({word.partition("=")[2] for word in words[:3]}) == 1
    assert words[3:] == ["True", "True"]
