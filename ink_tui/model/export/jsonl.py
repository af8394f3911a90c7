"""A session's records as JSON Lines for other programs; never a session that an agent would open.

The first line says what the copy is. The header of the session follows under another type, so that
the copy is no session even without its first line: with secrets taken out, nobody may continue it
by mistake (`trust.md` 2.8).
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

EXPORT_TYPE = "ink-tui-export"
HEADER_TYPE = "redacted-session"

_HEADER_TYPE = re.compile(rb'("type"[ \t]{0,8}:[ \t]{0,8})"session"')


def redacted_lines(data: bytes, session_id: str, counts: Mapping[str, int]) -> bytes:
    """Return the redacted records of a session behind a line that says so.

    Args:
        data: The records, secrets already taken out.
        session_id: Header id of the session; empty when it has none.
        counts: What was taken out, by kind.
    """
    head = {
        "type": EXPORT_TYPE,
        "version": 1,
        "redacted": True,
        "session": session_id,
        "redactions": dict(sorted(counts.items())),
    }
    first = json.dumps(head, ensure_ascii=True, separators=(",", ":")).encode()
    start = data.find(b"{")
    stop = data.find(b"\n", start) if start >= 0 else -1
    stop = len(data) if stop < 0 else stop
    header = _HEADER_TYPE.sub(rb'\1"' + HEADER_TYPE.encode() + b'"', data[:stop])
    return first + b"\n" + header + data[stop:]
