"""Which sessions a bulk clean-up would take, and why others stay (`formats/ink.md` 9.4). Pure.

A session takes its sub-agent sessions along, and goes only if all of them may go. A sub-agent
session by itself goes only as an orphan. Whatever is not known for certain stays, with its reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.faults import TailState
from ink_tui.model.liveness import Freshness, HolderKind
from ink_tui.model.row_words import problems, title_words
from ink_tui.model.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ink_tui.model.families import Families, Family
    from ink_tui.model.listing import SessionRow

DAYS_OFFERED = (30, 90, 180, 365)
"""Ages in days that a person can choose from."""

_DAY_MS = 86_400_000


class CleanupKind(StrEnum):
    """What a rule is about."""

    EMPTY = "empty"
    """Sessions without a message."""
    OLD = "older-than"
    """Sessions whose newest record is older than some days."""
    ORPHANS = "orphans"
    """Sub-agent sessions whose parent is no longer there, by Ink's own rule."""


@dataclass(frozen=True, slots=True)
class CleanupRule:
    """One thing that a person may want to be rid of."""

    kind: CleanupKind
    days: int = 0
    """For `OLD`: least age of the newest record, exclusive."""

    @property
    def id(self) -> str:
        """A stable name: `empty`, `older-than-30`, `orphans`."""
        return f"{self.kind}-{self.days}" if self.kind is CleanupKind.OLD else str(self.kind)


RULES = (
    CleanupRule(CleanupKind.EMPTY),
    *(CleanupRule(CleanupKind.OLD, days) for days in DAYS_OFFERED),
    CleanupRule(CleanupKind.ORPHANS),
)
"""The rules that the screen offers, in its order."""


@dataclass(frozen=True, slots=True)
class Staying:
    """A session that a rule is about and that stays nevertheless."""

    row: SessionRow
    reason: str
    """Why, in a few words, cleaned."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What some rules would take, and what they leave."""

    goes: tuple[Family, ...] = ()
    stays: tuple[Staying, ...] = ()

    @property
    def rows(self) -> tuple[SessionRow, ...]:
        """Every session that goes, sub-agent sessions included."""
        return tuple(row for family in self.goes for row in family.rows)

    @property
    def size(self) -> int:
        """Bytes of all that goes."""
        return sum(row.size for row in self.rows)


@dataclass(frozen=True, slots=True)
class CleanupFacts:
    """What the rules are held against, beside the rows."""

    now_ms: int
    """The present, in milliseconds since 1970."""
    marked: Mapping[str, str]
    """What the user set apart, by session id: how in a word, as `pinned`."""
    only_read: tuple[str, ...] = ()
    """Folders that are never changed, such as the store of the agent's predecessor."""


def concerned(families: Families, rules: Sequence[CleanupRule], now_ms: int) -> frozenset[str]:
    """Return the files that must be known whole before the rules can be judged.

    These are the sessions that a rule is about, whatever keeps them, with their sub-agent sessions.
    """
    paths: set[str] = set()
    for row in families.rows:
        if any(_says(rule, row, families, now_ms) is not None for rule in rules):
            paths.update(each.path for each in families.family(row).rows)
    return frozenset(paths)


def select(families: Families, rules: Sequence[CleanupRule], facts: CleanupFacts) -> Selection:
    """Return what some rules would take together, in the order of the rows.

    Args:
        families: All known sessions; those that `concerned` names read whole, with their holders.
        rules: What to be rid of: a session goes if one of them takes it.
        facts: The present and what is kept out.
    """
    goes: list[Family] = []
    stays: list[Staying] = []
    for row in families.rows:
        reasons = [
            reason
            for rule in rules
            if (reason := _says(rule, row, families, facts.now_ms)) is not None
        ]
        if not reasons:
            continue
        family = families.family(row)
        obstacle = _obstacle(family, facts)
        if obstacle or all(reasons):
            stays.append(Staying(row, obstacle or reasons[0]))
        else:
            goes.append(family)
    going = {row.path for family in goes for row in family.rows}
    return Selection(tuple(goes), tuple(each for each in stays if each.row.path not in going))


def going_words(rows: Iterable[SessionRow]) -> str:
    """Return what some sessions are, counted: `12 sessions and 3 sub-agent sessions`."""
    found = list(rows)
    children = sum(row.child for row in found)
    parents = len(found) - children
    parts = []
    if parents or not children:
        parts.append(counted(parents, "session"))
    if children:
        parts.append(counted(children, "sub-agent session"))
    return " and ".join(parts)


