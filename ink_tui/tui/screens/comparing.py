"""What the session at hand is compared with: found by what is selected, else asked for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.errors import InkTuiError
from ink_tui.model.compare_choices import (
    Other,
    OtherKind,
    newest_below,
    other_branches,
    other_sessions,
)
from ink_tui.model.outline_rows import RowKind
from ink_tui.model.recovery import as_read
from ink_tui.model.row_words import is_live
from ink_tui.store.reader import read_session
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.layout import Place
from ink_tui.tui.render.question_rows import STAY, compare_question
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.screens.compare import CompareScreen
from ink_tui.tui.screens.question import QuestionScreen
from ink_tui.tui.screens.search_values import RecordWanted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.entries import EntryId
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.outline_rows import OutlineRow
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.tui.screens.finding import FindingScreen
    from ink_tui.tui.services import Services

NO_OTHER = "Nothing to compare with: the session has one branch, and no copy of it is known."


@dataclass(frozen=True, slots=True)
class AtHand:
    """The session that is compared, and what is selected in it."""

    path: str
    diagnosis: Diagnosis | None = None
    """`None` where it has not been read."""
    entry_id: EntryId | None = None
    """The selected record."""
    row: OutlineRow | None = None
    """The selected row of the tree."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a session can be compared with."""

    diagnosis: Diagnosis
    meant: Other | None
    """What the selected row stands for."""
    others: tuple[Other, ...]
    """All there is, the nearest first."""


class Comparing:
    """Asks with what, where that is not clear, and shows the comparison."""

    def __init__(self, services: Services, screen: FindingScreen) -> None:
        """Make it.

        Args:
            services: The outside world.
            screen: The main screen: it shows the question, and the record that is opened.
        """
        self.services = services
        self.screen = screen

    def ask(self, path: str) -> None:
        """Compare a session, by what is selected in it where it is the one that is shown."""
        self.screen.run_worker(
            self._compare(self._at_hand(path)), group="comparing", exclusive=True
        )

    def _at_hand(self, path: str) -> AtHand:
        screen = self.screen
        if screen.place is not Place.SESSION or path != screen.session.path:
            return AtHand(path)
        session = screen.session
        row = session.tree_view.highlighted if session.active is Tab.TREE else None
        read = session.views.opened.diagnosis if session.views is not None else None
        return AtHand(path, read, session.entry_id, row)

    async def _compare(self, at: AtHand) -> None:
        listing = self.screen.feed.listing
        rows = listing.rows if listing is not None else ()
        try:
            offer = await asyncio.to_thread(offer_for, at, rows)
        except InkTuiError as error:
            self.screen.tell(str(error), error=True)
            return
        other = offer.meant or await self._asked(offer)
        if other is None:
            return
        screen = CompareScreen(self.services, at.path, other, self._live(rows), offer.diagnosis)
        wanted = await self.screen.app.push_screen_wait(screen)
        if isinstance(wanted, RecordWanted):
            self.screen.open_at(wanted)
        elif wanted is not None:
            await self.screen.run_action(wanted.replace("-", "_"))

    def _live(self, rows: Sequence[SessionRow]) -> frozenset[str]:
        """Return the files of sessions that an agent is known to hold."""
        return frozenset(row.path for row in rows if is_live(row)).union(
            run.spec.session_path for run in self.screen.area.runs if run.running
        )

    async def _asked(self, offer: Offer) -> Other | None:
        """Return what is chosen; the only thing there is without a question."""
        if not offer.others:
            self.screen.tell(NO_OTHER)
            return None
        if len(offer.others) == 1:
            return offer.others[0]
        services = self.services
        look = Look(0, services.glyphs, services.now(), services.zone)
        title, sentences, choices = compare_question(offer.others, look, self.screen.size.height)
        question = QuestionScreen(
            title,
            sentences,
            choices,
            default=offer.others[0].key,
            cancelled=STAY,
            glyphs=services.glyphs,
            keymap=self.screen.keymap,
        )
        chosen = await self.screen.app.push_screen_wait(question)
        return next((other for other in offer.others if other.key == chosen), None)


def offer_for(at: AtHand, rows: Sequence[SessionRow]) -> Offer:
    """Return what a session can be compared with; reads it where it has not been read, and blocks.

    Args:
        at: The session and what is selected in it.
        rows: The rows of the list.

    Raises:
        UnreadableError: It cannot be read.
    """
    diagnosis = at.diagnosis if at.diagnosis is not None else read_session(at.path)[0]
    sessions = other_sessions(diagnosis, rows)
    if at.row is not None and at.row.kind is RowKind.FORK:
        meant = next((other for other in sessions if other.path == at.row.opens), None)
        if meant is not None:
            return Offer(diagnosis, meant, sessions)
    others = (*other_branches(diagnosis, at.entry_id), *sessions)
    return Offer(diagnosis, _branch_of(diagnosis, at.entry_id, others), others)


def _branch_of(
    diagnosis: Diagnosis, entry_id: EntryId | None, others: Sequence[Other]
) -> Other | None:
    """Return the branch that a record off the current branch belongs to."""
    read = as_read(diagnosis)
    if entry_id is None or entry_id not in read.session.nodes:
        return None
    if any(node.id == entry_id for node in read.branch.entries):
        return None
    leaf = newest_below(diagnosis, entry_id)
    known = (other for other in others if other.kind is OtherKind.BRANCH and other.leaf == leaf)
    return next(known, Other(OtherKind.BRANCH, "", leaf, "", None, None))
