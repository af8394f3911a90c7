"""The texts of one record that a search looks through, with what each one is.

A passage is one text: what the user said, one block of an answer, the arguments of one call, the
output of one. Texts are as the file holds them, not cleaned: they are cleaned when a piece of one
is cut out to be shown (`ink_tui.model.snippets`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a passage is."""

    USER = "user"
    ASSISTANT = "assistant"
    THINKING = "thinking"
    CALL = "call"
    RESULT = "result"
    SUMMARY = "summary"
    """Of a compaction, or of a branch that was left."""
    NAME = "name"
    LABEL = "label"
    ID = "id"
    """Of the session or of a record; found by its beginning or by eight characters of it."""
    PATH = "path"
    """The working folder, or the name of the file."""
    UNKNOWN = "unknown"
    """Texts of a record, a message or a block of a kind that is not known."""
    SESSION = "session"
    """The session itself, where a query asks for nothing in it."""


LEAST_OF_ID = 8
"""Characters that find an id from anywhere inside it."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One text of a record."""

    kind: Kind
    text: str
    tool: str = ""
    """Name of the tool, for calls and results."""
    call_id: str = ""
    file: str = ""
    """What a call names as its file; for a result, what its call names."""
    kept: bool = False
    """A copy in the retained tail of a compaction; its original stands before it."""


@dataclass(frozen=True, slots=True)
class RecordTexts:
    """One record, ready to be searched."""

    passages: tuple[Passage, ...]
    entry_id: str | None
    """Identity of the record as it stands in the file; `None` for the header and for markers."""
    line: int
    """Physical line, 1-based."""
    offset: int
    """First byte of the record in the file."""
    time_ms: int | None = None
