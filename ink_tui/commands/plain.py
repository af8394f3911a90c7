"""Starting `ink-tui --plain`, and what comes after it."""

from __future__ import annotations

import os
import subprocess
from contextlib import ExitStack
from typing import TYPE_CHECKING

from ink_tui.agent.agents import known_agents
from ink_tui.agent.continuing import Continuing, Surroundings
from ink_tui.commands.output import OK, print_line
from ink_tui.commands.plain_dialogue import PlainDialogue
from ink_tui.commands.resume import become
from ink_tui.commands.stores import chosen_roots
from ink_tui.paths import home_dir, state_dir
from ink_tui.store.demo import create_demo
from ink_tui.store.leftovers import clear_leftovers
from ink_tui.store.library import Library, system_clock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.agent.continuing import Ready
    from ink_tui.config import Config


def plain(config: Config, sessions_dirs: Sequence[str], *, demo: bool) -> int:
    """Hold the line dialogue; become the agent that was chosen, if one was.

    Args:
        config: The user's settings.
        sessions_dirs: Session roots from the command line.
        demo: Look around in a private sample store instead.

    Raises:
        LaunchError: The agent could not be started.
    """
    with ExitStack() as stack:
        roots, state = chosen_roots(sessions_dirs, config), state_dir(os.environ)
        home = str(home_dir(os.environ))
        if demo:
            made = stack.enter_context(create_demo(system_clock()))
            roots, state, home = (str(made.root),), made.state_dir, str(made.home)
        clear_leftovers(state)
        around = Surroundings(roots, state, known_agents(config), system_clock, home)
        dialogue = PlainDialogue(Library(roots), Continuing(around), ask=input, say=print_line)
        ready = dialogue.run()
        while ready is not None:
            if not demo:
                return become(ready.plan)
            _run_inside(ready, home)
            ready = dialogue.run()
    return OK


def _run_inside(ready: Ready, home: str) -> None:
    """Run an agent on the demo and come back, so that the demo can be removed."""
    environment = {**os.environ, "HOME": home}
    subprocess.run(ready.plan.argv, cwd=ready.plan.cwd, env=environment, check=False)
