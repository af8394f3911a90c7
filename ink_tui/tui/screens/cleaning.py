"""A bulk clean-up: counting, asking, listing, moving to the trash, and the account of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ink_tui.errors import ConfigError, InkTuiError
from ink_tui.model.cleanup import RULES
from ink_tui.paths import legacy_sessions_dir
from ink_tui.store.cleanup import (
    Account,
    account,
    clean_up,
    marked_sessions,
    plan_cleanup,
    read_concerned,
    survey,
)
from ink_tui.store.holder_search import HolderSearch
from ink_tui.tui.render import figures
from ink_tui.tui.render.cleanup_rows import (
    account_page,
    counting_page,
    kinds_page,
    moving_page,
    preview_page,
)
from ink_tui.tui.render.question_rows import TRASH
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.screens.cleanup import CleanupScreen

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.liveness import Holder
    from ink_tui.store.cleanup import CleanupPlan, Outcome, Survey
    from ink_tui.tui.screens.reading import ReadingScreen
    from ink_tui.tui.services import Services


class Cleaning:
    """Leads through the pages of a clean-up; all work on files is done in threads."""

    def __init__(
        self,
        services: Services,
        screen: ReadingScreen,
        left: Callable[[list[str]], Awaitable[None]],
    ) -> None:
        """Make it.

        Args:
            services: The outside world.
            screen: The main screen: it shows the note at the end.
            left: Takes the files that have gone.
        """
        self.services = services
        self.screen = screen
        self._left = left
        self._search = HolderSearch(
            state_dir=services.state_dir,
            clock=services.clock,
            match={name for agent in services.agents for name in agent.match},
            own_pane=self._own_pane,
        )

    def ask(self) -> None:
        """Ask what to be rid of, list it, then move it."""
        self.screen.run_worker(self._ask(), group="clean", exclusive=True)

    async def _ask(self) -> None:
        services = self.services
        look = Look(0, glyphs=services.glyphs, now=services.now(), zone=services.zone)
        dialog = CleanupScreen(
            counting_page(0, 0), look, home=services.home, keymap=self.screen.keymap
        )
        await self.screen.app.push_screen(dialog)
        sentence, error = "", False
        try:
            sentence = await self._lead(dialog)
        except InkTuiError as refused:
            sentence, error = str(refused), True
        finally:
            if dialog.is_attached:
                dialog.dismiss(None)
        if sentence:
            self.screen.tell(sentence, error=error)

    async def _lead(self, dialog: CleanupScreen) -> str:
        """Go through the pages; return what to tell at the end, empty for nothing."""
        looked = await self._count(dialog)
        if looked is None:
            return ""
        found = await asyncio.to_thread(lambda: [(rule, looked.selection(rule)) for rule in RULES])
        chosen = await dialog.answer(kinds_page(found))
        rule = next((rule for rule in RULES if rule.id == chosen), None)
        if rule is None:
            return ""
        plan = await asyncio.to_thread(plan_cleanup, looked, rule)
        if await dialog.answer(preview_page(plan.selection)) != TRASH:
            return ""
        done = await self._move(dialog, plan)
        sentence = done.sentence(figures.size)
        if done.stayed:
            await dialog.answer(account_page(sentence, done.stayed))
        return sentence

    async def _count(self, dialog: CleanupScreen) -> Survey | None:
        """Read what must be read and judge it; None when it was stopped."""
        marked = await asyncio.to_thread(marked_sessions, self.services.state_dir)
        reading = read_concerned(self.services.library, RULES, self.services.clock())
        while (step := await asyncio.to_thread(next, reading, None)) is not None:
            if dialog.chosen is not None:
                return None
            dialog.update(counting_page(*step))
        if dialog.chosen is not None:
            return None
        return await asyncio.to_thread(self._survey, marked)

    def _survey(self, marked: Mapping[str, str]) -> Survey:
        services = self.services
        return survey(
            services.library,
            RULES,
            now_ms=services.clock(),
            holder_of=self._search,
            marked=marked,
            only_read=self._only_read(),
        )

    def _only_read(self) -> tuple[str, ...]:
        try:
            return (str(legacy_sessions_dir({"HOME": self.services.home})),)
        except ConfigError:
            return ()

    async def _move(self, dialog: CleanupScreen, plan: CleanupPlan) -> Account:
        services, total, octets = self.services, len(plan.selection.goes), 0
        dialog.turn_to(moving_page(0, total, 0))
        steps = clean_up(
            plan,
            state_dir=services.state_dir,
            clock=services.clock,
            holder_of=self._search,
            marked=lambda: marked_sessions(services.state_dir),
            trash=services.trash,
        )
        outcomes: list[Outcome] = []
        while dialog.chosen is None:
            outcome = await asyncio.to_thread(next, steps, None)
            if outcome is None:
                break
            outcomes.append(outcome)
            octets += sum(row.size for row in outcome.moved)
            dialog.update(moving_page(len(outcomes), total, octets))
        done = account(plan, outcomes)
        await self._left([row.path for row in done.moved])
        return done

    def _own_pane(self, row: SessionRow) -> Holder:
        return self.screen.agents.own_pane(row.path).holder
