"""A program on a pseudo-terminal, watched by the bytes it writes and the memory it takes.

Unlike the terminal of the end-to-end tests this one draws nothing: on two cores an emulator would
take its time from the program that is measured.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tests.benchmarks.pairs import RefusedError, TooSlowError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SIZE = (160, 45)
"""Columns and lines of the window."""
_KEPT_BYTES = 4 << 20
_TICKS = os.sysconf("SC_CLK_TCK")


class PtyProgram:
    """A running program; use it as a context manager, it is killed at the end."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], cwd: Path) -> None:
        """Start it.

        Args:
            argv: Program and arguments.
            env: The whole environment.
            cwd: Working folder.
        """
        self._program = argv[0]
        self.raw = bytearray()
        """The newest bytes that it wrote."""
        self.total = 0
        """Bytes that it wrote so far."""
        self.ended = False
        self.started = time.perf_counter()
        self.pid, self._descriptor = pty.fork()
        if self.pid == 0:
            try:
                os.chdir(cwd)
                _set_size(0, *SIZE)
                os.execve(argv[0], list(argv), dict(env))
            finally:
                os._exit(127)
        _set_size(self._descriptor, *SIZE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pid in reversed(process_tree(self.pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        os.close(self._descriptor)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)

    # Output

    def read(self, seconds: float) -> bool:
        """Take what comes within some seconds; return whether anything came."""
        if self.ended or not select.select([self._descriptor], [], [], max(0.0, seconds))[0]:
            return False
        try:
            piece = os.read(self._descriptor, 1 << 16)
        except OSError:  # the last process has closed the other end
            piece = b""
        if not piece:
            self.ended = True
            return False
        self.raw += piece
        self.total += len(piece)
        if len(self.raw) > _KEPT_BYTES:
            del self.raw[: _KEPT_BYTES // 2]
        return True

    def wait_for(self, word: str, timeout: float) -> float:
        """Return the moment (`perf_counter`) at which a word is seen in what comes from now on.

        Raises:
            RefusedError: The program ended before.
            TooSlowError: So many seconds passed.
        """
        wanted, until = word.encode(), time.perf_counter() + timeout
        self.raw.clear()
        while wanted not in self.raw:
            left = until - time.perf_counter()
            if left <= 0:
                raise TooSlowError(f"“{word}” was not seen within {timeout:g} s")
            if not self.read(left) and self.ended:
                said = bytes(self.raw[-300:]).decode("utf-8", "replace")
                raise RefusedError(f"{Path(self._program).name} ended: {said!r}")
        return time.perf_counter()

    def first_output(self, timeout: float) -> float:
        """Return the moment at which the next bytes come.

        Raises:
            RefusedError: The program ended.
            TooSlowError: So many seconds passed.
        """
        if self.read(timeout):
            return time.perf_counter()
        if self.ended:
            raise RefusedError(f"{Path(self._program).name} ended")
        raise TooSlowError(f"no output within {timeout:g} s")

    def until_quiet(self, quiet: float, timeout: float) -> float:
        """Return the moment of the last output before a pause of `quiet` seconds.

        Raises:
            TooSlowError: There was no such pause within so many seconds.
        """
        last = time.perf_counter()
        until = last + timeout
        while self.read(quiet):
            last = time.perf_counter()
            if last > until:
                raise TooSlowError(f"output never paused within {timeout:g} s")
        return last

    def drain(self, seconds: float) -> None:
        """Take all output for some seconds."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0 and not self.ended:
            self.read(left)

    def until_idle(self, timeout: float, quiet: float = 1.0) -> None:
        """Wait until the program takes less than a twentieth of a core for `quiet` seconds.

        Raises:
            TooSlowError: It was busy for so many seconds.
        """
        until = time.perf_counter() + timeout
        before = self.cpu_seconds()
        while time.perf_counter() < until:
            self.drain(quiet)
            now = self.cpu_seconds()
            if now - before < quiet / 20:
                return
            before = now
        raise TooSlowError(f"busy for more than {timeout:g} s")

    # Input

    def send(self, keys: bytes) -> float:
        """Press keys; return the moment before."""
        moment = time.perf_counter()
        os.write(self._descriptor, keys)
        return moment

    def resize(self, columns: int, lines: int) -> float:
        """Change the size of the window; return the moment before."""
        moment = time.perf_counter()
        _set_size(self._descriptor, columns, lines)
        return moment

    # What it takes

    def cpu_seconds(self) -> float:
        """Return the processor time of the program and all it started that still runs."""
        ticks = 0
        for pid in process_tree(self.pid):
            with contextlib.suppress(OSError):
                fields = _stat(pid)
                ticks += int(fields[11]) + int(fields[12])
        return ticks / _TICKS

    def memory(self, name: str = "RssAnon") -> float:
        """Return megabytes (10^6 bytes) in memory of the program and all it started.

        Args:
            name: `RssAnon`, what is its own; `VmRSS`, pages of files included.
        """
        kib = 0
        for pid in process_tree(self.pid):
            with contextlib.suppress(OSError):
                for line in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines():
                    if line.startswith(name + ":"):
                        kib += int(line.split()[1])
        return kib * 1024 / 1e6


def process_tree(pid: int) -> list[int]:
    """Return a process and all that descend from it, parents first (Linux: /proc)."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                parents[int(folder.name)] = int(_stat(int(folder.name))[1])
    found = [pid]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found


def _stat(pid: int) -> list[bytes]:
    """Return the fields of /proc/PID/stat behind the name: state, parent, ..."""
    return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()


def _set_size(descriptor: int, columns: int, lines: int) -> None:
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
