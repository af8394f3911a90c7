"""`ink-tui clean`: put empty, old or orphaned sessions into the trash, shown before it is done."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ink_tui.agent.agents import known_agents
from ink_tui.commands.output import NEGATIVE, OK, complain, print_json, print_line
from ink_tui.model.cleanup import CleanupKind, CleanupRule, going_words
from ink_tui.model.row_fields import iso_time
from ink_tui.model.row_words import title_words
from ink_tui.model.text import one_line
from ink_tui.model.words import counted
from ink_tui.paths import legacy_sessions_dir, state_dir
from ink_tui.store.cleanup import (
    Account,
    CleanupPlan,
    account,
    clean_up,
    marked_sessions,
    plan_cleanup,
    read_concerned,
    survey,
)
from ink_tui.store.holder_search import HolderSearch
from ink_tui.store.library import system_clock
from ink_tui.store.trash import system_trash

if TYPE_CHECKING:
    from argparse import Namespace

    from ink_tui.config import Config
    from ink_tui.model.families import Family
    from ink_tui.model.listing import SessionRow
    from ink_tui.store.cleanup import Outcome
    from ink_tui.store.library import Library


def clean_sessions(library: Library, config: Config, options: Namespace) -> int:
    """Show what would go to the trash and what stays with its reason, or do it with `--yes`.

    Returns:
        0 when something can go, or all of it went; 1 when nothing is found or something failed.

    Raises:
        StoreError: What the user has marked cannot be read: nothing may go.
    """
    rules = asked_rules(options)
    state = state_dir(os.environ)
    search = HolderSearch(
        state_dir=state,
        clock=system_clock,
        match={name for agent in known_agents(config) for name in agent.match},
    )
    now_ms = system_clock()
    for _done in read_concerned(library, rules, now_ms):
        pass
    looked = survey(
        library,
        rules,
        now_ms=now_ms,
        holder_of=search,
        marked=marked_sessions(state),
        only_read=(str(legacy_sessions_dir(os.environ)),),
    )
    plan = plan_cleanup(looked, *rules)
    for root in library.listing().missing_roots:
        complain(f"{root} does not exist: no sessions there.")
    if not options.yes:
        _show_plan(plan, as_json=options.json)
        return OK if plan.selection.goes else NEGATIVE
    outcomes: list[Outcome] = []
    try:
        for outcome in clean_up(
            plan,
            state_dir=state,
            clock=system_clock,
            holder_of=search,
            marked=lambda: marked_sessions(state),
            trash=system_trash,
        ):
            outcomes.append(outcome)
            _show_outcome(outcome, as_json=options.json)
    except KeyboardInterrupt:
        complain("stopped; what has gone can be put back from the trash.")
    return _show_account(plan, account(plan, outcomes), as_json=options.json)


def asked_rules(options: Namespace) -> list[CleanupRule]:
    """Return the rules that the command line asks for."""
    rules = [CleanupRule(CleanupKind.EMPTY)] if options.empty else []
    rules += [CleanupRule(CleanupKind.OLD, days) for days in options.older_than]
    return rules + ([CleanupRule(CleanupKind.ORPHANS)] if options.orphans else [])


def _show_plan(plan: CleanupPlan, *, as_json: bool) -> None:
    goes = plan.selection.goes
    if as_json:
        for family in goes:
            print_json(_fields(family.session, "goes", "", family))
        for kept in plan.selection.stays:
            print_json(_fields(kept.row, "stays", kept.reason))
        return
    if goes:
        print_line(f"To the trash would go {_total(plan.selection.rows, plan.selection.size)}:")
    for family in goes:
        print_line(f"  {_line(family)}")
    _show_stays(plan)
    print_line(
        "Nothing was moved. --yes moves it; it can be put back from the trash."
        if goes
        else "Nothing is to be cleaned up."
    )


def _show_stays(plan: CleanupPlan) -> None:
    if plan.selection.stays:
        print_line(f"{counted(len(plan.selection.stays), 'session')} would stay:")
    for kept in plan.selection.stays:
        print_line(f"  {title_words(kept.row)}: {one_line(kept.reason)}")


def _show_outcome(outcome: Outcome, *, as_json: bool) -> None:
    session = outcome.family.session
    if as_json:
        done = "moved" if outcome.whole else "failed"
        print_json(_fields(session, done, outcome.reason, outcome.family))
    elif not outcome.whole:
        complain(f"{title_words(session)} stayed: {outcome.reason}")
    else:
        print_line(f"  {_line(outcome.family)}")


def _show_account(plan: CleanupPlan, done: Account, *, as_json: bool) -> int:
    if as_json:
        for kept in plan.selection.stays:
            print_json(_fields(kept.row, "stays", kept.reason))
    else:
        _show_stays(plan)
        if plan.selection.goes:
            print_line(done.sentence(_size))
        else:
            print_line("Nothing is to be cleaned up.")
    return OK if done.moved and done.complete else NEGATIVE


def _fields(
    row: SessionRow, action: str, reason: str, family: Family | None = None
) -> dict[str, object]:
    """Return one line of the answer: what becomes of a session, and its facts."""
    return {
        "action": action,
        "reason": reason or None,
        "path": row.path,
        "id": row.session_id,
        "title": row.title or None,
        "cwd": row.cwd or None,
        "last_activity": iso_time(row.last_ms),
        "size": family.size if family is not None else row.size,
        "children": [child.path for child in family.children] if family is not None else [],
    }


def _line(family: Family) -> str:
    row = family.session
    when = iso_time(row.last_ms) or "-"
    identity = one_line(row.session_id or "-")[:8]
    number = len(family.children)
    along = f", with {counted(number, 'sub-agent session')}" if number else ""
    folder = one_line(row.cwd) or "no folder"
    return f"{when}  {identity:<8}  {title_words(row)}  ({folder}, {_size(family.size)}{along})"


def _total(rows: tuple[SessionRow, ...], size: int) -> str:
    return f"{going_words(rows)}, {_size(size)}"


def _size(octets: int) -> str:
    return counted(octets, "byte")
