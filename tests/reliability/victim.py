"""A process that repairs, copies, exports and so on while strace lets one of its system calls fail.

`python -m tests.reliability.victim` reads one order a line and forks a child for each: everything
is loaded then, so that the only system calls that strace counts are those of the work itself.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from ink_tui.errors import InkTuiError
from ink_tui.store.locks import process_started
from tests.reliability.works import WORKS

MUTE = 0
"""Exit status of work that was done."""
REFUSED = 10
"""Exit status of work that ended in an error of ours, with its sentence."""
BROKEN = 11
"""Exit status of work that ended in any other error."""

_CALLS = (
    *("open", "openat", "creat", "close", "read", "pread64", "write", "pwrite64", "lseek", "flock"),
    *("fsync", "fdatasync", "truncate", "ftruncate", "fstat", "stat", "lstat", "newfstatat"),
    *("statx", "utimensat", "mkdir", "mkdirat", "link", "linkat", "unlink", "unlinkat"),
    *("rename", "renameat", "renameat2", "getdents64", "readlink", "readlinkat"),
)
ALL_CALLS = ",".join(f"?{call}" for call in _CALLS)
_ANY_TRACER = ctypes.c_ulong(-1 & (1 << 64) - 1)
_PR_SET_PTRACER = 0x59616D61


def _child(order: dict[str, Any], said: mmap.mmap) -> None:
    """Wait for the signal to begin, work, and leave without another system call on a file."""
    signal.alarm(20)  # work that hangs ends as a violation
    ctypes.CDLL(None).prctl(_PR_SET_PTRACER, _ANY_TRACER, 0, 0, 0)
    signal.sigwait({signal.SIGUSR1})
    status, text = MUTE, ""
    try:
        WORKS[order["work"]](Path(order["path"]), Path(order["state"]))
    except InkTuiError as error:
        status, text = REFUSED, str(error)
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is told
        status, text = BROKEN, repr(error)
    content = text.encode("utf-8", "replace")[:4_000]
    said[: len(content)] = content
    os._exit(status)


def _run(order: dict[str, Any]) -> dict[str, Any]:
    said = mmap.mmap(-1, 4_096)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    pid = os.fork()
    if pid == 0:
        _child(order, said)
    tracer = None
    if "inject" in order:
        calls = order.get("calls", ALL_CALLS)
        command = ["strace", "-p", str(pid), "-o", order["log"], "-e", f"trace={calls}"]
        tracer = subprocess.Popen(
            [*command, "-e", f"inject={calls}:{order['inject']}:when={order['when']}"],
            stderr=subprocess.PIPE,
        )
        assert tracer.stderr is not None
        first = tracer.stderr.readline()
        if b"attached" not in first:
            os.kill(pid, signal.SIGKILL)
            raise RuntimeError(f"strace: {first!r}")
    os.kill(pid, signal.SIGUSR1)
    _pid, status = os.waitpid(pid, 0)
    if tracer is not None:
        tracer.communicate()
    text = said[:].rstrip(b"\0").decode()
    return {"status": os.waitstatus_to_exitcode(status), "said": text}


class Victim:
    """The process, from the side of a test."""

    def __init__(self, scratch: Path) -> None:
        self._log = scratch / "strace.log"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.reliability.victim"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )

    def order(self, work: str, path: Path, state: Path, **more: Any) -> tuple[int, str, bool]:
        """Return exit status (or minus the signal), what was said, and whether a call was hit."""
        order = {"work": work, "path": str(path), "state": str(state), "log": str(self._log)}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order | more) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        hit = "inject" in more and "INJECTED" in self._log.read_text("utf-8", "replace")
        return answer["status"], answer["said"], hit or answer["status"] == -signal.SIGKILL

    def calls(self, work: str, path: Path, state: Path) -> dict[str, int]:
        """Return how often each system call happens in undisturbed work."""
        status, said, _hit = self.order(work, path, state, inject="error=EIO", when=65_535)
        assert status == MUTE, said
        log = self._log.read_text("utf-8", "replace")
        return Counter(re.findall(r"^(\w+)\(", log, re.MULTILINE))

    def last_call(self) -> str:
        """The call that was hit, as strace wrote it."""
        lines = self._log.read_text("utf-8", "replace").splitlines()
        hit = [line for line in lines if "INJECTED" in line or "+++ killed" in line]
        return (lines[-2] if "killed" in hit[-1] and len(lines) > 1 else hit[-1]) if hit else ""

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()


def main() -> None:
    """Serve orders until there are no more."""
    process_started(os.getpid())  # loads what is only loaded when it is first needed
    for raw in sys.stdin:
        print(json.dumps(_run(json.loads(raw))), flush=True)


if __name__ == "__main__":
    main()
