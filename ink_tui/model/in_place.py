"""Going on from an earlier record in the same file, by a position marker (`formats/ink.md` 5.1).

What Ink itself does for its `/fork`: nothing is copied, the later records stay as another branch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.salvage import SalvagePlan
from ink_tui.model.verdict import Verdict

if TYPE_CHECKING:
    from ink_tui.model.entries import EntryId
    from ink_tui.model.fork_points import ForkPlan
    from ink_tui.model.verdict import Diagnosis


@dataclass(frozen=True, slots=True)
class InPlace:
    """Where a session would go on in its own file, or why it cannot."""

    leaf: EntryId | None
    """The record that the next turn is attached to; never none where it is allowed, because a
    session that starts anew may vanish from Ink's list."""
    line: int
    """Its physical line, 1-based; 0 without one."""
    refusal: str
    """Why not, as a clause; empty when it can be done."""

    @property
    def allowed(self) -> bool:
        """Whether the content of the file allows it."""
        return not self.refusal


def in_place(diagnosis: Diagnosis, plan: ForkPlan) -> InPlace | None:
    """Return how a fork could be made in the file itself; `None` where that is not a question.

    It is one for a record of the current branch of a session that needs no repair. The file is
    left where the copy of the same fork would end, but nothing is closed in it.

    Args:
        diagnosis: The session.
        plan: The copy of the same fork.
    """
    if diagnosis.verdict is not Verdict.CLEAN or isinstance(plan, SalvagePlan):
        return None
    if plan.entry_id is None:
        return None
    if all(node.id != plan.entry_id for node in diagnosis.branch.entries):
        return None
    if not plan.allowed or plan.end is None:
        return InPlace(None, 0, plan.sentence)
    refusal = ""
    if plan.moved:
        refusal = "the records up to there cannot be continued"
    elif plan.closing:
        refusal = "a call has no saved result there; a copy can close it"
    elif plan.end == diagnosis.leaf:
        refusal = "the session goes on from there already"
    return InPlace(plan.end, plan.entries[-1].span.line, refusal)
