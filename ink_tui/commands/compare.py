"""`ink-tui compare`: two branches of a session, or two sessions, record by record."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from ink_tui.commands.output import NEGATIVE, OK, USAGE, complain, print_json, print_line
from ink_tui.commands.stores import find_session, not_found
from ink_tui.model.compare import compare
from ink_tui.model.compare_choices import newest_below, other_branches, session_ends
from ink_tui.model.compare_lines import compared_lines
from ink_tui.model.compare_words import BOTH, compared_sections, side_words
from ink_tui.model.entries import EntryId
from ink_tui.model.recovery import as_read
from ink_tui.model.text import one_line
from ink_tui.model.words import counted
from ink_tui.store.files import UnreadableError
from ink_tui.store.reader import read_session

if TYPE_CHECKING:
    from argparse import Namespace

    from ink_tui.model.compare import Comparison, Side
    from ink_tui.model.compare_words import ComparedFact, SideFact
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.library import Library

_NO_BRANCH = "the session has one branch. Name another session to compare it with."


def compare_sessions(library: Library, options: Namespace) -> int:
    """Print what two branches, or two sessions, have in common and what each has of its own.

    Returns:
        0 when it was printed, 1 when there is nothing to compare or a file cannot be read, 2 for
        options that do not go together.
    """
    if options.other and options.branch:
        complain("--branch is for two branches of one session. Name one session only.")
        return USAGE
    paths = []
    for wanted in filter(None, (options.session, options.other)):
        located = find_session(library, wanted)
        if located.path is None:
            complain(not_found(located, wanted, library.roots))
            return NEGATIVE
        paths.append(located.path)
    try:
        sessions = [read_session(path)[0] for path in paths]
    except UnreadableError as error:
        complain(str(error))
        return NEGATIVE
    if len(sessions) == 2:
        ends = session_ends(*sessions)
        found = compare((sessions[0], ends[0]), (sessions[1], ends[1]))
    else:
        leaf = _other_end(sessions[0], options.branch)
        if leaf is None:
            complain(f"no record has the id “{options.branch}”" if options.branch else _NO_BRANCH)
            return NEGATIVE
        found = compare((sessions[0], as_read(sessions[0]).leaf), (sessions[0], leaf))
    _print(found, (paths[0], paths[-1]), as_json=options.json)
    return OK


def _other_end(diagnosis: Diagnosis, entry: str | None) -> EntryId | None:
    """Return the end of the branch that a record belongs to, else of the newest other one."""
    if entry is not None:
        return newest_below(diagnosis, EntryId(entry))
    others = other_branches(diagnosis)
    return others[0].leaf if others else None


def _print(found: Comparison, paths: tuple[str, str], *, as_json: bool) -> None:
    sides = (found.left, found.right)
    if as_json:
        told = {
            name: _side_fields(side, path)
            for name, side, path in zip(("left", "right"), sides, paths, strict=True)
        }
        files = [asdict(file) | {"both_changed": file.both_changed} for file in found.files]
        print_json({"common": found.common, **told, "files": files})
        return
    print_line(f"in common: {counted(found.common, 'record')}")
    lines = compared_lines(found)
    for number, (name, side) in enumerate(zip(("left", "right"), sides, strict=True)):
        print_line("")
        title = one_line(side.diagnosis.title) or "(no message yet)"
        print_line(f"{name}: {title}, {counted(len(side.own), 'record')}, {side_words(side)}")
        for pair in lines.own:
            row = pair[number]
            if row is not None:
                notes = f"  [{', '.join(row.notes)}]" if row.notes else ""
                print_line(f"  {row.word}: {row.text}{notes}")
    for section in compared_sections(found):
        print_line("")
        print_line(f"{section.title.lower()}:")
        for line in section.lines:
            print_line(f"  {_line_words(line)}")


def _side_fields(side: Side, path: str) -> dict[str, object]:
    head = side.diagnosis.session.header
    return {
        "path": path,
        "session": str(head.id) if head is not None else None,
        "leaf": side.leaf,
        "current": side.current,
        "records": [node.id for node in side.own],
        "since_ms": side.since_ms,
        "last_ms": side.last_ms,
        "error": side.error,
        **asdict(side.totals),
    }


def _line_words(line: ComparedFact) -> str:
    said = " | ".join(_fact_words(fact) for fact in (line.left, line.right))
    both = f"  [{BOTH}]" if line.both else ""
    return f"{line.name}: {said}{both}" if line.name else said


def _fact_words(fact: SideFact) -> str:
    if not fact.text:
        return fact.figure or "-"
    return f"{fact.text} ({fact.figure})" if fact.figure else fact.text
