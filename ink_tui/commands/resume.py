"""`ink-tui resume`: continue a session with its agent in this terminal, or show how."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.agent.agents import known_agents
from ink_tui.agent.continuing import root_of
from ink_tui.agent.launch import LaunchPlan, plan_launch
from ink_tui.commands.output import NEGATIVE, OK, USAGE, complain, print_json, print_line
from ink_tui.commands.stores import find_session, holder_of, not_found
from ink_tui.errors import LaunchError
from ink_tui.model.row_making import row_of
from ink_tui.store.reader import read_session

if TYPE_CHECKING:
    from argparse import Namespace

    from ink_tui.config import Config
    from ink_tui.store.library import Library


def resume_session(library: Library, config: Config, options: Namespace) -> int:
    """Become the agent of a session, or print the launch plan with `--dry-run`.

    Args:
        library: The store.
        config: The user's settings.
        options: `session` or `last`, `agent`, `dry_run`, `json`.

    Returns:
        0 when it can be started, 1 when it is refused or not found, 2 for wrong usage.

    Raises:
        LaunchError: The agent could not be started.
    """
    if bool(options.session) == options.last:
        complain("resume needs an id or a path, or --last. ink-tui list shows the ids.")
        return USAGE
    wanted = options.session or _newest_here(library)
    if wanted is None:
        complain(f"no session belongs to {Path.cwd()}. ink-tui list shows all of them.")
        return NEGATIVE
    located = find_session(library, wanted)
    if located.path is None:
        complain(not_found(located, wanted, library.roots))
        return NEGATIVE
    plan = _plan(located.path, library, config, options.agent)
    if options.dry_run:
        return _show(plan, as_json=options.json)
    if not plan.allowed:
        complain(f"{plan.sentence}{_way_out(plan, located.path)}")
        return NEGATIVE
    return become(plan)


def _way_out(plan: LaunchPlan, path: str) -> str:
    """Return the command that helps after a refusal, empty where there is no single one."""
    if plan.refusal_reason_kind in ("cwd-missing", "cwd-not-directory"):
        return f" ink-tui fork --into FOLDER --yes {shlex.quote(path)}"
    return ""


def _newest_here(library: Library) -> str | None:
    here = str(Path.cwd())
    rows = library.scan().rows
    return next(
        (row.path for row in rows if row.cwd == here and not (row.child or row.empty)), None
    )


def _plan(path: str, library: Library, config: Config, agent: str | None) -> LaunchPlan:
    diagnosis, _state = read_session(path)
    row = row_of(diagnosis, path)
    return plan_launch(
        diagnosis,
        Path(path),
        root=root_of(path, library.roots),
        agents=known_agents(config),
        agent=agent,
        holder=holder_of(row),
    )


def _show(plan: LaunchPlan, *, as_json: bool) -> int:
    if as_json:
        print_json(
            {
                "allowed": plan.allowed,
                "refusal_reason_kind": plan.refusal_reason_kind,
                "sentence": plan.sentence,
                "agent": plan.agent,
                "program": plan.program,
                "argv": list(plan.argv),
                "cwd": plan.cwd,
                "resume_id": plan.resume_id,
                "resume_argument": plan.resume_argument,
                "shell": plan.shell,
                "copy_command": plan.copy_command,
                "writes": list(plan.writes),
            }
        )
    else:
        print_line(plan.sentence)
        if plan.copy_command:
            print_line(plan.copy_command)
    return OK if plan.allowed else NEGATIVE


def become(plan: LaunchPlan) -> int:
    """Replace this process by an agent; returns only by an error.

    Raises:
        LaunchError: The folder or the program is gone meanwhile.
    """
    try:
        os.chdir(plan.cwd)
        os.execv(plan.program, plan.argv)
    except OSError as error:
        reason = error.strerror or "the system refused"
        sentence = f"{plan.program} cannot be started in {plan.cwd}: {reason}."
        raise LaunchError("agent-missing", sentence) from error
