"""Moving a session to the trash, after it was asked for."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.errors import InkTuiError
from ink_tui.model.row_words import title_words
from ink_tui.store.holders import find_holder
from ink_tui.store.trash import move_to_trash, plan_trash
from ink_tui.tui.render import figures
from ink_tui.tui.render.question_rows import STAY, TRASH, trash_question
from ink_tui.tui.screens.question import QuestionScreen

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.liveness import Holder
    from ink_tui.store.trash import TrashPlan
    from ink_tui.tui.screens.reading import ReadingScreen
    from ink_tui.tui.services import Services


class Trashing:
    """Looks what belongs to a session, asks, then moves it; works on files in threads."""

    def __init__(
        self,
        services: Services,
        screen: ReadingScreen,
        left: Callable[[list[str]], Awaitable[None]],
    ) -> None:
        """Make it.

        Args:
            services: The outside world.
            screen: The main screen: it shows the question and the note.
            left: Takes the files that have gone.
        """
        self.services = services
        self.screen = screen
        self._left = left

    def ask(self, row: SessionRow) -> None:
        """Ask whether a session shall go, then move it."""
        self.screen.run_worker(self._ask(row), group="keep", exclusive=True)

    async def _ask(self, row: SessionRow) -> None:
        services, feed = self.services, self.screen.feed
        rows = feed.listing.rows if feed.listing is not None else ()
        try:
            plan = await asyncio.to_thread(
                plan_trash, row.path, now_ms=services.clock(), holder_of=self._holder, rows=rows
            )
            if not await self._may_go(row, plan):
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
            self.screen.tell(str(error), error=True)
            # What went before an error is no longer to be listed.
            await feed.read()
            return
        await self._left([each.row.path for each in plan.files])
        self.screen.tell(sentence)

    async def _may_go(self, row: SessionRow, plan: TrashPlan) -> bool:
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
            keymap=self.screen.keymap,
        )
        return await self.screen.app.push_screen_wait(question) == TRASH

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
            own_pane=self.screen.agents.own_pane(row.path).holder,
        )
