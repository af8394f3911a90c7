"""Agents as data: which program continues a session, and whether it can be offered."""

from __future__ import annotations

from dataclasses import dataclass

BUILT_IN = "built-in"
INK = "ink"


@dataclass(frozen=True, slots=True)
class Agent:
    """One way to continue a session: a program and its argument templates."""

    name: str
    """`ink`, `built-in`, or the name of an `[agents.NAME]` table."""
    resume: tuple[str, ...]
    """Argument list; `{id}`, `{path}`, `{cwd}`, `{entry}` are filled in, nothing else."""
    fork: tuple[str, ...] = ()
    """The same for a fork that the agent makes itself; empty when we make the copy."""
    match: tuple[str, ...] = ()
    """Names of its processes."""


@dataclass(frozen=True, slots=True)
class AgentOffer:
    """Whether an agent can be offered for one session."""

    agent: Agent
    offered: bool
    reason: str
    """Why not, in a full sentence; empty when it is offered."""
    refusal_kind: str | None = None
    """`agent-missing` or `unreachable` when it is not offered."""
    program: str = ""
    """Absolute path of its program; empty when it was not found."""
