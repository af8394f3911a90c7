"""Everything a person should see before a session is resumed or forked (`design.md` section 4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING

from ink_tui.agent.agents import INK, offer
from ink_tui.agent.launch import choose_agent, plan_launch
from ink_tui.agent.preflight_choices import default_option, preflight_options
from ink_tui.agent.preflight_values import (
    OptionId,
    PreflightCall,
    PreflightFact,
    PreflightOption,
    PreflightWrite,
    Seen,
)
from ink_tui.agent.preflight_words import preflight_facts, verdict_words, written
from ink_tui.errors import RefusedError, StoreError
from ink_tui.model.in_place import InPlace, in_place
from ink_tui.model.liveness import NOBODY, Freshness, Holder, freshness
from ink_tui.model.salvage import copy_plan
from ink_tui.model.text import one_line
from ink_tui.model.tool_facts import tool_facts
from ink_tui.store.evidence import look_at_calls
from ink_tui.store.file_state import state_of
from ink_tui.store.files import open_for_reading
from ink_tui.store.fork import top_level_folder
from ink_tui.store.holders import find_holder
from ink_tui.store.repair import undoable
from ink_tui.store.repair_plan import plan_of, read_diagnosis, read_strictly, refused_plan

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.agent.agents import Agent, AgentOffer
    from ink_tui.agent.launch import LaunchPlan
    from ink_tui.model.changes import ChangeKind
    from ink_tui.model.entries import EntryId
    from ink_tui.model.fork_points import ForkPlan
    from ink_tui.model.verdict import Diagnosis, Verdict
    from ink_tui.store.file_state import FileState
    from ink_tui.store.repair_plan import Reading, RepairPlan


__all__ = [
    "OptionId",
    "Preflight",
    "PreflightCall",
    "PreflightFact",
    "PreflightOption",
    "PreflightWrite",
    "build_preflight",
    "session_changed",
]


@dataclass(frozen=True, slots=True)
class Preflight:
    """All facts and choices before a resume or a fork."""

    path: Path
    state: FileState | None
    """The file state that everything here is about; `None` when it could not be read."""
    verb: str
    """`Resume` or `Fork`: the first word of the title row."""
    title: str
    session_id: str
    verdict: Verdict
    """The content's verdict; `inspect` when somebody may be using the session, `refuse` when
    nothing can be started."""
    headline: str
    """The verdict in words, for example `Can be repaired`."""
    reason: str
    """Why, one sentence or two."""
    facts: tuple[PreflightFact, ...]
    calls: tuple[PreflightCall, ...]
    writes_name: str
    """Short name of the file that is written; empty when nothing would be."""
    writes_note: str
    writes: tuple[PreflightWrite, ...]
    """Everything that the default option writes; the repair when that is possible."""
    options: tuple[PreflightOption, ...]
    """In the order of `ui.md`; none is hidden."""
    default: OptionId
    repair: RepairPlan
    fork: ForkPlan
    launch: LaunchPlan
    diagnosis: Diagnosis
    freshness: Freshness
    holder: Holder
    in_place: InPlace | None = None
    """The same fork in the file itself; `None` where that is not a question."""
    undo: ChangeKind | None = None
    """Our last change to the file, if it can be taken back."""

    def option(self, option_id: OptionId) -> PreflightOption | None:
        """Return an option by its id; `None` when it is not on this screen."""
        return next((option for option in self.options if option.id is option_id), None)


def build_preflight(
    path: Path,
    *,
    root: Path,
    agents: tuple[Agent, ...],
    state_dir: Path,
    now_ms: int,
    agent: str | None = None,
    entry_id: EntryId | None = None,
    forking: bool = False,
    own_pane: Holder = NOBODY,
    own_pane_ended: bool = False,
    search_path: str | None = None,
    home: str = "",
    zone: tzinfo = UTC,
) -> Preflight:
    """Look at a session, its folder, its agent and its writers; call it from a worker.

    Args:
        path: The session file.
        root: The session root that it lies in.
        agents: The known agents in order of preference.
        state_dir: Our own state folder.
        now_ms: The present, in milliseconds since 1970.
        agent: Name of the wanted agent; `None` takes the first that can be offered.
        entry_id: The record that a fork starts from; `None` means the resume point.
        forking: The user asked for a fork.
        own_pane: Our own running pane of this session, if there is one.
        own_pane_ended: Our own pane was the last writer and its agent has exited.
        search_path: Folders to look for programs in; the default is `PATH`.
        home: Home folder, shown as `~`.
        zone: The user's zone, for times.

    Raises:
        StoreError: The file cannot be read at all.
    """
    diagnosis, state, reading, problem = _look(path)
    header = diagnosis.session.header
    session_id, cwd = (header.id, header.cwd) if header is not None else ("", "")
    holder = find_holder(
        path,
        session_id=session_id,
        cwd=cwd,
        state_dir=state_dir,
        now_ms=now_ms,
        match={name for known in agents for name in known.match},
        own_pane=own_pane,
    )
    if reading is None:
        repair = refused_plan(path, *problem, state=state, holder=holder)
    else:
        repair = plan_of(path, reading, now_ms=now_ms, holder=holder, own_pane_ended=own_pane_ended)
    places = _Places(agents, root, cwd, search_path)
    launch, copy = places.launches(diagnosis, path, agent, holder)
    changed_ms = state.mtime_ns // 1_000_000
    fork = copy_plan(diagnosis, entry_id)
    return _preflight(
        Seen(
            path=path,
            diagnosis=diagnosis,
            state=state,
            repair=repair,
            fork=fork,
            launch=launch,
            copy=copy,
            freshness=Freshness.COLD if own_pane_ended else freshness(now_ms, changed_ms),
            holder=holder,
            forking=forking,
            now_ms=now_ms,
            root=root,
            home=home,
            ink=places.ink(path),
            in_place=in_place(diagnosis, fork) if forking and entry_id is not None else None,
        ),
        _calls(path, diagnosis, _Words(now_ms, zone, home)),
        undoable(path, state, state_dir=state_dir),
    )


@dataclass(frozen=True, slots=True)
class _Words:
    """For whom and when things are put into words."""

    now_ms: int
    zone: tzinfo
    home: str


def _calls(path: Path, diagnosis: Diagnosis, words: _Words) -> tuple[PreflightCall, ...]:
    """Return the calls without a saved result, with what can be seen of each."""
    found: list[PreflightCall] = []
    for paired, seen in zip(diagnosis.open_calls, look_at_calls(str(path), diagnosis), strict=True):
        facts = tool_facts(paired.call)
        found.append(
            PreflightCall(
                one_line(paired.call.tool),
                facts.what,
                paired.call.call_id,
                evidence=seen.words,
                strong=seen.strong,
                second=seen.second_line(now_ms=words.now_ms, zone=words.zone, home=words.home),
                is_path=facts.is_path,
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Places:
    """Where agents look for sessions, and where they are looked for themselves."""

    agents: tuple[Agent, ...]
    root: Path
    cwd: str
    search_path: str | None

    def launches(
        self, diagnosis: Diagnosis, path: Path, agent: str | None, holder: Holder
    ) -> tuple[LaunchPlan, AgentOffer]:
        """Return the start on the session itself, and the agent of a copy of it."""
        launch = plan_launch(
            diagnosis,
            path,
            root=self.root,
            agents=self.agents,
            agent=agent,
            holder=holder,
            search_path=self.search_path,
        )
        header = diagnosis.session.header
        child = header is not None and header.parent_id is not None
        copy = choose_agent(
            self.agents,
            agent,
            path=top_level_folder(path, self.root, child=child) / "copy.jsonl",
            root=self.root,
            cwd=self.cwd,
            search_path=self.search_path,
        )
        if not launch.allowed and copy.offered:
            launch = replace(launch, agent=copy.agent.name, program=copy.program)
        return launch, copy

    def ink(self, path: Path) -> AgentOffer | None:
        """Return Ink's own offer, for its reason when it is not offered."""
        found = next((known for known in self.agents if known.name == INK), None)
        if found is None:
            return None
        return offer(found, path=path, root=self.root, cwd=self.cwd, search_path=self.search_path)


