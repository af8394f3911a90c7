"""A find in the session that is shown: searched beside the screen, marked in tree and transcript.

The file itself is searched, by what searches everywhere: so all of a long session is, also while
its end alone is shown, and nothing holds up a key. An answer that comes too late is dropped.
"""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from ink_tui.errors import StoreError
from ink_tui.model.find import NOTHING, Finding, Spot, find_query, placed
from ink_tui.model.passages import Kind
from ink_tui.model.text import one_line
from ink_tui.store.search.inside import FoundInside, find_inside
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.rows import Piece, Role

if TYPE_CHECKING:
    from textual.worker import Worker

    from ink_tui.model.query import Query
    from ink_tui.tui.screens.inside import InsideScreen

REST_SECONDS = 0.08
"""How long the keys must rest before the file is searched."""

_TOLD_AFTER_SECONDS = 0.3
_AROUND = {1: "from the start again", -1: "from the end again"}


class FindInside:
    """What is looked for, what was found of it, and which hit one stands on."""

    def __init__(self, screen: InsideScreen) -> None:
        """Make it; nothing is looked for yet.

        Args:
            screen: The main screen.
        """
        self.screen = screen
        self.finding: Finding = NOTHING
        self.number: int | None = None
        """The hit that one stands on, 0-based."""
        self._path: str | None = None
        self._typed = ""
        self._found = FoundInside()
        self._origin = -1
        """Row of the tree from which the first hit is looked for."""
        self._searching = False
        self._again = False
        """Whether the session has changed since the search began."""
        self._away = False
        """Whether the tree is shown only for hits that the transcript has not."""

    @property
    def under_way(self) -> bool:
        """Whether an answer is still to come."""
        return self._searching

    # What the screen asks

    def open(self) -> None:
        """Show the field; the first hit is the next one from here."""
        self._path = self.screen.session.path
        self._origin = self._here()
        self.screen.session.find.open()
        self.screen.draw_footer()
        self.screen.run_worker(self._prepare(), group="find", exclusive=True)

    async def _prepare(self) -> None:
        """Start what searches, so that the first key need not wait for it."""
        with suppress(StoreError):  # told by the search itself
            await asyncio.to_thread(self.screen.search_service.prepare)

    def take(self, typed: str) -> None:
        """Look for something else.

        Args:
            typed: What stands in the field.
        """
        self._typed = typed
        self._path = self.screen.session.path
        self._start(typed, None, rests=True)

    def step(self, step: int) -> None:
        """Go to the next hit, round at the ends; without a search, ask what to find.

        Args:
            step: 1 to go down, -1 to go up.
        """
        if not self._typed:
            self.open()
            return
        if not self.finding.total:
            self._say()
            return
        number, note = self._beside(step), ""
        if not 0 <= number < self.finding.total:
            number, note = number % self.finding.total, _AROUND[step]
        self.number = number
        self._show(note)

    def leave(self) -> None:
        """Look for nothing any more; the place that was reached stays."""
        self._typed = ""
        self.screen.workers.cancel_group(self.screen, "find")
        self._forget()
        session = self.screen.session
        had_focus = session.find.has_focus_within
        session.find.close()
        if had_focus:
            session.focus_view()
        self.screen.draw_footer()

    def session_shown(self) -> None:
        """Take in that the session is another one, or has changed: search it again."""
        gone = self.screen.session.path != self._path or not self.screen.finds_inside
        if gone and (self._typed or self.screen.finds_inside):
            self.leave()
        elif gone:
            return
        elif self._searching:
            self._again = True
        elif self._typed:
            self._start(self._typed, self._spot, rests=False)

    # The search

    @property
    def _spot(self) -> Spot | None:
        return self.finding.spot(self.number) if self.number is not None else None

    def _forget(self) -> None:
        self.finding, self.number, self._found = NOTHING, None, FoundInside()
        self.screen.session.show_finding(NOTHING, None)

    def _start(self, typed: str, keep: Spot | None, *, rests: bool) -> None:
        # The worker calls it: a search that the next key breaks off before it began is never made.
        search = partial(self._search, typed, keep, rests=rests)
        _worker: Worker[None] = self.screen.run_worker(search, group="find", exclusive=True)

    async def _search(self, typed: str, keep: Spot | None, *, rests: bool) -> None:
        """Search, and once more where the session changed meanwhile."""
        if rests:
            await asyncio.sleep(REST_SECONDS)
        query = find_query(typed)
        if query.problem is not None:
            self._forget()
            self.screen.session.find.say((), one_line(query.problem.sentence))
            return
        if not query.terms:
            self._forget()
            self.screen.session.find.say(())
            return
        moves, took = keep is None, 0.0
        self._searching, self._again = True, True
        try:
            while self._again:
                # A session that is written all the time is not searched all the time.
                await asyncio.sleep(took)
                self._again, begun = False, time.monotonic()
                await self._search_once(query, keep, moves=moves)
                keep, moves, took = self._spot, False, time.monotonic() - begun
        finally:
            self._searching = False

    async def _search_once(self, query: Query, keep: Spot | None, *, moves: bool) -> None:
        pane, service = self.screen.session, self.screen.search_service
        path, outline, transcript = pane.path, pane.tree_view.outline, pane.whole_transcript
        left = threading.Event()
        if path is None:
            return

        def hunt() -> tuple[FoundInside, Finding]:
            try:
                found = find_inside(service, query, path, stop=left.is_set)
            except StoreError as error:
                found = FoundInside(trouble=one_line(str(error)))
            return found, placed(found.texts, outline, transcript)

        hunting = asyncio.ensure_future(asyncio.to_thread(hunt))
        try:
            done, _waiting = await asyncio.wait({hunting}, timeout=_TOLD_AFTER_SECONDS)
            if not done:
                pane.find.say((Piece(" searching ", Role.MUTED),))
            found, finding = await asyncio.shield(hunting)
        finally:
            left.set()
        if path != pane.path:
            return
        self._found, self.finding = found, finding
        if moves or keep is None:
            self.number = finding.first_from(self._origin) if finding.total else None
        else:
            self.number = finding.number_of(keep)
            if self.number is None and finding.total:
                self.number = finding.first_from(self._here())
        pane.show_finding(finding, self._spot)
        if moves and self.number is not None:
            self._show()
        else:
            self._say()

    # Going there

    def _here(self) -> int:
        """Return the place of the tree's row that is selected, or of the selected block's."""
        pane = self.screen.session
        key = pane.tree_view.selected
        if pane.active is Tab.TRANSCRIPT:
            block = pane.transcript.view.selected
            entry_id = block.entry_id if block is not None else None
            key = pane.tree_view.outline.by_entry.get(entry_id) if entry_id is not None else None
        return pane.tree_view.outline.places.get(key, -1) if key is not None else -1

    def _beside(self, step: int) -> int:
        """Return the number of the next hit in a direction from where one is; it may be beyond."""
        pane, spot = self.screen.session, self._spot
        if spot is None or self.number is None:
            return self.finding.first_from(self._here())
        at: str | None = None
        stands, key = spot.text.row, pane.tree_view.selected
        if pane.active is Tab.TRANSCRIPT:
            block = pane.transcript.view.selected
            stands, key = spot.text.block, block.key if block is not None else at
        if stands is None or key == stands or pane.active not in (Tab.TREE, Tab.TRANSCRIPT):
            return self.number + step
        # One has gone elsewhere since: from there.
        first = self.finding.first_from(self._here())
        if step > 0:
            return first
        return (first or self.finding.total) - 1

    def _show(self, note: str = "") -> None:
        """Go to the hit that one stands on, and say which it is."""
        spot, pane = self._spot, self.screen.session
        if spot is None:
            return
        read = pane.active is Tab.TRANSCRIPT or (self._away and pane.active is Tab.TREE)
        self._away = False
        if read and pane.show_spot_in_transcript(spot):
            if pane.active is not Tab.TRANSCRIPT:
                pane.active = Tab.TRANSCRIPT
                # It gets its size, to which it scrolls, when it is drawn.
                pane.call_after_refresh(pane.show_spot_in_transcript, spot)
        elif read and spot.text.row is None:
            note = note or self._elsewhere(spot)
        else:
            pane.active, self._away = Tab.TREE, read
            hidden = pane.show_spot_in_tree(spot)
            if read:
                note = note or "not on this branch"
            else:
                pane.show_spot_in_transcript(spot)
            if spot.text.row is None:
                note = note or self._elsewhere(spot)
            elif hidden:
                note = note or "the filter hid it"
        self._say(note)

    def _elsewhere(self, spot: Spot) -> str:
        """Say where a hit is that neither tree nor transcript has."""
        if spot.text.kind in (Kind.ID, Kind.PATH) and spot.text.entry_id is None:
            return "in the header"
        if self.screen.session.ending is not None:
            return "still being read"
        return f"line {spot.text.line:,}"

    def _say(self, note: str = "") -> None:
        found, total = self._found, self.finding.total
        field = self.screen.session.find
        if not total:
            sentence = found.trouble and _sentence(found.trouble)
            field.say((Piece(" nothing found ", Role.WARNING),) if not sentence else (), sentence)
            return
        pieces = [Piece(f" {(self.number or 0) + 1:,} of {total:,}", Role.TEXT)]
        separator = f" {self.screen.services.glyphs.separator} "
        if found.more:
            pieces.append(Piece(f" and in {found.more:,} more texts", Role.MUTED))
        if note:
            pieces.append(Piece(f"{separator}{note}", Role.MUTED))
        trouble = found.trouble and f"These may not be all: {found.trouble}."
        field.say((*pieces, Piece(" ")), trouble)


def _sentence(words: str) -> str:
    """Return a few words as a sentence."""
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."
