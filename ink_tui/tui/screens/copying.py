"""Copying from the session that is looked at, after it was asked what (`ui.md` 5.1).

The text that is copied is that of the record, whole, cleaned as everything foreign is; never what
was wrapped or cut to be drawn.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ink_tui.model.copies import Copyable, copies_of
from ink_tui.model.health_report import health_report
from ink_tui.model.mentions import mentions_of
from ink_tui.model.text import one_line
from ink_tui.model.whole_blocks import is_light
from ink_tui.store.mentioned import find_mentioned
from ink_tui.tui.render.cells import cut
from ink_tui.tui.render.copy_rows import RESUME_COMMAND, STAY, copy_choices
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.screens.question import QuestionScreen
from ink_tui.tui.screens.record_at_hand import selected_in, whole_at_hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events

    from ink_tui.model.transcript import Block
    from ink_tui.tui.render.dialog_rows import Choice
    from ink_tui.tui.screens.looking import LookingScreen
    from ink_tui.tui.screens.record_at_hand import RecordAtHand

MOST_CHARS = 1_000_000
"""Characters that are given to a clipboard; terminals do not take more."""
MOST_FILES = 20
"""Mentioned files that are looked for, to be copied."""
_NOTE_CELLS = 60


class CopyScreen(QuestionScreen):
    """Asks what to copy; the key that opened it copies what is selected."""

    def on_key(self, event: events.Key) -> None:
        """Copy what is selected; other keys are the question's own."""
        if event.key in self.keymap.action("copy").keys:
            event.stop()
            self.choose(self.selected)


class Copying:
    """Asks what of the selected record is to be copied, then copies it."""

    def __init__(self, screen: LookingScreen) -> None:
        """Make it.

        Args:
            screen: The main screen: it shows the question and the note.
        """
        self.screen = screen
        self.services = screen.services

    def ask(self) -> None:
        """Ask what to copy of what is selected in the session, then copy it."""
        self.screen.run_worker(self._ask(), group="copying", exclusive=True)

    async def _ask(self) -> None:
        pane = self.screen.session
        found: tuple[Copyable, ...] = ()
        only_start = False
        views = pane.views
        if pane.active is Tab.HEALTH and views is not None:
            report = health_report(views.health, views.opened.path)
            found = (Copyable("report", "report", report),)
        else:
            at = selected_in(pane)
            if at is not None:
                block, found = await asyncio.to_thread(self._copies, at)
                only_start = block is not None and is_light(block)
        path = pane.path
        if path is None:
            return
        chosen = await self._chosen(found, whole=pane.ending is None, only_start=only_start)
        if chosen == RESUME_COMMAND:
            self.screen.copy_command(path)
            return
        wanted = next((each for each in found if each.id == chosen), None)
        if wanted is not None and wanted.parts:
            wanted = await self._part_of(wanted)
        if wanted is not None:
            self._put(wanted)

    def _copies(self, at: RecordAtHand) -> tuple[Block | None, tuple[Copyable, ...]]:
        """Return a record's block and what of it can be copied; blocks."""
        block = whole_at_hand(at, self.services.library.far)
        if block is None:
            return None, ()
        mentioned = find_mentioned(
            mentions_of(block.body), at.cwd, self.services.home, most=MOST_FILES
        )
        return block, copies_of(block, [file.shown for file in mentioned.files])

    async def _chosen(self, found: Sequence[Copyable], *, whole: bool, only_start: bool) -> str:
        sentences = ["Only the start of this record can be had."] if only_start else []
        return await self._answer("Copy what?", sentences, copy_choices(found, whole=whole))

    async def _part_of(self, wanted: Copyable) -> Copyable | None:
        choices = copy_choices(wanted.parts, all_of=wanted)
        chosen = await self._answer("Copy which?", (), choices)
        return next((each for each in (*wanted.parts, wanted) if each.id == chosen), None)

    async def _answer(self, title: str, sentences: Sequence[str], choices: Sequence[Choice]) -> str:
        question = CopyScreen(
            title,
            sentences,
            choices,
            default=choices[0].id if choices[0].enabled else STAY,
            cancelled=STAY,
            glyphs=self.services.glyphs,
            keymap=self.screen.keymap,
        )
        return await self.screen.app.push_screen_wait(question)

    def _put(self, wanted: Copyable) -> None:
        """Copy a text and say how much it was."""
        size = len(wanted.text)
        if size > MOST_CHARS:
            self.screen.tell(
                f"These are {size:,} characters; a terminal takes {MOST_CHARS:,}. "
                "The key x exports the session to a file.",
                error=True,
            )
            return
        self.screen.app.copy_to_clipboard(wanted.text)
        if wanted.lines > 1:
            self.screen.tell(f"Copied {wanted.lines:,} lines")
        else:
            mark = self.services.glyphs.ellipsis
            self.screen.tell(f"Copied {cut(one_line(wanted.text), _NOTE_CELLS, mark)}")
