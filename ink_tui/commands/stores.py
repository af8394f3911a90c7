"""Which store a subcommand works on, and finding a session in it."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.config import session_roots
from ink_tui.model.lookup import Located, locate
from ink_tui.paths import state_dir
from ink_tui.store.clock import system_clock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.config import Config
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.liveness import Holder
    from ink_tui.store.library import Library
    from ink_tui.store.processes import Process


def chosen_roots(given: Sequence[str], config: Config) -> tuple[str, ...]:
    """Return the session roots: the command line's, the environment's, the config's, Ink's own.

    Args:
        given: Values of `--sessions-dir`, in order.
        config: The user's settings.
    """
    roots = session_roots(config, os.environ, [Path(root) for root in given])
    return tuple(str(root) for root in roots)


def find_session(library: Library, wanted: str) -> Located:
    """Return the file that an id, an id's start, a file name or a path means.

    Text with a separator, or that ends like a session file and exists, is taken as a path.
    """
    path = Path(wanted)
    if (os.sep in wanted or wanted.endswith(".jsonl")) and os.path.lexists(path):
        return Located(str(path.absolute()), None)
    return locate(library.scan().rows, wanted)


def holder_of(row: SessionRow) -> Holder:
    """Return who holds the session of a row, as far as can be seen."""
    from ink_tui.store.holders import find_holder  # only where somebody may write: it loads much

    return find_holder(
        Path(row.path),
        session_id=row.session_id or "",
        cwd=row.cwd,
        state_dir=state_dir(os.environ),
        now_ms=system_clock(),
        processes=_processes,
    )


@cache
def _processes() -> list[Process]:
    """Return the processes of this machine, looked up once a command."""
    from ink_tui.store.processes import list_processes

    return list_processes()


def not_found(located: Located, wanted: str, roots: Sequence[str]) -> str:
    """Return the sentence that says why a look-up gave no single session, and what to do."""
    if located.reason == "ambiguous":
        names = ", ".join(Path(path).name for path in located.candidates[:3])
        more = len(located.candidates) - 3
        also = f" and {more} more" if more > 0 else ""
        return f"“{wanted}” fits several sessions ({names}{also}). Type more of the id."
    where = ", ".join(roots)
    return f"no session fits “{wanted}” below {where}. ink-tui list --all shows every id."
