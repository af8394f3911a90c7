"""What a piece of work costs, in numbers that are the same on every machine.

Times say little on a shared machine; counts at two sizes prove how the work grows
(`performance.md` section 5, "Complexity to hold").
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

import ink_tui
from ink_tui.formats import decode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    import pytest

_OURS = str(Path(ink_tui.__file__).parent) + os.sep


@dataclass(slots=True)
class Counts:
    """What was done so far."""

    read_bytes: int = 0
    """Bytes read of session files."""
    decoded: int = 0
    """Records decoded."""
    calls: int = 0
    """Functions and generators of the program entered in the thread that counts."""


def count_reads(patch: pytest.MonkeyPatch) -> Counts:
    """Count what is read and decoded from now on, in all threads."""
    counts = Counts()
    pread = os.pread

    def counting_pread(descriptor: int, length: int, offset: int, /) -> bytes:
        piece = pread(descriptor, length, offset)
        counts.read_bytes += len(piece)
        return piece

    class CountingParser:
        """Stands for orjson where the formats decode records."""

        JSONDecodeError = orjson.JSONDecodeError
        JSONEncodeError = orjson.JSONEncodeError
        dumps = staticmethod(orjson.dumps)

        @staticmethod
        def loads(content: bytes) -> Any:
            counts.decoded += 1
            return orjson.loads(content)

    patch.setattr(os, "pread", counting_pread)
    patch.setattr(decode, "orjson", CountingParser)
    return counts


@contextmanager
def counting_calls() -> Iterator[Counts]:
    """Count the calls of the program's own functions in this thread meanwhile."""
    counts = Counts()

    def enter(frame: FrameType, event: str, _argument: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(_OURS):
            counts.calls += 1

    before = sys.getprofile()
    sys.setprofile(enter)
    try:
        yield counts
    finally:
        sys.setprofile(before)
