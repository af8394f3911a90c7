"""`ink-tui show`: a whole transcript, or the facts of a session, as sanitised text."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from ink_tui.commands.output import NEGATIVE, OK, USAGE, complain, print_json, print_line
from ink_tui.commands.stores import find_session, not_found
from ink_tui.model.text import one_line
from ink_tui.store.files import UnreadableError
from ink_tui.store.reader import read_session

if TYPE_CHECKING:
    from argparse import Namespace

    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.library import Library


def show_session(library: Library, options: Namespace) -> int:
    """Print the transcript of a session, or its facts.

    Returns:
        0 when it was printed, 1 when no session fits or the file cannot be read, 2 for options
        that do not go together.
    """
    if options.json and not options.facts:
        complain("--json is for the facts: show --facts --json. export --format jsonl has records.")
        return USAGE
    if options.plain and options.facts:
        complain("--plain shows what was said, --facts the figures: choose one.")
        return USAGE
    wanted = options.session
    located = find_session(library, wanted)
    if located.path is None:
        complain(not_found(located, wanted, library.roots))
        return NEGATIVE
    try:
        diagnosis, _state = read_session(located.path)
    except UnreadableError as error:
        complain(str(error))
        return NEGATIVE
    if options.facts:
        _print_facts(diagnosis, as_json=options.json)
        return OK
    from ink_tui.model.plain import transcript_text

    for line in transcript_text(diagnosis):
        print_line(line)
    return OK


def _print_facts(diagnosis: Diagnosis, *, as_json: bool) -> None:
    from ink_tui.model.facts_words import fact_sections
    from ink_tui.model.session_facts import session_facts

    facts = session_facts(diagnosis)
    if as_json:
        header = diagnosis.session.header
        name = str(header.id) if header is not None else None
        print_json({"session": name, "title": diagnosis.title, **asdict(facts)})
        return
    print_line(f"session: {one_line(diagnosis.title) or '(no message yet)'}")
    for section in fact_sections(facts):
        print_line("")
        print_line(f"{section.title.lower()}:")
        for line in section.lines:
            print_line(f"  {line.name}" + (f": {line.figure}" if line.figure else ""))
