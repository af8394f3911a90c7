"""What is shown of a long session before it has been read whole. Blocks on file reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.ending import (
    UNREAD_OUTLINE,
    UNREAD_TRANSCRIPT,
    ending_outline,
    ending_transcript,
)
from ink_tui.model.liveness import Freshness, HolderKind
from ink_tui.model.text import one_line
from ink_tui.model.transcript import as_live
from ink_tui.model.words import counted
from ink_tui.tui.render.head_lines import HeadFacts

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.outline_rows import Outline
    from ink_tui.model.transcript import Transcript
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.library import Library


@dataclass(frozen=True, slots=True)
class EndingViews:
    """The end of a session, ready to be shown; nothing may be written or launched by it."""

    path: str
    session_id: str | None
    cwd: str
    """Working directory as the header has it."""
    size: int
    """Bytes of the file."""
    diagnosis: Diagnosis | None
    """The known end of the branch; `None` where that is not known."""
    outline: Outline
    transcript: Transcript
    head: HeadFacts


def load_ending(library: Library, path: str, *, running: bool = False) -> EndingViews | None:
    """Read the end of a session and make its views; `None` where reading all is as quick.

    Call it from a worker.

    Args:
        library: Where it is read.
        path: Its file.
        running: An agent of ours holds the session.

    Raises:
        UnreadableError: It cannot be read.
    """
    opened = library.ending(path)
    if opened is None:
        return None
    row, diagnosis = opened.row, opened.diagnosis
    outline, transcript = UNREAD_OUTLINE, UNREAD_TRANSCRIPT
    if diagnosis is not None:
        writing = row.freshness is Freshness.WRITING
        live = running or writing or row.holder.kind is HolderKind.CERTAIN
        outline = ending_outline(diagnosis, running=live, writing=writing)
        transcript = ending_transcript(diagnosis)
        transcript = as_live(transcript) if live else transcript
    return EndingViews(
        path=path,
        session_id=row.session_id,
        cwd=row.cwd,
        size=opened.state.size,
        diagnosis=diagnosis,
        outline=outline,
        transcript=transcript,
        head=HeadFacts(
            title=one_line(row.title) or one_line(path.rsplit("/", 1)[-1]),
            short_id=one_line(row.session_id or "")[:8],
            facts=_facts(row),
        ),
    )


def _facts(row: SessionRow) -> str:
    """Return the counts that the list knows of the file as it is now."""
    facts = []
    if row.messages is not None:
        facts.append(counted(row.messages, "message"))
    if row.branches is not None and row.branches > 1:
        facts.append(counted(row.branches, "branch", "branches"))
    return " · ".join(facts)
