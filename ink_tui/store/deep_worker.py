"""The process that reads sessions whole: a request a line in, a finding a line out.

It runs with low priority beside the browser, because one long read would hold up every key there
(`performance.md` sections 2.4 and 5). It ends when its input ends.
"""

from __future__ import annotations

import os
import sys
from base64 import b64decode, b64encode
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import orjson

from ink_tui.store.files import UnreadableError
from ink_tui.store.row_codec import encode_row
from ink_tui.store.whole import read_whole

if TYPE_CHECKING:
    from typing import BinaryIO

_NICE = 10


def answer(request: bytes) -> bytes:
    """Return the line that answers a line."""
    wanted: dict[str, Any] = orjson.loads(request)
    path = os.fsdecode(wanted["path"].encode("latin-1"))
    try:
        found = read_whole(path, child=wanted["child"], seen=b64decode(wanted["seen"]))
    except UnreadableError as error:
        return orjson.dumps({"kind": error.kind, "reason": error.reason}) + b"\n"
    state = found.state
    return (
        orjson.dumps(
            {
                "state": [state.device, state.inode, state.size, state.mtime_ns],
                "row": b64encode(encode_row(found.row)).decode(),
                "history": b64encode(found.history).decode(),
            }
        )
        + b"\n"
    )


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until there are no more."""
    for request in requests:
        answers.write(answer(request))
        answers.flush()


if __name__ == "__main__":
    with suppress(OSError):
        os.nice(_NICE)
    with suppress(BrokenPipeError, KeyboardInterrupt):
        serve(sys.stdin.buffer, sys.stdout.buffer)
