"""The process that reads very long lines: a line that is wanted in, what it holds out.

    python -P -m ink_tui.store.far_worker

Frames on stdin and stdout as `ink_tui.store.far_lines` writes them. Only the program that started
it writes to it and reads from it. It ends when its input ends.
"""

from __future__ import annotations

import os
import pickle
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from ink_tui.store.far_lines import Refused, frame_of, read_far, read_frame
from ink_tui.store.files import UnreadableError

if TYPE_CHECKING:
    from typing import BinaryIO

_NICE = 5


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until there are no more."""
    while (content := read_frame(requests)) is not None:
        try:
            found = read_far(pickle.loads(content))
        except UnreadableError as error:
            found = Refused(error.kind, error.reason)
        answers.write(frame_of(found))
        answers.flush()


if __name__ == "__main__":
    with suppress(OSError):
        os.nice(_NICE)
    with suppress(BrokenPipeError, KeyboardInterrupt):
        serve(sys.stdin.buffer, sys.stdout.buffer)
