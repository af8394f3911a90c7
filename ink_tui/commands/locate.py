"""`ink-tui locate`: which file an id means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.commands.output import NEGATIVE, OK, complain, print_json, print_line
from ink_tui.commands.stores import find_session, not_found
from ink_tui.model.text import one_line

if TYPE_CHECKING:
    from ink_tui.store.library import Library


def locate_session(library: Library, wanted: str, *, as_json: bool) -> int:
    """Print the file of a session, or why there is no single one.

    Returns:
        0 when one session fits, 1 otherwise.
    """
    located = find_session(library, wanted)
    if as_json:
        answer: dict[str, object] = {"path": located.path}
        if located.path is None:
            answer |= {"reason": located.reason, "candidates": list(located.candidates)}
        print_json(answer)
    elif located.path is not None:
        print_line(one_line(located.path))
    if located.path is None:
        complain(not_found(located, wanted, library.roots))
        return NEGATIVE
    return OK
