"""Regular expressions with a budget: they run in a process of their own, which can be killed.

A pattern may take forever on a text of thirty characters, and nothing inside Python can stop it.
So it has 1 s for each file and 10 s for a query (`trust.md` 2.8); the process that is still
matching then is killed, and the next file gets a new one.
"""

from __future__ import annotations

import marshal
import os
import select
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ink_tui.errors import StoreError
from ink_tui.store.search import pattern_process
from ink_tui.store.search.pattern_process import LENGTH_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ink_tui.model.matching import PatternSpans
    from ink_tui.model.query import PatternTerm

_LOOK_SECONDS = 0.02
"""How often, while it waits, the caller is asked whether it still wants the answer."""

_PIPE_BYTES = 1 << 16
_START_SECONDS = 20.0
_SPARE_SECONDS = 5
"""Processor time that the process has beyond the budget before the system ends it."""


class SlowPatternError(Exception):
    """The pattern had no time left for a file; the process was killed."""


class PatternsStoppedError(Exception):
    """Nobody waits for the answer any more; the process was killed."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long patterns may run, in seconds."""

    file: float = 1.0
    query: float = 10.0


class PatternProcess:
    """Runs the patterns of one query over texts. Not for more than one thread at a time."""

    def __init__(
        self,
        patterns: Sequence[PatternTerm],
        *,
        budget: Budget = Budget(),
        stop: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._patterns = [(term.pattern, term.exact) for term in patterns]
        self._budget = budget
        self._stop = stop
        self._clock = clock
        self._process: subprocess.Popen[bytes] | None = None
        self._query_left = budget.query
        self._file_left = budget.file

    @property
    def time_left(self) -> bool:
        """Whether the query has any time left."""
        return self._query_left > 0

    def begin_file(self) -> None:
        """Give the patterns their time for the next file."""
        self._file_left = self._budget.file

    def find(self, texts: Sequence[str]) -> list[PatternSpans]:
        """Return where each pattern is found in each of some texts of the file.

        Raises:
            SlowPatternError: The time for the file, or for the query, is over.
            PatternsStoppedError: The caller wants no answer any more.
            StoreError: The process cannot be started, or ended by itself.
        """
        process = self._process or self._started()
        begun = self._clock()
        try:
            answer = self._ask(process, list(texts), min(self._file_left, self._query_left))
        finally:
            taken = self._clock() - begun
            self._file_left -= taken
            self._query_left -= taken
        return [
            tuple(tuple((start, end) for start, end in places) for places in one) for one in answer
        ]

    def close(self) -> None:
        """End the process; nothing is left of it afterwards."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def _started(self) -> subprocess.Popen[bytes]:
        program = Path(pattern_process.__file__)
        seconds = int(self._budget.query) + _SPARE_SECONDS
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-W", "ignore", str(program), str(seconds)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
        except OSError as error:
            raise StoreError(f"The pattern cannot be run: {error.strerror}.") from error
        self._process = process
        assert process.stdin is not None
        os.set_blocking(process.stdin.fileno(), False)
        # To start is no fault of the pattern: it does not count, whatever the machine is busy with.
        self._ask(process, self._patterns, _START_SECONDS)
        return process

    def _ask(self, process: subprocess.Popen[bytes], value: list[Any], seconds: float) -> Any:
        """Send one frame and return the answer, if it comes in time."""
        content = marshal.dumps(value)
        frame = len(content).to_bytes(LENGTH_BYTES, "little") + content
        try:
            return marshal.loads(self._exchanged(process, frame, self._clock() + seconds))
        except (OSError, EOFError, ValueError) as error:
            self.close()
            raise StoreError("The program that runs patterns has ended by itself.") from error

    def _exchanged(self, process: subprocess.Popen[bytes], frame: bytes, until: float) -> bytes:
        assert process.stdin is not None
        assert process.stdout is not None
        to_send, answer = memoryview(frame), bytearray()
        given, out = process.stdin.fileno(), process.stdout.fileno()
        wanted = LENGTH_BYTES
        poll = select.poll()
        poll.register(out, select.POLLIN)
        poll.register(given, select.POLLOUT)
        while len(answer) < wanted:
            left = until - self._clock()
            if left <= 0:
                self.close()
                raise SlowPatternError
            if self._stop():
                self.close()
                raise PatternsStoppedError
            ready = dict(poll.poll(1000 * min(left, _LOOK_SECONDS)))
            if given in ready and to_send:
                to_send = to_send[os.write(given, to_send[:_PIPE_BYTES]) :]
                if not to_send:
                    poll.unregister(given)
            if out in ready:
                piece = os.read(out, min(_PIPE_BYTES, wanted - len(answer)))
                if not piece:
                    raise EOFError
                answer += piece
                if len(answer) == LENGTH_BYTES == wanted:
                    wanted += int.from_bytes(answer, "little")
        return bytes(answer[LENGTH_BYTES:])
