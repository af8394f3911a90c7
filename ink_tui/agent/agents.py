"""Agents as data: which program continues a session, and whether it can be offered for one.

Three sources: Ink itself, the agents of the config file, and the built-in one that is always there.
All are argument lists; no shell takes part anywhere.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.model.text import one_line
from ink_tui.paths import ink_sessions_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.config import Config

BUILT_IN = "built-in"
INK = "ink"

HELP_SECONDS = 2.0
"""How long `ink --help` may take."""

_PLACEHOLDER = re.compile(r"\{(id|path|cwd|entry|root)\}")
_helped: dict[tuple[str, int], bool] = {}
"""Whether a program's help names `--resume`, by its path and time of change in nanoseconds."""


@dataclass(frozen=True, slots=True)
class Agent:
    """One way to continue a session: a program and its argument templates."""

    name: str
    """`ink`, `built-in`, or the name of an `[agents.NAME]` table."""
    resume: tuple[str, ...]
    """Argument list; `{id}`, `{path}`, `{cwd}`, `{entry}`, `{root}` are filled in, nothing else."""
    fork: tuple[str, ...] = ()
    """The same for a fork that the agent makes itself; empty when we make the copy."""
    match: tuple[str, ...] = ()
    """Names of its processes."""
    own_store_only: bool = False
    """It finds sessions only in its own store, from their folder, and must prove what it is."""


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


def known_agents(config: Config) -> tuple[Agent, ...]:
    """Return the agents in order of preference: Ink, those of the config, the built-in one.

    A table `[agents.ink]` or `[agents.built-in]` takes the place of ours.
    """
    named = {
        name: Agent(
            name,
            agent.resume,
            agent.fork,
            agent.match or (Path(agent.resume[0]).name,),
        )
        for name, agent in config.agents.items()
    }
    ink = named.pop(INK, ink_agent())
    built_in = named.pop(BUILT_IN, built_in_agent())
    return (ink, *named.values(), built_in)


def ink_agent() -> Agent:
    """Return Ink itself, found by its name."""
    return Agent(INK, (INK, "-r", "{id}"), match=(INK,), own_store_only=True)


def built_in_agent() -> Agent:
    """Return the agent that comes with ink-tui.

    The installed command is preferred. Else the module is run with `-P`: without it Python would
    look for modules in the session's folder first, and run whatever lies there.
    """
    script = Path(sys.executable).with_name("ink-tui")
    start = (
        (str(script),) if os.access(script, os.X_OK) else (sys.executable, "-P", "-m", "ink_tui")
    )
    return Agent(BUILT_IN, (*start, "agent", "--resume", "{id}", "--sessions-dir", "{root}"))


def offer(
    agent: Agent,
    *,
    path: Path,
    root: Path,
    cwd: str,
    search_path: str | None = None,
    env: Mapping[str, str] = os.environ,
) -> AgentOffer:
    """Return whether an agent can be offered for a session; starts nothing but `ink --help`.

    Args:
        agent: The agent.
        path: The session file; it need not exist yet, for a copy that is planned.
        root: The session root that it lies in.
        cwd: Working directory of the session.
        search_path: Folders to look for programs in; the default is `PATH`.
        env: The environment, which names Ink's own store.
    """
    program = find_program(agent.resume[0], search_path)
    name = one_line(agent.name)
    if program is None:
        wanted = one_line(agent.resume[0])
        return AgentOffer(
            agent,
            offered=False,
            reason=f"{wanted} was not found. Install {name}, or name its full path in the config.",
            refusal_kind="agent-missing",
        )
    if not agent.own_store_only:
        return AgentOffer(agent, offered=True, reason="", program=program)
    reason = _out_of_reach(path, root, cwd, env)
    kind = "unreachable"
    if reason is None and not names_resume(program):
        kind = "agent-missing"
        reason = (
            f"{one_line(program)} is another program: its help does not name --resume. Name the "
            "right one in the config."
        )
    if reason is not None:
        return AgentOffer(agent, offered=False, reason=reason, refusal_kind=kind, program=program)
    return AgentOffer(agent, offered=True, reason="", program=program)


def _out_of_reach(path: Path, root: Path, cwd: str, env: Mapping[str, str]) -> str | None:
    """Return why Ink would not find a file: it knows one store and looks in one folder of it."""
    store = ink_sessions_dir(env)
    if os.path.realpath(root) != os.path.realpath(store):
        return (
            f"Ink looks only in {one_line(str(store))}, and this session lies elsewhere. Use "
            "another agent, or copy it there."
        )
    from ink_tui.formats.ink.layout import ink_dir_name  # what Ink itself is offered for

    try:
        real = os.path.realpath(cwd)
    except ValueError:  # NUL or half a surrogate: no folder has such a name
        real = ""
    folder = Path(os.path.realpath(store)) / ink_dir_name(real)
    if not real or Path(os.path.realpath(path.parent)) != folder:
        return (
            "Ink looks only in the folder that is named after the working directory, and this "
            "session lies in another one. Fork it into its place instead."
        )
    return None


def find_program(name: str, search_path: str | None = None) -> str | None:
    """Return the absolute path of a program, or `None`.

    Args:
        name: A bare name, or a full path; a path from the present folder is not taken.
        search_path: Folders to look in; the default is `PATH`.
    """
    if os.sep in name:
        full = os.path.expanduser(name)  # noqa: PTH111 - a text that stays a text
        whole = os.path.isabs(full)  # noqa: PTH117 - a text that stays a text
        usable = whole and os.path.isfile(full) and os.access(full, os.X_OK)  # noqa: PTH113 - same
        return full if usable else None
    folders = (os.environ.get("PATH", os.defpath) if search_path is None else search_path).split(
        os.pathsep
    )
    # A relative or empty folder would mean the present one, which may be anybody's.
    absolute = os.pathsep.join(
        folder
        for folder in folders
        if os.path.isabs(folder)  # noqa: PTH117 - texts that stay so
    )
    return shutil.which(name, path=absolute) if absolute else None


def names_resume(program: str) -> bool:
    """Return whether `program --help` names `--resume`; run once per path and time of change."""
    try:
        key = (program, Path(program).stat().st_mtime_ns)
    except OSError:
        return False
    if key not in _helped:
        _helped[key] = b"--resume" in _help(program)
    return _helped[key]


def _help(program: str) -> bytes:
    """Return what a program prints as its help; empty when it fails or takes too long."""
    try:
        process = subprocess.Popen(
            [program, "--help"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd="/",
            start_new_session=True,
        )
    except OSError:
        return b""
    with process:
        try:
            output, _nothing = process.communicate(timeout=HELP_SECONDS)
        except subprocess.TimeoutExpired:
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            return b""
    return output


def fill(template: tuple[str, ...], values: Mapping[str, str]) -> tuple[str, ...]:
    """Return an argument list with the placeholders filled in, in one pass.

    Args:
        template: The argument list of an agent.
        values: Texts for `id`, `path`, `cwd`, `entry` and `root`; what is filled in is never looked
            at again.
    """
    return tuple(
        _PLACEHOLDER.sub(lambda found: values.get(found.group(1), ""), part) for part in template
    )
