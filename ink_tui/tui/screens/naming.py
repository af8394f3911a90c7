"""Naming the session at hand and labelling its records, after the words were asked for."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.errors import InkTuiError, RefusedError
from ink_tui.paths import legacy_sessions_dir
from ink_tui.store.annotate import (
    LONGEST,
    left_out_of,
    look_to_annotate,
    write_label,
    write_name,
)
from ink_tui.store.holders import find_holder
from ink_tui.tui.screens.field import FieldScreen

if TYPE_CHECKING:
    from ink_tui.model.entries import EntryId
    from ink_tui.model.liveness import Holder
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.annotate import Annotatable
    from ink_tui.store.repair import RepairOutcome
    from ink_tui.tui.screens.reading import ReadingScreen
    from ink_tui.tui.services import Services


class Naming:
    """Looks whether a session may be written to, asks for the words, then writes the record."""

    def __init__(self, services: Services, screen: ReadingScreen) -> None:
        """Make it.

        Args:
            services: The outside world.
            screen: The main screen: it shows the dialog and the note.
        """
        self.services = services
        self.screen = screen

    def ask_name(self, path: str) -> None:
        """Ask for the name of a session, then write it."""
        self.screen.run_worker(self._name(path), group="name", exclusive=True)

    def ask_label(self, path: str, target: EntryId | None) -> None:
        """Ask for the label of a record, then write it."""
        if target is None:
            self.screen.tell("Select a record of the tree or the transcript to label it.")
            return
        self.screen.run_worker(self._label(path, target), group="name", exclusive=True)

    async def _name(self, path: str) -> None:
        try:
            at = await asyncio.to_thread(self._look, path)
            hint = "Written into the session, as Ink does. Empty clears the name."
            typed = await self._typed("Name of the session", at.name, hint)
            if typed is not None and typed.strip() != at.name:
                self.screen.agents.forget(path)
                self._tell(await asyncio.to_thread(self._write_name, at, typed))
                await self._show(path)
        except InkTuiError as error:
            self.screen.tell(str(error), error=True)

    async def _label(self, path: str, target: EntryId) -> None:
        try:
            at = await asyncio.to_thread(self._look, path)
            hint = "Written into the session, as Ink does. Empty takes the label off."
            typed = await self._typed("Label of the record", at.label(target), hint)
            if typed is not None and typed.strip() != at.label(target):
                self.screen.agents.forget(path)
                self._tell(await asyncio.to_thread(self._write_label, at, target, typed))
                await self._show(path)
        except InkTuiError as error:
            self.screen.tell(str(error), error=True)

    async def _typed(self, title: str, now: str, hint: str) -> str | None:
        dialog = FieldScreen(
            title,
            now,
            hint,
            glyphs=self.services.glyphs,
            longest=LONGEST,
            left_out=left_out_of,
        )
        return await self.screen.app.push_screen_wait(dialog)

    def _tell(self, done: RepairOutcome) -> None:
        self.screen.tell(done.sentence)

    async def _show(self, path: str) -> None:
        await self.screen.feed.look_at(path)
        if self.screen.viewing.path == path:
            self.screen.open_session(path)

    # In a thread

    def _look(self, path: str) -> Annotatable:
        services = self.services
        if Path(path).is_relative_to(legacy_sessions_dir({"HOME": services.home})):
            raise RefusedError(
                "legacy-store", "This store belongs to the agent's predecessor; it is only read."
            )
        return look_to_annotate(
            Path(path),
            now_ms=services.clock(),
            holder_of=lambda diagnosis: self._holder(path, diagnosis),
            resting=self.screen.agents.own_pane(path).ended,
        )

    def _holder(self, path: str, diagnosis: Diagnosis) -> Holder:
        services, header = self.services, diagnosis.session.header
        return find_holder(
            Path(path),
            session_id=header.id if header is not None else "",
            cwd=header.cwd if header is not None else "",
            state_dir=services.state_dir,
            now_ms=services.clock(),
            match={name for agent in services.agents for name in agent.match},
            own_pane=self.screen.agents.own_pane(path).holder,
        )

    def _write_name(self, at: Annotatable, typed: str) -> RepairOutcome:
        return write_name(
            at,
            typed,
            state_dir=self.services.state_dir,
            now_ms=self.services.clock(),
            holder=self._holder(str(at.path), at.diagnosis),
        )

    def _write_label(self, at: Annotatable, target: EntryId, typed: str) -> RepairOutcome:
        return write_label(
            at,
            target,
            typed,
            state_dir=self.services.state_dir,
            now_ms=self.services.clock(),
            holder=self._holder(str(at.path), at.diagnosis),
        )
