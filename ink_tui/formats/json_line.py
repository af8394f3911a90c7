"""One JSON object on one line, with nothing but ASCII in it."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_ENCODER = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"))


def json_line(answer: Mapping[str, object]) -> str:
    """Return an object as JSON; half surrogates and control characters are escaped."""
    import orjson  # a third of the start of a command that prints no JSON

    with suppress(orjson.JSONEncodeError):  # half surrogates, or a number beyond 64 bits
        line = orjson.dumps(answer)
        if line.isascii():
            return line.decode()
    return _ENCODER.encode(answer)
