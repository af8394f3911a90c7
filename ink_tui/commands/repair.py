"""`ink-tui repair` and `ink-tui undo`: settle the end of a session, and take it back."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.commands.output import NEGATIVE, OK, ask, complain, print_json, print_line
from ink_tui.commands.stores import find_session, holder_of, not_found
from ink_tui.model.words import counted
from ink_tui.paths import state_dir
from ink_tui.store.library import system_clock
from ink_tui.store.repair import (
    AddNewline,
    CutTail,
    RepairStep,
    apply_repair,
    plan_repair,
    plan_undo,
    repair_doubt,
    undo_last,
)

if TYPE_CHECKING:
    from argparse import Namespace

    from ink_tui.store.library import Library


def repair_session(library: Library, options: Namespace) -> int:
    """Show what a repair would do, or do it with `--yes`.

    Where the session may be in use it is asked a second time (`design.md` section 3).

    Returns:
        0 when nothing is to be done, or it can be, or was done; 1 when it is refused.

    Raises:
        StoreError: The repair was refused or failed; the sentence says what state the file is in.
    """
    path = _path(library, options.session)
    if path is None:
        return NEGATIVE
    holder = holder_of(library.open(path).row)
    plan = plan_repair(Path(path), now_ms=system_clock(), holder=holder)
    steps = [_step(step) for step in plan.steps]
    done = None
    doubt = repair_doubt(plan, system_clock())
    wanted = plan.allowed and plan.needed and options.yes
    refused = wanted and not _confirmed(doubt, "Repair", options)
    if wanted and not refused:
        done = apply_repair(
            plan,
            state_dir=state_dir(os.environ),
            now_ms=system_clock(),
            holder=holder,
            confirmed=bool(doubt),
        )
    if options.json:
        print_json(
            {
                "path": path,
                "allowed": plan.allowed,
                "refusal_reason_kind": plan.refusal_kind,
                "sentence": done.sentence if done else plan.sentence,
                "doubt": doubt or None,
                "steps": steps,
                "backup": str(done.backup) if done else plan.backup_name or None,
                "done": done is not None,
            }
        )
    elif not refused:
        print_line(done.sentence if done else plan.sentence)
        for step in steps if done is None else ():
            print_line(f"  {step}")
        if plan.allowed and plan.needed and done is None:
            if doubt:
                print_line(doubt)
            flags = "--yes --anyway does" if doubt else "--yes does"
            print_line(f"Nothing was written. {flags} it, after a verified backup.")
    return OK if plan.allowed and not refused else NEGATIVE


def undo_repair(library: Library, options: Namespace) -> int:
    """Show what an undo would take back, or take it back with `--yes`.

    Where the session may be in use it is asked a second time (`design.md` section 3).

    Raises:
        StoreError: There is no change of ours to undo, or the file has changed since.
    """
    path = _path(library, options.session)
    if path is None:
        return NEGATIVE
    holder = holder_of(library.open(path).row)
    plan = plan_undo(Path(path), state_dir=state_dir(os.environ))
    doubt = plan.doubt(holder, system_clock())
    done = None
    refused = options.yes and not _confirmed(doubt, "Undo", options)
    if options.yes and not refused:
        done = undo_last(
            Path(path),
            state_dir=state_dir(os.environ),
            now_ms=system_clock(),
            holder=holder,
            confirmed=bool(doubt),
        )
    sentence = done.sentence if done else plan.sentence
    if options.json:
        print_json(
            {
                "path": path,
                "undoes": plan.kind,
                "sentence": sentence,
                "doubt": doubt or None,
                "done": done is not None,
            }
        )
    elif not refused:
        print_line(sentence)
        if done is None:
            if doubt:
                print_line(doubt)
            flags = "--yes --anyway does" if doubt else "--yes does"
            print_line(f"Nothing was written. {flags} it.")
    return NEGATIVE if refused else OK


def _confirmed(doubt: str, deed: str, options: Namespace) -> bool:
    """Return whether something may be done; where that is doubtful it is asked a second time.

    Args:
        doubt: What speaks against it, as a sentence; empty for nothing.
        deed: What is done, as one word.
        options: What was given on the command line.
    """
    if not doubt or options.anyway:
        return True
    if sys.stdin.isatty() and sys.stderr.isatty():
        complain(doubt)
        answer = ask(f"{deed} all the same? [y/N] ")
        if answer.strip().lower() in ("y", "yes"):
            return True
        complain("nothing was written.")
        return False
    complain(f"{doubt} Nothing was written. --yes --anyway does it all the same.")
    return False


def _path(library: Library, wanted: str) -> str | None:
    located = find_session(library, wanted)
    if located.path is None:
        complain(not_found(located, wanted, library.roots))
    return located.path


def _step(step: RepairStep) -> str:
    if isinstance(step, CutTail):
        return f"- {counted(step.count, 'byte')} from byte {step.offset:,}: {step.preview}"
    if isinstance(step, AddNewline):
        return f"+ 1 byte at byte {step.offset:,}: the missing newline"
    tools = ", ".join(step.tools)
    return (
        f"+ 1 record at byte {step.offset:,}: {counted(len(step.tools), 'error result')} ({tools})"
    )
