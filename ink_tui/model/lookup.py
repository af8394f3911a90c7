"""Finding a session by what a user types: a whole id, the start of one, or a file name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ink_tui.model.listing import SessionRow


@dataclass(frozen=True, slots=True)
class Located:
    """The answer to a look-up."""

    path: str | None
    reason: str | None
    """`none` or `ambiguous` when there is no single answer, else `None`."""
    candidates: tuple[str, ...] = ()
    """Paths that fit, when more than one does."""


def locate(rows: Iterable[SessionRow], wanted: str) -> Located:
    """Return the file that an id, an id's start, or a file name means.

    A whole id beats a prefix (`design.md` section 6); a file name counts with or without its
    ending (`formats/ink.md` 9.2). Nothing typed is ever joined into a path.
    """
    known = list(rows)
    if not wanted:
        return Located(None, "none")
    for fits in (
        [row.path for row in known if row.session_id == wanted],
        [row.path for row in known if _file_name(row.path) in (wanted, f"{wanted}.jsonl")],
        [row.path for row in known if row.session_id and row.session_id.startswith(wanted)],
    ):
        if len(fits) == 1:
            return Located(fits[0], None)
        if fits:
            return Located(None, "ambiguous", tuple(sorted(fits)))
    return Located(None, "none")


def _file_name(path: str) -> str:
    return path.rsplit("/", 1)[-1]
