"""A bulk clean-up: what would go, with sizes and reasons, and moving it to the trash one by one.

Every session goes through the same plan, locks and second looks as one that is put away alone
(`ink_tui.store.trash`), so whatever changed after it was listed stays. One that cannot be moved
does not keep the others.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ink_tui.errors import InkTuiError, RefusedError, StoreError
from ink_tui.formats.ink.constants import FILE_SUFFIX
from ink_tui.model.cleanup import (
    CleanupFacts,
    CleanupRule,
    Selection,
    Staying,
    concerned,
    going_words,
    select,
)
from ink_tui.model.families import Families, Family
from ink_tui.model.text import clean
from ink_tui.model.words import counted
from ink_tui.store.discover import look_at
from ink_tui.store.files import UnreadableError
from ink_tui.store.marks import read_marks
from ink_tui.store.quick import quick_row
from ink_tui.store.trash import move_to_trash, plan_trash

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.liveness import Holder
    from ink_tui.model.marks import SessionMarks
    from ink_tui.store.files import Fingerprint
    from ink_tui.store.library import Library

_SLICE = 20
"""Sessions that are read whole between two looks at whether to go on."""
_NOTHING_MOVED = " Nothing was moved."
"""End of a refusal, left out where many are told together."""


@dataclass(frozen=True, slots=True)
class Survey:
    """All sessions as they stand, for choosing what to be rid of."""

    families: Families
    facts: CleanupFacts

    def selection(self, *rules: CleanupRule) -> Selection:
        """Return what some rules would take together."""
        return select(self.families, rules, self.facts)


@dataclass(frozen=True, slots=True)
class CleanupPlan:
    """What would go, bound to the files as they were when it was listed."""

    selection: Selection
    states: Mapping[str, Fingerprint]
    """State of each file that goes, by its path."""
    families: Families


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one session with its sub-agent sessions."""

    family: Family
    moved: tuple[SessionRow, ...] = ()
    reason: str = ""
    """Why not all of it went, or what failed afterwards, cleaned; empty when nothing did."""

    @property
    def whole(self) -> bool:
        """Whether all of it went."""
        return len(self.moved) == len(self.family.rows)


@dataclass(frozen=True, slots=True)
class Account:
    """What a clean-up has done."""

    moved: tuple[SessionRow, ...] = ()
    stayed: tuple[Staying, ...] = ()
    """What was to go and did not."""
    left: int = 0
    """Sessions that were not come to, because it was stopped."""
    notices: tuple[str, ...] = ()
    """What failed about sessions that went all the same, in sentences."""

    @property
    def complete(self) -> bool:
        """Whether all that was to go went, and nothing failed."""
        return not (self.stayed or self.left or self.notices)

    @property
    def size(self) -> int:
        """Bytes of all that went."""
        return sum(row.size for row in self.moved)

    def sentence(self, size_words: Callable[[int], str]) -> str:
        """Return what went and what did not, in a few sentences.

        Args:
            size_words: Writes a number of bytes.
        """
        said = ["Nothing was moved."]
        if self.moved:
            them = "It" if len(self.moved) == 1 else "They"
            said = [
                f"Moved to the trash: {going_words(self.moved)}, {size_words(self.size)}.",
                f"{them} can be put back from there.",
            ]
        if self.stayed:
            more = ", and more" if len(self.stayed) > 1 else ""
            first = self.stayed[0].reason.rstrip(".")
            said.append(f"{len(self.stayed):,} stayed: {first}{more}.")
        if self.left:
            said.append(f"Stopped before {counted(self.left, 'session')}.")
        said += self.notices[:1]
        return " ".join(said)


def marked_sessions(state_dir: Path) -> dict[str, str]:
    """Return the sessions that the user has marked, by id: how, in words.

    Raises:
        StoreError: That cannot be read: nothing may go that may be marked.
    """
    kept = read_marks(state_dir)
    if kept.notice:
        raise StoreError(f"{kept.notice} Nothing is cleaned up until it can be read.")
    return {each: _mark_words(kept.marks.of(each)) for each in kept.marks.kept}


def _mark_words(marks: SessionMarks) -> str:
    words = [*marks.words, *(["noted"] if marks.note else [])]
    return " and ".join(words) or "marked in its records"


def read_concerned(
    library: Library, rules: Sequence[CleanupRule], now_ms: int
) -> Iterator[tuple[int, int]]:
    """Look at all sessions, then read whole those that the rules are about, some at a time.

    Args:
        library: The store.
        rules: What may be asked for afterwards.
        now_ms: The present, in milliseconds since 1970.

    Yields:
        How many have been read, and how many there are to read.
    """
    listing = library.scan()
    about = concerned(Families(listing.rows, listing.roots), rules, now_ms)
    waiting = [row.path for row in listing.rows if row.path in about and not row.complete]
    for done in range(0, len(waiting), _SLICE):
        yield done, len(waiting)
        library.refresh(waiting[done : done + _SLICE])


def survey(
    library: Library,
    rules: Sequence[CleanupRule],
    *,
    now_ms: int,
    holder_of: Callable[[SessionRow], Holder],
    marked: Mapping[str, str],
    only_read: Sequence[str] = (),
) -> Survey:
    """Return all sessions, those that the rules are about with who holds them.

    Args:
        library: The store, after `read_concerned`.
        rules: What may be asked for afterwards.
        now_ms: The present, in milliseconds since 1970.
        holder_of: Tells who holds a session; asked often, so one look must serve for many.
        marked: Sessions that are kept out, by id: why in a word.
        only_read: Folders that are never changed.
    """
    listing = library.listing()
    about = concerned(Families(listing.rows, listing.roots), rules, now_ms)
    rows = [
        replace(row, holder=holder_of(row)) if row.path in about else row for row in listing.rows
    ]
    facts = CleanupFacts(now_ms, dict(marked), tuple(only_read))
    return Survey(Families(rows, listing.roots), facts)


