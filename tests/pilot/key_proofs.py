"""The proofs of the key table: for each action how to get there and what is true then."""

from __future__ import annotations

from ink_tui.model.groups import Arrangement
from ink_tui.model.scope import Scope
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.commands import CommandsScreen
from ink_tui.tui.screens.facts import FactsScreen
from ink_tui.tui.screens.field import FieldScreen
from ink_tui.tui.screens.help import HelpScreen
from ink_tui.tui.screens.message import MessageScreen
from ink_tui.tui.screens.preflight import PreflightScreen
from ink_tui.tui.services import Leave
from ink_tui.tui.widgets.filter_field import FilterInput
from tests.pilot.compare_places import COMPARE, OPEN_COMPARE
from tests.pilot.find_places import BACK, FIND
from tests.pilot.key_places import (
    FIRST,
    Proof,
    at_end_of_list,
    at_folded_group,
    at_start,
    becomes,
    block,
    cancel_selected,
    changed,
    clean_up_page,
    clipboard,
    command,
    context_end,
    damaged,
    edge,
    flips,
    fold_open,
    health_end,
    in_list_with_agent,
    in_second_pane,
    index,
    keyboard,
    left_edge,
    left_with,
    less,
    more,
    next_problem,
    on_archived,
    on_clean,
    on_clean_block,
    on_clean_record,
    on_fault_with_record,
    on_first_message,
    on_fold,
    on_top,
    option,
    palette_down,
    place,
    playing,
    position,
    previous_problem,
    problem,
    question,
    repaired_preflight,
    row_of_tab,
    scroll,
    speed,
    tab,
    transcript_end,
    transcript_top,
    tree_end,
    tree_index,
    tree_top,
    with_filter,
)
from tests.pilot.lens_places import LENS
from tests.pilot.run import Run
from tests.pilot.search_places import OPEN_SEARCH, SEARCH
from tests.pilot.taking_places import OPEN_IN_EDITOR, THIRD_COLUMN
from tests.pilot.tree_places import TREE

_UP = (
    Proof(Run.at_list, index, less),
    Proof(Run.at_tree, tree_index, less),
    Proof(transcript_end, scroll, less),
    Proof(context_end, row_of_tab, less),
    Proof(health_end, row_of_tab, less),
)
_DOWN = (
    Proof(Run.at_list, index, more),
    Proof(Run.at_tree, tree_index, more),
    Proof(transcript_top, scroll, more),
    Proof(on_first_message, row_of_tab, more),
    Proof(Run.at_health, row_of_tab, more),
)

