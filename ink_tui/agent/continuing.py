"""From the wish to resume or fork to the command that does it: look, write, plan.

Every method looks at files or processes, or writes, and so blocks: call it from a thread. Nothing
is written that the preflight has not listed (`design.md` sections 1 and 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.agent.launch import LaunchPlan, plan_launch
from ink_tui.agent.preflight import OptionId, Preflight, build_preflight
from ink_tui.errors import LaunchError, RefusedError
from ink_tui.model.liveness import NO_PANE, Holder, OwnPane
from ink_tui.store.fork import ForkOutcome, write_fork
from ink_tui.store.holders import find_holder
from ink_tui.store.in_place import continue_in_place
from ink_tui.store.repair import RepairOutcome, UndoPlan, apply_repair, plan_undo, undo_last
from ink_tui.store.repair_plan import read_diagnosis

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.agent.agents import Agent
    from ink_tui.model.entries import EntryId
    from ink_tui.model.verdict import Diagnosis


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a resume depends on beside the session."""

    roots: tuple[str, ...]
    """Session roots."""
    state_dir: Path
    """Our own folder for backups, journal and locks."""
    agents: tuple[Agent, ...]
    """Known agents in order of preference."""
    clock: Callable[[], int]
    """The present in milliseconds since 1970."""
    home: str = ""
    """Home folder, shown as `~`."""
    zone: tzinfo = UTC
    """Zone in which times are shown."""
    search_path: str | None = None
    """Folders to look for programs in; None takes `PATH`."""


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
class Decision:
    """What the user chose in the preflight."""

    option: OptionId
    confirmed: bool = False
    """The option was confirmed a second time, as it asked for."""
    agent: str | None = None
    """Name of the agent that the preflight showed."""
    folder: str | None = None
    """Working folder of the copy, for a relocation."""


@dataclass(frozen=True, slots=True)
class Ready:
    """What is left to do after the writes: start this."""

    plan: LaunchPlan
    session_path: str
    sentence: str
    """What was written, in words; empty when nothing was."""
    prompt: str = ""
    """Text of the user message that was forked at, for the new prompt."""


def root_of(path: str, roots: tuple[str, ...]) -> Path:
    """Return the session root that a file lies in, else its own folder."""
    for root in roots:
        if path != root and Path(path).is_relative_to(root):
            return Path(root)
    return Path(path).parent


class Continuing:
    """The steps of a resume or a fork, without any screen."""

    def __init__(
        self, around: Surroundings, own_pane: Callable[[str], OwnPane] = lambda _path: NO_PANE
    ) -> None:
        """Make the steps.

        Args:
            around: What they depend on.
            own_pane: What our own panes have to do with a session file.
        """
        self.around = around
        self._own_pane = own_pane

    def holder(self, path: Path, diagnosis: Diagnosis) -> Holder:
        """Return who holds a session now; blocks."""
        header = diagnosis.session.header
        return find_holder(
            path,
            session_id=header.id if header is not None else "",
            cwd=header.cwd if header is not None else "",
            state_dir=self.around.state_dir,
            now_ms=self.around.clock(),
            match={name for agent in self.around.agents for name in agent.match},
            own_pane=self._own_pane(str(path)).holder,
        )

    def look(self, request: Request) -> Preflight:
        """Return the preflight of a request; blocks, call it from a thread.

        Raises:
            InkTuiError: The file cannot be read at all.
        """
        around = self.around
        own_pane = self._own_pane(request.path)
        return build_preflight(
            Path(request.path),
            root=root_of(request.path, around.roots),
            agents=around.agents,
            state_dir=around.state_dir,
            now_ms=around.clock(),
            agent=request.agent,
            entry_id=request.entry_id,
            forking=request.forking,
            own_pane=own_pane.holder,
            own_pane_ended=own_pane.ended,
            search_path=around.search_path,
            home=around.home,
            zone=around.zone,
        )

    def do(self, preflight: Preflight, choice: Decision) -> Ready:
        """Write what was chosen and return what is to be started; blocks.

        Args:
            preflight: What the person saw.
            choice: What the person decided.

        Raises:
            InkTuiError: It was refused, or the system refused; the sentence says so.
        """
        path = str(preflight.path)
        if choice.option is OptionId.REPAIR:
            repaired = self._repair(preflight, choice)
            return self._ready(path, choice, repaired.sentence)
        if choice.option in (OptionId.FORK, OptionId.RELOCATE):
            forked = self._fork(preflight, choice.folder)
            prompt = preflight.fork.prompt
            return self._ready(str(forked.path), choice, forked.sentence, prompt)
        if choice.option is OptionId.IN_PLACE:
            moved = self._continue_in_place(preflight)
            return self._ready(path, choice, moved.sentence, preflight.fork.prompt)
        return self._ready(path, choice, "")

    def look_to_undo(self, path: str) -> tuple[UndoPlan, str]:
        """Return what an undo would take back, and why it must be confirmed, if so; blocks.

        Raises:
            InkTuiError: There is nothing to undo, or the file has changed since.
        """
        plan = plan_undo(Path(path), state_dir=self.around.state_dir)
        diagnosis, _state = read_diagnosis(Path(path))
        holder = self.holder(Path(path), diagnosis)
        ended = self._own_pane(path).ended
        return plan, plan.doubt(holder, self.around.clock(), own_pane_ended=ended)

    def undo(self, path: str, *, confirmed: bool = False) -> RepairOutcome:
        """Undo our last change to a session; blocks.

        Args:
            path: The session file.
            confirmed: The user was asked a second time.

        Raises:
            InkTuiError: There is none, the file has changed since, or it may be in use.
        """
        diagnosis, _state = read_diagnosis(Path(path))
        holder = self.holder(Path(path), diagnosis)
        return undo_last(
            Path(path),
            state_dir=self.around.state_dir,
            now_ms=self.around.clock(),
            holder=holder,
            confirmed=confirmed,
            own_pane_ended=self._own_pane(path).ended,
        )

    def _repair(self, preflight: Preflight, choice: Decision) -> RepairOutcome:
        holder = self.holder(preflight.path, preflight.diagnosis)
        return apply_repair(
            preflight.repair,
            state_dir=self.around.state_dir,
            now_ms=self.around.clock(),
            holder=holder,
            confirmed=choice.confirmed,
        )

    def _fork(self, preflight: Preflight, folder: str | None) -> ForkOutcome:
        return write_fork(
            preflight.path,
            preflight.fork,
            root=root_of(str(preflight.path), self.around.roots),
            now_ms=self.around.clock(),
            cwd=folder,
        )

    def _continue_in_place(self, preflight: Preflight) -> RepairOutcome:
        if preflight.in_place is None or preflight.state is None:
            raise RefusedError("not-allowed", "This record was not offered. Nothing was changed.")
        return continue_in_place(
            preflight.path,
            preflight.state,
            preflight.in_place,
            state_dir=self.around.state_dir,
            now_ms=self.around.clock(),
            fresh=preflight.freshness,
            holder=self.holder(preflight.path, preflight.diagnosis),
        )

    def _ready(self, path: str, choice: Decision, sentence: str, prompt: str = "") -> Ready:
        """Plan the start from the file as it is now."""
        diagnosis, _state = read_diagnosis(Path(path))
        plan = plan_launch(
            diagnosis,
            Path(path),
            root=root_of(path, self.around.roots),
            agents=self.around.agents,
            agent=choice.agent,
            search_path=self.around.search_path,
        )
        if not plan.allowed:
            raise LaunchError(plan.refusal_reason_kind or "refused", plan.sentence)
        return Ready(plan, path, sentence, prompt)