def rule_words(rule: CleanupRule, number: int) -> str:
    """Return what a rule is about: `12 sessions without a message`; without a figure for none."""
    noun = "sub-agent session" if rule.kind is CleanupKind.ORPHANS else "session"
    lead = counted(number, noun) if number else f"{noun}s".capitalize()
    days = counted(rule.days, "day")
    about = {
        CleanupKind.EMPTY: "without a message",
        CleanupKind.OLD: f"older than {days}",
        CleanupKind.ORPHANS: "without their parent" if number != 1 else "without its parent",
    }
    return f"{lead} {about[rule.kind]}"


# What a rule says of a session: None when it is not about it, empty when it takes it, else why not.


def _says(rule: CleanupRule, row: SessionRow, families: Families, now_ms: int) -> str | None:
    if rule.kind is CleanupKind.ORPHANS:
        return _says_orphan(row, families)
    if row.child:
        return None  # goes with its parent or not at all
    if rule.kind is CleanupKind.EMPTY:
        return _says_empty(row, families)
    return _says_old(row, families, now_ms - rule.days * _DAY_MS)


def _says_empty(row: SessionRow, families: Families) -> str | None:
    if row.message_seen:
        return None
    if row.compactions:
        return "it holds a summary"
    return _of_children(
        families.family(row),
        lambda child: "" if child.complete and not child.message_seen else "it has messages",
    )


def _says_old(row: SessionRow, families: Families, before_ms: int) -> str | None:
    if row.last_ms is None:
        return "nothing in it tells its age"
    # The time of a file whose ends name none says nothing of its records.
    known = row.complete or row.last_ms != row.changed_ms
    if known and row.last_ms >= before_ms:
        return None

    def young(child: SessionRow) -> str:
        if child.last_ms is None:
            return "nothing in it tells its age"
        return "" if child.last_ms < before_ms else "it is newer"

    if row.last_ms >= before_ms:
        return "not read whole yet"
    return _of_children(families.family(row), young)


def _says_orphan(row: SessionRow, families: Families) -> str | None:
    parents = families.parents_of(row)
    if parents is None:
        return None
    if row.launch_parent_id is None:
        # Ink never calls such a session an orphan; one without a header may be anything.
        return None if row.session_id is not None else "it does not tell its parent"
    named = {row.launch_parent_id, row.parent_id}
    if any(other.session_id == row.launch_parent_id for other in parents):
        return None
    if any(other.session_id is None for other in parents):
        return "a file beside its folder cannot be read, and may be its parent"
    if any(families.with_id(name) for name in named if name):
        return "its parent is elsewhere in the store"
    return ""


def _of_children(family: Family, says: Callable[[SessionRow], str]) -> str:
    """Return why a sub-agent session keeps its family; empty when none does."""
    for child in family.children:
        if reason := says(child):
            return _named(child, reason)
    return ""


# What keeps a session whatever the rule


def _obstacle(family: Family, facts: CleanupFacts) -> str:
    """Return why a family stays whatever the rule says; empty for no reason."""
    reason = _keeps(family.session, facts)
    return reason or _of_children(family, lambda child: _keeps(child, facts))


def _keeps(row: SessionRow, facts: CleanupFacts) -> str:
    if any(_lies_in(row.path, folder) for folder in facts.only_read):
        return "it is in the store of the agent's predecessor, which is only read"
    if row.session_id is not None and row.session_id in facts.marked:
        return facts.marked[row.session_id]
    if row.holder.kind is HolderKind.CERTAIN:
        return f"in use by {row.holder.who}"
    if row.holder.kind is HolderKind.POSSIBLE:
        return f"perhaps in use by {row.holder.who}"
    if row.freshness is Freshness.WRITING:
        return "being written"
    if row.freshness is Freshness.RECENT:
        return "changed less than a minute ago"
    if row.error_kind is not None or row.tail_state is not TailState.OK:
        wrong = problems(row)
        return wrong[0].list if wrong else "damaged"
    if row.session_id is None:
        return "its id cannot be read"
    return "" if row.complete else "not read whole yet"


def _named(child: SessionRow, reason: str) -> str:
    return f"its sub-agent session “{title_words(child).removeprefix('task: ')}”: {reason}"


def _lies_in(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/") + "/")
