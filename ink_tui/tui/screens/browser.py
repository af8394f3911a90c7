"""The main screen: it binds the keys and forwards; the panes and the flows know the rest."""

from __future__ import annotations

import signal
from functools import cached_property
from typing import TYPE_CHECKING

from textual import on, work

from ink_tui.keymap import Context
from ink_tui.tui.messages import ActionChosen
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.looking import LookingScreen
from ink_tui.tui.services import Leave
from ink_tui.tui.widgets.agent_area import AgentArea

if TYPE_CHECKING:
    from ink_tui.agent.continuing import Ready
    from ink_tui.tui.screens.comparing import Comparing
    from ink_tui.tui.screens.exporting import Exporting
    from ink_tui.tui.screens.resuming import Resuming
    from ink_tui.tui.services import Services


class BrowserScreen(LookingScreen):
    """Browse sessions, and the agents that continue them."""

    def __init__(self, services: Services) -> None:
        """Make the screen.

        Args:
            services: The outside world.
        """
        super().__init__(services)
        self._asked = False
        """Whether a preflight was ever wanted."""

    @cached_property
    def resuming(self) -> Resuming:
        """Resumes, forks and undoes; loaded and made when it is first used."""
        from ink_tui.tui.screens.resuming import Resuming

        return Resuming(self.services, self, self.open_agent)

    @cached_property
    def exporting(self) -> Exporting:
        """Writes sessions to files; loaded and made when it is first used."""
        from ink_tui.tui.screens.exporting import Exporting

        return Exporting(self.services, self)

    @cached_property
    def comparing(self) -> Comparing:
        """Compares sessions and their branches; loaded and made when it is first used."""
        from ink_tui.tui.screens.comparing import Comparing

        return Comparing(self.services, self)

    def files_changed(self, files: frozenset[str]) -> None:
        """Take in that session files changed; an open preflight may be about one of them."""
        super().files_changed(files)
        if self._asked:
            self.resuming.files_changed(files)

    # Actions: any pane, any time

    @on(ActionChosen)
    async def _action_chosen(self, message: ActionChosen) -> None:
        """Do what was clicked or chosen by name, where the focus is or here."""
        message.stop()
        await self.do(message.action_id)

    async def do(self, action_id: str) -> None:
        """Do an action by its id: of the nearest widget around the focus that has it."""
        if action_id.startswith("agent-tab-"):
            self.area.show(int(action_id.rpartition("-")[2]) - 1)
            self.go(Place.AGENT)
            return
        method = action_id.replace("-", "_")
        start = self.focused or self
        for node in start.ancestors_with_self:
            if hasattr(node, f"action_{method}") and node.check_action(method, ()):
                await self.app.run_action(method, node)
                return

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave keys to an agent that has the keyboard; give an ended one its own."""
        if action.startswith("exited_"):
            return self.key_context is Context.AGENT_EXITED
        if action == "show_hidden":
            return self.nothing.display
        captured = (Context.AGENT_CAPTURED, Context.AGENT_MENU)
        if action in ("commands", "search") and self.key_context in captured:
            return False
        return super().check_action(action, parameters)

    @work
    async def action_commands(self) -> None:
        """Find any command by its name."""
        from ink_tui.tui.render.command_rows import OPEN, THEME, session_commands, theme_commands
        from ink_tui.tui.screens.commands import CommandsScreen

        focus = self.key_context
        titles = [
            (item.row.path, item.title) for item in self.list.listing.items if item.row is not None
        ]
        extra = (
            *theme_commands(sorted(self.app.available_themes), self.app.theme),
            *session_commands(titles),
        )
        chosen = await self.app.push_screen_wait(
            CommandsScreen(focus, extra=extra, glyphs=self.services.glyphs, keymap=self.keymap)
        )
        if chosen is None:
            return
        if chosen.startswith(THEME):
            self.app.theme = chosen.removeprefix(THEME)
        elif chosen.startswith(OPEN):
            self.list.select(chosen.removeprefix(OPEN))
            self.go(Place.SESSION)
        else:
            await self.do(chosen)

    def action_help(self) -> None:
        """Show the keys of what has the focus."""
        from ink_tui.tui.screens.help import HelpScreen

        reason = self.noticed.reason if self.noticed is not None else ""
        self.app.push_screen(
            HelpScreen(
                self.key_context,
                glyphs=self.services.glyphs,
                keymap=self.keymap,
                watch_reason=reason,
            )
        )

    def action_next_pane(self) -> None:
        """Go to the next pane."""
        self._cycle(1)

    def action_previous_pane(self) -> None:
        """Go to the previous pane."""
        self._cycle(-1)

    def _cycle(self, step: int) -> None:
        places = [Place.LIST, Place.SESSION, *([Place.AGENT] if self.area.runs else [])]
        self.go(places[(places.index(self.place) + step) % len(places)])

    def action_back(self) -> None:
        """Go one step back."""
        if self.leave_find():
            return
        if self.one_pane:
            self.one_pane = False
            self.lay_out()
        elif self.place is not Place.LIST:
            self.go(Place.LIST)
        elif self.list.asked.filter:
            self.list.set_filter("")

    def action_to_agent(self) -> None:
        """Type to the agent."""
        if self.area.runs:
            self.go(Place.AGENT)

    def action_one_or_two_panes(self) -> None:
        """Show one pane or two."""
        self.one_pane = not self.one_pane
        self.lay_out()

    def action_narrower(self) -> None:
        """Make the left pane two cells narrower."""
        self.move_edge(-2)

    def action_wider(self) -> None:
        """Make the left pane two cells wider."""
        self.move_edge(2)

    def action_read_again(self) -> None:
        """Read the sessions from disk again."""
        self._read_again()

    @work(group="again", exclusive=True)
    async def _read_again(self) -> None:
        await self.marking.read()
        await self.arranging.look_again()
        await self.feed.read()
        if self.session.path is not None:
            self.open_session(self.session.path)

    @work
    async def action_quit(self) -> None:
        """Quit; asks first while agents run."""
        if self.area.running:
            from ink_tui.tui.render.question_rows import STAY, STOP, quit_question
            from ink_tui.tui.screens.question import QuestionScreen

            reason = "leave the agents' panes one by one: only one can have the terminal"
            title, choices = quit_question(len(self.area.running), reason)
            question = QuestionScreen(
                title,
                (),
                choices,
                default=STAY,
                cancelled=STAY,
                glyphs=self.services.glyphs,
                keymap=self.keymap,
            )
            if await self.app.push_screen_wait(question) != STOP:
                return
        self.app.exit(Leave())

    # Actions: browser

    def action_filter(self) -> None:
        """Filter the list of sessions."""
        self.go(Place.LIST)
        self.list.open_filter()

    def action_show_hidden(self) -> None:
        """Show the sessions without a message where there are no others."""
        self.list.toggle_hidden()
        self.go(Place.LIST)
        self.draw_header()

    def action_by_urgency(self) -> None:
        """Order by urgency, or as before."""
        self.list.toggle_urgency()

    def action_resume(self) -> None:
        """Resume the session; shows first what will happen."""
        self._used("resume")
        self._ask(forking=False)

    def action_fork(self) -> None:
        """Fork the session here into a new one; shows it first."""
        self._ask(forking=True)

    def _ask(self, *, forking: bool) -> None:
        path = self.subject()
        if path is None:
            return
        here = self.place is Place.SESSION and path == self.session.path
        entry = self.session.entry_id if here and forking else None
        self._asked = True
        self.resuming.ask(path, entry, forking=forking)

    def action_replay(self) -> None:
        """Play the transcript in its own rhythm."""
        if self.session.path is None or not self._is_whole(self.session.path):
            return
        self.session.active = Tab.TRANSCRIPT
        self.go(Place.SESSION)
        self.session.transcript.start_replay()

    def action_copy(self) -> None:
        """Copy the resume command of the session; inside one it asks what."""
        if self.place is Place.SESSION and self.session.path is not None:
            self.copying.ask()
            return
        path = self.subject()
        if path is not None:
            self.copy_command(path)

    def copy_command(self, path: str) -> None:
        """Copy the command that resumes a session."""
        self.resuming.copy_command(path)

    def action_export(self) -> None:
        """Write the session to a file to give away; asks first."""
        path = self.subject()
        if path is not None:
            self.exporting.ask(path)

    def action_facts(self) -> None:
        """Show what was done in the session, as figures."""
        from ink_tui.tui.screens.facts import FactsScreen

        path = self.subject()
        if path is not None:
            keymap, glyphs = self.keymap, self.services.glyphs
            self.app.push_screen(FactsScreen(path, glyphs=glyphs, keymap=keymap))

    def action_compare(self) -> None:
        """Compare with another branch, the original or a copy."""
        path = self.subject()
        if path is not None:
            self.comparing.ask(path)

    def action_undo(self) -> None:
        """Undo the last change to this session."""
        path = self.subject()
        if path is not None:
            self.resuming.undo(path)

    # Actions: agents

    async def open_agent(self, ready: Ready) -> None:
        """Start an agent beside its session and give it the keyboard.

        Raises:
            LaunchError: There is no terminal engine.
        """
        self.list.select(ready.session_path)
        await self.agents.start(ready)
        self.open_session(ready.session_path)
        self.session.active = Tab.TREE
        self.session.tree_view.to_end()
        self.go(Place.AGENT)

    @on(AgentArea.Ended)
    async def _agent_ended(self, message: AgentArea.Ended) -> None:
        self._tell_end(message)

    @work
    async def _tell_end(self, message: AgentArea.Ended) -> None:
        await self.agents.tell_end(message.run)
        self.list.set_activities(self.agents.activities())
        if self.session.path == message.run.spec.session_path:
            self.open_session(message.run.spec.session_path)

    def action_agent_browser(self) -> None:
        """Type to the browser again."""
        self.go(Place.SESSION)

    def action_agent_full_width(self) -> None:
        """Give the agent the whole width, or less."""
        self.one_pane = not self.one_pane
        self.go(Place.AGENT)

    def action_agent_stop(self) -> None:
        """Kill the agent at once; what it leaves behind is cleared away."""
        run = self.area.current
        if run is not None and run.pane.process is not None:
            run.pane.process.send_signal(signal.SIGKILL)

    def action_agent_help(self) -> None:
        """Show the keys of the agent's pane."""
        self.action_help()

    def action_exited_resume(self) -> None:
        """Resume the session again."""
        self.action_resume()

    def action_exited_fork(self) -> None:
        """Fork the session."""
        self.action_fork()

    def action_exited_transcript(self) -> None:
        """Show the transcript."""
        self._show_tab(Tab.TRANSCRIPT)

    def action_exited_scroll(self) -> None:
        """Scroll through the last screen."""
        if self.area.current is not None:
            self.area.current.pane.start_scroll()

    async def action_exited_close(self) -> None:
        """Close the pane of an agent that has ended."""
        run = self.area.current
        if run is not None:
            await self.area.close(run)
            self.go(Place.SESSION)

    def action_exited_browser(self) -> None:
        """Go to the browser."""
        self.go(Place.SESSION)
