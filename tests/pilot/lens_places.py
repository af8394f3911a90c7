"""Ways to contexts from other records, what is looked at there, and the proofs of their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.tui.screens.compaction import CompactionScreen
from ink_tui.tui.screens.message import MessageScreen
from tests.pilot.key_places import Proof, becomes, less, more
from tests.pilot.run import DAMAGED, Run

if TYPE_CHECKING:
    from ink_tui.model.lens import Lens

COMPACTED = "compacted twice"
"""Start of the title of the demo's session with two compactions and three branches."""


def lens_of(run: Run) -> Lens | None:
    """What is shown of another record than the resume point."""
    return run.browser.session.context_view.lens


def number(run: Run) -> int:
    """Place of the lens on its way; past all records at the resume point."""
    lens = lens_of(run)
    return lens.place.number if lens is not None else 1_000_000


def is_on(run: Run) -> bool:
    return lens_of(run) is not None


async def in_tree(run: Run) -> None:
    """The tree of a session that was compacted, at a record in its middle."""
    await run.select(COMPACTED)
    await run.press("1", "home", "right")


async def in_transcript(run: Run) -> None:
    await run.select(COMPACTED)
    await run.press("2", "home")


async def in_context(run: Run) -> None:
    """The context from the resume point, at its first message."""
    await run.select(COMPACTED)
    await run.press("3", "home")


async def in_health(run: Run) -> None:
    await run.select(DAMAGED)
    await run.press("4", "end")
    while run.browser.session.health.fault_of(run.focused_rows.selected or "") is None:
        await run.press("up")


async def with_lens(run: Run) -> None:
    """The context from three records before the resume point."""
    await in_context(run)
    await run.press(*["left_curly_bracket"] * 3)
    assert is_on(run)


async def at_first(run: Run) -> None:
    """The context from the first record."""
    await in_tree(run)
    await run.press("home", "V")
    assert number(run) == 1


async def at_message(run: Run) -> None:
    """The second message of the context over the screen."""
    await in_context(run)
    await run.press("down", "enter")
    assert isinstance(run.screen, MessageScreen)


async def at_sides(run: Run) -> None:
    """The second of two compactions beside what it replaced, at its first message."""
    await in_context(run)
    await run.press("b")
    assert isinstance(run.screen, CompactionScreen)


async def at_first_sides(run: Run) -> None:
    await at_sides(run)
    await run.press("C")


async def at_other_side(run: Run) -> None:
    await at_sides(run)
    await run.press("tab")


def message(run: Run) -> int:
    """Place of the message that is shown; -1 for none."""
    return run.screen.at if isinstance(run.screen, MessageScreen) else -1


def compaction(run: Run) -> int:
    """Which compaction is shown, 1-based; 0 for none."""
    screen = run.screen
    shown = screen.shown if isinstance(screen, CompactionScreen) else None
    return shown.sides.number if shown is not None else 0


def in_after(run: Run) -> bool:
    screen = run.screen
    return isinstance(screen, CompactionScreen) and screen.after.has_focus


def in_browser(run: Run) -> bool:
    return run.screen is run.browser


LENS = {
    "context-from-here": (
        Proof(in_context, is_on, becomes(True)),
        Proof(in_transcript, is_on, becomes(True)),
    ),
    "lens-previous-turn": (
        Proof(in_context, number, less),
        Proof(with_lens, number, less),
    ),
    "lens-next-turn": (
        Proof(with_lens, number, more),
        Proof(at_first, number, more),
    ),
    "lens-previous-record": (
        Proof(in_context, number, less),
        Proof(with_lens, number, less),
    ),
    "lens-next-record": (
        Proof(with_lens, number, more),
        Proof(at_first, number, becomes(2)),
    ),
    "lens-back": (Proof(with_lens, is_on, becomes(False)),),
    "compaction-sides": (
        Proof(in_context, compaction, becomes(2)),
        Proof(in_tree, compaction, becomes(2)),
        Proof(in_transcript, compaction, becomes(2)),
        Proof(with_lens, compaction, becomes(2)),
    ),
    "message-before": (Proof(at_message, message, becomes(0)),),
    "message-after": (Proof(at_message, message, becomes(2)),),
    "message-record": (Proof(at_message, in_browser, becomes(True)),),
    "message-close": (Proof(at_message, in_browser, becomes(True)),),
    "other-side": (
        Proof(at_sides, in_after, becomes(True)),
        Proof(at_other_side, in_after, becomes(False)),
    ),
    "side-next": (Proof(at_first_sides, compaction, becomes(2)),),
    "side-previous": (Proof(at_sides, compaction, becomes(1)),),
    "side-record": (
        Proof(at_sides, in_browser, becomes(True)),
        Proof(at_other_side, in_browser, becomes(True)),
    ),
    "side-back": (Proof(at_sides, in_browser, becomes(True)),),
}
