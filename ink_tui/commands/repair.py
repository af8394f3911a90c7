"""`ink-tui repair` and `ink-tui undo`: settle the end of a session, and take it back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.commands.output import NEGATIVE, OK, complain, print_json, print_line
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
    undo_last,
)

if TYPE_CHECKING:
    from argparse import Namespace

    from ink_tui.store.library import Library


def repair_session(library: Library, options: Namespace) -> int:
    """Show what a repair would do, or do it with `--yes`.

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
    if plan.allowed and plan.needed and options.yes:
        done = apply_repair(
            plan,
            state_dir=state_dir(os.environ),
            now_ms=system_clock(),
            holder=holder,
            confirmed=True,
        )
    if options.json:
        print_json(
            {
                "path": path,
                "allowed": plan.allowed,
                "refusal_reason_kind": plan.refusal_kind,
                "sentence": done.sentence if done else plan.sentence,
                "steps": steps,
                "backup": str(done.backup) if done else plan.backup_name or None,
                "done": done is not None,
            }
        )
    else:
        print_line(done.sentence if done else plan.sentence)
        for step in steps if done is None else ():
            print_line(f"  {step}")
        if plan.allowed and plan.needed and done is None:
            print_line("Nothing was written. --yes does it, after a verified backup.")
    return OK if plan.allowed else NEGATIVE


def undo_repair(library: Library, options: Namespace) -> int:
    """Take back the last repair of a session, with `--yes`.

    Raises:
        StoreError: There is none, or the file has changed since.
    """
    path = _path(library, options.session)
    if path is None:
        return NEGATIVE
    if not options.yes:
        print_line("Nothing was written. --yes takes back the last repair of this session.")
        return OK
    holder = holder_of(library.open(path).row)
    done = undo_last(
        Path(path), state_dir=state_dir(os.environ), now_ms=system_clock(), holder=holder
    )
    if options.json:
        print_json({"path": path, "sentence": done.sentence, "done": True})
    else:
        print_line(done.sentence)
    return OK


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
