"""From the wish to resume or fork to the running agent: look, ask, write, launch.

Everything that looks at files or processes, and everything that writes, runs in a thread; the
dialogs and the pane are touched on the loop only. Nothing is written that the preflight has not
listed (`design.md` sections 1 and 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.agent.launch import LaunchPlan, plan_launch
from ink_tui.agent.preflight import OptionId, Preflight, build_preflight
from ink_tui.errors import LaunchError
from ink_tui.model.liveness import NOBODY, Holder, HolderKind
from ink_tui.store.fork import ForkOutcome, write_fork
from ink_tui.store.holders import find_holder
from ink_tui.store.repair import RepairOutcome, apply_repair, undo_last
from ink_tui.store.repair_plan import read_diagnosis

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.model.entries import EntryId
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.tui.screens.preflight import PreflightChoice
    from ink_tui.tui.services import Services
    from ink_tui.tui.widgets.agent_area import AgentRun


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked for."""

    path: str
    entry_id: EntryId | None = None
    """The record that a fork starts from; `None` means the resume point."""
    forking: bool = False
    agent: str | None = None
    """Name of the wanted agent; `None` takes the first that can be offered."""


@dataclass(frozen=True, slots=True)
class Ready:
    """What is left to do after the writes: start this."""

    plan: LaunchPlan
    session_path: str
    hand_over: bool
    sentence: str
    """What was written, in words; empty when nothing was."""
    prompt: str = ""
    """Text of the user message that was forked at, for the new prompt."""


def root_of(path: str, roots: tuple[str, ...]) -> Path:
    """Return the session root that a file lies in, else the folder two levels above it."""
    for root in roots:
        if Path(path).is_relative_to(root):
            return Path(root)
    return Path(path).parent.parent


class ResumeFlow:
    """The steps of a resume, without any widget of their own."""

    def __init__(self, services: Services, run_of: Callable[[str], AgentRun | None]) -> None:
        """Make the flow.

        Args:
            services: The outside world.
            run_of: The newest agent run of a session file in our own panes, if there is one.
        """
        self.services = services
        self._run_of = run_of

    def own_pane(self, path: str) -> tuple[Holder, bool]:
        """Return who of our own panes holds a session, and whether one has ended."""
        run = self._run_of(path)
        if run is None:
            return NOBODY, False
        if run.running:
            return Holder(HolderKind.CERTAIN, f"the agent in pane {run.number}"), False
        return NOBODY, True

    def holder(self, path: Path, diagnosis: Diagnosis) -> Holder:
        """Return who holds a session now; blocks."""
        header = diagnosis.session.header
        return find_holder(
            path,
            session_id=header.id if header is not None else "",
            cwd=header.cwd if header is not None else "",
            state_dir=self.services.state_dir,
            now_ms=self.services.clock(),
            match={name for agent in self.services.agents for name in agent.match},
            own_pane=self.own_pane(str(path))[0],
        )

    def look(self, request: Request) -> Preflight:
        """Return the preflight of a request; blocks, call it from a thread.

        Raises:
            InkTuiError: The file cannot be read at all.
        """
        services = self.services
        holder, ended = self.own_pane(request.path)
        return build_preflight(
            Path(request.path),
            root=root_of(request.path, services.library.roots),
            agents=services.agents,
            state_dir=services.state_dir,
            now_ms=services.clock(),
            agent=request.agent,
            entry_id=request.entry_id,
            forking=request.forking,
            own_pane=holder,
            own_pane_ended=ended,
            search_path=services.search_path,
            home=services.home,
        )

    def do(self, preflight: Preflight, choice: PreflightChoice, folder: str | None) -> Ready:
        """Write what was chosen and return what is to be started; blocks.

        Args:
            preflight: What the person saw.
            choice: What the person decided.
            folder: Working folder of the copy, for a relocation.

        Raises:
            InkTuiError: It was refused, or the system refused; the sentence says so.
        """
        path = str(preflight.path)
        if choice.option is OptionId.REPAIR:
            repaired = self._repair(preflight, choice)
            return self._ready(path, choice, repaired.sentence)
        if choice.option in (OptionId.FORK, OptionId.RELOCATE):
            forked = self._fork(preflight, folder)
            prompt = preflight.fork.prompt
            return self._ready(str(forked.path), choice, forked.sentence, prompt)
        return self._ready(path, choice, "")

    def undo(self, path: str) -> RepairOutcome:
        """Undo the last repair of a session; blocks.

        Raises:
            InkTuiError: There is none, or the file has changed since.
        """
        diagnosis, _state = read_diagnosis(Path(path))
        holder = self.holder(Path(path), diagnosis)
        return undo_last(
            Path(path),
            state_dir=self.services.state_dir,
            now_ms=self.services.clock(),
            holder=holder,
        )

    def _repair(self, preflight: Preflight, choice: PreflightChoice) -> RepairOutcome:
        holder = self.holder(preflight.path, preflight.diagnosis)
        return apply_repair(
            preflight.repair,
            state_dir=self.services.state_dir,
            now_ms=self.services.clock(),
            holder=holder,
            confirmed=choice.confirmed,
        )

    def _fork(self, preflight: Preflight, folder: str | None) -> ForkOutcome:
        return write_fork(
            preflight.path,
            preflight.fork,
            root=root_of(str(preflight.path), self.services.library.roots),
            now_ms=self.services.clock(),
            cwd=folder,
        )

    def _ready(self, path: str, choice: PreflightChoice, sentence: str, prompt: str = "") -> Ready:
        """Plan the start from the file as it is now."""
        diagnosis, _state = read_diagnosis(Path(path))
        plan = plan_launch(
            diagnosis,
            Path(path),
            root=root_of(path, self.services.library.roots),
            agents=self.services.agents,
            agent=choice.agent,
            search_path=self.services.search_path,
        )
        if not plan.allowed:
            raise LaunchError(plan.refusal_reason_kind or "refused", plan.sentence)
        return Ready(plan, path, choice.hand_over, sentence, prompt)
