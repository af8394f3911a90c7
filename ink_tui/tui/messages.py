"""Messages that several widgets post and a screen handles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from ink_tui.model.outline_marks import BranchChoice
    from ink_tui.model.tree_choice import TreeChoice


@dataclass
class ActionChosen(Message):
    """A person chose an action otherwise than by its key: in the footer, the header, a palette."""

    action_id: str
    """Id in the table of `ink_tui.keymap`."""


@dataclass
class SplitterMoved(Message):
    """The hair line between two panes was dragged; final when the drag has ended."""

    splitter_id: str
    """Id of the hair line's widget."""
    cells: int
    """How far since the last message: right or down is positive."""
    final: bool

    def can_replace(self, message: Message) -> bool:
        """Never: each message holds a step of its own."""
        return False


@dataclass
class SplitterReset(Message):
    """The hair line was clicked twice: its pane returns to the default width."""

    splitter_id: str


@dataclass
class BranchChosen(Message):
    """The branch that is selected in a tree is to be hidden, or shown again."""

    choice: BranchChoice


@dataclass
class TreeChosen(Message):
    """Something else is to be seen of trees, of this one and of all that are opened later."""

    choice: TreeChoice
