"""Which sessions the list is about: all, those of a folder, or those of a git repository.

A session belongs to a place by the working folder in its header, compared as text: the folder may
long be gone, and nothing is looked up on a disk.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.nesting import Nesting


class Scope(StrEnum):
    """How far the list reaches."""

    ALL = "all"
    FOLDER = "folder"
    """The folder that the program was started in, and those below it."""
    REPOSITORY = "repository"
    """The git repository around that folder, with all of its worktrees."""


SCOPE_WORDS = {
    Scope.ALL: "all folders",
    Scope.FOLDER: "this folder",
    Scope.REPOSITORY: "this repository",
}
"""What a scope is called on the screen."""


@dataclass(frozen=True, slots=True)
class Repository:
    """What is known of the git repository around a folder."""

    roots: tuple[str, ...] = ()
    """Top folders of its working trees; empty where there is no repository."""
    unread: int = 0
    """Worktrees that it names and whose folder cannot be told."""
    trouble: str = ""
    """Why something that looks like a repository is none, in words; empty when nothing does."""


NO_REPOSITORY = Repository()


def parts_of(path: str) -> tuple[str, ...] | None:
    """Return the names that an absolute path is made of, `None` for one that is not absolute.

    `.` and doubled slashes say nothing; `..` takes the name before it away, as text.
    """
    if not path.startswith("/"):
        return None
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return tuple(parts)


class Reach:
    """Tells for working folders whether they lie at or below one of some folders."""

    def __init__(self, roots: Iterable[str]) -> None:
        """Make it.

        Args:
            roots: The folders; those that are not absolute are left out.
        """
        self._roots = {parts for root in roots if (parts := parts_of(root)) is not None}
        self._known: dict[str, bool] = {}

    def holds(self, cwd: str) -> bool:
        """Whether a folder lies at or below one of the roots; a relative one never does."""
        known = self._known.get(cwd)
        if known is None:
            parts = parts_of(cwd)
            known = parts is not None and any(
                parts[:length] in self._roots for length in range(len(parts) + 1)
            )
            self._known[cwd] = known
        return known


@dataclass(frozen=True, slots=True)
class Split:
    """Sessions by a scope: each is within it or in one family outside."""

    inside: tuple[SessionRow, ...]
    """In the order in which they came, guests included."""
    outside: tuple[Sequence[SessionRow], ...] = ()
    """Each a session with all that stand under it."""
    guests: frozenset[str] = frozenset()
    """Paths of those outside that are shown, since one of their family was asked for."""


def split(
    rows: Iterable[SessionRow], nesting: Nesting, reach: Reach, asked: Collection[str]
) -> Split:
    """Divide sessions by a scope; a family is within it as soon as one of its sessions is.

    Args:
        rows: All sessions.
        nesting: Which of them stands under which.
        reach: The folders of the scope.
        asked: Paths of sessions that are shown wherever they lie.
    """
    outside: list[Sequence[SessionRow]] = []
    guests: set[str] = set()
    for family in map(nesting.family, nesting.tops):
        if any(reach.holds(row.cwd) for row in family):
            continue
        if any(row.path in asked for row in family):
            guests.update(row.path for row in family)
        else:
            outside.append(family)
    gone = {row.path for family in outside for row in family}
    inside = tuple(row for row in rows if row.path not in gone)
    return Split(inside, tuple(outside), frozenset(guests))


def outside_words(scope: Scope, listed: int, hidden: int) -> str:
    """Return what stands for the sessions outside a scope.

    Args:
        scope: The scope in force.
        listed: Sessions that all folders would show.
        hidden: Archived sessions and those without a message.
    """
    place = f"outside {SCOPE_WORDS[scope]}"
    if not listed:
        return f"{hidden:,} hidden {place}"
    return f"{listed:,} {place}" + (f", {hidden:,} more hidden" if hidden else "")
