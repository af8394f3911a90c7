"""The keeping half of the main screen: names, labels, marks and the trash."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from textual import on

from ink_tui.keymap import Context
from ink_tui.tui.messages import BranchChosen, TreeChosen
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.reading import ReadingScreen

if TYPE_CHECKING:
    from ink_tui.tui.screens.cleaning import Cleaning
    from ink_tui.tui.screens.naming import Naming
    from ink_tui.tui.screens.trashing import Trashing

_OF_THE_LIST = frozenset({"pin", "star", "archive", "note", "trash", "clean_up"})
"""Actions that are about the selected row, and so act only where it is seen."""
_OF_RECORDS = frozenset(
    {
        *("star_record", "note_record", "next_turn", "previous_turn", "next_branch"),
        *("previous_branch", "next_compaction", "previous_compaction"),
    }
)
"""Actions that are about the selected record, or go from it to another."""


class KeepingScreen(ReadingScreen):
    """Names and marks sessions, and puts them away after it has asked.

    Each flow of dialogs is loaded and made when it is first used: no list waits for it.
    """

    @cached_property
    def naming(self) -> Naming:
        """Names sessions and labels records."""
        from ink_tui.tui.screens.naming import Naming

        return Naming(self.services, self)

    @cached_property
    def trashing(self) -> Trashing:
        """Moves a session to the trash."""
        from ink_tui.tui.screens.trashing import Trashing

        return Trashing(self.services, self, self._leave)

    @cached_property
    def cleaning(self) -> Cleaning:
        """Moves many sessions to the trash."""
        from ink_tui.tui.screens.cleaning import Cleaning

        return Cleaning(self.services, self, self._leave)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the list's own actions to the list, and those of records to a session."""
        if action in _OF_RECORDS:
            return self.place is Place.SESSION
        return action not in _OF_THE_LIST or self.key_context is Context.LIST

    def subject(self) -> str | None:
        """Return the session that an action is about: the one shown, or the selected row's.

        `None` where there is none, and where it is still being read, which is said.
        """
        path = self._at_hand()
        return path if path is not None and self._is_whole(path) else None

    def _is_whole(self, path: str) -> bool:
        """Whether a session is not just being read: nothing is done by its end alone."""
        pane = self.session if self.has_session_pane else None
        reads = pane is not None and pane.ending is not None and pane.path == path
        if reads:
            self.tell("This session is still being read. The key acts when it is whole.")
        return not reads

    def _at_hand(self) -> str | None:
        if self.place is Place.LIST:
            return self.list.selected_path
        if self.place is Place.AGENT and self.area.current is not None:
            return self.area.current.spec.session_path
        return self.session.path

    # Names

    def action_rename(self) -> None:
        """Name the session, as Ink's own name."""
        path = self.subject()
        if path is not None:
            self.naming.ask_name(path)

    def action_label(self) -> None:
        """Label the selected record, or take its label off."""
        path = self.session.path
        if self.place is Place.SESSION and path is not None and self._is_whole(path):
            self.naming.ask_label(path, self.session.entry_id)

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
        path = self.session.path
        if path is None or self._is_whole(path):
            self.marking.hide(self.session.session_id, message.choice)

    @on(TreeChosen)
    def _tree_chosen(self, message: TreeChosen) -> None:
        message.stop()
        self.arranging.tree_chosen(message.choice)

    # Trash

    def action_trash(self) -> None:
        """Move the session to the trash; asks first."""
        row = self.list.selected_row
        if row is not None:
            self.trashing.ask(row)

    def action_clean_up(self) -> None:
        """Move empty, old or orphaned sessions to the trash; lists them first."""
        self.cleaning.ask()

    async def _leave(self, gone: list[str]) -> None:
        """Go to another session: nobody looks at the last state of what was put away."""
        if self.viewing.path in gone:
            self.viewing.leave()
        await self.feed.look_at(*gone)
        path = self.list.selected_path
        if path is not None and path != self.viewing.path:
            self.open_session(path)
