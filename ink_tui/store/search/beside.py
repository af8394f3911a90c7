"""Searching in a process of its own, for a screen that must answer keys meanwhile."""

from __future__ import annotations

import os
import pickle
import select
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from ink_tui.errors import StoreError
from ink_tui.store.search.worker import LENGTH_BYTES, Request, frame_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from ink_tui.model.query import Query
    from ink_tui.model.query_sessions import Surroundings
    from ink_tui.store.search.engine import SearchOptions
    from ink_tui.store.search.values import SearchEvent, SearchTarget

_LOOK_SECONDS = 0.02
_CLOSE_SECONDS = 1.0
_PIPE_BYTES = 1 << 16


class SearchBeside:
    """A process that searches, started with the first search and kept for the next ones.

    Methods may be called from any thread; one search runs at a time. Every error of the process is
    one of the search alone: the next search starts a new one.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._targets: tuple[SearchTarget, ...] | None = None
        self._held = bytearray()
        """Answers that were read and are not whole, or not taken."""
        self._number = 0
        self._turn = threading.Lock()

    @property
    def pid(self) -> int | None:
        """Id of the process while there is one."""
        process = self._process
        return process.pid if process is not None else None

    def prepare(self) -> None:
        """Start the process, so that the first search need not wait for it.

        Raises:
            StoreError: It cannot be started.
        """
        with self._turn:
            self._running()

    def search(
        self,
        query: Query,
        around: Surroundings,
        targets: tuple[SearchTarget, ...],
        options: SearchOptions,
        *,
        stop: Callable[[], bool] = lambda: False,
    ) -> Generator[SearchEvent, None, None]:
        """Yield what `Search.run` yields; a search that is left early is broken off.

        Args:
            query: The query.
            around: What its filters refer to.
            targets: The files; the same tuple as before is not sent again.
            options: How the search is done.
            stop: Whether nobody waits for an answer any more; asked 50 times a second.

        Raises:
            StoreError: The process cannot be started, or it ended by itself.
        """
        with self._turn:
            process = self._running()
            self._number += 1
            known = targets is self._targets
            request = Request(self._number, query, around, options, None if known else targets)
            self._targets = targets
            ended = failed = False
            exchange = _Exchange(process, frame_of(request), self._held)
            try:
                for number, event in exchange.answers(stop):
                    if number != self._number:
                        continue  # of a search that was broken off
                    if event is None:
                        ended = True
                        return
                    yield event
            except (OSError, EOFError, pickle.UnpicklingError) as error:
                failed = True
                raise StoreError("The program that searches has ended by itself.") from error
            finally:
                if failed or not (ended or exchange.broken_off()):
                    self._end()

    def close(self) -> None:
        """End the process; a search that is under way ends with an error or without one."""
        process = self._process
        if process is not None:
            _kill(process)
        # Whoever reads its answers sees their end; only then may the pipes be closed.
        if self._turn.acquire(timeout=_CLOSE_SECONDS):
            try:
                self._end()
            finally:
                self._turn.release()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._end()
        try:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "ink_tui.store.search.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd="/",
                start_new_session=True,  # so that what it started can be ended with it
            )
        except OSError as error:
            raise StoreError(f"The search cannot be started: {error.strerror}.") from error
        assert process.stdin is not None
        os.set_blocking(process.stdin.fileno(), False)
        self._process = process
        return process

    def _end(self) -> None:
        process, self._process = self._process, None
        self._targets = None
        self._held = bytearray()
        if process is None:
            return
        _kill(process)
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process that was not waited for, and a pattern that it may be running."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


class _Exchange:
    """One request that is sent while answers, maybe to an older one, are read."""

    def __init__(self, process: subprocess.Popen[bytes], frame: bytes, held: bytearray) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._given, self._out = process.stdin.fileno(), process.stdout.fileno()
        self._to_send = memoryview(frame)
        self._held = held

    def answers(self, stop: Callable[[], bool]) -> Iterator[tuple[int, SearchEvent | None]]:
        """Yield the frames that come until nobody waits any more."""
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        poll.register(self._given, select.POLLOUT)
        held = self._held
        while not stop():
            while (end := _frame_end(held)) is not None:
                content = bytes(held[LENGTH_BYTES:end])
                del held[:end]
                yield pickle.loads(content)
            ready = dict(poll.poll(1000 * _LOOK_SECONDS))
            if self._given in ready and self._to_send:
                sent = os.write(self._given, self._to_send[:_PIPE_BYTES])
                self._to_send = self._to_send[sent:]
                if not self._to_send:
                    poll.unregister(self._given)
            if self._out in ready:
                piece = os.read(self._out, _PIPE_BYTES)
                if not piece:
                    raise EOFError
                held += piece

    def broken_off(self) -> bool:
        """Tell the process to stop; return whether it can be used for the next search."""
        if self._to_send:
            return False  # half a request: nothing can follow it
        try:
            frame = frame_of(None)
            return os.write(self._given, frame) == len(frame)
        except OSError:
            return False


def _frame_end(held: bytearray) -> int | None:
    """Return where the first frame ends; `None` when it is not whole."""
    if len(held) < LENGTH_BYTES:
        return None
    end = LENGTH_BYTES + int.from_bytes(held[:LENGTH_BYTES], "little")
    return end if len(held) >= end else None
