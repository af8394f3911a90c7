"""Ways to a comparison, and what is looked at there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.tui.render.compare_lines import Page
from ink_tui.tui.screens.compare import CompareScreen
from tests.pilot.app import settled, shown
from tests.pilot.key_places import Proof, becomes, less, more, on_top
from tests.pilot.run import CLEAN, DAMAGED

if TYPE_CHECKING:
    from tests.pilot.run import Run

COPY = "fork: rename the module"


async def on_other_branch(run: Run, words: str) -> None:
    """Select a branch by what it begins with; in the clean session where it is not the demo's."""
    await run.select(DAMAGED if "lookup" in words else CLEAN)
    await run.press("enter")
    stub = next(row for row in run.tree.seen if row.stub and words in row.text)
    assert run.tree.select(stub.key)
    await settled(run.pilot)


async def at_compare(run: Run) -> None:
    """A branch of the damaged session beside its current one; the left side has the focus."""
    await on_other_branch(run, "lookup table")
    await run.pilot.press("equals_sign")
    await shown(run.pilot, CompareScreen)
    await settled(run.pilot)


async def at_right_side(run: Run) -> None:
    await at_compare(run)
    await run.press("tab")


async def at_done(run: Run) -> None:
    await at_compare(run)
    await run.press("2")


async def at_common(run: Run) -> None:
    """In the middle of the common records, unfolded."""
    await at_compare(run)
    await run.press("home", "enter", "pagedown")


def record(run: Run) -> int:
    """Place of the selected row."""
    at = comparison(run).column.selected_index
    assert at is not None
    return at


def comparison(run: Run) -> CompareScreen:
    assert isinstance(run.screen, CompareScreen)
    return run.screen


def side(run: Run) -> int:
    return comparison(run).side


def page(run: Run) -> Page:
    return comparison(run).page


COMPARE = {
    "compare-other": (Proof(at_compare, side, becomes(1)), Proof(at_right_side, side, becomes(0))),
    "compare-left": (Proof(at_right_side, side, becomes(0)),),
    "compare-right": (Proof(at_compare, side, becomes(1)),),
    "compare-previous-turn": (Proof(at_common, record, less),),
    "compare-next-turn": (Proof(at_common, record, more),),
    "compare-records": (Proof(at_done, page, becomes(Page.RECORDS)),),
    "compare-done": (Proof(at_compare, page, becomes(Page.DONE)),),
}
OPEN_COMPARE = (
    Proof(lambda run: on_other_branch(run, "lookup table"), on_top, becomes(CompareScreen)),
    Proof(lambda run: run.select(COPY), on_top, becomes(CompareScreen)),
)
