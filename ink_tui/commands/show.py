"""`ink-tui show --plain`: a whole transcript as sanitised text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.commands.output import NEGATIVE, OK, complain, print_line
from ink_tui.commands.stores import find_session, not_found
from ink_tui.model.plain import transcript_text
from ink_tui.store.files import UnreadableError
from ink_tui.store.reader import read_session

if TYPE_CHECKING:
    from ink_tui.store.library import Library


def show_session(library: Library, wanted: str) -> int:
    """Print the transcript of a session.

    Returns:
        0 when it was printed, 1 when no session fits or the file cannot be read.
    """
    located = find_session(library, wanted)
    if located.path is None:
        complain(not_found(located, wanted, library.roots))
        return NEGATIVE
    try:
        diagnosis, _state = read_session(located.path)
    except UnreadableError as error:
        complain(str(error))
        return NEGATIVE
    for line in transcript_text(diagnosis):
        print_line(line)
    return OK
