"""The process between ink-tui and one agent: it starts the agent and sees that nothing outlives us.

Run by file path, standard library only:

    python -S -E -I guard.py LIFE STATUS TERMINAL LOCALE FOLDER -- PROGRAM [ARGUMENT...]

LIFE is the read end of a pipe whose write end only ink-tui holds: its end of file means that
ink-tui is gone or wants the agent gone. STATUS is the write end of a pipe that takes JSON lines.
TERMINAL is the slave side of a pseudo-terminal. LOCALE is the value that LC_CTYPE shall have in the
agent, with `=` before it, or `-` if it shall have none: Python itself may set it at start. An empty
FOLDER means the guard's own.

The guard forks; the child leads a new session with TERMINAL as its controlling terminal. On Linux
the guard adopts orphans of the agent, so that it can see them end. On the end of LIFE, and after
the agent's own end, every process that is still in the agent's session gets SIGHUP, after 1 s
SIGTERM, after another 1.5 s SIGKILL. Processes that left the session on purpose are not touched.

Status lines: `{"event": "started", "pid"}`, then one of `{"event": "exited", "code", "seconds"}`,
`{"event": "killed", "signal", "seconds"}`, `{"event": "exec-failed", "errno", "message"}`,
`{"event": "cwd-missing", "errno", "message"}`. Times are seconds of a monotonic clock.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import sys
import termios
import time
from pathlib import Path
from typing import NoReturn

STEPS = ((signal.SIGHUP, 1.0), (signal.SIGTERM, 1.5), (signal.SIGKILL, 1.0))
"""Signals for what is left of a session, each with the seconds until the next."""

POLL_SECONDS = 0.05
_LINUX: bool = sys.platform.startswith("linux")
_PR_SET_CHILD_SUBREAPER = 36
_ERROR_FD = 3
_IGNORED = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT, signal.SIGTSTP)


class Guard:
    """The parent side: one child session, its life pipe, its status pipe."""

    def __init__(self, pid: int, life: int, status: int, wakeup: int) -> None:
        self._pid = pid
        self._life = life
        self._status = status
        self._wakeup = wakeup
        self._began = time.monotonic()
        self._wait_status: int | None = None
        self._failed = False

    def run(self, failure: dict[str, object] | None) -> None:
        """Watch until the agent has ended, report it, and clear its session.

        Args:
            failure: The status line of an agent that could not be started.
        """
        if failure is None:
            self._report({"event": "started", "pid": self._pid})
            self._watch()
        else:
            self._failed = True
            self._report(failure)
        self._clear()
        self._reap()

    def _watch(self) -> None:
        """Return when the agent has ended or the life pipe has."""
        while self._wait_status is None:
            ready, _, _ = select.select([self._life, self._wakeup], [], [])
            self._reap()
            if self._life in ready and not os.read(self._life, 4096):
                return

    def _reap(self) -> None:
        """Collect every ended child, adopted ones too; report the agent's own end at once."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._wakeup, 4096)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self._pid and self._wait_status is None:
                self._wait_status = status
                if not self._failed:
                    self._report_end(status)

    def _report_end(self, status: int) -> None:
        seconds = time.monotonic() - self._began
        code = os.waitstatus_to_exitcode(status)
        if code < 0:
            self._report({"event": "killed", "signal": -code, "seconds": seconds})
        else:
            self._report({"event": "exited", "code": code, "seconds": seconds})

    def _clear(self) -> None:
        for number, grace in STEPS:
            self._reap()
            members = session_members(self._pid)
            if not members:
                return
            for pid in members:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
                    if number != signal.SIGKILL:
                        # A stopped process acts on nothing but SIGKILL until it is continued.
                        os.kill(pid, signal.SIGCONT)
            if self._gone_within(grace):
                return

    def _gone_within(self, grace: float) -> bool:
        deadline = time.monotonic() + grace
        while time.monotonic() < deadline:
            select.select([self._wakeup], [], [], POLL_SECONDS)
            self._reap()
            if not session_members(self._pid):
                return True
        return False

    def _report(self, line: dict[str, object]) -> None:
        # The reader may be gone; clearing the session matters more than telling it.
        with contextlib.suppress(OSError):
            os.write(self._status, json.dumps(line).encode() + b"\n")


