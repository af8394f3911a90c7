"""Everything a person should see before a session is resumed or forked (`design.md` section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.liveness import NOBODY, Freshness, Holder

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.agent.agents import Agent
    from ink_tui.agent.launch import LaunchPlan
    from ink_tui.model.entries import EntryId
    from ink_tui.model.fork_points import ForkPlan
    from ink_tui.model.verdict import Diagnosis, Verdict
    from ink_tui.store.file_state import FileState
    from ink_tui.store.repair_plan import RepairPlan


class OptionId(StrEnum):
    """What can be chosen."""

    REPAIR = "repair"
    FORK = "fork"
    RESUME = "resume"
    """As is; of a healthy session: the plain resume."""
    RELOCATE = "relocate"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class PreflightFact:
    """One row of facts: a label, what is so, and a note at the right."""

    label: str
    """`Folder`, `Agent`, `Command`, `Context` or `Writers`."""
    text: str
    note: str = ""
    state: str = ""
    """`good`, `warn`, `bad` or empty: which mark stands before the note."""
    second: str = ""
    """A second line in muted text; goes first when space is short."""


@dataclass(frozen=True, slots=True)
class PreflightCall:
    """A call without a saved result."""

    tool: str
    argument: str
    """What it was about, one line."""
    call_id: str


@dataclass(frozen=True, slots=True)
class PreflightWrite:
    """One thing that would be written."""

    sign: str
    """`-` for bytes that go, `+` for what is added."""
    amount: str
    """`213 bytes`, `1 byte`, `1 record`."""
    place: str
    """Where: `byte 48,190 to the end`."""
    preview: str
    """The bytes or their meaning, one line, cleaned."""


@dataclass(frozen=True, slots=True)
class PreflightOption:
    """One row that can be chosen."""

    id: OptionId
    name: str
    """Exact words of `ui.md` section 6."""
    consequence: str
    """What happens; the reason instead when it cannot be chosen."""
    key: str
    """Key as the footer writes it; the default option also answers to enter."""
    enabled: bool
    needs_second_confirmation: bool = False


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
    options: tuple[PreflightOption, ...]
    """In the order of `ui.md`; none is hidden."""
    default: OptionId
    repair: RepairPlan
    fork: ForkPlan
    launch: LaunchPlan
    diagnosis: Diagnosis
    freshness: Freshness
    holder: Holder

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

    Raises:
        StoreError: The file cannot be read at all.
    """
    raise NotImplementedError


def session_changed(preflight: Preflight) -> bool:
    """Return whether the file is no longer as the preflight describes it."""
    raise NotImplementedError
