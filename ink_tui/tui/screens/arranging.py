"""How list and tree are looked at: what a key changes, remembered for the next start."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.errors import InkTuiError
from ink_tui.keymap import display_key
from ink_tui.model.scope import NO_REPOSITORY, SCOPE_WORDS, Repository, Scope
from ink_tui.model.text import short_path
from ink_tui.model.view import ListView
from ink_tui.model.words import counted
from ink_tui.store.repository import find_repository
from ink_tui.store.view_file import write_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.model.tree_choice import TreeChoice
    from ink_tui.tui.screens.panes import PanesScreen
    from ink_tui.tui.services import Services

_ORDER = (Scope.ALL, Scope.FOLDER, Scope.REPOSITORY)


class Arranging:
    """Changes the scope one step at a time; what a disk must tell is asked in a thread."""

    def __init__(
        self, services: Services, screen: PanesScreen, changed: Callable[[], None]
    ) -> None:
        """Make it; nothing is read yet.

        Args:
            services: The outside world.
            screen: The main screen, with the list.
            changed: Called when the list is another one.
        """
        self.services = services
        self.screen = screen
        self.view = ListView()
        """What is remembered; a scope that there is no place for stays in it."""
        self._changed = changed
        self._written = self.view
        self._chosen = False
        self._can_write = True
        # Two presses are two steps, one after the other.
        self._turn = asyncio.Lock()

    async def begin(self, view: ListView) -> None:
        """Show the list as it was looked at last."""
        async with self._turn:
            if self._chosen:
                return
            self.view = self._written = view
            if view.arrangement is not self.screen.list.asked.arrangement:
                self.screen.list.arrange_by(view.arrangement)
            if view.scope is not self.screen.list.asked.scope:
                await self._show(view.scope)

    async def look_again(self) -> None:
        """Look for the worktrees of the repository again, while it is the scope."""
        async with self._turn:
            if self.screen.list.asked.scope is Scope.REPOSITORY:
                await self._show(Scope.REPOSITORY)

    def arranged(self) -> None:
        """Take in that the list is divided by something else."""
        self._changed()
        arrangement = self.screen.list.asked.arrangement
        if arrangement is not self.view.arrangement:
            self._remember(replace(self.view, arrangement=arrangement))

    def tree_chosen(self, choice: TreeChoice) -> None:
        """Remember what is to be seen of trees."""
        self._remember(replace(self.view, tree=choice))

    def go_to(self, scope: Scope | None) -> None:
        """Show a scope, or the next one that there is a place for."""
        self.screen.run_worker(self._go_to(scope), group="view")

    async def _go_to(self, scope: Scope | None) -> None:
        async with self._turn:
            if scope is None:
                scope = _ORDER[(_ORDER.index(self.screen.list.asked.scope) + 1) % len(_ORDER)]
            shown = await self._show(scope)
        self._remember(replace(self.view, scope=shown))

    async def _show(self, wanted: Scope) -> Scope:
        """Show a scope, or the next for which there is a place; say what was left out, and why.

        Returns:
            The scope that is shown.
        """
        reasons: list[str] = []
        repository = NO_REPOSITORY
        scope = wanted
        if scope is Scope.FOLDER and not self.services.cwd.startswith("/"):
            reasons.append("The folder that ink-tui was started in is not there.")
            scope = Scope.REPOSITORY
        if scope is Scope.REPOSITORY:
            repository = await asyncio.to_thread(find_repository, self.services.cwd)
            if not repository.roots:
                reasons.append(self._why_none(repository))
                scope = Scope.ALL
        self.screen.list.show_scope(scope, repository)
        self._changed()
        if reasons:
            self.screen.tell(f"{' '.join(reasons)} All folders are shown.")
        elif repository.unread:
            trees = counted(repository.unread, "worktree")
            self.screen.tell(f"{trees} of this repository cannot be told: counted as outside.")
        return scope

    def _why_none(self, repository: Repository) -> str:
        if not self.services.cwd:
            return "There is no git repository."
        folder = short_path(self.services.cwd, self.services.home)
        if repository.trouble:
            return f"The git repository of {folder} cannot be read: {repository.trouble}."
        return f"{folder} is in no git repository."

    def tell_of_guest(self) -> None:
        """Say why a session stands in the list although it lies outside the scope."""
        scope = SCOPE_WORDS[self.screen.list.asked.scope]
        keys = self.screen.keymap.action("scope").keys
        key = display_key(keys[0], ascii_only=self.services.glyphs.ascii) if keys else ""
        way = f" {key} changes the scope." if key else ""
        self.screen.tell(f"Outside {scope}, shown since it was asked for by name.{way}")

    def _remember(self, view: ListView) -> None:
        self._chosen = True
        self.view = view
        self.screen.run_worker(self._write(), group="view")

    async def _write(self) -> None:
        """Write what was chosen last; where that cannot be done it is said once."""
        async with self._turn:
            view = self.view
            if view == self._written or not self._can_write:
                return
            try:
                await asyncio.to_thread(write_view, self.services.state_dir, view)
            except InkTuiError as error:
                self._can_write = False
                self.screen.tell(f"This will not be remembered. {error}", error=True)
            else:
                self._written = view
