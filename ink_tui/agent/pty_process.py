"""Owner of one agent process: its pseudo-terminal, its guard, its input queue and its end.

All of it runs on one asyncio loop, without threads. The guard's report is the truth about the end
of the agent: the end of the terminal's output is not an exit (the agent may have closed its
terminal), and an exit is not the end of output (another process may still hold the terminal).
See `live-pane.md` section 8.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import signal
import subprocess
import sys
import termios
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ink_tui.agent.environment import child_environment
from ink_tui.agent.exit_state import ExitState
from ink_tui.agent.input_queue import InputQueue
from ink_tui.agent.read_pace import READ_BYTES, ReadPace
from ink_tui.errors import LaunchError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["PtyProcess", "StartProcess", "child_environment", "launcher"]

DRAIN_SECONDS = 0.25
"""How long output is still read after the exit, if another process holds the terminal."""

REOPEN_SECONDS = 0.2
"""How often a terminal that nobody has open is looked at again while the agent lives."""

REAP_SECONDS = 0.01
GUARD_PATH = Path(__file__).with_name("guard.py")

_IUTF8 = 0x4000


class StartProcess(Protocol):
    """Makes and starts the process of a pane once the pane knows its size."""

    def __call__(
        self,
        columns: int,
        rows: int,
        *,
        on_output: Callable[[bytes], None],
        on_exit: Callable[[ExitState], None],
    ) -> PtyProcess:
        """Return the started process; see `PtyProcess` for the callbacks."""


def launcher(argv: Sequence[str], cwd: Path | str | None, env: Mapping[str, str]) -> StartProcess:
    """Return what starts this command when its pane asks for it."""

    def start(
        columns: int,
        rows: int,
        *,
        on_output: Callable[[bytes], None],
        on_exit: Callable[[ExitState], None],
    ) -> PtyProcess:
        process = PtyProcess(argv, cwd, env, columns, rows, on_output=on_output, on_exit=on_exit)
        process.start()
        return process

    return start


class PtyProcess:
    """One agent under a guard, seen through the master side of its pseudo-terminal.

    Callbacks run on the loop: `on_output` with at most 64 KiB at a time, `on_exit` exactly once,
    after the last output. Every method must be called on that loop's thread.
    """

    def __init__(
        self,
        argv: Sequence[str],
        cwd: Path | str | None,
        env: Mapping[str, str],
        columns: int,
        rows: int,
        *,
        on_output: Callable[[bytes], None],
        on_exit: Callable[[ExitState], None],
    ) -> None:
        self.argv = tuple(argv)
        self.cwd = str(cwd) if cwd is not None else ""
        self.env = dict(env)
        self.columns = columns
        self.rows = rows
        self.pid: int | None = None
        self.exit_state: ExitState | None = None
        self._on_output = on_output
        self._pace = ReadPace()
        self._on_exit = on_exit
        self._queue = InputQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._guard: subprocess.Popen[bytes] | None = None
        self._master: int | None = None
        self._life: int | None = None
        self._status: int | None = None
        self._status_text = b""
        self._reported: ExitState | None = None
        self._began = 0.0
        self._writing = False
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._finished = asyncio.Event()
        self._released = asyncio.Event()

    @property
    def running(self) -> bool:
        """Whether the agent was started and its end has not been told yet."""
        return self._guard is not None and self.exit_state is None

    @property
    def pending_input(self) -> int:
        """Bytes of typed and pasted input that the agent has not taken yet."""
        return self._queue.input_bytes

    def start(self) -> None:
        """Start the guard, which starts the agent.

        Raises:
            LaunchError: The system gives no terminal or no process (kind `spawn-failed`).
        """
        if self._guard is not None or not self.argv:
            raise LaunchError("spawn-failed", "An agent needs a command and is started only once.")
        self._loop = asyncio.get_running_loop()
        opened: list[int] = []
        try:
            self._master, slave = os.openpty()
            opened += [self._master, slave]
            life_read, self._life = os.pipe()
            opened += [life_read, self._life]
            self._status, status_write = os.pipe()
            opened += [self._status, status_write]
            _prepare_terminal(slave, self.columns, self.rows)
            self._guard = self._spawn_guard(life_read, status_write, slave)
        except OSError as error:
            for descriptor in opened:
                os.close(descriptor)
            self._master = self._life = self._status = None
            message = f"The agent cannot be started: {error.strerror}. Close something and retry."
            raise LaunchError("spawn-failed", message) from error
        for descriptor in (slave, life_read, status_write):
            os.close(descriptor)
        self._began = self._loop.time()
        os.set_blocking(self._master, False)
        os.set_blocking(self._status, False)
        self._loop.add_reader(self._master, self._read_output)
        self._loop.add_reader(self._status, self._read_status)

    def _spawn_guard(self, life: int, status: int, slave: int) -> subprocess.Popen[bytes]:
        locale = self.env.get("LC_CTYPE")
        command = [
            *(sys.executable, "-S", "-E", "-I", str(GUARD_PATH)),
            *(str(life), str(status), str(slave)),
            *("-" if locale is None else f"={locale}", self.cwd, "--"),
            *self.argv,
        ]
        return subprocess.Popen(
            command,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(life, status, slave),
            start_new_session=True,
        )

    def write(self, data: bytes) -> bool:
        """Send keys or a paste; False if the agent has ended or too much is waiting already."""
        return self._send(data, self._queue.add_input)

    def reply(self, data: bytes) -> bool:
        """Send an answer of the terminal, ahead of waiting pastes; False if it was dropped."""
        return self._send(data, self._queue.add_reply)

    def _send(self, data: bytes, add: Callable[[bytes], bool]) -> bool:
        if self._master is None or not add(data):
            return False
        if not self._writing:
            self._write_waiting()
        return True

    def _write_waiting(self) -> None:
        assert self._loop is not None
        master = self._master
        while master is not None and (head := self._queue.head()):
            try:
                self._queue.written(os.write(master, head))
            except BlockingIOError:
                break
            except OSError:
                # Nobody has the terminal open: there is nobody to read this.
                self._queue.clear()
        if master is None:
            return
        if self._queue and not self._writing:
            self._loop.add_writer(master, self._write_waiting)
        elif not self._queue and self._writing:
            self._loop.remove_writer(master)
        self._writing = bool(self._queue)

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size; the kernel tells the agent if it has changed."""
        self.columns, self.rows = columns, rows
        if self._master is not None:
            with contextlib.suppress(OSError, termios.error):
                termios.tcsetwinsize(self._master, (rows, columns))

    def terminate(self) -> None:
        """Ask the guard to end the agent and its session: HUP, TERM after 1 s, KILL after 2.5 s."""
        if self._life is not None:
            os.close(self._life)
            self._life = None

    def send_signal(self, number: int) -> None:
        """Send a signal to the agent itself; nothing happens once its end was reported."""
        if self.pid is not None and self._reported is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def wait(self) -> ExitState:
        """Return how the agent ended, after its last output was handed over."""
        await self._finished.wait()
        assert self.exit_state is not None
        return self.exit_state

    async def close(self) -> None:
        """End the agent if it runs, and wait until it, its guard and every descriptor are gone."""
        if self._guard is None:
            return
        self.terminate()
        await self._released.wait()

    def _read_output(self) -> None:
        assert self._master is not None
        assert self._loop is not None
        parts: list[bytes] = []
        left = self._pace.size
        ended = False
        while left > 0:
            try:
                part = os.read(self._master, left)
            except BlockingIOError:
                break
            except OSError as error:
                # Linux says EIO where others say end of file.
                ended = error.errno == errno.EIO
                break
            if not part:
                ended = True
                break
            parts.append(part)
            left -= len(part)
        if parts:
            began = self._loop.time()
            self._on_output(b"".join(parts))
            self._pace.took(self._loop.time() - began)
        if ended and self._master is not None:
            self._loop.remove_reader(self._master)
            if self._reported is not None:
                self._finish()
            else:
                self._later("reopen", REOPEN_SECONDS, self._watch_master)

    def _watch_master(self) -> None:
        if self._master is not None and self._loop is not None:
            self._loop.add_reader(self._master, self._read_output)

    def _read_status(self) -> None:
        assert self._status is not None
        try:
            text = os.read(self._status, READ_BYTES)
        except BlockingIOError:
            return
        if text:
            self._status_text += text
            *lines, self._status_text = self._status_text.split(b"\n")
            for line in lines:
                self._take_report(json.loads(line))
            return
        self._drop_status()
        if self._reported is None:
            self._guard_lost()
        self._reap_guard()

    def _take_report(self, report: dict[str, Any]) -> None:
        event = report["event"]
        if event == "started":
            self.pid = report["pid"]
            return
        self._end(
            ExitState(
                kind=event,
                code=report.get("code"),
                signal=report.get("signal"),
                message=report.get("message", ""),
                seconds=report.get("seconds", 0.0),
            )
        )

    def _guard_lost(self) -> None:
        """Stand in for a guard that was killed: without it nothing else ends the agent."""
        assert self._loop is not None
        if self.pid is not None:
            for number in (signal.SIGHUP, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.pid, number)
        self._end(ExitState("killed", seconds=self._loop.time() - self._began))

    def _end(self, state: ExitState) -> None:
        if self._reported is None:
            self._reported = state
            self._watch_master()
            self._later("drain", DRAIN_SECONDS, self._finish)

    def _finish(self) -> None:
        """Close the terminal and tell the end; the last output has been handed over."""
        if self.exit_state is not None or self._reported is None:
            return
        self._drop_master()
        self._cancel("drain")
        self._cancel("reopen")
        self.exit_state = self._reported
        # The agent has ended; this lets the guard clear its session even if it still waits.
        self.terminate()
        self._finished.set()
        self._release()
        self._on_exit(self.exit_state)

    def _reap_guard(self) -> None:
        assert self._guard is not None
        if self._guard.poll() is None:
            self._later("reap", REAP_SECONDS, self._reap_guard)
        else:
            self._cancel("reap")
            self._release()

    def _release(self) -> None:
        gone = self._guard is not None and self._guard.returncode is not None
        if gone and self.exit_state is not None:
            self._released.set()

    def _drop_master(self) -> None:
        if self._master is not None and self._loop is not None:
            self._loop.remove_reader(self._master)
            self._loop.remove_writer(self._master)
            os.close(self._master)
            self._master = None
            self._queue.clear()

    def _drop_status(self) -> None:
        if self._status is not None and self._loop is not None:
            self._loop.remove_reader(self._status)
            os.close(self._status)
            self._status = None

    def _later(self, name: str, seconds: float, call: Callable[[], None]) -> None:
        assert self._loop is not None
        self._cancel(name)
        self._timers[name] = self._loop.call_later(seconds, call)

    def _cancel(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()


def _prepare_terminal(slave: int, columns: int, rows: int) -> None:
    """Set the size, and let the kernel erase whole UTF-8 characters when a line is typed."""
    termios.tcsetwinsize(slave, (rows, columns))
    attributes = termios.tcgetattr(slave)
    attributes[0] |= _IUTF8
    termios.tcsetattr(slave, termios.TCSANOW, attributes)
