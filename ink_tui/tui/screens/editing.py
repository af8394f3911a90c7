"""Opening a file that a record mentions in the user's editor (`ui.md` 5.1, `design.md` promise 6).

A file below the folder of the session is opened at once; whatever lies elsewhere is shown first,
with the arguments that would be run. An editor of the terminal gets this one while the program
waits behind it: agents in their panes go on.
"""

from __future__ import annotations

import asyncio
import signal
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from ink_tui.agent.editor import editor_argv, find_editor, run_editor
from ink_tui.errors import InkTuiError, LaunchError
from ink_tui.model.mentions import mentions_of
from ink_tui.model.text import one_line, short_path
from ink_tui.store.mentioned import Mentioned, MentionedFile, find_mentioned
from ink_tui.tui.render.editor_rows import OPEN, RECORD, outside_question, which_question
from ink_tui.tui.render.question_rows import STAY
from ink_tui.tui.screens.question import QuestionScreen
from ink_tui.tui.screens.record_at_hand import selected_in, whole_at_hand

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from ink_tui.agent.editor import Editor
    from ink_tui.tui.render.dialog_rows import Choice
    from ink_tui.tui.screens.looking import LookingScreen
    from ink_tui.tui.screens.record_at_hand import RecordAtHand

MOST_FILES = 8
"""Files that are offered."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What a key can open."""

    editor: Editor
    mentioned: Mentioned
    line: int | None
    """Line of the record in the file of the session."""
    session_file: str
    """Absolute path of that file."""


class Editing:
    """Asks which file where several are mentioned, then runs the editor."""

    def __init__(self, screen: LookingScreen) -> None:
        """Make it.

        Args:
            screen: The main screen: it shows questions and notes.
        """
        self.screen = screen
        self.services = screen.services
        self.suspended: Callable[[], AbstractContextManager[None]] = self._suspended
        """Gives the terminal away; tests, which have none, give something else."""
        self.run: Callable[..., int] = run_editor
        """Runs an editor; tests run none."""

    def ask(self) -> None:
        """Open what the selected record mentions; ask first where that is not plain."""
        self.screen.run_worker(self._ask(), group="editing", exclusive=True)

    async def _ask(self) -> None:
        at = selected_in(self.screen.session)
        if at is None:
            self.screen.tell("Select a record of the tree or the transcript to open its files.")
            return
        try:
            found = await asyncio.to_thread(self._find, at)
            file = await self._which(found, at)
            if file is not None:
                await self._open(found.editor, file, at)
        except InkTuiError as error:
            self.screen.tell(str(error), error=True)

    def _find(self, at: RecordAtHand) -> _Found:
        """Return the editor and the files that are mentioned; blocks.

        Raises:
            LaunchError: There is no editor.
        """
        editor = find_editor(self.services.own_env, self.services.search_path)
        session_file = str(Path(at.path).absolute())
        block = whole_at_hand(at, self.services.library.far)
        if block is None:
            return _Found(editor, Mentioned(()), None, session_file)
        mentions = mentions_of(block.body)
        mentioned = find_mentioned(mentions, at.cwd, self.services.home, most=MOST_FILES)
        line = block.span.line if block.span is not None and block.span.line > 0 else None
        return _Found(editor, mentioned, line, session_file)

    async def _which(self, found: _Found, at: RecordAtHand) -> MentionedFile | None:
        """Return the file to open, asked for unless there is only one."""
        files = found.mentioned.files
        if len(files) == 1 and not found.mentioned.missing:
            return files[0]
        title, sentences, choices = which_question(
            found.editor.name, files, found.line, found.mentioned.missing
        )
        chosen = await self._answer(title, sentences, choices, default=choices[0].id)
        if chosen == RECORD:
            return MentionedFile(found.session_file, at.path, found.line, inside=False)
        return files[int(chosen)] if chosen != STAY else None

    async def _open(self, editor: Editor, file: MentionedFile, at: RecordAtHand) -> None:
        argv = editor_argv(editor, file.path, file.line)
        home = self.services.home
        if not file.inside:
            why = f"It lies outside the folder of the session, {short_path(at.cwd, home)}."
            if file.shown == at.path:
                why = "It is the session itself: what is written there changes it for the agent."
            asked = outside_question(argv, file.path, why, home)
            if await self._answer(*asked, default=OPEN) != OPEN:
                return
        if editor.in_terminal:
            with self.suspended():
                code = await asyncio.to_thread(self.run, argv, self._env, apart=False)
        else:
            self.screen.tell(f"Opened {file.shown} in {editor.name}")
            code = await asyncio.to_thread(self.run, argv, self._env, apart=True)
        if code:
            ended = f"was ended by signal {-code}" if code < 0 else f"ended with {code}"
            self.screen.tell(f"{one_line(editor.name)} {ended}.", error=True)

    @property
    def _env(self) -> Mapping[str, str]:
        return self.services.own_env

    async def _answer(
        self, title: str, sentences: tuple[str, ...], choices: tuple[Choice, ...], *, default: str
    ) -> str:
        question = QuestionScreen(
            title,
            sentences,
            choices,
            default=default,
            cancelled=STAY,
            glyphs=self.services.glyphs,
            keymap=self.screen.keymap,
        )
        return await self.screen.app.push_screen_wait(question)

    @contextmanager
    def _suspended(self) -> Iterator[None]:
        """Give the terminal away; nothing is drawn, and its interrupt is not meant for us.

        Raises:
            LaunchError: This terminal cannot be given away.
        """
        app = self.screen.app
        # A handler that does nothing is not inherited, as ignoring would be.
        before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
        try:
            with app.batch_update(), app.suspend():
                yield
        except SuspendNotSupported as error:
            raise LaunchError(
                "no-terminal", "This terminal cannot be given to an editor."
            ) from error
        finally:
            signal.signal(signal.SIGINT, before)
        app.refresh(layout=True)
