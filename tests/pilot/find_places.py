"""Ways into a find in the session, and what is looked at there."""

from __future__ import annotations

from ink_tui.tui.widgets.find_field import FindInput
from tests.pilot.app import settled, until
from tests.pilot.key_places import Proof, becomes, changed, flips
from tests.pilot.run import Run


def field_has_focus(run: Run) -> bool:
    return isinstance(run.browser.focused, FindInput)


def hit(run: Run) -> int | None:
    """The hit that one stands on."""
    return run.browser.inside.number


def marks(run: Run) -> int:
    """How many places are marked."""
    return run.browser.inside.finding.total


async def type_in(run: Run, text: str) -> None:
    """Put a text in the open field at once, and wait for what it finds."""
    run.browser.session.find.input.value = text
    await found(run)


async def found(run: Run) -> None:
    """Wait until the search for what stands in the field is over."""
    await settled(run.pilot)
    await until(run.pilot, lambda: not run.browser.inside.under_way, "the find ends")
    await settled(run.pilot)


async def in_field(run: Run) -> None:
    """The field, over the tree, with something found."""
    await run.at_tree()
    await run.press("slash")
    await type_in(run, "sum")


async def over_tree(run: Run) -> None:
    """The tree, in its middle, with marks."""
    await in_field(run)
    await run.press("enter")


async def over_transcript(run: Run) -> None:
    """The transcript with marks."""
    await over_tree(run)
    await run.press("2")


async def over_replay(run: Run) -> None:
    """A replay with marks."""
    await over_transcript(run)
    await run.press("space", "space")


FIND = {
    "find": (
        Proof(Run.at_tree, field_has_focus, flips),
        Proof(Run.at_transcript, field_has_focus, flips),
        Proof(Run.at_health, field_has_focus, flips),
    ),
    "next-hit": (
        Proof(over_tree, hit, changed),
        Proof(over_transcript, hit, changed),
        Proof(Run.at_tree, field_has_focus, flips),
    ),
    "previous-hit": (
        Proof(over_tree, hit, changed),
        Proof(over_transcript, hit, changed),
    ),
    "find-keep": (
        Proof(in_field, lambda run: (marks(run) > 0, run.tree.has_focus), becomes((True, True))),
    ),
    "find-clear": (
        Proof(in_field, lambda run: (marks(run), run.tree.has_focus), becomes((0, True))),
    ),
}
BACK = (
    Proof(over_tree, marks, becomes(0)),
    Proof(over_replay, marks, becomes(0)),
)
"""`esc` takes the marks away before it does anything else."""
