"""The keeping half of the main screen: names, labels, marks and the trash."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on, work

from ink_tui.errors import InkTuiError
from ink_tui.keymap import Context
from ink_tui.model.row_words import title_words
from ink_tui.store.holders import find_holder
from ink_tui.store.trash import move_to_trash, plan_trash
from ink_tui.tui.messages import BranchChosen
from ink_tui.tui.render import figures
from ink_tui.tui.render.layout import Place
from ink_tui.tui.render.question_rows import STAY, TRASH, trash_question
from ink_tui.tui.screens.cleaning import Cleaning
from ink_tui.tui.screens.naming import Naming
from ink_tui.tui.screens.question import QuestionScreen
from ink_tui.tui.screens.reading import ReadingScreen

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.liveness import Holder
    from ink_tui.store.trash import TrashPlan
    from ink_tui.tui.services import Services

_OF_THE_LIST = frozenset({"pin", "star", "archive", "note", "trash", "clean_up"})
"""Actions that are about the selected row, and so act only where it is seen."""
_OF_RECORDS = frozenset({"star_record", "note_record"})
"""Actions that are about the selected record."""


class KeepingScreen(ReadingScreen):
    """Names and marks sessions, and puts them away after it has asked."""

    def __init__(self, services: Services) -> None:
        """Make the screen.

        Args:
            services: The outside world.
        """
        super().__init__(services)
        self.naming = Naming(services, self)
        self.cleaning = Cleaning(services, self, self._leave)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the list's own actions to the list, and those of records to a session."""
        if action in _OF_RECORDS:
            return self.place is Place.SESSION
        return action not in _OF_THE_LIST or self.key_context is Context.LIST

    def subject(self) -> str | None:
        """Return the session that an action is about: the one shown, or the selected row's."""
        if self.place is Place.LIST:
            return self.list.selected_path
        if self.place is Place.AGENT and self.area.current is not None:
            return self.area.current.spec.session_path
        return self.session.path

    def _holder(self, row: SessionRow) -> Holder:
        """Return who holds a session now; blocks."""
        services = self.services
        return find_holder(
            Path(row.path),
            session_id=row.session_id or "",
            cwd=row.cwd,
            state_dir=services.state_dir,
            now_ms=services.clock(),
            match={name for agent in services.agents for name in agent.match},
            own_pane=self.agents.own_pane(row.path).holder,
        )

    # Names

    def action_rename(self) -> None:
        """Name the session, as Ink's own name."""
        path = self.subject()
        if path is not None:
            self.naming.ask_name(path)

    def action_label(self) -> None:
        """Label the selected record, or take its label off."""
        if self.place is Place.SESSION and self.session.path is not None:
            self.naming.ask_label(self.session.path, self.session.entry_id)

    # Marks

    def action_pin(self) -> None:
        """Keep the session first in its folder, or not."""
        row = self.list.selected_row
        if row is not None:
            self.marking.pin(row)

    def action_star(self) -> None:
        """Star the session, or take its star off."""
        row = self.list.selected_row
        if row is not None:
            self.marking.star(row)

    def action_archive(self) -> None:
        """Put the session in the archive, or bring it back."""
        item = self.list.selected_item
        if item is not None:
            self.marking.archive(item)

    def action_note(self) -> None:
        """Write a note on the session."""
        row = self.list.selected_row
        if row is not None:
            self.marking.note(row)

    def action_star_record(self) -> None:
        """Star the selected record, or take its star off."""
        self.marking.star_record(self.session.session_id, self.session.entry_id)

    def action_note_record(self) -> None:
        """Write a note on the selected record."""
        self.marking.note_record(self.session.session_id, self.session.entry_id)

    @on(BranchChosen)
    def _branch_chosen(self, message: BranchChosen) -> None:
        message.stop()
        self.marking.hide(self.session.session_id, message.choice)

    # Trash

    def action_trash(self) -> None:
        """Move the session to the trash; asks first."""
        row = self.list.selected_row
        if row is not None:
            self._trash(row)

    def action_clean_up(self) -> None:
        """Move empty, old or orphaned sessions to the trash; lists them first."""
        self.cleaning.ask()

    @work(group="keep", exclusive=True)
    async def _trash(self, row: SessionRow) -> None:
        services = self.services
        rows = self.feed.listing.rows if self.feed.listing is not None else ()
        try:
            plan = await asyncio.to_thread(
                plan_trash, row.path, now_ms=services.clock(), holder_of=self._holder, rows=rows
            )
            if not await self._may_trash(row, plan):
                return
            sentence = await asyncio.to_thread(
                move_to_trash,
                plan,
                state_dir=services.state_dir,
                now_ms=services.clock(),
                holder_of=self._holder,
                trash=services.trash,
            )
        except InkTuiError as error:
            self.tell(str(error), error=True)
            # What went before an error is no longer to be listed.
            await self.feed.read()
            return
        gone = [each.row.path for each in plan.files]
        await self._leave(gone)
        self.tell(sentence)

    async def _may_trash(self, row: SessionRow, plan: TrashPlan) -> bool:
        title, sentences, choices = trash_question(
            title_words(row), plan.what, figures.size(plan.size), plan.doubt
        )
        question = QuestionScreen(
            title,
            sentences,
            choices,
            default=STAY,
            cancelled=STAY,
            glyphs=self.services.glyphs,
            keymap=self.keymap,
        )
        return await self.app.push_screen_wait(question) == TRASH

    async def _leave(self, gone: list[str]) -> None:
        """Go to another session: nobody looks at the last state of what was put away."""
        if self.viewing.path in gone:
            self.viewing.path = None
            self.session.clear()
        await self.feed.look_at(*gone)
        path = self.list.selected_path
        if path is not None and path != self.viewing.path:
            self.open_session(path)
