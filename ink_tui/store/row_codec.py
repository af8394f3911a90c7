"""List rows as bytes, for the cache and for the process that reads sessions whole.

Only what follows from a file's content is kept; how fresh it is, who holds it and whether its
folder exists are facts of the moment.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import fields
from typing import Any

import orjson

from ink_tui.model.faults import FaultCode, TailState
from ink_tui.model.listing import SessionRow
from ink_tui.model.summary import NOTHING_SAID, Gist
from ink_tui.model.verdict import Verdict

_MOMENT = frozenset({"path", "freshness", "holder", "cwd_missing", "complete"})
_FIELDS = tuple(field.name for field in fields(SessionRow) if field.name not in _MOMENT)

LAYOUT = ",".join(_FIELDS)
"""Names the fields in their order: bytes of another layout cannot be read."""

_CHECK_BYTES = 4
_PLACE = {name: place for place, name in enumerate(_FIELDS)}
_GIST, _VERDICT, _TAIL, _REFUSAL = (
    _PLACE[name] for name in ("gist", "verdict", "tail_state", "refusal")
)


def encode_row(row: SessionRow, key: bytes = b"") -> bytes:
    """Return the bytes of a whole row, its path left out, with a checksum before them.

    Args:
        row: The row.
        key: What it belongs to; only the same key reads it again.
    """
    gist = row.gist
    values: list[Any] = [getattr(row, name) for name in _FIELDS]
    values[_GIST] = None if gist == NOTHING_SAID else [getattr(gist, f.name) for f in fields(Gist)]
    try:
        content = orjson.dumps(values)
    except orjson.JSONEncodeError:
        content = json.dumps(values).encode()  # half surrogates in an id or a folder
    return sealed(content, key)


def decode_row(path: str, content: bytes, key: bytes = b"") -> SessionRow:
    """Return the row that some bytes hold.

    Args:
        path: Its file.
        content: What `encode_row` gave.
        key: What it belongs to.

    Raises:
        ValueError: They are damaged, or no row of this layout.
    """
    content = unsealed(content, key)
    try:
        values = orjson.loads(content)
    except orjson.JSONDecodeError:
        values = json.loads(content)
    if not isinstance(values, list) or len(values) != len(_FIELDS):
        raise ValueError("not a row of this layout")
    gist, verdict, refusal = values[_GIST], values[_VERDICT], values[_REFUSAL]
    values[_GIST] = NOTHING_SAID if gist is None else Gist(*gist)
    values[_VERDICT] = None if verdict is None else Verdict(verdict)
    values[_TAIL] = TailState(values[_TAIL])
    values[_REFUSAL] = None if refusal is None else FaultCode(refusal)
    return SessionRow(path=path, **dict(zip(_FIELDS, values, strict=True)))


def sealed(content: bytes, key: bytes) -> bytes:
    """Return some bytes with a checksum over them and their key before them."""
    return zlib.crc32(content, zlib.crc32(key)).to_bytes(_CHECK_BYTES, "big") + content


def unsealed(content: bytes, key: bytes) -> bytes:
    """Return what `sealed` was given.

    Raises:
        ValueError: The bytes or the key are others.
    """
    check, content = content[:_CHECK_BYTES], content[_CHECK_BYTES:]
    if zlib.crc32(content, zlib.crc32(key)).to_bytes(_CHECK_BYTES, "big") != check:
        raise ValueError("the checksum is another one")
    return content
