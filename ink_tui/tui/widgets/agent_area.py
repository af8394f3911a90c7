"""The agents beside the sessions: a tab each, the terminal of one, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import ContentSwitcher

from ink_tui.keymap import DEFAULT_KEYMAP, Context, Keymap, display_key
from ink_tui.tui.messages import ActionChosen
from ink_tui.tui.render.agent_end import AgentEnd, end_lines
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.head_lines import AgentTab, agent_tabs, status_line
from ink_tui.tui.render.rows import Ground, Role
from ink_tui.tui.widgets import terminal_messages
from ink_tui.tui.widgets.lines import Lines
from ink_tui.tui.widgets.sizes import tell_sizes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.agent.engine import EngineFactory
    from ink_tui.agent.exit_state import ExitState
    from ink_tui.agent.pty_process import StartProcess
    from ink_tui.tui.render.rows import Piece
    from ink_tui.tui.widgets.terminal_pane import TerminalPane
    from ink_tui.tui.widgets.terminal_view import TerminalView


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """What runs in one pane."""

    agent: str
    """Name of the agent."""
    folder: str
    """Last part of its working directory, cleaned."""
    command: str
    """Arguments and folder in words, for an agent that ends at once."""
    session_path: str
    """File of the session it continues."""


@dataclass(slots=True)
class AgentRun:
    """One agent in the area; changes while it lives."""

    number: int
    spec: AgentSpec
    pane: TerminalPane
    note: str = ""
    """What there is to say about its terminal engine."""
    busy: bool = False
    """A call of its session is running."""
    exit_state: ExitState | None = None
    end: AgentEnd | None = None

    @property
    def running(self) -> bool:
        """Whether its process lives."""
        return self.exit_state is None and not self.pane.failure


class _TabsAbove(Lines):
    DEFAULT_CSS = "_TabsAbove { height: 2; }"

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        area = self.query_ancestor(AgentArea)
        tabs = area.tab_values()
        found = agent_tabs(tabs, area.active, cells, self.glyphs, focused=area.lit)
        return found.tabs, found.rule


class _Status(Lines):
    DEFAULT_CSS = "_Status { height: 1; }"

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        return (self.query_ancestor(AgentArea).status(cells),)

    def ground(self, line: int) -> Ground:
        return Ground.BAND


class _End(Lines):
    DEFAULT_CSS = "_End { height: auto; display: none; }"

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        area = self.query_ancestor(AgentArea)
        run = area.current
        if run is None or run.end is None:
            return ()
        return end_lines(run.end, cells, area.keymap, self.glyphs)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return len(self.lines(width))


class AgentArea(Vertical):
    """All agents that were started from here; empty and hidden until the first one."""

    DEFAULT_CSS = """
    AgentArea { display: none; width: 1fr; height: 1fr; }
    AgentArea ContentSwitcher { height: 1fr; padding: 0 1; }
    """
    lit: reactive[bool] = reactive(False)
    """Whether the focus is here."""

    class Ended(Message):
        """An agent has ended; its session should be read again."""

        def __init__(self, run: AgentRun) -> None:
            super().__init__()
            self.run = run

    class KeyboardMoved(Message):
        """Typing goes somewhere else now."""

    def __init__(
        self,
        *,
        keymap: Keymap = DEFAULT_KEYMAP,
        glyphs: Glyphs = UNICODE,
        leave_chord: str = "ctrl+right_square_bracket",
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        super().__init__(id=id)
        self.keymap = keymap
        self.glyphs = glyphs
        self.leave_chord = leave_chord
        self.runs: list[AgentRun] = []
        self.active = 0
        self._made = 0
        self._noted = False
        self._tabs = _TabsAbove(glyphs=glyphs, id="agent-tabs")
        self._panes = ContentSwitcher(id="agent-panes")
        self._end = _End(glyphs=glyphs, id="agent-end")
        self._status = _Status(glyphs=glyphs, id="agent-status")

    # Runs

    @property
    def current(self) -> AgentRun | None:
        """The run whose tab is shown."""
        return self.runs[self.active] if self.runs else None

    @property
    def running(self) -> list[AgentRun]:
        """Runs whose process lives."""
        return [run for run in self.runs if run.running]

    def run_of(self, session_path: str) -> AgentRun | None:
        """Return the newest run of a session, living or not."""
        return next((r for r in reversed(self.runs) if r.spec.session_path == session_path), None)

    async def open(
        self, spec: AgentSpec, start: StartProcess, engine: EngineFactory, note: str = ""
    ) -> AgentRun:
        """Start an agent in a tab of its own and give it the keyboard.

        Args:
            spec: What runs.
            start: Starts its process.
            engine: Makes the engine of its terminal.
            note: What there is to say about that engine; said under the first agent only.
        """
        from ink_tui.tui.widgets.terminal_pane import TerminalPane  # the start needs no terminal

        self._made += 1
        pane = TerminalPane(start, engine, leave_chord=self.leave_chord, id=f"agent-{self._made}")
        number = len(self.runs) + 1
        run = AgentRun(number, spec, pane, note="" if self._noted else note)
        self._noted = self._noted or bool(note)
        self.runs.append(run)
        self.display = True
        if not self._panes.is_attached:
            # Tabs, the terminal, how it ended, where typing goes: few starts need them.
            await self.mount(self._tabs, self._panes, self._end, self._status)
        await self._panes.add_content(pane, set_current=True)
        self.show(len(self.runs) - 1)
        tell_sizes(self)
        pane.capture()
        return run

    def show(self, index: int) -> None:
        """Show the tab of an index, 0-based; an index without a tab does nothing."""
        if not 0 <= index < len(self.runs):
            return
        self.active = index
        self._panes.current = self.runs[index].pane.id
        self.redraw()

    async def close(self, run: AgentRun) -> None:
        """Take a tab away; its process is ended if it still lives."""
        self.runs.remove(run)
        for number, left in enumerate(self.runs, 1):
            left.number = number
        await run.pane.remove()
        self.active = max(0, min(self.active, len(self.runs) - 1))
        self.display = bool(self.runs)
        self.show(self.active)

    def set_end(self, run: AgentRun, end: AgentEnd) -> None:
        """Say how an agent ended and what that means."""
        run.end = end
        self.redraw()

    def set_busy(self, session_path: str, *, busy: bool) -> None:
        """Say whether a call of a session is running."""
        run = self.run_of(session_path)
        if run is not None and run.busy != busy:
            run.busy = busy
            self.redraw()

    def focus_agent(self) -> None:
        """Give the keyboard to the agent that is shown, or the focus to its last screen."""
        if self.current is not None:
            self.current.pane.capture()

    # What is shown

    def tab_values(self) -> tuple[AgentTab, ...]:
        """Return the tabs as values."""
        return tuple(self._tab(run) for run in self.runs)

    def _tab(self, run: AgentRun) -> AgentTab:
        name = " · ".join(part for part in (run.spec.agent, run.spec.folder) if part)
        if self.glyphs.ascii:
            name = name.replace("·", self.glyphs.separator)
        if run.pane.failure:
            return AgentTab(run.number, name, "not started", Role.ERROR, self.glyphs.failed)
        if run.exit_state is not None:
            good = run.exit_state.ok
            role = Role.MUTED if good else Role.ERROR
            mark = "" if good else self.glyphs.failed
            return AgentTab(run.number, name, run.exit_state.words(), role, mark)
        if not run.pane.started:
            return AgentTab(run.number, name, "starting", Role.MUTED)
        if run.busy:
            return AgentTab(run.number, name, "working", Role.SUCCESS, self.glyphs.live)
        return AgentTab(run.number, name, "waiting for you", Role.WARNING)

    def status(self, cells: int) -> tuple[Piece, ...]:
        """Return the row that says where typing goes."""
        run = self.current
        chord = display_key(self.leave_chord, ascii_only=self.glyphs.ascii)
        columns, rows = run.pane.terminal_size if run else (0, 0)
        size = f"{columns}{self.glyphs.times}{rows}"
        keyboard = run.pane.keyboard if run else "released"
        if run is None or not run.running:
            return status_line("the agent has ended", "b", "browser", size, cells, self.glyphs)
        if keyboard == "scroll":
            words, key, then = "scrolling back", "esc", "to the newest"
        elif keyboard == "menu":
            words, key, then = "next key", "esc", "back to the agent"
        elif keyboard == "captured":
            words, key, then = "typing goes to the agent", chord, "leave"
        else:
            words, key, then = "typing goes to the browser", chord, "back to the agent"
        return status_line(words, key, then, size, cells, self.glyphs, run.note)

    def redraw(self) -> None:
        """Draw tabs, end and status anew."""
        if not self.is_mounted:
            return
        run = self.current
        shows_end = run is not None and run.end is not None
        if self._end.display != shows_end:
            self._end.display = shows_end
        self._end.refresh(layout=True)
        self._tabs.refresh()
        self._status.refresh()

    def watch_lit(self) -> None:
        """Draw the tabs as those of the focused pane, or not."""
        self.redraw()

    @property
    def key_context(self) -> Context:
        """Where a key goes while the focus is here."""
        run = self.current
        if run is None:
            return Context.EVERYWHERE
        if not run.running:
            return Context.AGENT_EXITED
        if run.pane.keyboard == "captured":
            return Context.AGENT_CAPTURED
        return Context.AGENT_MENU if run.pane.keyboard == "menu" else Context.EVERYWHERE

    # From the panes

    def _run_of_pane(self, pane: TerminalView) -> AgentRun | None:
        return next((run for run in self.runs if run.pane is pane), None)

    @on(terminal_messages.Exited)
    def _pane_exited(self, message: terminal_messages.Exited) -> None:
        run = self._run_of_pane(message.pane)
        if run is not None:
            run.exit_state = message.state
            self.redraw()
            self.post_message(self.Ended(run))
            self.post_message(self.KeyboardMoved())

    @on(terminal_messages.LaunchFailed)
    def _launch_failed(self, message: terminal_messages.LaunchFailed) -> None:
        self.redraw()

    @on(terminal_messages.KeyboardChanged)
    def _keyboard_changed(self, message: terminal_messages.KeyboardChanged) -> None:
        self.redraw()
        self.post_message(self.KeyboardMoved())

    @on(terminal_messages.SizeTaken)
    def _size_taken(self, message: terminal_messages.SizeTaken) -> None:
        message.stop()
        self._status.refresh()

    @on(terminal_messages.MenuKey)
    def _menu_key(self, message: terminal_messages.MenuKey) -> None:
        message.stop()
        key = message.key
        if key.isdigit():
            self.show(int(key) - 1)
            self.focus_agent()
            return
        wanted = {"b": "agent-browser", "z": "agent-full-width", "k": "agent-stop"}.get(key)
        wanted = "agent-help" if key == "?" else wanted
        if wanted is not None:
            self.post_message(ActionChosen(wanted))
