"""Whether somebody is writing to a session (`design.md` section 3, `formats/ink.md` 7.6 and 9.5).

Freshness follows from the file alone, the holder from locks, leases and processes. Both are facts
of the moment and never change what the content says.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ink_tui.model.text import one_line
from ink_tui.model.words import duration_words

WRITING_MS = 2_000
"""A file that changed less than this ago is being written."""

RECENT_MS = 60_000
"""A file that changed less than this ago may still be in use."""


class Freshness(StrEnum):
    """How long ago the file changed."""

    WRITING = "writing"
    RECENT = "recent"
    COLD = "cold"


class HolderKind(StrEnum):
    """How sure it is that a process holds the session."""

    NONE = "none"
    POSSIBLE = "possible"
    """An agent of that kind runs in the session's working directory."""
    CERTAIN = "certain"
    """Our own lock or pane, a child's lease, or a process whose arguments name the session."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a session, as far as can be seen."""

    kind: HolderKind
    who: str = ""
    """In words, cleaned: a program and its process id."""
    pid: int | None = None


NOBODY = Holder(HolderKind.NONE)


@dataclass(frozen=True, slots=True)
class OwnPane:
    """What our own panes have to do with a session."""

    holder: Holder = NOBODY
    """The pane whose agent runs, if there is one."""
    ended: bool = False
    """Our own agent was the last writer and has exited."""


NO_PANE = OwnPane()


def freshness(now_ms: int, changed_ms: int) -> Freshness:
    """Return how fresh a file is.

    Args:
        now_ms: The present, in milliseconds since 1970.
        changed_ms: The file's time of change, likewise; one in the future counts as now.
    """
    age = max(0, now_ms - changed_ms)
    if age < WRITING_MS:
        return Freshness.WRITING
    return Freshness.RECENT if age < RECENT_MS else Freshness.COLD


def use_doubt(holder: Holder, fresh: Freshness, age_ms: int) -> str:
    """Return why a session may be in use, as a sentence; empty when nothing speaks for it.

    A session that certainly is in use is refused, which is no question of a doubt: empty, too.

    Args:
        holder: Who holds it.
        fresh: How fresh its file is.
        age_ms: How long ago the file changed, in milliseconds.
    """
    if holder.kind is HolderKind.POSSIBLE:
        return f"Perhaps in use by {one_line(holder.who) or 'another program'}."
    if holder.kind is HolderKind.CERTAIN or fresh is Freshness.COLD:
        return ""
    return f"The file changed {duration_words(age_ms / 1000)} ago and may still be in use."
