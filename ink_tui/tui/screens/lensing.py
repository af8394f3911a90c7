"""The context from other records than the resume point, its messages, and its compactions."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ink_tui.model.compaction_sides import nearest_compaction
from ink_tui.model.lens import Lens, Walk, lens_at, step_from
from ink_tui.tui.messages import ActionChosen
from ink_tui.tui.render.context_rows import SIDES_KEY
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.screens.compaction import CompactionScreen, RecordChosen
from ink_tui.tui.screens.message import Messages, MessageScreen

if TYPE_CHECKING:
    from ink_tui.model.entries import EntryId
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.tui.screens.panes import PanesScreen

_FIRST = "This is the first record."
_LAST = "This is the last record of its branch."
_HERE = "This is the resume point, where the next turn goes."


class Lensing:
    """Walks from record to record; an answer that came too late is dropped."""

    def __init__(self, screen: PanesScreen) -> None:
        """Make it.

        Args:
            screen: The main screen, whose session pane shows the context.
        """
        self.screen = screen
        self._at: EntryId | None = None
        """The record that was asked for last; `None` for the resume point."""
        self._steps: tuple[tuple[Walk, int], ...] = ()
        """Steps from it that were asked for since and are not shown yet."""
        self._path: str | None = None
        """File of the session that they are about."""

    @property
    def selected(self) -> EntryId | None:
        """The record that is selected in the tab that is shown."""
        session = self.screen.session
        if session.active is Tab.CONTEXT:
            return session.context_view.entry_of(session.context_view.selected or "")
        if session.active is Tab.HEALTH:
            fault = session.health.fault_of(session.health.selected or "")
            return fault.entry_id if fault is not None else None
        return session.entry_id

    def from_here(self) -> None:
        """Show what a resume from the selected record would send."""
        views, entry_id = self.screen.session.views, self.selected
        if views is None:
            return
        if entry_id is None or entry_id not in views.opened.diagnosis.session.nodes:
            self.screen.tell("No record of the conversation is selected.")
            return
        self._at, self._steps = entry_id, ()
        self.screen.session.active = Tab.CONTEXT
        self._go()

    def walk(self, walk: Walk, step: int) -> None:
        """Show what a resume from the next or the previous record of a kind would send."""
        if self.screen.session.views is not None:
            self._steps = (*self._steps, (walk, step))
            self._go()

    def leave(self) -> None:
        """Show what a resume from the resume point would send again."""
        self.screen.workers.cancel_group(self.screen, "lens")
        self._at, self._steps = None, ()
        self.screen.session.context_view.set_lens(None)
        self.screen.draw_footer()

    def session_shown(self) -> None:
        """Take in that a session, or another state of it, is shown."""
        if self.screen.session.path != self._path:
            self._at, self._steps = None, ()
        elif self.screen.session.views is not None and (self._at is not None or self._steps):
            self._go()

    # Messages and compactions

    def open_row(self, key: str) -> None:
        """Show what a row of the context stands for.

        Args:
            key: Key of a message or a call, of what was left out, or of the way to both sides.
        """
        session = self.screen.session
        view, views = session.context_view, session.views
        row = view.row_of(key)
        if key == SIDES_KEY:
            self.open_sides()
        elif row is None:
            entry_id = view.entry_of(key)
            if entry_id is not None:
                self._show_record(entry_id)
        elif views is not None:
            diagnosis, lens = views.opened.diagnosis, view.lens
            context = lens.sent.context if lens is not None else diagnosis.context
            items = context.messages if context is not None else ()
            messages = Messages(views.opened.path, diagnosis.session, items)
            screen = MessageScreen(self.screen.services, messages, row.number - 1)
            self.screen.app.push_screen(screen, self._show_record)

    def open_sides(self, entry_id: EntryId | None = None) -> None:
        """Show a compaction beside what it replaced.

        Args:
            entry_id: The compaction; `None` for the one that is nearest to the selected record.
        """
        views = self.screen.session.views
        if views is None:
            return
        diagnosis = views.opened.diagnosis
        wanted = entry_id
        if wanted is None:
            wanted = nearest_compaction(diagnosis.session, diagnosis.branch, self.selected)
        if wanted is None:
            self.screen.tell("This session was never compacted.")
            return
        screen = CompactionScreen(self.screen.services, views.opened.path, diagnosis, wanted)
        self.screen.app.push_screen(screen, self._sides_left)

    def _sides_left(self, wanted: RecordChosen | str | None) -> None:
        if isinstance(wanted, RecordChosen):
            self._show_record(wanted.entry_id)
        elif wanted is not None:
            self.screen.post_message(ActionChosen(wanted))

    def _show_record(self, entry_id: EntryId | None) -> None:
        if entry_id is not None:
            self.screen.session.show_record(entry_id)
            self.screen.session.focus_view()

    def _go(self) -> None:
        self._path = self.screen.session.path
        self.screen.run_worker(self._show(), group="lens", exclusive=True)

    async def _show(self) -> None:
        session, steps = self.screen.session, self._steps
        views = session.views
        if views is None:
            return
        diagnosis, last = views.opened.diagnosis, session.context_view.lens
        at, lens, stopped = await asyncio.to_thread(_walked, diagnosis, self._at, steps, last)
        if session.views is not views:
            return  # the session itself asks again for what is still wanted
        self._at, self._steps = at, ()
        session.context_view.set_lens(lens)
        self.screen.draw_footer()
        if stopped:
            self.screen.tell(_FIRST if stopped < 0 else _LAST if lens is not None else _HERE)


def _walked(
    diagnosis: Diagnosis,
    at: EntryId | None,
    steps: tuple[tuple[Walk, int], ...],
    last: Lens | None,
) -> tuple[EntryId | None, Lens | None, int]:
    """Return where steps lead to, the context from there, and in which direction the way ended.

    Blocks; call it from a thread. The resume point is `None` and has no lens.

    Args:
        diagnosis: The session.
        at: Where the steps begin.
        steps: Kind and direction of each.
        last: The lens that is shown.
    """
    stopped = 0
    for walk, step in steps:
        after = step_from(diagnosis.session, diagnosis.branch, at, walk, step)
        stopped = step if after is None else 0
        at = after if after is not None else at
    if at is None or at == diagnosis.leaf:
        return None, None, stopped
    lens = lens_at(diagnosis.session, diagnosis.branch, at, last)
    return (at if lens is not None else None), lens, stopped
