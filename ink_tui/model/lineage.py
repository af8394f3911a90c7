"""Which sessions were copied from a session, and the rows of its tree that lead to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.entries import EntryId
from ink_tui.model.outline_rows import OutlineRow, Rail, RowKind
from ink_tui.model.row_words import title_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ink_tui.model.listing import SessionRow

MOST_FORKS = 12
"""Forks of one record that have a row of their own."""


@dataclass(frozen=True, slots=True)
class ForkLink:
    """A session that was copied from another one."""

    path: str
    title: str
    """Cleaned, on one line."""
    last_ms: int | None
    """Time of its newest record, in milliseconds since 1970."""


Forks = dict[EntryId, tuple[ForkLink, ...]]
"""Copies by the record that they end with, newest first."""


def forks_of(session_id: str | None, rows: Iterable[SessionRow]) -> Forks:
    """Return the copies of a session, as their headers tell of it.

    Args:
        session_id: Header id of the original.
        rows: The rows of the list.
    """
    if session_id is None:
        return {}
    found: dict[EntryId, list[ForkLink]] = {}
    for row in rows:
        if row.forked_from == session_id and row.forked_at is not None:
            link = ForkLink(row.path, title_words(row), row.last_ms)
            found.setdefault(EntryId(row.forked_at), []).append(link)
    return {
        entry: tuple(sorted(links, key=lambda each: (-(each.last_ms or 0), each.path)))
        for entry, links in found.items()
    }


def same_forks(one: Mapping[EntryId, Sequence[ForkLink]], other: Forks) -> bool:
    """Return whether the same copies with the same titles hang from the same records."""

    def names(forks: Mapping[EntryId, Sequence[ForkLink]]) -> set[tuple[str, str, str]]:
        return {(entry, link.path, link.title) for entry in forks for link in forks[entry]}

    return names(one) == names(other)


def fork_rows(
    entry: EntryId, links: Sequence[ForkLink], *, rail: Rail, depth: int, inside: str | None
) -> list[OutlineRow]:
    """Return the rows of a record's copies; beyond twelve they are counted.

    Args:
        entry: The record.
        links: Its copies, newest first.
        rail: What stands at the left edge.
        depth: How many branches the record is away from the trunk.
        inside: Key of the branch that it belongs to.
    """
    dim = rail is Rail.GONE
    found = [
        OutlineRow(
            f"fork:{entry}:{link.path}",
            RowKind.FORK,
            "fork",
            link.title,
            time_ms=link.last_ms,
            rail=rail,
            depth=depth,
            dim=dim,
            inside=inside,
            opens=link.path,
        )
        for link in links[:MOST_FORKS]
    ]
    left = len(links) - len(found)
    if left:
        more = f"{left:,} more fork{'s' if left != 1 else ''}"
        found.append(
            OutlineRow(
                f"forks:{entry}",
                RowKind.FORK,
                "forks",
                more,
                rail=rail,
                depth=depth,
                dim=dim,
                inside=inside,
            )
        )
    return found
