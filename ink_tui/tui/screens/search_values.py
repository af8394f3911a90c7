"""What the main screen and the search give each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ink_tui.model.liveness import Holder, HolderKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.marks import Marks
    from ink_tui.store.search.values import Hit


@dataclass(frozen=True, slots=True)
class HitWanted:
    """The session that is to be opened, and the record in it."""

    path: str
    hit: Hit


@dataclass(frozen=True, slots=True)
class RecordWanted:
    """The session that is to be opened, and the record in it."""

    path: str
    entry_id: str | None
    call_id: str | None = None
    """A call that it holds or answers; `None` for the record as a whole."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the sessions when a search begins."""

    rows: tuple[SessionRow, ...]
    """Newest activity first."""
    marks: Marks
    unseen: bool = False
    """There are files that have no row yet."""


@dataclass(slots=True)
class Kept:
    """What the next look at the search starts with."""

    text: str = ""
    best_first: bool = False


_OWN = Holder(HolderKind.CERTAIN, "an agent that was started from here")


def with_own_agents(rows: Iterable[SessionRow], own: Collection[str]) -> tuple[SessionRow, ...]:
    """Return rows that say which sessions the agents started from here work in.

    Args:
        rows: The rows; no listing knows of our own agents.
        own: Paths of the sessions that they work in.
    """
    return tuple(replace(row, holder=_OWN) if row.path in own else row for row in rows)
