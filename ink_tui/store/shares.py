"""Work that two processes share: the one that asks, and a copy of it.

For commands, which have nothing else to do meanwhile: what is loaded is there in the copy at once.
A screen has threads, which no copy would have; it reads in a process of another kind (`deep.py`).
"""

from __future__ import annotations

import marshal
import os
import select
import signal
import struct
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ENOUGH = 200
"""Jobs below which the copy would cost more than it does."""

_TICKETS = 1_000
"""Most tickets: together they fit in any pipe, so that nobody waits for who draws them."""
_TICKET = struct.Struct("<I")
_LENGTH = struct.Struct("<Q")


def shared(number: int, work: Callable[[int], bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield each job's number (0-based) and what came of it, in the order in which they are done.

    Args:
        number: How many jobs there are.
        work: Does one; it may run in either process, and is done again here where the copy ended
            before it was through.
    """
    if number < ENOUGH or not _may_copy():
        yield from ((job, work(job)) for job in range(number))
        return
    stride = -(-number // _TICKETS)
    tickets, drawn = os.pipe()
    os.write(drawn, b"".join(_TICKET.pack(first) for first in range(0, number, stride)))
    os.close(drawn)

    def draw() -> Iterator[range]:
        while ticket := os.read(tickets, _TICKET.size):
            (first,) = _TICKET.unpack(ticket)
            yield range(first, min(first + stride, number))

    done = bytearray(number)
    try:
        with _Copy(draw, work) as copy:
            for jobs in draw():
                for job in jobs:
                    done[job] = 1
                    yield job, work(job)
                for job, found in copy.found(wait=False):
                    done[job] = 1
                    yield job, found
            for job, found in copy.found(wait=True):
                done[job] = 1
                yield job, found
    finally:
        os.close(tickets)
    yield from ((job, work(job)) for job in range(number) if not done[job])


def _may_copy() -> bool:
    return hasattr(os, "fork") and (os.cpu_count() or 1) > 1 and threading.active_count() == 1


class _Copy:
    """A copy of this process that draws tickets until there are no more."""

    def __init__(self, draw: Callable[[], Iterator[range]], work: Callable[[int], bytes]) -> None:
        self._draw = draw
        self._work = work
        self._buffer = bytearray()
        self._answers = self._pid = -1

    def __enter__(self) -> _Copy:
        self._answers, told = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            status = 1
            try:
                os.close(self._answers)
                self._run(told)
                status = 0
            finally:
                os._exit(status)  # nothing of what the other process has begun is ended here
        os.close(told)
        return self

    def _run(self, told: int) -> None:
        os.set_blocking(told, False)  # who asks may be busy with something long
        waiting = bytearray()
        for jobs in self._draw():
            found = marshal.dumps([(job, self._work(job)) for job in jobs])
            waiting += _LENGTH.pack(len(found)) + found
            with suppress(BlockingIOError):
                del waiting[: os.write(told, waiting)]
        os.set_blocking(told, True)
        while waiting:
            del waiting[: os.write(told, waiting)]

    def found(self, *, wait: bool) -> Iterator[tuple[int, bytes]]:
        """Yield what the copy has found since the last call.

        Args:
            wait: Until it is through.
        """
        while wait or select.select([self._answers], [], [], 0)[0]:
            piece = os.read(self._answers, 1 << 20)
            if not piece:
                return
            self._buffer += piece
            yield from self._whole()

    def _whole(self) -> Iterator[tuple[int, bytes]]:
        head = _LENGTH.size
        while len(self._buffer) >= head:
            end = head + _LENGTH.unpack_from(self._buffer)[0]
            if len(self._buffer) < end:
                return
            found = marshal.loads(bytes(self._buffer[head:end]))
            del self._buffer[:end]
            yield from found

    def __exit__(self, *_: object) -> None:
        os.close(self._answers)
        with suppress(OSError):
            os.kill(self._pid, signal.SIGKILL)  # gone already, unless this process breaks off
        with suppress(OSError):
            os.waitpid(self._pid, 0)
