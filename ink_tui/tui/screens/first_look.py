"""What the first screen shows, looked for while there is no screen yet.

On its own a thread finds thousands of files in the time in which the screen would be drawn empty;
beside the drawing both take long, since only one of them runs at a time.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.store.marks import read_marks
from ink_tui.store.view_file import read_view

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.model.view import ListView
    from ink_tui.store.library import Library, Listing
    from ink_tui.store.marks import KeptMarks

FIRST_FILES = 200
"""Files whose ends are read before the first rows are shown: more than any window has rows."""


@dataclass(frozen=True, slots=True)
class FirstLook:
    """Values of the first screen."""

    view: ListView
    """How the list was looked at last."""
    kept: KeptMarks
    listing: Listing


def take_first_look(library: Library, state_dir: Path) -> FirstLook:
    """Return what there is to show; blocks, call it from a thread."""
    return FirstLook(read_view(state_dir), read_marks(state_dir), library.scan(limit=FIRST_FILES))


def look_ahead(library: Library, state_dir: Path) -> Future[FirstLook]:
    """Start to look in a thread of its own, which the end of the program does not wait for."""
    found: Future[FirstLook] = Future()

    def look() -> None:
        try:
            found.set_result(take_first_look(library, state_dir))
        except BaseException as error:  # noqa: BLE001 - raised where the result is asked for
            found.set_exception(error)

    threading.Thread(target=look, name="first look", daemon=True).start()
    return found
