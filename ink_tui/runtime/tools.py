"""The two tools of the built-in agent (`formats/ink.md` 4.6): read a file, run a command."""

from __future__ import annotations

import os
import select
import signal
import stat
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

KEPT_LINES = 500
KEPT_BYTES = 50 * 1024
"""What is kept of a long output: its end; of a long file: its beginning."""

STOP_SECONDS = 0.5
"""Time that a command has to end by itself before it is killed; a guard gives us one second."""

_TICK = 0.05
_LAST_READS = 16
"""Looks for output after the shell's end; a process it left behind may write for ever."""
_SHELL = "bash"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tool gave back; `content` is `None` when it was stopped: its outcome is unknown."""

    content: str | None
    is_error: bool
    note: str
    """One line for the person at the terminal."""


class Kept:
    """The end of a stream of bytes, with the count of what was left out."""

    def __init__(self) -> None:
        self._end = bytearray()
        self._total = 0
        self._newlines = 0

    def add(self, piece: bytes) -> None:
        """Take the next bytes."""
        self._end += piece
        self._total += len(piece)
        self._newlines += piece.count(b"\n")
        if len(self._end) > 4 * KEPT_BYTES:
            del self._end[:-KEPT_BYTES]

    def section(self, name: str) -> list[str]:
        """Return the lines of a section of the result; none when the stream was empty."""
        if not self._total:
            return []
        end = bytes(self._end[-KEPT_BYTES:])
        lines = end.split(b"\n")
        if lines[-1] == b"":
            lines.pop()
        kept = b"\n".join(lines[-KEPT_LINES:])
        left_out = self._total - len(kept) - end.endswith(b"\n")
        note = []
        if left_out > 0:
            number = self._newlines - kept.count(b"\n") - end.endswith(b"\n")
            note = [f"[cut: {number:,} earlier lines, {left_out:,} bytes]"]
        return [f"{name}:", *note, kept.decode("utf-8", "replace")]


def run_command(
    command: str,
    cwd: str,
    show: Callable[[str, bytes], None],
    stop_wanted: Callable[[], bool],
) -> Outcome:
    """Run a command with bash in its own process group, its input closed.

    Args:
        command: Handed to `bash -c` as it is.
        cwd: Working directory.
        show: Takes `stdout` or `stderr` and bytes while the command runs.
        stop_wanted: Asked often; once true, the whole group is stopped.
    """
    began = time.monotonic()
    try:
        process = subprocess.Popen(
            [_SHELL, "-c", command],
            cwd=cwd,
            env={**os.environ, "INK": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        text = f"Error: the command cannot be started: {reason}"
        return Outcome(text, True, text)
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        names = {process.stdout.fileno(): "stdout", process.stderr.fileno(): "stderr"}
        kept = {name: Kept() for name in names.values()}
        stopped = _follow(process, names, kept, show, stop_wanted)
        if stopped:
            _stop_group(process)
            return Outcome(None, True, f"stopped after {time.monotonic() - began:.1f} s")
        left_running = _group_lives(process.pid)
        if left_running:
            _stop_group(process)
    code = process.returncode if process.returncode >= 0 else 128 - process.returncode
    content = _result_text(kept, code, left_running)
    return Outcome(content, False, f"exit {code} · {time.monotonic() - began:.1f} s")


def _follow(
    process: subprocess.Popen[bytes],
    names: dict[int, str],
    kept: dict[str, Kept],
    show: Callable[[str, bytes], None],
    stop_wanted: Callable[[], bool],
) -> bool:
    """Pass output on until the shell has ended; returns whether it was asked to stop."""
    open_ends = dict(names)
    last_reads = 0
    while True:
        # Asked before the look for output: what came before the end is read after it.
        ended = process.poll() is not None
        if stop_wanted():
            return not ended
        ready, _, _ = select.select(list(open_ends), [], [], 0 if ended else _TICK)
        for descriptor in ready:
            piece = os.read(descriptor, 1 << 16)
            if piece:
                kept[open_ends[descriptor]].add(piece)
                show(open_ends[descriptor], piece)
            else:
                del open_ends[descriptor]
        last_reads += ended
        if ended and (not ready or last_reads > _LAST_READS):
            return False


def _stop_group(process: subprocess.Popen[bytes]) -> None:
    """Ask every process of the group to end, and kill what does not."""
    for number, seconds in ((signal.SIGTERM, STOP_SECONDS), (signal.SIGKILL, STOP_SECONDS)):
        try:
            os.killpg(process.pid, number)
            os.killpg(process.pid, signal.SIGCONT)
        except (ProcessLookupError, PermissionError):
            break
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            process.poll()
            if not _group_lives(process.pid):
                break
            time.sleep(0.01)
    process.wait()


def _group_lives(group: int) -> bool:
    """Whether a process of the group still runs; where /proc tells, ended ones do not count."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    if not sys.platform.startswith("linux"):
        return True
    return any(_runs_in(place, group) for place in Path("/proc").glob("[0-9]*"))


def _runs_in(process: Path, group: int) -> bool:
    try:
        text = (process / "stat").read_bytes()
    except OSError:
        return False
    # The name in parentheses may hold anything: read from the last one on.
    state, _parent, process_group = text[text.rindex(b")") + 1 :].split()[:3]
    return int(process_group) == group and state not in (b"Z", b"X")


def _result_text(kept: dict[str, Kept], code: int, left_running: bool) -> str:
    parts = [*kept["stdout"].section("stdout"), *kept["stderr"].section("stderr")]
    parts = parts or ["(no output)"]
    if left_running:
        parts.append("[processes that it left in the background were stopped]")
    if code:
        parts.append(f"Exit code: {code}")
    return "\n".join(parts)


def read_file(path: str, cwd: str) -> Outcome:
    """Return the text of a file; a long one is cut after its beginning.

    Args:
        path: As typed; relative to `cwd`, `~` is the home folder.
        cwd: Working directory.
    """
    try:
        place = Path(cwd) / Path(path).expanduser()
        descriptor = os.open(place, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except (OSError, ValueError, RuntimeError) as error:
        return _read_error(path, error)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            text = f"Error: {path} is not a regular file"
            return Outcome(text, True, text)
        piece = b""
        while len(piece) <= KEPT_BYTES:
            more = os.read(descriptor, KEPT_BYTES + 1 - len(piece))
            if not more:
                break
            piece += more
    except OSError as error:
        return _read_error(path, error)
    finally:
        os.close(descriptor)
    lines = piece[:KEPT_BYTES].decode("utf-8", "replace").split("\n")
    text = "\n".join(lines[:KEPT_LINES])
    shown = len(lines) - (lines[-1] == "")
    if len(lines) > KEPT_LINES or len(piece) > KEPT_BYTES:
        shown = min(shown, KEPT_LINES)
        text += f"\n[cut: {status.st_size:,} bytes in all]"
    return Outcome(text, False, f"{shown:,} lines")


def _read_error(path: str, error: Exception) -> Outcome:
    reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    text = f"Error: {path} cannot be read: {reason}"
    return Outcome(text, True, text)
