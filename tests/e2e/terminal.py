"""A program in a real pseudo-terminal, seen and used the way a person sees and uses it."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import select
import signal
import sys
import termios
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Self

import pexpect

from tests.e2e.emulator import Cell, Emulator
from tests.e2e.keys import encode, mouse, paste

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MARK = "E2E_MARK"
"""Variable by which every process that a program started is found, even when re-parented."""


class ScreenError(AssertionError):
    """The screen never showed what was waited for; the message holds the screen as it was."""


def installed_command(name: str = "ink-tui") -> str:
    """Path of a command of the environment that runs the tests.

    Raises:
        FileNotFoundError: It is not installed there.
    """
    path = Path(sys.executable).parent / name
    if not path.exists():
        raise FileNotFoundError(
            f"{path} does not exist: install the project first (pip install -e .)"
        )
    return str(path)


def default_environment() -> dict[str, str]:
    """The environment of the tests as a person's terminal would set it."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    for name in ("COLUMNS", "LINES", "TEXTUAL_SNAPSHOT_TEMPDIR"):  # a size there beats the real one
        env.pop(name, None)
    env.update(TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8", LC_ALL="C.UTF-8")
    env["TZ"] = _afternoon()
    return env


def _afternoon() -> str:
    """Return a zone in which it is 14 o'clock now: nothing of the last hours was yesterday.

    Otherwise screens would look another way after midnight: a day takes more cells than an hour.
    """
    east = 14 - time.gmtime().tm_hour
    return f"TST{-east:+d}"  # POSIX counts to the west


def fresh_modes() -> list[object]:
    """The terminal modes (termios) that a new pseudo-terminal starts with."""
    master, slave = pty.openpty()
    try:
        return _without_speed(termios.tcgetattr(slave))
    finally:
        os.close(master)
        os.close(slave)


class Terminal:
    """A running program, its screen, and everything it wrote.

    Use it as a context manager: what still runs at the end is killed.
    """

    def __init__(self, child: pexpect.spawn[bytes], columns: int, lines: int, mark: str) -> None:
        self._child = child
        self._mark = mark
        self._ended = False
        self.emulator = Emulator(columns, lines)
        self.raw = bytearray()
        """Every byte the program wrote, in order."""
        self.modes_before = fresh_modes()

    @classmethod
    def start(
        cls,
        argv: Sequence[str | os.PathLike[str]],
        *,
        env: Mapping[str, str] | None = None,
        size: tuple[int, int] = (120, 36),
        cwd: Path | None = None,
    ) -> Self:
        """Start a program.

        Args:
            argv: Program and arguments; no shell takes part.
            env: The whole environment; `default_environment` if not given.
            size: Columns and lines.
            cwd: Working directory.
        """
        columns, lines = size
        mark = uuid.uuid4().hex
        environment = {**(default_environment() if env is None else env), MARK: mark}
        program, *arguments = [os.fspath(part) for part in argv]
        child = pexpect.spawn(
            program,
            arguments,
            env=environment,
            cwd=cwd,
            dimensions=(lines, columns),
            timeout=None,
        )
        child.delaybeforesend = None
        child.ptyproc.delayafterterminate = 0.01
        return cls(child, columns, lines, mark)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What is to be seen

    @property
    def pid(self) -> int:
        """Process id of the program."""
        return int(self._child.pid)

    @property
    def screen(self) -> list[str]:
        """The rows, from the top, without blanks at their ends."""
        return self.emulator.rows()

    @property
    def text(self) -> str:
        """The rows joined by newlines."""
        return "\n".join(self.screen)

    def cell(self, column: int, row: int) -> Cell:
        """One place of the screen, counted from 0, with its colours."""
        return self.emulator.cell(column, row)

    def find(self, text: str) -> tuple[int, int]:
        """Column and row, in cells from 0, of the first place that shows a text.

        Raises:
            ScreenError: It is not on the screen.
        """
        columns, lines = self.emulator.size
        for row in range(lines):
            line, starts = "", []
            for column in range(columns):
                part = self.cell(column, row).text
                line += part
                starts += [column] * len(part)
            at = line.find(text)
            if at >= 0:
                return starts[at], row
        raise ScreenError(f"{text!r} is not on the screen\n{self.picture()}")

    def picture(self) -> str:
        """The screen in a frame, for messages."""
        width = self.emulator.size[0]
        return "\n".join(
            ["+" + "-" * width, *("|" + row for row in self.screen), "+" + "-" * width]
        )

    # Waiting

    def wait_for(
        self, wanted: str | re.Pattern[str] | Callable[[Terminal], bool], timeout: float = 20.0
    ) -> Self:
        """Read from the program until the screen shows what is wanted.

        Args:
            wanted: A text, a pattern, or a question about this terminal.
            timeout: Seconds.

        Raises:
            ScreenError: The time is over, or the program ended, without it.
        """
        deadline = time.monotonic() + timeout
        while not self._shows(wanted):
            left = deadline - time.monotonic()
            if self._ended:
                self._fail("the program ended", wanted)
            if left <= 0:
                self._fail(f"{timeout:g} s passed", wanted)
            self._read(left)
        return self

    def wait_gone(self, text: str, timeout: float = 20.0) -> Self:
        """Read from the program until a text is no longer on the screen."""
        return self.wait_for(lambda terminal: text not in terminal.text, timeout)

    def wait_exit(self, timeout: float = 20.0) -> int:
        """Read to the end of the program; returns its exit status, or minus the signal number.

        Raises:
            ScreenError: It still runs after so many seconds.
        """
        deadline = time.monotonic() + timeout
        while not self._ended:
            left = deadline - time.monotonic()
            if left <= 0:
                self._fail(f"{timeout:g} s passed", "the end of the program")
            self._read(left)
        self._child.wait()
        if self._child.signalstatus is not None:
            return -int(self._child.signalstatus)
        return int(self._child.exitstatus or 0)

    # Acting

    def send(self, *keys: str) -> Self:
        """Press keys, each by its name (``enter``, ``ctrl+c``, ``f1``) or as one character."""
        return self.write("".join(encode(key) for key in keys))

    def write(self, text: str | bytes) -> Self:
        """Type a text, or send raw bytes."""
        self._child.send(text.encode() if isinstance(text, str) else text)
        return self

    def paste(self, text: str) -> Self:
        return self.write(paste(text))

    def click(self, column: int, row: int, button: int = 0) -> Self:
        """Press and release a mouse button at a cell counted from 0."""
        return self.write(mouse(column, row, button) + mouse(column, row, button, pressed=False))

    def click_text(self, text: str) -> Self:
        """Click the first character of a text on the screen."""
        return self.click(*self.find(text))

    def wheel(self, column: int, row: int, down: bool = True) -> Self:
        return self.write(mouse(column, row, 65 if down else 64))

    def resize(self, columns: int, lines: int) -> Self:
        """Change the size of the window; the program gets SIGWINCH."""
        self.emulator.resize(columns, lines)
        self._child.setwinsize(lines, columns)
        return self

    def kill(self, number: int = signal.SIGKILL) -> Self:
        os.kill(self.pid, number)
        return self

    def hang_up(self, timeout: float = 20.0) -> bool:
        """Close this end of the terminal as a closed window does, nothing else.

        Returns:
            Whether the program ended within so many seconds (Linux: pidfd).
        """
        watched = os.pidfd_open(self.pid)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, self._child.child_fd)
        os.close(nothing)
        ended = bool(select.select([watched], [], [], timeout)[0])
        os.close(watched)
        self._ended = True
        return ended

    def close(self) -> None:
        """Kill what still runs and close the terminal."""
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._child.close(force=True)

    # What is left behind

    def left_on(self) -> list[str]:
        """What the program changed in the terminal and did not put back; empty is right.

        Covers the line discipline (termios), the alternate screen, cursor, mouse, focus and paste
        modes, line wrap, and the kitty keyboard stack.
        """
        faults = [f"private mode {mode} is set" for mode in sorted(self.emulator.modes - {7, 25})]
        faults += [
            f"private mode {mode} is reset" for mode in sorted({7, 25} - self.emulator.modes)
        ]
        if self.emulator.keyboard_depth:
            faults.append(f"{self.emulator.keyboard_depth} keyboard states not popped")
        now = _without_speed(termios.tcgetattr(self._child.child_fd))
        faults += [
            f"termios {name}: {before!r} became {after!r}"
            for name, before, after in zip(
                ("iflag", "oflag", "cflag", "lflag", "cc"), self.modes_before, now, strict=True
            )
            if before != after
        ]
        return faults

    def processes(self) -> list[int]:
        """Ids of the living processes that the program started, itself included (Linux: /proc)."""
        wanted = f"{MARK}={self._mark}".encode()
        found = []
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            with contextlib.suppress(OSError):
                state = (folder / "stat").read_bytes().rpartition(b")")[2].split()[0]
                if state != b"Z" and wanted in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
        return sorted(found)

    # Inside

    def _shows(self, wanted: str | re.Pattern[str] | Callable[[Terminal], bool]) -> bool:
        if self.emulator.drawing and not self._ended:
            return False
        if isinstance(wanted, str):
            return wanted in self.text
        if isinstance(wanted, re.Pattern):
            return wanted.search(self.text) is not None
        return wanted(self)

    def _read(self, seconds: float) -> None:
        """Wait for output, at most so long, and draw all that has come."""
        descriptor = self._child.child_fd
        if not select.select([descriptor], [], [], seconds)[0]:
            return
        try:
            data = os.read(descriptor, 1 << 16)
        except OSError:  # EIO: Linux says so when the last process has closed the other end
            data = b""
        if not data:
            self._ended = True
            return
        self.raw += data
        answer = self.emulator.feed(data)
        if answer:
            self._child.send(answer)

    def _fail(self, what: str, wanted: object) -> None:
        name = wanted.pattern if isinstance(wanted, re.Pattern) else wanted
        raise ScreenError(f"{what}; waited for {name!r}\n{self.picture()}")


def _without_speed(attributes: Sequence[object]) -> list[object]:
    """Flags and control characters; the speeds of a pseudo-terminal mean nothing."""
    iflag, oflag, cflag, lflag, _, _, control = attributes
    return [iflag, oflag, cflag, lflag, control]
