"""Every place where the program draws, prints, copies or writes what stands in a session.

A place is one entry of `DRAWN` (lines of cells, with the cells that each must take) or of `SAID`
(whole texts). What is checked of them is nowhere here.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from ink_tui.agent.launch import copy_command
from ink_tui.keymap import DEFAULT_KEYMAP
from ink_tui.model.cleanup import Selection, Staying
from ink_tui.model.context_table import build_table
from ink_tui.model.facts_words import fact_sections
from ink_tui.model.families import Family
from ink_tui.model.fork_points import fork_plan_at, fork_points
from ink_tui.model.groups import Arrangement, ListQuery, arrange
from ink_tui.model.health import HexWindow, build_health
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_view import visible_rows
from ink_tui.model.plain import block_text, transcript_text
from ink_tui.model.replay import Playback, build_schedule
from ink_tui.model.row_words import title_words
from ink_tui.model.salvage import salvage_plan
from ink_tui.model.seen import build_seen
from ink_tui.model.session_facts import session_facts
from ink_tui.model.text import one_line
from ink_tui.model.transcript_build import build_transcript
from ink_tui.store.export import make_export
from ink_tui.store.files import UnreadableError
from ink_tui.tui.render.agent_end import AgentEnd, end_lines
from ink_tui.tui.render.bars import HeaderFacts, header_line
from ink_tui.tui.render.cleanup_rows import account_page, page_body, page_rows, preview_page
from ink_tui.tui.render.command_rows import (
    COMMAND_COLUMNS,
    command_rows,
    find_commands,
    session_commands,
)
from ink_tui.tui.render.context_rows import columns_of, context_rows
from ink_tui.tui.render.detail_rows import entry_detail
from ink_tui.tui.render.dialog_rows import BODY_COLUMNS
from ink_tui.tui.render.facts_rows import facts_rows
from ink_tui.tui.render.glyphs import UNICODE
from ink_tui.tui.render.head_lines import (
    AgentTab,
    HeadFacts,
    Tab,
    agent_tabs,
    session_tabs,
    status_line,
    title_line,
)
from ink_tui.tui.render.health_rows import RULE_COLUMNS, RULE_KEY, health_rows
from ink_tui.tui.render.lines import Line, brought_to, wrap_pieces
from ink_tui.tui.render.list_rows import SESSION_COLUMNS, list_rows
from ink_tui.tui.render.preflight_rows import PreflightView, preflight_rows
from ink_tui.tui.render.question_rows import (
    export_question,
    paste_question,
    question_rows,
    trash_question,
)
from ink_tui.tui.render.raw_lines import raw_lines
from ink_tui.tui.render.rows import Columns, Piece, Role, lay_out
from ink_tui.tui.render.session_detail import session_detail
from ink_tui.tui.render.timeline import Timeline, timeline
from ink_tui.tui.render.timeline_legend import seen_size
from ink_tui.tui.render.transcript_look import Depth, Fold
from ink_tui.tui.render.transcript_rows import lay_out_block
from ink_tui.tui.render.tree_rows import tree_columns, tree_row
from tests.cases import run_cli
from tests.reliability.compare_places import COMPARE_DRAWN
from tests.reliability.context_places import CONTEXT_DRAWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ink_tui.tui.render.dialog_rows import DialogRows
    from tests.reliability.subject import Subject

_LOOK = re.compile("\x1b\\[[0-9;]*m")

Drawn: TypeAlias = "tuple[tuple[Piece, ...], int]"
"""A line, and how many cells it must take."""


def _wide(lines: Iterable[Sequence[Piece]], cells: int) -> Iterator[Drawn]:
    yield from ((tuple(line), cells) for line in lines)


def _list(subject: Subject, order: Arrangement, cells: int, words: str = "") -> Iterator[Drawn]:
    query = ListQuery(filter=words, show_hidden=True, arrangement=order, now_ms=0, today_ms=0)
    look = replace(subject.look, cells=cells)
    for row in list_rows(arrange([subject.item], query), look, home="/home/u"):
        yield from _wide(lay_out(row, cells, SESSION_COLUMNS), cells)


def _list_detail(subject: Subject) -> Iterator[Drawn]:
    lines = session_detail(subject.item, subject.look, 14, origin=one_line(subject.text))
    yield from _wide((brought_to(line, subject.cells) for line in lines), subject.cells)


def _tree(subject: Subject) -> Iterator[Drawn]:
    outline = build_outline(subject.diagnosis, child_records={})
    opened = [row.key for row in outline.rows if row.foldable]
    seen = visible_rows(outline, opened)
    columns = tree_columns(seen, subject.look)
    for node in seen:
        yield from _wide(
            lay_out(tree_row(node, subject.look), subject.cells, columns), subject.cells
        )


def _tree_detail(subject: Subject) -> Iterator[Drawn]:
    outline = build_outline(subject.diagnosis, child_records={})
    for node in visible_rows(outline, [row.key for row in outline.rows if row.foldable]):
        for line in entry_detail(node, subject.diagnosis, subject.look, 8):
            yield brought_to(line, subject.cells), subject.cells


def _transcript(subject: Subject, depth: Depth, *, colours: bool = False) -> Iterator[Drawn]:
    look = replace(subject.look, colours=colours)
    for block in build_transcript(subject.diagnosis).blocks:
        for line in lay_out_block(block, Fold(depth), look):
            yield line.pieces, subject.cells


def _cut_lines(subject: Subject) -> Iterator[Drawn]:
    look = replace(subject.look, wrap=False)
    for block in build_transcript(subject.diagnosis).blocks:
        for line in lay_out_block(block, Fold(Depth.WHOLE), look):
            yield line.pieces, subject.cells


def _raw(subject: Subject) -> Iterator[Drawn]:
    for line in subject.content.splitlines():
        for drawn in raw_lines(line, len(line), subject.look):
            yield brought_to(drawn, subject.cells), subject.cells


def _replay(subject: Subject) -> Iterator[Drawn]:
    schedule = build_schedule(build_transcript(subject.diagnosis))
    for position in range(schedule.last + 1):
        yield from _wide(
            timeline(Timeline(schedule, Playback(position)), subject.look), subject.cells
        )


def _seen(subject: Subject) -> Iterator[Drawn]:
    """What is drawn as the model saw it where that differs: around each compaction."""
    seen = build_seen(subject.diagnosis, build_transcript(subject.diagnosis))
    assert seen is not None
    for part in seen.parts:
        for block in (*part.opening, *seen.lost):
            for line in lay_out_block(block, Fold(Depth.WHOLE), subject.look):
                yield line.pieces, subject.cells
    for position in range(len(seen.moments)):
        shown = Timeline(
            build_schedule(seen.transcript),
            Playback(position),
            hover=position or None,
            seen=seen_size(seen.at(position)),
        )
        yield from _wide(timeline(shown, subject.look), subject.cells)


def _context(subject: Subject, *, unfolded: bool) -> Iterator[Drawn]:
    table = build_table(subject.diagnosis)
    room = 40 if unfolded else 6
    for row in context_rows(table, subject.look, room=room, unfolded=unfolded):
        yield from _wide(lay_out(row, subject.cells, columns_of(row)), subject.cells)


def _health(subject: Subject, *, octets: bool) -> Iterator[Drawn]:
    health = build_health(subject.diagnosis)
    for fault in health.faults:
        windows = [
            HexWindow(offset, subject.content[offset : offset + length])
            for offset, length in fault.wanted
        ]
        shown = windows if octets else ()
        for row in health_rows(health, None, fault.key, shown, subject.cells, UNICODE):
            columns = RULE_COLUMNS if row.key == RULE_KEY else Columns()
            yield from _wide(lay_out(row, subject.cells, columns), subject.cells)


def _facts(subject: Subject) -> HeadFacts:
    item = subject.item
    title = one_line(item.title) or one_line(subject.path.name)
    return HeadFacts(title, one_line(item.session_id or "")[:8], 2, one_line(item.model_id or ""))


def _head(subject: Subject) -> Iterator[Drawn]:
    yield title_line(_facts(subject), subject.cells, UNICODE), subject.cells


def _tabs(subject: Subject) -> Iterator[Drawn]:
    for tab in Tab:
        line = session_tabs(_facts(subject), tab, subject.cells, UNICODE, focused=True, plain=False)
        yield from _wide((line.tabs, line.rule), subject.cells)


def _header(subject: Subject) -> Iterator[Drawn]:
    facts = HeaderFacts(root=one_line(str(subject.path.parent)), sessions=1, watch="watching")
    yield header_line(facts, subject.cells, UNICODE), subject.cells


def _dialog(dialog: DialogRows) -> Iterator[Drawn]:
    cells = dialog.width - 2 * dialog.side
    for row in (*dialog.head, *dialog.body):
        yield from _wide(lay_out(row, cells, BODY_COLUMNS), cells)
    for row in dialog.foot:
        yield from _wide(lay_out(row, cells, dialog.foot_columns), cells)


def _preflight(subject: Subject, which: int, view: PreflightView) -> Iterator[Drawn]:
    preflight = subject.dialogs[which]
    for screen in ((120, 60), (max(40, subject.cells), 20)):
        chosen = preflight.default.value
        yield from _dialog(preflight_rows(preflight, screen, chosen, view, UNICODE))


def _question(subject: Subject, title: str, sentences: Sequence[str]) -> Iterator[Drawn]:
    _title, _sentences, choices = export_question("~")
    for screen in ((120, 36), (subject.cells, 20)):
        yield from _dialog(question_rows(title, sentences, choices, choices[0].id, screen, UNICODE))


def _trash(subject: Subject) -> Iterator[Drawn]:
    doubt = f"Perhaps in use by {one_line(subject.text)}."
    title, sentences, _choices = trash_question(title_words(subject.item), "it", "9 B", doubt)
    yield from _question(subject, title, sentences)


def _palette(subject: Subject) -> Iterator[Drawn]:
    commands = session_commands([(subject.item.path, title_words(subject.item))])
    for query in ("open", "o"):
        found = find_commands(commands, query)
        for row in command_rows(found, query, commands[0].id, UNICODE):
            yield from _wide(lay_out(row, subject.cells, COMMAND_COLUMNS), subject.cells)


def _clean_up(subject: Subject) -> Iterator[Drawn]:
    named = Staying(subject.item, f"its sub-agent session “{title_words(subject.item)}”: in use")
    said = Staying(subject.item, subject.text)
    listed = Selection((Family(subject.item, (subject.item,)),), (named, said))
    for page in (preview_page(listed), account_page(subject.text, (named, said))):
        for screen in ((120, 36), (60, 20)):
            body = page_body(page, screen[0], subject.look, home="/home/u")
            yield from _dialog(page_rows(page, body, page.default, screen, UNICODE))


def _notes(subject: Subject) -> Iterator[Drawn]:
    for sentence in sentences(subject):
        for pieces in wrap_pieces((Piece(one_line(sentence)),), subject.cells):
            yield brought_to(Line(pieces), subject.cells), subject.cells


def _agent(subject: Subject) -> Iterator[Drawn]:
    folder = one_line(subject.text)
    tab = AgentTab(1, f"ink · {folder}", "waiting for you", Role.WARNING)
    line = agent_tabs((tab, replace(tab, number=2)), 0, subject.cells, UNICODE, focused=True)
    yield from _wide((line.tabs, line.rule), subject.cells)
    status = status_line("typing goes here", "^]", "leave", "80x24", subject.cells, UNICODE, folder)
    yield status, subject.cells


def _agent_end(subject: Subject) -> Iterator[Drawn]:
    said = one_line(subject.text)
    end = AgentEnd("exited 1", False, "12:04:00", "2 records saved.", command=f"ink -r {said}")
    yield from _wide(end_lines(end, subject.cells, DEFAULT_KEYMAP, UNICODE), subject.cells)


def _session_facts(subject: Subject) -> Iterator[Drawn]:
    sections = fact_sections(session_facts(subject.diagnosis))
    for screen in ((120, 36), (max(24, subject.cells), 20)):
        yield from _dialog(facts_rows(title_words(subject.item), sections, screen, UNICODE))


DRAWN: dict[str, Callable[[Subject], Iterator[Drawn]]] = {
    "list by folder": lambda s: _list(s, Arrangement.FOLDER, s.cells),
    "list by urgency": lambda s: _list(s, Arrangement.URGENCY, s.cells),
    "list by time": lambda s: _list(s, Arrangement.TIME, s.cells),
    "list, narrow": lambda s: _list(s, Arrangement.FOLDER, 24),
    "detail of the list": _list_detail,
    "tree": _tree,
    "detail of the tree": _tree_detail,
    "transcript, folded": lambda s: _transcript(s, Depth.HEAD),
    "transcript, preview": lambda s: _transcript(s, Depth.PREVIEW),
    "transcript, unfolded": lambda s: _transcript(s, Depth.WHOLE),
    "transcript, colours": lambda s: _transcript(s, Depth.WHOLE, colours=True),
    "transcript, lines cut": _cut_lines,
    "transcript, raw record": _raw,
    "replay": _replay,
    "as the model saw it": _seen,
    "context": lambda s: _context(s, unfolded=False),
    "context, every message": lambda s: _context(s, unfolded=True),
    **CONTEXT_DRAWN,
    **COMPARE_DRAWN,
    "health": lambda s: _health(s, octets=False),
    "health, bytes": lambda s: _health(s, octets=True),
    "session head": _head,
    "session tabs": _tabs,
    "header": _header,
    "preflight of a resume": lambda s: _preflight(s, 0, PreflightView()),
    "preflight of a fork": lambda s: _preflight(s, 1, PreflightView()),
    "preflight of a repair": lambda s: _preflight(s, 2, PreflightView()),
    "preflight, details": lambda s: _preflight(s, 2, PreflightView(details=True)),
    "preflight, note": lambda s: _preflight(s, 2, PreflightView(note=s.text)),
    "preflight, second question": lambda s: _preflight(s, 2, PreflightView(asking="fork")),
    "question, trash": _trash,
    "question, export": lambda s: _question(s, export_question(one_line(s.text))[0], ()),
    "question, paste": lambda s: _question(s, *paste_question(s.text)[:2]),
    "question, error": lambda s: _question(s, "Run it here?", (s.text,)),
    "clean-up": _clean_up,
    "palette": _palette,
    "session facts": _session_facts,
    "notes": _notes,
    "agent tabs": _agent,
    "agent end": _agent_end,
}
"""Lines of cells."""


def sentences(subject: Subject) -> Iterator[str]:
    """Yield what is said of a session in full sentences: errors, plans, accounts."""
    diagnosis, where = subject.diagnosis, str(subject.path)
    yield str(UnreadableError(where, "io-error", "why"))
    points = [point.entry_id for point in fork_points(diagnosis)]
    for end in (None, *points[:1], *points[-1:]):
        plan = salvage_plan(diagnosis, end)
        yield plan.sentence
        yield from plan.account
    for point in points:
        yield fork_plan_at(diagnosis, point).sentence
    for preflight in subject.dialogs:
        yield from (preflight.repair.sentence, preflight.fork.sentence, preflight.launch.sentence)


def _prompts(subject: Subject) -> Iterator[str]:
    """Yield the texts of user messages that a fork puts on the clipboard for the new prompt."""
    for point in fork_points(subject.diagnosis):
        yield fork_plan_at(subject.diagnosis, point.entry_id).prompt


def _command(subject: Subject) -> Iterator[str]:
    yield copy_command(subject.text, ("/usr/bin/ink", "-r", subject.text))
    yield from (preflight.launch.copy_command for preflight in subject.dialogs)


def _blocks(subject: Subject) -> Iterator[str]:
    yield from (block_text(block) for block in build_transcript(subject.diagnosis).blocks)


def _exported(form: str, subject: Subject) -> Iterator[str]:
    yield make_export(str(subject.path), form, home=None).content.decode()


def _recorded(subject: Subject) -> Iterator[str]:
    """Yield what a player of the recording is given, without the looks that it may hold."""
    _head, *events = make_export(str(subject.path), "cast", home=None).content.splitlines()
    for event in events:
        played = _LOOK.sub("", json.loads(event)[2])
        yield played.replace("\r\n", "\n")


def _printed(options: tuple[str, ...], subject: Subject) -> Iterator[str]:
    store, session = str(subject.path.parents[1]), str(subject.path)
    words = {"{store}": store, "{session}": session, "{text}": subject.text}
    arguments = [words.get(option, option) for option in options]
    where = () if options[0] == "check" else ("--sessions-dir", store)
    _status, out, err = run_cli(arguments[0], *where, *arguments[1:])
    yield out
    yield err


_COMMANDS = {
    "list": ("list", "--all"),
    "list, quick": ("list", "--quick", "--all"),
    "show": ("show", "--plain", "{session}"),
    "show, facts": ("show", "--facts", "{session}"),
    "compare": ("compare", "{session}", "{session}"),
    "check": ("check", "{store}"),
    "locate": ("locate", "{text}"),
    "repair": ("repair", "{session}"),
    "undo": ("undo", "{session}"),
    "fork": ("fork", "{session}"),
    "resume": ("resume", "--dry-run", "{session}"),
    "search": ("search", "--", "-role:result"),
    "search, words": ("search", "--", "{text}"),
    "clean": ("clean", "--empty", "--older-than", "1", "--orphans"),
    "export": ("export", "--format", "md", "-o", "-", "{session}"),
}

SAID: dict[str, Callable[[Subject], Iterator[str]]] = {
    "sentences": sentences,
    "transcript as text": lambda s: iter(transcript_text(s.diagnosis)),
    "copied block": _blocks,
    "copied prompt": _prompts,
    "copied command": _command,
    "export md": partial(_exported, "md"),
    "export html": partial(_exported, "html"),
    "export cast": partial(_exported, "cast"),
    "recording, played": _recorded,
}
"""Whole texts: newlines and tabs may stand in them. JSON Lines are records for programs, with what
stands in them; no terminal is given any."""

PRINTED: dict[str, Callable[[Subject], Iterator[str]]] = {
    f"ink-tui {name}": partial(_printed, words) for name, words in _COMMANDS.items()
}
"""What the commands print, errors included."""
