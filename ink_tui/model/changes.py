"""What we have written into a session file, and how an undo of it is called."""

from __future__ import annotations

from enum import StrEnum


class ChangeKind(StrEnum):
    """The kinds of changes that we make in place; the journal keeps these words."""

    REPAIR = "repair"
    NAME = "name"
    LABEL = "label"
    POSITION = "position"
    """A position marker: the session goes on from an earlier record."""
    OTHER = "other"
    """A kind that only a later version knows."""

    @property
    def words(self) -> str:
        """What an undo takes back: `the last repair`."""
        return {
            ChangeKind.REPAIR: "the last repair",
            ChangeKind.NAME: "the name",
            ChangeKind.LABEL: "the label",
            ChangeKind.POSITION: "the fork position",
        }.get(self, "the last change")

    @property
    def appends_a_record(self) -> bool:
        """Whether it is one record, or two, of the agent's own kinds behind all that was there."""
        return self in (ChangeKind.NAME, ChangeKind.LABEL, ChangeKind.POSITION)
