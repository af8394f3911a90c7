"""The looking half of the main screen: contexts, messages, compactions, and what is copied."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.finding import FindingScreen

if TYPE_CHECKING:
    from ink_tui.tui.screens.copying import Copying
    from ink_tui.tui.screens.editing import Editing
    from ink_tui.tui.screens.lensing import Lensing
    from ink_tui.tui.widgets.context_view import ContextView
    from ink_tui.tui.widgets.session_pane import SessionPane

_OF_A_SESSION = frozenset({"context_from_here", "compaction_sides", "open_in_editor"})
"""Actions that are about the record selected in a session."""


class LookingScreen(FindingScreen):
    """Shows contexts and compactions of the session; copies what is selected in it."""

    @cached_property
    def lensing(self) -> Lensing:
        """Walks from record to record; loaded and made when it is first used."""
        from ink_tui.tui.screens.lensing import Lensing

        return Lensing(self)

    @cached_property
    def copying(self) -> Copying:
        """Copies texts of records; loaded and made when it is first used."""
        from ink_tui.tui.screens.copying import Copying

        return Copying(self)

    @cached_property
    def editing(self) -> Editing:
        """Opens files in the user's editor; loaded and made when it is first used."""
        from ink_tui.tui.screens.editing import Editing

        return Editing(self)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave what is about a record to a session that has the focus."""
        if action in _OF_A_SESSION:
            return self.place is Place.SESSION
        return super().check_action(action, parameters)

    def _session_shown(self) -> None:
        super()._session_shown()
        if "lensing" in self.__dict__:
            self.lensing.session_shown()

    def _whole_at_hand(self) -> bool:
        """Whether the session that is shown is read whole; where it is not, that is said."""
        path = self.session.path
        return path is not None and self._is_whole(path)

    def copy_command(self, path: str) -> None:
        """Copy the command that resumes a session; for the screen that knows how to resume."""
        raise NotImplementedError

    def action_third_column(self) -> None:
        """Show transcript, context, health or nothing beside the tree, in turn."""
        if not self.has_session_pane:
            return
        if self.session.active is not Tab.TREE or not self.session.turn_beside():
            self.tell("The third column stands beside the tree, in a window of 160 columns.")

    def action_open_in_editor(self) -> None:
        """Open a file that the selected record mentions in the user's editor."""
        self.editing.ask()

    def action_context_from_here(self) -> None:
        """Show what a resume from the selected record would send."""
        if self._whole_at_hand():
            self.lensing.from_here()

    def action_tab_context(self) -> None:
        """Show what a resume would send to the model: from the resume point."""
        if "lensing" in self.__dict__:
            self.lensing.leave()
        super().action_tab_context()

    def action_compaction_sides(self) -> None:
        """Show a compaction beside what it replaced."""
        if self._whole_at_hand():
            self.lensing.open_sides()

    def on_session_pane_compaction_wanted(self, message: SessionPane.CompactionWanted) -> None:
        """Show a compaction of the tree beside what it replaced."""
        message.stop()
        if self._whole_at_hand():
            self.lensing.open_sides(message.entry_id)

    def on_session_pane_context_row_opened(self, message: SessionPane.ContextRowOpened) -> None:
        """Show what a row of the context stands for."""
        message.stop()
        self.lensing.open_row(message.key)

    def on_context_view_walk_wanted(self, message: ContextView.WalkWanted) -> None:
        """Show what a resume from the next record on the way would send."""
        message.stop()
        if self._whole_at_hand():
            self.lensing.walk(message.walk, message.step)

    def on_context_view_lens_left(self, message: ContextView.LensLeft) -> None:
        """Show what a resume from the resume point would send again."""
        message.stop()
        self.lensing.leave()
