"""The life of agents beside the sessions: starting one, its end, and leaving with some alive."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.errors import InkTuiError
from ink_tui.model.liveness import NO_PANE, Holder, HolderKind, OwnPane
from ink_tui.model.row_words import Activity
from ink_tui.model.text import one_line
from ink_tui.model.words import counted
from ink_tui.tui.render.agent_end import AgentEnd
from ink_tui.tui.widgets.agent_area import AgentArea, AgentRun, AgentSpec

if TYPE_CHECKING:
    from ink_tui.agent.continuing import Ready
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.tui.services import Services

QUICK_SECONDS = 2.0
"""An agent that ends sooner with an error also shows its arguments and folder."""


@dataclass(frozen=True, slots=True)
class Before:
    """A session as it was when its agent was started."""

    records: int
    open_calls: int


class Agents:
    """Starts agents in the area and says what became of them."""

    def __init__(self, services: Services, area: AgentArea) -> None:
        """Make it.

        Args:
            services: The outside world.
            area: Where agents are shown.
        """
        self.services = services
        self.area = area
        self._before: dict[int, Before] = {}
        self._ended: dict[str, int] = {}
        """Records of each session when its agent had ended."""
        self._others: dict[str, tuple[int, str]] = {}
        """Records that others added since, and when that was seen."""

    def own_pane(self, path: str) -> OwnPane:
        """Return what our own panes have to do with a session."""
        run = self.area.run_of(path)
        if run is None:
            return NO_PANE
        if run.running:
            return OwnPane(Holder(HolderKind.CERTAIN, f"the agent in pane {run.number}"))
        return OwnPane(ended=True)

    async def start(self, ready: Ready) -> AgentRun:
        """Start an agent in a pane of its own.

        Raises:
            LaunchError: There is no terminal engine.
        """
        from ink_tui.agent.pty_process import launcher  # only a pane needs it

        plan = ready.plan
        engine = await asyncio.to_thread(self.services.load_engine)
        before = await asyncio.to_thread(self._count, ready.session_path)
        spec = AgentSpec(
            agent=one_line(plan.agent),
            folder=one_line(plan.cwd.rstrip("/").rsplit("/", 1)[-1]),
            command=f"{one_line(' '.join(plan.argv))}  in {one_line(plan.cwd)}",
            session_path=ready.session_path,
        )
        start = launcher(plan.argv, plan.cwd, self.services.env)
        self.forget(ready.session_path)
        run = await self.area.open(spec, start, engine, engine.note)
        self._before[id(run)] = before
        return run

    def _count(self, path: str) -> Before:
        return _counts(self.services.library.open(path).diagnosis)

    async def tell_end(self, run: AgentRun) -> None:
        """Say under an agent's last screen how it ended and what changed in its session."""
        state = run.exit_state
        if state is None:
            return
        path = run.spec.session_path
        before = self._before.pop(id(run), Before(0, 0))
        try:
            after = await asyncio.to_thread(self._count, path)
        except InkTuiError:
            after = before  # the list says what is wrong with the file
        if self.area.run_of(path) is run:
            self._ended[path] = after.records
        quick = not state.ok and state.seconds < QUICK_SECONDS
        now = self.services.now().astimezone(self.services.zone)
        end = AgentEnd(
            sentence=state.sentence(),
            good=state.ok,
            when=f"{now:%H:%M:%S}",
            meaning=_meaning(before, after),
            worrying=after.open_calls > 0,
            command=run.spec.command if quick else "",
        )
        self.area.set_end(run, end)

    def forget(self, path: str) -> None:
        """Take what is written to a session from now on for our own doing."""
        self._ended.pop(path, None)
        self._others.pop(path, None)

    def note_of_others(self, path: str, diagnosis: Diagnosis) -> str:
        """Return a sentence if another program wrote to the session of an agent that has ended."""
        ended, run = self._ended.get(path), self.area.run_of(path)
        added = len(diagnosis.session.records) - ended if ended is not None else 0
        if run is None or run.running or added <= 0:
            return ""
        if self._others.get(path, (0, ""))[0] != added:
            now = self.services.now().astimezone(self.services.zone)
            self._others[path] = (added, f"{now:%H:%M}")
        when = self._others[path][1]
        records = counted(added, "record")
        return f"Another program wrote here at {when} ({records}). We are not writing."

    def activities(self) -> dict[str, Activity]:
        """Return what the agents that run do, by the path of their session."""
        found: dict[str, Activity] = {}
        for run in self.area.running:
            call = self._open_call(run.spec.session_path)
            found[run.spec.session_path] = call or Activity(waiting=run.pane.started)
        return found

    def _open_call(self, path: str) -> Activity | None:
        opened = self.services.library.last(path)
        if opened is None or not opened.diagnosis.open_calls:
            return None
        diagnosis = opened.diagnosis
        paired = diagnosis.open_calls[-1]
        entry = None
        if diagnosis.context is not None:
            entry = diagnosis.context.messages[paired.message_index].entry_id
        node = diagnosis.session.nodes.get(entry) if entry is not None else None
        words = one_line(paired.call.tool)
        return Activity(doing=words, since_ms=node.time_ms if node is not None else None)


def _counts(diagnosis: Diagnosis) -> Before:
    return Before(len(diagnosis.session.records), len(diagnosis.open_calls))


def _meaning(before: Before, after: Before) -> str:
    saved = after.records - before.records
    records = f"{counted(saved, 'record')} saved." if saved >= 0 else "The file became shorter."
    if after.open_calls:
        calls = counted(after.open_calls, "call")
        verb = "has" if after.open_calls == 1 else "have"
        return f"{calls} {verb} no saved result; it may have run. {records}"
    return records