def session_changed(preflight: Preflight) -> bool:
    """Return whether the file is no longer as the preflight describes it; reads 64 KiB."""
    try:
        with open_for_reading(str(preflight.path)) as (descriptor, _print):
            return state_of(descriptor) != preflight.state
    except StoreError:
        return True


def _look(path: Path) -> tuple[Diagnosis, FileState, Reading | None, tuple[str, str]]:
    """Return the session, and why it cannot be repaired when its file forbids that."""
    try:
        reading = read_strictly(path)
    except RefusedError as error:
        diagnosis, state = read_diagnosis(path)
        return diagnosis, state, None, (error.kind, str(error))
    return reading.diagnosis, reading.state, reading, ("", "")


def _preflight(seen: Seen, calls: tuple[PreflightCall, ...], undo: ChangeKind | None) -> Preflight:
    options = preflight_options(seen)
    default = default_option(seen, options)
    verdict, headline, reason = verdict_words(seen)
    header = seen.diagnosis.session.header
    here = any(option.id is OptionId.IN_PLACE and option.enabled for option in options)
    listed = written(seen, default, writes_in_place=here)
    return Preflight(
        path=seen.path,
        state=seen.state,
        verb="Fork" if seen.forking else "Resume",
        title=one_line(seen.diagnosis.title) or "a session without a title",
        session_id=one_line(header.id) if header is not None else "",
        verdict=verdict,
        headline=headline,
        reason=reason,
        facts=preflight_facts(seen),
        calls=calls,
        writes_name=listed.name,
        writes_note=listed.note,
        writes=listed.writes,
        options=options,
        default=default,
        repair=seen.repair,
        fork=seen.fork,
        launch=seen.launch,
        diagnosis=seen.diagnosis,
        freshness=seen.freshness,
        holder=seen.holder,
        in_place=seen.in_place,
        undo=undo,
    )
