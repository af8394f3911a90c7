"""The dialogs of a resume or a fork, around the steps of `ink_tui.agent.continuing`."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.agent.continuing import Continuing, Decision, Request
from ink_tui.agent.preflight import OptionId, Preflight, session_changed
from ink_tui.errors import InkTuiError, LaunchError
from ink_tui.tui.render.question_rows import HAND_OVER, STAY, UNDO, no_pane_question, undo_question
from ink_tui.tui.screens.folder import FolderScreen
from ink_tui.tui.screens.preflight import LookAgain, PreflightScreen
from ink_tui.tui.screens.question import QuestionScreen
from ink_tui.tui.services import Leave

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ink_tui.agent.continuing import Ready
    from ink_tui.model.entries import EntryId
    from ink_tui.store.repair import RepairOutcome
    from ink_tui.tui.screens.preflight import PreflightChoice
    from ink_tui.tui.screens.reading import ReadingScreen
    from ink_tui.tui.services import Services


class Resuming:
    """Asks, then lets the flow write and the screen start."""

    def __init__(
        self,
        services: Services,
        screen: ReadingScreen,
        start: Callable[[Ready], Awaitable[None]],
    ) -> None:
        """Make it.

        Args:
            services: The outside world.
            screen: The main screen: it shows dialogs, notes and sessions.
            start: Starts an agent beside its session; may raise `LaunchError`.
        """
        self._start = start
        self.services = services
        self.screen = screen
        self.flow = Continuing(services.surroundings, screen.agents.own_pane)
        self._request: Request | None = None
        self._dialog: PreflightScreen | None = None

    def ask(self, path: str, entry_id: EntryId | None, *, forking: bool) -> None:
        """Show the preflight of a resume or a fork, then do what was chosen.

        Args:
            path: The session file.
            entry_id: The record that a fork starts from; None means the resume point.
            forking: It shall be a fork.
        """
        if self._request is None:
            request = Request(path, entry_id, forking)
            self.screen.run_worker(self._ask(request), group="resume")

    async def _ask(self, request: Request) -> None:
        self._request = request
        try:
            await self._until_decided()
        except InkTuiError as error:
            self.screen.tell(str(error), error=True)
        finally:
            self._request = self._dialog = None

    async def _until_decided(self) -> None:
        while self._request is not None:
            preflight = await asyncio.to_thread(self.flow.look, self._request)
            self._dialog = PreflightScreen(
                preflight, glyphs=self.services.glyphs, keymap=self.services.config.keymap
            )
            result = await self.screen.app.push_screen_wait(self._dialog)
            shown = self._dialog.preflight
            self._dialog = None
            if isinstance(result, LookAgain):
                continue
            choice = await self._with_a_place(result) if result is not None else None
            if choice is not None:
                await self._do(shown, choice)
            return

    async def _with_a_place(self, choice: PreflightChoice) -> PreflightChoice | None:
        """Return a choice, for this terminal where no pane can be drawn; None cancels it.

        This is asked before anything is written.
        """
        if choice.hand_over:
            return choice
        try:
            await asyncio.to_thread(self.services.load_engine)
        except LaunchError as error:
            title, choices = no_pane_question()
            question = QuestionScreen(
                title,
                (str(error),),
                choices,
                default=HAND_OVER,
                cancelled=STAY,
                glyphs=self.services.glyphs,
                keymap=self.services.config.keymap,
            )
            answer = await self.screen.app.push_screen_wait(question)
            return replace(choice, hand_over=True) if answer == HAND_OVER else None
        return choice

    async def _do(self, preflight: Preflight, choice: PreflightChoice) -> None:
        folder: str | None = None
        if choice.option is OptionId.RELOCATE:
            folder = await self.screen.app.push_screen_wait(
                FolderScreen(self.services.cwd, glyphs=self.services.glyphs)
            )
            if folder is None:
                return
        self.screen.agents.forget(str(preflight.path))
        decision = Decision(choice.option, choice.confirmed, choice.agent, folder)
        ready = await asyncio.to_thread(self.flow.do, preflight, decision)
        await asyncio.to_thread(self.services.library.forget, str(preflight.path))
        sentence = ready.sentence
        if ready.prompt:
            self.screen.app.copy_to_clipboard(ready.prompt)
            sentence += "; your message is copied, for the new prompt"
        if sentence:
            self.screen.tell(sentence)
        if choice.hand_over:
            self.screen.app.exit(Leave(ready.plan))
            return
        await self.screen.feed.look_at(ready.session_path)
        await self._start(ready)

    # While the dialog is open

    def files_changed(self, files: frozenset[str]) -> None:
        """Tell an open preflight that its file may have changed."""
        dialog = self._dialog
        if dialog is not None and str(dialog.preflight.path) in files:
            self.screen.run_worker(self._compare(dialog), group="compare", exclusive=True)

    async def _compare(self, dialog: PreflightScreen) -> None:
        if await asyncio.to_thread(session_changed, dialog.preflight) and dialog is self._dialog:
            dialog.session_changed()

    async def another_agent(self, dialog: PreflightScreen, shown: str | None) -> None:
        """Show the preflight for the next agent that is known."""
        if self._request is None or dialog is not self._dialog:
            return
        names = [agent.name for agent in self.services.agents]
        at = names.index(shown) if shown in names else -1
        self._request = replace(self._request, agent=names[(at + 1) % len(names)])
        preflight = await asyncio.to_thread(self.flow.look, self._request)
        if dialog is self._dialog:
            dialog.update(preflight)

    def undo_in(self, dialog: PreflightScreen) -> None:
        """Undo the last change while the preflight is open, and show it anew."""
        self.screen.run_worker(self._undo_in(dialog), group="undo", exclusive=True)

    async def _undo_in(self, dialog: PreflightScreen) -> None:
        try:
            done = await self._taken_back(str(dialog.preflight.path))
        except InkTuiError as error:
            dialog.say(str(error))
            return
        if done is None:
            return
        if self._request is not None and dialog is self._dialog:
            dialog.update(await asyncio.to_thread(self.flow.look, self._request))
        dialog.say(done.sentence)

    # Without a dialog

    def undo(self, path: str) -> None:
        """Undo the last change to a session."""
        self.screen.run_worker(self._undo(path), group="undo", exclusive=True)

    async def _undo(self, path: str) -> None:
        try:
            done = await self._taken_back(path)
        except InkTuiError as error:
            self.screen.tell(str(error), error=True)
            return
        if done is None:
            return
        self.screen.tell(done.sentence)
        await self.screen.feed.look_at(path)
        self.screen.open_session(path)

    async def _taken_back(self, path: str) -> RepairOutcome | None:
        """Undo the last change; the shorter file is then no surprise.

        Where the session may be in use it is asked first; None is the answer to leave it.
        """
        plan, doubt = await asyncio.to_thread(self.flow.look_to_undo, path)
        if doubt:
            title, choices = undo_question(plan.kind.words, plan.deed)
            question = QuestionScreen(
                title,
                (doubt,),
                choices,
                default=STAY,
                cancelled=STAY,
                glyphs=self.services.glyphs,
                keymap=self.services.config.keymap,
            )
            if await self.screen.app.push_screen_wait(question) != UNDO:
                return None
        self.screen.agents.forget(path)
        done = await asyncio.to_thread(self.flow.undo, path, confirmed=bool(doubt))
        await asyncio.to_thread(self.services.library.forget, path)
        return done

    def copy_command(self, path: str) -> None:
        """Copy the command that resumes a session."""
        self.screen.run_worker(self._copy_command(path), group="copy", exclusive=True)

    async def _copy_command(self, path: str) -> None:
        try:
            preflight = await asyncio.to_thread(self.flow.look, Request(path))
        except InkTuiError as error:
            self.screen.tell(str(error), error=True)
            return
        plan = preflight.launch
        if not plan.copy_command:
            self.screen.tell(f"There is no command to copy. {plan.sentence}", error=True)
            return
        self.screen.app.copy_to_clipboard(plan.copy_command)
        self.screen.tell("Copied the resume command")
