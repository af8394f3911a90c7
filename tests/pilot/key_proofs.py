"""What each action of the key table must bring about: how to get there, and what is true then."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from ink_tui.model.groups import Arrangement
from ink_tui.model.row_words import needs_attention
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.commands import CommandsScreen
from ink_tui.tui.screens.help import HelpScreen
from ink_tui.tui.screens.preflight import PreflightScreen
from ink_tui.tui.screens.question import QuestionScreen
from ink_tui.tui.services import Leave
from ink_tui.tui.widgets.filter_field import FilterInput
from tests.pilot.run import CLEAN, Run

if TYPE_CHECKING:
    from textual.screen import Screen

FIRST = 1
"""The first row of the list that can be selected: a heading stands above it."""
Look: TypeAlias = Callable[[Run], Any]


@dataclass(frozen=True, slots=True)
class Proof:
    """One way to see an action act."""

    there: Callable[[Run], Awaitable[None]]
    """Goes where the action is at home."""
    look: Look
    """Takes what the action changes."""
    true: Callable[[Any, Any], bool]
    """Whether the change is right, from what was there before and after."""


def _changed(before: object, after: object) -> bool:
    return before != after


def _less(before: int, after: int) -> bool:
    return after < before


def _more(before: int, after: int) -> bool:
    return after > before


def _becomes(wanted: object) -> Callable[[Any, Any], bool]:
    return lambda before, after: before != wanted and after == wanted


def _flips(before: bool, after: bool) -> bool:
    return after is not before


def _question(run: Run) -> str:
    return run.screen.question if isinstance(run.screen, QuestionScreen) else ""


async def _start(run: Run) -> None:
    """Stay where the program starts: in the list, on the damaged session."""


async def _on_clean(run: Run) -> None:
    await run.select(CLEAN)


async def _at_end_of_list(run: Run) -> None:
    await run.press("end")


async def _at_folded_group(run: Run) -> None:
    await run.at_list()
    await run.press("left")


async def _with_filter(run: Run) -> None:
    await run.press("slash", *"loop", "enter")


async def _in_second_pane(run: Run) -> None:
    await run.press("tab")


async def _tree_top(run: Run) -> None:
    await run.at_tree()
    await run.press("home")


async def _tree_end(run: Run) -> None:
    await run.at_tree()
    await run.press("end")


async def _on_fold(run: Run) -> None:
    await run.at_tree()
    fold = next(row for row in run.tree.seen if row.foldable)
    run.tree.select(fold.key)
    await run.press("shift+f1")  # no key of ours: only wait


async def _on_open_fold(run: Run) -> None:
    await _on_fold(run)
    await run.press("right")


async def _transcript_top(run: Run) -> None:
    await run.at_transcript()
    await run.press("home")


async def _transcript_end(run: Run) -> None:
    await run.at_transcript()
    await run.press("end")


async def _context_end(run: Run) -> None:
    await run.at_context()
    await run.press("end")


async def _health_end(run: Run) -> None:
    await run.at_health()
    await run.press("end")


async def _on_fault_with_record(run: Run) -> None:
    await run.at_health()
    await run.press("down")


async def _on_first_message(run: Run) -> None:
    await run.at_context()
    await run.press("home")


async def _replay_plays(run: Run) -> None:
    await run.at_replay()
    await run.press("home")


async def _palette_down(run: Run) -> None:
    await run.at_palette()
    await run.press("pagedown", "down")


async def _cancel_selected(run: Run) -> None:
    await run.at_preflight()
    await run.press("down", "down", "down", "down", "down")


async def _repaired_preflight(run: Run) -> None:
    await run.repaired()
    await run.at_preflight()


async def _in_list_with_agent(run: Run) -> None:
    await run.beside_agent()


def _index(run: Run) -> int:
    return run.index()


def _tree_index(run: Run) -> int:
    return run.tree_index()


def _block(run: Run) -> int:
    return run.block


def _scroll(run: Run) -> int:
    return run.transcript.scroll_offset.y


def _row_of_tab(run: Run) -> int:
    index = run.focused_rows.selected_index
    assert index is not None
    return index


def _place(run: Run) -> Place:
    return run.browser.place


def _tab(run: Run) -> Tab:
    return run.browser.session.active


def _on_top(run: Run) -> type[Screen[object]]:
    return type(run.screen)


def _text(run: Run) -> str:
    return run.text


def _position(run: Run) -> int:
    return run.position


def _speed(run: Run) -> float:
    return run.playback.speed


def _option(run: Run) -> str:
    return run.preflight.selected


def _command(run: Run) -> int:
    assert isinstance(run.screen, CommandsScreen)
    ids = [row.key for row in run.screen._results.rows]
    return ids.index(run.screen.selected or "")


def _keyboard(run: Run) -> str:
    return run.agent.pane.keyboard


def _clipboard(run: Run) -> str:
    return run.pilot.app.clipboard


def _damaged(run: Run) -> bytes:
    return run.demo.first.read_bytes()


def _left_edge(run: Run) -> tuple[int, bool]:
    """Width of the list, and whether there is an edge that could be moved."""
    browser = run.browser
    return browser.list.size.width, browser.splitters[0].display


def _edge(cells: int) -> Callable[[Any, Any], bool]:
    """Return whether the edge moved by so many cells, or stayed where there is none."""
    return lambda before, after: after[0] - before[0] == (cells if before[1] else 0)


def _problem(run: Run) -> tuple[int, bool]:
    row = run.browser.list.selected_row
    return run.index(), row is not None and needs_attention(row, None)


def _next_problem(before: tuple[int, bool], after: tuple[int, bool]) -> bool:
    return after[0] > before[0] and after[1]


def _previous_problem(before: tuple[int, bool], after: tuple[int, bool]) -> bool:
    return after[0] < before[0] and after[1]


def _fold_open(run: Run) -> bool:
    row = run.tree.highlighted
    assert row is not None
    return row.key in run.tree._opened


def _playing(run: Run) -> bool:
    return run.playback.playing


def _left(run: Run) -> Leave | None:
    return run.pilot.app.return_value


_UP = (
    Proof(Run.at_list, _index, _less),
    Proof(Run.at_tree, _tree_index, _less),
    Proof(_transcript_end, _scroll, _less),
    Proof(_context_end, _row_of_tab, _less),
    Proof(_health_end, _row_of_tab, _less),
)
_DOWN = (
    Proof(Run.at_list, _index, _more),
    Proof(Run.at_tree, _tree_index, _more),
    Proof(_transcript_top, _scroll, _more),
    Proof(_on_first_message, _row_of_tab, _more),
    Proof(Run.at_health, _row_of_tab, _more),
)

EVERYWHERE = {
    "commands": (Proof(_start, _on_top, _becomes(CommandsScreen)),),
    "help": (
        Proof(_start, _on_top, _becomes(HelpScreen)),
        Proof(Run.at_health, _on_top, _becomes(HelpScreen)),
    ),
    "next-pane": (Proof(_start, _place, _becomes(Place.SESSION)),),
    "previous-pane": (Proof(_in_second_pane, _place, _becomes(Place.LIST)),),
    "back": (
        Proof(_in_second_pane, _place, _becomes(Place.LIST)),
        Proof(_with_filter, lambda run: run.browser.list.asked.filter, _becomes("")),
    ),
    "to-agent": (Proof(_in_list_with_agent, _keyboard, _becomes("captured")),),
    "one-or-two-panes": (Proof(_start, lambda run: run.browser.one_pane, _flips),),
    "narrower": (Proof(_start, _left_edge, _edge(-2)),),
    "wider": (Proof(_start, _left_edge, _edge(2)),),
    "read-again": (Proof(_start, lambda run: id(run.browser.feed.listing), _changed),),
    "quit": (Proof(_start, _left, _becomes(Leave())),),
}
ROWS = {
    "row-up": _UP,
    "row-down": _DOWN,
    "page-up": _UP,
    "page-down": _DOWN,
    "half-page-up": _UP,
    "half-page-down": _DOWN,
    "first-row": (
        Proof(Run.at_list, _index, _becomes(FIRST)),
        Proof(Run.at_tree, _tree_index, _becomes(0)),
        Proof(Run.at_transcript, _scroll, _becomes(0)),
    ),
    "last-row": (
        Proof(Run.at_list, lambda run: run.rows.at_end, _becomes(True)),
        Proof(Run.at_tree, lambda run: run.tree.at_end, _becomes(True)),
        Proof(_transcript_top, lambda run: run.transcript.at_end, _becomes(True)),
    ),
    "open": (
        Proof(_start, _place, _becomes(Place.SESSION)),
        Proof(_tree_top, _tab, _becomes(Tab.TRANSCRIPT)),
        Proof(_on_fold, _fold_open, _becomes(True)),
        Proof(_on_first_message, _tab, _becomes(Tab.TRANSCRIPT)),
        Proof(_on_fault_with_record, _tab, _becomes(Tab.TRANSCRIPT)),
    ),
}
BROWSER = {
    "resume": (
        Proof(_start, _on_top, _becomes(PreflightScreen)),
        Proof(Run.at_health, _on_top, _becomes(PreflightScreen)),
    ),
    "fork": (
        Proof(_start, _on_top, _becomes(PreflightScreen)),
        Proof(Run.at_tree, _on_top, _becomes(PreflightScreen)),
    ),
    "replay": (
        Proof(_start, lambda run: run.browser.session.transcript.playback is None, _flips),
        Proof(Run.at_tree, lambda run: run.browser.session.transcript.playback is None, _flips),
    ),
    "filter": (
        Proof(_start, lambda run: isinstance(run.browser.focused, FilterInput), _flips),
        Proof(Run.at_tree, lambda run: isinstance(run.browser.focused, FilterInput), _flips),
    ),
    "next-problem": (
        Proof(_on_clean, _problem, _next_problem),
        Proof(_start, _place, _becomes(Place.SESSION)),
        Proof(_tree_top, _tree_index, _more),
        Proof(_transcript_top, _block, _more),
        Proof(Run.at_health, _row_of_tab, _more),
        Proof(Run.at_context, _tab, _becomes(Tab.TREE)),
    ),
    "previous-problem": (
        Proof(_at_end_of_list, _problem, _previous_problem),
        Proof(_tree_end, _tree_index, _less),
        Proof(_health_end, _row_of_tab, _less),
    ),
    "copy": (
        Proof(_start, _clipboard, lambda before, after: "--resume" in after),
        Proof(Run.at_tree, _clipboard, lambda before, after: "--resume" in after),
    ),
    "export": (
        Proof(_start, _question, _becomes("Export this session to ~/work/demo?")),
        Proof(Run.at_tree, _question, _becomes("Export this session to ~/work/demo?")),
    ),
    "undo": (Proof(Run.repaired, _damaged, _changed),),
    "by-urgency": (
        Proof(
            _start, lambda run: run.browser.list.asked.arrangement, _becomes(Arrangement.URGENCY)
        ),
    ),
}
LIST = {
    "fold-group": (Proof(Run.at_list, lambda run: len(run.rows.rows), _less),),
    "unfold-group": (Proof(_at_folded_group, lambda run: len(run.rows.rows), _more),),
    "show-hidden": (Proof(_start, lambda run: len(run.rows.rows), _more),),
}
SESSION = {
    "tab-tree": (Proof(Run.at_health, _tab, _becomes(Tab.TREE)),),
    "tab-transcript": (Proof(_start, _tab, _becomes(Tab.TRANSCRIPT)),),
    "tab-context": (Proof(Run.at_tree, _tab, _becomes(Tab.CONTEXT)),),
    "tab-health": (Proof(Run.at_transcript, _tab, _becomes(Tab.HEALTH)),),
    "next-compaction": (
        Proof(_tree_top, _tree_index, _more),
        Proof(_transcript_top, _block, _more),
    ),
    "previous-compaction": (
        Proof(_tree_end, _tree_index, _less),
        Proof(_transcript_end, _block, _less),
    ),
    "previous-turn": (
        Proof(_tree_end, _tree_index, _less),
        Proof(_transcript_end, _block, _less),
    ),
    "next-turn": (Proof(_tree_top, _tree_index, _more), Proof(_transcript_top, _block, _more)),
    "previous-branch": (Proof(_tree_end, _tree_index, _less),),
    "next-branch": (Proof(_tree_top, _tree_index, _more),),
}
TREE = {
    "fold": (Proof(_on_open_fold, _fold_open, _becomes(False)),),
    "unfold": (Proof(_on_fold, _fold_open, _becomes(True)),),
    "tree-filter": (Proof(Run.at_tree, lambda run: run.tree.mode, _changed),),
}
TRANSCRIPT = {
    "previous-block": (Proof(_transcript_end, _block, lambda before, after: after == before - 1),),
    "next-block": (Proof(_transcript_top, _block, lambda before, after: after > before),),
    "fold-all": (Proof(Run.at_transcript, lambda run: run.transcript.virtual_size.height, _less),),
    "fold-thinking": (
        Proof(Run.at_transcript, lambda run: run.transcript.virtual_size.height, _more),
    ),
    "wrap": (Proof(Run.at_transcript, lambda run: run.transcript._look.wrap, _flips),),
    "raw-record": (Proof(Run.at_transcript, lambda run: len(run.transcript._raw), _more),),
}
REPLAY = {
    "replay-pause": (Proof(Run.at_replay, _playing, _flips),),
    "replay-back": (Proof(Run.at_replay, _position, lambda before, after: after == before - 1),),
    "replay-forward": (Proof(Run.at_replay, _position, lambda before, after: after == before + 1),),
    "replay-slower": (Proof(Run.at_replay, _speed, _less),),
    "replay-faster": (Proof(Run.at_replay, _speed, _more),),
    "replay-start": (Proof(Run.at_replay, _position, _becomes(1)),),
    "replay-end": (Proof(Run.at_replay, lambda run: run.playback.following, _becomes(True)),),
    "replay-stop": (
        Proof(Run.at_replay, lambda run: run.browser.session.transcript.playback is None, _flips),
    ),
}
FILTER = {
    "filter-keep": (
        Proof(
            Run.at_filter,
            lambda run: (run.browser.list.asked.filter, run.rows.has_focus),
            _becomes(("loop", True)),
        ),
    ),
    "filter-clear": (
        Proof(
            Run.at_filter,
            lambda run: (
                run.browser.list.asked.filter,
                isinstance(run.browser.focused, FilterInput),
            ),
            _becomes(("", True)),
        ),
    ),
}
DIALOG = {
    "option-up": (
        Proof(_cancel_selected, _option, _changed),
        Proof(_palette_down, _command, _less),
    ),
    "option-down": (
        Proof(Run.at_preflight, _option, _changed),
        Proof(Run.at_palette, _command, _more),
    ),
    "choose-option": (
        Proof(_cancel_selected, lambda run: isinstance(run.screen, PreflightScreen), _flips),
    ),
    "dialog-page-up": (Proof(_palette_down, _command, _less),),
    "dialog-page-down": (Proof(Run.at_palette, _command, _more),),
    "cancel": (
        Proof(Run.at_preflight, lambda run: run.screen is run.browser, _becomes(True)),
        Proof(Run.at_palette, lambda run: run.screen is run.browser, _becomes(True)),
        Proof(Run.at_help, lambda run: run.screen is run.browser, _becomes(True)),
    ),
}
PREFLIGHT = {
    "preflight-fork": (
        Proof(Run.at_preflight, lambda run: len(list(run.demo.root.rglob("*.jsonl"))), _more),
    ),
    "preflight-as-is": (
        Proof(Run.at_preflight, lambda run: run.preflight._view.asking, _becomes("resume")),
    ),
    "preflight-hand-over": (
        Proof(
            Run.at_clean_preflight,
            lambda run: (_left(run) or Leave()).hand_over is not None,
            _becomes(True),
        ),
    ),
    "preflight-agent": (
        Proof(
            Run.at_preflight, lambda run: run.preflight.preflight.launch.agent, _becomes("other")
        ),
    ),
    "preflight-details": (
        Proof(Run.at_preflight, lambda run: run.preflight._view.details, _flips),
    ),
    "preflight-copy": (
        Proof(Run.at_preflight, _clipboard, lambda before, after: "--resume" in after),
    ),
    "preflight-undo": (Proof(_repaired_preflight, _damaged, _changed),),
}
AGENT = {
    "leave-agent": (Proof(Run.at_agent, _keyboard, _becomes("menu")),),
    "agent-browser": (Proof(Run.at_menu, _place, _becomes(Place.SESSION)),),
    "agent-scroll": (Proof(Run.at_menu, _keyboard, _becomes("scroll")),),
    "agent-full-width": (Proof(Run.at_menu, lambda run: run.browser.one_pane, _becomes(True)),),
    "agent-stop": (Proof(Run.at_menu, lambda run: run.agent.running, _becomes(False)),),
    "agent-send-chord": (
        Proof(Run.at_menu, lambda run: "^]" in run.agent.pane.screen_text(), _becomes(True)),
    ),
    "agent-help": (Proof(Run.at_menu, _on_top, _becomes(HelpScreen)),),
    "agent-menu-close": (Proof(Run.at_menu, _keyboard, _becomes("captured")),),
}
EXITED = {
    "exited-resume": (Proof(Run.at_exited, _on_top, _becomes(PreflightScreen)),),
    "exited-fork": (Proof(Run.at_exited, _on_top, _becomes(PreflightScreen)),),
    "exited-transcript": (Proof(Run.at_exited, _tab, _becomes(Tab.TRANSCRIPT)),),
    "exited-scroll": (Proof(Run.at_exited, _keyboard, _becomes("scroll")),),
    "exited-close": (Proof(Run.at_exited, lambda run: len(run.browser.area.runs), _becomes(0)),),
    "exited-browser": (Proof(Run.at_exited, _place, _becomes(Place.SESSION)),),
}
PROOFS: dict[str, tuple[Proof, ...]] = {
    **EVERYWHERE,
    **ROWS,
    **BROWSER,
    **LIST,
    **SESSION,
    **TREE,
    **TRANSCRIPT,
    **REPLAY,
    **FILTER,
    **DIALOG,
    **PREFLIGHT,
    **AGENT,
    **EXITED,
}
"""The proofs of each action, by its id."""
