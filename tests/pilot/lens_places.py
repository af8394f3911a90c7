"""Ways to contexts from other records, what is looked at there, and the proofs of their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    await run.press("enter", "home", "right")


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
}
