"""`rg`, when it is there, as a first look at many files: it is several times faster than we are.

It says which files may hold a word, and where. What it says is never an answer by itself, and where
it cannot say anything, all files may.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from ink_tui.store.search.places import PLACES_OPTIONS, SAFE_OPTIONS, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST_PLACES = 500
"""Lines of one file that are named; where there are more, the file is looked at by itself."""

_OPTIONS = (*SAFE_OPTIONS, "--with-filename", "--null", "--no-ignore", "--hidden")
_WHERE = (*PLACES_OPTIONS, f"--max-count={MOST_PLACES}")
_WHICH = ("--files-with-matches",)
_TOLD = re.compile(rb"([^\0]+)\0(\d+):(\d+):[^\n]*\n")
"""A path, in which there may be line breaks, and one match, in which there are none."""

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

    def __init__(
        self, program: str, source: str, paths: Sequence[str], *, where: bool = False
    ) -> None:
        """Begin it.

        Args:
            program: Path of ripgrep.
            source: A regular expression over bytes, no line breaks.
            paths: The files, absolute.
            where: Ask for the places in each file, too.
        """
        self._where = where
        self._process: subprocess.Popen[bytes] | None = None
        self._nothing = not paths
        if not paths:
            return
        command = [program, *_OPTIONS, *(_WHERE if where else _WHICH)]
        command += ["-e", f"(?-u){source}", "--", *paths]
        with suppress(OSError):
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )

    def answer(self, stop: Callable[[], bool]) -> dict[str, list[Place] | None] | None:
        """Return the files in which the expression is found, with one place of each line of it.

        A file has `None` in the place of places where they were not asked for, or are too many.

        Args:
            stop: Whether nobody waits for an answer any more.

        Returns:
            `None` when it cannot be told.
        """
        process = self._process
        if process is None:
            return {} if self._nothing else None
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
        if not self._where:
            return {os.fsdecode(path): None for path in out.split(b"\0") if path}
        return _places(out)

    def close(self) -> None:
        """End it, if it has not ended."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.kill()
        process.communicate()


def _places(told: bytes) -> dict[str, list[Place] | None] | None:
    found: dict[str, list[Place] | None] = {}
    at, last, places = 0, b"", list[Place]()
    for match in _TOLD.finditer(told):
        if match.start() != at:
            return None
        at = match.end()
        path, line, offset = match.groups()
        if path != last:
            last, places = path, []
            found[os.fsdecode(path)] = places
        if not places or places[-1].line != int(line):
            places.append(Place(int(line), int(offset)))
    if at != len(told):
        return None
    return {
        path: lines if lines is not None and len(lines) < MOST_PLACES else None
        for path, lines in found.items()
    }
