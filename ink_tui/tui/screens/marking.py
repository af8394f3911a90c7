"""Pins, stars, notes, archive and hidden branches: what a key changes in our file of marks."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.errors import InkTuiError
from ink_tui.keymap import display_key
from ink_tui.model.marks import (
    ARCHIVED,
    LONGEST_NOTE,
    NO_MARKS,
    PINNED,
    STARRED,
    RecordMarks,
    SessionMarks,
)
from ink_tui.model.row_words import is_live
from ink_tui.model.text import one_line
from ink_tui.store.marks import change_marks, read_marks

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from ink_tui.model.entries import EntryId
    from ink_tui.model.groups import ListItem
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.outline_marks import BranchChoice
    from ink_tui.store.marks import KeptMarks
    from ink_tui.tui.screens.panes import PanesScreen
    from ink_tui.tui.services import Services

_HINT = "Kept in a folder of our own, never in the session. Empty takes the note off."
_NO_ID = "A session whose id cannot be read cannot be {}."
_NO_RECORD = "Select a record of the tree or the transcript to {} it."


class Marking:
    """Holds what is marked; changes one thing at a time, in a thread."""

    def __init__(
        self, services: Services, screen: PanesScreen, changed: Callable[[], None]
    ) -> None:
        """Make it; nothing is read yet.

        Args:
            services: The outside world.
            screen: The main screen: it shows marks, dialogs and notes.
            changed: Called when other marks are shown.
        """
        self.services = services
        self.screen = screen
        self.marks = NO_MARKS
        self._changed = changed
        # Two presses are two changes, one after the other.
        self._turn = asyncio.Lock()

    async def read(self) -> None:
        """Read the marks; what cannot be read of them is said and stops nothing."""
        async with self._turn:
            kept = await asyncio.to_thread(read_marks, self.services.state_dir)
            self.marks = kept.marks
        self._show()
        self._tell_of(kept)

    def begin(self, kept: KeptMarks) -> None:
        """Take the marks that were read before there was a screen."""
        if kept.marks != self.marks:
            self.marks = kept.marks
            self._show()
        self._tell_of(kept)

    def _tell_of(self, kept: KeptMarks) -> None:
        if kept.notice:
            self.screen.tell(kept.notice, error=True)

    def _show(self) -> None:
        if self.screen.is_attached:
            if self.screen.has_session_pane:
                self.screen.session.set_marks(self.marks)
            self.screen.list.set_marks(self.marks)
            self._changed()

    # Sessions

    def pin(self, row: SessionRow) -> None:
        """Keep a session first in its folder, or not."""
        said = ("Pinned: it stands first in its folder", "No longer pinned")
        self._toggle(row, PINNED, said)

    def star(self, row: SessionRow) -> None:
        """Star a session, or take its star off; the row says so itself."""
        self._toggle(row, STARRED, ("", ""))

    def archive(self, item: ListItem) -> None:
        """Put a session in the archive, or bring it back."""
        row = item.row
        if row is None:
            return
        if item.rests and not item.marks.archived:
            self.screen.tell("It is archived with the session that it stands under.", error=True)
            return
        activity = self.screen.list.asked.activities.get(row.path)
        done = "Archived; it is shown as long as an agent works in it"
        if not is_live(row, activity):
            show, back = self._key("show-hidden"), self._key("archive")
            done = f"Archived: {show} shows it, {back} brings it back"
        self._toggle(row, ARCHIVED, (done, "Back from the archive"))

    def _key(self, action_id: str) -> str:
        keys = self.screen.keymap.action(action_id).keys
        ascii_only = self.services.glyphs.ascii
        return display_key(keys[0], ascii_only=ascii_only) if keys else "a command"

    def _toggle(self, row: SessionRow, word: str, said: tuple[str, str]) -> None:
        """Mark a session or not, and say which.

        Args:
            row: The session.
            word: The mark.
            said: What is said of either; empty says nothing.
        """
        if row.session_id is None:
            self.screen.tell(_NO_ID.format(word), error=True)
            return
        self._start(self._set_word(row.session_id, word, said))

    async def _set_word(self, session_id: str, word: str, said: tuple[str, str]) -> None:
        async with self._turn:
            is_set = word not in self.marks.of(session_id).words
            done = await self._change(session_id, lambda own: own.with_word(word, is_set=is_set))
        sentence = said[0] if is_set else said[1]
        if done and sentence:
            self.screen.tell(sentence)

    def note(self, row: SessionRow) -> None:
        """Ask for the note on a session, then keep it."""
        if row.session_id is None:
            self.screen.tell(_NO_ID.format("noted"), error=True)
            return
        self._ask(self._note(row.session_id))

    async def _note(self, session_id: str) -> None:
        now = self.marks.of(session_id).note
        note = await self._typed("Note on the session", now)
        if note is not None:
            async with self._turn:
                await self._change(session_id, lambda own: replace(own, note=note))

    # Records

    def star_record(self, session_id: str | None, entry_id: EntryId | None) -> None:
        """Star a record, or take its star off."""
        if self._may_mark(session_id, entry_id, STARRED, "star"):
            assert session_id is not None
            assert entry_id is not None
            self._start(self._star_record(session_id, entry_id))

    async def _star_record(self, session_id: str, entry_id: EntryId) -> None:
        async with self._turn:
            starred = not self.marks.of(session_id).record(entry_id).starred

            def change(own: SessionMarks) -> SessionMarks:
                return own.with_record(entry_id, replace(own.record(entry_id), starred=starred))

            await self._change(session_id, change)

    def note_record(self, session_id: str | None, entry_id: EntryId | None) -> None:
        """Ask for the note on a record, then keep it."""
        if self._may_mark(session_id, entry_id, "noted", "note"):
            assert session_id is not None
            assert entry_id is not None
            self._ask(self._note_record(session_id, entry_id))

    async def _note_record(self, session_id: str, entry_id: EntryId) -> None:
        now = self.marks.of(session_id).record(entry_id).note
        note = await self._typed("Note on the record", now)
        if note is None:
            return

        def change(own: SessionMarks) -> SessionMarks:
            return own.with_record(entry_id, RecordMarks(own.record(entry_id).starred, note))

        async with self._turn:
            await self._change(session_id, change)

    def _may_mark(
        self, session_id: str | None, entry_id: EntryId | None, word: str, verb: str
    ) -> bool:
        if entry_id is None:
            self.screen.tell(_NO_RECORD.format(verb))
        elif session_id is None:
            self.screen.tell(_NO_ID.format(word), error=True)
        return entry_id is not None and session_id is not None

    def hide(self, session_id: str | None, choice: BranchChoice) -> None:
        """Hide branches of a session, or show them again."""
        if choice.refusal:
            self.screen.tell(choice.refusal)
        elif session_id is None:
            self.screen.tell(_NO_ID.format("marked"), error=True)
        else:
            self._start(self._hide(session_id, choice))

    async def _hide(self, session_id: str, choice: BranchChoice) -> None:
        def change(own: SessionMarks) -> SessionMarks:
            for head in choice.heads:
                own = own.with_branch(head, hidden=not choice.hidden)
            return own

        async with self._turn:
            await self._change(session_id, change)

    # How

    def _start(self, work: Coroutine[None, None, None]) -> None:
        self.screen.run_worker(work, group="marks")

    def _ask(self, work: Coroutine[None, None, None]) -> None:
        """Do what waits for a person, one at a time."""
        self.screen.run_worker(work, group="note", exclusive=True)

    async def _change(
        self, session_id: str, change: Callable[[SessionMarks], SessionMarks]
    ) -> bool:
        """Change the marks of a session; return whether that was done, else say why not."""
        state_dir = self.services.state_dir
        try:
            self.marks = await asyncio.to_thread(change_marks, state_dir, session_id, change)
        except InkTuiError as error:
            self.screen.tell(str(error), error=True)
            return False
        self._show()
        return True

    async def _typed(self, title: str, now: str) -> str | None:
        """Return the note that was typed; `None` when it is the one there was."""
        from ink_tui.tui.screens.field import FieldScreen  # no list waits for it

        shown = one_line(now)
        dialog = FieldScreen(title, shown, _HINT, glyphs=self.services.glyphs, longest=LONGEST_NOTE)
        typed = await self.screen.app.push_screen_wait(dialog)
        if typed is None or typed == shown:
            return None
        return typed if typed.strip() else ""
