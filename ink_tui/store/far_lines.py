"""Very long lines read in a process of their own, for the program whose keys must not wait.

One call that decodes a line of many megabytes holds up all threads (`performance.md` 2.4). The
process is started with the first such line and ends with the program.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any

from ink_tui.store.files import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ink_tui.model.entries import Record, Span

LENGTH_BYTES = 8


@dataclass(frozen=True, slots=True)
class LineWanted:
    """A line, or a record in it, that is to be read."""

    path: str
    span: Span
    reading: Any = None
    """How it is read, as the format's parser says; `None` for its record with all texts."""


def read_far(wanted: LineWanted) -> Any:
    """Return what a line holds, read in this process.

    Raises:
        UnreadableError: The file cannot be read.
    """
    from ink_tui.formats.registry import INK  # this is all that the other process does
    from ink_tui.store.reader import read_bytes

    content = read_bytes(wanted.path, wanted.span.offset, wanted.span.length)
    if wanted.reading is None:
        return INK.record(content, wanted.span)
    return INK.line(content.removesuffix(b"\n"), wanted.span, wanted.reading)


class FarLines:
    """Has lines read by the process; where it cannot be started, or ended twice, reads them here.

    It may be used by several threads, one after the other.
    """

    def __init__(self, command: tuple[str, ...] = ()) -> None:
        """Make it; nothing is started yet.

        Args:
            command: Program and arguments of the process; ours when left out.
        """
        self._command = command or (sys.executable, "-P", "-m", "ink_tui.store.far_worker")
        self._process: subprocess.Popen[bytes] | None = None
        self._asking = threading.Lock()
        self._closed = False

    def of(self, path: str) -> Callable[[Span, Any], Any]:
        """Return what reads the lines of a file for a parser."""
        return lambda span, reading: self._read(LineWanted(path, span, reading))

    def record(self, path: str, span: Span) -> Record | None:
        """Return one record with all of its texts; `None` where there is none.

        Raises:
            UnreadableError: The file cannot be read.
        """
        found: Record | None = self._read(LineWanted(path, span))
        return found

    def close(self) -> None:
        """End the process; what is asked for then is read here."""
        self._closed = True
        self._end()

    @property
    def pid(self) -> int | None:
        """Id of the process while there is one."""
        process = self._process
        return process.pid if process is not None else None

    def _read(self, wanted: LineWanted) -> Any:
        with self._asking:
            answer = self._ask(wanted) or self._ask(wanted)
        if answer is None:
            return read_far(wanted)
        found = pickle.loads(answer)
        if isinstance(found, Refused):
            raise UnreadableError(wanted.path, found.kind, found.reason)
        return found

    def _ask(self, wanted: LineWanted) -> bytes | None:
        """Return the answer; `None` when the process cannot be started or ended before it."""
        process = self._running()
        if process is None or process.stdin is None or process.stdout is None:
            return None
        with suppress(OSError, ValueError):  # ended, or closed by another thread
            process.stdin.write(frame_of(wanted))
            process.stdin.flush()
            answer = read_frame(process.stdout)
            if answer is not None:
                return answer
        self._end()
        return None

    def _running(self) -> subprocess.Popen[bytes] | None:
        if self._closed:
            return None
        if self._process is None:
            with suppress(OSError):
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    cwd="/",
                )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a file cannot be read."""

    kind: str
    reason: str


def frame_of(value: object) -> bytes:
    """Return a value as one frame: eight bytes of length, little end first, then the value."""
    content = _pickled(value)
    return len(content).to_bytes(LENGTH_BYTES, "little") + content


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Return the content of the next frame; `None` when there is no whole one."""
    head = stream.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    length = int.from_bytes(head, "little")
    content = stream.read(length)
    return content if len(content) == length else None


def _pickled(value: object) -> bytes:
    stream = BytesIO()
    pickler = pickle.Pickler(stream, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {MappingProxyType: _mapping}
    pickler.dump(value)
    return stream.getvalue()


def _mapping(value: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return how the read-only mapping of a call's arguments is made again."""
    return _read_only, (dict(value),)


def _read_only(value: dict[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(value)
