"""What a person has marked: pins, stars, notes, the archive and hidden branches. Pure values.

They are the user's own and lie in a file of ours, keyed by session id and by entry id, so that
they follow a session that is moved and need no write to it. A copy of a session has an id of its
own and begins without any.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.entries import EntryId

LONGEST_NOTE = 1_000
"""Most characters of a note that can be typed."""
PINNED, STARRED, ARCHIVED = "pinned", "starred", "archived"
"""What a marked session is called, on the screen and in the filter of the list."""


@dataclass(frozen=True, slots=True)
class RecordMarks:
    """What is marked on one record."""

    starred: bool = False
    note: str = ""
    """As it was typed; clean it before it is drawn."""


@dataclass(frozen=True, slots=True)
class SessionMarks:
    """What is marked on one session and on its records."""

    pinned: bool = False
    """It stands first in its folder."""
    starred: bool = False
    archived: bool = False
    """It has left the list, with its sub-agent sessions."""
    note: str = ""
    """As it was typed; clean it before it is drawn."""
    hidden: frozenset[EntryId] = frozenset()
    """Hidden branches by the id of their first entry."""
    records: Mapping[EntryId, RecordMarks] = field(default_factory=dict)
    """Marks of records by entry id; none of them is without any mark."""

    @property
    def words(self) -> tuple[str, ...]:
        """The marks of the session itself in a word each, the note left out."""
        marks = ((PINNED, self.pinned), (STARRED, self.starred), (ARCHIVED, self.archived))
        return tuple(word for word, is_set in marks if is_set)

    @property
    def stars(self) -> frozenset[EntryId]:
        """Ids of the starred records."""
        return frozenset(each for each, own in self.records.items() if own.starred)

    @property
    def kept(self) -> bool:
        """Whether the user wants to find the session again: anything but hidden branches."""
        return bool(self.words or self.note or self.records)

    def with_word(self, word: str, *, is_set: bool) -> SessionMarks:
        """Return the same marks with one of them set or not.

        Args:
            word: `PINNED`, `STARRED` or `ARCHIVED`.
            is_set: Whether the session is to be that.
        """
        if word == PINNED:
            return replace(self, pinned=is_set)
        if word == STARRED:
            return replace(self, starred=is_set)
        assert word == ARCHIVED
        return replace(self, archived=is_set)

    def record(self, entry_id: EntryId | None) -> RecordMarks:
        """Return the marks of a record; those of one that has none are all unset."""
        if entry_id is None:
            return NO_RECORD_MARKS
        return self.records.get(entry_id, NO_RECORD_MARKS)

    def with_record(self, entry_id: EntryId, marks: RecordMarks) -> SessionMarks:
        """Return the same marks with those of one record set."""
        others = {each: own for each, own in self.records.items() if each != entry_id}
        if marks != NO_RECORD_MARKS:
            others[entry_id] = marks
        return replace(self, records=others)

    def with_branch(self, head: EntryId, *, hidden: bool) -> SessionMarks:
        """Return the same marks with one branch hidden or shown.

        Args:
            head: Id of the branch's first entry.
            hidden: Whether it is to be hidden.
        """
        return replace(self, hidden=self.hidden | {head} if hidden else self.hidden - {head})


@dataclass(frozen=True, slots=True)
class Marks:
    """Everything that is marked."""

    sessions: Mapping[str, SessionMarks] = field(default_factory=dict)
    """By session id; none of them is without any mark."""

    def of(self, session_id: str | None) -> SessionMarks:
        """Return the marks of a session; those of one that has none, or no id, are all unset."""
        if session_id is None:
            return NO_SESSION_MARKS
        return self.sessions.get(session_id, NO_SESSION_MARKS)

    def with_session(self, session_id: str, marks: SessionMarks) -> Marks:
        """Return the same marks with those of one session set."""
        others = {each: own for each, own in self.sessions.items() if each != session_id}
        if marks != NO_SESSION_MARKS:
            others[session_id] = marks
        return Marks(others)

    @property
    def archived(self) -> frozenset[str]:
        """Ids of the archived sessions."""
        return frozenset(each for each, own in self.sessions.items() if own.archived)

    @property
    def kept(self) -> frozenset[str]:
        """Ids of the sessions that the user wants to find again, by a mark on them or a record."""
        return frozenset(each for each, own in self.sessions.items() if own.kept)


NO_RECORD_MARKS = RecordMarks()
NO_SESSION_MARKS = SessionMarks()
NO_MARKS = Marks()
