"""`ink-tui fork`: copy a session, up to an entry, into a new one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.agent.continuing import root_of
from ink_tui.commands.output import NEGATIVE, OK, USAGE, complain, print_json, print_line
from ink_tui.commands.stores import find_session, not_found
from ink_tui.model.entries import EntryId
from ink_tui.model.fork_points import fork_plan, fork_plan_at
from ink_tui.model.salvage import SalvagePlan, is_damaged, salvage_plan
from ink_tui.model.text import one_line
from ink_tui.store.fork import write_fork
from ink_tui.store.library import system_clock
from ink_tui.store.reader import read_session

if TYPE_CHECKING:
    from argparse import Namespace

    from ink_tui.model.fork_points import ForkPlan
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.fork import ForkOutcome
    from ink_tui.store.library import Library


def fork_session(library: Library, options: Namespace) -> int:
    """Show what a fork would copy, or make it with `--yes`; the original stays as it is.

    Returns:
        0 when it can be made or was made, 1 when it is refused, 2 for wrong usage.

    Raises:
        StoreError: It was refused or failed; nothing was published.
    """
    located = find_session(library, options.session)
    if located.path is None:
        complain(not_found(located, options.session, library.roots))
        return NEGATIVE
    if options.at and (options.salvage or options.tip):
        complain("--at is for a plain fork. Name the last record of a salvage with --tip.")
        return USAGE
    diagnosis, _state = read_session(located.path)
    plan = _plan(diagnosis, options)
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
        print_json(_facts(plan, done))
    else:
        _tell(plan, done, damaged=is_damaged(diagnosis))
    return OK if plan.allowed else NEGATIVE


def _plan(diagnosis: Diagnosis, options: Namespace) -> ForkPlan:
    if options.salvage or options.tip:
        return salvage_plan(diagnosis, EntryId(options.tip) if options.tip else None)
    return fork_plan_at(diagnosis, EntryId(options.at)) if options.at else fork_plan(diagnosis)


def _facts(plan: ForkPlan, done: ForkOutcome | None) -> dict[str, object]:
    facts: dict[str, object] = {
        "path": str(done.path) if done else None,
        "id": done.session_id if done else None,
        "allowed": plan.allowed,
        "refusal_reason_kind": plan.refusal,
        "sentence": done.sentence if done else plan.sentence,
        "records": len(plan.entries),
        "done": done is not None,
    }
    if isinstance(plan, SalvagePlan):
        facts["account"] = list(plan.account)
        facts["other_tips"] = [end.entry_id for end in plan.other_ends]
    return facts


def _tell(plan: ForkPlan, done: ForkOutcome | None, *, damaged: bool) -> None:
    if done is not None or not isinstance(plan, SalvagePlan) or not plan.allowed:
        print_line(done.sentence if done else plan.sentence)
    if isinstance(plan, SalvagePlan):
        for sentence in plan.account:
            print_line(sentence)
        if plan.other_ends and done is None:
            print_line("Another branch can be copied instead:")
        for end in plan.other_ends if done is None else ():
            records = f"{end.records:,} record" + ("s" if end.records != 1 else "")
            print_line(f"  --tip {one_line(end.entry_id)}  {records}, through line {end.line:,}")
        if plan.needs_folder and done is None:
            print_line("The file does not say which folder it belongs to: name one with --into.")
    elif damaged and done is None:
        print_line("The session is damaged: --salvage copies all that can be read of it.")
    if plan.allowed and done is None:
        print_line("Nothing was written. --yes makes the copy.")
