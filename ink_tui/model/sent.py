"""What a resume from any record would send (`formats/ink.md` sections 5 and 6).

The verdict on a session rests on the same function, asked from the resume point. It costs a walk to
the root: linear in the records of that branch, whatever else the file holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.context import Context, build_context
from ink_tui.model.tool_calls import Pairing, pair_calls
from ink_tui.model.tree import Branch, branch_to

if TYPE_CHECKING:
    from ink_tui.model.entries import EntryId
    from ink_tui.model.session import Session


@dataclass(frozen=True, slots=True)
class Sent:
    """What a resume from one record would send."""

    entry_id: EntryId | None
    """The record; `None` where nothing was written yet, or all of it was left."""
    branch: Branch
    context: Context | None
    """`None` when the branch cannot be walked to its root."""
    pairing: Pairing | None
    """Calls and results of the context; `None` when there is none that could be sent."""


def sent_from(session: Session, entry_id: EntryId | None) -> Sent:
    """Return what a resume from a record would send; never raises and always ends.

    Args:
        session: The session.
        entry_id: The record that the next turn would be attached to.
    """
    branch = branch_to(session, entry_id)
    context = build_context(branch.entries) if branch.error is None else None
    usable = context is not None and context.error is None
    pairing = (
        pair_calls([item.message for item in context.messages]) if context and usable else None
    )
    return Sent(entry_id, branch, context, pairing)
