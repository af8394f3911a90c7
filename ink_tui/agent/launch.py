"""How an agent would be started: program, arguments and folder, as a value that can be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.liveness import NOBODY, Holder

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.agent.agents import Agent
    from ink_tui.model.verdict import Diagnosis


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """One start of one agent, or why it is refused (`design.md` section 5, `trust.md` 2.8)."""

    allowed: bool
    refusal_reason_kind: str | None
    """A kind of the cases, or `agent-missing`, `unreachable`, `child-session`, `in-use`."""
    sentence: str
    """What will be started, or why it is refused and what to do next."""
    agent: str
    """Name of the agent as in the config: `ink`, `built-in`, ..."""
    program: str
    """Absolute path; empty when it was not found."""
    argv: tuple[str, ...]
    """`argv[0]` is the program; empty when nothing can be started."""
    cwd: str
    """Folder the agent is started in; empty when the header names none."""
    resume_id: str | None
    """Header id of the session, whole."""
    resume_argument: str | None
    """The one argument that names the session: its id, or its file where an id would not do."""
    copy_command: str
    """The same as one line for a POSIX shell, quoted; empty when nothing can be started."""
    writes: tuple[str, ...]
    """What is written before the start, in words."""
    shell: bool = False
    """Always false: no shell takes part."""


def plan_launch(
    diagnosis: Diagnosis,
    path: Path,
    *,
    root: Path,
    agents: tuple[Agent, ...],
    agent: str | None = None,
    holder: Holder = NOBODY,
    search_path: str | None = None,
) -> LaunchPlan:
    """Return how a session would be resumed; starts nothing but, once, `ink --help`.

    Args:
        diagnosis: The session.
        path: Its file.
        root: The session root that the file lies in.
        agents: The known agents in order of preference (`ink_tui.agent.agents.known_agents`).
        agent: Name of the wanted one; `None` takes the first that can be offered.
        holder: Who holds the session.
        search_path: Folders to look for programs in; the default is `PATH`.
    """
    raise NotImplementedError
