"""Reading sessions whole for their list rows: here, or in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from base64 import b64decode, b64encode
from contextlib import suppress
from typing import TYPE_CHECKING

import orjson

from ink_tui.store.files import Fingerprint, UnreadableError
from ink_tui.store.findings import Finding
from ink_tui.store.row_codec import decode_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ink_tui.store.findings import Job


class ReaderHere:
    """Reads in the thread that asks."""

    def read(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Finding | UnreadableError]]:
        """Yield what each of some sessions is, in order."""
        from ink_tui.store.whole import read_whole  # where all is known it is never needed

        for job in jobs:
            try:
                yield job, read_whole(job.path, child=job.child, seen=job.seen)
            except UnreadableError as error:
                yield job, error

    def close(self) -> None:
        """There is nothing to end."""


class _NotStartedError(Exception):
    """The process cannot be started."""


class ReaderProcess:
    """Reads in a process of its own, which is started with the first job.

    A process that ends while it reads a session is started anew and asked once more; a session
    that ends it twice cannot be read. Where no process can be started, it is read here.
    """

    def __init__(self, command: tuple[str, ...] = ()) -> None:
        """Make it; nothing is started yet.

        Args:
            command: Program and arguments of the process; ours when left out.
        """
        self._command = command or (sys.executable, "-P", "-m", "ink_tui.store.deep_worker")
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._closed = False

    def read(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Finding | UnreadableError]]:
        """Yield what each of some sessions is, in order."""
        for job in jobs:
            yield job, self._read(job)

    @property
    def pid(self) -> int | None:
        """Id of the process while there is one."""
        process = self._process
        return process.pid if process is not None else None

    def _read(self, job: Job) -> Finding | UnreadableError:
        request = orjson.dumps(
            {
                "path": os.fsencode(job.path).decode("latin-1"),
                "child": job.child,
                "seen": b64encode(job.seen).decode(),
            }
        )
        try:
            line = self._ask(request) or self._ask(request)
        except _NotStartedError:
            from ink_tui.store.whole import read_whole

            try:
                return read_whole(job.path, child=job.child, seen=job.seen)
            except UnreadableError as error:
                return error
        if not line:
            words = "reading was broken off" if self._closed else "the process that reads it ended"
            return UnreadableError(job.path, "io-error", words)
        told = orjson.loads(line)
        if "kind" in told:
            return UnreadableError(job.path, told["kind"], told["reason"])
        row = decode_row(job.path, b64decode(told["row"]))
        return Finding(Fingerprint(*told["state"]), row, b64decode(told["history"]))

    def _ask(self, request: bytes) -> bytes:
        """Return the line that answers a request; empty when the process ended before it did."""
        process = self._running()
        if process is None or process.stdin is None or process.stdout is None:
            return b""
        line = b""
        with suppress(OSError, ValueError):  # ended, or closed by another thread
            process.stdin.write(request + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        if not line.endswith(b"\n"):
            self._end()
            return b""
        return line

    def _running(self) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if self._closed:
                return None
            if self._process is None:
                try:
                    self._process = subprocess.Popen(
                        self._command,
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.DEVNULL,
                        cwd="/",
                    )
                except OSError as error:
                    raise _NotStartedError from error
            return self._process

    def _end(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def close(self) -> None:
        """End the process; a read that is under way breaks off."""
        self._closed = True
        self._end()