def plan_cleanup(looked: Survey, *rules: CleanupRule) -> CleanupPlan:
    """Return what some rules would take, bound to the files as they are now; changes nothing."""
    chosen = looked.selection(*rules)
    states: dict[str, Fingerprint] = {}
    goes: list[Family] = []
    stays = list(chosen.stays)
    for family in chosen.goes:
        found = {row.path: state for row in family.rows if (state := _state_as_read(row))}
        if len(found) < len(family.rows):
            stays.append(Staying(family.session, "changed while it was looked at"))
        else:
            goes.append(family)
            states |= found
    return CleanupPlan(Selection(tuple(goes), tuple(stays)), states, looked.families)


def clean_up(
    plan: CleanupPlan,
    *,
    state_dir: Path,
    clock: Callable[[], int],
    holder_of: Callable[[SessionRow], Holder],
    marked: Callable[[], Mapping[str, str]],
    trash: Callable[[str], None],
) -> Iterator[Outcome]:
    """Move what a plan names to the trash, one session a step; what fails does not keep the rest.

    It may be left between any two steps.

    Args:
        plan: What the person has seen and agreed to.
        state_dir: Our own state folder: locks and journal.
        clock: The present, in milliseconds since 1970.
        holder_of: Tells who holds a session now.
        marked: Tells what is kept out now, by session id.
        trash: Moves one path to the trash; raises what the system raises.

    Yields:
        What came of each session, in the order of the plan.
    """
    for family in plan.selection.goes:
        gone: set[str] = set()

        def move(path: str, gone: set[str] = gone) -> None:
            trash(path)
            if not os.path.lexists(path):
                gone.add(path)

        reason = ""
        try:
            _check(family, plan, marked())
            _put_away(family, plan, state_dir, clock(), holder_of, move)
        except InkTuiError as error:
            reason = clean(str(error)).removesuffix(_NOTHING_MOVED)
        yield Outcome(family, tuple(row for row in family.rows if row.path in gone), reason)


def account(plan: CleanupPlan, outcomes: Sequence[Outcome]) -> Account:
    """Return what a clean-up has done, from the outcomes up to where it ended."""
    return Account(
        tuple(row for outcome in outcomes for row in outcome.moved),
        tuple(Staying(each.family.session, each.reason) for each in outcomes if not each.whole),
        len(plan.selection.goes) - len(outcomes),
        tuple(each.reason for each in outcomes if each.whole and each.reason),
    )


def _state_as_read(row: SessionRow) -> Fingerprint | None:
    """Return the state of a file if it is the one that its row was made from."""
    state = look_at(row.path).state
    if state is None or (state.size, state.changed_ms) != (row.size, row.changed_ms):
        return None
    return state


def _check(family: Family, plan: CleanupPlan, marked: Mapping[str, str]) -> None:
    """Refuse what has been set apart meanwhile, and an orphan whose parent may be back.

    Raises:
        RefusedError: It stays.
    """
    for row in family.rows:
        mark = marked.get(row.session_id or "")
        if mark is not None:
            raise RefusedError("marked", f"It is {mark} now.{_NOTHING_MOVED}")
    if family.session.child and _parent_may_be_back(family.session, plan.families):
        raise RefusedError("parent", f"Its parent may be back.{_NOTHING_MOVED}")


def _parent_may_be_back(orphan: SessionRow, families: Families) -> bool:
    """Whether a file has come into the folder above that is, or may be, the orphan's parent."""
    above = os.path.dirname(os.path.dirname(orphan.path))  # noqa: PTH120 - raw: may be no text
    try:
        names = [entry.path for entry in os.scandir(above)]
    except OSError:
        return True
    for path in names:
        if path.endswith(FILE_SUFFIX) and families.at(path) is None:
            try:
                found = quick_row(look_at(path))
            except UnreadableError:
                return True
            if found.session_id in (None, orphan.launch_parent_id, orphan.parent_id):
                return True
    return False


def _put_away(
    family: Family,
    plan: CleanupPlan,
    state_dir: Path,
    now_ms: int,
    holder_of: Callable[[SessionRow], Holder],
    trash: Callable[[str], None],
) -> None:
    """Move a family to the trash if it is exactly what was listed and nobody may use it.

    Raises:
        StoreError: It stays, or part of it; the sentence says why.
    """
    own = {row.path for row in family.rows}
    families = plan.families
    found = plan_trash(
        family.session.path,
        now_ms=now_ms,
        holder_of=holder_of,
        rows=families.with_id(family.session.session_id or ""),
        foreign=lambda path: path not in own and families.at(path) is not None,
    )
    if {each.row.path: each.state for each in found.files} != {
        path: plan.states[path] for path in own
    }:
        raise RefusedError("changed-since", f"It changed after it was listed.{_NOTHING_MOVED}")
    if found.doubt:
        raise RefusedError("doubt", f"{found.doubt}{_NOTHING_MOVED}")
    move_to_trash(found, state_dir=state_dir, now_ms=now_ms, holder_of=holder_of, trash=trash)
