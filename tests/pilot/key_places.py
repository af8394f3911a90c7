"""Ways to where a key acts, and what is looked at there; `key_proofs` puts them together."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from ink_tui.model.row_words import needs_attention
from ink_tui.tui.screens.cleanup import CleanupScreen
from ink_tui.tui.screens.commands import CommandsScreen
from ink_tui.tui.screens.question import QuestionScreen
from tests.pilot.run import CLEAN, Run

if TYPE_CHECKING:
    from textual.screen import Screen

    from ink_tui.tui.render.head_lines import Tab
    from ink_tui.tui.render.layout import Place
    from ink_tui.tui.services import Leave

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


def changed(before: object, after: object) -> bool:
    return before != after


def less(before: int, after: int) -> bool:
    return after < before


def more(before: int, after: int) -> bool:
    return after > before


def becomes(wanted: object) -> Callable[[Any, Any], bool]:
    return lambda before, after: before != wanted and after == wanted


def flips(before: bool, after: bool) -> bool:
    return after is not before


def question(run: Run) -> str:
    return run.screen.question if isinstance(run.screen, QuestionScreen) else ""


def clean_up_page(run: Run) -> str:
    """What may be cleaned up, once it is counted."""
    screen = run.screen
    if not isinstance(screen, CleanupScreen) or len(screen.page.choices) == 1:
        return ""
    return screen.page.title


async def at_start(run: Run) -> None:
    """Stay where the program starts: in the list, on the damaged session."""


async def on_clean(run: Run) -> None:
    await run.select(CLEAN)


async def on_clean_record(run: Run) -> None:
    await on_clean(run)
    await run.press("enter", "home")


async def on_clean_block(run: Run) -> None:
    await on_clean(run)
    await run.press("2", "home")


async def on_archived(run: Run) -> None:
    """A session that is archived and shown all the same."""
    await on_clean(run)
    await run.press("backspace", "full_stop")
    await on_clean(run)


async def on_branch(run: Run) -> None:
    """A branch that was left."""
    await run.at_tree()
    stub = next(row for row in run.tree.seen if row.stub)
    assert run.tree.select(stub.key)
    await run.press("shift+f1")  # no key of ours: only wait


async def on_hidden_branch(run: Run) -> None:
    await on_branch(run)
    await run.press("backspace")


async def at_end_of_list(run: Run) -> None:
    await run.press("end")


async def at_folded_group(run: Run) -> None:
    await run.at_list()
    await run.press("left")


async def with_filter(run: Run) -> None:
    await run.press("slash", *"loop", "enter")


async def in_second_pane(run: Run) -> None:
    await run.press("tab")


async def tree_top(run: Run) -> None:
    await run.at_tree()
    await run.press("home")


async def tree_end(run: Run) -> None:
    await run.at_tree()
    await run.press("end")


async def on_fold(run: Run) -> None:
    await run.at_tree()
    fold = next(row for row in run.tree.seen if row.foldable)
    run.tree.select(fold.key)
    await run.press("shift+f1")  # no key of ours: only wait


async def on_open_fold(run: Run) -> None:
    await on_fold(run)
    await run.press("right")


async def transcript_top(run: Run) -> None:
    await run.at_transcript()
    await run.press("home")


async def transcript_end(run: Run) -> None:
    await run.at_transcript()
    await run.press("end")


async def context_end(run: Run) -> None:
    await run.at_context()
    await run.press("end")


async def health_end(run: Run) -> None:
    await run.at_health()
    await run.press("end")


async def on_fault_with_record(run: Run) -> None:
    await run.at_health()
    await run.press("down")


async def on_first_message(run: Run) -> None:
    await run.at_context()
    await run.press("home")


async def palette_down(run: Run) -> None:
    await run.at_palette()
    await run.press("pagedown", "down")


async def cancel_selected(run: Run) -> None:
    await run.at_preflight()
    await run.press("down", "down", "down", "down", "down")


async def repaired_preflight(run: Run) -> None:
    await run.repaired()
    await run.at_preflight()


async def in_list_with_agent(run: Run) -> None:
    await run.beside_agent()


def index(run: Run) -> int:
    return run.index()


def tree_index(run: Run) -> int:
    return run.tree_index()


def block(run: Run) -> int:
    return run.block


def scroll(run: Run) -> int:
    return run.transcript.scroll_offset.y


def row_of_tab(run: Run) -> int:
    index = run.focused_rows.selected_index
    assert index is not None
    return index


def place(run: Run) -> Place:
    return run.browser.place


def tab(run: Run) -> Tab:
    return run.browser.session.active


def on_top(run: Run) -> type[Screen[object]]:
    return type(run.screen)


def text(run: Run) -> str:
    return run.text


def position(run: Run) -> int:
    return run.position


def speed(run: Run) -> float:
    return run.playback.speed


def option(run: Run) -> str:
    return run.preflight.selected


def command(run: Run) -> int:
    assert isinstance(run.screen, CommandsScreen)
    ids = [row.key for row in run.screen._results.rows]
    return ids.index(run.screen.selected or "")


def keyboard(run: Run) -> str:
    return run.agent.pane.keyboard


def clipboard(run: Run) -> str:
    return run.pilot.app.clipboard


def damaged(run: Run) -> bytes:
    return run.demo.first.read_bytes()


def left_edge(run: Run) -> tuple[int, bool]:
    """Width of the list, and whether there is an edge that could be moved."""
    browser = run.browser
    return browser.list.size.width, browser.splitters[0].display


def edge(cells: int) -> Callable[[Any, Any], bool]:
    """Return whether the edge moved by so many cells, or stayed where there is none."""
    return lambda before, after: after[0] - before[0] == (cells if before[1] else 0)


def problem(run: Run) -> tuple[int, bool]:
    row = run.browser.list.selected_row
    return run.index(), row is not None and needs_attention(row, None)


def next_problem(before: tuple[int, bool], after: tuple[int, bool]) -> bool:
    return after[0] > before[0] and after[1]


def previous_problem(before: tuple[int, bool], after: tuple[int, bool]) -> bool:
    return after[0] < before[0] and after[1]


def fold_open(run: Run) -> bool:
    row = run.tree.highlighted
    assert row is not None
    return row.key in run.tree._opened


def playing(run: Run) -> bool:
    return run.playback.playing


def left_with(run: Run) -> Leave | None:
    return run.pilot.app.return_value