def session_members(session: int) -> list[int]:
    """Return the process ids of a session, ended ones that wait for their parent left out."""
    return [pid for pid in _all_processes() if _session_of(pid) == session]


def _all_processes() -> list[int]:
    if _LINUX:
        return [int(entry.name) for entry in os.scandir("/proc") if entry.name.isdigit()]
    import subprocess

    listed = subprocess.run(["/bin/ps", "-axo", "pid=,stat="], capture_output=True, check=False)
    rows = [row.split() for row in listed.stdout.decode("ascii", "replace").splitlines()]
    return [int(row[0]) for row in rows if len(row) == 2 and not row[1].startswith("Z")]


def _session_of(pid: int) -> int | None:
    try:
        if not _LINUX:
            return os.getsid(pid)
        # The name in parentheses may hold anything, parentheses too: read from the last one on.
        text = Path(f"/proc/{pid}/stat").read_bytes()
        fields = text[text.rindex(b")") + 1 :].split()
        return None if fields[0] in (b"Z", b"X") else int(fields[3])
    except (OSError, ValueError, IndexError):
        return None


def _become_agent(terminal: int, error: int, folder: str, argv: list[str]) -> NoReturn:
    """The child side: lead a session on the terminal and become the agent.

    A failure is written to `error` as `STAGE ERRNO`; a successful exec closes it unwritten.
    """
    stage = "exec-failed"
    try:
        os.setsid()
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
        # All below 4 is about to be overwritten: move what is needed out of the way first.
        terminal = fcntl.fcntl(terminal, fcntl.F_DUPFD_CLOEXEC, 16)
        error = fcntl.fcntl(error, fcntl.F_DUPFD_CLOEXEC, 16)
        for number in (0, 1, 2):
            os.dup2(terminal, number)
        error = os.dup2(error, _ERROR_FD, inheritable=False)
        _close_from(_ERROR_FD + 1)
        _restore_signals()
        if folder:
            stage = "cwd-missing"
            os.chdir(folder)
            stage = "exec-failed"
        os.execvp(argv[0], argv)
    except (OSError, ValueError) as failure:
        number = (failure.errno if isinstance(failure, OSError) else None) or 0
        with contextlib.suppress(OSError):
            os.write(error, f"{stage} {number}".encode())
    finally:
        os._exit(127)


def _restore_signals() -> None:
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        # Some numbers cannot be set; all that Python or we changed can.
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _close_from(lowest: int) -> None:
    """Close every descriptor from `lowest` on, whatever the limit of the process is."""
    listing = "/proc/self/fd" if _LINUX else "/dev/fd"
    try:
        with os.scandir(listing) as entries:
            numbers = [int(entry.name) for entry in entries]
    except (OSError, ValueError):
        numbers = list(range(lowest, 4096))
    for number in numbers:
        if number >= lowest:
            with contextlib.suppress(OSError):
                os.close(number)


def _adopt_orphans() -> None:
    if _LINUX:
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _read_failure(error: int) -> dict[str, object] | None:
    """Wait until the child has become the agent (None) or has said why it could not."""
    with os.fdopen(error, "rb") as stream:
        words = stream.read().decode().split()
    if len(words) != 2:
        return None
    number = int(words[1])
    message = os.strerror(number) if number else "not a possible program name or argument"
    return {"event": words[0], "errno": number, "message": message}


def main(arguments: list[str]) -> None:
    """Start the agent that the command line names and guard it to its end."""
    life, status, terminal = (int(word) for word in arguments[:3])
    locale, folder, argv = arguments[3], arguments[4], arguments[6:]
    if locale == "-":
        os.environ.pop("LC_CTYPE", None)
    else:
        os.environ["LC_CTYPE"] = locale[1:]
    _adopt_orphans()
    wakeup, wakeup_write = os.pipe()
    os.set_blocking(wakeup, False)
    os.set_blocking(wakeup_write, False)
    signal.set_wakeup_fd(wakeup_write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    error, error_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        _become_agent(terminal, error_write, folder, argv)
    os.close(error_write)
    # The terminal must not stay open here, or its master would never see the agent close it.
    os.close(terminal)
    os.chdir("/")
    failure = _read_failure(error)
    Guard(pid, life, status, wakeup).run(failure)


if __name__ == "__main__":
    main(sys.argv[1:])
