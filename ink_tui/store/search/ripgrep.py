"""`rg`, when it is there, as a first look at many files: it is several times faster than we are.

It only says which files may hold a word. What it says is never an answer by itself, and where it
cannot say anything, all files may.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_OPTIONS = (
    *("--no-config", "--no-messages", "--color=never", "--files-with-matches", "--null"),
    *("--text", "--encoding=none", "--no-ignore", "--hidden", "--no-pcre2"),
)
_VERSION_SECONDS = 2
_LOOK_SECONDS = 0.02
_FINE = (0, 1)
"""Exit statuses of a whole answer: some files match, or none does."""


@cache
def find_ripgrep() -> str | None:
    """Return the path of ripgrep, or `None` when it is not on PATH or is another program."""
    path = shutil.which("rg")
    if path is None:
        return None
    try:
        run = subprocess.run(
            [path, "--no-config", "--version"],
            capture_output=True,
            timeout=_VERSION_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return path if run.returncode == 0 and run.stdout.startswith(b"ripgrep") else None


class Look:
    """One look at some files, begun when it is made."""

    def __init__(self, program: str, source: str, paths: Sequence[str]) -> None:
        """Begin it.

        Args:
            program: Path of ripgrep.
            source: A regular expression over bytes.
            paths: The files, absolute.
        """
        self._process: subprocess.Popen[bytes] | None = None
        self._nothing = not paths
        if not paths:
            return
        command = [program, *_OPTIONS, "-e", f"(?-u){source}", "--", *paths]
        with suppress(OSError):
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )

    def answer(self, stop: Callable[[], bool]) -> frozenset[str] | None:
        """Return the files in which the expression is found; `None` when it cannot be told.

        Args:
            stop: Whether nobody waits for an answer any more.
        """
        process = self._process
        if process is None:
            return frozenset() if self._nothing else None
        while True:
            try:
                out, _ = process.communicate(timeout=_LOOK_SECONDS)
                break
            except subprocess.TimeoutExpired:
                if stop():
                    self.close()
                    return None
        if process.returncode not in _FINE:
            return None
        return frozenset(os.fsdecode(path) for path in out.split(b"\0") if path)

    def close(self) -> None:
        """End it, if it has not ended."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.kill()
        process.communicate()