EVERYWHERE = {
    "commands": (Proof(at_start, on_top, becomes(CommandsScreen)),),
    "search": OPEN_SEARCH,
    "help": (
        Proof(at_start, on_top, becomes(HelpScreen)),
        Proof(Run.at_health, on_top, becomes(HelpScreen)),
    ),
    "next-pane": (Proof(at_start, place, becomes(Place.SESSION)),),
    "previous-pane": (Proof(in_second_pane, place, becomes(Place.LIST)),),
    "back": (
        Proof(in_second_pane, place, becomes(Place.LIST)),
        Proof(with_filter, lambda run: run.browser.list.asked.filter, becomes("")),
        *BACK,
    ),
    "to-agent": (Proof(in_list_with_agent, keyboard, becomes("captured")),),
    "one-or-two-panes": (Proof(at_start, lambda run: run.browser.one_pane, flips),),
    "third-column": THIRD_COLUMN,
    "narrower": (Proof(at_start, left_edge, edge(-2)),),
    "wider": (Proof(at_start, left_edge, edge(2)),),
    "read-again": (Proof(at_start, lambda run: id(run.browser.feed.listing), changed),),
    "quit": (Proof(at_start, left_with, becomes(Leave())),),
}
ROWS = {
    "row-up": _UP,
    "row-down": _DOWN,
    "page-up": _UP,
    "page-down": _DOWN,
    "half-page-up": _UP,
    "half-page-down": _DOWN,
    "first-row": (
        Proof(Run.at_list, index, becomes(FIRST)),
        Proof(Run.at_tree, tree_index, becomes(0)),
        Proof(Run.at_transcript, scroll, becomes(0)),
    ),
    "last-row": (
        Proof(Run.at_list, lambda run: run.rows.at_end, becomes(True)),
        Proof(Run.at_tree, lambda run: run.tree.at_end, becomes(True)),
        Proof(transcript_top, lambda run: run.transcript.at_end, becomes(True)),
    ),
    "open": (
        Proof(at_start, place, becomes(Place.SESSION)),
        Proof(tree_top, tab, becomes(Tab.TRANSCRIPT)),
        Proof(on_fold, fold_open, becomes(True)),
        Proof(on_first_message, on_top, becomes(MessageScreen)),
        Proof(on_fault_with_record, tab, becomes(Tab.TRANSCRIPT)),
    ),
}
BROWSER = {
    "resume": (
        Proof(at_start, on_top, becomes(PreflightScreen)),
        Proof(Run.at_health, on_top, becomes(PreflightScreen)),
    ),
    "fork": (
        Proof(at_start, on_top, becomes(PreflightScreen)),
        Proof(Run.at_tree, on_top, becomes(PreflightScreen)),
    ),
    "replay": (
        Proof(at_start, lambda run: run.browser.session.transcript.playback is None, flips),
        Proof(Run.at_tree, lambda run: run.browser.session.transcript.playback is None, flips),
    ),
    "filter": (Proof(at_start, lambda run: isinstance(run.browser.focused, FilterInput), flips),),
    "next-problem": (
        Proof(on_clean, problem, next_problem),
        Proof(at_start, place, becomes(Place.SESSION)),
        Proof(tree_top, tree_index, more),
        Proof(transcript_top, block, more),
        Proof(Run.at_health, row_of_tab, more),
        Proof(Run.at_context, tab, becomes(Tab.TREE)),
    ),
    "previous-problem": (
        Proof(at_end_of_list, problem, previous_problem),
        Proof(tree_end, tree_index, less),
        Proof(health_end, row_of_tab, less),
    ),
    "copy": (
        Proof(at_start, clipboard, lambda before, after: "--resume" in after),
        Proof(Run.at_tree, question, becomes("Copy what?")),
    ),
    "export": (
        Proof(at_start, question, becomes("Export this session to ~/work/demo?")),
        Proof(Run.at_tree, question, becomes("Export this session to ~/work/demo?")),
    ),
    "compare": OPEN_COMPARE,
    "facts": (
        Proof(at_start, on_top, becomes(FactsScreen)),
        Proof(Run.at_tree, on_top, becomes(FactsScreen)),
    ),
    "undo": (Proof(Run.repaired, damaged, changed),),
    "rename": (
        Proof(on_clean, on_top, becomes(FieldScreen)),
        Proof(on_clean_record, on_top, becomes(FieldScreen)),
    ),
    "by-urgency": (
        Proof(
            at_start, lambda run: run.browser.list.asked.arrangement, becomes(Arrangement.URGENCY)
        ),
    ),
    "tab-tree": (Proof(Run.at_health, tab, becomes(Tab.TREE)),),
    "tab-transcript": (Proof(at_start, tab, becomes(Tab.TRANSCRIPT)),),
    "tab-context": (
        Proof(Run.at_tree, tab, becomes(Tab.CONTEXT)),
        Proof(at_start, tab, becomes(Tab.CONTEXT)),
    ),
    "tab-health": (
        Proof(Run.at_transcript, tab, becomes(Tab.HEALTH)),
        Proof(at_start, tab, becomes(Tab.HEALTH)),
    ),
}
LIST = {
    "sections": (
        Proof(
            at_start, lambda run: run.browser.list.asked.arrangement, becomes(Arrangement.URGENCY)
        ),
    ),
    "scope": (Proof(at_start, lambda run: run.browser.list.asked.scope, becomes(Scope.FOLDER)),),
    "fold-group": (Proof(Run.at_list, lambda run: len(run.rows.rows), less),),
    "unfold-group": (Proof(at_folded_group, lambda run: len(run.rows.rows), more),),
    "show-hidden": (Proof(at_start, lambda run: len(run.rows.rows), more),),
    "pin": (Proof(on_clean, lambda run: "pinned" in run.text, becomes(True)),),
    "star": (Proof(on_clean, lambda run: "✭ " in run.text, becomes(True)),),
    "note": (Proof(on_clean, on_top, becomes(FieldScreen)),),
    "archive": (
        Proof(on_clean, lambda run: run.browser.list.listing.archived, becomes(1)),
        Proof(on_archived, lambda run: len(run.browser.marking.marks.archived), becomes(0)),
    ),
    "trash": (Proof(at_start, question, becomes("Delete this session?")),),
    "clean-up": (Proof(at_start, clean_up_page, becomes("Clean up")),),
}
SESSION = {
    "label": (
        Proof(on_clean_record, on_top, becomes(FieldScreen)),
        Proof(on_clean_block, on_top, becomes(FieldScreen)),
    ),
    "star-record": (
        Proof(on_clean_record, lambda run: "✭ " in run.text, becomes(True)),
        Proof(on_clean_block, lambda run: "✭ " in run.text, becomes(True)),
    ),
    "note-record": (
        Proof(on_clean_record, on_top, becomes(FieldScreen)),
        Proof(on_clean_block, on_top, becomes(FieldScreen)),
    ),
    "open-in-editor": OPEN_IN_EDITOR,
    "next-compaction": (
        Proof(tree_top, tree_index, more),
        Proof(transcript_top, block, more),
        Proof(on_first_message, tab, becomes(Tab.TREE)),
    ),
    "previous-compaction": (
        Proof(tree_end, tree_index, less),
        Proof(transcript_end, block, less),
        Proof(context_end, tab, becomes(Tab.TREE)),
        Proof(Run.at_health, tab, becomes(Tab.TREE)),
    ),
    "previous-turn": (
        Proof(tree_end, tree_index, less),
        Proof(transcript_end, block, less),
        Proof(Run.at_health, tab, becomes(Tab.TREE)),
    ),
    "next-turn": (
        Proof(tree_top, tree_index, more),
        Proof(transcript_top, block, more),
    ),
    "previous-branch": (
        Proof(tree_end, tree_index, less),
        Proof(transcript_end, tab, becomes(Tab.TREE)),
        Proof(Run.at_health, tab, becomes(Tab.TREE)),
    ),
    "next-branch": (Proof(tree_top, tree_index, more),),
}
TRANSCRIPT = {
    "previous-block": (Proof(transcript_end, block, lambda before, after: after == before - 1),),
    "next-block": (Proof(transcript_top, block, lambda before, after: after > before),),
    "fold-all": (Proof(Run.at_transcript, lambda run: run.transcript.virtual_size.height, less),),
    "fold-thinking": (
        Proof(Run.at_transcript, lambda run: run.transcript.virtual_size.height, more),
    ),
    "wrap": (Proof(Run.at_transcript, lambda run: run.transcript._look.wrap, flips),),
    "raw-record": (Proof(Run.at_transcript, lambda run: len(run.transcript._raw), more),),
}
REPLAY = {
    "replay-pause": (Proof(Run.at_replay, playing, flips),),
    "replay-back": (Proof(Run.at_replay, position, lambda before, after: after == before - 1),),
    "replay-forward": (Proof(Run.at_replay, position, lambda before, after: after == before + 1),),
    "replay-slower": (Proof(Run.at_replay, speed, less),),
    "replay-faster": (Proof(Run.at_replay, speed, more),),
    "replay-start": (Proof(Run.at_replay, position, becomes(1)),),
    "replay-end": (Proof(Run.at_replay, lambda run: run.playback.following, becomes(True)),),
    "replay-seen": (
        Proof(Run.at_replay, lambda run: run.browser.session.transcript.as_seen, becomes(True)),
    ),
    "replay-stop": (
        Proof(Run.at_replay, lambda run: run.browser.session.transcript.playback is None, flips),
    ),
}
FILTER = {
    "filter-keep": (
        Proof(
            Run.at_filter,
            lambda run: (run.browser.list.asked.filter, run.rows.has_focus),
            becomes(("loop", True)),
        ),
    ),
    "filter-clear": (
        Proof(
            Run.at_filter,
            lambda run: (
                run.browser.list.asked.filter,
                isinstance(run.browser.focused, FilterInput),
            ),
            becomes(("", True)),
        ),
    ),
}
DIALOG = {
    "option-up": (
        Proof(cancel_selected, option, changed),
        Proof(palette_down, command, less),
    ),
    "option-down": (
        Proof(Run.at_preflight, option, changed),
        Proof(Run.at_palette, command, more),
    ),
    "choose-option": (
        Proof(cancel_selected, lambda run: isinstance(run.screen, PreflightScreen), flips),
    ),
    "dialog-page-up": (Proof(palette_down, command, less),),
    "dialog-page-down": (Proof(Run.at_palette, command, more),),
    "cancel": (
        Proof(Run.at_preflight, lambda run: run.screen is run.browser, becomes(True)),
        Proof(Run.at_palette, lambda run: run.screen is run.browser, becomes(True)),
        Proof(Run.at_help, lambda run: run.screen is run.browser, becomes(True)),
    ),
}
PREFLIGHT = {
    "preflight-fork": (
        Proof(Run.at_preflight, lambda run: len(list(run.demo.root.rglob("*.jsonl"))), more),
    ),
    "preflight-as-is": (
        Proof(Run.at_preflight, lambda run: run.preflight._view.asking, becomes("resume")),
    ),
    "preflight-hand-over": (
        Proof(
            Run.at_clean_preflight,
            lambda run: (left_with(run) or Leave()).hand_over is not None,
            becomes(True),
        ),
    ),
    "preflight-agent": (
        Proof(Run.at_preflight, lambda run: run.preflight.preflight.launch.agent, becomes("other")),
    ),
    "preflight-details": (Proof(Run.at_preflight, lambda run: run.preflight._view.details, flips),),
    "preflight-copy": (
        Proof(Run.at_preflight, clipboard, lambda before, after: "--resume" in after),
    ),
    "preflight-undo": (Proof(repaired_preflight, damaged, changed),),
}
AGENT = {
    "leave-agent": (Proof(Run.at_agent, keyboard, becomes("menu")),),
    "agent-browser": (Proof(Run.at_menu, place, becomes(Place.SESSION)),),
    "agent-scroll": (Proof(Run.at_menu, keyboard, becomes("scroll")),),
    "agent-full-width": (Proof(Run.at_menu, lambda run: run.browser.one_pane, becomes(True)),),
    "agent-stop": (Proof(Run.at_menu, lambda run: run.agent.running, becomes(False)),),
    "agent-send-chord": (
        Proof(Run.at_menu, lambda run: "^]" in run.agent.pane.screen_text(), becomes(True)),
    ),
    "agent-help": (Proof(Run.at_menu, on_top, becomes(HelpScreen)),),
    "agent-menu-close": (Proof(Run.at_menu, keyboard, becomes("captured")),),
}
EXITED = {
    "exited-resume": (Proof(Run.at_exited, on_top, becomes(PreflightScreen)),),
    "exited-fork": (Proof(Run.at_exited, on_top, becomes(PreflightScreen)),),
    "exited-transcript": (Proof(Run.at_exited, tab, becomes(Tab.TRANSCRIPT)),),
    "exited-scroll": (Proof(Run.at_exited, keyboard, becomes("scroll")),),
    "exited-close": (Proof(Run.at_exited, lambda run: len(run.browser.area.runs), becomes(0)),),
    "exited-browser": (Proof(Run.at_exited, place, becomes(Place.SESSION)),),
}
PROOFS: dict[str, tuple[Proof, ...]] = {
    **EVERYWHERE,
    **ROWS,
    **BROWSER,
    **LIST,
    **SESSION,
    **TREE,
    **TRANSCRIPT,
    **LENS,
    **REPLAY,
    **FILTER,
    **FIND,
    **SEARCH,
    **COMPARE,
    **DIALOG,
    **PREFLIGHT,
    **AGENT,
    **EXITED,
}
"""The proofs of each action, by its id."""
