"""One run of the whole program, and short words for what the key and click tests look at."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.screens.commands import CommandsScreen
from ink_tui.tui.screens.field import FieldScreen
from ink_tui.tui.screens.help import HelpScreen
from ink_tui.tui.screens.preflight import PreflightScreen
from tests.pilot.app import (
    LARGE,
    app_on_demo,
    browser_of,
    demo_in,
    fake_agent,
    rows_fit,
    running,
    screen_text,
    settled,
    shown,
    until,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from textual.screen import Screen

    from ink_tui.model.groups import Arrangement
    from ink_tui.model.replay import Playback
    from ink_tui.store.demo import Demo
    from ink_tui.tui.render.layout import Place
    from ink_tui.tui.screens.browser import BrowserScreen
    from ink_tui.tui.widgets.agent_area import AgentRun
    from ink_tui.tui.widgets.rows_view import RowsView
    from ink_tui.tui.widgets.session_tree import SessionTree
    from ink_tui.tui.widgets.transcript_view import TranscriptView
    from tests.pilot.app import AppPilot

DAMAGED = "fix the sum function"
"""Start of the title of the session that the demo opens on."""
CLEAN = "rename the module"


@dataclass(frozen=True, slots=True)
class Run:
    """The program under test."""

    pilot: AppPilot
    demo: Demo

    # What there is

    @property
    def browser(self) -> BrowserScreen:
        return browser_of(self.pilot)

    @property
    def screen(self) -> Screen[object]:
        return self.pilot.app.screen

    @property
    def text(self) -> str:
        return screen_text(self.pilot)

    @property
    def rows(self) -> RowsView:
        return self.browser.list.view

    @property
    def tree(self) -> SessionTree:
        return self.browser.session.tree_view

    @property
    def transcript(self) -> TranscriptView:
        return self.browser.session.transcript.view

    @property
    def focused_rows(self) -> RowsView:
        """The rows of the tab that is shown."""
        session = self.browser.session
        return session.health if session.active is Tab.HEALTH else session.context_view

    @property
    def playback(self) -> Playback:
        playback = self.browser.session.transcript.playback
        assert playback is not None
        return playback

    @property
    def position(self) -> int:
        return self.playback.position

    @property
    def block(self) -> int:
        """Place of the selected block of the transcript."""
        selected = self.transcript.selected
        assert selected is not None
        return self.transcript.blocks.index(selected)

    @property
    def agent(self) -> AgentRun:
        run = self.browser.area.current
        assert run is not None
        return run

    @property
    def preflight(self) -> PreflightScreen:
        assert isinstance(self.screen, PreflightScreen)
        return self.screen

    def place(self) -> Place:
        """The pane one is in."""
        return self.browser.place

    def tab(self) -> Tab:
        """The tab that is shown."""
        return self.browser.session.active

    def arrangement(self) -> Arrangement:
        """What the list is divided by."""
        return self.browser.list.asked.arrangement

    def on_top(self) -> type[Screen[object]]:
        """What kind of screen is on top."""
        return type(self.screen)

    def index(self) -> int:
        """Place of the selected row of the list."""
        assert self.rows.selected_index is not None
        return self.rows.selected_index

    def tree_index(self) -> int:
        """Place of the selected row of the tree."""
        assert self.tree.selected_index is not None
        return self.tree.selected_index

    # Ways there

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        if not self.pilot.app._exit:
            await settled(self.pilot)

    async def select(self, title: str) -> None:
        """Select a session by the start of its title."""
        found = [i for i in self.browser.list.listing.items if i.title.startswith(title)]
        assert found[0].row is not None
        assert self.browser.list.select(found[0].row.path)
        await settled(self.pilot)

    async def at_list(self) -> None:
        """The list, somewhere in its middle."""
        await self.select("a gap in the middle")

    async def at_tree(self) -> None:
        """The tree of the damaged session, in its middle."""
        await self.press("enter")
        self.tree.select(self.tree.rows[len(self.tree.rows) // 2].key)
        await settled(self.pilot)

    async def at_transcript(self) -> None:
        """The transcript, in its middle."""
        await self.press("2")
        block = self.transcript.blocks[len(self.transcript.blocks) // 2]
        self.transcript.select(block.key, top=True)
        await settled(self.pilot)

    async def at_context(self) -> None:
        await self.press("3")

    async def at_health(self) -> None:
        await self.press("4", "home")

    async def at_replay(self) -> None:
        """A replay that pauses in the middle."""
        await self.at_transcript()
        await self.press("space", "space")
        await self.press(*["right"] * 3)
        assert not self.playback.playing

    async def at_filter(self) -> None:
        await self.press("slash", *"loop")

    async def at_preflight(self) -> None:
        await self.pilot.press("r")
        await shown(self.pilot, PreflightScreen)

    async def at_palette(self) -> None:
        await self.pilot.press("ctrl+p")
        await shown(self.pilot, CommandsScreen)

    async def at_help(self) -> None:
        await self.pilot.press("question_mark")
        await shown(self.pilot, HelpScreen)

    async def at_agent(self) -> None:
        """An agent that has the keyboard and has greeted."""
        await self.select(CLEAN)
        await self.at_preflight()
        await self.pilot.press("enter")
        await self.says("continuing")

    async def says(self, words: str) -> None:
        """Wait until the agent has written something."""
        area = self.browser.area
        await until(
            self.pilot,
            lambda: area.current is not None and words in area.current.pane.screen_text(),
            f"the agent says {words!r}",
        )
        await settled(self.pilot)

    async def at_menu(self) -> None:
        await self.at_agent()
        await self.press("ctrl+right_square_bracket")

    async def beside_agent(self) -> None:
        """The browser, while an agent runs."""
        await self.at_menu()
        await self.press("b")

    async def at_exited(self) -> None:
        """An agent that has ended by itself; its last screen has the focus."""
        await self.at_agent()
        await self._both_lines()
        await self.ended()

    async def _both_lines(self) -> None:
        """Give the agent its two lines, one after the other: what it says stands between them."""
        await self.pilot.press("enter")
        await self.says("got")
        await self.pilot.press("enter")

    async def ended(self) -> None:
        """Wait until the agent has ended and what that means is said."""
        await until(self.pilot, lambda: self.agent.end is not None, "the agent has ended")
        await settled(self.pilot)

    async def repaired(self) -> None:
        """The damaged session, repaired; the agent that was started for it has ended."""
        await self.at_preflight()
        for _ in range(20):
            await self.pilot.press("enter")  # the first ones show what would be written
            await self.pilot.pause()
            if not isinstance(self.screen, PreflightScreen):
                break
        await self.says("continuing")
        await self._both_lines()
        await self.ended()

    async def at_clean_preflight(self) -> None:
        """The preflight of a session that needs nothing."""
        await self.select(CLEAN)
        await self.at_preflight()


@asynccontextmanager
async def run_on_demo(
    folder: Path,
    size: tuple[int, int] = LARGE,
    *,
    agents: tuple[str, ...] = (),
    glyphs: Glyphs = UNICODE,
) -> AsyncIterator[Run]:
    """Run the program on a demo of its own, with small agents of these names."""
    with demo_in(folder) as demo:
        offered = [fake_agent(demo.home, name) for name in agents]
        async with running(app_on_demo(demo, agents=offered, glyphs=glyphs), size) as pilot:
            yield Run(pilot, demo)


def path_of(run: Run) -> Path:
    """Return the file of the session that is shown."""
    path = run.browser.session.path
    assert path is not None
    return Path(path)


async def typed(pilot: AppPilot, key: str, words: str) -> None:
    """Press a key that asks for words, replace what stands in the field, and go on."""
    await pilot.press(key)
    await shown(pilot, FieldScreen)
    rows_fit(pilot)
    await pilot.press("end", "ctrl+u", *("space" if char == " " else char for char in words))
    await pilot.press("enter")
