"""`ink-tui fork`: copy a session, up to an entry, into a new one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.agent.continuing import root_of
from ink_tui.commands.output import NEGATIVE, OK, complain, print_json, print_line
from ink_tui.commands.stores import find_session, not_found
from ink_tui.model.entries import EntryId
from ink_tui.model.fork_points import fork_plan, fork_plan_at
from ink_tui.store.fork import write_fork
from ink_tui.store.library import system_clock
from ink_tui.store.reader import read_session

if TYPE_CHECKING:
    from argparse import Namespace

    from ink_tui.store.library import Library


def fork_session(library: Library, options: Namespace) -> int:
    """Show what a fork would copy, or make it with `--yes`; the original stays as it is.

    Returns:
        0 when it can be made or was made, 1 when it is refused.

    Raises:
        StoreError: It was refused or failed; nothing was published.
    """
    located = find_session(library, options.session)
    if located.path is None:
        complain(not_found(located, options.session, library.roots))
        return NEGATIVE
    diagnosis, _state = read_session(located.path)
    plan = fork_plan_at(diagnosis, EntryId(options.at)) if options.at else fork_plan(diagnosis)
    done = None
    if plan.allowed and options.yes:
        done = write_fork(
            Path(located.path),
            plan,
            root=root_of(located.path, library.roots),
            now_ms=system_clock(),
            cwd=str(Path(options.into).resolve()) if options.into else None,
        )
    if options.json:
        print_json(
            {
                "path": str(done.path) if done else None,
                "id": done.session_id if done else None,
                "allowed": plan.allowed,
                "refusal_reason_kind": plan.refusal,
                "sentence": done.sentence if done else plan.sentence,
                "records": len(plan.entries),
                "done": done is not None,
            }
        )
    else:
        print_line(done.sentence if done else plan.sentence)
        if plan.allowed and done is None:
            print_line("Nothing was written. --yes makes the copy.")
    return OK if plan.allowed else NEGATIVE
