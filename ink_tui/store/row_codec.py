"""List rows as bytes, for the cache and for the process that reads sessions whole.

Only what follows from a file's content is kept; how fresh it is, who holds it and whether its
folder exists are facts of the moment.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import fields
from operator import attrgetter
from sys import intern
from typing import Any

from ink_tui.model.faults import FaultCode, TailState
from ink_tui.model.gist import NOTHING_SAID, Gist
from ink_tui.model.listing import SessionRow
from ink_tui.model.verdict_kinds import Verdict

_MOMENT = ("freshness", "holder", "cwd_missing", "tail_known", "complete")
_FIELDS = tuple(field.name for field in fields(SessionRow))[1 : -len(_MOMENT)]
"""All but the path, which is the first, and the facts of the moment, which are the last."""

LAYOUT = ",".join(_FIELDS)
"""Names the fields in their order: bytes of another layout cannot be read."""

_CHECK_BYTES = 4
_values_of = attrgetter(*_FIELDS)
_gist_of = attrgetter(*tuple(field.name for field in fields(Gist)))
_VERDICTS: dict[str | None, Verdict | None] = {None: None, **{v.value: v for v in Verdict}}
_TAILS = {tail.value: tail for tail in TailState}
_CODES: dict[str | None, FaultCode | None] = {None: None, **{c.value: c for c in FaultCode}}
_PLACE = {name: place for place, name in enumerate(_FIELDS)}
_SHARED = (_PLACE["cwd"], _PLACE["model_id"])
"""Texts of which many rows have the same: one copy of them is kept."""
_GIST, _VERDICT, _TAIL, _REFUSAL = (
    _PLACE[name] for name in ("gist", "verdict", "tail_state", "refusal")
)


def encode_row(row: SessionRow, key: bytes = b"") -> bytes:
    """Return the bytes of a whole row, its path left out, with a checksum before them.

    Args:
        row: The row.
        key: What it belongs to; only the same key reads it again.
    """
    import orjson  # loads what describes source code: where no row is made it is not needed

    gist = row.gist
    values: list[Any] = list(_values_of(row))
    values[_GIST] = None if gist == NOTHING_SAID else _gist_of(gist)
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
    import orjson

    content = unsealed(content, key)
    try:
        values = orjson.loads(content)
    except orjson.JSONDecodeError:
        values = json.loads(content)
    if not isinstance(values, list) or len(values) != len(_FIELDS):
        raise ValueError("not a row of this layout")
    gist = values[_GIST]
    values[_GIST] = NOTHING_SAID if gist is None else Gist(*gist)
    try:
        values[_VERDICT] = _VERDICTS[values[_VERDICT]]
        values[_TAIL] = _TAILS[values[_TAIL]]
        values[_REFUSAL] = _CODES[values[_REFUSAL]]
    except KeyError as error:
        raise ValueError("not a word of a row") from error
    for place in _SHARED:
        if type(values[place]) is str:
            values[place] = intern(values[place])
    return SessionRow(path, *values)


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
