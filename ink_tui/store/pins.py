"""Pinned sessions: a file of our own that names them by their session id.

By id and not by file, so that a pin survives a file that is renamed or moved. The file never stops
a start: what cannot be read counts as no pins, with a notice.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.text import clean
from ink_tui.store.atomic import replace_file
from ink_tui.store.files import UnreadableError, open_for_reading, read_range

if TYPE_CHECKING:
    from pathlib import Path

_NAME = "pins.json"
_VERSION = 1
_MOST_BYTES = 4_000_000
"""Bytes of the file that are read: a hundred thousand pins."""


@dataclass(frozen=True, slots=True)
class Pins:
    """The pinned sessions."""

    ids: frozenset[str] = frozenset()
    notice: str = ""
    """Why the file was ignored, in a sentence; empty when it was not."""


def pins_path(state_dir: Path) -> Path:
    """Return where the pins lie."""
    return state_dir / _NAME


def read_pins(state_dir: Path) -> Pins:
    """Return the pinned sessions; never raises."""
    path = pins_path(state_dir)
    try:
        with open_for_reading(str(path)) as (descriptor, _state):
            content = read_range(descriptor, 0, _MOST_BYTES)
        ids = json.loads(content)["sessions"]
        if not isinstance(ids, list) or not all(isinstance(each, str) for each in ids):
            raise TypeError("not a list of ids")
    except UnreadableError as error:
        if error.kind == "vanished":
            return Pins()
        return Pins(notice=f"The pins are not shown: {error}")
    except (ValueError, KeyError, TypeError, RecursionError):
        return Pins(notice=f"The pins are not shown: {clean(str(path))} is damaged.")
    return Pins(frozenset(ids))


def toggle_pin(state_dir: Path, session_id: str) -> Pins:
    """Pin a session, or take its pin off, and return the pins as they are then.

    The file is read anew, so that another program's pins are kept. A damaged one is set aside.

    Raises:
        StoreError: The system refuses; the pins are as they were.
    """
    path = pins_path(state_dir)
    known = read_pins(state_dir)
    if known.notice:
        with suppress(OSError):
            path.replace(path.with_name(f"{_NAME}.damaged"))
    ids = known.ids ^ {session_id}
    content = json.dumps({"version": _VERSION, "sessions": sorted(ids)}, indent=1)
    replace_file(path, content.encode() + b"\n")
    return Pins(ids)
