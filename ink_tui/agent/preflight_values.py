"""The parts of a preflight as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.agent.agents import AgentOffer
    from ink_tui.agent.launch import LaunchPlan
    from ink_tui.model.fork_points import ForkPlan
    from ink_tui.model.in_place import InPlace
    from ink_tui.model.liveness import Freshness, Holder
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.file_state import FileState
    from ink_tui.store.repair_plan import RepairPlan


class OptionId(StrEnum):
    """What can be chosen."""

    REPAIR = "repair"
    FORK = "fork"
    IN_PLACE = "in-place"
    """Go on from an earlier record in the same file."""
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
    evidence: str = ""
    """What can be seen of it now, in a few words; never says whether it ran."""
    strong: str = ""
    """The part of `evidence` that is emphasised; empty for none."""
    second: str = ""
    """More about that for a second line; goes first when space is short."""
    is_path: bool = False
    """Whether `argument` is a path, which is cut in its middle."""


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
class Seen:
    """Everything that was looked at, before it is put into words."""

    path: Path
    diagnosis: Diagnosis
    state: FileState
    repair: RepairPlan
    fork: ForkPlan
    launch: LaunchPlan
    copy: AgentOffer
    """The agent of a copy in the same working directory."""
    freshness: Freshness
    holder: Holder
    forking: bool
    now_ms: int
    root: Path
    home: str
    """Home folder, shown as `~`."""
    ink: AgentOffer | None
    """Ink's own offer, for its reason when it is not offered."""
    in_place: InPlace | None = None
    """The same fork in the file itself; `None` where that is not a question."""
